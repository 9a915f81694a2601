"""Pictures: what holds for each of them, and whether they show what the numbers say."""
from __future__ import annotations

import base64
import contextlib
import io
import math
import os
import re
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree

import figures
import run
from chapters import bundle, chapter_11, drawings_11, drawings_13
from support import picture
from support.command import ROOT, Refused, located
from support.picture import Line, Picture
from tests.shared import with_value
from tests.test_notebook import CODE_CELLS

SVG = "{http://www.w3.org/2000/svg}"


def shown() -> list[tuple[str, ElementTree.Element]]:
    """Return the text alternative and the drawing of each picture that a notebook or a file holds."""
    pictures = []
    for cells in CODE_CELLS.values():
        for output in (output for cell in cells for output in cell["outputs"] if "text/html" in output.get("data", {})):
            image = ElementTree.fromstring("".join(output["data"]["text/html"]))
            content = base64.b64decode(str(image.get("src")).split(",")[1])
            pictures.append((str(image.get("alt")), ElementTree.fromstring(content)))
    for name in sorted(os.listdir(located(figures.FOLDER))):
        drawing = ElementTree.parse(located(f"{figures.FOLDER}/{name}")).getroot()
        pictures.append((str(drawing.get("aria-label")), drawing))
    return pictures


def fall(blue: Any, retained: Any = "1/2") -> Picture:
    """Return the first picture for other weights."""
    data = bundle.load()
    net = chapter_11.retaining(data.network, Fraction(retained))
    net = net._replace(output_bias=[net.output_bias[0], Fraction(blue)])
    steps = chapter_11.table_row(net, data.long[1], data.window_weight)["rnn"]["steps"]
    return drawings_11.falling(steps, chapter_11.boundary(net, steps), net.output_bias[0])


class Pictures(unittest.TestCase):
    """Every picture that a reader sees."""

    def test_every_picture(self) -> None:
        """A title, a text alternative, whole pixels, text of the page's size inside a light ground of its own."""
        self.assertEqual(len(shown()), 11)
        for alternative, svg in shown():
            self.assertEqual([element.tag for element in svg][:3], [f"{SVG}title", f"{SVG}desc", f"{SVG}rect"])
            self.assertEqual(alternative, f"{svg[0].text}。{svg[1].text}")
            self.assertGreaterEqual(int(str(svg.get("font-size"))), 16)
            width, height = (int(str(svg.get(name))) for name in ("width", "height"))
            self.assertEqual(svg.get("viewBox"), f"0 0 {width} {height}")
            self.assertEqual((svg[2].get("width"), svg[2].get("fill")), (str(width), picture.GROUND))
            for element in svg:
                numbers = [element.get(name, "0") for name in ("x", "y", "cx", "cy", "width", "height")]
                self.assertEqual([number for number in numbers if not re.fullmatch("-?[0-9]+", number)], [])
                for x, y in (map(int, point.split(",")) for point in element.get("points", "").split()):
                    self.assertTrue(0 <= x <= width and 0 <= y <= height, (x, y))
                if element.tag == f"{SVG}text":
                    wide = sum(16 if ord(c) > 0x2000 else 9 for c in str(element.text))
                    start = int(element.get("x", "0")) - int(
                        wide * {"start": 0, "middle": 0.5, "end": 1}[str(element.get("text-anchor"))])
                    self.assertTrue(start >= -1 and start + wide <= width + 1, element.text)
                    self.assertLess(int(element.get("y", "0")), height, element.text)

    def test_command(self) -> None:
        """Without a word it writes the three committed files, -h prints the help, any other word is refused."""
        with tempfile.TemporaryDirectory() as root, contextlib.redirect_stdout(io.StringIO()) as output, \
                mock.patch.object(figures, "located", lambda path: located(path, root) if ".svg" in path
                                  else located(path)):
            os.makedirs(located(figures.FOLDER, root))
            self.assertEqual((figures.main(["-h"]), output.getvalue()), (0, figures.HELP + "\n"))
            with self.assertRaisesRegex(Refused, '命令行：figures.py 不要参数，却有 "x"'):
                figures.main(["x"])
            self.assertEqual(figures.main([]), 0)
            self.assertEqual(output.getvalue().split("\n")[-2], f"已写 {figures.FOLDER} 里的三张图")
            names, drawn = (sorted(os.listdir(Path(base, figures.FOLDER))) for base in (ROOT, root))
            self.assertEqual(names, drawn)
            for name in names:
                self.assertEqual(*(Path(base, figures.FOLDER, name).read_bytes() for base in (root, ROOT)))

    def test_round_that_is_not_there(self) -> None:
        """A record of the lesson that lacks a round that a picture names is refused with its place."""
        lesson, plateau = figures.lesson(), {"losses": [{"round": 1, "loss": Fraction("0.7")}]}
        for changes, place in (({"/more_rounds/escaped_at": 15003}, "more_rounds/losses：应有第 15003"),
                               ({"/adam/losses": lesson["adam"]["losses"][2:]}, "adam/losses：应有第 42"),
                               ({"/delayed_recall": plateau, "/more_rounds/losses": [
                                   row for row in lesson["more_rounds"]["losses"] if row["round"] != 800]},
                                "more_rounds/losses：应有第 800")):
            spoilt = lesson
            for pointer, value in changes.items():
                spoilt = with_value(spoilt, pointer, value)
            with self.assertRaisesRegex(Refused, f"/results/{place} 轮的损失"):
                figures.losses(spoilt)

    def test_every_loss_is_drawn(self) -> None:
        """Each recorded loss of a training that is drawn moves its picture."""
        lesson = figures.lesson()
        whole = figures.losses(lesson).file()
        for name in ("delayed_recall", "more_rounds", "wh_2", "adam"):
            for i in range(len(lesson[name]["losses"])):
                if (name, i) != ("delayed_recall", 5):  # round 800, which the longer training has, too
                    spoilt = with_value(lesson, f"/{name}/losses/{i}/loss", Fraction(1, 3))
                    self.assertFalse(figures.losses(spoilt).file() == whole, (name, i))


