"""What several tests need: the folder of the programs, copies of files, and what they do to JSON values."""
from __future__ import annotations

import copy
import os
import shutil
from typing import Any

import check
from support.command import ROOT, located

CODE = located("code/part-iii")


def copied(name: str, root: str) -> None:
    """Copy a file or a folder of the repository below `root`: writable there, without caches and tests."""
    source = located(name)
    if os.path.isfile(source):
        shutil.copyfile(source, located(name, root))
        return
    for folder, folders, files in os.walk(source):
        folders[:] = [below for below in folders if below not in ("__pycache__", "tests")]
        place = os.path.join(root, os.path.relpath(folder, ROOT))
        os.makedirs(place)
        for file in files:
            shutil.copyfile(os.path.join(folder, file), os.path.join(place, file))


def with_value(data: Any, pointer: str, value: Any) -> Any:
    """Return a copy of a JSON value in which `value` stands where the JSON Pointer leads."""
    changed = copy.deepcopy(data)
    parent, _, last = pointer.rpartition("/")
    holder = check.at(changed, parent) if parent else changed
    key = last.replace("~1", "/").replace("~0", "~")
    holder[int(key) if isinstance(holder, list) else key] = value
    return changed


def pointers(value: Any) -> list[str]:
    """Return the JSON Pointer of every leaf."""
    return [place for place, _ in check.leaves(value)]
