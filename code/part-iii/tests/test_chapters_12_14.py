"""Chapters 12 to 14: laws that their results must keep, data that decide otherwise, and verdicts that turn."""
from __future__ import annotations

import copy
import random
import unittest
from decimal import Decimal
from fractions import Fraction

import run
from chapters import attention, chapter_12, chapter_13, chapter_14, claims_13, gates, gradient, translation
from support import bundle
from support.command import Refused
from tests.at_random import random_attention, random_translation
from tests.shared import Turning, computed, data

HALF = Fraction(1, 2)


class Gradient(unittest.TestCase):
    """The scalar path 1, 0, 0 with target 1, for which L(w) = (w² - 1)²/2."""

    def test_closed_form(self) -> None:
        """The sum of the contributions is dL/dw = 2w(w² - 1), for many weights."""
        path = data().path
        for n in range(-8, 9):
            w = Fraction(n, 4)
            self.assertEqual(gradient.loss(path, w), (w**2 - 1) ** 2 / 2)
            self.assertEqual(sum(gradient.weight_contributions(path, w)), 2 * w * (w**2 - 1))

    def test_central_difference(self) -> None:
        """(L(w+e) - L(w-e))/2e exceeds dL/dw by exactly 2w·e²: the fifth derivative of L is zero."""
        for w in (HALF, Fraction(-7, 3)):
            difference = chapter_12.central_difference(data().path._replace(weight=w))
            self.assertEqual(difference["error"], 2 * w * difference["step"] ** 2)

    def test_loss_change_is_the_expanded_square(self) -> None:
        """(h + δ - y)²/2 for any δ is the loss and what the two coefficients say."""
        path, change = data().path, computed()["chapter_12"]["example_12_1"]["loss_change"]
        end, loss = gradient.states(path, path.weight)[-1], gradient.loss(path, path.weight)
        for move in (Fraction(1, 7), Fraction(-3)):
            self.assertEqual((end + move - path.target) ** 2 / 2,
                             loss + change["linear"] * move + change["quadratic"] * move**2)


class Gates(unittest.TestCase):
    """LSTM and GRU with given gates."""

    def test_limits(self) -> None:
        """Forget 1 keeps the cell, output 0 lets nothing out; update 1 keeps the state, 0 takes the candidate."""
        cell = gates.lstm(bundle.Lstm(Fraction(-5), Fraction(1), Fraction(0), Fraction(9), Fraction(1)))
        self.assertEqual((cell.cell, str(cell.hidden)), (-5, "-0.999909"))
        self.assertEqual(gates.lstm(data().lstm._replace(output=Fraction(0))).hidden, 0)
        kept = gates.gru(data().gru._replace(update_retains_old=Fraction(1)))
        taken = gates.gru(data().gru._replace(update_retains_old=Fraction(0)))
        self.assertEqual((kept.hidden, taken.hidden), (Decimal("0.800000"), taken.candidate))

    def test_repeated_cell(self) -> None:
        """With the given candidate the cell tends to i·g/(1-f) = 1 and never passes it; with 0.9 it does."""
        repeated = chapter_12.repeated_cell(data().lstm)
        self.assertEqual((repeated["limit"], repeated["steps"], repeated["cell"]), (1, 3, Fraction("1.071")))
        still = chapter_12.repeated_cell(data().lstm._replace(input=Fraction(0)))
        self.assertEqual((still["limit"], still["steps"], still["cell"]), (0, None, None))
        self.assertIsNone(chapter_12.repeated_cell(data().lstm._replace(forget=Fraction(1)))["limit"])


