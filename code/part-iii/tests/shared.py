"""What several tests need: the folder of the programs, and what they do to JSON values."""
from __future__ import annotations

import copy
from typing import Any

import check
from support.command import located

CODE = located("code/part-iii")


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
