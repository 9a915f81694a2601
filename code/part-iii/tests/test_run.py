"""The recurrence against a second computation, and the record of chapter 11 against the chapter."""
from __future__ import annotations

import copy
import random
import re
import unittest
from decimal import Decimal
from fractions import Fraction

import run
from chapters import answers, claims_11, gradient, page_11, recurrence
from support import bundle, verdicts
from support.bundle import Network
from support.command import located
from support.show import columns
from tests.shared import with_value

DATA = bundle.load()
NET = DATA.network


def random_network(dice: random.Random) -> Network:
    """Return a network of random consistent shapes with small rational weights, many of them negative."""
    e, h, k, words = (dice.randint(1, 4) for _ in range(4))

    def number() -> Fraction:
        return Fraction(dice.randint(-6, 6), dice.randint(1, 5))

    def matrix(rows: int, width: int) -> list[list[Fraction]]:
        return [[number() for _ in range(width)] for _ in range(rows)]

    return Network(
        vocabulary=[f"w{i}" for i in range(words)], candidates=[f"c{i}" for i in range(k)], embedding=matrix(words, e),
        initial=matrix(1, h)[0], input_weight=matrix(e, h), recurrent_weight=matrix(h, h), hidden_bias=matrix(1, h)[0],
        output_weight=matrix(h, k), output_bias=matrix(1, k)[0], window_weight=matrix(2 * e, h))


class Recurrence(unittest.TestCase):
    """h_t = ReLU(x_t·W_x + h_{t−1}·W_h + b_h), z_t = h_t·W_y + b_y. 第 11.2 节."""

    def test_index_by_index(self) -> None:
        """Random networks agree with the two formulas written out over indices."""
        dice = random.Random(11)
        for _ in range(60):
            net = random_network(dice)
            ids = [dice.randrange(len(net.vocabulary)) for _ in range(6)]
            h = list(net.initial)
            for step, i in zip(recurrence.steps(net, ids), ids):
                before = []
                for j in range(len(h)):
                    total = net.hidden_bias[j]
                    for m in range(len(net.embedding[i])):
                        total += net.embedding[i][m] * net.input_weight[m][j]
                    for m in range(len(h)):
                        total += h[m] * net.recurrent_weight[m][j]
                    before.append(total)
                h = [number if number > 0 else Fraction(0) for number in before]
                z = [net.output_bias[k] + sum(h[j] * net.output_weight[j][k] for j in range(len(h)))
                     for k in range(len(net.candidates))]
                found = recurrence.output(net, step.state)
                self.assertEqual((list(step.preactivation), list(step.state), list(found)), (before, h, z))
                winner = min(range(len(z)), key=lambda k: (-z[k], k))
                self.assertEqual(recurrence.choice(net, found), net.candidates[winner])

    def test_ties_go_to_the_first_candidate(self) -> None:
        """3/10 and 1/10 + 2/10 are equal, though not in binary floats; three candidates tie as two do."""
        self.assertNotEqual(0.3, 0.1 + 0.2)
        z = [Fraction(3, 10), Fraction(1, 10) + Fraction(2, 10)]
        self.assertEqual(recurrence.choice(NET, z), "red")
        self.assertEqual(recurrence.choice(NET.changed(candidates=["blue", "red"]), z), "blue")
        three = NET.changed(candidates=["a", "b", "c"])
        self.assertEqual(recurrence.choice(three, [Fraction(0), Fraction(1, 3), Fraction(2, 6)]), "b")

    def test_nothing_is_absorbed_and_nothing_underflows(self) -> None:
        """After 60 fillers 1/8 + 2^-60 is 1/8 in floats, after 1,080 the state itself is 0 there; blue still wins."""
        ids = [NET.vocabulary.index(word) for word in ("blue", "filler")]
        self.assertEqual(0.125 + 2.0**-60, 0.125)
        even = NET.changed(output_bias=[Fraction(1, 8), Fraction(1, 8)])
        h = recurrence.last_state(even, ids[:1] + ids[1:] * 60)
        self.assertEqual((h[1], recurrence.choice(even, recurrence.output(even, h))), (Fraction(1, 2**60), "blue"))
        self.assertEqual(2.0**-1080, 0.0)
        none = NET.changed(output_bias=[Fraction(0), Fraction(0)])
        h = recurrence.last_state(none, ids[:1] + ids[1:] * 1080)
        self.assertEqual((h[1], recurrence.choice(none, recurrence.output(none, h))), (Fraction(1, 2**1080), "blue"))

    def test_relu_cuts_below_zero_alone(self) -> None:
        """The text's example: [-1, 0.5] becomes [0, 0.5]."""
        self.assertEqual(recurrence.relu([Fraction(-1), Fraction(1, 2)]), [0, Fraction(1, 2)])

    def test_sequences_are_independent_and_data_unchanged(self) -> None:
        """A run in between changes neither the data nor what the next run gives."""
        before = copy.deepcopy(DATA)
        first = run.all_steps(NET, DATA.long[1].ids)
        run.results(DATA)
        self.assertEqual(run.all_steps(NET, DATA.long[1].ids), first)
        self.assertEqual(DATA, before)

    def test_window_adds_the_last_two(self) -> None:
        """Stacked identities add the inputs: a clue inside the window of two is seen, one before it is not."""
        for words, state in (("red blue", [1, 1]), ("blue blue", [0, 2]), ("key is", [0, 0])):
            ids = [NET.vocabulary.index(word) for word in words.split()]
            self.assertEqual(recurrence.window_state(NET, ids), state)

    def test_float_state_rounds_and_overflows(self) -> None:
        """1/10 is not a binary fraction; a weight of 10^100 leaves the range of floats, which gives no state."""
        ids = [NET.vocabulary.index(word) for word in ("red", "key")]
        tenth = recurrence.with_diagonal(NET, Fraction(1, 10))
        self.assertEqual(answers.float_state(tenth, ids), [0.1, 0.0])
        huge = recurrence.with_diagonal(NET, Fraction(10) ** 100)
        self.assertIsNone(answers.float_state(huge, ids[:1] + ids[1:] * 4))


