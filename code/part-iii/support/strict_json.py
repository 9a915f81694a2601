"""Reads a JSON file strictly and exactly: the reader of every data file, of the chapters and of the lesson.

Numbers keep the text in which they are written until a field asks for a `Fraction` or an `int`; nothing passes
through a binary float. Whatever is wrong raises `command.Refused` with the file and the place in it.
"""
from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from typing import Any

from support import command
from support.command import Refused, quoted

MOST_DIGITS = 100  # digits of one number; the exponent lies within the same bound
MOST_COORDINATES = 64
MOST_TOKENS = 2000
LONGEST_NAME = 40  # characters of a token, so that tables stay tables

_RATIO = re.compile(r"-?[0-9]+(/[0-9]+)?")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE]([+-]?[0-9]+))?")


class Number(str):
    """A JSON number as the text that is written in the file."""


class _Fault(str):
    """What json.loads accepts and a record must not hold, kept until its place in the file is known."""


def rational(text: str) -> Fraction:
    """Return the value of a JSON number or of text like -3/8; raise ValueError with what is wrong.

    >>> rational("0.1"), rational("-3/8"), rational("1e2")
    (Fraction(1, 10), Fraction(-3, 8), Fraction(100, 1))
    """
    number = _NUMBER.fullmatch(text)
    if not number and not _RATIO.fullmatch(text):
        raise ValueError("应为 0.5 这样的小数或 \"1/2\" 这样的分数")
    exponent = number.group(4) if number else None
    mantissa = text[: number.start(3)] if number and exponent else text
    if sum(map(str.isdigit, mantissa)) > MOST_DIGITS:
        raise ValueError(f"数字超过 {MOST_DIGITS} 位")
    # The length is looked at first: an exponent of a million digits must not be turned into a number.
    if exponent and (len(exponent) > 8 or abs(int(exponent)) > MOST_DIGITS):
        raise ValueError(f"指数超出 ±{MOST_DIGITS}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("分母为零") from None


class Node:
    """A value in a JSON file together with the file and the JSON Pointer of its place."""

    def __init__(self, value: Any, file: str, place: str = "") -> None:
        self.value, self.file, self.place = value, file, place

    def refused(self, reason: str) -> Refused:
        """Return the error that names this place."""
        return Refused(reason, self.file, self.place or "文件顶层")

    def must(self, what: str) -> Refused:
        """Return the error that says what should have stood here, and what does."""
        value = self.value
        return self.refused(f"应为{what}，实为 {value if isinstance(value, Number) else quoted(value)}"[:200])

    def _below(self, key: Any, value: Any) -> Node:
        return Node(value, self.file, f"{self.place}/{str(key).replace('~', '~0').replace('/', '~1')}")

    def __getitem__(self, key: str) -> Node:
        if not isinstance(self.value, dict):
            raise self.must("对象")
        if key not in self.value:
            raise self.refused(f"缺少字段 {quoted(key)}")
        return self._below(key, self.value[key])

    def items(self, what: str, least: int = 1, most: int = MOST_TOKENS, exactly: int | None = None) -> list[Node]:
        """Return the members of a list whose length is bounded; `what` names them in the error."""
        if not isinstance(self.value, list):
            raise self.must("列表")
        size = len(self.value)
        if exactly is not None and size != exactly:
            raise self.refused(f"应有 {exactly} {what}，实有 {size}")
        if not least <= size <= most and exactly is None:
            raise self.refused(f"应有 {least} 至 {most} {what}，实有 {size}")
        return [self._below(i, member) for i, member in enumerate(self.value)]

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str) or isinstance(self.value, Number):
            raise self.must("文字")
        return self.value

    def exactly(self, text: str) -> None:
        """Refuse every string but one: the rule that the programs carry out."""
        if self.text() != text:
            raise self.must(f" {quoted(text)}（程序只按这一条规则计算）")

    def integer(self, least: int, most: int) -> int:
        """Return a JSON integer within bounds; 1.0, true and "1" are none."""
        value = self.value
        if isinstance(value, Number) and re.fullmatch("-?[0-9]{1,9}", value) and least <= int(value) <= most:
            return int(value)
        raise self.must(f" {least} 至 {most} 的整数")

    def rational(self) -> Fraction:
        """Return an exact number."""
        if not isinstance(self.value, str):
            raise self.must("数")
        try:
            if isinstance(self.value, Number) or _RATIO.fullmatch(self.value):
                return rational(self.value)
        except ValueError as error:
            raise self.refused(str(error)) from None
        raise self.must("数，或 \"1/2\" 这样的分数")

    def vector(self, size: int | None = None) -> list[Fraction]:
        """Return a row of `size` exact numbers; without a size 1 to 64 of them."""
        return [item.rational() for item in self.items("个数", 1, MOST_COORDINATES, size)]

    def matrix(self, rows: int, width: int | None = None) -> list[list[Fraction]]:
        """Return a matrix of exact numbers; the first row fixes a width that is not given."""
        matrix: list[list[Fraction]] = []
        for row in self.items("行", exactly=rows):
            matrix.append(row.vector(width if not matrix else len(matrix[0])))
        return matrix

    def names(self, what: str, most: int) -> list[str]:
        """Return distinct names that fit into a table."""
        names: list[str] = []
        for item in self.items(what, 1, most):
            name = item.text()
            if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
                raise item.must(f" 1 至 {LONGEST_NAME} 个可见字符，首尾没有空格")
            if name in names:
                raise item.refused(f"{quoted(name)} 重复了")
            names.append(name)
        return names


def load(file: str) -> tuple[Node, str]:
    """Return the JSON object in a file, and the sha256 of the file's bytes."""
    content, text = command.read_json_text(file)
    return parse(text, file), hashlib.sha256(content).hexdigest()


def parse(text: str, file: str) -> Node:
    """Return the JSON object in `text`; `file` is its path, for errors.

    Refused: what is not one JSON object; duplicate keys, NaN and Infinity, halves of surrogate pairs.
    """

    def pairs(members: list[tuple[str, Any]]) -> Any:
        table: dict[str, Any] = {}
        for key, value in members:
            if key in table:
                return _Fault(f"键 {quoted(key)} 重复了")
            table[key] = value
        return table

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=Number, parse_float=Number,
                           parse_constant=lambda name: _Fault(f"{name} 不是数"))
    except json.JSONDecodeError as error:
        reason = "文件是空的" if not text.strip() else "从这里起不是合法的 JSON"
        raise Refused(reason, file, f"第 {error.lineno} 行第 {error.colno} 列") from None
    top = Node(value, file)
    _clean(top)
    if not isinstance(value, dict):
        raise top.must("对象")
    return top


def _clean(node: Node) -> None:
    """Refuse what json.loads lets pass, at its place."""
    value = node.value
    if isinstance(value, _Fault):
        raise node.refused(value)
    if not isinstance(value, (dict, list)):
        return
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(key, str) and not _encodable(key):
            raise node.refused("键里有半个代理对（\\ud800 至 \\udfff）")
        if isinstance(member, (dict, list, _Fault)):
            _clean(node._below(key, member))
        elif isinstance(member, str) and not _encodable(member):
            raise node._below(key, member).refused("文字里有半个代理对（\\ud800 至 \\udfff）")


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
