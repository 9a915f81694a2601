"""放得进 80 列的表格：数短时精确写出，太长时换更短的写法。

一步一行的表（t、token、状态、logits、概率、选择）还放不下，就拆成两张，最后每步一段。
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from support.show import WIDTH, columns, row, table, wrapped
from support.spelling import plain

NAMES = {"red": "红色", "blue": "蓝色"}
# 依次试到放得下为止：一张表或两张表的表头、精确写法最多几个字符、舍入时几位有效数字。
ONE = (("t", "token", "状态", "logits", "概率", "选择"),)
TWO = (("t", "token", "状态", "选择"), ("t", "logits", "概率"))
SHAPES = ((ONE, 24, 6), (ONE, 12, 6), (ONE, 8, 4), (TWO, 12, 6), (TWO, 8, 4))


def name(candidate: str) -> str:
    """颜色的中文名。"""
    return NAMES.get(candidate, candidate)


Show = Callable[[Iterable[Fraction]], str]  # 把一行数写成 [a, b]


def shower(longest: int, figures: int) -> Show:
    """一行数的一种写法：每个数精确写出时最多 longest 个字符，否则舍入到 figures 位有效数字。"""
    return lambda numbers: row(plain(number, longest, figures) for number in numbers)


def narrow(header: Sequence[str], rows_with: Callable[[Show], list[list[str]]]) -> list[str]:
    """一张普通的表，取放得进 80 列的第一种写法；都放不下就每行一段。"""
    for longest, figures in ((24, 6), (12, 6), (8, 4)):
        rows = rows_with(shower(longest, figures))
        lines = table(header, rows)
        if max(map(columns, lines)) <= WIDTH:
            return lines
    heads = [head.replace("\n", "") for head in header]
    return [line for each in rows for line in wrapped(
        "；".join(f"{head} {cell}" for head, cell in zip(heads, each) if cell), "  ")]


def cells(t: int, token: str, state: Iterable[Fraction], logits: Iterable[Fraction], probabilities: Iterable[Decimal],
          choice: str, show: Show) -> dict[str, str]:
    """一步的各格，以表头为键。"""
    return {"t": str(t), "token": token, "状态": show(state), "logits": show(logits), "概率": row(probabilities),
            "选择": name(choice)}


def fitted(rows_with: Callable[[Show], list[dict[str, str]]]) -> list[str]:
    """一步一行的表，取放得进 80 列的第一种；rows_with(写法) 给出各行。"""
    for heads_of_tables, longest, figures in SHAPES:
        rows = rows_with(shower(longest, figures))
        tables = [table(heads, [[each[head] for head in heads] for each in rows]) for heads in heads_of_tables]
        if max(columns(line) for flat in tables for line in flat) <= WIDTH:
            return [line for flat in tables for line in ("", *flat)][1:]
    return [line for each in rows for line in (
        f"  {each['t']}  {each['token']}：选{each['选择']}",
        *(part for head in ("状态", "logits", "概率") for part in wrapped(f"{head} {each[head]}", "      ")))]
