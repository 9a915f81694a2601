"""Holds chapter 11's decimals and states against mpmath and against powers of the recurrent matrix.

Every probability of run.json, the worked exponential and 500 random logit pairs and triples are enclosed by mpmath's
interval arithmetic: a rounded text is right when the whole interval rounds to it. The random logits differ by 10^-12
to 10^6, are equal, or lie a hair from a boundary of the sixth decimal. States come from W_h^n by matrix products.
"""
from __future__ import annotations

import json
import os
import random
import sys
from fractions import Fraction
from typing import Any, Iterator, Sequence

from mpmath import iv, mp

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from support import (
    bundle,  # noqa: E402
    digits,  # noqa: E402
)
from support.command import ROOT  # noqa: E402

BITS = 400


def interval(q: Fraction) -> Any:
    """Return an interval that holds a rational."""
    return iv.mpf(q.numerator) / iv.mpf(q.denominator)


def rounds_to(value: Any, text: str) -> bool:
    """Say whether every number of an interval rounds to a text of six decimals."""
    half = iv.mpf(1) / (2 * 10**6)
    middle = interval(Fraction(text))
    return bool(value.a > (middle - half).b and value.b < (middle + half).a)


def softmax(logits: Sequence[Fraction]) -> list[Any]:
    """Return intervals that hold the probabilities."""
    powers = [iv.exp(interval(z - max(logits))) for z in logits]
    return [power / sum(powers) for power in powers]


def recorded(value: Any, place: str = "/results") -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield logits and probabilities wherever the record has both."""
    if isinstance(value, dict):
        if "probabilities" in value:
            yield place, value["logits"], value["probabilities"]
        for key, member in value.items():
            yield from recorded(member, f"{place}/{key}")
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from recorded(member, f"{place}/{i}")


def random_logits(dice: random.Random) -> list[Fraction]:
    """Return two or three logits of the kinds that are hard to round."""
    base = Fraction(dice.randint(-999, 999), 100)
    kind = dice.randrange(4)
    if kind == 0:  # any size of difference
        return [base, base + dice.choice((-1, 1)) * Fraction(dice.randint(1, 9)) * Fraction(10) ** dice.randint(-12, 5)]
    if kind == 1:  # equal, with or without a third
        return [base, base, *dice.choice(([], [base], [base - Fraction(dice.randint(1, 20), 7)]))]
    if kind == 2:
        scale = Fraction(10) ** dice.randint(-3, 2)
        return [base + Fraction(dice.randint(-9, 9), dice.randint(1, 9)) * scale for _ in range(3)]
    p = mp.mpf(2 * dice.randrange(1, 10**6 - 1) + 1) / (2 * 10**6)  # a boundary of the sixth decimal
    hair = dice.choice((-1, 1)) * mp.mpf(10) ** -dice.randint(20, 40)
    return [base + Fraction(*map(int, (mp.log(p / (1 - p)) + hair).as_integer_ratio())), base]


def matrix_power_states(data: bundle.Bundle, found: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield place, recorded and expected state of a single clue: x·W_x times W_h as often as it was carried."""
    net = data.network

    def product(left: Any, right: Any) -> Any:
        return [[sum(a * b for a, b in zip(row, column)) for column in zip(*right)] for row in left]

    for name, steps in [("example_11_1", found["example_11_1"]), ("example_11_2", found["example_11_2"]),
                        *((f"table_11_4 {row['color']}", row["rnn"]["steps"]) for row in found["table_11_4"])]:
        state = product([net.embedding[steps[0]["token_id"]]], net.input_weight)
        for step in steps:
            yield f"{name} {step['t']}", [Fraction(text) for text in step["state"]], state[0]
            state = product(state, net.recurrent_weight)


def main() -> int:
    """Report what does not agree."""
    iv.prec = mp.prec = BITS
    with open(os.path.join(ROOT, "run.json"), encoding="utf-8") as file:
        results = json.load(file)["results"]["chapter_11"]
    cases = [(place, [Fraction(z) for z in logits], texts) for place, logits, texts in recorded(results)]
    dice = random.Random(500)
    for n in range(500):
        logits = random_logits(dice)
        cases.append((f"随机 {n}", logits, list(map(str, digits.probabilities(logits)))))
    faults = [f"{place}：{text} 不在 mpmath 的区间之内" for place, logits, texts in cases
              for value, text in zip(softmax(logits), texts) if not rounds_to(value, text)]
    first = Fraction(results["example_11_1"][-1]["logits"][0])
    if not rounds_to(iv.exp(interval(first)), results["worked_softmax"]["exponential"]):
        faults.append("/results/worked_softmax/exponential 不在 mpmath 的区间之内")
    states = list(matrix_power_states(bundle.load(), results))
    faults += [f"{place}：状态 {have}，矩阵的幂给出 {want}" for place, have, want in states if have != want]
    print("\n".join(faults) if faults else f"{len(cases)} 组概率、{len(states)} 个状态都相符")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
