"""Proven decimals: beside boundaries, at random by another method, where they are rational, where nothing decides."""
from __future__ import annotations

import random
import unittest
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any
from unittest import mock

import derive
import run
from chapters import bundle
from derivation import closed_12, closed_14, enclosures
from support import digits, spelling
from support.command import Refused
from tests import both_ways, shared

PRECISE = Context(prec=250)
HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)


def decimal(q: Fraction) -> Decimal:
    """Return a rational with 250 digits."""
    return PRECISE.divide(Decimal(q.numerator), Decimal(q.denominator))


def power(q: Fraction) -> Fraction:
    """Return e^q to 250 digits."""
    return Fraction(PRECISE.exp(decimal(q)))


def logarithm(q: Fraction) -> Fraction:
    """Return ln q to 250 digits."""
    return Fraction(PRECISE.ln(decimal(q)))


def root(q: Fraction) -> Fraction:
    """Return the root of q to 250 digits."""
    return Fraction(PRECISE.sqrt(decimal(q)))


def artanh(b: Fraction) -> Fraction:
    """Return ln((1 + b) / (1 - b)) / 2 to 250 digits."""
    return logarithm((1 + b) / (1 - b)) / 2


def quotient(depths: list[Fraction], row: list[Fraction], in_ln2: bool) -> list[Decimal]:
    """Return Σ g·2^d / Σ 2^d over the numbers g of a row both ways, or ln 2 times it."""
    one = digits.power_quotients([list(zip(depths, row))], [(d, ONE) for d in depths], in_ln2)
    return [*one, *closed_14.quotients(depths, [row], in_ln2)]


def of_root(g: Fraction, in_ln2: bool) -> tuple[Any, Any]:
    """Return (g·√2 + h) / (√2 + 1) both ways, or ln 2 times it, and the h at which it has a value."""
    unit = logarithm(2 * ONE) if in_ln2 else ONE
    return (lambda h: quotient([ZERO, -HALF], [g, h], in_ln2),
            lambda b: b / unit * (root(2 * ONE) + 1) - g * root(2 * ONE))


FAR = 10**40
# A number both ways by its argument, the argument at which it has a value, whether it grows, and about which number.
NEAR: list[tuple[Callable[[Fraction], list[Any]], Callable[[Fraction], Fraction], bool, int]] = [
    *[(lambda q: [digits.exponentials([q])[1], enclosures.exponential(q)], logarithm, True, base) for base in (0, FAR)],
    (lambda q: [digits.logarithm(q), enclosures.logarithm(q)], power, True, 0),
    (lambda q: [way.logarithm(q, scale=FAR * ONE) for way in (digits, enclosures)],
     lambda b: power(b / FAR), True, FAR),
    (lambda q: [digits.tanh(q), closed_12.tanh(q)], artanh, True, 0),
    (lambda q: [way.tanh(q, -2 * ONE, FAR + ONE) for way in (digits, closed_12)],
     lambda b: artanh((FAR + 1 - b) / 2), False, FAR),
    (lambda q: [way.tanh(q, 3 * FAR * ONE) for way in (digits, closed_12)], lambda b: artanh(b / 3 / FAR), True, FAR),
    (lambda q: [digits.tanh_slope(q), closed_12.slope(q)], lambda b: artanh(root(1 - b)), False, 0),
    # With ln(p/(1-p)) + ln(e^a + e^b) for the first logit its probability is p, whatever the others are.
    (lambda z: [way([z, Fraction(-40, 7), 3 * ONE])[0] for way in (digits.probabilities, enclosures.softmax)],
     lambda p: logarithm(p / (1 - p)) + logarithm(power(Fraction(-40, 7)) + power(3 * ONE)), True, 0),
    *[(*of_root(g, in_ln2), True, base) for g, in_ln2, base in (
        (Fraction(-1, 3), False, 0), (Fraction(1, 50), False, 0), (2 * ONE, True, 0), (3 * FAR * ONE, True, FAR))],
]


