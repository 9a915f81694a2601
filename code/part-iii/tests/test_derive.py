"""The committed expectation is what derive.py derives, and closed forms agree with stepping on other data."""
from __future__ import annotations

import json
import random
import re
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import derive
import run
from chapters import bundle, chapter_11
from chapters.bundle import Case
from derivation import closed_11, enclosures, powers_11
from support import digits
from support.command import ROOT, Refused, located
from support.record import layout
from tests.at_random import random_bundle
from tests.beside_the_book import beside_the_book
from tests.both_ways import as_files, closed, given_files, stepped
from tests.shared import copied, data, ledger, loaded, with_value
from tests.test_verdicts import EDGES


class Derivation(unittest.TestCase):
    """expected.json."""

    def test_record_and_expectation_are_the_same_bytes(self) -> None:
        """`diff run.json expected.json` prints nothing, and neither does that of the lesson's pair."""
        for folder in ("", "data/lesson-6-1/"):
            self.assertEqual(*(Path(ROOT, folder, name).read_bytes() for name in ("run.json", "expected.json")))

    def test_members_that_nothing_reads(self) -> None:
        """A note in any object of the data, which run.py passes over, stops nothing; a number too long stays a text."""
        long = "9" * 101
        self.assertEqual(derive.parsed(f"[1e9999, {long}]", "x"), ["1e9999", long])
        noted = [re.sub("{", f'{{"备注": [1e9999, {long}], ', Path(ROOT, path).read_text(encoding="utf-8"))
                 for path in (derive.SEQUENCE, "data/part-ii/nnlm-data.json")]
        sequence, chapter_10 = (derive.parsed(text, "x") for text in noted)
        self.assertEqual(layout(derive.results(sequence, chapter_10["window_collision"])),
                         layout(derive.results(*given_files())))

    def test_spoiled_record(self) -> None:
        """Whatever run.json is, or has where it names its data, whoever runs derive.py is sent to run.py; without a
        word more, or that word is refused.
        """
        with self.assertRaisesRegex(Refused, '命令行：derive.py 不要参数，却有 "x"'):
            derive.main(["x"])
        sequence, chapter_10 = loaded("run.json")["inputs"]
        listed: list[Any] = [None, "x", 1, {}, [], [1, None], [sequence], [chapter_10]]
        listed += [[sequence, {**chapter_10, **more}] for more in ({"field": "x"}, {"sha256": ""}, {"path": 5})]
        with tempfile.TemporaryDirectory() as root:
            copied("data", root)
            with mock.patch.object(derive, "located", lambda path: located(path, root)):
                for text in ("{", "[]", "1", *(json.dumps({"inputs": each}) for each in listed)):
                    Path(root, "run.json").write_text(text, encoding="utf-8")
                    with self.assertRaisesRegex(Refused, "(不是由现在的这个文件算出的|读不懂)：请先运行 run.py"):
                        derive.main([])

    def test_other_data(self) -> None:
        """Random weights, biases, states and inputs: stepping gives what powers give."""
        dice = random.Random(2)
        for turn in range(10):
            given = random_bundle(dice, silent=turn % 2 == 0)
            self.assertEqual(layout(derive.results(*as_files(given))), layout(run.results(given)), turn)

    def test_beside_the_book(self) -> None:
        """With a number or word of the book's data changed, answers and verdicts turn, and both ways turn alike."""
        for chapter, turns in ((11, 16), (12, 60), (13, 60), (14, 20)):
            dice, turned = random.Random(chapter), set[str]()
            for turn in range(turns):
                given = beside_the_book(dice, chapter)
                program, derived = stepped(given, chapter), closed(given, chapter)
                self.assertEqual(layout(derived), layout(program), (chapter, turn))
                turned |= {claim for claim, verdict in program["claims"].items() if verdict != "holds"}
            decided = sum(claim["evidence"] != [] for claim in ledger(f"chapter_{chapter}"))
            self.assertGreater(2 * len(turned), decided, chapter)

    def test_edges(self) -> None:
        """Where one condition decides, both ways reach the verdict that follows by hand."""
        for chapter, changes, wanted in EDGES:
            given = data()._replace(**changes)
            for way in (stepped, closed):
                claims = way(given, chapter)["claims"]
                self.assertEqual({claim: claims[claim] for claim in wanted}, wanted, (way.__name__, changes))

    def test_fewest_fillers_of_a_hundred(self) -> None:
        """r^k is reached with k - 2 fillers: for k = 102 these are a hundred, for k = 103 one too many."""
        r = Fraction(9, 10)
        for k, fewest in ((102, 100), (103, None)):
            net = chapter_11.retaining(data().network, r)._replace(output_bias=[r**k * Fraction(21, 20), Fraction(0)])
            model = powers_11.Model(as_files(data()._replace(network=net))[0]["rnn"])
            ways = chapter_11.exercise_1(net)["fewest_fillers"], closed_11.exercise_1(model)["fewest_fillers"]
            self.assertEqual(ways, (fewest, fewest))

    def test_one_rate_alone_has_a_bound(self) -> None:
        """A weight that is to be kept has a bound only where W_h is r times the unit matrix; both ways say so."""
        for matrix, bound in (([[1, 0], [0, 1]], True), ([[1, 1], [0, 1]], False), ([[1, 0], [0, 2]], False)):
            recurrent = [[Fraction(number, 2) for number in row] for row in matrix]
            given = data()._replace(network=data().network._replace(recurrent_weight=recurrent))
            for way in (stepped, closed):
                self.assertEqual(way(given, 11)["repairs"]["retained_weight_above"] is not None, bound, matrix)

    def test_refuses_what_has_no_closed_form(self) -> None:
        """What could meet ReLU in chapter 11, and an encoder's matrix that mixes or turns, is refused at its place."""
        rnn = given_files()[0]["rnn"]
        for name, value, place in (("recurrent_weight", [[1, 0], [0, -1]], "/rnn/recurrent_weight/1"),
                                   ("initial", [0, -1], "/rnn/initial"), ("hidden_bias", [-2, 0], "/rnn/embedding/0"),
                                   ("input_weight", [[1, 0], [0, "-1/2"]], "/rnn/embedding/1")):
            with self.assertRaisesRegex(Refused, f"{place}：闭式推导要求"):
                powers_11.Model({**rnn, name: value})
        for row, value in ((0, [[1, 1], [0, 1]]), (1, [[1, 0], [0, "-1/2"]]), (1, [[1, 0], [-1, 1]])):
            with self.assertRaisesRegex(Refused, f"/translation/.*/{row}：闭式推导要求编码器的.*是没有负数的对角矩阵$"):
                derive.chapter(13, with_value(given_files()[0], "/translation/recurrent_weight", value), None)


