"""Decimals whose every digit is proven, and how long an exact number may be on the screen.

A rounded number is a `Decimal` with as many places as are recorded, half to even, of a rational (exact integer
arithmetic) or of a transcendental number that is held between two bounds until both round alike.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache
from typing import NamedTuple, Union

WIDEST = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)  # rounds nothing
PLACES = 6  # the text prints probabilities with six decimals
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
        return format(_decimal(units, figures - 1 - power), "f")
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


Bounds = Union[tuple[Decimal, Decimal], tuple[Fraction, Fraction]]


def settled(bounds: Callable[[int], Sequence[Bounds]], places: int = PLACES) -> list[Decimal]:
    """Return numbers with `places` proven decimals: the common rounding of a lower and an upper bound of each.

    `bounds(precision)` gives them with about `precision` digits; the precision is doubled until all round alike. It is
    for the caller to say why that ends: no number may be a rounding boundary, n + 1/2 units of the last place.
    """
    precision = 28
    while True:
        context = Context(prec=2 * precision, rounding=ROUND_HALF_EVEN)
        unit = _decimal(1, places)
        pairs = [[rounded(bound, places) if isinstance(bound, Fraction) else context.quantize(bound, unit)
                  for bound in pair] for pair in bounds(precision)]
        if all(low == high for low, high in pairs):
            return [low for low, _ in pairs]
        precision *= 2


def exponential(q: Fraction) -> Decimal:
    """Return e^q with six proven decimals, for q of at most 100. Chapter 11, the worked softmax.

    >>> str(exponential(Fraction(3, 8)))
    '1.454991'
    """
    if q == 0:
        return rounded(Fraction(1))
    # It ends: e^q is irrational for every rational q but 0 (Lindemann), so it is no rounding boundary.
    return settled(lambda precision: [_exp_bounds(q, precision)])[0]


def exponentials(numbers: Sequence[Fraction]) -> tuple[list[Decimal], Decimal]:
    """Return e to each of some numbers of at most 100, and the sum of these, with six proven decimals.

    >>> [str(number) for number in exponentials([Fraction(3, 8), Fraction(0)])[0]]
    ['1.454991', '1.000000']
    """
    if not any(numbers):
        return [rounded(Fraction(1))] * len(numbers), rounded(Fraction(len(numbers)))

    def total(precision: int) -> list[Bounds]:
        bounds = [_exp_bounds(q, precision) for q in numbers]
        return [(sum((Fraction(low) for low, _ in bounds), Fraction(0)),
                 sum((Fraction(high) for _, high in bounds), Fraction(0)))]

    # It ends: a sum of powers of e with rational exponents that are not all 0 is irrational (Lindemann–Weierstrass).
    return [exponential(q) for q in numbers], settled(total)[0]


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

    def quotients(precision: int) -> list[Bounds]:
        """Take each exponent relative to the highest logit: none is positive and the sum is at least 1."""
        bounds = [_exp_bounds(Ratio(number - highest, common), precision) for number in whole]
        down, up = _outward(precision)
        least = most = Decimal(0)
        for lower, upper in bounds:
            least, most = down.add(least, lower), up.add(most, upper)
        return [(down.divide(lower, most), up.divide(upper, least)) for lower, upper in bounds]

    # It ends: powers of e with distinct rational exponents are linearly independent over the rationals
    # (Lindemann–Weierstrass), so with logits that differ each quotient is irrational and no rounding boundary.
    return settled(quotients)


def tanh(q: Fraction, scale: Fraction = Fraction(1), shift: Fraction = Fraction(0)) -> Decimal:
    """Return shift + scale · tanh q. 12.3 节、例 12.3、例 12.4.

    >>> str(tanh(Fraction(2))), str(tanh(Fraction(-1, 5), scale=Fraction(1, 2), shift=Fraction(1)))
    ('0.964028', '0.901312')
    """
    if q == 0 or scale == 0:
        return rounded(shift)

    def bounds(precision: int) -> list[Bounds]:
        """tanh |q| = (1 - e) / (1 + e) with e = e^(-2|q|), the less the greater e is."""
        low, high = (Fraction(bound) for bound in _exp_bounds(-2 * abs(q), precision))
        factor = scale if q > 0 else -scale
        ends = sorted(shift + factor * (1 - e) / (1 + e) for e in (low, high))
        return [(ends[0], ends[1])]

    # It ends: e^q is irrational for every rational q but 0 (Lindemann), and tanh q rational would make e^2q so.
    return settled(bounds)[0]


def tanh_slope(q: Fraction) -> Decimal:
    """Return 1 - tanh² q = 4e/(1 + e)² with e = e^(-2|q|), which grows with e. 12.3 节.

    >>> str(tanh_slope(Fraction(2))), str(tanh_slope(Fraction(0)))
    ('0.070651', '1.000000')
    """
    if q == 0:
        return rounded(Fraction(1))

    def bounds(precision: int) -> list[Bounds]:
        low, high = (Fraction(bound) for bound in _exp_bounds(-2 * abs(q), precision))
        return [(4 * low / (1 + low) ** 2, 4 * high / (1 + high) ** 2)]

    # It ends: e is transcendental for rational q other than 0 (Lindemann), and so is every rational function of it
    # that is not constant.
    return settled(bounds)[0]


@cache
def _ln_bounds(q: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of ln q; as with e^q, the neighbours of correctly rounded values."""
    down, up = _outward(precision)
    lower, upper = (way.divide(Decimal(q.numerator), Decimal(q.denominator)) for way in (down, up))
    return Fraction(down.next_minus(down.ln(lower))), Fraction(up.next_plus(up.ln(upper)))


