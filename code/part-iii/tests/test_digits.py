"""Proven decimals against other methods: another series, exact powers, built near-ties."""
from __future__ import annotations

import random
import unittest
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import derive
import run
from chapters import bundle
from derivation import closed_12, closed_14, enclosures
from support import digits, spelling
from support.command import Refused
from tests import both_ways, shared

PRECISE = Context(prec=250)


def quotient(q: Fraction) -> Decimal:
    """Return a rational with 250 digits."""
    return PRECISE.divide(Decimal(q.numerator), Decimal(q.denominator))


def exact(value: Decimal) -> Fraction:
    """Return a decimal of many digits as it is."""
    return Fraction(value)


def logarithm(q: Fraction) -> Fraction:
    """Return ln q to 250 digits."""
    return exact(PRECISE.ln(quotient(q)))


def probabilities(logits: Sequence[Fraction]) -> list[str]:
    """Return the probabilities as they are recorded."""
    return list(map(str, digits.probabilities(logits)))


class Probabilities(unittest.TestCase):
    """Softmax with six proven decimals. 第 11.2 节."""

    def test_another_series(self) -> None:
        """Random pairs and triples agree with the rational Taylor series of the derivation."""
        dice = random.Random(6)
        for _ in range(150):
            scale = Fraction(10) ** dice.randint(-12, 3)
            z = [dice.randint(-999, 999) * scale / dice.randint(1, 9) for _ in range(dice.choice((2, 3)))]
            self.assertEqual(probabilities(z), list(map(str, enclosures.softmax(z))), z)

    def test_near_ties_fall_on_their_own_side(self) -> None:
        """One probability of three, a hair of 10^-26 to 10^-60 beside a rounding boundary, decides its sixth decimal.

        With ln(p/(1-p)) + ln(e^a + e^b) for the first logit its probability is p, whatever the others are. The hairs
        reach from where the first precision suffices to far beyond it.
        """
        dice = random.Random(7)
        for hair in range(26, 61):
            units = dice.randrange(1, 10**6)
            boundary = Fraction(2 * units + 1, 2 * 10**6)
            others = [Fraction(dice.randint(-40, 40), 7) for _ in range(2)]
            total = exact(PRECISE.add(*(PRECISE.exp(quotient(z)) for z in others)))
            middle = logarithm(boundary / (1 - boundary)) + logarithm(total)
            for side, last in ((-1, units), (1, units + 1)):
                z = [middle + Fraction(side, 10**hair), *others]
                dice.shuffle(z)
                for chances in (probabilities(z), list(map(str, enclosures.softmax(z)))):
                    self.assertIn(f"{last / 10**6:.6f}", chances, (hair, side))

    def test_bounds_hold_the_value(self) -> None:
        """e^q with 250 digits lies between the derivation's bounds, for arguments that no decimal holds too."""
        dice = random.Random(10)
        for _ in range(200):
            q, bits = Fraction(-dice.randint(1, 10**6), dice.randint(1, 10**6)), dice.randint(16, 120)
            low, high = enclosures.exp_bounds(q, bits)
            self.assertTrue(low < Fraction(PRECISE.exp(quotient(q))) < high, (q, bits))

    def test_extreme_differences(self) -> None:
        """Equal logits give exactly 1/n; differences of 10^6, 10^200 and 2^-15000 are answered at once."""
        self.assertEqual(probabilities([Fraction(5)] * 3), ["0.333333"] * 3)
        self.assertEqual(probabilities([Fraction(1, 2**15000), Fraction(0)]), ["0.500000"] * 2)
        for far in (10**6, 10**200):
            self.assertEqual(probabilities([Fraction(far), Fraction(0)]), ["1.000000", "0.000000"])
        tie = [Fraction(0), Fraction(0), Fraction(-(10**6))]
        self.assertEqual(probabilities(tie), ["0.500000", "0.500000", "0.000000"])

    def test_exponential(self) -> None:
        """e^-1, e and its square to six decimals are known; e^100 agrees with the other series."""
        known = {-1: "0.367879", 0: "1.000000", 1: "2.718282", 2: "7.389056"}
        for q, text in known.items():
            self.assertEqual([str(digits.exponentials([Fraction(q)])[1]), str(enclosures.exponential(Fraction(q)))],
                             [text, text])
        self.assertEqual(str(digits.exponentials([Fraction(100)])[1]), str(enclosures.exponential(Fraction(100))))
        for q, powers, total in ((0, ["1.000000"] * 2, "2.000000"), (1, ["2.718282"] * 2, "5.436564")):
            both = digits.exponentials([Fraction(q)] * 2)
            self.assertEqual((list(map(str, both[0])), str(both[1])), (powers, total))

    def test_exponentials_beside_a_boundary(self) -> None:
        """A hair of 10^-120 beside the logarithm of a rounding boundary decides the sixth decimal."""
        for units in (0, 1454990, 10**9 + 7):
            middle = logarithm(Fraction(2 * units + 1, 2 * 10**6))
            for side, last in ((-1, units), (1, units + 1)):
                q, text = middle + Fraction(side, 10**120), f"{last // 10**6}.{last % 10**6:06}"
                self.assertEqual([str(digits.exponentials([q])[1]), str(enclosures.exponential(q))], [text, text])


