"""What a reader sees of texts and tables: widths, lines, characters that a console has."""
from __future__ import annotations

import ast
import io
import random
import re
import unittest
from typing import Any
from unittest import mock

from support import progress
from support.command import quoted
from support.show import columns, words, wrapped
from tests.shared import loaded, modules, parsed


class Wrapping(unittest.TestCase):
    """Lines of 80 columns, in which a Chinese character takes two."""

    def test_twelve_words_are_whole(self) -> None:
        """Of thirteen words only three at either end are shown."""
        self.assertEqual(words(["x"] * 12), " ".join("x" * 12))
        self.assertEqual(words(["x"] * 13), "x x x … x x x（共 13 个）")

    def test_any_text(self) -> None:
        """Random texts: all of it is there, in lines that fit, none of which begins or ends as no line may."""
        dice = random.Random(17)
        pieces = ["红", "蓝色", "一二三四五", "，", "。", "、", "（", "）", " ", "filler", "1/256", "≈0.5", "[0,1/2]"]
        for turn in range(2000):
            text = "".join(dice.choice(pieces) for _ in range(dice.randint(1, 90))).strip()
            text = re.sub(" *([，。、（）]) *", r"\1", text)
            indent = " " * dice.choice((0, 2, 6))
            lines = wrapped(text, indent)
            self.assertEqual("".join(lines).replace(" ", ""), text.replace(" ", ""), turn)
            bodies = [line[len(indent):] for line in lines]
            runs = [run for line in bodies for run in re.findall(r"[!-~≈]+", line)]
            self.assertEqual(runs, re.findall(r"[!-~≈]+", text), turn)  # none is split
            self.assertEqual([body for body in bodies if not body or body != body.strip()], [], turn)
            self.assertEqual([body for body in bodies[1:] if body[0] in "，。、）"], [], turn)
            self.assertEqual([body for body in bodies[:-1] if body[-1] == "（"], [], turn)
            wide = [body for body in bodies if columns(indent + body) > 80]
            self.assertEqual([body for body in wide if re.search("[^!-~≈，。、（）]", body)], [], turn)

    def test_clauses_and_items_stay_whole(self) -> None:
        """A line ends behind a mark, unless that leaves it less than half full; nothing is left behind alone."""
        losses = "、".join(f"{round_} 轮 0.690923" for round_ in (1, 100, 300, 500, 700, 800))
        self.assertEqual(wrapped(losses, "      "), [
            "      1 轮 0.690923、100 轮 0.690923、300 轮 0.690923、500 轮 0.690923、",
            "      700 轮 0.690923、800 轮 0.690923"])
        claim = ["  成立：两者失误的原因不同：窗口送出的状态没有区别，RNN 的状态有区别，", "  只是不够大。"]
        self.assertEqual(wrapped("".join(line.strip() for line in claim), "  "), claim)
        self.assertEqual([len(line) for line in wrapped("成立：" + "红" * 70 + "，蓝。")], [40, 36])
        self.assertEqual(wrapped("红" * 20 + "：红、" + "蓝" * 40)[0], "红" * 20 + "：")
        row = "[0, 43046721/100000000]"  # it would be broken behind its comma
        self.assertEqual(wrapped("红" * 33 + row + "蓝"), ["红" * 33, row + "蓝"])
        numbers = wrapped(f"[{', '.join(['1/256'] * 30)}]", "  ")
        self.assertEqual([columns(line) for line in numbers], [79, 78, 57])
        for count in range(30, 130):
            lines = wrapped("红" * count + "。")
            self.assertNotEqual(len(lines[-1]), 2, lines)
            self.assertLessEqual(len(lines), count * 2 // 80 + 1)

    def test_a_run_that_is_too_wide(self) -> None:
        """What may not be broken is a line of its own, wider than the others."""
        self.assertEqual(wrapped("红蓝" + "9" * 100 + "红蓝"), ["红蓝", "9" * 100, "红蓝"])
        self.assertEqual(wrapped("9" * 100), ["9" * 100])

    def test_progress(self) -> None:
        """On a terminal a line from two seconds on, another half a second later, and nothing of it at the end."""
        times = (1.9, 2.1, 2.1, 2.5, 2.7, 2.7)  # the clock is read for each item, and again for each line
        for terminal, shown in ((True, "\r第 1 步 2/4\r第 1 步 4/4\r" + " " * 11 + "\r"), (False, "")):
            error = io.StringIO()
            with mock.patch("sys.stderr", error), mock.patch.object(error, "isatty", return_value=terminal), \
                    mock.patch.object(progress, "STARTED", 0.0), mock.patch("time.monotonic", side_effect=times):
                self.assertEqual("".join(progress.watched("abcd", 4, "第 1 步")), "abcd")
            self.assertEqual(error.getvalue(), shown)


class Characters(unittest.TestCase):
    """Consoles that have no Unicode, of which GBK is the one that readers of Chinese have."""

    def test_gbk(self) -> None:
        """Whatever the programs print, pages, help and errors, is in GBK; docstrings and pictures are not printed."""
        texts = [text for name in modules() if not re.search("picture|drawings_", name)
                 for text in printed(parsed(name))]
        for path in ("data/part-iii/printed-v1.json", "data/lesson-6-1/printed-v1.json"):
            texts += [claim["claim"] + claim["place"] for claim in loaded(path)["claims"]]
        self.assertGreater(len(texts), 1000)
        self.assertEqual([text for text in texts if text.encode("gbk", "replace").decode("gbk") != text], [])

    def test_quoted(self) -> None:
        """Chinese is shown as it is, what a terminal would act upon as an escape, a long text cut, a list counted."""
        values: list[Any] = ["绿", "a\x1b[31m", "\u202e", True, {"a": 1}, []]
        self.assertEqual([quoted(value) for value in values],
                         ['"绿"', '"a\\u001b[31m"', '"\\u202e"', "true", "对象（1 个字段）", "列表（0 项）"])
        self.assertEqual(quoted("x" * 200), '"' + "x" * 79 + "…（共 202 个字符）")


def printed(tree: ast.Module) -> list[str]:
    """Return the texts in a module that are no docstrings."""
    docstrings = {id(node.body[0].value) for node in ast.walk(tree)
                  if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
                  and isinstance(node.body[0], ast.Expr)}
    return [node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings]
