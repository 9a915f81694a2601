"""Pictures: what holds for each of them, and whether they show what the numbers say."""
from __future__ import annotations

import base64
import contextlib
import io
import math
import os
import random
import sys
import tempfile
import unicodedata
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree

import core
import figures
import lesson_6_1
import run
from chapters import bundle, chapter_11, chapter_12, drawings
from support import picture
from support.command import ROOT, Refused, located
from support.picture import Line, Picture
from tests.at_random import random_bundle
from tests.shared import data, loaded, with_value
from tests.test_notebook import CODE_CELLS, run_cell

SVG = "{http://www.w3.org/2000/svg}"


def shown() -> list[tuple[str, ElementTree.Element]]:
    """Return the text alternative and the drawing of each picture that a notebook or a file holds."""
    pictures = []
    for cells in CODE_CELLS.values():
        saved = (output.get("data", {}).get("text/html", "") for cell in cells for output in cell["outputs"])
        for image in (ElementTree.fromstring(text) for text in map("".join, saved) if text.startswith("<img")):
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
    return drawings.falling(steps, chapter_11.boundary(net, steps), net.output_bias[0])


def texts(drawn: Picture) -> list[str]:
    """Return the texts of a picture."""
    return [str(e.text) for e in drawn.svg.iter("text")]


