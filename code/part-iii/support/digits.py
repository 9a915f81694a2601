"""Decimals whose every digit is proven, and how long an exact number may be on the screen.

A rounded number here is a string, half to even, of a rational (exact integer arithmetic) or of a
transcendental number that is held between two bounds until both round alike.
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

PLACES = 6  # the text prints probabilities with six decimals
LONGEST = 24  # characters of an exact number in a reader's own table


def rounded(q: Fraction, places: int = PLACES) -> str:
    """Return a rational with `places` decimals, half to even.

    >>> rounded(Fraction(1, 3), 4), rounded(Fraction(-1, 256), 6), rounded(Fraction(1, 8), 2)
    ('0.3333', '-0.003906', '0.12')
    """
    return _point(round(q * 10**places), places)


def _point(units: int, places: int) -> str:
    digits = str(abs(units)).rjust(places + 1, "0")
    cut = len(digits) - places
    return "-" * (units < 0) + digits[:cut] + ("." + digits[cut:] if places else "")


def decimal_or_fraction(q: Fraction) -> str:
    """Return a rational as tables 11.2 and 11.3 print it: a finite decimal, else a fraction in lowest terms.

    >>> decimal_or_fraction(Fraction(1, 256)), decimal_or_fraction(Fraction(2, 6)), decimal_or_fraction(Fraction(-2))
    ('0.00390625', '1/3', '-2')
    """
    twos = (q.denominator & -q.denominator).bit_length() - 1
    fives, rest = 0, q.denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest != 1:
        return str(q)
    places = max(twos, fives)
    return _point(q.numerator * 10**places // q.denominator, places)


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
    power = math.floor((n.bit_length() - d.bit_length()) * math.log10(2))  # of ten, or one beside it
    while True:
        places = figures - 1 - power
        scaled, unit = (n * 10**places, d) if places >= 0 else (n, d * 10**-places)
        whole, rest = divmod(scaled, unit)
        if 10 ** (figures - 1) <= whole < 10**figures:
            break
        power += 1 if whole >= 10**figures else -1
    units = whole + (2 * rest > unit or 2 * rest == unit and whole % 2)
    if units == 10**figures:
        units, power = units // 10, power + 1
    if -4 < power < figures:
        return _point(units, figures - 1 - power)
    text = str(units)
    return f"{text[0]}.{text[1:]}e{power:+d}"


def _outward(precision: int) -> tuple[Context, Context]:
    """Return contexts that round down and up, without limits on the exponent."""
    down, up = (Context(prec=precision, rounding=way, Emin=MIN_EMIN, Emax=MAX_EMAX)
                for way in (ROUND_FLOOR, ROUND_CEILING))
    return down, up


def _exp_bounds(q: Fraction | Ratio, precision: int) -> tuple[Decimal, Decimal]:
    """Return a lower and an upper bound of e^q, to nine tenths of `precision` digits, for q at most 4 * precision.

    Proof. q lies between two neighbouring multiples of 2^(-3 * precision). The division that makes the argument of
    either is rounded downwards for the lower one and upwards for the upper one, and e^x is increasing. Decimal's exp is
    correctly rounded (to nearest, whatever the context says), so the true value lies between the neighbours of what it
    returns. Below -4 * precision the value is under 10^(-1.7 * precision), and 0 and 10^-precision hold it.
    """
    n, d = q.numerator, q.denominator
    if n == 0:
        return Decimal(1), Decimal(1)
    if n < -4 * precision * d:
        return Decimal(0), Decimal(1).scaleb(-precision)
    down, up = _outward(precision)
    units = 1 << 3 * precision
    below = n * units // d
    lower, upper = down.divide(Decimal(below), Decimal(units)), up.divide(Decimal(below + 1), Decimal(units))
    return down.next_minus(down.exp(lower)), up.next_plus(up.exp(upper))


def _agreed(lower: Decimal, upper: Decimal, precision: int) -> str | None:
    """Return the common rounding of both bounds, or None while they round apart."""
    context = Context(prec=2 * precision, rounding=ROUND_HALF_EVEN)
    low, high = (context.quantize(bound, Decimal(1).scaleb(-PLACES)) for bound in (lower, upper))
    return format(low, "f") if low == high else None


def exponential(q: Fraction) -> str:
    """Return e^q with six proven decimals, for q of at most 100. Chapter 11, the worked softmax.

    >>> exponential(Fraction(3, 8))
    '1.454991'
    """
    if q == 0:
        return rounded(Fraction(1))
    precision = 64
    while True:  # ends: e^q is irrational for every rational q but 0, so it is no rounding boundary
        text = _agreed(*_exp_bounds(q, precision), precision)
        if text is not None:
            return text
        precision *= 2


def probabilities(logits: Sequence[Fraction | Ratio]) -> list[str]:
    """Return softmax(logits), each with six proven decimals.

    >>> probabilities([Fraction(3, 8), Fraction(0)])
    ['0.592667', '0.407333']
    """
    common = math.lcm(*{z.denominator for z in logits})  # long ones are all the same
    whole = [z.numerator * (common // z.denominator) for z in logits]
    highest, precision = max(whole), 28
    if min(whole) == highest:
        return [rounded(Fraction(1, len(logits)))] * len(logits)
    # Each exponent is taken relative to the highest logit: none is positive and the sum is at least 1. The loop
    # ends: powers of e with distinct rational exponents are linearly independent over the rationals
    # (Lindemann–Weierstrass), so with logits that differ each quotient is irrational and no rounding boundary.
    while True:
        bounds = [_exp_bounds(Ratio(number - highest, common), precision) for number in whole]
        down, up = _outward(precision)
        least = most = Decimal(0)
        for lower, upper in bounds:
            least, most = down.add(least, lower), up.add(most, upper)
        texts = [_agreed(down.divide(lower, most), up.divide(upper, least), precision) for lower, upper in bounds]
        proven = [text for text in texts if text is not None]
        if len(proven) == len(texts):
            return proven
        precision *= 2


def root(q: Fraction, power: int) -> str:
    """Return the positive `power`-th root of a positive rational with six decimals, half to even.

    >>> root(Fraction(1, 8), 8), root(Fraction(1, 4), 2)
    ('0.771105', '0.500000')
    """
    # halves = floor(2 * 10^6 * root), found by bisection on integers; the rounding is decided by its last bit.
    scale = (2 * 10**PLACES) ** power * q.numerator
    low, high = 0, 1 << (scale.bit_length() // power + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power * q.denominator <= scale else (low, middle)
    whole, half = divmod(low, 2)
    tie = half and low**power * q.denominator == scale
    return _point(whole + (whole % 2 if tie else half), PLACES)
