"""A reader's own input: what is typed, and what is shown of it."""
from __future__ import annotations

import contextlib
import io
import json
import random
import re
import unittest
from fractions import Fraction
from unittest import mock

import core
import run
from chapters import bundle, by_hand, chapter_11, experiment
from support import options
from support.command import Refused
from support.record import layout
from support.show import columns
from tests.shared import data

NET = data().network

BLUE, FILLER, KEY = (NET.vocabulary.index(word) for word in ("blue", "filler", "key"))


class CommandLine(unittest.TestCase):
    """What is typed wrongly is refused in one line."""

    def test_refused(self) -> None:
        """Each wrong command line says what is wrong with it."""
        cases = {
            "--tokens green": '命令行：token "green" 不在词表里；词表是 red、blue、filler、key、is',
            "--tokens": "--tokens 后面应有 1 至 2000 个 token，实有 0 个",
            "--retain 1": "要和 --tokens 一起用", "--json": "要和 --tokens 一起用", "--work": "要和 --tokens 一起用",
            "--retain": "要和 --tokens 一起用", "--chapter 15": "--chapter 后面应为 11、12、13、14 或 all，实为 \"15\"",
            "--chapter": "--chapter 后面应为", "--chapter 11 12": "--chapter 后面应为",
            "--tokens red --answers": "不与 --tokens 一起用", "--tokens red --chapter 12": "不与 --tokens 一起用",
            "--chapter 12 --all": "--all 现在叫 --answers",
            "--tokens red --json --work": "只能选一个",
            "--tokens red --retain 1/0": '--retain 的 "1/0"：分母为零',
            "--tokens red --retain nan": '--retain 的 "nan"',
            "--tokens red --retain x": '--retain 的 "x"', "--tokens red --retain 1e999999999": "指数超出 ±40",
            "--tokens red --retain -x": '不认识 "-x"', "--tokens red --retain": "--retain 后面应有 1 个数，实有 0 个",
            "--tokens red --retain 1 2": "--retain 后面应有 1 个数，实有 2 个",
            "--tokens red --bias 1": "--bias 后面应有 2 个数，实有 1 个",
            "--tokens red --bias 1 2 3": "实有 3 个", "--tok red": '不认识 "--tok"', "red": '不认识 "red"',
            "--tokens red --reset=1": '不认识 "--reset=1"', "--retain=1 --tokens red": '不认识 "--retain=1"',
            "--tokens red --retain .5": '--retain 的 ".5"：应为数，或 "1/2" 这样的分数',
            "--tokens red --reset key": '不认识 "key"',
            "--tokens red --json --x=1": '不认识 "--x=1"',
            "--tokens red -xreset": '不认识 "-xreset"', "--tokens red --tokens red": "--tokens 写了不止一次",
            "--answers --answers": "--answers 写了不止一次",
            "--tokens" + " red" * 2001: "至 2000 个 token，实有 2001 个",
            "--tokens red -1": 'token "-1" 不在词表里',
        }
        for line, message in cases.items():
            self.refused(line.split(), message)
        self.refused(["--tokens", "red", ""], 'token "" 不在词表里')
        self.refused(["--tokens", "red", "--retain", "\N{MINUS SIGN}1/2"], "--retain 的 ")

    def test_accepted(self) -> None:
        """A negative number follows its option as any other; an input method may have made it wide."""
        for text, value in {"-1/2": "-1/2", "0.5": "1/2", "-1": "-1", "1e-3": "1/1000", "０．５": "1/2",
                            "１／２": "1/2"}.items():
            self.assertEqual(options.numbers("retain", [text]), [Fraction(value)])
            self.assertEqual(options.parsed(["--retain", text], ["retain"]), {"retain": [text]})

    def refused(self, arguments: list[str], message: str) -> None:
        """Assert that a command line is refused in one line that holds `message`."""
        with self.assertRaises(Refused) as caught:
            run.main(arguments)
        text = str(caught.exception)
        self.assertTrue(text.startswith("命令行：") and message in text and "\n" not in text, text)