class Translation(unittest.TestCase):
    """The encoder and the two timelines."""

    def test_reflection(self) -> None:
        """For unit weights h_j is the partial sum less the least partial sum so far, zero among them."""
        dice = random.Random(13)
        cut = 0
        for _ in range(60):
            given = random_translation(dice)
            encoder = given.encoder._replace(
                recurrent_weight=[[Fraction(i == j) for j in range(len(given.encoder.initial))]
                                  for i in range(len(given.encoder.initial))],
                initial=[Fraction(0)] * len(given.encoder.initial))
            readings = translation.encode(encoder, given.source)
            for k in range(len(encoder.initial)):
                total = least = Fraction(0)
                for reading in readings:
                    total += sum(a * row[k] for a, row in zip(reading.input, encoder.input_weight)) \
                        + encoder.hidden_bias[k]
                    cut += total < least
                    least = min(least, total)
                    self.assertEqual(reading.state[k], total - least)
        self.assertGreater(cut, 20)

    def test_timelines_part_where_a_prediction_is_wrong(self) -> None:
        """Whatever the table, inputs are equal as long as every prediction was right, and no longer."""
        dice, parted = random.Random(14), 0
        for _ in range(80):
            given = random_translation(dice)
            results = chapter_13.results(data()._replace(translation=given))
            wrong, other = results["first_wrong_prediction"], results["first_different_input"]
            generated = len(results["table_13_5"]["rows"])
            if wrong is None or wrong >= min(generated, len(given.target)):
                self.assertIsNone(other)
            else:
                self.assertEqual(other, wrong + 1)
                parted += 1
        self.assertGreater(parted, 20)

    def test_an_impossible_target_has_no_loss(self) -> None:
        """A target path of probability zero gives null for the loss and its mean, and what needs them is outside."""
        given = data().translation._replace(target=["door", "EOS"])  # after BOS the table never gives door
        results = run.results(data()._replace(translation=given))["chapter_13"]
        self.assertEqual(results["example_13_2"], {"probability": 0, "loss": None, "mean_loss": None})
        self.assertEqual(results["claims"]["loss-to-sixteen-decimals"], "outside")

    def test_ties_and_limits(self) -> None:
        """Of equal probabilities the first candidate is taken; one prediction is cut off by its limit."""
        rows = {**data().translation.rows, "BOS": [Fraction(1, 6)] * 6}
        choices, stopped = translation.generate(rows, bundle.OUTPUT_WORDS, 1)
        self.assertEqual(([choice.output for choice in choices], stopped), (["red"], "limit"))
        rows = {**rows, "BOS": [Fraction(0)] * 5 + [Fraction(1)]}
        self.assertEqual(translation.generate(rows, bundle.OUTPUT_WORDS, 1)[1], "end")

    def test_the_disputed_decimal(self) -> None:
        """36/125 lies above e^-1.24479479884619115: the loss rounds to …6191|1, by integer arithmetic alone.

        e^-x < 1 - x + x²/2 - … + x^60/60! for x > 0, an even number of terms after the first.
        """
        x, term, total = Fraction("1.24479479884619115"), Fraction(1), Fraction(0)
        for n in range(1, 62):
            total, term = total + term, -term * x / n
        self.assertGreater(Fraction(36, 125), total)
        self.assertEqual(str(computed()["chapter_13"]["example_13_2"]["loss"]), "1.2447947988461911")


