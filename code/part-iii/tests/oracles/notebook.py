"""Runs the notebook in a fresh kernel and compares every output with the saved one, text and pictures.

notebook.py compares (exit code 1, with the cells that differ); notebook.py --write saves what the kernel gives.
"""
from __future__ import annotations

import os
import sys
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))
FOLDER = os.path.join(ROOT, "notebooks", "part-iii")
PATH = os.path.join(FOLDER, "01-state-and-gradient.ipynb")


def executed(folder: str) -> Any:
    """Return the notebook as a fresh kernel that starts in `folder` leaves it."""
    notebook = nbformat.read(PATH, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False,
                   resources={"metadata": {"path": folder}}).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # not the version that happened to run
    return notebook


def content(notebook: Any) -> list[tuple[str, Any]]:
    """Return the outputs of each code cell."""
    return [(cell.id, cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]


def main() -> int:
    """Compare or save; compared from both folders in which a reader may start."""
    if sys.argv[1:] == ["--write"]:
        nbformat.write(executed(ROOT), PATH)
        return 0
    saved = content(nbformat.read(PATH, as_version=4))
    faults = [f"{os.path.relpath(folder, ROOT)}：第 {i} 个代码格（{name}）的输出与保存的不同"
              for folder in (ROOT, FOLDER)
              for i, ((name, outputs), (_, fresh)) in enumerate(zip(saved, content(executed(folder))), 1)
              if outputs != fresh]
    print("\n".join(faults) if faults else f"{len(saved)} 个代码格的输出与保存的相同")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
