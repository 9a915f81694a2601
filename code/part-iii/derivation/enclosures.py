"""Transcendental numbers between two rationals, and their decimals; rational arithmetic alone.

A figure is written once both bounds round alike. Why that ends is said in support/digits.py, which reaches the same
figures by correctly rounded decimals: the number is irrational, so it is no rounding boundary.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache

from support.command import Refused

Bounds = tuple[Fraction, Fraction]
MOST_BITS = 1400  # 421 digits: a little more than those with which run.py decides


def decimal(q: Fraction, places: int = 6) -> Decimal:
    """Return a number with so many decimals, half to even."""
    units = round(q * 10**places)
    return Decimal((int(units < 0), tuple(map(int, str(abs(units)))), -places))


def settled(bounds: Callable[[int], Sequence[Bounds]], places: int = 6) -> list[Decimal]:
    """Return the decimals on which both bounds agree; `bounds(bits)` are about 2^-bits apart, in any order.

    Raise Refused where MOST_BITS cannot decide how a number is rounded.
    """
    bits = 64
    while True:
        pairs = [(decimal(low, places), decimal(high, places)) for low, high in bounds(bits)]
        if all(low == high for low, high in pairs):
            return [low for low, _ in pairs]
        if bits >= MOST_BITS:
            raise Refused(f"{bits} 个二进制位仍分不清第 {places} 位小数该舍还是该入")
        bits = min(2 * bits, MOST_BITS)


@cache
def exp_bounds(q: Fraction, bits: int) -> Bounds:
    """Return two rationals that hold e^q, about 2^-bits apart for q of at most zero.

    q is halved k times to come within 1/2 and rounded outwards to a multiple of 1/grid; the bounds of its Taylor sum
    are then squared k times, which keeps their order, neither being negative, and rounded outwards each time.
    """
    if q == 0:
        return Fraction(1), Fraction(1)
    halvings = (abs(q.numerator) // q.denominator).bit_length() + 1
    grid = 2 ** (bits + 2 * halvings + 8)
    floor = q * grid // 2**halvings
    low, high = (_taylor(Fraction(numerator, grid), grid) for numerator in (floor, floor + 1))
    low, high = low - Fraction(3, grid), high + Fraction(3, grid)
    for _ in range(halvings):
        low, high = Fraction(low**2 * grid // 1, grid), Fraction(-(-(high**2) * grid // 1), grid)
    return low, high


def _taylor(x: Fraction, grid: int) -> Fraction:
    """Return e^x for |x| of at most 1/2, wrong by less than 3/grid.

    Each term is cut to a multiple of u = 2^-64/grid. As |x/n| ≤ 1/2, its error stays below u + u/2 + … = 2u, and
    the error of n terms below 2nu. The first term left out is below 1/grid + 2u, all that follow together below
    as much again: 2/grid + 4u + 2nu is under 3/grid for any n that is reached.
    """
    term, total, n = Fraction(1), Fraction(0), 0
    while abs(term) * grid > 1:
        total, n = total + term, n + 1
        term = Fraction(int(term * x / n * grid * 2**64), grid * 2**64)
    return total


def exponential(q: Fraction) -> Decimal:
    """Return e^q with six decimals."""
    return settled(lambda bits: [exp_bounds(q, bits + 160)])[0]  # e^100 has 145 bits before the point


def softmax(logits: Sequence[Fraction]) -> list[Decimal]:
    """Return the probabilities with six decimals, each exponent taken relative to the highest logit."""

    def quotients(bits: int) -> list[Bounds]:
        held = [exp_bounds(z - max(logits), bits) for z in logits]
        least, most = map(sum, zip(*held))
        return [(low / most, high / least) for low, high in held]

    return settled(quotients)


def binary64(q: Fraction) -> Fraction:
    """Return q rounded to the nearest binary64, ties to even; raise OverflowError beyond its range.

    A binary64 is a multiple of 2^(e-52), where 2^e is the highest power of two within |q|, but never of less than
    2^-1074; `round` on a Fraction is exact and takes ties to even.
    """
    e = abs(q.numerator).bit_length() - q.denominator.bit_length()
    e -= abs(q) < Fraction(2) ** e
    unit = Fraction(2) ** max(e - 52, -1074)
    rounded = round(q / unit) * unit
    if abs(rounded) >= 2**1024:
        raise OverflowError
    return rounded


def ln_bounds(q: Fraction, bits: int) -> Bounds:
    """Return two rationals that hold ln q, for a positive q; about |log2 q|·2^-bits apart.

    q = m·2^k with 1 ≤ m < 2, and ln q = k·ln 2 + ln m. ln m = 2·artanh y with y = (m-1)/(m+1) ≤ 1/3, and
    ln 2 = 2·artanh(1/3).
    """
    k = q.numerator.bit_length() - q.denominator.bit_length()
    k -= q < Fraction(2) ** k
    m = q / Fraction(2) ** k
    low, high = _artanh((m - 1) / (m + 1), bits)
    two = _artanh(Fraction(1, 3), bits)
    ends = [k * bound for bound in two] if k >= 0 else [k * bound for bound in reversed(two)]
    return 2 * (ends[0] + low), 2 * (ends[1] + high)


def _artanh(y: Fraction, bits: int) -> Bounds:
    """Return bounds of y + y³/3 + y⁵/5 + … for y from 0 to 1/3.

    In units of 2^-(bits + 16), every power and quotient is cut for the lower bound and raised for the upper one. Once
    a power is at most one unit, what is left out of the upper sum is below that unit and a ninth, a ninth of that, …
    """
    grid = 2 ** (bits + 16)
    power = y.numerator * grid // y.denominator
    square, low, n = power * power // grid, 0, 1
    while power:
        low, power, n = low + power // n, power * square // grid, n + 2
    power = -(-y.numerator * grid // y.denominator)
    square, high, n = -(-power * power // grid), 2, 1
    while power > 1:
        high, power, n = high - (-power // n), -(-power * square // grid), n + 2
    return Fraction(low, grid), Fraction(high, grid)


def root(q: Fraction, power: int) -> Decimal:
    """Return the positive power-th root of q with six decimals, e^(ln q / power)."""

    def bounds(bits: int) -> list[Bounds]:
        low, high = ln_bounds(q, bits)
        return [(exp_bounds(low / power, bits)[0], exp_bounds(high / power, bits)[1])]

    return settled(bounds)[0]


def logarithm(q: Fraction, places: int = 6, scale: Fraction = Fraction(1)) -> Decimal:
    """Return scale · ln q, for a positive q."""
    def bounds(bits: int) -> list[Bounds]:
        one, two = ln_bounds(q, bits)
        return [(scale * one, scale * two)]

    return settled(bounds, places)[0]
