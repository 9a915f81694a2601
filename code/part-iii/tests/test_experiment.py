"""A reader's own input: the integer recurrence against the fractions, and what is shown of it."""
from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import math
import random
import re
import unittest
from fractions import Fraction
from unittest import mock

import core
from chapters import bundle, chapter_11, experiment
from chapters.long_input import Integers, updates
from support import options, progress
from support.command import Refused, quoted
from support.record import layout
from support.show import columns
from tests.shared import data, random_network

NET = data().network

BLUE, FILLER, KEY = (NET.vocabulary.index(word) for word in ("blue", "filler", "key"))


class Updates(unittest.TestCase):
    """Long inputs."""

    def test_reset(self) -> None:
        """Zeroed before every token, each step is the one that the token alone leaves."""
        dice = random.Random(3)
        for _ in range(40):
            net = random_network(dice)
            ids, zeros = [dice.randrange(5) for _ in range(5)], [Fraction(0)] * len(net.initial)
            integers = Integers(net, reset=True)
            steps = list(map(integers.step, updates(integers, ids)))
            self.assertEqual(steps, [core.step(net, t, i, zeros) for t, i in enumerate(ids, 1)])

    @unittest.skipUnless(importlib.util.find_spec("_tracemalloc"), "PyPy does not trace memory")
    def test_memory(self) -> None:
        """Of 6,000 states of thousands of bits a handful is kept: below 256 KiB at any time."""
        import tracemalloc

        ids = [BLUE] + [FILLER] * 5_999
        tracemalloc.start()
        selection = experiment.selected(updates(Integers(NET), ids), len(ids))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertEqual([update.t for update in selection.rows], [*range(1, 9), 5_998, 5_999, 6_000])
        self.assertLess(peak, 1 << 18)


class CommandLine(unittest.TestCase):
    """What is typed wrongly is refused in one line."""

    def test_refused(self) -> None:
        """Each wrong command line says what is wrong with it."""
        cases = {
            "--tokens green": '第 1 个 token "green" 不在词表里', "--tokens": "--tokens 后面要有 token",
            "--retain 1": "要和 --tokens 一起用", "--json": "要和 --tokens 一起用", "--work": "要和 --tokens 一起用",
            "--retain": "要和 --tokens 一起用", "--chapter 15": "--chapter 后面应为 11、12、13、14 或 all，实为 \"15\"",
            "--chapter": "--chapter 后面应为", "--chapter 11 12": "--chapter 后面应为",
            "--tokens red --all": "不与 --tokens 一起用", "--tokens red --chapter 12": "不与 --tokens 一起用",
            "--tokens red --json --work": "只能选一个",
            "--tokens red --retain 1/0": '--retain 的 "1/0"：分母为零',
            "--tokens red --retain nan": '--retain 的 "nan"',
            "--tokens red --retain x": '--retain 的 "x"', "--tokens red --retain 1e999999999": "指数超出 ±100",
            "--tokens red --retain -x": '不认识 "-x"', "--tokens red --retain": "--retain 后面应有 1 个数，实有 0 个",
            "--tokens red --retain 1 2": "--retain 后面应有 1 个数，实有 2 个",
            "--tokens red --bias 1": "--bias 后面应有 2 个数（red、blue 各一个），实有 1 个",
            "--tokens red --bias 1 2 3": "实有 3 个", "--tok red": '不认识 "--tok"', "red": '不认识 "red"',
            "--tokens red --reset=1": '--reset 后面不写值，却有 "1"', "--tokens red --reset key": '不认识 "key"',
            "--tokens red --json --x=1": '不认识 "--x=1"',
            "--tokens red -xreset": '不认识 "-xreset"', "--tokens red --tokens red": "--tokens 写了不止一次",
            "--all --all": "--all 写了不止一次",
            "--tokens red -1": '第 2 个 token "-1" 不在词表里',
        }
        for line, message in cases.items():
            self.refused(line.split(), message)
        self.refused(["--tokens", "red", ""], '第 2 个 token "" 不在词表里')

    def test_what_was_meant(self) -> None:
        """Tokens in capitals, wide letters, Chinese, with commas or in one text get a hint, and so do wide numbers."""
        spelt = {"red key is": "red key is", "red,key,is": "red key is", "red，key、is": "red key is", "red,": "red",
                 "Red": "red", "ＲＥＤ": "red", "ｒｅｄ　ｋｅｙ": "red key", "红色": "red", "蓝色,KEY": "blue key"}
        for word, meant in spelt.items():
            apart = "，分开写，不加引号" if " " in meant else ""
            self.refused(["--tokens", "blue", word],
                         f"第 2 个 token {quoted(word)} 不在词表里（是不是 {meant}{apart}？）；词表是 red")
        for word in ("green", "red,green", "", ",", "re d"):
            with self.assertRaisesRegex(Refused, "不在词表里；词表是"):
                experiment.main(experiment.options(["--tokens", word]) or {})
        for text, meant in {"０．５": "0.5", "１／２": "1/2", "\N{MINUS SIGN}1/2": "-1/2", "。5": ""}.items():
            self.refused(["--tokens", "red", "--retain", text], f"；是不是 {meant}？" if meant else "这样的分数")

    def test_accepted(self) -> None:
        """Spaces around a number do not matter, .5 is 0.5, and all words behind "--tokens=" are tokens."""
        for text, value in {".5": "1/2", "-.5": "-1/2", " -1": "-1", " 1": "1", "1 ": "1", "1e-3": "1/1000"}.items():
            self.assertEqual(options.typed("retain", text), Fraction(value))
            for line in (["--retain", text], [f"--retain={text}"]):
                self.assertEqual(options.parsed(line, ["retain"]), {"retain": [text]})
        self.assertEqual(options.parsed(["--tokens=blue", "key", "is"], ["tokens"]), {"tokens": ["blue", "key", "is"]})

    def refused(self, arguments: list[str], message: str) -> None:
        """Assert that a command line is refused in one line that holds `message`."""
        with self.assertRaises(Refused) as caught:
            experiment.main(experiment.options(arguments) or {})
        text = str(caught.exception)
        self.assertTrue(text.startswith("命令行：") and message in text and "\n" not in text, text)


