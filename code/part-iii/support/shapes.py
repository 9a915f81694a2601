"""Reads a JSON file strictly and exactly into plain dicts, lists, texts and numbers, and holds it against a shape.

A number is an `int` or a `Fraction`, the decimal that is written; nothing passes through a binary float. A shape is a
dict of the fields that an object must have (others are passed over), a list of the shapes of a list's members, `Items`
for a list of another length, or a function that returns what a value stands for or raises ValueError with what should
have been there. Whatever does not fit raises `command.Refused` with the file and the first place that does not.
"""
from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from support import command
from support.command import Refused, quoted
from support.spelling import plain

WRITTEN_DIGITS = 40  # of a number; its exponent lies within the same bound
_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]+)?)")


class _Fault(str):
    """What json accepts and a file must not hold, kept until its place is known."""


def rational(text: str) -> Fraction:
    """Return the value of a JSON number or of text like -3/8; raise ValueError with what is wrong.

    >>> rational("0.1"), rational("-3/8"), rational("1e2")
    (Fraction(1, 10), Fraction(-3, 8), Fraction(100, 1))
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError("应为数，或 \"1/2\" 这样的分数")
    mantissa, _, exponent = text.lower().partition("e")
    if sum(map(str.isdigit, mantissa)) > WRITTEN_DIGITS:
        raise ValueError(f"数字超过 {WRITTEN_DIGITS} 位")
    if len(exponent) > 4 or abs(int(exponent or 0)) > WRITTEN_DIGITS:
        raise ValueError(f"指数超出 ±{WRITTEN_DIGITS}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("分母为零") from None


def read(file: str) -> tuple[Any, str]:
    """Return what a JSON file says, and the sha256 of its bytes."""
    content, text = command.read_json_text(file)
    return parse(text, file), hashlib.sha256(content).hexdigest()


def parse(text: str, file: str) -> Any:
    """Return what a JSON text says; a key with two values, NaN and a number too long are refused where it is needed."""

    def members(pairs: list[tuple[str, Any]]) -> Any:
        table = dict(pairs)
        for key, value in pairs:
            if table[key] is not value:
                return _Fault(f"键 {quoted(key)} 重复了")
        return table

    def number(text: str) -> Any:
        try:
            exact = rational(text)
        except ValueError as error:
            return _Fault(error)
        return exact if set(text) & set(".eE") else int(exact)

    try:
        return json.loads(text, object_pairs_hook=members, parse_int=number, parse_float=number,
                          parse_constant=lambda name: _Fault(f"{name} 不是数"))
    except json.JSONDecodeError as error:
        reason = "文件是空的" if not text.strip() else "从这里起不是合法的 JSON"
        raise Refused(reason, file, f"第 {error.lineno} 行第 {error.colno} 列") from None
    except RecursionError:
        raise Refused("嵌套太深", file) from None


# ---------------------------------------------------------------- shapes


class Items(NamedTuple):
    """A list of so many members of one shape."""

    shape: Any
    least: int
    most: int


def fitted(value: Any, shape: Any, file: str, place: str = "") -> Any:
    """Return a value as its shape has it; raise Refused with the first place that does not fit, and what should."""
    try:
        if isinstance(value, _Fault):
            raise Refused(value, file, place or "文件顶层")
        if isinstance(shape, dict):
            if not isinstance(value, dict):
                raise ValueError("应为对象")
            for key in shape:
                if key not in value:
                    raise Refused(f"缺少字段 {quoted(key)}", file, place or "文件顶层")
            return {key: fitted(value[key], shape[key], file, f"{place}/{key}") for key in shape}
        if isinstance(shape, (list, Items)):
            least, most = (len(shape),) * 2 if isinstance(shape, list) else shape[1:]
            if not isinstance(value, list):
                raise ValueError("应为列表")
            if not least <= len(value) <= most:
                wanted = f"{least}" if least == most else f"{least} 至 {most}"
                raise Refused(f"应有 {wanted} 项，实有 {len(value)}", file, place)
            shapes = shape if isinstance(shape, list) else [shape.shape] * len(value)
            return [fitted(member, each, file, f"{place}/{i}") for i, (member, each) in enumerate(zip(value, shapes))]
        return shape(value)
    except ValueError as error:
        shown = plain(value) if isinstance(value, Fraction) else quoted(value)
        raise Refused(f"{error}，实为 {shown}", file, place or "文件顶层") from None


def number(value: Any) -> Fraction:
    """Return an exact number: a JSON number, or text like "1/2"."""
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    return rational(str(value))  # of what is no text it is no number either


def integer(least: int, most: int) -> Callable[[Any], int]:
    """Return the shape of a JSON integer within bounds; 1.0, true and "1" are none."""

    def shape(value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise ValueError(f"应为 {least} 至 {most} 的整数")

    return shape


def text(value: Any) -> str:
    """Return a text."""
    if isinstance(value, str):
        return value
    raise ValueError("应为文字")


def exactly(wanted: Any) -> Callable[[Any], Any]:
    """Return the shape of a value that the programs require as it is."""

    def shape(value: Any) -> Any:
        if type(value) is type(wanted) and value == wanted:
            return value
        named = plain(wanted) if isinstance(wanted, Fraction) else json.dumps(wanted, ensure_ascii=False)
        raise ValueError(f"应为 {named}（程序只按它计算）")

    return shape
