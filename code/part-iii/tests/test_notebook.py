"""The notebooks without a kernel: their cells give the saved texts and pictures, on every Python, from both folders."""
from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from support.command import ROOT
from tests.shared import loaded

FOLDER = os.path.join(ROOT, "notebooks", "part-iii")
NOTEBOOKS: dict[str, list[dict[str, Any]]] = {
    path.name: loaded(str(path))["cells"] for path in sorted(Path(FOLDER).glob("*.ipynb"))}
CODE_CELLS = {name: [cell for cell in cells if cell["cell_type"] == "code"] for name, cells in NOTEBOOKS.items()}
FIGURES = r"\d+/\d+|\d\.\d{3,}|第 ?\d+ ?[次轮]|减半|翻倍|打平，|1e-?\d"  # what a changed weight may make untrue


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Return what a cell prints and the value of its last line, as a kernel shows them."""
    tree, value = ast.parse(source), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return output.getvalue(), value


class Notebooks(unittest.TestCase):
    """notebooks/part-iii/*.ipynb."""

    def test_saved_outputs(self) -> None:
        """Each cell gives what is saved, whether the reader starts at the root or in the notebook's folder."""
        self.assertEqual([name[:2] for name in CODE_CELLS], ["01", "02"])
        self.addCleanup(os.chdir, os.getcwd())
        for folder, (notebook, cells) in ((folder, each) for folder in (ROOT, FOLDER) for each in CODE_CELLS.items()):
            os.chdir(folder)
            names: dict[str, Any] = {}
            with mock.patch.object(sys, "path", list(sys.path)):
                for cell in cells:
                    printed, value = run_cell("".join(cell["source"]), names)
                    saved = {output["output_type"]: output for output in cell["outputs"]}
                    place = f"{notebook} {cell['id']}"
                    self.assertEqual(printed, "".join(saved.get("stream", {}).get("text", [])), place)
                    data = saved.get("execute_result", {}).get("data", {})
                    self.assertEqual(value is None, not data, place)
                    if value is not None:
                        self.assertEqual(value._repr_html_(), "".join(data["text/html"]), place)
                        self.assertEqual(repr(value), "".join(data["text/plain"]), place)

    def test_no_repository_around(self) -> None:
        """Away from the repository the first cell says so."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(os.path.abspath(os.sep))
        for cells in CODE_CELLS.values():
            with self.assertRaisesRegex(FileNotFoundError, "请先下载整个仓库"):
                run_cell("".join(cells[0]["source"]), {})

    def test_saved_as_a_fresh_run(self) -> None:
        """Cells are numbered in order, carry no times, and print an ASCII minus and no raw dictionary."""
        for cells in CODE_CELLS.values():
            self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, len(cells) + 1)))
            self.assertEqual([cell["metadata"] for cell in cells], [{}] * len(cells))
            printed = [text for cell in cells for output in cell["outputs"] for text in output.get("text", [])]
            self.assertGreater(len(printed), 40)
            strange = "[\u2212\u2013]\\d|[{}]|Fraction|Decimal"
            self.assertEqual([line for line in printed if re.search(strange, line)], [])

    def test_prose_states_no_figure(self) -> None:
        """What a changed weight would make untrue stands in outputs alone, which are made anew."""
        self.assertRegex("旧状态减半，第 4 次是 1/8", FIGURES)
        for name, cells in NOTEBOOKS.items():
            prose = "".join(line for cell in cells if cell["cell_type"] == "markdown" for line in cell["source"])
            # What a reader is asked to guess is no claim, and a closed form is none about a value.
            asked = re.sub(r"\*\*先猜\*\*[^\n]*|3．每退一步乘 3/2|½", "", prose)
            self.assertEqual(re.findall(FIGURES, asked), [], name)

    def test_predictions_before_answers(self) -> None:
        """Each guess is asked for at the end of a cell, and code that answers it follows."""
        for name, cells in NOTEBOOKS.items():
            asking = [i for i, cell in enumerate(cells) if "**先猜**" in "".join(cell["source"])]
            self.assertGreater(len(asking), 3, name)
            for i in asking:
                self.assertTrue("".join(cells[i]["source"]).split("\n")[-1].startswith("**先猜**"), cells[i]["id"])
                self.assertEqual(cells[i + 1]["cell_type"], "code", cells[i]["id"])
