"""Chapter 14 by counts, apart from the program.

Where scores differ by whole numbers a position counts 2^(score - least). Then a weight is a count over all counts, and
a context is a mean over so many copies of each state. Elsewhere the counts are e^(d·ln 2) between rational bounds. The
states are those of the reflected sum (closed_13.py).
"""
from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from derivation.closed_13 import Encoder
from derivation.enclosures import Bounds, decimal, exp_bounds, ln_bounds, logarithm, settled
from derivation.powers_11 import ZERO, Row, dot, row, rows

ONE, TWO = Fraction(1), Fraction(2)


def counts_of(scores: Row) -> Row | None:
    """Return how often each state counts beside the least, a power of two; None where that is no whole number."""
    least = min(scores)
    whole = all((score - least).denominator == 1 for score in scores)
    return [TWO ** int(score - least) for score in scores] if whole else None


def without(j: int | None, rows: list[Any]) -> list[Any]:
    """Return a list without what stands at a place."""
    return [row for i, row in enumerate(rows) if i != j]


def read(query: Row, saved: list[Row], readout: Row, removed: int | None = None) -> dict[str, Any]:
    """Return one read; a removed position has no score and the weight zero."""
    left = without(removed, saved)
    scores = [dot(query, state) for state in left]
    columns = [*zip(*left), [dot(readout, state) for state in left]]  # of the context, and of what is read

    def placed(numbers: list[Any], nothing: Any) -> list[Any]:
        return numbers if removed is None else [*numbers[:removed], nothing, *numbers[removed:]]

    weights = context = answer = powers = None
    counts = counts_of(scores)
    if counts is None:
        depths = [score - max(scores) for score in scores]
        single = [[ONE * (i == j) for j in range(len(depths))] for i in range(len(depths))]
        weights_decimal = placed(quotients(depths, single), decimal(ZERO))
        means = quotients(depths, columns, in_ln2=True)
    else:
        weights = placed([n / sum(counts, ZERO) for n in counts], ZERO)
        *context, answer = [dot(counts, column) / sum(counts, ZERO) for column in columns]
        weights_decimal = [decimal(weight) for weight in weights]
        means = [logarithm(TWO, scale=number) for number in (*context, answer)]
        if scores[0].denominator == 1:
            powers = [TWO ** int(score) for score in scores]
    return {
        "query": query, "scores": placed(scores, None),
        "exponentials": None if powers is None else placed(powers, None),
        "exponential_sum": None if powers is None else sum(powers, ZERO),
        "weights": weights, "weights_decimal": weights_decimal,
        "context": context, "context_decimal": means[:-1], "readout": answer, "readout_decimal": means[-1],
    }


def quotients(depths: Row, numerators: Sequence[Sequence[Fraction]], in_ln2: bool = False) -> list[Decimal]:
    """Return Σ g_j·2^d_j / Σ 2^d_j for each row g, or ln 2 times it; every depth d is at most zero, one is zero.

    Bounds settle a single weight where depths differ by no whole number: it is irrational then. ln 2 times a quotient
    they settle always: it is transcendental, or zero.
    """

    def bounds(bits: int) -> list[Bounds]:
        ln = ln_bounds(TWO, bits + 8)
        powers = [(exp_bounds(d * ln[1], bits)[0], exp_bounds(d * ln[0], bits)[1]) for d in depths]
        least, most = map(sum, zip(*powers))
        factors, pairs = ln if in_ln2 else (ONE, ONE), []
        for g in numerators:
            ends = [sum((number * power[(number > 0) == upper] for number, power in zip(g, powers)), ZERO)
                    for upper in (False, True)]
            corners = [end / total * factor for end in ends for total in (least, most) for factor in factors]
            pairs.append((min(corners), max(corners)))
        return pairs

    return settled(bounds)


def results(translation: Any, given: Any) -> dict[str, Any]:
    """Return what `results.chapter_14` of run.json must be, but for the claims."""
    encoder, source = Encoder(translation), translation["source_ids"]
    saved, contrast = encoder.states(source), encoder.states(translation["contrast_source_ids"])
    first, second = rows(given["queries"])
    readout, positions = row(given["readout"]), given["deletion_indices"]
    width, steps = len(readout), len(translation["target"])
    counted = read(first, saved, readout)
    by_hand = counted["exponentials"]

    def encoded_again(position: int) -> dict[str, Any]:
        ids = without(position, source)
        states, uncut, _ = encoder.path(ids)
        return {"removed": position + 1, "tokens": [encoder.vocabulary[i] for i in ids], "preactivations": uncut,
                "states": states, "read": read(first, states, readout)}

    def silenced(position: int) -> dict[str, Any] | None:
        scores = [*counted["scores"][:position], ZERO, *counted["scores"][position + 1 :]]
        counts = counts_of(scores)
        return None if counts is None else {
            "position": position + 1, "scores": scores, "weights": [n / sum(counts, ZERO) for n in counts]}

    return {
        "unit": "ln 2",
        "parameters": {"queries": [first, second], "readout": readout, "positions": [n + 1 for n in positions]},
        "states": saved,
        "example_14_1": counted,
        "example_14_2": read(second, saved, readout),
        "contrast": {"states": contrast, "read": read(first, contrast, readout)},
        "table_14_2": [{"removed": None, "read": counted},
                       *({"removed": n + 1, "read": read(first, saved, readout, n)} for n in positions)],
        "table_14_3": list(map(encoded_again, positions)),
        "zero_score": silenced(positions[0]) if positions else None,
        "nothing_left": {"positions": 0, "refused": True},  # by hand: without counts there is nothing to divide by
        "storage": {"bytes_per_number": 8, "steps": steps, "positions": len(source),
                    "fixed_numbers": width, "saved_numbers": len(source) * width, "fixed_bytes": 8 * width,
                    "saved_bytes": 8 * len(source) * width, "dot_products": steps * len(source)},
        "exercise_1": read([ONE] * width, saved, readout),
        "exercise_2": {
            "wrong_weights": None if by_hand is None else [number / len(source) for number in by_hand],
            "sum": None if by_hand is None else sum(by_hand, ZERO) / len(source),
            "zero_query": read([ZERO] * width, saved, readout)},
        "exercise_5": {"states": 100, "width": width, "bytes_per_number": 8, "steps": steps,
                       "numbers": 100 * width, "bytes": 800 * width, "dot_products": 100 * steps},
    }
