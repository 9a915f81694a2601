"""Holds every function that proves a decimal against mpmath's intervals, which share nothing with it.

Chapter 11: every probability of run.json, the worked exponential and 500 random logit pairs and triples; the logits
differ by 10^-12 to 10^6, are equal, or lie a hair from a boundary of the sixth decimal. Chapter 14: 400 reads of states
that no ReLU leaves, where scores differ by whole numbers, by halves, or neither. Then every function of chapters 11 to
14 beside boundaries, on both sides, at 10^-30 to 10^-60.
Each comparison is first tried on decimals whose last digit is another: all must be found.
"""
from __future__ import annotations

import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from mpmath import iv, mp

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from core import Matrix, Vector, attend
from support import digits
from support.record import layout
from tests.shared import loaded

iv.prec = mp.prec = 400


def interval(q: Fraction) -> Any:
    """Return an interval that holds a rational."""
    return iv.mpf(q.numerator) / iv.mpf(q.denominator)


def exact(x: Any) -> Fraction:
    """Return a binary number of mpmath, or the end of an interval, as it is."""
    return Fraction(*map(int, mp.mpf(x).as_integer_ratio()))


def decimals(value: Any, places: int = 6) -> str:
    """Return a rational, or what an interval holds, with so many decimals, half to even.

    An interval is about 10^-110 wide. Where it holds a rounding boundary all the same, the value is taken to be that
    boundary, a tie: the data are short, and no irrational number that they make comes so close.
    """
    ends = (value, value) if isinstance(value, Fraction) else (exact(value.a), exact(value.b))
    low, high = (round(end * 10**places) for end in ends)
    if high - low > 1:
        raise ArithmeticError(f"{value} says nothing about {places} decimals")
    units = low if low == high or low % 2 == 0 else high
    whole, part = divmod(abs(units), 10**places)
    return f"{'-' * (units < 0)}{whole}.{part:0{places}}"


def softmax(logits: Sequence[Fraction]) -> list[Any]:
    """Return intervals that hold the probabilities."""
    powers = [iv.exp(interval(z - max(logits))) for z in logits]
    return [power / sum(powers) for power in powers]


def written(value: Any, spoiled: bool) -> Any:
    """Return results as a record has them; spoiled, with another last digit in every decimal."""
    text = layout(value)
    return json.loads(re.sub(r"(\.[0-9]*)([0-9])\"", lambda m: f'{m[1]}{(int(m[2]) + 1) % 10}"', text)
                      if spoiled else text)


# ---------------------------------------------------------------- chapter 11


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
    return [base + exact(mp.log(p / (1 - p)) + hair), base]


def chapter_11(count: int, spoiled: bool) -> tuple[list[str], str]:
    """Return what does not agree, and what was compared."""
    results = written(loaded("run.json")["results"]["chapter_11"], spoiled)
    cases = [(place, [Fraction(z) for z in logits], texts) for place, logits, texts in recorded(results)]
    dice = random.Random(500)
    for n in range(count):
        logits = random_logits(dice)
        cases.append((f"随机 {n}", logits, written(digits.probabilities(logits), spoiled)))
    faults = [f"{place}：{texts} 与 mpmath 不符" for place, logits, texts in cases
              if texts != list(map(decimals, softmax(logits)))]
    first = Fraction(results["example_11_1"][-1]["logits"][0])
    if decimals(iv.exp(interval(first))) != results["worked_softmax"]["exponential"]:
        faults.append("/results/worked_softmax/exponential 与 mpmath 不符")
    return faults, f"第 11 章 {len(cases)} 组概率"


# ---------------------------------------------------------------- chapter 14


def read(query: Vector, states: Matrix, readout: Vector, removed: int | None) -> list[str]:
    """Return the decimals of one read: a weight for each position, the coordinates of the context, the readout."""
    scores = [sum((query[k] * state[k] for k in range(len(query))), Fraction(0)) for state in states]
    powers = [iv.exp(interval(score - max(scores)) * iv.ln2) * (j != removed) for j, score in enumerate(scores, 1)]
    weights = [power / sum(powers) for power in powers]
    context = [sum(weight * interval(state[k]) for weight, state in zip(weights, states)) * iv.ln2
               for k in range(len(query))]
    return list(map(decimals, [*weights, *context, sum(c * interval(a) for c, a in zip(context, readout))]))