class Enclosures(unittest.TestCase):
    """Rounded figures by rational arithmetic."""

    def test_root(self) -> None:
        """From 10^-100 to 10^90 and for powers from 1 to 1,000 the root is between exact powers; ties go to even."""
        dice = random.Random(400)
        for _ in range(40):
            q = Fraction(dice.randint(1, 10**9), 10**9) * Fraction(10) ** dice.randint(-100, 90)
            power = dice.choice((1, 2, 3, 8, 64, 999, 1000))
            units = Fraction(enclosures.root(q, power)) * 10**6
            self.assertLessEqual((units - Fraction(1, 2)) ** power if units else 0, q * 10 ** (6 * power))
            self.assertGreaterEqual((units + Fraction(1, 2)) ** power, q * 10 ** (6 * power))
            self.assertEqual(str(enclosures.root(q, power)), str(digits.root(q, power)))
        for even in (0, 1, 2, 3, 1234567):
            q = Fraction(2 * even + 1, 2 * 10**6)
            for power in (1, 2, 5):
                self.assertEqual(Fraction(digits.root(q**power, power)) * 10**6, even + even % 2)

    def test_binary64(self) -> None:
        """Rounded as the processor rounds: at random, at ties, below 2^-1022, and at both ends of the range."""
        dice = random.Random(64)
        numbers = [Fraction(dice.randint(-(10**30), 10**30), dice.randint(1, 10**30))
                   * Fraction(2) ** dice.randint(-1100, 900) for _ in range(200)]
        numbers += [Fraction(2**53 + 1), Fraction(2**54 + 2), Fraction(1, 2**1074), Fraction(1, 2**1075),
                    Fraction(3, 2**1075), Fraction(2**1024) - 2**970 - 1, Fraction(1, 10), Fraction(0)]
        for q in numbers:
            self.assertEqual(enclosures.binary64(q), Fraction(q.numerator / q.denominator), q)
        for q in (Fraction(2) ** 1024 - 2**970, -Fraction(10) ** 400):
            with self.assertRaises(OverflowError):
                enclosures.binary64(q)


class Bounds(unittest.TestCase):
    """What would take much more than ten seconds is refused at its place before anything is computed."""

    def test_edges(self) -> None:
        """Many tokens, long numbers or wide states alone are taken, together they are not; nor 8 × 8 of 40 digits."""
        long = Fraction("0." + "7" * 39)
        wide = [[Fraction(1, 10**39 + 2 * (8 * i + j) + 1) for j in range(8)] for i in range(8)]
        net, translation, attention = data().network, data().translation, data().attention
        dense = net._replace(recurrent_weight=wide, initial=wide[0], input_weight=[wide[1]] * 2, hidden_bias=wide[2],
                             output_weight=[row[:2] for row in wide])
        encoder = translation.encoder._replace(recurrent_weight=wide, initial=wide[0], input_weight=[wide[1]] * 2,
                                               hidden_bias=wide[2])
        asked = attention._replace(queries=wide[:2], readout=wide[3], positions=[])
        cases = [Case([1] * 2000, color) for color in ("red", "blue")]
        for place, given in (
                ("", {"long": cases}), ("", {"network": chapter_11.retaining(net, long)}),
                ("/rnn", {"network": chapter_11.retaining(net, long), "long": cases}), ("/rnn", {"network": dense}),
                ("", {"path": data().path._replace(weight=long)}),
                ("", {"path": data().path._replace(inputs=[Fraction(1)] * 64)}),
                ("/gradient", {"path": data().path._replace(inputs=[Fraction(1)] * 64, weight=long)}),
                ("", {"translation": translation._replace(encoder=encoder), "attention": asked}),
                ("", {"translation": translation._replace(source=[1] * 64), "attention": attention._replace(
                    positions=[*range(1, 65)])}),
                ("/attention", {"translation": translation._replace(encoder=encoder, source=[1] * 64),
                                "attention": asked._replace(positions=[*range(1, 65)])})):
            with self.subTest(place=place, changed=list(given)):
                if place:
                    with self.assertRaisesRegex(Refused, f"{place}：算起来太久，约要 [0-9]+ 秒"):
                        bundle.bounded(data()._replace(**given), "x")
                else:
                    bundle.bounded(data()._replace(**given), "x")