class Charts(unittest.TestCase):
    """Lines on a logarithmic scale, and bars."""

    def test_equal_quotients_are_equal_steps(self) -> None:
        """Halving is one step down each time, as high as the logarithm says; what is not positive is left out."""
        chart = picture.log_chart("t", "d", "n", [(1, "1"), (4, "4")], [(Fraction(4), "4"), (Fraction(1, 64), "x")], [
            Line("a", "circle", "#000", [(t, Fraction(4, 2**t)) for t in range(1, 9)] + [(9, Fraction(0))])])
        heights = [int(e.get("cy", "0")) for e in chart.svg.iter("circle")]
        self.assertEqual(len(heights), 8)
        levels = [int(str(e.get("points")).split()[0].split(",")[1]) for e in chart.svg.iter("polyline")][:2]
        step = (levels[1] - levels[0]) / math.log2(256)
        for t, height in enumerate(heights, 1):
            self.assertAlmostEqual(height, levels[0] + t * step, delta=1)

    def test_lines_differ_without_colour(self) -> None:
        """Each mark has dashes of its own, and its legend shows it."""
        chart = picture.log_chart("t", "d", "n", [(0, "0"), (1, "1")], [], [
            Line(mark, mark, "#000", [(0, Fraction(1)), (1, Fraction(2))]) for mark in picture.KEYS])
        dashes = [e.get("stroke-dasharray") for e in chart.svg.iter("polyline")][1:]
        self.assertEqual(len(set(dashes)), 4)
        legend = [str(e.text) for e in chart.svg.iter("text")][-4:]
        self.assertEqual(legend, [f"{key} {mark}" for mark, key in picture.KEYS.items()])

    def test_negative_bars_go_left(self) -> None:
        """A bar's length is its value's share; a negative one ends where the positive ones begin."""
        drawn = picture.bars("t", "d", ["a"], [picture.Bar("p", [(Fraction(3), "3")]), picture.Bar("n", [
            (Fraction(-1), "-1")])])
        one, other = list(drawn.svg.iter("rect"))[1:]
        self.assertEqual(int(other.get("x", "0")) + int(other.get("width", "0")), int(one.get("x", "0")))
        self.assertAlmostEqual(int(one.get("width", "0")), 3 * int(other.get("width", "0")), delta=3)
        alone = list(picture.bars("t", "d", ["a"], [picture.Bar("p", [(Fraction(3), "3")])]).svg.iter("rect"))[1]
        self.assertAlmostEqual(sum(int(each.get("width", "0")) for each in (one, other)), int(alone.get("width", "0")),
                               delta=2)


