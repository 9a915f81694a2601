"""What a verdict is, for the claims of the chapters and of the lesson: how it is reached, worded and shown.

A verdict is "holds", "fails", "depends" or "outside"; the wording of each claim and the fields that are its
evidence stand in the text's printed-v1.json under the same id.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from support import show, strict_json
from support.command import located
from support.show import wrapped
from support.spelling import LONGEST, fraction

VERDICTS = {"holds": "成立", "fails": "不成立", "depends": "视条件而定", "outside": "不由计算判定"}
NO_CASE = "这份数据里没有这样的情形"  # of a claim that a computation decides where there is one

Decision = tuple[bool, str]  # whether a claim holds, and the figures that decide it


class NoEvidence(Exception):
    """A field that a claim needs is null, or the data have fewer cases than the text."""


def known(value: Any) -> Any:
    """Return the value of a field that has one; raise NoEvidence for null."""
    if value is None:
        raise NoEvidence
    return value


def exhibited(case: object) -> None:
    """Raise NoEvidence unless the data have the case that a claim speaks of: what may be is not refuted by one data
    set in which it is not.
    """
    if not case:
        raise NoEvidence


def brief(number: Fraction) -> str:
    """Return a number among the figures of a verdict."""
    return fraction(number, LONGEST)


def row(numbers: Iterable[Fraction]) -> str:
    """Return a row of such numbers, in brackets."""
    return show.row(map(brief, numbers))


def judged(results: Any, decided: dict[str, Callable[[Any], Decision]],
           undecided: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the verdict on each claim by its id, and the figures that decide it ("" where none can).

    `decided` has a test of the results for each claim that a computation can decide, `undecided` the other ids.
    """
    reached: dict[str, tuple[str, str]] = {}
    for name, test in decided.items():
        try:
            holds, figures = test(results)
            reached[name] = ("holds" if holds else "fails", figures)
        except NoEvidence:
            reached[name] = ("outside", "")
    return {**reached, **dict.fromkeys(undecided, ("outside", ""))}


def said(verdict: str, decidable: bool) -> str:
    """Return a verdict in words: "outside" is another thing where a computation could decide."""
    return NO_CASE if verdict == "outside" and decidable else VERDICTS[verdict]


def counted(verdicts: Mapping[str, str], undecided: Sequence[str]) -> str:
    """Return how many claims have each verdict.

    >>> counted({"a": "holds", "b": "outside", "c": "holds", "d": "outside"}, ["b"])
    '成立 2，这份数据里没有这样的情形 1，不由计算判定 1'
    """
    reached = [said(verdict, name not in undecided) for name, verdict in verdicts.items()]
    words = [*list(VERDICTS.values())[:-1], NO_CASE, VERDICTS["outside"]]
    return "，".join(f"{word} {reached.count(word)}" for word in words if word in reached)


class Claim(NamedTuple):
    """What a text says: where, in our own words, and whether a computation could decide it."""

    identity: str
    place: str
    wording: str
    decidable: bool


def claims(printed: str) -> list[Claim]:
    """Return the claims of a text in its own order; `printed` is a path from the root of the repository."""
    entries = strict_json.load(located(printed))[0]["claims"].items("条论断")
    return [Claim(entry["id"].text(), entry["place"].text(), entry["claim"].text(), bool(entry["evidence"].value))
            for entry in entries]


def claim_lines(reached: Mapping[str, tuple[str, str]], entries: Sequence[Claim], unit: str) -> Iterator[str]:
    """Yield the verdicts on the claims of a page, under their places, each with the figures that decide it; `unit` is
    that of states, scores and what is read.
    """
    by_place: dict[str, list[Claim]] = {}
    for claim in entries:
        if claim.identity in reached:
            by_place.setdefault(re.sub("^第 [0-9]+ 章，", "", claim.place), []).append(claim)
    yield f"\n论断（括号里的状态、分数、上下文与读数以 {unit} 为单位）" if unit else "\n论断"
    for place, there in by_place.items():
        yield f"  {place}"
        for claim in there:
            verdict, figures = reached[claim.identity]
            shown = f"（{figures}）" if figures else ""
            yield from wrapped(f"{said(verdict, claim.decidable)}{shown}：{claim.wording}", "    ")