class Functions(unittest.TestCase):
    """By correctly rounded decimals, as run.py has them, and by rational series, as the derivation has them."""

    def test_beside_a_boundary(self) -> None:
        """Beside the argument of a rounding boundary a hair of 10^-21 to 10^-120 decides the sixth decimal.

        The hairs reach from where the first precision suffices to far beyond it.
        """
        dice = random.Random(7)
        for row, (function, argument, grows, base) in enumerate(NEAR):
            for hair, units in product((21, 22, 23, 24, 28, 29, 40, 57, 120), (dice.randrange(10**5), 949_999)):
                middle, units = argument(base + Fraction(2 * units + 1, 2 * 10**6)), base * 10**6 + units
                for move in (-1, 1):
                    last = units + (move > 0 if grows else move < 0)
                    both = function(middle + Fraction(move, 10**hair * (base or 1)))
                    self.assertEqual([format(number, "f") for number in both],
                                     [f"{last // 10**6}.{last % 10**6:06}"] * 2, (row, hair, move))

    def test_at_random(self) -> None:
        """Arguments of any size, small and large, give the same digits both ways, and lie within their bounds."""
        dice = random.Random(12)
        for _ in range(120):
            q = Fraction(dice.randint(-10**6, 10**6), dice.randint(1, 10**6)) * Fraction(10) ** dice.randint(-9, 3)
            scale, shift = Fraction(dice.randint(-9, 9), 7), Fraction(dice.randint(-9, 9), 11)
            logits = [q, q / dice.randint(1, 9), -q][: dice.choice((2, 3))]
            depths = [Fraction(-dice.randint(0, 12), dice.choice((1, 1, 2, 3))) for _ in range(dice.randint(1, 5))]
            row = [Fraction(dice.randint(-3, 3), dice.choice((1, 3))) for _ in range(len(depths) + 1)]
            for one, two in (
                    [way.tanh(q, scale, shift) for way in (digits, closed_12)],
                    [digits.tanh_slope(q), closed_12.slope(q)],
                    [way.logarithm(abs(q) or ONE, 16, scale) for way in (digits, enclosures)],
                    *zip(digits.probabilities(logits), enclosures.softmax(logits)),
                    *(quotient([*depths, ZERO], row, in_ln2) for in_ln2 in (False, True))):
                self.assertEqual(format(one, "f"), format(two, "f"), (q, depths, row))
            far, bits = abs(q) or ONE, min(int(abs(q)), 700) + dice.choice((0, 1, 64))  # e^-bits, too
            down = q if q < 99 else -q
            for (low, high), true in ((enclosures.exp_bounds(down, bits), power(down)),
                                      (enclosures.ln_bounds(far, bits), logarithm(far))):
                self.assertTrue(low <= true <= high, (q, bits))

    def test_size(self) -> None:
        """No number is larger than the size that a proof of its digits reckons with, of far arguments either."""
        settled = digits.settled

        def held(value: Callable[[], Decimal], size: Fraction | int, places: int = 6) -> Decimal:
            with localcontext(PRECISE):
                self.assertLessEqual(abs(value()), size)
            return settled(value, size, places)

        with mock.patch.object(digits, "settled", held):
            self.test_at_random()
            for far in (FAR * ONE, ONE / FAR, 99 * ONE, -99 * ONE):
                for scale in (ONE / 3, FAR * ONE):
                    digits.logarithm(abs(far), scale=scale)
                    digits.tanh(far, scale / 2, scale)
                    quotient([ZERO, -HALF], [far, scale], in_ln2=True)
                digits.exponentials([min(far, 99 * ONE), ONE])
        large = FAR * ONE / 3  # which cancels, all but a seventh
        ways = quotient([ZERO, ZERO, -HALF], [large, ONE / 7 - large, ONE / 7], in_ln2=True)
        self.assertEqual(list(map(str, ways)), ["0.062443"] * 2)  # ln 2 · (1 + √½) / 7 / (2 + √½)

    def test_known(self) -> None:
        """Powers of e and their sums; equal logits; differences of 10^6, 10^200 and 2^-15000, answered at once."""
        for q, text in {-1: "0.367879", 0: "1.000000", 1: "2.718282", 2: "7.389056"}.items():
            self.assertEqual(str(enclosures.exponential(Fraction(q))), text)
            self.assertEqual(list(map(str, digits.exponentials([Fraction(q), Fraction(q)])[0])), [text, text])
        self.assertEqual([str(digits.exponentials([q, q])[1]) for q in (ZERO, ONE)], ["2.000000", "5.436564"])
        far = Fraction(10**6)
        for logits, chances in (
                ([5 * ONE] * 3, "0.333333 0.333333 0.333333"), ([Fraction(1, 2**15000), ZERO], "0.500000 0.500000"),
                ([far, ZERO], "1.000000 0.000000"), ([far**33, ZERO], "1.000000 0.000000"),
                ([ZERO, ZERO, -far], "0.500000 0.500000 0.000000")):
            self.assertEqual(" ".join(map(str, digits.probabilities(logits))), chances)

    def test_rational_where_it_can_be(self) -> None:
        """ln 1, no times ln 3 and what tanh 0 leaves are rounded as rationals; so are whole powers of two.

        (1/2 + 1/4) / (1 + 95) is 1/128, a tie of six decimals; a sum that cancels is zero, also among others.
        """
        tie = Fraction(1, 128)
        exact = [digits.logarithm(ONE), digits.logarithm(3 * ONE, scale=ZERO), digits.tanh(ZERO, shift=tie),
                 digits.tanh(3 * ONE, scale=ZERO, shift=tie)]
        self.assertEqual(list(map(str, exact)), ["0.000000", "0.000000", "0.007812", "0.007812"])
        of_one = digits.tanh(ONE), digits.tanh_slope(ONE)  # which is no such place
        self.assertEqual(list(map(str, of_one)), ["0.761594", "0.419974"])
        above, below = [(-ONE, ONE), (-2 * ONE, ONE)], [(ZERO, ONE), (-ONE, 190 * ONE)]
        self.assertEqual(str(digits.power_quotients([above], below)[0]), "0.007812")
        for share in (-ONE, -HALF):
            depths, row = [ZERO, share, share - 1], [ZERO, ONE, -2 * ONE]
            self.assertEqual(list(map(str, quotient(depths, row, True))), ["0.000000"] * 2)