class Drawings(unittest.TestCase):
    """The chapters' pictures for the given and for other numbers."""

    def words(self, drawn: Picture) -> list[str]:
        """Return the texts of a picture."""
        return [str(e.text) for e in drawn.svg.iter("text")]

    def test_where_blue_stops_winning(self) -> None:
        """Update 4 is a tie at 1/8 for the given weights; kept by a quarter, 1/16 is less at update 3."""
        self.assertLessEqual({"第 4 次：1/8 对 1/8", "打平，选红色"}, set(self.words(fall(0))))
        self.assertLessEqual({"第 3 次：1/16 对 1/8", "更小，选红色"}, set(self.words(fall(0, "1/4"))))
        self.assertIn("第 3 次更新，蓝色 1/16 对红色 1/8，更小", repr(fall(0, "1/4")))
        never = fall(1)
        self.assertEqual([words for words in self.words(never) if "选红色" in words and "侧" not in words], [])
        self.assertEqual(self.words(never)[0], "蓝色与红色的 logit")

    def test_nothing_kept(self) -> None:
        """A coordinate of exactly zero has no place on the scale; the words still tell it."""
        drawn = fall(0, 0)
        self.assertEqual(len(list(drawn.svg.iter("circle"))), 1)
        self.assertIn("第 9 次更新之后是 0", repr(drawn))

    def test_timelines_that_never_part(self) -> None:
        """With red the most probable first word both timelines are one; with the given table they part."""
        data = bundle.load()
        rows = {**data.translation.rows, "BOS": [Fraction(n, 10) for n in (5, 4, 1, 0, 0, 0)]}
        for given, said in ((data.translation, "粗框：第 1 步第一次预测错误；第 2 步输入第一次不同"),
                            (data.translation._replace(rows=rows), "两条时间线处处相同")):
            drawn = drawings_13.timelines(run.results(data._replace(translation=given))["chapter_13"])
            self.assertIn(said, self.words(drawn))
            thick = [e for e in drawn.svg.iter("rect") if e.get("stroke-width") == "4"]
            self.assertEqual(len(thick), 2 if "粗框" in said else 0)

    def test_paths_that_meet(self) -> None:
        """Two lanes until the second reading, one box from there on; sources that never meet stay apart."""
        data = bundle.load()
        for contrast, boxes, title in (([1, 2, 3], 5, "第 2 次读取之后，两条路径走到一起"), ([2, 2, 2], 7, "两条路径")):
            given = data.translation._replace(contrast=contrast)
            table = run.results(data._replace(translation=given))["chapter_13"]["table_13_2"]
            drawn = drawings_13.meeting(table["source"], table["contrast"])
            self.assertEqual(self.words(drawn)[0], title)
            self.assertEqual(len(list(drawn.svg.iter("rect"))) - 1, boxes)

    def test_words_that_leave_the_same_state(self) -> None:
        """Where 红色 and 蓝色 are embedded alike every state is the same, and both words are written all the same."""
        data = bundle.load()
        _, blue, *others = data.translation.encoder.embedding
        given = data.translation._replace(encoder=data.translation.encoder._replace(embedding=[blue, blue, *others]))
        table = run.results(data._replace(translation=given))["chapter_13"]["table_13_2"]
        words = self.words(drawings_13.meeting(table["source"], table["contrast"]))
        self.assertEqual([words.count(word) for word in ("红色", "蓝色", "钥匙")], [1, 1, 1])

    def test_the_return_path(self) -> None:
        """Table 12.1 is written on the picture."""
        words = self.words(drawings_11.returned(bundle.load().path))
        self.assertLessEqual({"∂L/∂h₁ = -3/16", "∂L/∂h₂ = -3/8", "∂L/∂h₃ = -3/4", "∂L/∂h₂·h₁ = -3/8",
                              "3 份贡献加起来：∂L/∂w = -3/4"}, set(words))
