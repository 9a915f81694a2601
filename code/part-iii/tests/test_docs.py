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
from chapters import experiment, page_11, recurrence
from support import bundle, record, verdicts
from support.command import located
from support.show import columns
from tests.shared import CODE

with open(located("README.md"), encoding="utf-8") as _file:
    README = _file.read()
# The rows of the README's table on lesson 6.1, by the claims that they sum up.
ROWS = {
    "98 个参数": "parameters-98", "参数表前四行": "table-has-four-and-two-rows",
    "输入和输出各一维": "output-of-one-dimension",
    "Wh 是两个": "wh-is-a-product-of-states", "退 11 步": "gradient-reaches-zero", "表中是损失": "gradient-of-the-loss",
    "原因是 tanh": "tanh-derivative-is-the-cause", "0.3 的 11": "estimate-matches", "衰减没有停顿": "no-pause",
    "衰减是匀称的": "even-decay", "损失从头": "loss-never-moves", "0.6909 说明": "loss-means-half-and-half",
    "第一位的权重": "first-weight-gets-no-signal", "准确率 0.5000": "accuracy-is-guessing",
    "8000 轮和": "more-rounds-change-nothing", "学习率和轮数": "rate-and-rounds-do-not-help",
    "只能改结构": "only-structure-helps", "加宽": "wider-does-not-help", "隐状态每步": "state-is-overwritten",
    "参数不随": "parameters-do-not-grow", "LSTM": "lstm-reaches-one",
}


def modules() -> list[str]:
    """Return every module outside tests/, by the name under which a program imports it."""
    return sorted(name[:-3] if room == "." else f"{room}.{name[:-3]}" for room in (".", "chapters", "lesson", "support")
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
        self.chapter, self.lesson = (check.read(located(row.run)) for row in check.RECORDS)

    def test_first_lines(self) -> None:
        """The shown output of run.py and check.py is what they print."""
        blocks = re.findall(r"```text\n(.*?)```", section("运行"), re.DOTALL)
        data = bundle.load()
        printed = "\n".join(page_11.lines(data, run.results(data), verdicts.texts(run.PRINTED)))
        self.assertTrue(printed.startswith(blocks[0].rstrip("\n")), blocks[0])
        reports = [line for row in check.RECORDS for line in check.check(check.files_of(row), row)]
        self.assertEqual(blocks[1], "\n".join(reports) + "\n")

    def test_fields(self) -> None:
        """Every JSON Pointer in the README leads somewhere."""
        pointers = re.findall(r"`(/results/[^`…]+)`", README)
        self.assertGreater(len(pointers), 10)
        self.assertEqual([p for p in pointers if check.at(self.chapter, p) is check.MISSING], [])

    def test_row_by_hand(self) -> None:
        """The row that is checked by hand is in the record, text by text."""
        hand = section("亲手核对一行")
        step = json.dumps(self.chapter["results"]["example_11_1"][2], ensure_ascii=False)
        quoted = re.findall(r'`("(?:state|logits|probabilities)": [^`]+)`', hand)
        self.assertEqual(len(quoted), 3)
        self.assertEqual([part for part in quoted if part not in step], [])
        self.assertLessEqual(set(re.findall(r"\d\.\d{6}", hand)) - {"2.454991"}, texts(self.chapter))
        self.assertEqual(Fraction("2.454991"), Fraction(self.chapter["results"]["worked_softmax"]["exponential"]) + 1)

    def test_changed_weight(self) -> None:
        """With 0.9 for 0.5 the report has the lines that the README shows."""
        data = bundle.load()
        changed = {**vars(data), "network": recurrence.with_diagonal(data.network, Fraction(9, 10))}
        results = run.results(bundle.Bundle(**changed))
        made = {"record": self.chapter["record"], "inputs": data.inputs, "results": results}
        for member in self.chapter["inputs"]:
            member["sha256"] = "f0" * 32  # the expectation is that of other data
        row = check.RECORDS[0]
        found = check.compare(check.parse(record.layout(made), "run.json"), self.chapter,
                              check.read_printed(check.files_of(row)[2]), row, "printed-v1.json")
        lines = [*check.decision(found, row, "printed-v1.json"), *check.report(found, False)]
        (shown,) = re.findall(r"```text\n(.*?)\n```", section("改一个权重试试"), re.DOTALL)
        self.assertLessEqual(set(shown.split("\n")), set(lines))

    def test_lesson_table(self) -> None:
        """Each figure of the lesson's table is recorded as it is written, each verdict is the record's."""
        rows = [line.strip("| ").split(" | ") for line in section("课文 6.1").split("\n") if line.startswith("| ")][2:]
        recorded = texts(self.lesson["results"])
        self.assertEqual(len(rows), len(ROWS))
        for claim, verdict, evidence in rows:
            name = next(name for start, name in ROWS.items() if claim.startswith(start))
            self.assertEqual(verdicts.VERDICTS[self.lesson["results"]["claims"][name]], verdict, claim)
            figures = re.findall(r"\d+\.\d{4,}|\d\.\d\de[-+]\d\d|(?<![\d.])(?:98|64|658)(?![\d.])", evidence)
            self.assertEqual([figure for figure in figures if figure not in recorded], [], claim)

    def test_files_exist(self) -> None:
        """Every program and folder that the README names is there."""
        for name in re.findall(r"\b[\w-]+\.py\b", README):
            rooms = ("", "chapters", "lesson", "support")
            self.assertTrue(any(os.path.isfile(os.path.join(CODE, room, name)) for room in rooms), name)
        for path in re.findall(r"`((?:data|code|notebooks)/[\w./-]+)`", README):
            self.assertTrue(os.path.exists(located(path)), path)


if __name__ == "__main__":
    unittest.main()