def logarithm(q: Fraction, places: int = PLACES, scale: Fraction = Fraction(1)) -> Decimal:
    """Return scale · ln q, for a positive q. 例 13.1、例 13.2.

    >>> str(logarithm(Fraction(2))), str(logarithm(Fraction(36, 125), 16, Fraction(-1)))
    ('0.693147', '1.2447947988461911')
    """
    if q == 1 or scale == 0:
        return rounded(Fraction(0), places)

    def bounds(precision: int) -> list[Bounds]:
        ends = sorted(scale * bound for bound in _ln_bounds(q, precision))
        return [(ends[0], ends[1])]

    # It ends: ln q is transcendental for every positive rational q but 1 (Lindemann), so it is no rounding boundary.
    return settled(bounds, places)[0]


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


def _sum_bounds(grouped: dict[Fraction, Fraction], precision: int) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of a sum of coefficient · 2^f; 2^f = e^(f · ln 2)."""
    least = most = Fraction(0)
    logarithms = _ln_bounds(Fraction(2), precision)
    for f, coefficient in grouped.items():
        low, high = (Fraction(_exp_bounds(f * logarithms[i], precision)[i]) for i in (0, 1))
        least += coefficient * (low if coefficient > 0 else high)
        most += coefficient * (high if coefficient > 0 else low)
    return least, most


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

    def bounds(precision: int) -> list[Bounds]:
        least, most = _sum_bounds(below, precision)
        first, second = _ln_bounds(Fraction(2), precision) if times_ln2 else (Fraction(1), Fraction(1))
        ends = []
        for i, above in enumerate(sums):
            if i not in rational:
                low, high = _sum_bounds(above, precision)
                ends.append((low / most * first if low > 0 else low / least * second,
                             high / least * second if high > 0 else high / most * first))
        return list(ends)

    # It ends. By the independence above the other quotients are irrational. They are algebraic, so that ln 2 times one
    # is transcendental.
    others = iter(settled(bounds) if len(rational) < len(sums) else [])
    return [rational[i] if i in rational else next(others) for i in range(len(sums))]


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
