"""Decimals whose every digit is proven, and how long an exact number may be on the screen.

A rounded number is a `Decimal` with as many places as are recorded, half to even: of a rational by exact integer
arithmetic, of another number once what the computation may be off by cannot change it.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from support.command import Refused

WIDEST = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)  # rounds nothing
PLACES = 6  # the text prints probabilities with six decimals
MOST_DIGITS = 400  # of a computation that decides a rounding
LONGEST = 24  # characters of an exact number in a reader's own table


def rounded(q: Fraction, places: int = PLACES) -> Decimal:
    """Return a rational with `places` decimals, half to even.

    >>> str(rounded(Fraction(1, 3), 4)), str(rounded(Fraction(-1, 256), 6)), str(rounded(Fraction(1, 8), 2))
    ('0.3333', '-0.003906', '0.12')
    """
    return _decimal(round(q * 10**places), places)


def _decimal(units: int, places: int) -> Decimal:
    """Return units / 10^places, exactly and with that many places."""
    return Decimal(units).scaleb(-places, WIDEST)


def decimal_or_fraction(q: Fraction) -> str:
    """Return a rational as tables 11.2 and 11.3 print it: a finite decimal, else a fraction in lowest terms.

    >>> [decimal_or_fraction(Fraction(n, d)) for n, d in ((1, 256), (1, 5), (2, 6), (-2, 1))]
    ['0.00390625', '0.2', '1/3', '-2']
    """
    twos = (q.denominator & -q.denominator).bit_length() - 1
    fives, rest = 0, q.denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest != 1:
        return str(q)
    places = max(twos, fives)
    return format(_decimal(q.numerator * 10**places // q.denominator, places), "f")


class Ratio(NamedTuple):
    """A quotient of two integers that nobody has brought to lowest terms; the denominator is positive."""

    numerator: int
    denominator: int


def short(q: Fraction | Ratio, longest: int = LONGEST, figures: int = 6) -> str:
    """Return a rational for a table that must stay readable: exact within `longest` characters, n/2^k, or rounded.

    Rounded means half to even to `figures` significant digits. However long a Ratio is, nothing here takes longer than
    multiplying and dividing it by something short.

    >>> short(Fraction(1, 2**15000)), short(Fraction(3, 8)), short(Fraction(2, 3 * 10**30))
    ('1/2^15000', '0.375', '≈6.66667e-31')
    >>> short(Fraction(1, 7**3), 8, 4), short(Fraction(1, 7**9), 8, 4), short(Ratio(2 * 3**50, 3 * 3**50))
    ('1/343', '≈2.478e-8', '2/3')
    """
    n, d = q.numerator, q.denominator
    fitting = (text for text in _exact_texts(n, d, longest) if len(text) <= longest)
    return next(fitting, None) or "≈" + "-" * (n < 0) + _significant(abs(n), d, figures)


def _exact_texts(n: int, d: int, longest: int) -> Iterator[str]:
    """Yield the exact forms of n/d that may fit into `longest` characters."""
    if n.bit_length() - d.bit_length() >= 4 * longest:
        return  # its whole part alone has more digits
    fraction = _with_small_denominator(n, d, 10**longest)
    if fraction is not None:
        yield decimal_or_fraction(fraction)
    twos = (d & -d).bit_length() - 1
    odd = d >> twos
    if n.bit_length() - odd.bit_length() < 4 * longest and n % odd == 0:
        dyadic = Fraction(n // odd, 1 << twos)
        yield f"{dyadic.numerator}/2^{dyadic.denominator.bit_length() - 1}"
    if fraction is not None:
        yield str(fraction)


def _with_small_denominator(n: int, d: int, most: int) -> Fraction | None:
    """Return n/d in lowest terms if its denominator is then at most `most` there, else None; n/d is below `most`^2.

    Two fractions with such denominators are at least 1/most^2 apart. Cutting d to its first bits moves n/d by far less,
    so that the nearest such fraction is n/d itself or none is.
    """
    cut = max(0, d.bit_length() - 6 * most.bit_length())
    candidate = Fraction(n >> cut, d >> cut).limit_denominator(most)
    return candidate if candidate.numerator * d == n * candidate.denominator else None


def _significant(n: int, d: int, figures: int) -> str:
    """Return n/d, which is positive, rounded half to even to `figures` significant digits."""
    guess = math.floor((n.bit_length() - d.bit_length()) * math.log10(2))  # the power of ten, or one beside it
    for power in (guess, guess - 1, guess + 1):
        places = figures - 1 - power
        scaled, unit = (n * 10**places, d) if places >= 0 else (n, d * 10**-places)
        whole, rest = divmod(scaled, unit)
        if 10 ** (figures - 1) <= whole < 10**figures:
            break
    units = whole + (2 * rest > unit or 2 * rest == unit and whole % 2)
    if units == 10**figures:
        units, power = units // 10, power + 1
    if -4 < power < figures:
        return format(_decimal(units, figures - 1 - power), "f")
    text = str(units)
    return f"{text[0]}.{text[1:]}e{power:+d}"


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


def _quotient(q: Fraction | Ratio | int) -> Decimal:
    """Return a rational in the current context."""
    return Decimal(q.numerator) / Decimal(q.denominator)


def _power(q: Fraction | Ratio) -> Decimal:
    """Return e^q. What rounding q does is within (|q| + 1)·e^q units, and that is below 2 for q of at most zero."""
    return _quotient(q).exp()


def exponential(q: Fraction) -> Decimal:
    """Return e^q with six proven decimals, for q of at most 100. Chapter 11, the worked softmax.

    >>> str(exponential(Fraction(3, 8)))
    '1.454991'
    """
    return exponentials([q])[1]


def exponentials(numbers: Sequence[Fraction]) -> tuple[list[Decimal], Decimal]:
    """Return e to each of some numbers of at most 100, and the sum of these, with six proven decimals.

    >>> [str(number) for number in exponentials([Fraction(3, 8), Fraction(0)])[0]]
    ['1.454991', '1.000000']
    """
    if not any(numbers):
        return [rounded(Fraction(1))] * len(numbers), rounded(Fraction(len(numbers)))

    def total() -> Decimal:
        return sum(map(_power, numbers), Decimal(0))

    # It ends: a sum of powers of e with rational exponents that are not all 0 is irrational (Lindemann–Weierstrass).
    size = sum(math.ceil(abs(q) + 1) * 3 ** max(0, math.ceil(q)) for q in numbers)
    each = [exponential(q) for q in numbers] if len(numbers) > 1 else []
    return each, settled(total, size)


def probabilities(logits: Sequence[Fraction | Ratio]) -> list[Decimal]:
    """Return softmax(logits), each with six proven decimals.

    >>> [str(p) for p in probabilities([Fraction(3, 8), Fraction(0)])]
    ['0.592667', '0.407333']
    """
    common = math.lcm(*{z.denominator for z in logits})  # long ones are all the same
    whole = [z.numerator * (common // z.denominator) for z in logits]
    highest = max(whole)
    if min(whole) == highest:
        return [rounded(Fraction(1, len(logits)))] * len(logits)
    depths = [Ratio(number - highest, common) for number in whole]  # none is positive and the sum is at least 1

    def quotient(depth: Ratio) -> Decimal:
        return _power(depth) / sum(map(_power, depths), Decimal(0))

    # It ends: powers of e with distinct rational exponents are linearly independent over the rationals
    # (Lindemann–Weierstrass), so with logits that differ each quotient is irrational and no rounding boundary.
    return [settled(partial(quotient, depth), 2 + 2 * len(logits)) for depth in depths]


def tanh(q: Fraction, scale: Fraction = Fraction(1), shift: Fraction = Fraction(0)) -> Decimal:
    """Return shift + scale · tanh q. 12.3 节、例 12.3、例 12.4.

    >>> str(tanh(Fraction(2))), str(tanh(Fraction(-1, 5), scale=Fraction(1, 2), shift=Fraction(1)))
    ('0.964028', '0.901312')
    """
    if q == 0 or scale == 0:
        return rounded(shift)
    factor = scale if q > 0 else -scale

    def value() -> Decimal:
        e = _power(-2 * abs(q))  # tanh |q| = (1 - e) / (1 + e)
        return _quotient(shift) + _quotient(factor) * (1 - e) / (1 + e)

    # It ends: e^q is irrational for every rational q but 0 (Lindemann), and tanh q rational would make e^2q so.
    return settled(value, 1 + math.ceil(abs(shift)) + math.ceil(abs(scale)))


def tanh_slope(q: Fraction) -> Decimal:
    """Return 1 - tanh² q = 4e/(1 + e)² with e = e^(-2|q|). 12.3 节.

    >>> str(tanh_slope(Fraction(2))), str(tanh_slope(Fraction(0)))
    ('0.070651', '1.000000')
    """
    if q == 0:
        return rounded(Fraction(1))

    def value() -> Decimal:
        e = _power(-2 * abs(q))
        return 4 * e / (1 + e) ** 2

    # It ends: e is transcendental for rational q other than 0 (Lindemann), and so is every rational function of it
    # that is not constant.
    return settled(value, 4)


def logarithm(q: Fraction, places: int = PLACES, scale: Fraction = Fraction(1)) -> Decimal:
    """Return scale · ln q, for a positive q. 例 13.1、例 13.2.

    >>> str(logarithm(Fraction(2))), str(logarithm(Fraction(36, 125), 16, Fraction(-1)))
    ('0.693147', '1.2447947988461911')
    """
    if q == 1 or scale == 0:
        return rounded(Fraction(0), places)
    # It ends: ln q is transcendental for every positive rational q but 1 (Lindemann), so it is no rounding boundary.
    longest = max(q.numerator.bit_length(), q.denominator.bit_length())  # |ln q| is below it
    return settled(lambda: _quotient(scale) * _quotient(q).ln(), math.ceil(abs(scale)) * (1 + longest), places)


PowerSum = Sequence[tuple[Fraction, Fraction]]  # the sum of coefficient · 2^exponent, as (exponent, coefficient)


def _by_fraction(terms: PowerSum) -> dict[Fraction, Fraction]:
    """Return a sum of powers of two as coefficients of 2^f with f in [0, 1).

    For distinct such f the 2^f are linearly independent over the rationals: x^n - 2 is irreducible (Eisenstein), so
    1, 2^(1/n), …, 2^((n-1)/n) are independent, and any f are multiples of one 1/n.
    """
    grouped: dict[Fraction, Fraction] = {}
    for exponent, coefficient in terms:
        whole = exponent.numerator // exponent.denominator
        grouped[exponent - whole] = grouped.get(exponent - whole, Fraction(0)) + coefficient * Fraction(2) ** whole
    return {f: coefficient for f, coefficient in grouped.items() if coefficient}


def power_quotients(numerators: Sequence[PowerSum], denominator: PowerSum, times_ln2: bool = False) -> list[Decimal]:
    """Return the quotients of sums of powers of two by one of positive terms; or ln 2 times them. 表 14.1.

    >>> one = Fraction(1)
    >>> [str(q) for q in power_quotients([[(one, one)]], [(one, one), (0 * one, 2 * one)], times_ln2=True)]
    ['0.346574']
    """
    below = _by_fraction(denominator)
    sums = [_by_fraction(numerator) for numerator in numerators]
    rational = {}  # a quotient is rational just where every coefficient is so many times the one below
    for i, above in enumerate(sums):
        ratios = {coefficient / below[f] if f in below else None for f, coefficient in above.items()}
        if len(above) < len(below):
            ratios.add(Fraction(0))
        ratio = ratios.pop()
        if ratio is not None and not ratios:
            rational[i] = logarithm(Fraction(2), scale=ratio) if times_ln2 else rounded(ratio)

    def total(grouped: dict[Fraction, Fraction]) -> Decimal:
        two = Decimal(2).ln()
        return sum((_quotient(number) * (_quotient(f) * two).exp() for f, number in grouped.items()), Decimal(0))

    def quotient(above: dict[Fraction, Fraction]) -> Decimal:
        return total(above) / total(below) * (Decimal(2).ln() if times_ln2 else 1)

    # It ends. By the independence above the other quotients are irrational. They are algebraic, so that ln 2 times one
    # is transcendental. Every 2^f lies between 1 and 2, so that the size is at most twice the sums of coefficients.
    return [rational[i] if i in rational else settled(
        partial(quotient, above), 1 + 4 * sum(map(abs, above.values()), Fraction(0)) / sum(below.values(), Fraction(0)))
            for i, above in enumerate(sums)]


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
