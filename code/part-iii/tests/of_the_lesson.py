"""What the tests of lesson 6.1 share: its draws, its record with numbers for figures, its page."""
from __future__ import annotations

import json
import re
from typing import Any

from lesson import lesson_page, pinned
from lesson.figure import Figure
from lesson.pinned import PRINTED, RECORD
from lesson.trainings import Training, descent, train
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
RESULTS = numbers(RECORDED)
PARTS = (lesson_page.log, lesson_page.recall, lesson_page.wider, lesson_page.earlier, lesson_page.larger,
         lesson_page.longer, lesson_page.other_ways, lesson_page.structure, lesson_page.table_of_seeds)


def page(results: Any) -> list[str]:
    """Return the lines that the whole lesson prints."""
    lines = [line for part in PARTS for line in part(results)]
    return "\n".join([*lines, *lesson_page.claims(results["claims"], verdicts.claims(PRINTED))]).split("\n")


def plain(draws: pinned.Draws, last: int = 800, recall_at: int = 8, **setting: Any) -> Training:
    """Return a training by gradient descent."""
    return train(descent(draws, recall_at=recall_at, **setting), last, draws, "x", recall_at, kept=(1,))


def written(value: Any) -> Any:
    """Return results as the record has them."""
    return json.loads(record.layout(value))
