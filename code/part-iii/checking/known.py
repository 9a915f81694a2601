"""What is known of each record before it is read: its name, its inputs, its files and the programs that write them."""
from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from checking.wording import Literal
from support import command


class Row(NamedTuple):
    """What is known of a record beforehand. Paths are the repository's."""

    name: str
    run: str
    expected: str
    printed: str | None
    inputs: list[dict[str, str]]  # what it must list, with the sha256 that each file has on disk
    program: str  # writes the record
    derivation: str  # writes the expectation


RECORDS = [
    Row("part-iii-run-v1", "run.json", "expected.json", "data/part-iii/printed-v1.json",
        [{"path": "data/part-iii/sequence-v1.json"},
         {"path": "data/part-ii/nnlm-data.json", "field": "window_collision"}], "run.py", "derive.py"),
    Row("lesson-6-1-run-v1", "data/lesson-6-1/run.json", "data/lesson-6-1/expected.json",
        "data/lesson-6-1/printed-v1.json",
        [{"path": "data/lesson-6-1/draws-v1.json"}, {"path": "data/lesson-6-1/seeds.json"}], "lesson_6_1.py",
        "tests/oracles/lesson_expected.py --write"),
]
PROGRAMS = "code/part-iii"


def files_of(row: Row) -> list[str]:
    """Return where a record, its expectation and the printed text lie on this system."""
    return [command.located(path) for path in (row.run, row.expected, row.printed) if path]


def row_of(*records: Any) -> Row | None:
    """Return the row of the table that the first of the records with a known name has."""
    for record in records:
        for row in RECORDS:
            if record.get("record") == row.name:
                return row
    return None


def top_of(row: Row | None, expected: Any) -> dict[str, Any]:
    """Return what must stand beside the results: the name, and the inputs with the sha256 of the files on disk.

    Only paths of the table are opened, whatever the files under test name.
    """
    if row is None:
        return {"record": Literal(" 或 ".join(row.name for row in RECORDS)), "inputs": expected.get("inputs")}
    return top(row.name, row.inputs)


def top(name: str, inputs: list[dict[str, str]]) -> dict[str, Any]:
    """Return a record's name and its inputs, each with the sha256 of its file on disk."""
    return {"record": name, "inputs": [
        {**member, "sha256": hashlib.sha256(command.read_bytes(command.located(member["path"]))).hexdigest()}
        for member in inputs]}
