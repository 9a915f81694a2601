"""What the tests of the checker share: spoiled copies of the committed files, and the report on them."""
from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

import check
from checking import known, reading
from support import command
from support.command import Refused
from tests.shared import loaded, with_value

FILES = [known.files_of(row) for row in known.RECORDS]
CHAPTER = "/results/chapter_11/"
OTHER = "f0" * 32  # the sha256 of other data
AGAIN = "下一步：python3 code/part-iii/run.py 重写 run.json；仍不同，就查程序与推导哪个算错"
LOGIT = "/results/example_11_1/2/logits/0"


class Compared(unittest.TestCase):
    """Each test starts from chapter 11's part of the committed files, laid out as the lesson's are, and spoils some.

    Of the claims there are those that hold, and the first has a sentence too long for a line.
    """

    def setUp(self) -> None:
        """Read the files, and make a folder for spoiled copies."""
        self.record, self.expected, self.printed = map(loaded, FILES[0])
        for each in (self.record, self.expected):
            each["results"] = each["results"]["chapter_11"]
        self.printed["figures"] = [figure for figure in self.printed["figures"] if CHAPTER in figure["field"]]
        held = {name for name, verdict in self.expected["results"]["claims"].items() if verdict == "holds"}
        self.printed["claims"] = [claim for claim in self.printed["claims"] if claim["id"] in held]
        for each in (self.record, self.expected):
            each["results"]["claims"] = {
                name: verdict for name, verdict in each["results"]["claims"].items() if name in held}
        self.claim(claim="这句话很长，" * 9)
        self.printed = json.loads(json.dumps(self.printed).replace(CHAPTER, "/results/"))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.paths = [os.path.join(folder.name, name) for name in ("run.json", "expected.json", "printed.json")]

    def both(self, pointer: str, value: Any) -> None:
        """Put a value into record and expectation."""
        self.record, self.expected = (with_value(each, pointer, value) for each in (self.record, self.expected))

    def figure(self, **members: Any) -> None:
        """Let the ledger's figures be one: the logit of table 11.3, with other members."""
        self.printed["figures"] = [
            {"place": "表 11.3，第 3 行，Logits，红色", "printed": "0.375", "field": LOGIT, **members}]

    def claim(self, **members: Any) -> None:
        """Let the ledger's first claim have other members."""
        self.printed["claims"][0] = {**self.printed["claims"][0], **members}

    def written(self) -> list[str]:
        """Write the three files as they are now, and return where."""
        for path, value in zip(self.paths, (self.record, self.expected, self.printed)):
            Path(path).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return self.paths

    def report(self, whole: bool = False, files: int = 3, row: known.Pair | None = None) -> list[str]:
        """Return the report on the first two or all three files as they are now."""
        return check.check(self.written()[:files], row, whole)

    def lines(self, files: int = 3) -> list[str]:
        """Return the faults alone, each on a line."""
        first, *faults, last = self.report(True, files)
        self.assertIn(f"，{len(faults)} 处不同", first)
        self.assertTrue(last.startswith("下一步："))
        return faults

    def assert_says(self, what: str, advice: str = "") -> None:
        """The report says what happened, and ends in the next command."""
        first, *_, last = self.report()
        self.assertIn(f"：{what}；比较了 ", first)
        self.assertTrue(last.endswith(advice), last)

    def assert_agrees(self) -> None:
        """All agrees: one line."""
        lines = self.report()
        self.assertEqual((len(lines), lines[0].endswith("；全部一致")), (1, True), lines)

    def assert_refused(self, which: int, message: str) -> None:
        """The files cannot be compared, and one line says which of them is wrong, and why."""
        with self.assertRaises(Refused) as caught:
            self.report()
        self.assertEqual(str(caught.exception), f"{command.shown(self.paths[which])}：{message}")


def table(value: Any) -> dict[str, Any]:
    """Return a value as the checker has it: by JSON Pointers, numbers as they are written."""
    plain = json.loads(json.dumps(value), parse_int=reading.Literal, parse_float=reading.Literal)
    return reading.placed("", plain, {})
