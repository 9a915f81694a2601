"""The oracles of lesson 6.1 can fail: each is given a result that is not as it should be."""
from __future__ import annotations

import unittest
from decimal import Decimal

from lesson.figure import Figure
from tests.oracles import lesson_digits


class Oracles(unittest.TestCase):
    """tests/oracles/, as far as they need no NumPy."""

    def test_digits(self) -> None:
        """A digit, a count, a figure or a count without proof, and one that the record lacks, each are a line."""
        right = {"/x/loss": "0.0956", "/x/escaped_at": 15002, "/x/round": 1}
        results = {**right, "/x/loss": Figure(0.09559, ".4f")}
        proven = {"/x/loss": Decimal("0.09559"), "/x/escaped_at": 15002}
        self.assertEqual(lesson_digits.compared(right, results, proven)[:2], ([], 1))
        for record, known, line in (
                ({**right, "/x/loss": "0.0957"}, proven, "/x/loss：记录 0.0957，"),
                ({**right, "/x/escaped_at": 15001}, proven, "/x/escaped_at：记录 15001，40 位算得 15002"),
                (right, {"/x/loss": Decimal("0.09559")}, "/x/escaped_at：没有重算"),
                (right, {"/x/escaped_at": 15002}, "/x/loss：没有重算"),
                (right, {**proven, "/x/loss": Decimal("0.09554")}, "/x/loss：记录 0.0956，"),
                ({"/x/loss": "0.0956"}, proven, "/x/escaped_at：记录里没有")):
            faults, *_ = lesson_digits.compared(record, results, known)
            self.assertEqual([fault[:len(line)] for fault in faults], [line])