TIE = Fraction(3, 2 * 10**6)  # 0.0000015, between 0.000001 and 0.000002


class Undecided(unittest.TestCase):
    """Beside a boundary by less than 400 digits show a number is refused, by both ways, and is never rounded as zero
    beside it would be.
    """

    def refused(self, place: str, **sections: Any) -> None:
        """Neither way rounds a number of these data, and both say in which section it is."""
        given = shared.data()._replace(**sections)
        for way in (run.results, lambda given: derive.results(*both_ways.as_files(given))):
            with self.assertRaises(Refused) as caught:
                way(given)
            self.assertRegex(str(caught.exception), f"^{bundle.SEQUENCE}：{place}：(算到 400 位数字，|1400 个二进制位)"
                             "仍分不清第 6 位小数该舍还是该入$")

    def test_gates(self) -> None:
        """tanh 10^7 is less than 1 by 10^(-8.7·10^6), so that o·tanh c lies below the tie o; so with (1 - z)·g."""
        lstm, gru = shared.data().lstm, shared.data().gru
        for far in (10**3, 20_000, 10**7, 10**40):
            self.refused("/gates", lstm=lstm._replace(previous_cell=Fraction(far), forget=Fraction(1),
                                                      input=Fraction(0), output=TIE))
            self.refused("/gates", gru=gru._replace(previous_hidden=Fraction(0), update_retains_old=1 - TIE,
                                                    candidate_input=Fraction(-far)))

    def test_decided_in_time(self) -> None:
        """tanh c is less than 1 by 2e^-2c: for c up to 400 that is within 400 digits, and o·tanh c is below the tie."""
        for far in range(20, 400, 50):
            self.assertEqual(str(digits.tanh(Fraction(far), scale=TIE)), "0.000001")
            self.assertEqual(str(closed_12.tanh(Fraction(far), TIE)), "0.000001")

    def test_attention(self) -> None:
        """Two states have the share 3/128, a tie of six decimals, but for another state that counts as 2^-d more."""
        half = Fraction(1, 2)
        for d, decided in ((900, True), (1999, False)):
            depths = [*[Fraction(-k) for k in range(8)], Fraction(-7), -d - half]
            shares = [(depth, Fraction(1)) for depth in depths]
            for way in (partial(digits.power_quotients, [shares[5:7]], shares),
                        partial(closed_14.quotients, depths, [[Fraction(k in (5, 6)) for k in range(len(depths))]])):
                if decided:
                    self.assertEqual(list(map(str, way())), ["0.023437"])  # and not 0.023438, as the tie 0.0234375
                else:
                    self.assertRaises(Refused, way)

    def test_a_sum_that_cancels(self) -> None:
        """z·h + (1 - z)·tanh 0.9 may leave 22 digits less than its parts have: 4.99999999999999999999989e-7."""
        half, old = Fraction(1, 2), Fraction("-0.71629687019902442081144378308")
        exact = Fraction("0.9"), half, old / 2
        self.assertEqual([str(digits.tanh(*exact)), str(closed_12.tanh(*exact))], ["0.000000"] * 2)
        self.assertEqual([str(way.tanh(-exact[0], half, -old / 2)) for way in (digits, closed_12)], ["0.000000"] * 2)

    def test_a_loop_ends(self) -> None:
        """Where a computation never decides, as a fault in it would have it, there is an error and no wait."""
        self.assertRaises(Refused, digits.settled, lambda: Decimal("0.0000005"), 1)
        self.assertRaises(Refused, enclosures.settled, lambda bits: [(Fraction(0), Fraction(1))])


