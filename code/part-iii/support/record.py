"""The layout of every record in this repository, the same bytes on every system, and its verdicts in words."""
from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

VERDICTS = {"holds": "成立", "fails": "不成立", "depends": "视条件而定", "outside": "不由计算判定"}
NO_CASE = "这份数据里没有这样的情形"  # "outside", of a claim that a computation decides where there is one


def said(verdict: str, decidable: object) -> str:
    """Return a verdict in words: "outside" is another thing where a computation could decide."""
    return NO_CASE if verdict == "outside" and decidable else VERDICTS[verdict]


def as_text(value: Any) -> str:
    """Return a number that JSON has no type for as its text: a decimal with its places, a rational in lowest terms."""
    return format(value, "f") if isinstance(value, Decimal) else str(value)


_one_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=as_text).encode


def layout(value: Any, indent: str = "", spread: bool = False) -> str:
    """Return a record as JSON: two spaces a level, but one line for what holds only plain values and lists of them.

    Claims are spread all the same, so that a verdict that turns is a line of its own in a comparison.

    >>> from fractions import Fraction
    >>> print(layout({"steps": [{"t": 1, "state": [Fraction(1, 2), Fraction(0)]}], "claims": {"a": "holds"}}))
    {
      "steps": [
        {"t": 1, "state": ["1/2", "0"]}
      ],
      "claims": {
        "a": "holds"
      }
    }
    """
    if not isinstance(value, (dict, list)) or not spread and all(_is_short(member) for member in _members(value)):
        return _one_line(value)
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [f"{deeper}{_one_line(key)}: {layout(value[key], deeper, key == 'claims')}" for key in value]
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
