"""Runs every notebook in a fresh kernel and compares every output with the saved one, text and pictures.

Each comparison is tried, too, on outputs of which every one is changed: all must be found.

notebook.py compares (exit code 1, with the cells that differ); notebook.py --write saves what the kernels give.
"""
from __future__ import annotations

import glob
import os
import sys
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))
FOLDER = os.path.join(ROOT, "notebooks", "part-iii")
Cells = list[tuple[str, Any]]  # id and outputs of each code cell


def merged(outputs: list[Any]) -> list[Any]:
    """Return the outputs of a cell with neighbours of one stream in one piece: how a kernel cuts them is chance."""
    joined: list[Any] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
            joined[-1].text += output.text
        else:
            joined.append(output.copy())
    return joined


def executed(path: str, folder: str) -> Any:
    """Return a notebook as a fresh kernel that starts in `folder` leaves it."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False,
                   resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = merged(cell.outputs)
    notebook.metadata["language_info"] = {"name": "python"}  # not the version that happened to run
    return notebook


def content(notebook: Any) -> Cells:
    """Return the outputs of each code cell."""
    return [(cell.id, merged(cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"]


def differing(saved: Cells, fresh: Cells) -> list[str]:
    """Return the numbers and names of the cells whose outputs are not the saved ones."""
    return [f"第 {i} 个代码格（{name}）" for i, ((name, outputs), (_, now)) in enumerate(zip(saved, fresh), 1)
            if outputs != now]


def spoiled(cells: Cells) -> Cells:
    """Return the cells with every output changed a little: a character more, or one more output where there is none."""
    return [(name, [NotebookNode({**output, "text": output.get("text", "") + " "}) for output in outputs] or [{}])
            for name, outputs in cells]


def faults(path: str) -> list[str]:
    """Return a line for each cell whose outputs are not the saved ones, from either folder where a reader may start."""
    saved, lines = content(nbformat.read(path, as_version=4)), []
    for folder in (ROOT, FOLDER):
        start = f"{os.path.basename(path)}，从 {os.path.relpath(folder, ROOT)} 开始"
        fresh = content(executed(path, folder))
        lines += [f"{start}：{cell} 的输出变了" for cell in differing(saved, fresh)]
        if len(differing(spoiled(fresh), fresh)) < len(fresh) or not any(outputs for _, outputs in fresh):
            lines.append(f"{start}：改动了的输出没有被看出来，或者一个输出也没有：这次比较不算数")
    return lines


def main() -> int:
    """Compare or save."""
    paths = sorted(glob.glob(os.path.join(FOLDER, "*.ipynb")))
    if sys.argv[1:] == ["--write"]:
        for path in paths:
            nbformat.write(executed(path, ROOT), path)
        return 0
    lines = [line for path in paths for line in faults(path)]
    print("\n".join(lines) if lines else f"{len(paths)} 个 Notebook 的输出与保存的相同")
    return int(bool(lines) or not paths)


if __name__ == "__main__":
    sys.exit(main())