class Pictures(unittest.TestCase):
    """Every picture that a reader sees."""

    def test_every_picture(self) -> None:
        """A title, a text alternative, whole pixels, text of the page's size inside a light ground of its own."""
        self.assertEqual(len(shown()), 6)
        for alternative, svg in shown():
            self.assertEqual(alternative, f"{svg[0].text}。{svg[1].text}")
            self.assert_in_frame(svg)

    def assert_in_frame(self, svg: ElementTree.Element) -> None:
        """Hold a title, a text alternative and a light ground of its own, and that nothing leaves it."""
        self.assertEqual([element.tag.split("}")[-1] for element in svg][:3], ["title", "desc", "rect"])
        self.assertGreaterEqual(int(str(svg.get("font-size"))), 16)
        width, height = (int(str(svg.get(name))) for name in ("width", "height"))
        self.assertEqual(svg.get("viewBox"), f"0 0 {width} {height}")
        self.assertEqual((svg[2].get("width"), svg[2].get("fill")), (str(width), picture.GROUND))
        for element in svg:
            x, y, cx, cy, wide, high = (int(element.get(name, "0")) for name in (
                "x", "y", "cx", "cy", "width", "height"))
            corners = [(x, y), (x + wide, y + high), (cx, cy), *(
                map(int, point.split(",")) for point in element.get("points", "").split())]
            for across, down in corners:
                self.assertTrue(0 <= across <= width and 0 <= down <= height, (across, down))
            if element.tag.endswith("text"):
                wide = sum(9 if ord(c) < 0x2000 or unicodedata.category(c) == "No" or c in "⁻₋" else 16
                           for c in str(element.text))
                start = x - int(wide * {"start": 0, "middle": 0.5, "end": 1}[str(element.get("text-anchor"))])
                self.assertTrue(start >= -1 and start + wide <= width + 1, element.text)

    def test_no_part_of_a_number(self) -> None:
        """What has no room is left out from a space on, so that no number loses its last digits or its power of ten."""
        drawn = Picture(100, "t", "d")
        for room in (200, 120, 60, 30):
            drawn.text(10, 50, "h = ≈1.25e+12 了", room=room)
        self.assertEqual(texts(drawn)[1:], ["h = ≈1.25e+12 了", "h = …", "h = …", " …"])

    def test_command(self) -> None:
        """Without a word it writes the two committed files, -h prints the help, any other word is refused."""
        with tempfile.TemporaryDirectory() as root, contextlib.redirect_stdout(io.StringIO()) as output, \
                mock.patch.object(figures, "located", lambda path: located(path, root) if ".svg" in path
                                  else located(path)):
            os.makedirs(located(figures.FOLDER, root))
            self.assertEqual((figures.main(["-h"]), output.getvalue()), (0, figures.HELP + "\n"))
            with self.assertRaisesRegex(Refused, '命令行：figures.py 不要参数，却有 "x"'):
                figures.main(["x"])
            self.assertEqual(figures.main([]), 0)
            self.assertEqual(output.getvalue().split("\n")[-2], f"已写 {figures.FOLDER} 里的两张图")
            names, drawn = (sorted(os.listdir(Path(base, figures.FOLDER))) for base in (ROOT, root))
            self.assertEqual(names, drawn)
            for name in names:
                self.assertEqual(*(Path(base, figures.FOLDER, name).read_bytes() for base in (root, ROOT)))

    def test_whatever_the_data(self) -> None:
        """With any data that the bundle takes each cell of the notebooks runs, each picture stays in its frame."""
        book, dice = data(), random.Random(4)
        given = [*(random_bundle(dice, silent=turn % 2 == 0) for turn in range(10)),
                 book._replace(network=chapter_11.retaining(book.network, Fraction(2)), distances=[16, 1, 4]),
                 book._replace(network=chapter_11.retaining(book.network, Fraction(0)), distances=[3])]
        self.assertTrue(any(len(each.translation.encoder.initial) == 1 for each in given))
        self.assertTrue(any(n.denominator > 1 for each in given for query in each.attention.queries for n in query))
        self.assertTrue(any(step.probability == 0 for each in given for step in core.teacher_forced(
            each.translation.rows, each.translation.candidates, each.translation.target)))
        for i, each in enumerate(given):
            with mock.patch.object(bundle, "load", return_value=each), mock.patch.object(sys, "path", list(sys.path)):
                drawn = list(figures.pictures().values())
                for notebook, cells in CODE_CELLS.items():
                    names: dict[str, Any] = {}
                    for cell in cells:
                        with self.subTest(data=i, notebook=notebook, cell=cell["id"]):
                            drawn.append(run_cell("".join(cell["source"]), names)[1])
            pictures = [each for each in drawn if isinstance(each, Picture)]
            self.assertEqual(len(pictures), 6)
            for shape in pictures:
                with self.subTest(data=i, picture=repr(shape)[:60]):
                    self.assert_in_frame(shape.svg)

    def test_distances_in_any_order(self) -> None:
        """A line goes from the nearest distance to the farthest, in whatever order the data have them."""
        here, there = ({"table_12_2": chapter_12.results(data()._replace(distances=distances))["table_12_2"],
                        "parameters": {"factors": ["1/2", "3/2"]}} for distances in ([1, 4, 16], [16, 1, 4]))
        self.assertEqual(*(figures.travelling(each, figures.lesson()).file() for each in (here, there)))

    def test_where_the_losses_stand(self) -> None:
        """The last line lies where the lesson's loss stands, and is named as its labels' entropy; Adam has its rate."""
        drawn = figures.losses(figures.lesson())
        zeros, ones = loaded(located(figures.LESSON))["results"]["delayed_recall"]["train_labels"].values()
        shares = [n / (zeros + ones) for n in (zeros, ones)]
        entropy = -sum(share * math.log(share) for share in shares)
        self.assertIn(f"┄ 训练标签的熵 {entropy:.4f} nat，不是 ln 2", texts(drawn))
        self.assertIn(f"△ Adam，学习率 {lesson_6_1.ADAM.rate}：第 42 轮起低于 0.1", texts(drawn))
        points = str(list(drawn.svg.iter("polyline"))[-1].get("points")).split()
        stands = [str(e.get("cy")) for e in drawn.svg.iter("circle")][:10]  # until round 14,902
        self.assertEqual({point.split(",")[1] for point in points} | set(stands), {stands[0]})

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
        """Halving is one step down each time, as high as the logarithm says, and the axis says that it is one."""
        points = [(t, Fraction(4, 2**t)) for t in range(1, 9)]
        levels = [(Fraction(4), "4"), (Fraction(1, 64), "x")]
        drawn = picture.chart("t", "d", ("n", "m"), [Line("a", "circle", "#000", points)], levels)
        self.assertIn("m（对数刻度）", texts(drawn))
        heights = [int(e.get("cy", "0")) for e in drawn.svg.iter("circle")]
        self.assertEqual(len(heights), 8)
        step = (heights[-1] - heights[0]) / 7
        for t, height in enumerate(heights):
            self.assertAlmostEqual(height, heights[0] + t * step, delta=1)

    def test_names_beside_each_other(self) -> None:
        """A word that would lie on its neighbour's is left out, and the number above it stays."""
        drawn = picture.chart("t", "d", ("n", "m"), [Line("a", "circle", "#000", [(3, Fraction(1)), (9, Fraction(2))])],
                              places=[(3, "3\nfiller"), (4, "4\nfiller filler"), (9, "9\nis")])
        self.assertEqual(texts(drawn)[4:9], ["3", "filler", "4", "9", "is"])

    def test_what_has_no_logarithm(self) -> None:
        """With a zero or a negative number among them equal distances are equal differences, and the axis says so."""
        points = [(t, Fraction(t)) for t in range(-3, 4)]
        drawn = picture.chart("t", "d", ("n", "m"), [Line("a", "circle", "#000", points)])
        self.assertIn("m（等距刻度）", texts(drawn))
        heights = [int(e.get("cy", "0")) for e in drawn.svg.iter("circle")]
        step = (heights[-1] - heights[0]) / 6
        for t, height in enumerate(heights):
            self.assertAlmostEqual(height, heights[0] + t * step, delta=1)

    def test_lines_differ_without_colour(self) -> None:
        """Each mark has dashes of its own, and its legend shows it."""
        drawn = picture.chart("t", "d", ("n", "m"), [
            Line(mark, mark, "#000", [(0, Fraction(1)), (1, Fraction(2))]) for mark in picture.MARKS])
        dashes = [e.get("stroke-dasharray") for e in drawn.svg.iter("polyline")][-4:]
        self.assertEqual(len(set(dashes)), 4)
        self.assertEqual(texts(drawn)[-4:], [f"{key} {mark}" for mark, (key, _) in picture.MARKS.items()])


