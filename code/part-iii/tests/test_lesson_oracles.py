"""The oracles of lesson 6.1 can fail: each is given a result that is not as it should be."""
from __future__ import annotations

import contextlib
import io
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from unittest import mock

from lesson.figure import Figure
from tests.oracles import held, lesson_digits, speed


class Oracles(unittest.TestCase):
    """tests/oracles/, as far as they need no NumPy."""

    def test_digits(self) -> None:
        """A digit, a count, a figure or a count without proof, and one that the record lacks, each are a line."""
        right = {"/x/loss": "0.0956", "/x/escaped_at": 15002, "/seeds/seeds": 20}
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

    def test_files(self) -> None:
        """Draws, counts and expectation are held to the last byte: a digit, a count, a line end, a line."""
        right = '{\n  "loss": "0.0956",\n  "learned": 20\n}\n'
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output, \
                mock.patch.object(held, "located", lambda path: str(Path(folder, path))):
            self.assertEqual(held.held("x.json", right, write=True), 0)
            self.assertEqual(Path(folder, "x.json").read_bytes(), right.encode())
            self.assertEqual(held.held("x.json", right, write=False), 0)
            for old, new, n in (("0.0956", "0.0957", 2), ("20", "19", 3), ("}\n", "}", 5), ("\n}", "\r\n}", 3)):
                self.assertEqual(held.held("x.json", right.replace(old, new), write=False), 1, new)
                self.assertIn(f"从第 {n} 行起；", output.getvalue().split("\n")[-2])

    def test_speed(self) -> None:
        """A plain program that is slower than NumPy in every pair is a failure; one in which it is not suffices."""
        for plain, code in (([1.1] * 8, 1), ([1.1, 1.1, 0.9], 0)):
            taken = iter([time for each in plain for time in (each, 1.0)])
            with mock.patch.object(speed, "seconds", side_effect=taken), \
                    contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(speed.main(), code)
