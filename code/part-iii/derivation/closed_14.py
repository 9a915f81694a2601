"""Chapter 14 by counts, apart from the program.

Where scores differ by whole numbers a position counts 2^(score - least). Then a weight is a count over all counts, and
a context is a mean over so many copies of each state. Elsewhere the counts are e^(d·ln 2) between rational bounds. The
states are those of the reflected sum (closed_13.py).
"""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from derivation.closed_13 import Encoder, Row
from derivation.enclosures import Bounds, decimal, exp_bounds, ln_bounds, logarithm, settled

ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)


def read(query: Row, saved: list[Row], readout: Row, removed: int | None = None) -> dict[str, Any]:
    """Return one read; a removed position has no score and the weight zero."""
    left = [j for j in range(len(saved)) if j != removed]
    scores = {j: sum((a * b for a, b in zip(query, saved[j])), ZERO) for j in left}
    values = {j: [*saved[j], sum((a * b for a, b in zip(readout, saved[j])), ZERO)] for j in left}
    least, most = min(scores.values()), max(scores.values())
    whole = all((score - least).denominator == 1 for score in scores.values())
    exact: list[Fraction | None] = [None] * (len(readout) + 1)
    weights = None
    if whole:
        counts = {j: 2 ** int(scores[j] - least) for j in left}
        everyone = sum(counts.values())
        weights = [Fraction(counts.get(j, 0), everyone) for j in range(len(saved))]
        exact = [sum((counts[j] * values[j][k] for j in left), ZERO) / everyone for k in range(len(readout) + 1)]
        weights_decimal = [decimal(weight) for weight in weights]
        means = [logarithm(TWO, scale=number) for number in exact if number is not None]
    else:
        held = quotients({j: scores[j] - most for j in left}, [{j: ONE} for j in left])
        weights_decimal = [held[left.index(j)] if j in scores else decimal(ZERO) for j in range(len(saved))]
        means = quotients({j: scores[j] - most for j in left},
                          [{j: values[j][k] for j in left} for k in range(len(readout) + 1)], in_ln2=True)
    integers = all(score.denominator == 1 for score in scores.values())
    powers = [TWO ** int(scores[j]) if j in scores else None for j in range(len(saved))] if integers else None
    return {
        "query": query, "scores": [scores.get(j) for j in range(len(saved))], "exponentials": powers,
        "exponential_sum": TWO**int(least) * everyone if integers else None,
        "weights": weights, "weights_decimal": weights_decimal,
        "context": exact[:-1] if whole else None, "context_decimal": means[:-1],
        "readout": exact[-1], "readout_decimal": means[-1],
    }


def quotients(depths: dict[int, Fraction], numerators: list[dict[int, Fraction]], in_ln2: bool = False) -> list[str]:
    """Return Σ g_j·2^d_j / Σ 2^d_j for each g, or ln 2 times it; every depth d is at most zero, one is zero.

    Depths are sorted by what they leave modulo 1. Powers of two with different remainders are independent over the
    rationals, so that a quotient is rational just where every remainder's share is the same multiple of the one below.
    """
    parted = {j: divmod(d, 1) for j, d in depths.items()}

    def by_remainder(g: dict[int, Fraction]) -> dict[Fraction, Fraction]:
        sums = dict.fromkeys((remainder for _, remainder in parted.values()), ZERO)
        for j, (whole, remainder) in parted.items():
            sums[remainder] += g.get(j, ZERO) * TWO**whole
        return sums

    below = by_remainder(dict.fromkeys(depths, ONE))
    settled_ones, open_ones = {}, []
    for n, g in enumerate(numerators):
        shares = {above / below[remainder] for remainder, above in by_remainder(g).items()}
        if len(shares) == 1:
            share = shares.pop()
            settled_ones[n] = logarithm(TWO, scale=share) if in_ln2 else decimal(share)
        else:
            open_ones.append(g)

    def bounds(bits: int) -> list[Bounds]:
        ln = ln_bounds(TWO, bits + 8)
        powers = {j: (exp_bounds(d * ln[1], bits)[0], exp_bounds(d * ln[0], bits)[1]) for j, d in depths.items()}
        powers = {j: (max(low, ZERO), high) for j, (low, high) in powers.items()}
        least, most = (sum((power[end] for power in powers.values()), ZERO) for end in (0, 1))
        pairs = []
        for g in open_ones:
            low = sum((number * powers[j][0 if number > 0 else 1] for j, number in g.items()), ZERO)
            high = sum((number * powers[j][1 if number > 0 else 0] for j, number in g.items()), ZERO)
            factors = ln if in_ln2 else (ONE, ONE)
            corners = [end / total * factor for end in (low, high) for total in (least, most) for factor in factors]
            pairs.append((min(corners), max(corners)))
        return pairs

    rest = iter(settled(bounds))
    return [settled_ones[n] if n in settled_ones else next(rest) for n in range(len(numerators))]


