"""Chapters 12 to 14: facts that are settled by themselves, numbers worked out by hand, and verdicts that turn."""
from __future__ import annotations

import copy
import random
import unittest
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from time import process_time
from timeit import repeat
from typing import Any

import core
from chapters import chapter_12, chapter_13
from claims import claims_13
from core import Gru, Lstm
from tests.shared import Turning, computed, data, random_network, uncut

HALF = Fraction(1, 2)


def row(text: str) -> list[Fraction]:
    """Return the numbers of a text."""
    return list(map(Fraction, text.split()))


class Results(unittest.TestCase):
    """What neither the derivation nor the texts decide."""

    def test_the_disputed_decimal(self) -> None:
        """36/125 lies above e^-1.24479479884619115: the loss rounds to …6191|1, by integer arithmetic alone.

        e^-x < 1 - x + x²/2 - … + x^60/60! for x > 0, an even number of terms after the first.
        """
        x, term, total = Fraction("1.24479479884619115"), Fraction(1), Fraction(0)
        for n in range(1, 62):
            total, term = total + term, -term * x / n
        self.assertGreater(Fraction(36, 125), total)
        self.assertEqual(str(computed()["chapter_13"]["example_13_2"]["loss"]), "1.2447947988461911")

    def test_a_cell_that_starts_at_one(self) -> None:
        """1 is not beyond 1: what is written into such a cell, 1/2·9/10, takes it there at the first step."""
        repeated = chapter_12.repeated_cell(Lstm(Fraction(1), Fraction(1), HALF, HALF, Fraction(1)))
        self.assertEqual((repeated["steps"], repeated["cell"], repeated["limit"]), (1, Fraction(29, 20), None))

    def test_scores_that_cannot_be_written(self) -> None:
        """2^1001 is refused in one line, 2^1000 is written out."""
        one = Fraction(1)
        read = core.attend([1000 * one], [[one]], [one])
        self.assertEqual((read.exponential_sum, read.weights), (2**1000, [1]))
        for query in (1001, -1001):
            with self.assertRaisesRegex(ValueError, "有一个分数超出 ±1000"):
                core.attend([query * one], [[one]], [one])

    def test_calls_that_ask_for_nothing(self) -> None:
        """A position that is not there, another width, no position, a row that is no distribution: ValueError."""
        one, rows = Fraction(1), dict(data().translation.rows)
        states, words = [[one, one], [one, 2 * one]], data().translation.candidates
        calls: list[tuple[Callable[[], Any], str]] = [
            (lambda: core.attend([one, one], states, [one, one], -1), "没有位置 -1"),
            (lambda: core.attend([one, one], states, [one, one], 3), "位置从 1 数到 2，没有位置 3"),
            (lambda: core.attend([one, one], states, [one, one], 0), "没有位置 0"),
            (lambda: core.attend([one], states, [one, one]), "1 个数与 2 个数"),
            (lambda: core.attend([one, one], states, [one] * 3), "2 个数与 3 个数"),
            (lambda: core.attend([one], [], [one]), "一个位置也没有"),
            (lambda: core.attend([one], [[one]], [one], 1), "一个位置也没有"),
            (lambda: core.generate({**rows, "BOS": [one] * 6}, words, 3), "BOS 一行应是 6 个.*有 6 个，和 6"),
            (lambda: core.generate({**rows, "BOS": [2 * one, -one, *rows["BOS"][2:]]}, words, 3), "BOS 一行"),
            (lambda: core.teacher_forced({**rows, "red": [one]}, words, ["red", "EOS"]), "red 一行应是 6 个.*有 1")]
        for call, message in calls:
            with self.assertRaisesRegex(ValueError, message):
                call()

    def test_time_grows_as_the_positions(self) -> None:
        """Eight times as many positions take about eight times as long, not sixty-four times."""
        states, one = [row(str(n % 3)) for n in range(320)], row("1")
        few, many = (min(repeat(partial(core.attend, one, states[:n], one), number=1, timer=process_time))
                     for n in (40, 320))
        self.assertLess(many, 24 * few)


