"""放得进 80 列的表格：数短时精确写出，太长时换更短的写法，再放不下就一行一段。"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from support.show import WIDTH, columns, row, table, wrapped
from support.spelling import plain

NAMES = {"red": "红色", "blue": "蓝色"}
SHORTER = ((24, 6), (12, 6), (8, 4))  # 依次试到放得下为止：精确写出时最多几个字符，舍入时几位有效数字
Show = Callable[[Iterable[Fraction]], str]  # 把一行数写成 [a, b]


def name(candidate: str) -> str:
    """颜色的中文名。"""
    return NAMES.get(candidate, candidate)


def narrow(header: Sequence[str], rows_with: Callable[[Show], list[list[str]]]) -> list[str]:
    """一张表，取放得进 80 列的第一种写法；都放不下就每行一段。"""
    lines = _fitting(header, rows_with)
    if lines:
        return lines
    heads = [head.replace("\n", "") for head in header]
    return [line for each in rows_with(_shower(*SHORTER[-1])) for line in wrapped(
        "；".join(f"{head} {cell}" for head, cell in zip(heads, each) if cell), "  ")]


def _shower(longest: int, figures: int) -> Show:
    return lambda numbers: row(plain(number, longest, figures) for number in numbers)


def _fitting(header: Sequence[str], rows_with: Callable[[Show], list[list[str]]]) -> list[str]:
    """放得进 80 列的第一种写法；没有就是空的。"""
    tables = (table(header, rows_with(_shower(*shorter))) for shorter in SHORTER)
    return next((lines for lines in tables if max(map(columns, lines)) <= WIDTH), [])


def step_rows(steps: Sequence[dict[str, Any]]) -> list[str]:
    """记录里的各步，一步一行；放不下就拆成两张表。"""
    def rows(*heads: str) -> Callable[[Show], list[list[str]]]:
        return lambda show: [[{
            "t": str(each["t"]), "token": each["token"], "状态": show(each["state"]), "logits": show(each["logits"]),
            "概率": row(each["probabilities"]), "选择": name(each["choice"])}[head] for head in heads]
            for each in steps]

    whole, first, second = ("t", "token", "状态", "logits", "概率", "选择"), ("t", "token", "状态", "选择"), (
        "t", "logits", "概率")
    return _fitting(whole, rows(*whole)) or [*narrow(first, rows(*first)), "", *narrow(second, rows(*second))]
