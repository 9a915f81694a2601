"""Properties of the recurrence, the records and the checker, tried by hypothesis on inputs that nobody chose."""
from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
import unittest
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import check  # noqa: E402
from chapters import (
    experiment,  # noqa: E402
    recurrence,  # noqa: E402
)
from support import (
    digits,  # noqa: E402
    strict_json,  # noqa: E402
)
from support.bundle import Network  # noqa: E402
from support.command import Refused, printable  # noqa: E402
from support.record import layout  # noqa: E402
from tests.shared import pointers, spoiled, with_value  # noqa: E402

# The same examples on every machine, however slow it is: a red run must mean a fault.
settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

small = st.fractions(min_value=-3, max_value=3, max_denominator=8)
positive = st.fractions(min_value=0, max_value=3, max_denominator=8)


@st.composite
def networks(draw: Any, numbers: Any = small, sizes: int = 3) -> Network:
    """Return a network of any consistent shapes."""
    e, h, k, words = (draw(st.integers(1, sizes)) for _ in range(4))

    def matrix(rows: int, width: int) -> list[list[Fraction]]:
        return [[draw(numbers) for _ in range(width)] for _ in range(rows)]

    return Network(
        vocabulary=[f"w{i}" for i in range(words)], candidates=[f"c{i}" for i in range(k)], embedding=matrix(words, e),
        initial=matrix(1, h)[0], input_weight=matrix(e, h), recurrent_weight=matrix(h, h), hidden_bias=matrix(1, h)[0],
        output_weight=matrix(h, k), output_bias=matrix(1, k)[0], window_weight=matrix(2 * e, h))


def words(draw: Any, net: Network, longest: int = 6) -> list[int]:
    """Return a sequence of token ids."""
    return list(draw.draw(st.lists(st.integers(0, len(net.vocabulary) - 1), min_size=1, max_size=longest)))


class Recurrence(unittest.TestCase):
    """h_t = ReLU(x_t·W_x + h_{t−1}·W_h + b_h)."""

    @given(networks(positive), positive, st.data())
    def test_linear_where_relu_is_inactive(self, net: Network, factor: Fraction, data: Any) -> None:
        """Without negative numbers the state is linear in the embedding: twice the clue leaves twice the state."""
        ids = words(data, net)
        silent = net.changed(hidden_bias=[Fraction(0)] * len(net.initial), initial=[Fraction(0)] * len(net.initial))
        scaled = silent.changed(embedding=[[factor * a for a in row] for row in net.embedding])
        state = recurrence.last_state(silent, ids)
        self.assertEqual(recurrence.last_state(scaled, ids), [factor * a for a in state])

    @given(networks(), st.data())
    def test_permuted_coordinates(self, net: Network, data: Any) -> None:
        """Renumbering the hidden coordinates renumbers the state and leaves the logits."""
        order = data.draw(st.permutations(range(len(net.initial))))
        ids = words(data, net)

        def moved(row: Any) -> list[Any]:
            return [row[j] for j in order]

        other = net.changed(initial=moved(net.initial), hidden_bias=moved(net.hidden_bias),
                            input_weight=[moved(row) for row in net.input_weight],
                            recurrent_weight=moved([moved(row) for row in net.recurrent_weight]),
                            output_weight=moved(net.output_weight))
        h, permuted = recurrence.last_state(net, ids), recurrence.last_state(other, ids)
        self.assertEqual(permuted, moved(h))
        self.assertEqual(recurrence.output(other, permuted), recurrence.output(net, h))

    @given(networks(), st.data())
    def test_relabelled_candidates(self, net: Network, data: Any) -> None:
        """Renumbering the candidates renumbers logits and probabilities; the winner stays where it is alone."""
        order = data.draw(st.permutations(range(len(net.candidates))))
        ids = words(data, net)
        other = net.changed(candidates=[net.candidates[j] for j in order],
                            output_weight=[[row[j] for j in order] for row in net.output_weight],
                            output_bias=[net.output_bias[j] for j in order])
        h = recurrence.last_state(net, ids)
        z, relabelled = recurrence.output(net, h), recurrence.output(other, recurrence.last_state(other, ids))
        self.assertEqual(relabelled, [z[j] for j in order])
        chances = digits.probabilities(z)
        self.assertEqual(digits.probabilities(relabelled), [chances[j] for j in order])
        if sorted(z)[-1:] != sorted(z)[-2:-1]:
            self.assertEqual(recurrence.choice(net, z), recurrence.choice(other, relabelled))

    @given(networks(), st.booleans(), st.data())
    def test_integers_and_fractions(self, net: Network, reset: bool, data: Any) -> None:
        """The reader's integer recurrence takes the steps of the fractions."""
        ids = words(data, net)
        integers = [vars(experiment.as_step(net, update)) for update in experiment.updates(net, ids, reset)]
        self.assertEqual(integers, [vars(step) for step in recurrence.steps(net, ids, reset=reset)])