def results(translation: Any, given: Any) -> dict[str, Any]:
    """Return what `results.chapter_14` of run.json must be, but for the claims."""
    encoder, source = Encoder(translation), translation["source_ids"]
    saved, contrast = encoder.states(source), encoder.states(translation["contrast_source_ids"])
    first, second = (list(map(Fraction, query)) for query in given["queries"])
    readout, positions = list(map(Fraction, given["readout"])), given["deletion_indices"]
    width, steps = len(readout), len(translation["target"])
    counted = read(first, saved, readout)
    by_hand = counted["exponentials"]

    def encoded_again(position: int) -> dict[str, Any]:
        ids = [i for place, i in enumerate(source) if place != position]
        states = encoder.states(ids)
        return {"removed": position + 1, "tokens": [encoder.vocabulary[i] for i in ids], "states": states,
                "read": read(first, states, readout)}

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
        "nothing_left": {"positions": 0, "refused": True},  # by hand: without counts there is nothing to divide by
        "storage": {"fixed_numbers": width, "saved_numbers": len(source) * width, "fixed_bytes": 8 * width,
                    "saved_bytes": 8 * len(source) * width, "dot_products": steps * len(source)},
        "exercise_1": read([ONE] * width, saved, readout),
        "exercise_2": {
            "wrong_weights": None if by_hand is None else [number / len(source) for number in by_hand],
            "sum": None if by_hand is None else sum(by_hand, ZERO) / len(source),
            "zero_query": read([ZERO] * width, saved, readout)},
        "exercise_5": {"states": 100, "numbers": 100 * width, "bytes": 800 * width, "dot_products": 100 * steps},
    }


def claims(translation: Any, given: Any, own: dict[str, Any]) -> dict[str, bool | None]:
    """Return whether each claim holds, from counts and states; `own` are this file's own results."""
    encoder, source = Encoder(translation), translation["source_ids"]
    saved, contrast = encoder.states(source), encoder.states(translation["contrast_source_ids"])
    one, two, both = (own[name] for name in ("example_14_1", "example_14_2", "exercise_1"))
    slots, cut = own["table_14_2"][1:], own["table_14_3"]
    counted = all(each["read"]["weights"] is not None for each in (*slots, *cut)) and bool(slots)
    heaviest = None if one["weights"] is None else one["weights"].index(max(one["weights"])) + 1
    effects = {slot["removed"]: abs(slot["read"]["readout"] - one["readout"]) for slot in slots
               } if counted and one["weights"] is not None else {}
    silent = [slot for slot in slots if not any(saved[slot["removed"] - 1])]
    moved = [True for each in cut for old, new in zip(
        [state for place, state in enumerate(saved, 1) if place != each["removed"]], each["states"]) if old != new]
    alike = [slot["read"]["context"] == each["read"]["context"] for slot, each in zip(slots, cut)]
    zeros = [(power, weight) for score, power, weight in zip(
        one["scores"], one["exponentials"] or [], one["weights"] or []) if score == 0]
    reads, by_hand = (one, two, both), own["exercise_2"]["sum"]
    whole = all(each["weights"] is not None for each in reads)
    columns = list(zip(*saved))
    coefficients = own["parameters"]["readout"]
    effect = effects.get(slots[0]["removed"]) if effects else None
    return {
        "saved-state-is-no-embedding": any(encoder.embedding[i] != state for i, state in zip(source, saved)),
        "zero-score-keeps-weight": None if not zeros else all(power == 1 and weight > 0 for power, weight in zeros),
        "weights-sum-to-one": None if both["weights"] is None else sum(both["weights"]) == 1,
        "width-is-the-states": (len(one["scores"]), len(one["context_decimal"])) == (len(source), len(encoder.start)),
        "context-within-states": all(min(column) <= number <= max(column) for each in reads
                                     for number, column in zip(each["context"], columns)) if whole else None,
        "query-changes-the-read": None if None in (one["weights"], two["weights"]) or one["query"] == two["query"] else
            one["context"] != two["context"]
            and one["weights"].index(max(one["weights"])) != two["weights"].index(max(two["weights"])),
        "attention-tells-sources-apart": None if None in (one["context"], own["contrast"]["read"]["context"]) else
            saved[-1] == contrast[-1] and one["context"] != own["contrast"]["read"]["context"],
        "zero-state-counts": None if not (effects and silent) else effects[silent[0]["removed"]] != 0,
        "largest-weight-is-not-largest-effect":
            True if heaviest in effects and effects[heaviest] < max(effects.values()) else None,
        "other-readout-other-answer": None if effect is None or coefficients == [1] + [0] * (len(coefficients) - 1) else
            slots[0]["read"]["readout"] - slots[0]["read"]["context"][0] != one["readout"] - one["context"][0],
        "later-state-changes": True if moved else None,
        "deletions-differ-on-one": sorted(alike) == [False, True, True] if counted else None,
        "nothing-left-to-normalise": own["nothing_left"]["refused"],
        "storage-grows-with-positions": True if len(source) > 1 else None,
        "counting-is-no-distribution": None if by_hand is None else by_hand != 1,
        "zero-query-is-even": own["exercise_2"]["zero_query"]["weights"] == [Fraction(1, len(source))] * len(source),
    }
