"""What a verdict is, for the claims of the chapters and of the lesson: how it is reached, worded and shown.

A verdict is "holds", "fails", "depends" or "outside"; the wording of each claim and the fields that are its
evidence stand in the text's printed-v1.json under the same id.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Union

from support.command import Refused, located
from support.record import NO_CASE, VERDICTS, said
from support.shapes import Items, fitted, read, text
from support.show import wrapped

Decision = tuple[Union[bool, str], str]  # whether a claim holds, or a verdict, and the figures that decide it
Claim = dict[str, Any]  # an entry of a ledger


class NoEvidence(Exception):
    """A field that a claim needs is null, or the data have fewer cases than the text."""


def known(value: Any) -> Any:
    """Return the value of a field that has one; raise NoEvidence for null."""
    if value is None:
        raise NoEvidence
    return value


def exhibited(case: Any) -> Any:
    """Return the case that a claim speaks of; raise NoEvidence unless the data have it: what may be is not refuted by
    one data set in which it is not.
    """
    if not case:
        raise NoEvidence
    return case


class Verdict(str):
    """A verdict, with the figures that decide it for a page."""

    figures = ""


def judged(room: ModuleType, results: Any, ledger: Sequence[Claim]) -> dict[str, Verdict]:
    """Return the verdict on each claim by its id, in the order of the ledger.

    A claim that has evidence is decided by the public function of `room` that is named like its id, "_" for "-": it
    gets the results and returns whether the claim holds (true, false, or a verdict in words) and the figures. Where it
    raises NoEvidence, and for a claim without evidence, the verdict is "outside". Raises Refused, with the file of the
    room, for a claim without a function.
    """
    reached = {}
    for claim in ledger:
        name = claim["id"].replace("-", "_")
        if claim["evidence"] and name not in vars(room):
            raise Refused(f"没有与论断同名的函数：{name}", str(room.__file__))
        try:
            holds, figures = vars(room)[name](results) if claim["evidence"] else ("outside", "")
        except NoEvidence:
            holds, figures = "outside", ""
        verdict = Verdict(holds if isinstance(holds, str) else "holds" if holds else "fails")
        verdict.figures = figures
        reached[claim["id"]] = verdict
    return reached


def counted(verdicts: Mapping[str, str], ledger: Sequence[Claim]) -> str:
    """Return how many claims have each verdict."""
    reached = [said(verdicts[claim["id"]], claim["evidence"]) for claim in ledger]
    words = [*list(VERDICTS.values())[:-1], NO_CASE, VERDICTS["outside"]]
    return "，".join(f"{word} {reached.count(word)}" for word in words if word in reached)


def claims(printed: str) -> list[Claim]:
    """Return the claims of a text in its own order; `printed` is a path from the root of the repository."""
    file = located(printed)
    ledger: Any = read(file)[0]
    entry = {"id": text, "place": text, "claim": text, "evidence": Items(text, 0, 100)}
    fitted(ledger, {"claims": Items(entry, 1, 1000)}, file)
    return list(ledger["claims"])


def of_chapter(ledger: Sequence[Claim], name: str) -> list[Claim]:
    """Return the claims of "chapter_13", say, by the first number of their place: 例 13.2 is one of them."""
    return [claim for claim in ledger if re.findall("1[1-4]", claim["place"])[:1] == [name[-2:]]]


def claim_lines(reached: Mapping[str, Verdict], entries: Sequence[Claim]) -> Iterator[str]:
    """Yield the claims of a page under their places: what the text says, and then its verdict with the figures."""
    by_place: dict[str, list[Claim]] = {}
    for claim in entries:
        by_place.setdefault(re.sub("^第 [0-9]+ 章，", "", claim["place"]), []).append(claim)
    yield "\n论断：原文的话，用我们的词写；下一行是判定"
    for place, there in by_place.items():
        yield f"  {place}"
        for claim in there:
            verdict = reached[claim["id"]]
            shown = f"：{verdict.figures}" if verdict.figures else ""
            yield from wrapped(claim["claim"], "    ")
            yield from wrapped(f"{said(verdict, claim['evidence'])}{shown}", "      ")
