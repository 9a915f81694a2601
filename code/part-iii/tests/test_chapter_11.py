"""The recurrence against a second computation, and what chapter 11 says of its results."""
from __future__ import annotations

import copy
import random
import unittest
from decimal import Decimal
from fractions import Fraction
from typing import Any

import core
import run
from chapters import chapter_11
from chapters.bundle import Case
from tests.shared import Turning, computed, data, judged, random_network, uncut


class Recurrence(unittest.TestCase):
    """h_t = ReLU(x_t·W_x + h_(t-1)·W_h + b_h), z_t = h_t·W_y + b_y. 第 11.2 节."""

    def test_index_by_index(self) -> None:
        """Random networks agree with the two formulas written out over indices."""
        dice = random.Random(11)
        for _ in range(60):
            net = random_network(dice)
            tokens = [dice.randrange(5) for _ in range(6)]
            steps, state = core.read(net, tokens), list(net.initial)
            self.assertEqual(len(steps), 6)
            for step, i in zip(steps, tokens):
                before = uncut(net, i, state)
                self.assertEqual((step.input, step.previous_state), (net.embedding[i], state))
                state = [number if number > 0 else Fraction(0) for number in before]
                logits = [net.output_bias[k] + sum(state[j] * net.output_weight[j][k] for j in range(len(state)))
                          for k in (0, 1)]
                self.assertEqual((step.preactivation, step.state, step.logits), (before, state, logits))
                self.assertEqual(step.choice, "blue" if logits[1] > logits[0] else "red")


