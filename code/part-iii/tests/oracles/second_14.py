"""Chapter 14 a second time: powers of two and quotients by mpmath, and by fractions where scores differ by integers."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from mpmath import iv

from chapters.bundle import SOURCE_WORDS, Attention, Translation
from core import Encoder, Matrix, Vector
from tests.oracles.intervals import decimals, interval
from tests.oracles.second_13 import readings

ZERO, ONE = Fraction(0), Fraction(1)


def rising_halves(given: Translation) -> Translation:
    """Return an encoder and a source whose states are 1/2, 1/2, 3/2, …, 13/2: the first weight is 1/128, a tie."""
    plain = Encoder(SOURCE_WORDS, [[Fraction(1, 2)], [ZERO], [ONE], [-ONE]], [ZERO], [[ONE]], [[ONE]], [ZERO])
    return given._replace(encoder=plain, source=[0, 1, 2, 2, 2, 2, 2, 2])


def read(query: Vector, states: Matrix, readout: Vector, removed: int | None = None) -> dict[str, Any]:
    """Return one read."""
    positions, width = range(len(states)), range(len(query))
    scores: list[Fraction | None] = []
    for j in positions:
        total = ZERO
        for k in width:
            total += query[k] * states[j][k]
        scores.append(None if j + 1 == removed else total)
    known = [score for score in scores if score is not None]
    powers = [iv.mpf(0) if score is None else iv.exp(interval(score - max(known)) * iv.ln2) for score in scores]
    shares = [power / sum(powers) for power in powers]
    context = [sum((share * interval(state[k]) for share, state in zip(shares, states)), iv.mpf(0)) for k in width]
    result: dict[str, Any] = {
        "query": query, "scores": scores, "exponentials": None, "exponential_sum": None, "weights": None,
        "weights_decimal": [decimals(share) for share in shares], "context": None,
        "context_decimal": [decimals(number * iv.ln2) for number in context], "readout": None,
        "readout_decimal": decimals(sum((number * interval(a) for number, a in zip(context, readout)), iv.mpf(0))
                                    * iv.ln2)}
    if all(score % 1 == 0 for score in known):
        result["exponentials"] = [None if score is None else Fraction(2) ** int(score) for score in scores]
        result["exponential_sum"] = sum(number for number in result["exponentials"] if number is not None)
    if all((score - known[0]) % 1 == 0 for score in known):
        counts = [ZERO if score is None else Fraction(2) ** int(score - known[0]) for score in scores]
        result["weights"] = [count / sum(counts) for count in counts]
        result["context"] = [sum((w * state[k] for w, state in zip(result["weights"], states)), ZERO) for k in width]
        result["readout"] = sum((number * a for number, a in zip(result["context"], readout)), ZERO)
    return result


def results(given: Translation, asked: Attention) -> dict[str, Any]:
    """Return what `results.chapter_14` must be, but for the claims."""
    first, second = asked.queries
    readout, width, steps = asked.readout, len(asked.readout), len(given.target)

    def states(ids: list[int]) -> Matrix:
        return [each["state"] for each in readings(given.encoder, ids)]

    saved, contrast = states(given.source), states(given.contrast)
    whole, count, deleted = read(first, saved, readout), len(saved), []
    for place in asked.positions:
        left = [*given.source[: place - 1], *given.source[place:]]
        deleted.append({"removed": place, "tokens": [SOURCE_WORDS[i] for i in left], "states": states(left),
                        "read": read(first, states(left), readout)})
    wrong = None if whole["exponentials"] is None else [number / count for number in whole["exponentials"]]
    return {
        "unit": "ln 2",
        "parameters": {"queries": asked.queries, "readout": readout, "positions": asked.positions},
        "states": saved, "example_14_1": whole, "example_14_2": read(second, saved, readout),
        "contrast": {"states": contrast, "read": read(first, contrast, readout)},
        "table_14_2": [{"removed": None, "read": whole}] + [
            {"removed": n, "read": read(first, saved, readout, n)} for n in asked.positions],
        "table_14_3": deleted, "nothing_left": {"positions": 0, "refused": True},
        "storage": {"fixed_numbers": width, "saved_numbers": count * width, "fixed_bytes": width * 8,
                    "saved_bytes": count * width * 8, "dot_products": steps * count},
        "exercise_1": read([ONE] * width, saved, readout),
        "exercise_2": {"wrong_weights": wrong, "sum": None if wrong is None else sum(wrong),
                       "zero_query": read([ZERO] * width, saved, readout)},
        "exercise_5": {"states": 100, "numbers": 100 * width, "bytes": 800 * width, "dot_products": 100 * steps},
    }
