"""What is known of each record before it is read: its name, its inputs, its files and the commands that write them."""
from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from checking.reading import placed
from support.command import located, read_bytes


class Pair(NamedTuple):
    """What is known of a record beforehand. Paths are the repository's."""

    name: str
    inputs: list[dict[str, str]]  # what it must list, with the sha256 that each file has on disk
    run: str
    program: str  # the command that writes the record
    expected: str = ""  # the counts over seeds have neither an expectation nor a text
    derivation: str = ""  # the command that writes the expectation
    printed: str = ""


HERE = "python3 code/part-iii/"
ORACLE = f"{HERE}tests/oracles/{{}}.py --write（开发用的，要 NumPy）".format
LESSON = "data/lesson-6-1/"
RECORDS = [
    Pair("part-iii-run-v1",
         [{"path": "data/part-iii/sequence-v1.json"},
          {"path": "data/part-ii/nnlm-data.json", "field": "window_collision"}],
         "run.json", f"{HERE}run.py", "expected.json", f"{HERE}derive.py", "data/part-iii/printed-v1.json"),
    Pair("lesson-6-1-run-v1", [{"path": f"{LESSON}draws-v1.json"}, {"path": f"{LESSON}seeds.json"}],
         f"{LESSON}run.json", f"{HERE}lesson_6_1.py",
         f"{LESSON}expected.json", ORACLE("lesson_expected"), f"{LESSON}printed-v1.json"),
    Pair("lesson-6-1-seeds-v1", [{"path": f"{LESSON}draws-v1.json"}],
         f"{LESSON}seeds.json", ORACLE("seeds")),
]
WRITERS = {path: program for row in RECORDS
           for path, program in ((row.run, row.program), (row.expected, row.derivation))}


def files_of(row: Pair) -> list[str]:
    """Return where a record, its expectation and the printed text lie on this system."""
    return [located(path) for path in (row.run, row.expected, row.printed) if path]


def row_of(expected: dict[str, Any]) -> Pair:
    """Return the row of the table that an expectation names, else the first, which will not fit."""
    return next((row for row in RECORDS if row.expected and row.name == expected.get("/record")), RECORDS[0])


def top_of(row: Pair) -> dict[str, Any]:
    """Return what must stand beside the results: the name, and the inputs with the sha256 of the files on disk.

    Only paths of the table are opened, whatever the files under test name.
    """
    inputs = [{**each, "sha256": hashlib.sha256(read_bytes(located(each["path"]))).hexdigest()} for each in row.inputs]
    return placed("/inputs", inputs, {"/record": row.name})
