"""The doctests of all modules, and the README against the records: its figures cannot grow stale."""
from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import unittest
from fractions import Fraction
from typing import Any

import check
import lesson_6_1
import run
from chapters import chapter_11, experiment
from support import bundle, verdicts
from support.command import located
from support.record import layout
from support.show import columns
from tests.shared import CODE

with open(located("README.md"), encoding="utf-8") as _file:
    README = _file.read()
ROOMS = ("", "chapters", "derivation", "lesson", "support")
# The rows of the README's table on lesson 6.1, by the claims that they sum up.
ROWS = {"0.6909 来自": "loss-is-ln-2", "tanh 的导数": "tanh-derivative-is-small",
        "它还没有": "not-slow-but-not-started",
        "要学会": "only-structure-helps", "LSTM": "lstm-reaches-one"}
NUMBER = r"\d+(?:\.\d+)?(?:e[-+]\d\d)?"


def modules() -> list[str]:
    """Return every module outside tests/, by the name under which a program imports it."""
    return sorted(f"{room}.{name[:-3]}".lstrip(".") for room in ROOMS
                  for name in os.listdir(os.path.join(CODE, room)) if name.endswith(".py"))


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """Add every module's doctests to the suite."""
    for name in modules():
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


def texts(value: Any) -> set[str]:
    """Return every text and number in a record."""
    return {str(leaf) for _, leaf in check.leaves(value)}


def section(title: str) -> str:
    """Return a section of the README."""
    return README.split(f"## {title}")[1].split("\n## ")[0]


class Help(unittest.TestCase):
    """What -h prints."""

    def test_fits_a_terminal(self) -> None:
        """No line of a help text is wider than 80 columns."""
        lines = "\n".join((experiment.HELP, lesson_6_1.HELP, check.HELP)).split("\n")
        self.assertEqual([line for line in lines if columns(line) > 80], [])


class Readme(unittest.TestCase):
    """README.md as a newcomer reads it."""

    def setUp(self) -> None:
        """Read both records."""
        self.chapter, self.lesson = (check.read(located(record[0])) for record in check.RECORDS)

    def test_first_lines(self) -> None:
        """The shown output of run.py and check.py is what they print."""
        blocks = re.findall(r"```text\n(.*?)```", section("运行"), re.DOTALL)
        data = bundle.load()
        printed = "\n".join(run.page(data, run.results(data), "11", False))
        self.assertTrue(printed.startswith(blocks[0].rstrip("\n")), blocks[0])
        reports = [check.check(*map(located, record))[-1] for record in check.RECORDS]
        self.assertEqual(blocks[1], "\n".join(reports) + "\n")

    def test_fields(self) -> None:
        """Every JSON Pointer in the README leads somewhere."""
        pointers = re.findall(r"`(/results/[^`…]+)`", README)
        self.assertGreater(len(pointers), 10)
        self.assertEqual([p for p in pointers if check.at(self.chapter, p) is check.MISSING], [])

    def test_row_by_hand(self) -> None:
        """The row that is checked by hand is in the record, text by text."""
        hand = section("亲手核对一行")
        step = json.dumps(self.chapter["results"]["chapter_11"]["example_11_1"][2], ensure_ascii=False)
        quoted = re.findall(r'`("(?:state|logits|probabilities)": [^`]+)`', hand)
        self.assertEqual(len(quoted), 3)
        self.assertEqual([part for part in quoted if part not in step], [])
        self.assertLessEqual(set(re.findall(r"\d\.\d{6}", hand)) - {"2.454991"}, texts(self.chapter))
        worked = self.chapter["results"]["chapter_11"]["worked_softmax"]
        self.assertEqual(Fraction("2.454991"), Fraction(worked["exponential"]) + 1)

    def test_changed_weight(self) -> None:
        """With 0.9 for 0.5 the checker names the field that the README shows."""
        data = bundle.load()
        results = run.results(data._replace(network=chapter_11.retaining(data.network, Fraction(9, 10))))
        results = json.loads(layout(results))
        lines = [f"{place}：应为 {check.written(want)}，实为 {check.written(have)}" for place, want, have
                 in check.differences(self.chapter["results"], results, "/results")]
        shown = re.findall(r"```text\n(.*?)\n```", section("改一个权重试试"))
        self.assertLessEqual(set(shown), set(lines))

    def test_lesson_table(self) -> None:
        """Each number of the lesson's table is in the record as it is written, each verdict is the record's."""
        rows = [line.strip("| ").split(" | ") for line in section("课文 6.1").split("\n") if line.startswith("| ")][2:]
        results = self.lesson["results"]
        recorded = set(re.findall(NUMBER, json.dumps(results)))
        self.assertEqual(len(rows), len(ROWS))
        for claim, verdict, evidence in rows:
            name = next(name for start, name in ROWS.items() if claim.startswith(start))
            self.assertEqual(verdicts.VERDICTS[results["claims"][name]], verdict, claim)
            self.assertEqual(set(re.findall(NUMBER, evidence)) - recorded, set(), claim)

    def test_lesson_counts(self) -> None:
        """What the README says of seeds is what the lesson's ledger, held against the record, says of them."""
        text = section("课文 6.1")
        said = re.findall(r"\d+ 个种子里 \d+ 个", text)
        ledger = check.read(located("data/lesson-6-1/printed-v1.json"))["claims"]
        words = {claim["id"]: claim["claim"] for claim in ledger}
        self.assertEqual(len(said), 4)
        for row in text.split("\n"):
            name = next((name for start, name in ROWS.items() if row.startswith(f"| {start}")), "")
            for counts in re.findall(r"\d+ 个种子里 \d+ 个", row):
                self.assertIn(counts, words[name])
        fits = self.lesson["results"]["seeds"]["printed_losses"]
        self.assertIn(f"{fits['tried']} 个种子里有 {fits['fit_at_0.3']} 个相符", text)
        self.assertIn(f"{len(ledger)} 条论断", text)

    def test_files_exist(self) -> None:
        """Every program and folder that the README names is there."""
        for name in re.findall(r"\b[\w-]+\.py\b", README):
            self.assertTrue(any(os.path.isfile(os.path.join(CODE, room, name)) for room in ROOMS), name)
        for path in re.findall(r"`((?:data|code|notebooks)/[\w./-]+)`", README):
            self.assertTrue(os.path.exists(located(path)), path)


if __name__ == "__main__":
    unittest.main()