class Rounding(unittest.TestCase):
    """Rationals as decimals."""

    def test_half_to_even(self) -> None:
        """A tie goes to the even digit, also below zero."""
        cases = {Fraction(5, 10): "0", Fraction(15, 10): "2", Fraction(25, 10): "2", Fraction(-5, 10): "0"}
        self.assertEqual({q: str(digits.rounded(q, 0)) for q in cases}, cases)
        self.assertEqual([str(enclosures.decimal(Fraction(n, 20), 1)) for n in (1, 3, 5)], ["0.0", "0.2", "0.2"])
        self.assertEqual(str(enclosures.decimal(Fraction(-3, 8), 2)), "-0.38")

    def test_roots(self) -> None:
        """Known roots; below half a unit of the last place there is nothing left."""
        cases = {(Fraction(1, 4), 2): "0.500000", (Fraction(9, 4), 2): "1.500000", (Fraction(1, 10**12), 2): "0.000001",
                 (Fraction(1, 10**14), 2): "0.000000", (Fraction(1, 8), 8): "0.771105"}
        self.assertEqual({case: str(digits.root(*case)) for case in cases}, cases)

    def test_short(self) -> None:
        """At most 24 characters, exact where they suffice; what is cut is the nearest of six digits, ties to even."""
        texts = {Fraction(1, 2**64): "1/2^64", Fraction(3, 2**1080): "3/2^1080",
                 Fraction(-7, 2**90): "-7/2^90", Fraction(1, 3): "1/3", Fraction(0): "0",
                 Fraction(1, 10**30): "≈1.00000e-30", Fraction(10**29 + 5 * 10**23, 3**0): "≈1.00000e+29",
                 Fraction(10**29 + 15 * 10**23): "≈1.00002e+29",
                 Fraction(10**23 + 1): "100000000000000000000001", Fraction(10**24 + 1): "≈1.00000e+24",
                 Fraction(10**16 + 1, 2**1000): "10000000000000001/2^1000",
                 Fraction(10**17 + 1, 2**1000): "≈9.33264e-285"}
        self.assertEqual({q: spelling.plain(q) for q in texts}, texts)
        self.assertEqual({len(text) for text in texts.values()} & {24, 25}, {24})
        dice = random.Random(9)
        for _ in range(100):
            q, figures = Fraction(dice.randint(-(10**40), 10**40), 3 ** dice.randint(60, 120)), dice.choice((4, 6))
            text = spelling.plain(q, figures=figures)
            self.assertTrue(text.startswith("≈") and len(text) <= 24)
            mantissa = text[1:].split("e")[0].replace(".", "").lstrip("-0")
            self.assertEqual(len(mantissa), figures, text)
            unit = abs(Fraction(text[1:])) / int(mantissa)
            self.assertLessEqual(abs(Fraction(text[1:]) - q), unit / 2)

    def test_short_forms(self) -> None:
        """Powers of ten are spelt out from 0.001 to six digits; a rounding may add a digit; ties go to the even one."""
        million = 10**30 + 1  # beside a decimal, so that nothing is exact
        forms = {Fraction(million, 10**33): "≈0.00100000", Fraction(million, 10**34): "≈1.00000e-4",
                 Fraction(million, 10**25): "≈100000", Fraction(million, 10**24): "≈1.00000e+6",
                 Fraction(10**30 - 1, 10**30): "≈1.00000", Fraction(10**30 - 1, 10**33): "≈0.00100000",
                 Fraction(10**30 - 1, 10**34): "≈1.00000e-4", Fraction(10**30 - 1, 10**24): "≈1.00000e+6",
                 Fraction(1000005, 10**36): "≈1.00000e-30", Fraction(-1000015, 10**36): "≈-1.00002e-30",
                 Fraction(1000005): "≈1.00000e+6"}
        self.assertEqual({q: spelling.plain(q, 6) for q in forms}, forms)

    def test_decimal_or_fraction(self) -> None:
        """The text is the value, and it is the shortest decimal just where the denominator has only twos and fives."""
        for q, shortest in ((-1, "-1"), (Fraction(5, 2), "2.5"), (Fraction(-1, 20), "-0.05"), (100, "100")):
            self.assertEqual(spelling.plain(Fraction(q)), shortest)
        for n in range(1, 200):
            text = spelling.plain(Fraction(7, n))
            self.assertEqual(Fraction(text), Fraction(7, n))
            self.assertEqual("/" in text, 10**8 * 7 % n != 0)