class ByHand(unittest.TestCase):
    """Numbers beside the book's, which hide some mistakes: x = 0, u = 1, h_0 = 0, three inputs, EOS at four of eight,
    with the probability 1, and scores that are 0 or 1.
    """

    def test_gradient(self) -> None:
        """Over four inputs from h_0 = 4 with w = 1/2: no state, no contribution is zero, and none is like another.

        h = 1 + 2, 3 + 3/2, -1 + 9/4, 2 + 5/8; the error 21/8 - 5/8 = 2 is halved on its way back; the contributions
        are 1/4·4, 1/2·3, 1·9/2 and 2·5/4, together 19/2; with the rate 1/38 that moves w to 1/4.
        """
        path = core.ScalarPath(row("1 3 -1 2"), Fraction(4), HALF, Fraction(5, 8), Fraction(1, 38))
        self.assertEqual(core.path_states(path, HALF), row("3 9/2 5/4 21/8"))
        self.assertEqual(core.path_loss(path, HALF), 2)
        self.assertEqual(core.state_gradients(path, HALF), row("1/4 1/2 1 2"))
        self.assertEqual(core.weight_contributions(path, HALF), row("1 3/2 9/2 5/2"))
        self.assertEqual(core.updated_weight(path), Fraction(1, 4))

    def test_gates(self) -> None:
        """x = 0.6 and u = -0.4 make of r·h = 1/2·2 what stands in example 12.4, 0.2, whose tanh is 0.19737532…

        0.3·2 + 0.7·0.19737532 is 0.73816272; with the tanh rounded first it would be 0.7381625, a tie.
        """
        mixed = core.gru(Gru(Fraction(2), Fraction("0.3"), HALF, Fraction("0.6"), Fraction("-0.4")))
        self.assertEqual(list(map(str, mixed)), ["1", "0.197375", "3/5", "0.738163"])

    def test_hidden_beside_a_tie(self) -> None:
        """tanh 100 is below 1, so that 0.0000015·tanh 100 lies below the tie; a float's tanh is 1, and rounds to 2."""
        hair, hundred, zero, one = Fraction("0.0000015"), Fraction(100), Fraction(0), Fraction(1)
        self.assertEqual(str(core.lstm(Lstm(hundred, one, zero, zero, hair)).hidden), "0.000001")
        self.assertEqual(str(core.gru(Gru(zero, 1 - hair, zero, hundred, zero)).hidden), "0.000001")

    def test_encoders_that_mix(self) -> None:
        """With a W_h that is not diagonal, which the derivation refuses, each reading is the formula over indices."""
        dice = random.Random(13)
        for _ in range(30):
            net = random_network(dice, words=4)
            encoder = core.Encoder(*(getattr(net, name) for name in core.Encoder._fields))
            ids, cut, loose = [dice.randrange(4) for _ in range(5)], list(net.initial), list(net.initial)
            for i, reading in zip(ids, core.encode(encoder, ids)):
                self.assertEqual((reading.previous_state, reading.preactivation), (cut, uncut(net, i, cut)))
                cut, loose = [max(number, Fraction(0)) for number in uncut(net, i, cut)], uncut(net, i, loose)
                self.assertEqual((reading.input, reading.state), (net.embedding[i], cut))
            self.assertEqual(chapter_13.without_relu(encoder, ids), loose)

    def test_encoder(self) -> None:
        """From h_0 = [0, 2] 红色 钥匙 。 lead to [1, 2], [0, 3], [0, 2]: the embeddings come to nothing together."""
        encoder = data().translation.encoder._replace(initial=row("0 2"))
        self.assertEqual([each.state for each in core.encode(encoder, [0, 2, 3])], [row("1 2"), row("0 3"), row("0 2")])
        self.assertEqual(chapter_13.without_relu(encoder, [0, 2, 3]), row("0 2"))

    def test_end_at_the_limit(self) -> None:
        """Table 13.5 chooses EOS at its fourth prediction: a limit of four lets it end, one of three does not."""
        given = data().translation
        for limit, stopped in ((4, "end"), (3, "limit")):
            choices, by = core.generate(given.rows, given.candidates, limit)
            self.assertEqual((len(choices), by), (limit, stopped))

    def test_end_that_is_not_certain(self) -> None:
        """1/2 and 1/5 for EOS have the loss ln 10 = 2.30258509299404568…, its half is 1.15129254…; without EOS ln 2."""
        rows = {**data().translation.rows, "BOS": row("1/2 1/2 0 0 0 0"), "red": row("4/5 0 0 0 0 1/5")}
        given = data().translation._replace(rows=rows, target=["red", "EOS"])
        results = chapter_13.results(data()._replace(translation=given))
        self.assertEqual([str(results[each][name]) for each in ("example_13_2", "exercise_5")
                          for name in ("loss", "mean_loss")],
                         ["2.3025850929940457", "1.151293", "0.6931471805599453", "0.693147"])

    def test_read(self) -> None:
        """Scores 1, -1, 2 and -2 have the exponentials 2, 1/2, 4, 1/4, together 27/4; without the second 25/4.

        The context is (8·[1, 0] + 2·[0, 1] + 16·[2, 0] + [0, 2])/27 = [40/27, 4/27].
        """
        states = [row("1 0"), row("0 1"), row("2 0"), row("0 2")]
        read = core.attend(row("1 -1"), states, row("1 2"))
        self.assertEqual([read.scores, read.exponentials, read.weights, read.context, read.readout],
                         [row("1 -1 2 -2"), row("2 1/2 4 1/4"), row("8/27 2/27 16/27 1/27"), row("40/27 4/27"),
                          Fraction(48, 27)])
        left = core.attend(row("1 -1"), states, row("1 2"), removed=2)
        self.assertEqual((left.weights, left.context), (row("8/25 0 16/25 1/25"), row("8/5 2/25")))

    def test_read_of_half_a_score(self) -> None:
        """Scores 1/2 and 0 weigh √2 : 1, that is 2 - √2 = 0.58578644 and √2 - 1 = 0.41421356."""
        read = core.attend([HALF], [row("1"), row("0")], row("1"))
        self.assertEqual((read.weights, list(map(str, read.weights_decimal))), (None, ["0.585786", "0.414214"]))