class Shown(unittest.TestCase):
    """Which rows are shown, and how."""

    def show(self, *arguments: str) -> str:
        """Return what an experiment prints."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            given = experiment.options(list(arguments))
            if given is not None:
                experiment.main(given)
        return output.getvalue()

    def test_every_row_up_to_forty(self) -> None:
        """40 tokens have 40 rows, 41 have 8 + 3 and the row where the choice changed is among the first 8."""
        for count, rows in ((40, 40), (41, 11)):
            ids = [BLUE] + [FILLER] * (count - 1)
            self.assertEqual(len(experiment.selected(updates(Integers(NET), ids), count).rows), rows)

    def test_changes(self) -> None:
        """blue key key key key changes the choice twice each time; 20 changes are shown and the others counted."""
        ids = ([BLUE] + [KEY] * 4) * 30
        selection = experiment.selected(updates(Integers(NET), ids), len(ids))
        names = [step.choice for step in core.read(NET, ids)]
        changes = [t for t in range(2, len(ids) + 1) if names[t - 1] != names[t - 2]]
        self.assertEqual([update.t for update in selection.changes], changes[:20])
        self.assertEqual(selection.change_count, len(changes))
        self.assertEqual([update.t for update in selection.rows],
                         sorted({*range(1, 9), *changes[:20], len(ids) - 2, len(ids) - 1, len(ids)}))
        self.assertIn(f"共改变 {len(changes)} 次", self.show("--tokens", *[NET.vocabulary[i] for i in ids]))
        late = experiment.selected(updates(Integers(NET), [FILLER] * 43 + [BLUE]), 44)  # a change among the last three
        self.assertEqual(sorted(update.t for update in late.rows), [*range(1, 9), 42, 43, 44])

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
        for count, steps in ((40, [*range(1, 41)]), (41, [*range(1, 9), 39, 40, 41])):  # as the help and README say
            shown = self.show("--tokens", *["filler"] * count, "--json").splitlines()
            self.assertEqual([json.loads(line)["t"] for line in shown], steps)
        long = self.show("--tokens", "blue", *["filler"] * 300, "--retain", "1/3", "--json").splitlines()
        self.assertEqual(json.loads(long[-1])["state"][1], f"1/{3**300}")
        table = self.show("--tokens", "blue", *["filler"] * 300, "--retain", "1/3")
        self.assertIn("≈7.30506e-144", table)
        self.assertNotIn(str(3**300), table)

    def test_progress(self) -> None:
        """A long run tells a terminal how far it is, and wipes it away; nobody else hears of it."""
        terminal = io.StringIO()
        line = ["--tokens", *["filler"] * 200, "--json"]
        with mock.patch.object(progress, "SILENT", -1e9), mock.patch.object(progress, "PAUSE", 0.0), \
                mock.patch("sys.stderr", terminal):
            shown = self.show(*line)
            self.assertEqual(terminal.getvalue(), "")
            terminal.isatty = lambda: True  # type: ignore[method-assign]
            self.assertEqual(self.show(*line), shown)
        self.assertIn("\r已读 64/200", terminal.getvalue())
        self.assertIn("\r已写 11/11", terminal.getvalue())
        self.assertTrue(terminal.getvalue().endswith("\r" + " " * len("已写 11/11  ") + "\r"))

    def test_progress_is_told_now_and_then(self) -> None:
        """With an item every 0.3 s the first line comes after 2 s, the others after half a second each."""
        terminal = io.StringIO()
        terminal.isatty = lambda: True  # type: ignore[method-assign]
        with mock.patch("sys.stderr", terminal), mock.patch.object(progress, "time") as clock:
            clock.monotonic.return_value = progress.STARTED + 0.3
            for n in progress.watched(range(1, 13), 12, "x"):
                clock.monotonic.return_value += 0.3
                self.assertEqual(terminal.getvalue().count("\r"), len([m for m in (7, 9, 11) if m <= n]))
        self.assertEqual(terminal.getvalue(), "\rx 7/12\rx 9/12\rx 11/12\r" + " " * 7 + "\r")

    def test_fits_a_terminal(self) -> None:
        """Whatever the numbers are, no line is wider than 80 columns, and each step keeps a line in a table."""
        fillers = ["filler"] * 30
        for retain in ("0.771", "1/3", "2", "0.5", "-7/9", "1e-9", "123456789.123456789", "0.999999999999"):
            for line in (["blue", *fillers], ["red", "blue", *fillers], ["red", "blue", *fillers * 40]):
                text = self.show("--tokens", *line, "--retain", retain, "--bias", "1/7", "-0.000123")
                self.assertEqual([row for row in text.split("\n") if columns(row) > 80], [], retain)
                self.assertIn(len(re.findall(rf"^  {len(line)} ", text, re.MULTILINE)), (1, 2), text)

    def test_one_table_or_two(self) -> None:
        """One coordinate of 0.771^8 fits into a row of one table; two such numbers take two tables, a line apart."""
        line = ["blue", *["filler"] * 6, "key", "is", "--retain", "0.771"]
        row = "  9  is      [0, ≈0.124863]    [0.125, ≈0.124863]    [0.500034, 0.499966]  红色"
        self.assertIn(row, self.show("--tokens", *line).split("\n"))
        first, second = self.show("--tokens", "red", *line).split("\n\n")
        self.assertIn("  9   key     [≈0.124863, ≈0.161950]    红色", first.split("\n"))
        self.assertIn("  9   [≈0.249863, ≈0.161950]    [0.521964, 0.478036]", second.split("\n"))

    def test_many_coordinates(self) -> None:
        """Where a row of a table cannot hold a state, each step is a paragraph, and still fits."""
        dice = random.Random(1)
        rows = [[Fraction(dice.randrange(1, 10**9), 7**9) for _ in range(16)] for _ in range(16)]
        net = NET._replace(embedding=[rows[0]] * 5, initial=rows[1], input_weight=rows, recurrent_weight=rows,
                          hidden_bias=rows[2], output_weight=[row[:2] for row in rows])
        with mock.patch.object(bundle, "load", return_value=data()._replace(network=net)):
            text = self.show("--tokens", "red", "key")
        self.assertEqual([row for row in text.split("\n") if columns(row) > 80], [])
        self.assertIn("\n  2  key：选", text)
        numbers = re.findall("[0-9][^], ]*", text.split("状态 ")[1].split("]")[0])
        self.assertEqual(len(numbers), 16)
        for shown, exact in zip(numbers, core.read(net, [0])[-1].state):
            self.assertAlmostEqual(float(Fraction(shown) / exact), 1, delta=1e-3)

    def test_long_numbers_are_not_reduced(self) -> None:
        """A table of rounded numbers never brings long ones to lowest terms, which takes their length squared."""
        shortest: list[int] = []

        def gcd(*numbers: int) -> int:
            shortest.append(min(abs(n).bit_length() for n in numbers))
            return real(*numbers)

        real = math.gcd
        line = ["--tokens", "blue", *["filler"] * 300, "--retain", "0." + "9" * 99]
        with mock.patch.object(math, "gcd", gcd):
            text = self.show(*line)
        self.assertLess(max(shortest), 1000)
        self.assertIn("≈1.00000", text)

    def test_declared_initial_state(self) -> None:
        """The first row starts from the state that the data declare."""
        net = NET._replace(initial=[Fraction(3), Fraction(0)])
        with mock.patch.object(bundle, "load", return_value=data()._replace(network=net)):
            self.assertIn("[1.5, 0]", self.show("--tokens", "filler"))
            self.assertIn("[0, 0]", self.show("--tokens", "filler", "--reset"))