class Attention(unittest.TestCase):
    """One read over saved states."""

    def test_laws(self) -> None:
        """Weights are positive and sum to one, a context lies within its states; removed weights are zero."""
        dice, exact, rounded = random.Random(15), 0, 0
        for _ in range(60):
            given = random_translation(dice)
            asked = random_attention(dice, given)
            states = translation.states(given.encoder, given.source)
            for removed in [None, *asked.deletions]:
                read = attention.read(asked.queries[0], states, asked.readout, removed)
                kept = [j for j in range(len(states)) if j != removed]
                if read["weights"] is None:
                    rounded += 1
                    self.assertLess(abs(sum(read["weights_decimal"]) - 1), Decimal("0.00001"))
                    continue
                exact += 1
                self.assertEqual(sum(read["weights"]), 1)
                self.assertTrue(all(read["weights"][j] > 0 for j in kept))
                for k, number in enumerate(read["context"]):
                    self.assertTrue(min(states[j][k] for j in kept) <= number <= max(states[j][k] for j in kept))
        self.assertGreater(min(exact, rounded), 20)

    def test_shifted_scores_give_the_same_weights(self) -> None:
        """Adding one number to all scores changes no weight; 1/2, 1/2, 3/2, …, 13/2 give 1/128 at first."""
        states = [[Fraction(max(1, n), 2)] for n in (1, 1, 3, 5, 7, 9, 11, 13)]
        read = attention.read([Fraction(1)], states, [Fraction(1)])
        self.assertEqual((read["weights"][0], str(read["weights_decimal"][0])), (Fraction(1, 128), "0.007812"))
        self.assertIsNone(read["exponentials"])

    def test_scores_that_cannot_be_written(self) -> None:
        """2^1001 is refused in one line, 2^1000 is written out."""
        read = attention.read([Fraction(1000)], [[Fraction(1)]], [Fraction(1)])
        self.assertEqual((read["exponential_sum"], read["weights"]), (2**1000, [1]))
        with self.assertRaisesRegex(Refused, "/attention/queries：有一个分数超出 ±1000"):
            attention.read([Fraction(1001)], [[Fraction(1)]], [Fraction(1)])
        with self.assertRaisesRegex(Refused, "一个位置也没有"):
            attention.read([Fraction(1)], [], [Fraction(1)])

    def test_reencoding_is_the_encoder_of_the_shorter_source(self) -> None:
        """Table 14.3 removes a word, not a state: its states are those of a source without it."""
        given = data().translation
        for row in chapter_14.results(data())["table_14_3"]:
            left = [i for place, i in enumerate(given.source, 1) if place != row["removed"]]
            self.assertEqual(row["states"], [reading.state for reading in translation.encode(given.encoder, left)])


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
            "two-other-ways": [("example_12_1/weight_gradient", HALF), ("central_difference/error", zero)],
            "loss-goes-down": [("example_12_1/updated_loss", Fraction(9, 32)),
                               ("example_12_1/updated_weight", HALF, "outside")],
            "old-states-are-stale": [("example_12_1/updated_states/2", quarter, "outside")],
            "same-rule-shrinks-and-grows": [("table_12_2/5/half", Fraction(1)), ("table_12_2/5/three_halves", one)],
            "distance-zero-is-one": [("table_12_2/0/half", zero), ("table_12_2/0/three_halves", zero),
                                     ("table_12_2/0", {"distance": 0, "half": HALF, "three_halves": HALF})],
            "neither-zero-nor-infinite": [("table_12_2/5/half", zero), ("table_12_2/1/half", 2 * one),
                                          ("table_12_2/5/three_halves", zero)],
            "tanh-slope-depends-on-place": [("tanh/0/slope", Decimal("0.706510")), ("tanh/1/slope", Decimal("0.1"))],
            "gates-need-not-sum-to-one": [("parameters/lstm/input", Fraction(1, 10), "outside")],
            "cell-can-leave-the-interval": [("repeated_cell/cell", Fraction(1))],
            "reset-does-not-erase": [("example_12_4/kept", zero), ("parameters/gru/previous_hidden", zero, "outside")],
            "larger-gate-keeps-more": [("example_12_4/kept", one), ("exercise_5/hidden", zero),
                                       ("parameters/gru/update_retains_old", one, "outside"),
                                       ("parameters/gru/previous_hidden", zero, "outside")],
            "gates-multiply-too": [("retention/0/exact", zero), ("retention/1/exact", HALF),
                                   ("retention/0/exact", one), ("retention/1/exact", Fraction("0.371"))],
            "last-use-is-not-enough": [("exercise_2/missing", zero, "outside"), ("exercise_2/weight_gradient", zero)],
            "output-gate-leaves-the-cell": [("exercise_4/cell_when_closed", zero), ("exercise_4/cell", zero),
                                            ("exercise_4/hidden_when_closed", HALF),
                                            ("exercise_4", dict.fromkeys(("cell", "hidden_when_closed",
                                                                          "cell_when_closed"), zero))],
            "full-update-ignores-the-candidate": [("exercise_5/hidden", zero)],
            "reset-only-moves-the-candidate": [("exercise_5/hidden", zero),
                                               ("example_12_4/candidate", Decimal("0.000000"), "outside")],
        }, set())

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
            "small-loss-is-no-proof": [("table_13_3/0/greedy", "red", "outside")],
            "limit-is-reported": [("limit_of_two/stopped", "end"), ("limit_of_two/outputs", ["EOS"], "outside")],
            "wrong-prediction-before-other-input": [("first_wrong_prediction", 2), ("first_different_input", 1)],
            "later-words-recover": [("table_13_5/rows/2/output", "key"), ("parameters/target",
                                                                           ["blue", "door", ".", "EOS"], "outside")],
            "forcing-cannot-separate": [("table_13_2/contrast/2/state", red), ("table_13_3/0/input", "red"),
                                        ("table_13_3/0/prefix", ["red"])],
            "noun-repaired-colour-not": [("exercise_3/outputs/0", "red"), ("exercise_3/outputs/1", "door")],
            "negative-coordinate-is-cut": [("table_13_2/contrast/1/preactivation", red),
                                           ("table_13_2/contrast/1/state", [-one, one])],
            "dropping-end-changes-the-mean": [("table_13_3/3/probability", HALF),
                                             ("exercise_5/mean_loss", Decimal("0.311199")),
                                             ("exercise_5/loss", Decimal("1.2447947988461910"))],
        }, {"loss-to-sixteen-decimals"})

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
            "deletions-differ-on-one": [("table_14_3/0/read/context/0", one), ("table_14_3/1/read/context",
                                                                               [Fraction(2, 3), zero])],
            "nothing-left-to-normalise": [("nothing_left/refused", False), ("nothing_left/positions", 1)],
            "storage-grows-with-positions": [("storage/saved_numbers", 2), ("storage/fixed_numbers", 6)],
            "counting-is-no-distribution": [("exercise_2/sum", one)],
            "zero-query-is-even": [("exercise_2/zero_query/weights/0", HALF), ("exercise_2/zero_query/scores/0", one)],
        }, set())


if __name__ == "__main__":
    unittest.main()
