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
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import check
import derive
import run
from chapters import recurrence
from checking import comparing, known, reading, wording
from support import bundle, strict_json
from support.bundle import Attention, Bundle, Case, Encoder, Gru, Lstm, Network, ScalarPath, Translation
from support.command import Refused, printable
from support.record import layout
from tests import shared
from tests.beside_the_book import beside_the_book
from tests.shared import pointers, spoiled, with_value
from tests.test_derive import as_files

# The same examples on every machine, however slow it is: a red run must mean a fault.
settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

def numbers(least: int) -> Any:
    """Return rationals as a bundle writes them: small ones, and now and then one with an extreme exponent."""
    small = st.fractions(min_value=least, max_value=3, max_denominator=8)
    return st.one_of(small, small, small, st.builds(
        lambda digit, power: Fraction(digit) * Fraction(10) ** power,
        st.integers(max(least, 0), 9), st.integers(-12, 12)))


@st.composite
def bundles(draw: Any) -> Bundle:
    """Return data of the closed-form kind: no negative number where ReLU could cut, and any others."""
    size, hidden, words, window = (draw(st.integers(*ends)) for ends in ((1, 3), (1, 3), (5, 7), (1, 3)))

    def matrix(rows: int, width: int, least: int = 0) -> list[list[Fraction]]:
        return [[draw(numbers(least)) for _ in range(width)] for _ in range(rows)]

    zeros, silent = [Fraction(0)] * hidden, draw(st.booleans())
    net = Network(
        vocabulary=[*bundle.WORDS, "more", "still"][:words], candidates=bundle.CANDIDATES,
        embedding=matrix(words, size), initial=zeros if silent else matrix(1, hidden)[0],
        input_weight=matrix(size, hidden), recurrent_weight=matrix(hidden, hidden),
        hidden_bias=zeros if silent else matrix(1, hidden)[0], output_weight=matrix(hidden, 2, -3),
        output_bias=matrix(1, 2, -3)[0], window_weight=matrix(window * size, hidden, -3))
    if silent:  # one clue and one rate: what an inequality decides instead of a search
        rate = draw(numbers(0))
        net = net._replace(
            embedding=[row if i < 2 else [Fraction(0)] * size for i, row in enumerate(net.embedding)],
            recurrent_weight=[[rate * (i == j) for j in range(hidden)] for i in range(hidden)])
    inputs = [draw(st.lists(st.integers(0, words - 1), min_size=window, max_size=9)) for _ in range(4)]
    if silent:
        inputs[3] = [1] + [2] * draw(st.integers(window, 8))
    cases = [Case(ids, color) for ids, color in zip(inputs, ("red", "blue") * 2)]
    initial, weight, target, rate = (draw(numbers(-3)) for _ in range(4))
    distances = draw(st.lists(st.integers(0, 20), min_size=1, max_size=4))
    path = ScalarPath(matrix(1, draw(st.integers(1, 6)), -3)[0], initial, weight, target, rate, distances,
                      bundle.FACTORS)
    translation = draw(translations())
    return shared.data()._replace(network=net, short=cases[:2], long=cases[2:], window=window, path=path,
                                  translation=translation, attention=draw(attentions(translation)), **draw(gates()))


@st.composite
def gates(draw: Any) -> dict[str, Any]:
    """Return gates between nothing and all, and any values that they meet."""
    f, i, o, z, r = (draw(st.fractions(0, 1, max_denominator=8)) for _ in range(5))
    cell, candidate, hidden, into, weight = (draw(numbers(-3)) for _ in range(5))
    return {"lstm": Lstm(cell, f, i, candidate, o), "gru": Gru(hidden, z, r, into, weight)}


def row(width: int) -> Any:
    """Return numbers of both signs, whole ones as often as others; sums of their products stay within ±1000."""
    number = st.one_of(st.integers(-2, 2).map(Fraction), st.fractions(-2, 2, max_denominator=6))
    return st.lists(number, min_size=width, max_size=width)