class Results(Turning):
    """What the record says, where the chapter's own words decide it."""

    def test_softmax_is_worked_out_up_to_a_hundred(self) -> None:
        """At a logit of 100 the exponential is written, beyond it the field is null."""
        for logits, exists in (([Fraction(100), Fraction(-100)], True), ([Fraction(0), Fraction(401, 4)], False)):
            worked = chapter_11.worked_softmax({"logits": logits, "probabilities": [None, None]})
            self.assertEqual(worked is not None, exists)

    def test_probabilities_beside_a_tie(self) -> None:
        """The odds of 1/2 + y/2 are (1+y)/(1-y), whose logarithm is 2·(y + y³/3 + y⁵/5 + …): cut there for y = 10^-6 it
        lies below the tie 0.5000005, with y⁷/6 for what follows above it.
        """
        y, net = Fraction(1, 10**6), data().network
        below = 2 * (y + y**3 / 3 + y**5 / 5)
        for red, shown in ((below, "0.500000"), (below + y**7 / 3, "0.500001")):
            step = core.step(net._replace(output_bias=[red, Fraction(0)]), 1, 2, net.initial)
            self.assertEqual(str(chapter_11.recorded(step)["probabilities"][0]), shown)

    def test_reset_is_to_zeros(self) -> None:
        """Cleared before each reading, a state keeps nothing of h_0 either: "is" adds nothing."""
        net = data().network._replace(initial=[Fraction(1), Fraction(1)])
        self.assertEqual([end["state"] for end in chapter_11.exercise_3(net)], [[0, 0], [0, 0]])

    def test_floats_are_cut_too(self) -> None:
        """1 - 2 is cut to zero, and 1/10 becomes the nearest binary fraction."""
        net = data().network._replace(hidden_bias=[Fraction(1, 10), Fraction(-2)])
        floats = chapter_11.binary_float(net, Case([1], "blue"))
        self.assertEqual(floats and floats["state"], [Fraction(0.1), 0])

    def test_repairs_are_sharp(self) -> None:
        """At each threshold blue still loses by the tie rule; a hair beyond it wins. Red likewise at its own."""
        net, repairs, hair = data().network, computed()["chapter_11"]["repairs"], Fraction(1, 10**40)
        root = Fraction(repairs["retained_weight_above"]["decimal"])  # 0.771105 is rounded down
        cases: list[tuple[int, dict[str, Any], str]] = []
        for color, name in ((1, "red_bias_below"), (0, "red_bias_at_least")):
            for move, winner in ((Fraction(0), "red"), (hair, "blue")):
                cases.append((color, {"output_bias": [repairs[name] - move, Fraction(0)]}, winner))
        cases += [(1, {"recurrent_weight": chapter_11.retaining(net, r).recurrent_weight}, winner)
                  for r, winner in ((root, "red"), (root + Fraction(1, 10**6), "blue"))]
        for color, numbers, winner in cases:
            end = chapter_11.last(net._replace(**numbers), data().long[color].token_ids)
            self.assertEqual(end["choice"], winner)

    def test_retained_weight_needs_one_clue_and_one_rate(self) -> None:
        """Doubled output weight halves the bound; two rates, or anything but one positive clue, have none."""
        def repairs(**numbers: Any) -> Any:
            return run.results(data()._replace(network=data().network._replace(**numbers)))["chapter_11"]["repairs"]

        one, zero, half = Fraction(1), Fraction(0), Fraction(1, 2)
        doubled = repairs(output_weight=[[one, zero], [zero, Fraction(2)]])
        self.assertEqual(doubled["retained_weight_above"]["of"], Fraction(1, 16))
        embedding = [list(row) for row in data().network.embedding]
        second, negative = copy.deepcopy(embedding), copy.deepcopy(embedding)
        second[3], negative[1] = [zero, one], [-one, one]
        for numbers in ({"recurrent_weight": [[half, zero], [zero, one / 3]]}, {"embedding": second},
                        {"embedding": negative}, {"recurrent_weight": [[half, one], [zero, half]]},
                        {"initial": [zero, one]}, {"hidden_bias": [zero, one]}, {"output_bias": [zero, zero]},
                        {"output_weight": [[zero, zero]] * 2}):
            self.assertIsNone(repairs(**numbers)["retained_weight_above"])

    def test_each_decided_claim_turns(self) -> None:
        """Each decided claim fails when the results that it rests on say something else, condition by condition; it is
        outside where they no longer have a case of what it calls possible.
        """
        half, eighth = Fraction(1, 2), Fraction(1, 8)
        changes: dict[str, list[Any]] = {
            "window-is-blind": [("table_11_4/0/window/logits", [half, half]),
                                ("short_windows/1/window/token_ids", [1])],
            "no-weight-brings-it-back": [("table_11_4/0/window/token_ids", [0, 4])],
            "wider-window": [("repairs/window/cases/1/choice", "red"), ("repairs/window/cases/0/choice", "blue")],
            "relu-cuts-nothing": [("example_11_1/1/preactivation", [half, Fraction(-1)])],
            "state-needs-no-unit-sum": [("example_11_1/0/probabilities/0", Decimal("0.7")),
                                        ("example_11_2/2/probabilities/1", Decimal("0.531210"))],
            "short-inputs": [("short_windows/1/window/choice", "blue"), ("example_11_2/2/choice", "red")],
            "rnn-distributions-differ": [("table_11_4/0/rnn/steps/8", computed()["chapter_11"]["table_11_4"][1]["rnn"]
                                          ["steps"][8]), ("table_11_4/0/rnn/steps/8/state", [0, Fraction(1, 256)]),
                                         ("table_11_4/0/rnn/steps/8/logits", [Fraction(31, 256), 0])],
            "one-right-each": [("table_11_4/1/rnn/correct", True), ("table_11_4/0/window/correct", False)],
            "reasons-differ": [("table_11_4/0/window/state", [1, 0]), ("table_11_4/1/rnn/correct", True, "outside"),
                               ("table_11_4/0/rnn/steps/8/state", [0, Fraction(1, 256)])],
            "blue-is-not-zero": [("table_11_4/1/rnn/steps/8/state", [0, 0]), ("table_11_4/1/rnn/choice", "blue"),
                                 ("parameters/output_bias", [Fraction(1, 256), 0])],
            "no-underflow": [("table_11_4/1/rnn/steps/8/choice", "blue")],  # the floats' choice is red still
            "weight-or-bias-changes-answer": [("table_11_4/1/rnn/choice", "blue"),
                                              ("repairs/red_bias_below", half)],
            "parameters-independent-of-length": [("parameters/weights_and_biases", 17),
                                                 ("example_11_1/2/t", 9, "outside")],
            "lengths-are-not-equal": [("table_11_4/1/rnn/correct", True), ("example_11_1/2/choice", "blue")],
            "carry-over-is-inherited": [("carry_over/carried/state", [0, Fraction(1, 8)], "outside")],
            "tokens-are-given": [("table_11_4/1/rnn/steps/4/input", [1, 0])],
            "states-are-recomputed": [("table_11_5/inference/state_after", [0, 0], "outside"),
                                      ("table_11_5/training_step/weight_after", half, "outside"),
                                      ("table_11_5/training_step/states_after", [1, half, Fraction(1, 4)])],
            "weights-change-in-training-alone": [("table_11_5/inference/weights_after", []),
                                                 ("table_11_5/training_step/weight_after", half, "outside")],
            "target-only-scores": [("table_11_4/1/rnn/choice", "blue", "outside"),
                                   ("table_11_5/training_step/error", Fraction(0), "outside")],
            "third-state-needs-the-second": [("example_11_1/2/state", [0, 0]),
                                             ("example_11_1/2/token", "key", "outside")],
            "boundary-is-a-tie": [("boundary/logits", [eighth, Fraction(1, 16)]), ("boundary/state", [0, half])],
            "one-filler-is-enough": [("exercise_1/trials/1/logits", [eighth, half]), ("exercise_1/fewest_fillers", 2),
                                     ("exercise_1/trials/0/logits", [eighth, eighth]),
                                     ("exercise_1/trials/2/logits", [eighth, eighth])],
            "leading-fillers-are-free": [("leading_fillers/2/state", [0, eighth])],
            "halved-after-clue": [("table_11_4/1/rnn/steps/4/state", [0, eighth]),
                                  ("table_11_4/0/rnn/steps/1/state", [Fraction(9, 10), 0])],
            "keeping-answers-blue": [("exercise_2/long_blue/choice", "red")],
            "blues-pile-up": [("exercise_2/repeated_blue/2/state", [0, 3])],
            "state-changes-weights-do-not": [("table_11_4/1/rnn/steps/0/state", [0, 2]),
                                             ("table_11_4/0/rnn/steps/1/state", [0, half]),
                                             ("example_11_1/1/state", [0, half]),
                                             ("example_11_1/2/state", [1, 0], "outside"),
                                             ("table_11_5/inference/weights_after", [])],
            "reset-removes-clue": [("exercise_3/1/state", [0, half]), ("exercise_3/1/choice", "blue"),
                                   ("exercise_3/0/choice", "blue"),
                                   ("exercise_3/0/state", [half, 0])],
        }
        self.turn(11, changes)
        unit = copy.deepcopy(computed())
        for step in unit["chapter_11"]["example_11_1"] + unit["chapter_11"]["example_11_2"]:
            step["state"] = [1, 0]
        self.assertEqual(judged(unit, "chapter_11")["state-needs-no-unit-sum"], "outside")
