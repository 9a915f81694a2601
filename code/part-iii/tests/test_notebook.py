"""The notebook without a kernel: its cells give the saved texts and pictures, on every Python, from both folders."""
from __future__ import annotations

import ast
import contextlib
import io
import json
import math
import os
import re
import sys
import unittest
from typing import Any
from unittest import mock
from xml.etree import ElementTree

from support import picture
from support.command import ROOT

FOLDER = os.path.join(ROOT, "notebooks", "part-iii")
with open(os.path.join(FOLDER, "01-state-and-gradient.ipynb"), encoding="utf-8") as _file:
    CELLS = [cell for cell in json.load(_file)["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Return what a cell prints and the value of its last line, as a kernel shows them."""
    tree, value = ast.parse(source), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return output.getvalue(), value


class Notebook(unittest.TestCase):
    """notebooks/part-iii/01-state-and-gradient.ipynb."""

    def test_saved_outputs(self) -> None:
        """Each cell gives what is saved, whether the reader starts at the root or in the notebook's folder."""
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        for folder in (ROOT, FOLDER):
            os.chdir(folder)
            names: dict[str, Any] = {}
            with mock.patch.object(sys, "path", list(sys.path)):
                for cell in CELLS:
                    printed, value = run_cell("".join(cell["source"]), names)
                    saved = {output["output_type"]: output for output in cell["outputs"]}
                    self.assertEqual(printed, "".join(saved.get("stream", {}).get("text", [])), cell["id"])
                    data = saved.get("execute_result", {}).get("data", {})
                    self.assertEqual(value is None, not data, cell["id"])
                    if value is not None:
                        self.assertEqual(value._repr_svg_(), "".join(data["image/svg+xml"]))
                        self.assertEqual(repr(value), "".join(data["text/plain"]))

    def test_no_repository_around(self) -> None:
        """Away from the repository the first cell says so."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(os.path.abspath(os.sep))
        with self.assertRaisesRegex(FileNotFoundError, "请先下载整个仓库"):
            run_cell("".join(CELLS[0]["source"]), {})

    def test_saved_as_a_fresh_run(self) -> None:
        """Cells are numbered in order, carry no times, and print an ASCII minus."""
        self.assertEqual([cell["execution_count"] for cell in CELLS], list(range(1, len(CELLS) + 1)))
        self.assertEqual([cell["metadata"] for cell in CELLS], [{}] * len(CELLS))
        printed = [text for cell in CELLS for output in cell["outputs"] for text in output.get("text", [])]
        self.assertEqual([line for line in printed if re.search("[\u2212\u2013]\\d", line)], [])
        self.assertTrue(any("-3/4" in line for line in printed))


class Pictures(unittest.TestCase):
    """What holds for every picture, and whether its points lie where the numbers say."""

    def drawn(self) -> list[ElementTree.Element]:
        """Return the saved pictures."""
        texts = ["".join(output["data"]["image/svg+xml"]) for cell in CELLS for output in cell["outputs"]
                 if "image/svg+xml" in output.get("data", {})]
        return [ElementTree.fromstring(text) for text in texts]

    def test_every_picture(self) -> None:
        """A title, a text alternative, text of the page's size at natural scale, and a ground of its own."""
        self.assertEqual(len(self.drawn()), 4)
        for svg in self.drawn():
            names = [element.tag.split("}")[1] for element in svg]
            self.assertEqual(names[:3], ["title", "desc", "rect"])
            self.assertTrue(svg[0].text and svg[1].text and svg.get("aria-label"))
            self.assertGreaterEqual(int(str(svg.get("font-size"))), 16)
            self.assertEqual(svg.get("viewBox"), f"0 0 {svg.get('width')} {svg.get('height')}")
            self.assertEqual((svg[2].get("width"), svg[2].get("fill")), (svg.get("width"), picture.GROUND))
            width = float(str(svg.get("width")))
            for element in svg:
                if element.tag.endswith("text"):
                    wide = sum(16 if ord(c) > 0x2000 else 9 for c in str(element.text))
                    start = float(str(element.get("x"))) - wide * {"start": 0, "middle": 0.5, "end": 1}[
                        str(element.get("text-anchor"))]
                    self.assertTrue(start >= -1 and start + wide <= width + 1, element.text)

    def test_points_of_a_chart(self) -> None:
        """Halving is one step down each time; the crossing with the level lies on a point; names lie apart."""
        lines = [("a", "circle", [4.0, 2.0, 1.0]), ("b", "square", [1.0] * 3)]
        chart = picture.log_chart("t", "d", "n", [1, 2, 3], lines, level=("c", 2.0))
        circles = [(float(e.get("cx", 0)), float(e.get("cy", 0))) for e in chart.svg.iter("circle")]
        drops = [after[1] - before[1] for before, after in zip(circles, circles[1:])]
        self.assertAlmostEqual(drops[0], drops[1], delta=0.01)
        self.assertAlmostEqual(drops[0], 260 * math.log10(2), delta=0.01)
        level = [e for e in chart.svg.iter("polyline") if e.get("stroke-dasharray") == "2 4"]
        self.assertAlmostEqual(float(str(level[0].get("points")).split()[0].split(",")[1]), circles[1][1], delta=0.01)
        heights = sorted(float(e.get("y", 0)) for e in chart.svg.iter("text") if str(e.text)[-1] in "abc")
        self.assertGreater(min(b - a for a, b in zip(heights, heights[1:])), 16)

    def test_dashes_tell_lines_apart(self) -> None:
        """Without colour: circles are joined by a whole line, squares by dashes."""
        chart = picture.log_chart("t", "d", "n", [0, 1], [("a", "circle", [1.0, 2.0]), ("b", "square", [1.0, 3.0])])
        lines = [e.get("stroke-dasharray") for e in chart.svg.iter("polyline")]
        self.assertEqual(lines[1:], [None, "8 5"])


if __name__ == "__main__":
    unittest.main()
