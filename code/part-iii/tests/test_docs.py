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
from chapters import bundle, by_hand, chapter_11
from checking import counts, errata, known, reading, wording
from claims import judging
from lesson import lesson_page, pinned
from support import command, record, shapes, verdicts
from support.command import located
from support.show import columns, wrapped
from tests.of_the_lesson import RESULTS, judged
from tests.shared import CODE, loaded, modules
from tests.test_notebook import FIGURES

README = Path(located("README.md")).read_text(encoding="utf-8")
ROOMS = ("", "chapters", "checking", "claims", "derivation", "lesson", "support")
NUMBER = r"\d+(?:\.\d+)?(?:e[-+]\d\d)?"


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """Add every module's doctests to the suite."""
    for name in modules():
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


def section(title: str) -> str:
    """Return a section of the README."""
    return README.split(f"## {title}")[1].split("\n## ")[0]


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
    """README.md as a newcomer reads it."""

    def setUp(self) -> None:
        """Read both records."""
        self.chapter, self.lesson, self.printed = map(loaded, ("run.json", pinned.RECORD, judging.PRINTED))

    def blocks(self, title: str) -> list[str]:
        """Return what a section shows as output."""
        return re.findall(r"```text\n(.*?)```", section(title), re.DOTALL)

    def test_shown_output(self) -> None:
        """The shown output of run.py, of check.py and of --work is what they print."""
        data = bundle.load()
        printed = "\n".join(run.page(data, run.results(data), "11", False))
        start, log = self.blocks("拿到它，运行它")
        self.assertIn(f"\n{log}", "\n".join(lesson_page.log(RESULTS)) + "\n")
        self.assertTrue(printed.startswith(start), start)
        reports = [line for row in known.RECORDS for line in check.check(known.files_of(row), row)]
        self.assertEqual(self.blocks("核对"), ["\n".join([*reports, *counts.report()]) + "\n"])
        steps = core.read(data.network, data.short[0].token_ids)
        work = "\n".join(by_hand.lines(data.network, steps, len(steps))) + "\n"
        (shown,) = self.blocks("亲手核对")
        self.assertTrue(work.endswith("\n\n" + shown), shown)

    def test_fields(self) -> None:
        """Every JSON Pointer in the README leads somewhere."""
        pointers = re.findall(r"`(/results/[^`…]+)`", README)
        self.assertGreater(len(pointers), 25)
        self.assertEqual([p for p in pointers if reading.at(self.chapter, p) is wording.MISSING], [])

    def test_changed_weight(self) -> None:
        """With 0.9 for 0.5 the report begins as the README shows."""
        first, *others = self.report(*self.changed_weight())
        first = "run.json" + first[first.index("："):]
        (shown,) = self.blocks("改一改")
        self.assertTrue("\n".join([*wrapped(first), *others]).startswith(shown.rstrip("…\n") + "\n"), others[:9])

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
        rows = [line.strip("| ").split(" | ") for line in section("维护").split("\n") if line.startswith("| ")][2:]
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
        self.assertIn(f"蓝色剩下的 {last['state'][1]} 小于红色的偏置 {bias}，", section("这些程序说明什么"))
        drawn = {f"notebooks/part-iii/figures/{name}.svg": repr(each) for name, each in figures.pictures().items()}
        shown = re.findall(r"!\[(.*?)\]\((.*?)\)", README)
        self.assertEqual({path: text for text, path in shown}, drawn)
        self.assertEqual(len(shown), len(drawn))
        prose = re.sub(r"```.*?```|!\[.*?\]|^\|.*?$", "", README, flags=re.DOTALL | re.MULTILINE)
        self.assertEqual(sorted(re.findall(FIGURES, prose)), sorted(["1/256", "1/256", "1/8", "3/4", "1/2"]))

    def test_bound_on_work(self) -> None:
        """The README tells the bounds that the bundle holds."""
        self.assertIn(f"指数在 ±{shapes.MOST_DIGITS} 之内", section("改一改"))
        self.assertIn(f"±{core.LARGEST_SCORE}·ln 2", section("改一改"))
        for most, of in ((shapes.MOST_DIGITS, "位"), (bundle.WIDEST, "个数"), (bundle.MOST_STEPS, "步"),
                         (bundle.MOST_CASES, "个输入"), (bundle.MOST_TOKENS, "个 token")):
            self.assertIn(f"至多 {most} {of}", section("改一改"))

    def test_lesson_table(self) -> None:
        """A row for each claim that matters most: its verdict, and numbers that decide it or that its erratum tells."""
        rows = [line.strip("| ").split(" | ") for line in section("课文 6.1").split("\n") if line.startswith("| ")][2:]
        graves = [claim for claim in loaded(pinned.PRINTED)["claims"] if claim.get("weight") == "grave"]
        self.assertEqual(len(rows), len(graves))
        for (_, verdict, evidence), claim in zip(rows, graves):
            reached = judged(RESULTS)[claim["id"]]
            self.assertEqual(verdicts.VERDICTS[reached], verdict, claim["id"])
            told = reached.figures + errata.filled(claim["number"], self.lesson)
            self.assertEqual(set(re.findall(NUMBER, evidence)) - set(re.findall(NUMBER, told)), set(), claim["id"])

    def test_files_exist(self) -> None:
        """Every program and folder that the README names is there."""
        programs, paths = re.findall(r"\b[\w-]+\.py\b", README), re.findall(
            r"`((?:data|code|notebooks)/[\w./-]+)`", README)
        self.assertGreater(min(len(programs), len(paths)), 5)
        for name in programs:
            rooms = (*ROOMS, "tests/oracles")
            self.assertTrue(any(os.path.isfile(os.path.join(CODE, room, name)) for room in rooms), name)
        for path in paths:
            self.assertTrue(os.path.exists(located(path)), path)