@st.composite
def translations(draw: Any) -> Translation:
    """Return an encoder of the closed-form kind, whose sums may be cut, and a table with impossible words."""
    size, hidden = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    rates = [draw(st.sampled_from((Fraction(0), Fraction(1), Fraction(1, 2), Fraction(3, 2)))) for _ in range(hidden)]
    encoder = Encoder(
        bundle.SOURCE_WORDS, [draw(row(size)) for _ in bundle.SOURCE_WORDS], draw(row(hidden)),
        [draw(row(hidden)) for _ in range(size)],
        [[rates[j] * (i == j) for j in range(hidden)] for i in range(hidden)], draw(row(hidden)))
    source, contrast = (draw(st.lists(st.integers(0, 3), min_size=1, max_size=6)) for _ in range(2))
    words, rows = bundle.OUTPUT_WORDS[:-1], {}
    for word in ("BOS", *words):
        parts = draw(st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any))
        rows[word] = [Fraction(part, sum(parts)) for part in parts]
    target = [*draw(st.lists(st.sampled_from(words), min_size=1, max_size=4)), "EOS"]
    return Translation(encoder, source, contrast, bundle.OUTPUT_WORDS, target, draw(st.integers(1, 9)), rows)


@st.composite
def attentions(draw: Any, translation: Translation) -> Attention:
    """Return queries, a readout, and positions that are removed; of a single position none can be."""
    width, places = len(translation.encoder.initial), range(len(translation.source))
    removed = draw(st.lists(st.sampled_from(places), unique=True)) if len(places) > 1 else []
    return Attention([draw(row(width)), draw(row(width))], draw(row(width)), removed)


class Derivation(unittest.TestCase):
    """The program's results against the closed forms."""

    @settings(max_examples=120)
    @given(bundles())
    def test_whole_results(self, data: Bundle) -> None:
        """Whatever the data, both give the same bytes."""
        self.assertEqual(layout(derive.results(*as_files(data))), layout(run.results(data)))

    @given(st.randoms(use_true_random=False), st.sampled_from((11, 12, 13, 14)))
    def test_beside_the_book(self, dice: random.Random, chapter: int) -> None:
        """Nor do they part where little is changed of what the book gives, and verdicts turn."""
        data = beside_the_book(dice, chapter)
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
        one, two = recurrence.read(net, ids)[-1], recurrence.read(other, ids)[-1]
        self.assertEqual((moved(one.state), one.logits, one.choice), (two.state, two.logits, two.choice))


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
    @given(st.sampled_from(known.RECORDS), st.data(), plain)
    def test_checker(self, row: known.Row, data: Any, other: Any) -> None:
        """A record agrees with itself, and after any single change of a leaf it does not, at that place."""
        record = reading.read(known.files_of(row)[0])
        self.assertEqual(comparing.compare(record, record, None, row, "").ours, [])
        pointer = data.draw(st.sampled_from(pointers({"results": record["results"]})))
        was = reading.at(record, pointer)
        assume(type(was) is not type(other) or was != other)
        wrong = with_value(record, pointer, other)
        parent, _, last = pointer.rpartition("/")
        holder = reading.at(wrong, parent)
        if data.draw(st.booleans()) and isinstance(holder, dict):
            del holder[last]
        self.assertEqual([place for place, _, _ in comparing.compare(wrong, record, None, row, "").ours], [pointer])

    def test_spoiled_files(self) -> None:
        """Three thousand spoiled records, expectations and ledgers: a report or one line, each in under two seconds."""
        dice = random.Random(2026)
        files = {row.name: known.files_of(row) for row in known.RECORDS}
        read = {path: shared.loaded(path) for paths in files.values() for path in paths}
        outcomes = {"report": 0, "refused": 0, "agrees": 0}
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(3000):
                paths = list(files[dice.choice(list(files))])
                place = dice.randrange(3)
                value = spoiled(read[paths[place]], dice)
                for _ in range(dice.choice((0, 0, 1, 5))):
                    value = value if isinstance(value, str) else spoiled(value, dice)
                paths[place] = os.path.join(folder, "spoiled.json")
                Path(paths[place]).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
                start = time.process_time()
                try:
                    lines = [wording.cut(printable(line)) for line in check.check(paths, None, turn % 2 == 0)]
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
