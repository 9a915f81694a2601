"""Properties of the recurrence, the records and the checker, tried by hypothesis on inputs that nobody chose."""
from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import check
import core
import derive
import run
from checking import comparing, known
from checking.reading import placed
from support import shapes
from support.command import Refused, printable
from support.record import layout
from tests import shared
from tests.at_random import random_bundle
from tests.both_ways import as_files
from tests.shared import pointers, spoiled, with_value

# The same examples on every machine, however slow it is: a red run must mean a fault.
settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

class Derivation(unittest.TestCase):
    """The program's results against the closed forms; tests/test_derive.py has the data beside the book."""

    @settings(max_examples=120)
    @given(st.integers(0, 10**6), st.booleans())
    def test_whole_results(self, seed: int, silent: bool) -> None:
        """Whatever the data, both give the same bytes."""
        data = random_bundle(random.Random(seed), silent)
        self.assertEqual(layout(derive.results(*as_files(data))), layout(run.results(data)))


class Recurrence(unittest.TestCase):
    """h_t = ReLU(x_t·W_x + h_(t-1)·W_h + b_h)."""

    @given(st.integers(0, 10**6), st.data())
    def test_permuted_coordinates(self, seed: int, data: Any) -> None:
        """Renumbering the hidden coordinates renumbers the state and leaves the logits."""
        net = shared.random_network(random.Random(seed))
        order = data.draw(st.permutations(range(len(net.initial))))
        ids = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=6))

        def moved(row: Any) -> list[Any]:
            return [row[j] for j in order]

        other = net._replace(initial=moved(net.initial), hidden_bias=moved(net.hidden_bias),
                             input_weight=[moved(row) for row in net.input_weight],
                             recurrent_weight=moved([moved(row) for row in net.recurrent_weight]),
                             output_weight=moved(net.output_weight))
        one, two = core.read(net, ids)[-1], core.read(other, ids)[-1]
        self.assertEqual((moved(one.state), one.logits, one.choice), (two.state, two.logits, two.choice))


text = st.text(st.characters(codec="utf-8"), max_size=8)
plain = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | text
records = st.dictionaries(text, st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=20), min_size=1, max_size=4)


class Records(unittest.TestCase):
    """Writing, strict reading, checking."""

    @given(records)
    def test_written_and_read(self, record: Any) -> None:
        """A record survives being laid out and read strictly."""
        self.assertEqual(shapes.parse(layout(record), "x"), record)

    @settings(max_examples=200)
    @given(st.sampled_from(known.RECORDS), st.data(), plain)
    def test_checker(self, row: known.Pair, data: Any, other: Any) -> None:
        """A record agrees with itself, and after any single change of a leaf it does not, at that place."""
        record = shared.loaded(row.run)
        pointer = data.draw(st.sampled_from(pointers({"results": record["results"]})))
        was = shared.at(record, pointer)
        assume(type(was) is not type(other) or was != other)
        wrong = with_value(record, pointer, other)
        parent, _, last = pointer.rpartition("/")
        holder = shared.at(wrong, parent)
        if data.draw(st.booleans()) and isinstance(holder, dict):
            del holder[last]
        one, two = (placed("", value, {}) for value in (record, wrong))
        self.assertEqual(list(comparing.differences(one, one)), [])
        self.assertEqual([place for place, _, _ in comparing.differences(one, two)], [pointer])

    def test_spoiled_files(self) -> None:
        """Three thousand spoiled files of every kind: a report or one line, each in under two seconds."""
        dice = random.Random(2026)
        read = {path: shared.loaded(path) for row in known.RECORDS for path in known.files_of(row)}
        outcomes = {"report": 0, "refused": 0, "agrees": 0}
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(3000):
                row = dice.choice(known.RECORDS)
                paths = known.files_of(row)
                place = dice.randrange(len(paths))
                value = spoiled(read[paths[place]], dice)
                for _ in range(dice.choice((0, 0, 1, 5))):
                    value = value if isinstance(value, str) else spoiled(value, dice)
                paths[place] = os.path.join(folder, "spoiled.json")
                Path(paths[place]).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
                start = time.process_time()
                try:
                    lines = [printable(line) for line in check.check(paths, row, turn % 2 == 0)]
                    outcome = "report" if len(lines) > 1 else "agrees"
                    # a ledger in other words, or other counts of as many seeds, may agree
                    self.assertTrue(outcome == "report" or place == 2 or not row.expected, lines)
                except Refused as refusal:
                    lines, outcome = [str(refusal)], "refused"
                outcomes[outcome] += 1
                self.assertLess(time.process_time() - start, 2, lines)
                self.assertLessEqual(max(map(len, lines)), 400, lines)
                self.assertFalse(any("\n" in line for line in lines))
        self.assertGreater(min(outcomes.values()), 20, outcomes)


if __name__ == "__main__":
    unittest.main()
