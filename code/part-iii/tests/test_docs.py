"""The doctests of all modules, and the README against the records: its figures cannot grow stale."""
from __future__ import annotations

import contextlib
import copy
import doctest
import importlib
import io
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import check
import core
import derive
import figures
import lesson_6_1
import run
from chapters import bundle, chapter_11
from checking import errata, known
from checking.reading import placed
from claims import judging
from lesson import pinned
from support import command, digits, record, shapes
from support.command import located
from support.show import columns
from tests.of_the_lesson import RESULTS, judged
from tests.shared import CODE, loaded, modules
from tests.test_notebook import FIGURES

README, FOLDER = (Path(located(name)).read_text(encoding="utf-8") for name in (
    "README.md", "code/part-iii/README.md"))
ROOMS = ("", "chapters", "checking", "claims", "derivation", "lesson", "support")
NUMBER = r"\d+(?:\.\d+)?(?:e[-+]\d\d)?"


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """Add every module's doctests to the suite."""
    for name in modules():
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


def section(title: str, text: str = README) -> str:
    """Return a section of a README."""
    return text.split(f"## {title}")[1].split("\n## ")[0]


class Help(unittest.TestCase):
    """What a program prints that is asked for help, or for its examples."""

    def output(self, program: Callable[[list[str]], int], *arguments: str) -> str:
        """Return what a program prints into a stream that takes any text; it writes no file."""
        with contextlib.redirect_stdout(io.StringIO()) as output, mock.patch("sys.argv", ["", *arguments]), \
                mock.patch.object(command, "write_text") as written:
            self.assertEqual((command.run(program), written.called), (0, False))
        return output.getvalue()

    def test_fits_a_terminal(self) -> None:
        """-h and --help say how each program is called, in no line wider than 80 columns."""
        for door in (run, derive, check, lesson_6_1, figures):
            for option in ("-h", "--help"):
                text = self.output(door.main, option)
                self.assertTrue(text.startswith(f"用法\n  python3 code/part-iii/{door.__name__}.py"), text)
                self.assertEqual([line for line in text.split("\n") if columns(line) > 80], [])

    def test_the_algorithm_runs_its_examples(self) -> None:
        """core.py, started as a program, tries the examples of its docstrings."""
        with contextlib.redirect_stdout(io.StringIO()) as output, self.assertRaises(SystemExit) as caught:
            runpy.run_path(os.path.join(CODE, "core.py"), run_name="__main__")
        self.assertEqual(caught.exception.code, None)
        self.assertRegex(output.getvalue(), r"^[1-9][0-9]* 个例子都对\n$")


