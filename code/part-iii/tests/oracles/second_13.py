"""Chapter 13 a second time: the encoder index by index, the timelines word by word, ln by mpmath."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from mpmath import iv

from chapters.bundle import OUTPUT_WORDS, SOURCE_WORDS, Translation
from core import Encoder, Vector
from tests.at_random import row
from tests.oracles.intervals import decimals, interval
from tests.shared import uncut

ZERO, ONE = Fraction(0), Fraction(1)
Table = dict[str, list[Fraction]]


def random_encoder(dice: random.Random) -> Encoder:
    """Return any encoder, seldom with diagonal matrices; W_h is small, so that no score leaves ±1000."""
    size, hidden = dice.randint(1, 3), dice.randint(1, 3)
    recurrent = [[dice.choice((-ONE, ZERO, ZERO, ONE / 2, ONE)) for _ in range(hidden)] for _ in range(hidden)]
    return Encoder(SOURCE_WORDS, [row(dice, size) for _ in SOURCE_WORDS], row(dice, hidden),
                   [row(dice, hidden) for _ in range(size)], recurrent, row(dice, hidden))


def readings(encoder: Encoder, ids: list[int], relu: bool = True) -> list[dict[str, Any]]:
    """Return every reading of a source."""
    state, readings = list(encoder.initial), []
    for t, i in enumerate(ids, 1):
        before = uncut(encoder, i, state)
        after = [ZERO if relu and number < 0 else number for number in before]
        readings.append({"t": t, "token": SOURCE_WORDS[i], "token_id": i, "input": encoder.embedding[i],
                     "previous_state": state, "preactivation": before, "state": after})
        state = after
    return readings


def likeliest(row: Vector) -> int:
    """Return the place of the greatest number, the first of equal ones."""
    best = 0
    for k in range(1, len(row)):
        if row[k] > row[best]:
            best = k
    return best


def written(rows: Table, limit: int) -> tuple[list[dict[str, Any]], str]:
    """Return the words that the table writes by itself."""
    word, choices = "BOS", list[dict[str, Any]]()
    while len(choices) < limit and word != "EOS":
        k = likeliest(rows[word])
        choices.append({"t": len(choices) + 1, "input": word, "probability": rows[word][k], "output": OUTPUT_WORDS[k]})
        word = OUTPUT_WORDS[k]
    return choices, "end" if word == "EOS" else "limit"


def loss(chances: Vector, places: int, over: int = 1) -> str | None:
    """Return the sum of -ln p over a number; there is none where a p is zero."""
    if 0 in chances:
        return None
    return decimals(sum((-iv.log(interval(p)) for p in chances if p != 1), iv.mpf(0)) / over, places)


def outputs(rows: Table, limit: int) -> dict[str, Any]:
    """Return the words alone, and what ended them."""
    choices, stopped = written(rows, limit)
    return {"outputs": [each["output"] for each in choices], "stopped": stopped}


def results(given: Translation) -> dict[str, Any]:
    """Return what `results.chapter_13` must be, but for the claims."""
    encoder, rows, target = given.encoder, {word: list(row) for word, row in given.rows.items()}, given.target
    paths = {name: readings(encoder, ids) for name, ids in (("source", given.source), ("contrast", given.contrast))}
    loose = {name: readings(encoder, ids, relu=False)[-1]["state"]
             for name, ids in (("source", given.source), ("contrast", given.contrast))}
    forced, chances, product = [], [], ONE
    for t, wanted in enumerate(target, 1):
        word = "BOS" if t == 1 else target[t - 2]
        chances.append(rows[word][OUTPUT_WORDS.index(wanted)])
        product *= chances[-1]
        forced.append({"t": t, "prefix": target[: t - 1], "input": word, "target": wanted,
                       "probability": chances[-1], "greedy": OUTPUT_WORDS[likeliest(rows[word])]})
    choices, stopped = written(rows, given.limit)
    wrong = other = met = None
    for each in reversed(forced):
        wrong = wrong if each["greedy"] == each["target"] else each["t"]
    for one, two in reversed(list(zip(forced, choices))):
        other = other if one["input"] == two["input"] else one["t"]
    for one, two in reversed(list(zip(paths["source"], paths["contrast"]))):
        met = {"t": one["t"], "state": one["state"]} if one["state"] == two["state"] else met
    row = [Fraction(p) for p in ("0", "0", "0.8", "0.1", "0.1", "0")]
    return {
        "unit": "ln 2", "unit_decimal": decimals(iv.ln2),
        "parameters": {**encoder._asdict(), "source": given.source, "contrast": given.contrast,
                       "candidates": OUTPUT_WORDS, "rows": rows, "target": target, "limit": given.limit},
        "table_13_2": paths, "meeting": met, "without_relu": loose, "table_13_3": forced,
        "example_13_2": {"probability": product, "loss": loss(chances, 16), "mean_loss": loss(chances, 6, len(target))},
        "table_13_5": {"rows": choices, "stopped": stopped},
        "limit_of_two": outputs(rows, 2), "first_wrong_prediction": wrong, "first_different_input": other,
        "exercise_1": [{"input": one, "target": two} for one, two in (
            ("BOS", "blue"), ("blue", "door"), ("door", "."), (".", "EOS"))],
        "exercise_3": {"row": row, **outputs({**rows, "blue": row}, given.limit)},
        "exercise_5": {"terms": len(target) - 1, "loss": loss(chances[:-1], 16),
                       "mean_loss": loss(chances[:-1], 6, len(target) - 1)},
    }