plain = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8)
records = st.dictionaries(st.text(max_size=5), st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20), min_size=1, max_size=4)


def encodable(value: Any) -> bool:
    """Say whether every text of a value can be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def unread(value: Any) -> Any:
    """Return a strictly read value with its numbers as integers again."""
    if isinstance(value, dict):
        return {key: unread(member) for key, member in value.items()}
    if isinstance(value, list):
        return [unread(member) for member in value]
    return int(value) if isinstance(value, strict_json.Number) else value


class Records(unittest.TestCase):
    """Writing, strict reading, checking."""

    @given(records)
    def test_written_and_read(self, record: Any) -> None:
        """A record survives being laid out and read strictly."""
        assume(encodable(record))
        self.assertEqual(unread(strict_json.parse(layout(record), "x").value), record)

    @given(records)
    def test_layout_is_json(self, record: Any) -> None:
        """The layout is the same JSON as the standard library's."""
        assume(encodable(record))
        self.assertEqual(json.loads(layout(record)), record)

    @settings(max_examples=200)
    @given(st.sampled_from(check.RECORDS), st.data(), plain)
    def test_checker(self, row: check.Row, data: Any, other: Any) -> None:
        """A record agrees with itself, and after any single change of a leaf it does not, at that place."""
        record = check.read(check.files_of(row)[0])
        self.assertEqual(check.compare(record, record, None, row, "").ours, [])
        pointer = data.draw(st.sampled_from(pointers({"results": record["results"]})))
        was = check.at(record, pointer)
        assume(type(was) is not type(other) or was != other)
        wrong = with_value(record, pointer, other)
        parent, _, last = pointer.rpartition("/")
        holder = check.at(wrong, parent)
        if data.draw(st.booleans()) and isinstance(holder, dict):
            del holder[last]
        self.assertEqual([place for place, _, _ in check.compare(wrong, record, None, row, "").ours], [pointer])

    def test_spoiled_files(self) -> None:
        """Three thousand spoiled records, expectations and ledgers: a report or one line, each in under two seconds."""
        dice = random.Random(2026)
        files = {row.name: check.files_of(row) for row in check.RECORDS}
        read: dict[str, Any] = {}
        for path in (path for paths in files.values() for path in paths):
            with open(path, encoding="utf-8") as file:
                read[path] = json.load(file)
        outcomes = {"report": 0, "refused": 0, "agrees": 0}
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(3000):
                paths = list(files[dice.choice(list(files))])
                place = dice.randrange(3)
                value = spoiled(read[paths[place]], dice)
                for _ in range(dice.choice((0, 0, 1, 5))):
                    value = value if isinstance(value, str) else spoiled(value, dice)
                paths[place] = os.path.join(folder, "spoiled.json")
                with open(paths[place], "w", encoding="utf-8") as text:
                    text.write(value if isinstance(value, str) else json.dumps(value))
                start = time.process_time()
                try:
                    lines = [check.cut(printable(line)) for line in check.check(paths, None, turn % 2 == 0)]
                    outcome = "report" if len(lines) > 1 else "agrees"
                    self.assertTrue(outcome == "report" or place == 2, lines)  # a ledger in other words
                except Refused as refusal:
                    lines, outcome = [str(refusal)], "refused"
                outcomes[outcome] += 1
                self.assertLess(time.process_time() - start, 2, lines)
                self.assertLessEqual(max(map(len, lines)), 400, lines)
                self.assertFalse(any("\n" in line for line in lines))
        self.assertGreater(min(outcomes.values()), 20, outcomes)


if __name__ == "__main__":
    unittest.main()
