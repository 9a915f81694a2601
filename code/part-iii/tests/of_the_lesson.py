"""What the tests of lesson 6.1 share: its draws, its record with numbers for figures, its page."""
from __future__ import annotations

import json
import re
from typing import Any

from lesson import lesson_claims, lesson_page, pinned
from lesson.figure import Figure
from lesson.pinned import PRINTED, RECORD, Draws, Setting
from lesson.trainings import Training, train
from support import record, verdicts
from tests.shared import loaded


def numbers(value: Any) -> Any:
    """Return recorded results with each decimal as the number that it was before, as far as it is recorded."""
    if isinstance(value, dict):
        return {key: numbers(member) for key, member in value.items()}
    if isinstance(value, list):
        return list(map(numbers, value))
    if isinstance(value, str) and re.fullmatch(r"\d+\.\d+(e[-+]\d+)?", value):
        return Figure(float(value), ".2e" if "e" in value else f".{len(value.partition('.')[2])}f")
    return value


DRAWS, COUNTS = pinned.read_draws(), pinned.read_seeds()[0]
RECORDED, LEDGER = loaded(RECORD)["results"], loaded(PRINTED)
RESULTS, CLAIMS = numbers(RECORDED), verdicts.claims(PRINTED)


def judged(results: Any) -> dict[str, verdicts.Verdict]:
    """Return the verdicts on some results, with their figures."""
    return verdicts.judged(lesson_claims, results, CLAIMS)


def page(results: Any, everything: bool = True) -> list[str]:
    """Return the lines that the whole lesson prints."""
    lines = [lesson_page.FIRST, *lesson_page.page(results, judged(results), CLAIMS, everything)]
    return "\n".join(lines).split("\n")


def plain(draws: Draws, **setting: Any) -> Training:
    """Return a training, the lesson's own unless told otherwise."""
    return train(draws, Setting()._replace(**setting), kept=(1,))


def written(value: Any) -> Any:
    """Return results as the record has them."""
    return json.loads(record.layout(value))