class Readme(unittest.TestCase):
    """README.md as a newcomer reads it, and that of the folder."""

    def setUp(self) -> None:
        """Read both records."""
        self.chapter, self.lesson, self.printed = map(loaded, ("run.json", pinned.RECORD, judging.PRINTED))

    def block(self, title: str) -> str:
        """Return what a section shows as output."""
        (block,) = re.findall(r"```text\n(.*?)```", section(title), re.DOTALL)
        return str(block)

    def test_shown_output(self) -> None:
        """The shown output of run.py and of check.py is what they print."""
        data = bundle.load()
        self.assertTrue("\n".join(run.page(data, run.results(data), "11", False)).startswith(self.block("运行")))
        reports = [line for row in known.RECORDS for line in check.check(known.files_of(row), row)]
        self.assertEqual(self.block("核对"), "\n".join(reports) + "\n", "README.md，核对一节")

    def test_what_was_found(self) -> None:
        """How many results are printed and how many are wrong, and how the claims are judged, in both languages."""
        figures, claims = self.printed["figures"], self.printed["claims"]
        wrong = {figure["printed"] for figure in figures if "disputed" in figure}
        reached = [verdict for each in self.chapter["results"].values() for verdict in each["claims"].values()]
        holds, fails, outside = map(reached.count, ("holds", "fails", "outside"))
        self.assertEqual((len(wrong), fails, holds + fails + outside), (1, 1, len(claims)),
                         "README.md 的开头和 In English 说一个数印错，说到它的那条论断不成立，此外没有：要重写")
        first, english = README.split("## 运行")[0], section("In English")
        missing = [written for text, written in (
                (first, f"**书：核对了 {len(figures)} 处印出的数与词，错了一个数。**"),
                (first, f"{len(claims)} 条论断，成立 {holds} 条，不成立的就是它，另外 {outside} 条不由计算判定"),
                (english, f"of the book's {len(figures)} printed figures and words one is wrong"),
                (english, f"{holds} of its {len(claims)} statements hold"),
                *((part, "".join(wrong)) for part in (first, english))) if written not in text]
        self.assertEqual(missing, [], "README.md 应写这些")

    def test_fields(self) -> None:
        """Every field that the README names is one of a chapter's."""
        fields = re.findall("`([a-z_0-9]+)`", README.split("<details>")[1].split("</details>")[0].split("| --- |")[1])
        self.assertGreater(len(fields), 20)
        known_ones = {name for results in self.chapter["results"].values() for name in results}
        self.assertEqual(set(fields) - known_ones, set())

    def test_ten_lines(self) -> None:
        """What a doubter types from section 11.2 prints the states, logits and red probabilities of table 11.4."""
        (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
        self.assertEqual(set(re.findall("(?:from|import) ([a-z]+)", program)) - {"fractions", "math", "exp"}, set())
        printed = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True,
                                 encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}).stdout
        self.assertEqual(printed.split(), self.block("亲手核对").split())
        ends = [case["rnn"]["steps"][-1] for case in self.chapter["results"]["chapter_11"]["table_11_4"]]
        self.assertEqual(re.findall(r"\d\S*", printed), [
            number for end in ends for number in (*end["state"], *end["logits"], end["probabilities"][0])])

    def test_form(self) -> None:
        """At most 140 lines; no line of a paragraph ends where a space would show between two Chinese characters."""
        self.assertLessEqual(len(README.split("\n")) - 1, 140)
        for text in (README, FOLDER):
            prose = re.sub(r"(?s)```.*?```", "", text)
            self.assertEqual(re.findall(r"[^\x00-\x7f]\n(?=[^\x00-\x7f])", prose), [])

    def changed_weight(self) -> tuple[Any, Any, Any]:
        """Return the record for another weight, the expectation of the old one, and the ledger."""
        data, expected = bundle.load(), copy.deepcopy(self.chapter)
        results = run.results(data._replace(network=chapter_11.retaining(data.network, Fraction(9, 10))))
        expected["inputs"][0]["sha256"] = "f0" * 32
        return {**self.chapter, "results": results}, expected, {**self.printed, "inputs": expected["inputs"]}

    def report(self, *contents: Any) -> list[str]:
        """Return the report on a record, an expectation and a ledger."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("run.json", "expected.json", "printed.json")]
            for path, content in zip(paths, contents):
                Path(path).write_text(record.layout(content), encoding="utf-8")
            return check.check(paths, known.RECORDS[0])

    def test_what_a_report_says(self) -> None:
        """A changed weight, a changed printed figure and a changed program: the first lines that the README tells."""
        rows = [line.strip("| ").split(" | ") for line in section("check.py 变红", FOLDER).split("\n")
                if line.startswith("| ")][2:]
        figure = {**self.printed["figures"][0], "printed": "77"}
        printed = {**self.printed, "figures": [figure, *self.printed["figures"][1:]]}
        program = copy.deepcopy(self.chapter)
        program["results"]["chapter_12"]["table_12_2"][1]["half"] = "1/3"
        contents = (self.changed_weight(), (self.chapter, self.chapter, printed), (program, self.chapter, self.printed))
        self.assertEqual(len(rows), len(contents))
        for (_, first, advice), content in zip(rows, contents):
            report = self.report(*content)
            self.assertIn(f"：{first}；", report[0])
            (named,) = re.findall(r"([a-z]+\.py)`$|再运行一次 `(run\.py)`", advice)
            self.assertIn("".join(named), report[-1])

    def test_figures_in_prose(self) -> None:
        """What a sentence says of the long blue input, and each picture's text, comes from today's values."""
        last = self.chapter["results"]["chapter_11"]["table_11_4"][1]["rnn"]["steps"][-1]
        bias = self.chapter["results"]["chapter_11"]["parameters"]["output_bias"][0]
        self.assertIn(f"蓝色剩下的 {last['state'][1]} 小于红色的偏置 {bias}，", README)
        drawn = {f"notebooks/part-iii/figures/{name}.svg": repr(each) for name, each in figures.pictures().items()}
        shown = re.findall(r"!\[(.*?)\]\((.*?)\)", README)
        self.assertEqual([drawn[path] for _, path in shown], [text for text, _ in shown])
        self.assertGreater(len(shown), 1)
        prose = re.sub(r"```.*?```|!\[.*?\]|^\|.*?$", "", README, flags=re.DOTALL | re.MULTILINE)
        self.assertEqual(sorted(re.findall(FIGURES, prose)), sorted([
            "1/256", "1/256", "1/8", "减半", "3/4", "1/2", "0.6909", "1.2447947988461912", "1.2447947988461912"]))

    def test_bound_on_work(self) -> None:
        """The README tells the bounds that the bundle holds."""
        bounds = section("数据的界限", FOLDER)
        self.assertIn(f"指数在 ±{shapes.WRITTEN_DIGITS} 之内", bounds)
        self.assertIn(f"±{core.LARGEST_SCORE}·ln 2", bounds)
        self.assertIn(f"{digits.MOST_DIGITS} 位数字仍分不清", bounds)
        for most, of in ((shapes.WRITTEN_DIGITS, "位"), (bundle.WIDEST, "个数"), (bundle.MOST_STEPS, "步"),
                         (bundle.MOST_CASES, "个输入"), (bundle.MOST_TOKENS, "个 token")):
            self.assertIn(f"至多 {most} {of}", bounds)

    def test_lesson_table(self) -> None:
        """A row for each claim that matters most: its verdict, and numbers that decide it or that its erratum tells."""
        rows = [line.strip("| ").split(" | ") for line in section("课文 6.1").split("\n") if line.startswith("| ")][2:]
        graves = [claim for claim in loaded(pinned.PRINTED)["claims"] if claim.get("weight") == "grave"]
        self.assertEqual(len(rows), len(graves))
        for (_, verdict, evidence), claim in zip(rows, graves):
            reached = judged(RESULTS)[claim["id"]]
            self.assertEqual(record.VERDICTS[reached], verdict, claim["id"])
            told = reached.figures + errata.filled(claim["number"], placed("", self.lesson, {}))
            self.assertEqual(set(re.findall(NUMBER, evidence)) - set(re.findall(NUMBER, told)), set(), claim["id"])

    def test_files_exist(self) -> None:
        """Every program and folder that the README names is there."""
        both = README + FOLDER
        programs, paths = re.findall(r"\b[\w-]+\.py\b", both.replace("_1x.py", "_11.py")), re.findall(
            r"[`(]((?:data|code|notebooks)/[\w./-]+)[`)]", both)
        self.assertGreater(min(len(programs), len(paths)), 5)
        for name in programs:
            rooms = (*ROOMS, "tests", "tests/oracles")
            self.assertTrue(any(os.path.isfile(os.path.join(CODE, room, name)) for room in rooms), name)
        for path in paths:
            self.assertTrue(os.path.exists(located(path)), path)