def reads(count: int, spoiled: bool) -> tuple[list[str], str]:
    """Return which single reads differ: states of both signs, which no ReLU leaves, and scores of every kind."""
    dice, faults = random.Random(14), []
    for n in range(count):
        width, positions, denominators = dice.randint(1, 3), dice.randint(1, 9), dice.choice(((1,), (2,), (1, 2, 3, 5)))
        query, readout, *states = ([Fraction(dice.randint(-9, 9), dice.choice(denominators)) for _ in range(width)]
                                   for _ in range(positions + 2))
        removed = dice.choice((None, dice.randrange(positions) + 1)) if positions > 1 else None
        each, want = attend(query, states, readout, removed), read(query, states, readout, removed)
        have = written([*each.weights_decimal, *each.context_decimal, each.readout_decimal], spoiled)
        faults += [f"读取 {n} 第 {i} 个小数：{was}，mpmath 得 {wanted}"
                   for i, (was, wanted) in enumerate(zip(have, want), 1) if was != wanted]
    return faults, f"{count} 次读取"


# ---------------------------------------------------------------- beside boundaries


def power_quotient(e: Fraction, less: int = 0, root: int = 0, times_ln2: bool = False) -> Any:
    """Return (2^e - less·2^(root/2))/(2^e + 1), or ln 2 times it."""
    one, top = Fraction(1), max(e, Fraction(0))
    above, below = [(e - top, one), (Fraction(root, 2) - top, -less * one)], [(e - top, one), (-top, one)]
    return digits.power_quotients([above], below, times_ln2)[0]


# A function with so many decimals, whether it grows, the values that it has, and the argument that gives a value.
NEAR: list[tuple[str, Callable[[Fraction], Any], int, bool, tuple[float, float], Callable[[Any], Any]]] = [
    ("tanh", digits.tanh, 6, True, (-1, 1), mp.atanh),
    ("7/3 - 2/3·tanh", lambda q: digits.tanh(q, scale=Fraction(-2, 3), shift=Fraction(7, 3)), 6, False, (1.67, 3),
     lambda b: mp.atanh((mp.mpf(7) / 3 - b) * 3 / 2)),
    ("tanh 的变化率", digits.tanh_slope, 6, False, (0, 1), lambda b: mp.atanh(mp.sqrt(1 - b))),
    ("ln", digits.logarithm, 6, True, (-9, 9), mp.exp),
    ("-ln，十六位", lambda q: digits.logarithm(q, 16, Fraction(-1)), 16, False, (-9, 9), lambda b: mp.exp(-b)),
    ("1/3·ln", lambda q: digits.logarithm(q, scale=Fraction(1, 3)), 6, True, (-3, 3), lambda b: mp.exp(3 * b)),
    ("e 的幂", lambda q: digits.exponentials([q])[1], 6, True, (0, 99), mp.log),
    ("e 的幂之和", lambda q: digits.exponentials([q, Fraction(1)])[1], 6, True, (3, 99), lambda b: mp.log(b - mp.e)),
    ("2 的幂之商", power_quotient, 6, True, (0, 1), lambda b: mp.log(b / (1 - b), 2)),
    ("2 的幂之商，减 √2", lambda e: power_quotient(e, 1, 1), 6, True, (-1.41, 1),
     lambda b: mp.log((mp.sqrt(2) + b) / (1 - b), 2)),
    ("2 的幂之商，减 5，乘 ln 2", lambda e: power_quotient(e, 5, 0, True), 6, True, (-3.46, 0.69),
     lambda b: mp.log((5 * mp.ln2 + b) / (mp.ln2 - b), 2)),
]


def boundaries(count: int, spoiled: bool) -> tuple[list[str], str]:
    """Return which values fall on the wrong side of a boundary beside which they were put."""
    dice, faults = random.Random(3060), []
    for name, function, places, grows, (least, most), inverse in NEAR:
        for _ in range(count):
            unit = Fraction(1, 10**places)
            below = dice.randrange(int(least * 10**places), int(most * 10**places) - 1) * unit
            argument = exact(inverse(mp.mpf((below + unit / 2).numerator) / (below + unit / 2).denominator))
            hair = Fraction(1, 10 ** dice.randint(30, 60))
            for side in (-1, 1):
                wanted = decimals(below if (side < 0) == grows else below + unit, places)
                have = written(function(argument + side * hair), spoiled)
                if have != wanted:
                    faults.append(f"{name}：边界旁 {side}·{float(hair)} 得 {have}，应为 {wanted}")
    return faults, f"{2 * count * len(NEAR)} 个紧挨边界的值"


def main() -> int:
    """Report what does not agree."""
    parts: list[tuple[Callable[[int, bool], tuple[list[str], str]], int, int]] = [
        (chapter_11, 500, 32), (reads, 400, 3), (boundaries, 40, 2 * len(NEAR))]
    for part, _, least in parts:  # with a case or two of each
        found, what = part(1, True)
        if len(found) < least:
            print(f"{what}：末位改动了的小数只看出 {len(found)} 处，这次比较不算数")
            return 1
    done = [part(count, False) for part, count, _ in parts]
    faults = [fault for found, _ in done for fault in found]
    print("\n".join(faults) if faults else "、".join(compared for _, compared in done) + "都相符")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
