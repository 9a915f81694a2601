"""How values stand in a line of the checker's report."""
from __future__ import annotations

import re
from typing import Any

from support.command import quoted

VERDICTS = {"holds": "成立", "fails": "不成立", "depends": "视条件而定", "outside": "判定不了"}
TRUTHS = {"正确": True, "错误": False}
LONGEST_VALUE = 160  # characters of a list or object that is shown with what it holds
LONGEST_LIST = 10  # members of a list or object that is shown with what it holds
LONGEST_LINE = 300  # characters of a line of the report, with --all too
MISSING = object()


class Literal(str):
    """A number in a file, kept as it is written: 1 and 1.0 are not the same field."""


def cut(text: str, longest: int = LONGEST_LINE) -> str:
    """Return a text of at most `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def written(value: Any, longest: int = 80, marks: bool = False) -> str:
    """Return a value for a line of the report: a number without quotation marks unless `marks` are asked for.

    >>> written("1/2"), written("red"), written("9" * 99, 20)
    ('1/2', '"red"', '99999999999999999999…（共 99 个字符）')
    """
    if value is MISSING:
        return "没有这个字段"
    if not isinstance(value, str):
        return quoted(value)
    size, start = len(value), value[:longest]
    bare = isinstance(value, Literal) or (not marks and re.fullmatch("-?[0-9][0-9.e/+-]*", start))
    text = start if bare else quoted(start, LONGEST_LINE)
    return text if size <= longest else f"{text}…（共 {size} 个字符）"


def told_apart(want: Any, have: Any) -> tuple[str, str]:
    """Return two different values as they are written, in such a way that they look different.

    >>> told_apart(Literal("1"), "1"), told_apart("3" * 100 + "1", "3" * 100 + "2")
    (('1', '"1"'), ('第 101 个字符起 1', '第 101 个字符起 2'))
    """
    left, right = written(want), written(have)
    if left != right:
        return left, right
    if type(want) is not type(have):
        return written(want, marks=True), written(have, marks=True)
    same, step = 0, 1 << len(want).bit_length()
    while step:
        if want[same: same + step] == have[same: same + step]:
            same += step
        step //= 2
    return f"第 {same + 1} 个字符起 {written(want[same:])}", f"第 {same + 1} 个字符起 {written(have[same:])}"


def in_print(value: Any) -> str:
    """Return a value as a text would print it: names without quotation marks, truth values in words."""
    if isinstance(value, bool):
        return next(word for word, truth in TRUTHS.items() if truth is value)
    return cut(value, 24) if isinstance(value, str) else written(value)


def brief(value: Any) -> str:
    """Return a value with what it holds, if that is short.

    >>> brief(["1/2", "0"]), brief({"t": Literal("1"), "state": ["0"]}), brief(list(range(99)))
    ('[1/2, 0]', '{t 1, state [0]}', '列表（99 项）')
    """
    if not isinstance(value, (dict, list)) or len(value) > LONGEST_LIST:
        return written(value, 40)
    if isinstance(value, dict):
        text = f"{{{', '.join(f'{key} {brief(member)}' for key, member in value.items())}}}"
    else:
        text = f"[{', '.join(map(brief, value))}]"
    return text if len(text) <= LONGEST_VALUE else quoted(value)