class Record(unittest.TestCase):
    """What run.json says, where the chapter's own words decide it."""

    found = run.results(DATA)

    def test_other_shapes(self) -> None:
        """Networks of any shape give a record; fields that need the chapter's words are null."""
        dice = random.Random(4)
        for _ in range(20):
            net = random_network(dice)
            words = len(net.vocabulary)
            cases = [bundle.Case(ids=[dice.randrange(words) for _ in range(n)], target=net.candidates[0])
                     for n in (2, 5)]
            data = bundle.Bundle(network=net, short=cases, long=cases[1:], window=2, inputs=[], path=DATA.path)
            found = run.results(data)
            self.assertIsNone(found["exercise_1"])
            self.assertIsNone(found["boundary"])
            self.assertEqual(found["claims"]["carry-over-turns-answer"], "outside")
            self.assertEqual(len(found["table_11_4"][0]["rnn"]["steps"]), 5)
            list(page_11.lines(data, found, {}))

    def test_blue_that_never_loses(self) -> None:
        """With weight 1 there is no boundary and no number of fillers."""
        found = run.results(bundle.Bundle(**{**vars(DATA), "network": recurrence.with_diagonal(NET, Fraction(1))}))
        self.assertIsNone(found["boundary"])
        self.assertIsNone(found["exercise_1"]["fewest_fillers"])
        self.assertEqual(found["claims"]["one-right-each"], "fails")
        self.assertEqual(found["claims"]["blue-is-not-zero"], "fails")

    def test_repairs_are_sharp(self) -> None:
        """At each threshold blue still loses by the tie rule; a hair beyond it wins."""
        ids = DATA.long[1].ids
        repairs, hair = self.found["repairs"], Fraction(1, 10**40)
        bias = Fraction(repairs["red_bias_below"])
        for red, winner in ((bias, "red"), (bias - hair, "blue")):
            net = NET.changed(output_bias=[red, Fraction(0)])
            self.assertEqual(recurrence.ending(net, recurrence.last_state(net, ids))["choice"], winner)
        root = Fraction(repairs["retained_weight_above"]["decimal"])
        for r, winner in ((root, "red"), (root + Fraction(1, 10**6), "blue")):  # 0.771105 is rounded down
            net = recurrence.with_diagonal(NET, r)
            self.assertEqual(recurrence.ending(net, recurrence.last_state(net, ids))["choice"], winner)

    def test_verdicts_can_fail(self) -> None:
        """Each decided claim turns when the fields that it rests on are spoiled in one of these ways."""
        changes = {
            "window-is-blind": ("table_11_4/0/window/probabilities/0", "0.6"),
            "rnn-distributions-differ": ("table_11_4/0/rnn/steps/8", self.found["table_11_4"][1]["rnn"]["steps"][8]),
            "relu-cuts-nothing": ("example_11_1/1/preactivation/1", "-1"),
            "state-needs-no-unit-sum": ("example_11_1/0/probabilities/0", "0.7"),
            "short-inputs": ("short_windows/1/window/correct", True),
            "one-right-each": ("table_11_4/1/rnn/correct", True),
            "reasons-differ": ("table_11_4/0/window/state/0", "1"),
            "blue-is-not-zero": ("table_11_4/1/rnn/steps/8/state/1", "0"),
            "no-underflow": ("binary_float/state/1", "0"),
            "parameters-independent-of-length": ("parameters/weights_and_biases", 17),
            "boundary-is-a-tie": ("boundary/logits/1", "1/16"),
            "weight-or-bias-changes-answer": ("exercise_2/long_blue/choice", "red"),
            "wider-window": ("repairs/window/cases/1/correct", False),
            "one-filler-is-enough": ("exercise_1/trials/1/logits/1", "1/4"),
            "keeping-answers-blue": ("exercise_2/long_blue/choice", "red"),
            "blues-pile-up": ("exercise_2/repeated_blue/2/state/1", "3"),
            "reset-removes-clue": ("exercise_3/1/state/1", "1/4"),
            "carry-over-turns-answer": ("carry_over/carried/choice", "red"),
            "order-matters": ("order/1/state/0", "1/4"),
            "leading-fillers-are-free": ("leading_fillers/2/state/1", "1/8"),
            "halved-after-clue": ("table_11_4/1/rnn/steps/4/state/1", "1/8"),
            "state-changes-weights-do-not": ("table_11_4/1/rnn/steps/0/state/1", "2"),
        }
        self.assertEqual(set(changes), set(claims_11.DECIDED))
        self.assertEqual({self.found["claims"][name] for name in changes}, {"holds"})
        for name, (pointer, value) in changes.items():
            spoiled = with_value(self.found, f"/{pointer}", value)
            self.assertEqual(claims_11.verdicts(spoiled)[name], "fails", name)
        spoiled = copy.deepcopy(self.found)
        for step in spoiled["example_11_1"] + spoiled["example_11_2"]:
            step["state"] = ["1", "0"]
        self.assertEqual(claims_11.verdicts(spoiled)["state-needs-no-unit-sum"], "fails")


