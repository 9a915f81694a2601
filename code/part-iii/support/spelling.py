"""How an exact number, and a row of them, is written: as a decimal, as a fraction, in units of a, inside a formula."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

from support.show import row

LONGEST = 24  # characters of an exact number in a table


def plain(q: Fraction, longest: int = LONGEST, figures: int = 6) -> str:
    """Return a rational as tables 11.2 and 11.3 print it: a finite decimal, else a fraction in lowest terms, or n/2^k.

    What none of these says within `longest` characters is rounded, half to even, to `figures` significant digits.

    >>> [plain(Fraction(n, d)) for n, d in ((1, 256), (1, 5), (2, 6), (-2, 1), (1, 2**15000), (2, 3 * 10**30))]
    ['0.00390625', '0.2', '1/3', '-2', '1/2^15000', '≈6.66667e-31']
    >>> plain(Fraction(1, 7**3), 8, 4), plain(Fraction(1, 7**9), 8, 4)
    ('1/343', '≈2.478e-8')
    """
    n, d = q.numerator, q.denominator
    texts = []
    if max(n.bit_length(), d.bit_length()) <= 4 * longest:  # else no decimal and no fraction is short enough
        texts = [_decimal(q) or str(q), str(q)]
    if n.bit_length() <= 4 * longest and d & (d - 1) == 0:
        texts.insert(1, f"{n}/2^{d.bit_length() - 1}")
    return next((text for text in texts if len(text) <= longest), None) or "≈" + _significant(q, figures)


def _decimal(q: Fraction) -> str:
    """Return a rational as a finite decimal, or "" where it has none."""
    twos = (q.denominator & -q.denominator).bit_length() - 1
    fives, rest = 0, q.denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    return f"{Decimal(q.numerator * 10**max(twos, fives) // q.denominator).scaleb(-max(twos, fives)):f}" * (rest == 1)


def _significant(q: Fraction, figures: int) -> str:
    """Return a number other than zero, rounded half to even to `figures` significant digits."""
    context = Context(prec=figures, Emin=MIN_EMIN, Emax=MAX_EMAX)
    spare = max(0, min(q.numerator.bit_length(), q.denominator.bit_length()) - 400)  # bits that no digit shows
    number = context.divide(Decimal(q.numerator >> spare), Decimal(q.denominator >> spare))
    power = number.adjusted()
    return f"{number:.{figures - 1 - power}f}" if -4 < power < figures else f"{number:.{figures - 1}e}"


def fraction(q: Fraction, longest: int = 13) -> str:
    """Return a rational in lowest terms, as table 11.4 prints states; one that is too long as plain() does.

    >>> fraction(Fraction(1, 256)), fraction(Fraction(1, 3**60))
    ('1/256', '≈2.35898e-29')
    """
    exact = str(q) if q.numerator.bit_length() + q.denominator.bit_length() <= 4 * longest else ""
    return exact if 0 < len(exact) <= longest else plain(q)


def in_a(q: Fraction) -> str:
    """Return a number whose unit is a, as chapters 13 and 14 print it.

    >>> [in_a(Fraction(n, d)) for n, d in ((0, 1), (1, 1), (-1, 1), (2, 3), (-1, 2), (3, 1))]
    ['0', 'a', '-a', '2a/3', '-a/2', '3a']
    """
    if not q:
        return "0"
    if max(len(str(q.numerator)), len(str(q.denominator))) > 9:
        return f"{plain(q, 12)}·a"
    factor = {1: "", -1: "-"}.get(q.numerator, str(q.numerator))
    return f"{factor}a" + (f"/{q.denominator}" if q.denominator > 1 else "")


def decimals(numbers: Iterable[Fraction]) -> str:
    """Return a row as tables 11.2 and 11.3 print it."""
    return row(map(plain, numbers))


def fractions(numbers: Iterable[Fraction]) -> str:
    """Return a row as table 11.4 prints states, and table 14.2 weights."""
    return row(map(fraction, numbers))


def row_in_a(numbers: Iterable[Fraction]) -> str:
    """Return a row whose unit is a."""
    return row(map(in_a, numbers))


def term(q: Any, spelled: Callable[[Any], str] = plain) -> str:
    """Return a number of a formula: a negative one in brackets."""
    return f"({spelled(q)})" if q < 0 else spelled(q)


def equals(q: Fraction, spelled: Callable[[Fraction], str] = plain) -> str:
    """Return a result behind its sign: what is too long to be exact is rounded, and ≈ says so."""
    text = spelled(q)
    return f"≈ {text[1:]}" if text.startswith("≈") else f"= {text}"


def product(factors: Iterable[Fraction], result: Fraction) -> str:
    """Return a product written out, like 0.5 × (-0.75) = -0.375."""
    return f"{' × '.join(map(term, factors))} {equals(result)}"


def single(q: Fraction) -> str:
    """Return a number that is raised, or to which another is: in brackets, unless it is a decimal without a sign."""
    text = plain(q)
    return text if text.replace(".", "").isdigit() else f"({text})"
