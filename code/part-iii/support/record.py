"""The layout of every record in this repository, the same bytes on every interpreter and system."""
from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_one_line = json.JSONEncoder(ensure_ascii=False, default=str).encode  # a number that is no JSON number is its text


def layout(value: Any, indent: str = "") -> str:
    """Return a record as JSON: two spaces a level, but one line for what holds only plain values and lists of them.

    >>> print(layout({"steps": [{"t": 1, "state": ["1", "0"]}], "choice": "red"}))
    {
      "steps": [
        {"t": 1, "state": ["1", "0"]}
      ],
      "choice": "red"
    }
    """
    if not isinstance(value, (dict, list)) or all(_is_short(member) for member in _members(value)):
        return _one_line(value)
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [f"{deeper}{_one_line(key)}: {layout(value[key], deeper)}" for key in value]
    else:
        rows = [deeper + layout(member, deeper) for member in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return first + "\n" + ",\n".join(rows) + f"\n{indent}{last}"


def _members(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _is_short(value: Any) -> bool:
    if isinstance(value, list):
        return not any(isinstance(member, (dict, list)) for member in value)
    return not isinstance(value, dict)
