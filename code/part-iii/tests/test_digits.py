"""Proven decimals against other methods: another series, exact powers, built near-ties."""
from __future__ import annotations

import random
import unittest
from decimal import Context, Decimal
from fractions import Fraction

import derive
from support import digits


def logistic_inverse(p: Fraction) -> Fraction:
    """Return ln(p / (1 - p)) to 80 digits: the logit difference that has probability p."""
    context = Context(prec=90)
    odds = context.divide(Decimal((p / (1 - p)).numerator), Decimal((p / (1 - p)).denominator))
    return Fraction(context.ln(odds))


class Probabilities(unittest.TestCase):
    """Softmax with six proven decimals. 第 11.2 节."""

    def test_another_series(self) -> None:
        """Random pairs and triples agree with the rational Taylor series of derive.py."""
        dice = random.Random(6)
        for _ in range(150):
            scale = Fraction(10) ** dice.randint(-12, 3)
            z = [dice.randint(-999, 999) * scale / dice.randint(1, 9) for _ in range(dice.choice((2, 3)))]
            self.assertEqual(digits.probabilities(z), derive.softmax(z), z)

    def test_near_ties_fall_on_their_own_side(self) -> None:
        """A hair of 10^-60 beside a rounding boundary decides the sixth decimal."""
        dice = random.Random(7)
        for _ in range(20):
            units = dice.randrange(1, 10**6)
            boundary = logistic_inverse(Fraction(2 * units + 1, 2 * 10**6))
            for side, last in ((-1, units), (1, units + 1)):
                z = [boundary + Fraction(side, 10**60), Fraction(0)]
                for softmax in (digits.probabilities, derive.softmax):
                    self.assertEqual(softmax(z)[0], f"{last / 10**6:.6f}")

    def test_bounds_hold_the_value(self) -> None:
        """e^q with 80 digits lies between the bounds at any precision, for arguments that no decimal holds too."""
        dice = random.Random(10)
        precise = Context(prec=80)
        for _ in range(200):
            q, precision = Fraction(-dice.randint(1, 10**6), dice.randint(1, 10**6)), dice.randint(4, 30)
            value = precise.exp(precise.divide(Decimal(q.numerator), Decimal(q.denominator)))
            lower, upper = digits._exp_bounds(q, precision)
            self.assertTrue(lower < value < upper, (q, precision))
            low, high = derive.exp_bounds(q, 4 * precision)
            self.assertTrue(low < Fraction(value) < high, (q, precision))

    def test_extreme_differences(self) -> None:
        """Equal logits give exactly 1/n; differences of 10^6, 10^200 and 2^-15000 are answered at once."""
        self.assertEqual(digits.probabilities([Fraction(5)] * 3), ["0.333333"] * 3)
        self.assertEqual(digits.probabilities([Fraction(1, 2**15000), Fraction(0)]), ["0.500000"] * 2)
        for far in (10**6, 10**200):
            self.assertEqual(digits.probabilities([Fraction(far), Fraction(0)]), ["1.000000", "0.000000"])
        tie = [Fraction(0), Fraction(0), Fraction(-(10**6))]
        self.assertEqual(digits.probabilities(tie), ["0.500000", "0.500000", "0.000000"])

    def test_exponential(self) -> None:
        """e and its square to six decimals are known; so is the text's own e^0.375."""
        self.assertEqual([digits.exponential(Fraction(n)) for n in (0, 1, 2)], ["1.000000", "2.718282", "7.389056"])
        self.assertEqual(digits.exponential(Fraction(100)), derive.exponential(Fraction(100)))


class Rounding(unittest.TestCase):
    """Rationals as decimals."""

    def test_half_to_even(self) -> None:
        """A tie goes to the even digit, also below zero."""
        cases = {Fraction(5, 10): "0", Fraction(15, 10): "2", Fraction(25, 10): "2", Fraction(-5, 10): "0"}
        self.assertEqual({q: digits.rounded(q, 0) for q in cases}, cases)

    def test_roots(self) -> None:
        """The printed root lies within half a unit of the sixth decimal, by exact powers; 1/4 and 9/4 are squares."""
        self.assertEqual([digits.root(Fraction(n, 4), 2) for n in (1, 9)], ["0.500000", "1.500000"])
        dice = random.Random(8)
        half = Fraction(1, 2 * 10**6)
        for _ in range(40):
            q, power = Fraction(dice.randint(1, 99), dice.randint(1, 99)), dice.randint(1, 12)
            near = Fraction(digits.root(q, power))
            self.assertTrue((near - half) ** power <= q <= (near + half) ** power)

    def test_a_root_that_is_itself_a_tie(self) -> None:
        """The square of 0.0000005 and of 0.0000015 have roots halfway; both go to the even digit."""
        ties = [Fraction(n, 2 * 10**6) ** 2 for n in (1, 3, 5)]
        self.assertEqual([digits.root(q, 2) for q in ties], ["0.000000", "0.000002", "0.000002"])

    def test_short(self) -> None:
        """At most 24 characters, exact where they suffice; what is cut is the nearest of six digits."""
        exact = {Fraction(1, 2**64): "1/2^64", Fraction(3, 2**1080): "3/2^1080", Fraction(1, 3**20): "1/3486784401",
                 Fraction(-7, 2**90): "-7/2^90", Fraction(1, 3): "1/3", Fraction(0): "0"}
        self.assertEqual({q: digits.short(q) for q in exact}, exact)
        dice = random.Random(9)
        for _ in range(100):
            q, figures = Fraction(dice.randint(-(10**40), 10**40), 3 ** dice.randint(60, 120)), dice.choice((4, 6))
            text = digits.short(q, figures=figures)
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
        self.assertEqual({q: digits.short(q, 6) for q in forms}, forms)

    def test_quotients_that_nobody_reduced(self) -> None:
        """A factor that numerator and denominator share changes neither the short form nor the probabilities."""
        dice = random.Random(11)
        for _ in range(60):
            q = Fraction(dice.randint(-(10**9), 10**9), dice.choice((2**20, 3**15, 10**12, 7**40, 2**300)))
            factor = dice.choice((2**40, 3**90, 10**50))
            ratio = digits.Ratio(q.numerator * factor, q.denominator * factor)
            self.assertEqual(digits.short(ratio, 12), digits.short(q, 12))
            self.assertEqual(digits.probabilities([ratio, q / 2]), digits.probabilities([q, q / 2]))

    def test_decimal_or_fraction(self) -> None:
        """The text is the value, and it is a decimal just where the denominator has only twos and fives."""
        for n in range(1, 200):
            text = digits.decimal_or_fraction(Fraction(7, n))
            self.assertEqual(Fraction(text), Fraction(7, n))
            self.assertEqual("/" in text, 10**8 * 7 % n != 0)


if __name__ == "__main__":
    unittest.main()