class Drawings(unittest.TestCase):
    """The chapters' pictures for the given and for other numbers."""

    def test_where_blue_stops_winning(self) -> None:
        """Update 4 is a tie at 1/8 for the given weights; kept by a quarter, 1/16 is less at update 3."""
        self.assertIn("第 4 次：蓝色 1/8 对红色 1/8，打平，选红色", texts(fall(0)))
        self.assertIn("第 3 次：蓝色 1/16 对红色 1/8，更小，选红色", texts(fall(0, "1/4")))
        self.assertIn("第 3 次更新，蓝色 1/16 对红色 1/8，更小", repr(fall(0, "1/4")))
        for never in (fall(1), fall(0, 2)):  # the second one from 1 to 256
            self.assertEqual([words for words in texts(never) if "选红色" in words], [])
        for other in (fall(1), fall(0, 2), fall("31/256"), fall(-1)):  # equal in the end; below from the start
            self.assertEqual(texts(other)[0], "蓝色与红色的 logit")

    def test_nothing_kept(self) -> None:
        """A coordinate of exactly zero has a place on a scale of equal differences, and the words tell it."""
        drawn = fall(0, 0)
        self.assertEqual(len(list(drawn.svg.iter("circle"))), 9)
        self.assertIn("logit（等距刻度）", texts(drawn))
        self.assertIn("第 9 次更新之后是 0", repr(drawn))

    def test_paths_that_meet(self) -> None:
        """Two lanes until the second reading, one box from there on; sources that never meet stay apart."""
        data = bundle.load()
        for contrast, boxes, title in (([1, 2, 3], 5, "第 2 次读取之后，两条路径走到一起"), ([2, 2, 2], 7, "两条路径")):
            given = data.translation._replace(contrast=contrast)
            table = run.results(data._replace(translation=given))["chapter_13"]["table_13_2"]
            drawn = drawings.meeting(table["source"], table["contrast"])
            self.assertEqual(texts(drawn)[0], title)
            self.assertEqual(len(list(drawn.svg.iter("rect"))) - 1, boxes)

    def test_words_that_leave_the_same_state(self) -> None:
        """Where 红色 and 蓝色 are embedded alike every state is the same, and both words are written all the same."""
        data = bundle.load()
        _, blue, *others = data.translation.encoder.embedding
        given = data.translation._replace(encoder=data.translation.encoder._replace(embedding=[blue, blue, *others]))
        table = run.results(data._replace(translation=given))["chapter_13"]["table_13_2"]
        words = texts(drawings.meeting(table["source"], table["contrast"]))
        self.assertEqual([words.count(word) for word in ("红色", "蓝色", "钥匙")], [1, 1, 1])

    def test_the_return_path(self) -> None:
        """Table 12.1 is written on the picture."""
        words = texts(drawings.returned(bundle.load().path))
        self.assertLessEqual({"∂L/∂h₁ = -3/16", "∂L/∂h₂ = -3/8", "∂L/∂h₃ = -3/4", "∂L/∂h₂·h₁ = -3/8",
                              "3 份贡献加起来：∂L/∂w = -3/4"}, set(words))