class Shown(unittest.TestCase):
    """Which rows are shown, and how."""

    def show(self, *arguments: str) -> str:
        """Return what an experiment prints."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            run.main(list(arguments))
        return output.getvalue()

    def test_every_row_up_to_forty(self) -> None:
        """40 tokens have 40 rows; of 44 the four before the last three are left out, and the page says so."""
        for count, rows in ((40, [*range(1, 41)]), (44, [*range(1, 38), 42, 43, 44])):
            steps = core.read(NET, [BLUE] + [FILLER] * (count - 1))
            self.assertEqual([each.t for each in experiment.selected(steps)], rows)
            for lines, told in ((experiment.lines(NET, steps), "共 44 步，只列前 37 步和最后 3 步"), (
                    by_hand.lines(NET, experiment.selected(steps), count), "共 44 步，写开了其中 40 步")):
                self.assertEqual(re.findall("共 44 步.*", "\n".join(lines)), [f"{told}。"] * (count > 40))

    def test_changes(self) -> None:
        """blue key key key key changes the choice twice each time; 20 changes are shown and the others counted."""
        ids = ([BLUE] + [KEY] * 4) * 30
        steps = core.read(NET, ids)
        names = [step.choice for step in steps]
        changes = [t for t in range(2, len(ids) + 1) if names[t - 1] != names[t - 2]]
        text = self.show("--tokens", *[NET.vocabulary[i] for i in ids])
        self.assertEqual(re.findall(r"第 (\d+) 步改选", text), list(map(str, changes[:20])))
        self.assertIn(f"共改变 {len(changes)} 次", text)

    def test_help(self) -> None:
        """-h shows an example for each exercise, and each example does what it says."""
        commands = re.findall(r"python3 code/part-iii/run.py (.*--tokens \w.*)", re.sub(r"\\\s*", "", self.show("-h")))
        self.assertEqual(len(commands), 5)  # the first is the form, not an example
        self.assertIn("≈ 0.592667", self.show(*commands[1].split()))
        for line, answer in zip(commands[2:], ("红色", "蓝色", "红色")):
            self.assertIn(f"读完选：{answer}", self.show(*line.split()))

    def test_json_is_the_record(self) -> None:
        """--json gives the lines of run.json's steps, exact also where the table cuts."""
        lines = [json.loads(line) for line in self.show("--tokens", "blue", "key", "is", "--json").splitlines()]
        self.assertEqual(lines, [json.loads(layout(chapter_11.recorded(step)))
                                 for step in core.read(NET, [BLUE, KEY, 4])])
        shown = self.show("--tokens", *["filler"] * 60, "--json").splitlines()  # every step, as the table does not
        self.assertEqual([json.loads(line)["t"] for line in shown], [*range(1, 61)])
        long = self.show("--tokens", "blue", *["filler"] * 300, "--retain", "1/3", "--json").splitlines()
        self.assertEqual(json.loads(long[-1])["state"][1], f"1/{3**300}")
        table = self.show("--tokens", "blue", *["filler"] * 300, "--retain", "1/3")
        self.assertIn("≈7.30506e-144", table)
        self.assertNotIn(str(3**300), table)

    def test_fits_a_terminal(self) -> None:
        """Whatever the numbers are, no line is wider than 80 columns, and each step keeps a line in a table."""
        fillers = ["filler"] * 30
        for retain in ("0.771", "1/3", "2", "0.5", "-7/9", "1e-40", "123456789.123456789", "0.999999999999"):
            for line in (["blue", *fillers], ["red", "blue", *fillers], ["red", "blue", *fillers * 5]):
                text = self.show("--tokens", *line, "--retain", retain, "--bias", "1/7", "-0.000123")
                self.assertEqual([row for row in text.split("\n") if columns(row) > 80], [], retain)
                self.assertIn(len(re.findall(rf"^  {len(line)} ", text, re.MULTILINE)), (1, 2), text)

    def test_one_table_or_two(self) -> None:
        """One coordinate of 0.771^8 fits into a row of one table; two such numbers take two tables, a line apart."""
        line = ["blue", *["filler"] * 6, "key", "is", "--retain", "0.771"]
        row = "  9  is      [0, ≈0.124863]    [0.125, ≈0.124863]    [0.500034, 0.499966]  红色"
        self.assertIn(row, self.show("--tokens", *line).split("\n"))
        first, second = self.show("--tokens", "red", *line).split("\n\n")
        self.assertEqual([re.findall("^ +[^ ]+", part)[0] for part in first.split("\n")[3:6]], ["  1", "  2", "  3"])
        self.assertRegex(second, r"\n  9  +\[[^]]*\]  +\[0.521964, 0.478036\]\n")

    def test_many_coordinates(self) -> None:
        """Where a row of a table cannot hold a state, each step is a paragraph, and still fits."""
        dice = random.Random(1)
        rows = [[Fraction(dice.randrange(1, 10**9), 7**9) for _ in range(16)] for _ in range(16)]
        net = NET._replace(embedding=[rows[0]] * 5, initial=rows[1], input_weight=rows, recurrent_weight=rows,
                          hidden_bias=rows[2], output_weight=[row[:2] for row in rows])
        with mock.patch.object(bundle, "load", return_value=data()._replace(network=net)):
            text = self.show("--tokens", "red", "key")
        self.assertEqual([row for row in text.split("\n") if columns(row) > 80], [])
        self.assertIn("\n  t 2；token key；状态 [", text)
        numbers = re.findall("[0-9][^], ]*", text.split("状态 ")[1].split("]")[0])
        self.assertEqual(len(numbers), 16)
        for shown, exact in zip(numbers, core.read(net, [0])[-1].state):
            self.assertAlmostEqual(float(Fraction(shown) / exact), 1, delta=1e-3)

    def test_declared_initial_state(self) -> None:
        """The first row starts from the state that the data declare."""
        net = NET._replace(initial=[Fraction(3), Fraction(0)])
        with mock.patch.object(bundle, "load", return_value=data()._replace(network=net)):
            self.assertIn("[1.5, 0]", self.show("--tokens", "filler"))
            self.assertIn("[0, 0]", self.show("--tokens", "filler", "--reset"))
