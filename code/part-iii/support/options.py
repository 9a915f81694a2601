"""Command lines of the programs that take options: as beginners type them, refused in one line of Chinese."""
from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any
from unicodedata import normalize

from support.command import Refused, quoted
from support.shapes import rational


def parsed(arguments: Sequence[str], valued: Sequence[str], flags: Sequence[str] = ()) -> dict[str, Any]:
    """Return for each option in `valued` its texts as typed (None where absent), for each flag whether it is there.

    Texts follow their option; a negative number is a text, not an option. Nothing is abbreviated. Raises Refused for
    what no option takes, and for an option or a flag twice.

    >>> parsed(["--bias", "-1/2", "0", "--reset"], ["bias", "retain"], ["reset", "json"])
    {'bias': ['-1/2', '0'], 'retain': None, 'reset': True, 'json': False}
    """
    values: dict[str, Any] = {**dict.fromkeys(valued), **dict.fromkeys(flags, False)}
    texts: list[str] | None = None  # of the option before
    for word in arguments:
        name = word[2:] if word.startswith("--") else ""
        if values.get(name) not in (None, False):
            raise Refused(f"命令行：--{name} 写了不止一次")
        if name in valued:
            texts = values[name] = []
        elif name in flags:
            values[name], texts = True, None
        elif texts is None or re.match("-[^0-9]", word):
            raise Refused(f"命令行：不认识 {quoted(word)}，用 -h 看例子")
        else:
            texts.append(word)
    return values


def numbers(option: str, texts: Sequence[str], count: int = 1) -> list[Fraction]:
    """Return the numbers that an option takes, as they are written; an input method may have made them wide."""
    if len(texts) != count:
        raise Refused(f"命令行：--{option} 后面应有 {count} 个数，实有 {len(texts)} 个")
    values = []
    for text in texts:
        try:
            values.append(rational(normalize("NFKC", text)))
        except ValueError as error:
            raise Refused(f"命令行：--{option} 的 {quoted(text)}：{error}") from None
    return values
