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

from chapters import practice
from support.command import ROOT
from tests.shared import loaded

FOLDER = os.path.join(ROOT, "notebooks", "part-iii")
NOTEBOOKS: dict[str, list[dict[str, Any]]] = {
    path.name: loaded(str(path))["cells"] for path in sorted(Path(FOLDER).glob("*.ipynb"))}
CODE_CELLS = {name: [cell for cell in cells if cell["cell_type"] == "code"] for name, cells in NOTEBOOKS.items()}
FIGURES = r"\d+/\d+|\d\.\d{3,}|第 ?\d+ ?[次轮]|减半|翻倍|打平，|1e-?\d"  # what a changed weight may make untrue

# What a reader may write by mistake: of a notebook's exercise the check's id, what the worked answer says and what
# stands there instead, and what the check says of it.
SLIPS = [
    ("update-check", "max(from_x + from_h + b[j], 0)", "from_x + from_h + b[j]", "不对：少了 ReLU，"),
    ("update-check", "W_x[i][j] for", "W_x[j][i] for", "不对：第 1 个数应是 8，返回的是 3。"),
    ("update-check", "_x[i][j]|_h[i][j]", "_x[j][i]|_h[j][i]", "不对：矩阵转置了，"),
    ("update-check", "from_x + from_h", "from_x", "不对：旧状态没有用上。"),
    ("update-check", " + b[j]", "", "不对：偏置没有加。"),
    ("update-check", "new.append(max(from_x + from_h + b[j], 0))", "h[j] = max(from_x + from_h + b[j], 0); new = h",
     "不对：旧状态还没有用完，就被新数改写了。"),
    ("slope-check", "total += slope * old", "total = total or slope * old", "不对：只有最后一次的贡献，"),
    ("slope-check", "return total", "return total / len(inputs)", "不对：贡献要加起来，不取平均。"),
    ("slope-check", "slope *= w", "pass", "不对：误差没有往回传，"),
    ("slope-check", "states[:-1]", "states[1:]", "不对：贡献乘的是旧状态 h_(t-1)，"),
    ("slope-check", "states[-1] - y", "y - states[-1]", "不对：误差反了，"),
    ("read-check", "power / sum(powers)", "power / len(powers)", "不对：除的是位置的个数，"),
    ("read-check", "power / sum(powers)", "power", "不对：权重没有归一，"),
    ("read-check", "2 ** ", "", "不对：分数没有取指数。"),
    ("read-check", "2 ** sum", "2.718281828459045 ** sum", "不对：分数以 a = ln 2 为单位，"),
    ("read-check", "for j in range(len(q))", "for j in [0]", "不对：应返回 2 个数的列表，返回的是 ["),
]
# What a function returns, as Python, and what each check says of it, whatever the exercise.
ODD = [
    ("None", "还没写，或者忘了 return："), ("[]", "不对：应返回"), ("'一'", "不对：应返回"), ("{}", "不对：应返回"),
    ("float('nan')", "不对：应返回"), ("[float('inf')] * 2", "不对：应返回"), ("1j", "不对：应返回"),
    ("[[1], [2]]", "不对：应返回"), ("print", "不对：应返回"), ("[10**9] * 9", "不对：应返回"),
    ("[None]", "不对：应返回"), ("nowhere", "没有算完：NameError: name 'nowhere' is not defined"),
    ("1 / 0", "没有算完：ZeroDivisionError: "), ("[][0]", "没有算完：IndexError: "), ("update(*given)", "没有算完："),
    ("exec('raise Exception')", "没有算完：Exception"),
]


def exercise(check: str) -> tuple[str, str, str]:
    """Return an exercise: the stub, its check, and the worked answer as a reader would take it out of the notebook."""
    ((cells, i),) = ((cells, i) for cells in NOTEBOOKS.values() for i, cell in enumerate(cells) if cell["id"] == check)
    stub, checking, text = ("".join(cells[j]["source"]) for j in (i - 1, i, i + 1))
    (block,) = re.findall(r"<details>.*?```python\n(.*?\n)```\n\n</details>", text, re.DOTALL)
    return stub, checking, str(block)


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
            printed = [text for cell in cells for output in cell["outputs"] for text in (
                *output.get("text", []), *output.get("data", {}).get("text/plain", []))]
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


class Exercises(unittest.TestCase):
    """What a reader writes, and what is said of it."""

    def remark(self, check: str, written: str) -> str:
        """Return what a check prints when `written` follows the stub in its cell."""
        stub, checking, _ = exercise(check)
        names: dict[str, Any] = {"practice": practice}
        run_cell(f"{stub}\n{written}", names)
        printed, value = run_cell(checking, names)
        self.assertEqual((printed.count("\n"), value), (1, None))
        return printed

    def test_worked_answers(self) -> None:
        """The answer that is folded away is right, and what stands in the notebook is not written yet."""
        for check, known in (("update-check", "[8, 0]"), ("slope-check", "264"), ("read-check", "[10/13, 11/13]")):
            stub, _, answer = exercise(check)
            self.assertIn(answer.split("\n")[0], stub)
            self.assertEqual(self.remark(check, answer), f"对：core.py 算的也是 {known}。\n")
            self.assertEqual(self.remark(check, ""), "还没写，或者忘了 return：函数返回的是 None。\n")

    def test_slips(self) -> None:
        """A mistake that people make is named."""
        for check, right, wrong, said in SLIPS:
            with self.subTest(check=check, wrong=wrong):
                written = answer = exercise(check)[2]
                for one, other in zip(right.split("|"), wrong.split("|")):
                    written = written.replace(one, other)
                    self.assertIn(one, answer)
                self.assertTrue(self.remark(check, written).startswith(said), self.remark(check, written))

    def test_whatever_is_returned(self) -> None:
        """No function of a reader's ends in an error, and each gets one line."""
        for check in sorted({check for check, *_ in SLIPS}):
            name = exercise(check)[2].split("(")[0]
            for returned, said in ODD:
                with self.subTest(check=check, returned=returned):
                    remark = self.remark(check, f"{name}(*given): return {returned}")
                    self.assertTrue(remark.startswith(said), remark)