class Verdicts(Turning):
    """Each decided claim fails when the results that it rests on say something else, condition by condition; it is
    outside where they no longer have a case of what it calls possible.
    """

    def test_chapter_12(self) -> None:
        """The error travels back; gates."""
        quarter, zero, one = Fraction(1, 4), Fraction(0), Fraction(1)
        self.turn(12, {
            "small-change-gives-the-error": [("example_12_1/error", HALF),
                                             ("example_12_1/loss_change/quadratic", zero)],
            "each-step-back-multiplies": [("example_12_1/state_gradients/0", HALF), ("parameters/weight", quarter)],
            "contributions-are-summed": [("example_12_1/weight_gradient", HALF),
                                         ("example_12_1/weight_contributions/1", zero),
                                         ("central_difference/slope", -quarter),
                                         ("example_12_1", {**computed()["chapter_12"]["example_12_1"],
                                                           "weight_gradient": zero, "weight_contributions": [zero]},
                                          "outside")],
            "two-other-ways": [("example_12_1/weight_gradient", HALF), ("central_difference/error", zero),
                               ("polynomial", None, "outside")],
            "truncated-bptt": [("exercise_3/truncated_gradient", -3 * quarter, "outside"),
                               ("exercise_3", None, "outside")],
            "loss-goes-down": [("example_12_1/updated_loss", Fraction(9, 32)),
                               ("example_12_1/updated_weight", HALF, "outside")],
            "old-states-are-stale": [
                ("example_12_1/updated_states", computed()["chapter_12"]["example_12_1"]["states"], "outside")],
            "same-rule-shrinks-and-grows": [("table_12_2/5/half", Fraction(1)), ("table_12_2/5/three_halves", one)],
            "distance-zero-is-one": [("table_12_2/0/half", zero), ("table_12_2/0/three_halves", zero),
                                     ("table_12_2/0", {"distance": 0, "half": HALF, "three_halves": HALF})],
            "neither-zero-nor-infinite": [("table_12_2/5/half", zero), ("table_12_2/1/half", 2 * one),
                                          ("table_12_2/5/three_halves", zero)],
            "tanh-slope-depends-on-place": [("tanh/0/slope", Decimal("0.706510")), ("tanh/1/slope", Decimal("0.1"))],
            "gates-need-not-sum-to-one": [("parameters/lstm/input", Fraction(1, 10), "outside")],
            "cell-can-leave-the-interval": [("repeated_cell/cell", Fraction(1))],
            "reset-does-not-erase": [("reset_to_zero/kept", one), ("example_12_4/kept", zero, "outside"),
                                     ("example_12_4/reset_state", zero, "outside")],
            "larger-gate-keeps-more": [("example_12_4/kept", one), ("exercise_5/hidden", zero),
                                       ("parameters/gru/update_retains_old", one, "outside"),
                                       ("parameters/gru/previous_hidden", zero, "outside")],
            "gates-multiply-too": [("retention/0/exact", zero), ("retention/1/exact", one),
                                   ("retention/0/exact", one), ("retention/0/exact", HALF**8)],
            "last-use-is-not-enough": [("exercise_2/missing", zero, "outside"), ("exercise_2/weight_gradient", zero)],
            "exercise-12-3": [("exercise_3/truncated_gradient", -3 * quarter), ("exercise_3/carried", zero, "outside"),
                              ("example_12_1/weight_contributions/1", zero, "outside"),
                              ("exercise_3", None, "outside")],
            "output-gate-leaves-the-cell": [("exercise_4/cell_when_closed", zero), ("exercise_4/cell", zero),
                                            ("exercise_4/hidden_when_closed", HALF),
                                            ("exercise_4", dict.fromkeys(("cell", "hidden_when_closed",
                                                                          "cell_when_closed"), zero))],
            "full-update-ignores-the-candidate": [("exercise_5/hidden", zero)],
            "reset-only-moves-the-candidate": [("exercise_5/hidden", zero),
                                               ("example_12_4/candidate", Decimal("0.000000"), "outside")],
            "other-update-convention": [("exercise_5/complementary", Fraction("0.8"), "outside")],
        })

    def test_chapter_13(self) -> None:
        """Encoder, timelines, loss."""
        red, zero, one = [Fraction(1), Fraction(0)], Fraction(0), Fraction(1)
        self.turn(13, {
            "reading-and-writing-lengths-differ": [
                ("table_13_3", computed()["chapter_13"]["table_13_3"][:3], "outside")],
            "paths-meet-at-the-second-reading": [("meeting/t", 1), ("table_13_2/contrast/0/state", red),
                                                 ("table_13_2/source/1/token", "。")],
            "both-sources-end-alike": [("table_13_2/contrast/2/state", red)],
            "relu-makes-them-meet": [("without_relu/contrast", [zero, zero]), ("table_13_2/contrast/2/state", red)],
            "correct-prefix-whatever-is-likely": [("table_13_3/1/input", "blue")],
            "end-counts-start-does-not": [("table_13_3/3/target", "."), ("table_13_3/0/target", "BOS"),
                                          ("table_13_3/0/input", "red")],
            "rows-sum-to-one": [("parameters/rows/BOS/0", one), ("parameters/rows/BOS", [-one, one, one])],
            "sequence-probability-is-a-product": [("table_13_3/1/probability", HALF)],
            "loss-to-sixteen-decimals": [("example_13_2/loss", claims_13.PRINTED_LOSS)],
            "small-loss-is-no-proof": [("table_13_3/0/greedy", "red", "outside"),
                                       ("example_13_2/probability", Fraction(1, 6**4), "outside")],
            "limit-is-reported": [("limit_of_two/stopped", "end"), ("limit_of_two/outputs", ["EOS"], "outside")],
            "wrong-prediction-before-other-input": [("first_wrong_prediction", 2), ("first_different_input", 1)],
            "later-words-recover": [("table_13_5/rows/2/output", "key"), ("parameters/target",
                                                                           ["blue", "door", ".", "EOS"], "outside")],
            "other-encoders": [("other_encoder/source", [zero, zero], "outside")],
            "forcing-cannot-separate": [("table_13_2/contrast/2/state", red), ("table_13_3/0/input", "red"),
                                        ("table_13_3/0/prefix", ["red"])],
            "noun-repaired-colour-not": [("exercise_3/outputs/0", "red"), ("exercise_3/outputs/1", "door")],
            "negative-coordinate-is-cut": [("table_13_2/contrast/1/preactivation", red),
                                           ("table_13_2/contrast/1/state", [-one, one])],
            "dropping-end-changes-the-mean": [("table_13_3/3/probability", HALF),
                                             ("exercise_5/mean_loss", Decimal("0.311199")),
                                             ("exercise_5/loss", Decimal("1.2447947988461910"))],
        })

    def test_chapter_14(self) -> None:
        """Reads and deletions."""
        zero, one = Fraction(0), Fraction(1)
        alike = copy.deepcopy(computed()["chapter_14"]["example_14_1"])
        silent = [dict(copy.deepcopy(row), input=row["state"])
                  for row in computed()["chapter_13"]["table_13_2"]["source"]]
        self.turn(14, {
            "saved-state-is-no-embedding": [("/chapter_13/table_13_2/source", silent)],
            "zero-score-keeps-weight": [("example_14_1/weights/2", zero), ("example_14_1/exponentials/1", zero),
                                        ("example_14_1/scores", [one] * 3, "outside")],
            "weights-sum-to-one": [("exercise_1/weights/0", one)],
            "width-is-the-states": [("example_14_1/scores", [one]), ("example_14_1/context_decimal", [one])],
            "context-within-states": [("example_14_2/context/0", Fraction(2)), ("exercise_1/context/1", -one)],
            "query-changes-the-read": [("example_14_2/context", alike["context"]), ("example_14_2/weights",
                                                                                  alike["weights"])],
            "attention-tells-sources-apart": [("contrast/read/context", alike["context"]),
                                              ("contrast/states/2", [one, one])],
            "zero-state-counts": [("table_14_2/3/read/readout", one), ("states/2", [one, zero], "outside")],
            "largest-weight-is-not-largest-effect": [("table_14_2/1/read/readout", Fraction(9), "outside"),
                                                     ("table_14_2/1/read/readout", Fraction(-9), "outside")],
            "other-readout-other-answer": [("table_14_2/1/read/readout", HALF), ("table_14_2/1/read/context/0", HALF)],
            "later-state-changes": [("table_14_3/1/states/1", [zero, zero], "outside")],
            "zero-score-is-no-removal": [("zero_score/weights", [zero, HALF, HALF]), ("zero_score", None, "outside")],
            "deletions-differ-on-one": [("table_14_3/0/read/context/0", one), ("table_14_3/2/read/readout", one),
                                        ("table_14_3/1/read", computed()["chapter_14"]["table_14_2"][2]["read"])],
            "nothing-left-to-normalise": [("nothing_left/refused", False), ("nothing_left/positions", 1)],
            "storage-grows-with-positions": [("storage/saved_numbers", 2), ("storage/fixed_numbers", 6),
                                             ("exercise_5/numbers", 100), ("storage/positions", 1, "outside")],
            "counting-is-no-distribution": [("exercise_2/sum", one)],
            "zero-query-is-even": [("exercise_2/zero_query/weights/0", HALF), ("exercise_2/zero_query/scores/0", one)],
        })
