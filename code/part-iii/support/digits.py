"""Decimals whose every digit is proven.

A rounded number is a `Decimal` with as many places as are recorded, half to even: of a rational by exact integer
arithmetic, of another number once what the computation may be off by cannot change it.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import partial

from support.command import Refused
from support.command import Undefined as Undefined  # core.py raises it

WIDEST = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)  # rounds nothing
PLACES = 6  # the text prints probabilities with six decimals
FINE = 8  # of numbers on the way, so that what a hand makes of them is right to six
LARGEST_POWER, LEAST_POWER = 100, -3  # e to more is no number for a page; of less few of its decimals are not zero
MOST_DIGITS = 400  # of a computation that decides a rounding
ONE, ZERO = Fraction(1), Fraction(0)


def rounded(q: Fraction, places: int = PLACES) -> Decimal:
    """Return a rational with `places` decimals, half to even.

    >>> str(rounded(Fraction(1, 3), 4)), str(rounded(Fraction(-1, 256))), str(rounded(Fraction(1, 8), 2))
    ('0.3333', '-0.003906', '0.12')
    """
    return _decimal(round(q * 10**places), places)


def _decimal(units: int, places: int) -> Decimal:
    """Return units / 10^places, exactly and with that many places."""
    return Decimal(units).scaleb(-places, WIDEST)


def settled(value: Callable[[], Decimal], size: Fraction | int, places: int = PLACES) -> Decimal:
    """Return a number with `places` proven decimals; `value()` computes it with the precision of the current context.

    Proof. Decimal rounds each operation, exp and ln included, to half a unit of its last digit, so that what a few
    dozen of them make is off by less than a million such units of a number as large as `size`, which is for the caller
    to bound: the sum of the sizes of what is added, however little of it a difference leaves. Where the value moved by
    so much either way rounds alike, so does the true one. Else the digits are doubled, up to MOST_DIGITS; what these
    cannot decide is refused. It is also for the caller to say why more digits decide all the same: the number is no
    rounding boundary, n + 1/2 units of the last place.
    """
    precision = 28 + len(str(int(size)))
    while True:
        with localcontext(Context(prec=precision, Emin=MIN_EMIN, Emax=MAX_EMAX)):
            reached, off = value(), _quotient(size) * Decimal(10) ** (6 - precision)
            low, high = (WIDEST.quantize(end, _decimal(1, places)) for end in (reached - off, reached + off))
        if low == high:
            return WIDEST.add(low, 0)  # -0 + 0 is 0
        if precision >= MOST_DIGITS:
            raise Refused(f"算到 {MOST_DIGITS} 位数字，仍分不清第 {places} 位小数该舍还是该入")
        precision = min(2 * precision, MOST_DIGITS)


def _quotient(q: Fraction | int) -> Decimal:
    """Return a rational in the current context."""
    return Decimal(q.numerator) / Decimal(q.denominator)


def _power(q: Fraction) -> Decimal:
    """Return e^q. What rounding q does is within (|q| + 1)·e^q units, and that is below 2 for q of at most zero."""
    return _quotient(q).exp()


def _sum(terms: Iterable[Decimal]) -> Decimal:
    return sum(terms, Decimal(0))


def exponentials(numbers: Sequence[Fraction], places: int = PLACES) -> tuple[list[Decimal], Decimal]:
    """Return e to each of some numbers of at most 100, and the sum of these. 11.2 节.

    >>> powers, total = exponentials([Fraction(3, 8), Fraction(0)])
    >>> str(powers[0]), str(powers[1]), str(total)
    ('1.454991', '1.000000', '2.454991')
    """

    def total(some: Sequence[Fraction]) -> Decimal:
        # It ends: a sum of powers of e with rational exponents that are not all 0 is irrational
        # (Lindemann–Weierstrass), and 3^q is above e^q.
        size = sum(math.ceil(abs(q) + 1) * 3 ** max(0, math.ceil(q)) for q in some)
        return settled(lambda: _sum(map(_power, some)), size, places) if any(some) else rounded(ONE * len(some), places)

    return [total([q]) for q in numbers], total(numbers)


def probabilities(logits: Sequence[Fraction]) -> list[Decimal]:
    """Return softmax(logits). 11.2 节.

    >>> [str(p) for p in probabilities([Fraction(3, 8), Fraction(0)])]
    ['0.592667', '0.407333']
    """
    depths = [z - max(logits) for z in logits]  # none is positive, and the sum of the powers is at least 1

    def quotient(depth: Fraction) -> Decimal:
        return _power(depth) / _sum(map(_power, depths))

    # It ends: powers of e with distinct rational exponents are linearly independent over the rationals
    # (Lindemann–Weierstrass), so with logits that differ each quotient is irrational; two that are equal make 1/2.
    return [settled(partial(quotient, depth), 2 + 2 * len(logits)) for depth in depths]


def tanh(q: Fraction, scale: Fraction = ONE, shift: Fraction = ZERO, places: int = PLACES) -> Decimal:
    """Return shift + scale · tanh q. 12.3 节、例 12.3、例 12.4."""
    if q == 0 or scale == 0:
        return rounded(shift, places)
    factor = scale if q > 0 else -scale

    def value() -> Decimal:
        e = _power(-2 * abs(q))  # tanh |q| = (1 - e) / (1 + e)
        return _quotient(shift) + _quotient(factor) * (1 - e) / (1 + e)

    # It ends: e^q is irrational for every rational q but 0 (Lindemann), and tanh q rational would make e^2q so.
    return settled(value, 1 + math.ceil(abs(shift)) + math.ceil(abs(scale)), places)


def tanh_slope(q: Fraction) -> Decimal:
    """Return 1 - tanh² q. 12.3 节."""

    def value() -> Decimal:
        e = _power(-2 * abs(q))
        return 4 * e / (1 + e) ** 2

    # It ends: e is transcendental for rational q other than 0 (Lindemann), and so is every rational function of it
    # that is not constant; for q = 0 it is 1, no rounding boundary.
    return settled(value, 4)


def logarithm(q: Fraction, places: int = PLACES, scale: Fraction = ONE) -> Decimal:
    """Return scale · ln q, for a positive q. 例 13.1、例 13.2."""
    # It ends: for every positive rational q but 1 ln q is transcendental (Lindemann), so it is no rounding boundary;
    # neither is 0, which ln 1 is, and no times ln q.
    longest = max(q.numerator.bit_length(), q.denominator.bit_length())  # |ln q| is below it
    return settled(lambda: _quotient(scale) * _quotient(q).ln(), math.ceil(abs(scale)) * (1 + longest), places)


PowerSum = Sequence[tuple[Fraction, Fraction]]  # the sum of coefficient · 2^exponent, as (exponent, coefficient)


def power_quotients(numerators: Sequence[PowerSum], denominator: PowerSum, times_ln2: bool = False) -> list[Decimal]:
    """Return the quotients of sums of powers of two by one of positive terms; or ln 2 times them. 表 14.1.

    Every exponent is at most zero, and one is zero. Where all are whole the quotients are rational.
    """
    if all(exponent.denominator == 1 for exponent, _ in denominator):
        above, (below,) = ([sum((number * Fraction(2) ** int(exponent) for exponent, number in terms), ZERO)
                            for terms in sums] for sums in (numerators, [denominator]))
        return [logarithm(Fraction(2), scale=number / below) if times_ln2 else rounded(number / below)
                for number in above]

    def total(terms: PowerSum) -> Decimal:
        two = Decimal(2).ln()
        return _sum(_quotient(number) * (_quotient(exponent) * two).exp() for exponent, number in terms)

    def quotient(above: PowerSum) -> Decimal:
        return total(above) / total(denominator) * (Decimal(2).ln() if times_ln2 else 1)

    # It ends. Powers whose exponents differ by no whole number are linearly independent over the rationals: x^n - 2 is
    # irreducible (Eisenstein). So the share of one power in a sum that has such others is irrational. Each quotient is
    # algebraic, so that ln 2 times it is transcendental, or zero, which is no boundary. No power is above 1.
    return [settled(partial(quotient, above), 1 + 2 * sum((abs(number) for _, number in above), ZERO))
            for above in numerators]


def root(q: Fraction, power: int) -> Decimal:
    """Return the positive `power`-th root of a positive rational with six decimals, half to even.

    >>> str(root(Fraction(1, 8), 8)), str(root(Fraction(1, 4), 2))
    ('0.771105', '0.500000')
    """
    # halves = floor(2 * 10^6 * root), found by bisection on integers; the rounding is decided by its last bit.
    scale = (2 * 10**PLACES) ** power * q.numerator
    low, high = 0, 1 << ((scale // q.denominator).bit_length() // power + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power * q.denominator <= scale else (low, middle)
    whole, half = divmod(low, 2)
    tie = half and low**power * q.denominator == scale
    return _decimal(whole + (whole % 2 if tie else half), PLACES)