class Functions(unittest.TestCase):
    """tanh, ln and quotients of powers of two, by correctly rounded decimals and by rational series."""

    def test_two_ways(self) -> None:
        """Random arguments, small and large, give the same digits both ways."""
        dice = random.Random(12)
        for _ in range(120):
            q = Fraction(dice.randint(-10**6, 10**6), dice.randint(1, 10**6)) * Fraction(10) ** dice.randint(-9, 3)
            scale, shift = Fraction(dice.randint(-9, 9), 7), Fraction(dice.randint(-9, 9), 11)
            self.assertEqual(str(digits.tanh(q, scale=scale, shift=shift)), str(closed_12.tanh(q, scale, shift)))
            self.assertEqual(str(digits.tanh_slope(q)), str(closed_12.slope(q)))
            if q:
                self.assertEqual(format(digits.logarithm(abs(q), 16, scale), "f"),
                                 format(enclosures.logarithm(abs(q), 16, scale), "f"))

    def test_nothing_has_exact_digits(self) -> None:
        """ln 1, no times ln 3 and what tanh 0 leaves are rational, rounded as such."""
        exact = [digits.logarithm(Fraction(1)), digits.logarithm(Fraction(3), scale=Fraction(0)),
                 digits.tanh(Fraction(0), shift=Fraction(1, 128)),
                 digits.tanh(Fraction(3), scale=Fraction(0), shift=Fraction(1, 128))]
        self.assertEqual(list(map(str, exact)), ["0.000000", "0.000000", "0.007812", "0.007812"])
        of_one = digits.tanh(Fraction(1)), digits.tanh_slope(Fraction(1))  # which is no such place
        self.assertEqual(list(map(str, of_one)), ["0.761594", "0.419974"])

    def test_quotients_beside_a_boundary(self) -> None:
        """(g·√2 + h) / (√2 + 1), and ln 2 times it, with one of g and h negative: a hair beside a boundary decides."""
        dice, half, one = random.Random(16), Fraction(1, 2), Fraction(1)
        root = exact(PRECISE.sqrt(Decimal(2)))
        for hair in range(24, 44, 3):
            for g, in_ln2 in ((Fraction(-1, 3), False), (Fraction(2), False), (Fraction(-1, 3), True), (one, True)):
                units = dice.randrange(1, 10**5)
                middle = Fraction(2 * units + 1, 2 * 10**6) / (logarithm(Fraction(2)) if in_ln2 else 1)
                for side, last in ((-1, units), (1, units + 1)):
                    h = middle * (root + 1) - g * root + Fraction(side, 10**hair)
                    above, below = [(half, g), (0 * one, h)], [(half, one), (0 * one, one)]
                    quotients = digits.power_quotients([above], below, in_ln2)
                    two = list(map(str, closed_14.quotients({0: half, 1: 0 * one}, [{0: g, 1: h}], in_ln2)))
                    self.assertEqual([*map(str, quotients), *two], [f"{last / 10**6:.6f}"] * 2, (hair, side, g))
                    negative = digits.power_quotients([[(half, -g), (0 * one, -h)]], below, in_ln2)
                    self.assertEqual(str(negative[0]), f"-{last / 10**6:.6f}", (hair, side, g))

    def test_powers_of_two(self) -> None:
        """Σ g·2^d / Σ 2^d, and ln 2 times it, for depths that are whole, alike but for whole numbers, or neither."""
        dice = random.Random(13)
        for _ in range(80):
            depths = [Fraction(-dice.randint(0, 12), dice.choice((1, 1, 2, 3))) for _ in range(dice.randint(1, 5))] + [
                Fraction(0)]
            g = [Fraction(dice.randint(-3, 3), dice.choice((1, 3))) for _ in depths]
            for in_ln2 in (False, True):
                one = digits.power_quotients([list(zip(depths, g))], [(d, Fraction(1)) for d in depths], in_ln2)
                two = list(map(str, closed_14.quotients(dict(enumerate(depths)), [dict(enumerate(g))], in_ln2)))
                self.assertEqual(list(map(str, one)), two, (depths, g))

    def test_rational_quotients_are_rounded_as_such(self) -> None:
        """2^(1/2)·(1 + 2) over 2^(1/2)·(64 + 320) is 1/128, a tie of six decimals; a sum that cancels is zero."""
        half = Fraction(1, 2)
        above, below = [(half, Fraction(1)), (half, Fraction(2))], [(half, Fraction(64)), (half + 2, Fraction(80))]
        self.assertEqual(str(digits.power_quotients([above], below)[0]), "0.007812")
        cancelled = [(half + 1, Fraction(1)), (half, Fraction(-2)), (Fraction(3), Fraction(0))]
        self.assertEqual(str(digits.power_quotients([cancelled], below, times_ln2=True)[0]), "0.000000")

    def test_beside_a_boundary(self) -> None:
        """A hair of 10^-40 decides: e^b for ln, artanh b = ln((1+b)/(1-b))/2 for tanh, b a rounding boundary."""
        for units in (0, 123456, 999998):
            b = Fraction(2 * units + 1, 2 * 10**6)
            argument, exponential = logarithm((1 + b) / (1 - b)) / 2, exact(PRECISE.exp(quotient(b)))
            for side, last in ((-1, units), (1, units + 1)):
                hair, text = Fraction(side, 10**40), f"{last // 10**6}.{last % 10**6:06}"
                self.assertEqual([str(way.tanh(argument + hair)) for way in (digits, closed_12)], [text, text])
                self.assertEqual([str(digits.logarithm(exponential + hair)),
                                  str(enclosures.logarithm(exponential + hair))], [text, text])


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
            self.assertRegex(str(caught.exception), f"^{bundle.SEQUENCE}：{place}：.*分不清第 6 位小数该舍还是该入$")

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
                        partial(closed_14.quotients, dict(enumerate(depths)), [dict.fromkeys((5, 6), Fraction(1))])):
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