class Gradient(unittest.TestCase):
    """The scalar path 1, 0, 0 with w = 1/2 and target 1, for which L(w) = (w² − 1)²/2."""

    def test_closed_form(self) -> None:
        """The sum of the contributions is dL/dw = 2w(w² − 1), for many weights."""
        for n in range(-8, 9):
            w = Fraction(n, 4)
            self.assertEqual(gradient.loss(DATA.path, w), (w**2 - 1) ** 2 / 2)
            self.assertEqual(sum(gradient.weight_contributions(DATA.path, w)), 2 * w * (w**2 - 1))

    def test_central_difference(self) -> None:
        """(L(w+e) − L(w−e))/2e exceeds dL/dw by exactly 2w·e²: the fifth derivative of L is zero."""
        for w, e in ((Fraction(1, 2), Fraction(1, 1000)), (Fraction(-7, 3), Fraction(1, 7))):
            difference = (gradient.loss(DATA.path, w + e) - gradient.loss(DATA.path, w - e)) / (2 * e)
            self.assertEqual(difference - sum(gradient.weight_contributions(DATA.path, w)), 2 * w * e**2)

    def test_worked_numbers(self) -> None:
        """States 1, 1/2, 1/4; loss 9/32; one step at rate 1/10 leads to w = 23/40 and loss 0.2240314453125."""
        found = Record.found["gradient"]
        self.assertEqual((found["states"], found["loss"]), (["1", "1/2", "1/4"], "9/32"))
        self.assertEqual(found["state_gradients"], ["-3/16", "-3/8", "-3/4"])
        self.assertEqual((found["weight_contributions"], found["weight_gradient"]), (["0", "-3/8", "-3/8"], "-3/4"))
        self.assertEqual((found["updated_weight"], found["updated_states"][2]), ("23/40", "529/1600"))
        self.assertEqual(Fraction(found["updated_loss"]), Fraction("0.2240314453125"))
        self.assertEqual(found["products"][-1], {"distance": 16, "half": "1/65536", "three_halves": "43046721/65536"})


