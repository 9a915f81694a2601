"""What a verdict is, for the claims of the chapters and of the lesson: how it is reached, worded and shown.

A verdict is "holds", "fails", "depends" or "outside"; the wording of each claim and the fields that are its
evidence stand in the text's printed-v1.json under the same id.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from support import strict_json
from support.command import located
from support.show import wrapped

VERDICTS = {"holds": "成立", "fails": "不成立", "depends": "视条件而定", "outside": "这里判定不了"}

Decision = tuple[bool, str]  # whether a claim holds, and the figures that decide it


class NoEvidence(Exception):
    """A field that a claim needs is null, or the data have fewer cases than the text."""


def known(value: Any) -> Any:
    """Return the value of a field that has one; raise NoEvidence for null."""
    if value is None:
        raise NoEvidence
    return value


def judged(found: Any, decided: dict[str, Callable[[Any], Decision]],
           undecided: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the verdict on each claim by its id, and the figures that decide it ("" where none can).

    `decided` has a test of the results for each claim that a computation can decide, `undecided` the other ids.
    """
    reached: dict[str, tuple[str, str]] = {}
    for name, test in decided.items():
        try:
            holds, figures = test(found)
            reached[name] = ("holds" if holds else "fails", figures)
        except NoEvidence:
            reached[name] = ("outside", "")
    return {**reached, **dict.fromkeys(undecided, ("outside", ""))}


def texts(printed: str) -> dict[str, str]:
    """Return the wording of each claim of a text by its id; `printed` is a path from the root of the repository."""
    claims = strict_json.load(located(printed))[0]["claims"].items("条论断")
    return {claim["id"].text(): claim["claim"].text() for claim in claims}


def claim_lines(verdicts: dict[str, str], texts: dict[str, str]) -> Iterator[str]:
    """Yield each verdict with the wording of its claim."""
    yield "\n论断"
    for identity, verdict in verdicts.items():
        yield from wrapped(f"{VERDICTS[verdict]}：{texts.get(identity, identity)}", "  ")
