"""What the second computations of chapters 11 to 14 share: numbers between mpmath's bounds, and their decimals."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from mpmath import iv, mp

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


def tanh(q: Fraction) -> Any:
    """Return an interval that holds tanh q; mpmath's intervals have none of their own."""
    e = iv.exp(interval(-2 * abs(q)))
    return (1 - e) / (1 + e) * (-1 if q < 0 else 1)
