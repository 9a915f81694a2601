"""Command lines of the programs that take options: argparse, with Chinese errors and without abbreviations."""
from __future__ import annotations

import argparse
import re
from fractions import Fraction
from typing import Any, NoReturn, Sequence

from support.command import Refused, quoted
from support.strict_json import rational


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused("命令行：写法不对，用 -h 看例子")  # argparse's own words differ between versions


def parsed(arguments: Sequence[str], valued: Sequence[str], flags: Sequence[str] = ()) -> dict[str, Any]:
    """Return for each option in `valued` its texts as typed (None where absent), for each flag whether it is there.

    Negative numbers are values, not options. Raises Refused for what no option takes, and for an option twice.
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    for option in valued:
        parser.add_argument(f"--{option}", nargs="*", action="append")
    for option in flags:
        parser.add_argument(f"--{option}", action="store_true")
    # What starts with a space is no option to argparse; no value that is accepted starts with one.
    found, rest = parser.parse_known_args([" " + a if re.match(r"-[0-9.]", a) else a for a in arguments])
    values = {option.replace("_", "-"): value for option, value in vars(found).items()}
    for option in valued:
        given = values[option] or [None]
        if len(given) > 1:
            raise Refused(f"命令行：--{option} 写了不止一次")
        values[option] = given[0] and [text[text.startswith(" -"):] for text in given[0]]
    if rest:
        raise Refused(f"命令行：不认识 {quoted(rest[0].strip())}，用 -h 看例子")
    return values


def exact(option: str, text: str) -> Fraction:
    """Return a number of the command line as it is written."""
    try:
        return rational(text)
    except ValueError as error:
        raise Refused(f"命令行：--{option} 的 {quoted(text)}：{error}") from None


def only(option: str, texts: Sequence[str]) -> Fraction:
    """Return the one number that an option takes."""
    if len(texts) != 1:
        raise Refused(f"命令行：--{option} 后面应有 1 个数，实有 {len(texts)} 个")
    return exact(option, texts[0])