class Page(unittest.TestCase):
    """What a reader lays beside the chapter."""

    text = "\n".join(page_11.lines(DATA, Record.found, verdicts.texts(run.PRINTED)))

    def test_fits_a_terminal(self) -> None:
        """No line is wider than 80 columns, a Chinese character counted as two."""
        self.assertEqual([line for line in self.text.split("\n") if columns(line) > 80], [])

    def test_has_each_printed_row(self) -> None:
        """Rows of the four tables, in the chapter's notation."""
        for row in ("red 0 [1, 0]", "2：key [0, 0] [1, 0] 同上 [0.5, 0]", "3 [0.25, 0] [0.375, 0] [0.592667, 0.407333]",
                    "blue [0.125, 0] [0, 1/256] [0.125, 0.00390625] 0.530236 红色：错误",
                    "e^0.375 / (e^0.375 + e^0) ≈ 1.454991 / (1.454991 + 1) ≈ 0.592667"):
            self.assertIn(row, " ".join(self.text.split()))

    def test_has_what_the_readme_lists(self) -> None:
        """Each table, example and exercise of the README's list is named, each claim worded with its verdict."""
        with open(located("README.md"), encoding="utf-8") as file:
            listed = file.read().split("## 哪张表在哪个字段")[1].split("\n## ")[0]
        exercises = "".join(f"习题 {n}" for n in re.findall("[1-9]", "".join(re.findall("习题 ([1-9、]+)", listed))))
        names = re.findall("(?:表|例|习题) [0-9.]*[0-9]", listed + exercises)
        self.assertGreater(len(set(names)), 8)
        self.assertEqual([name for name in names if name not in self.text], [])
        packed = "".join(self.text.split())
        for name, wording in verdicts.texts(run.PRINTED).items():
            self.assertIn("".join(f"{verdicts.VERDICTS[Record.found['claims'][name]]}：{wording}".split()), packed)

    def test_failure_log_follows_the_long_blue_input(self) -> None:
        """Nine updates, each halving the blue coordinate after the clue, and the last one in words."""
        log = self.text.split("失败日志")[1].split("\n习题")[0].split("\n")
        rows = [line.split()[:3] for line in log if re.match(r"  [0-9]+ ", line)]
        words = ["blue", *["filler"] * 6, "key", "is"]
        self.assertEqual(rows, [[str(t), word, str(Decimal(2) ** (1 - t))] for t, word in enumerate(words, 1)])
        self.assertIn("  第 9 次更新之后蓝色坐标是 1/256：没有变成零。", log)


if __name__ == "__main__":
    unittest.main()
