"""Lesson 6.1: the network against other methods, the record against the committed one, the verdicts, the page."""
from __future__ import annotations

import contextlib
import copy
import io
import json
import math
import os
import random
import re
import tempfile
import unittest
from decimal import Context, Decimal, localcontext
from itertools import islice
from typing import Any
from unittest.mock import patch

import lesson_6_1 as lesson
from lesson import lesson_claims, lesson_page, measures, pinned, tanh_rnn, trainings
from lesson.figure import Figure
from lesson.tanh_rnn import Case, Parameters
from lesson.trainings import SHOWN_LONG, plain, recall_cases, sequence, weights
from support import record, verdicts
from support.command import Refused, located
from support.show import columns
from tests.shared import with_value


def numbers(value: Any) -> Any:
    """Return recorded results with each decimal as the number that it was before, as far as it is recorded."""
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        made = [(key, numbers(member)) for key, member in pairs]
        return dict(made) if isinstance(value, dict) else [member for _, member in made]
    if isinstance(value, str) and re.fullmatch(r"\d+\.\d+(e[-+]\d+)?", value):
        return Figure(float(value), ".2e" if "e" in value else f".{len(value.partition('.')[2])}f")
    return value


DRAWS = pinned.read_draws()
with open(located(lesson.RECORD), encoding="utf-8") as _file:
    RECORDED = json.load(_file)["results"]
FOUND = numbers(RECORDED)


def written(value: Any) -> Any:
    """Return results as the record has them."""
    return json.loads(record.layout(value))


def random_network(dice: random.Random, d: int, h: int, k: int) -> Parameters:
    """Return parameters of any sizes."""

    def matrix(rows: int, width: int) -> list[list[float]]:
        return [[dice.uniform(-1, 1) for _ in range(width)] for _ in range(rows)]

    return Parameters(matrix(d, h), matrix(h, h), matrix(1, h)[0], matrix(h, k), matrix(1, k)[0])


class Network(unittest.TestCase):
    """Forward, backward, training."""

    def test_gradient_by_central_differences(self) -> None:
        """On random small networks each derivative is what the loss itself does when one number moves."""
        dice = random.Random(6)
        for _ in range(8):
            d, h, k = (dice.randint(1, 3) for _ in range(3))
            net = random_network(dice, d, h, k)
            cases = [Case([[dice.choice((0.0, dice.uniform(-1, 1))) for _ in range(d)] for _ in range(4)],
                          dice.randrange(k), dice.randint(1, 3)) for _ in range(3)]
            gradient = tanh_rnn.loss_and_gradient(net, cases)[1].rows()
            for i, row in enumerate(net.rows()):
                for j in range(len(row)):
                    ends = []
                    for move in (1e-6, -1e-6):
                        rows = [list(numbers) for numbers in net.rows()]
                        rows[i][j] += move
                        ends.append(tanh_rnn.loss_and_gradient(net.like(rows), cases)[0])
                    self.assertAlmostEqual(gradient[i][j], (ends[0] - ends[1]) / 2e-6, delta=1e-8)

    def test_a_step_worked_by_hand(self) -> None:
        """One unit, one step, x = 1, Wo = [1, -1], all else zero, label 0, rate 1.

        Then h = 0, p = [1/2, 1/2], the loss is ln 2, dz = [-1/2, 1/2], dh = -1, da = -1: Wx and b become 1,
        Wh and Wo stay, bo becomes [1/2, -1/2].
        """
        net = Parameters([[0.0]], [[0.0]], [0.0], [[1.0, -1.0]], [0.0, 0.0])
        step = next(tanh_rnn.gradient_descent(net, [Case([[1.0]], 0, 5)], 1.0))
        self.assertEqual(step.loss, math.log(2))
        self.assertEqual(step.updated, Parameters([[1.0]], [[0.0]], [1.0], [[1.0, -1.0]], [0.5, -0.5]))

    def test_counts_stand_for_repeated_sequences(self) -> None:
        """The 300 sequences one by one give the loss and the gradient of two with counts 160 and 140."""
        net = weights(DRAWS.weights, 4, 0.9)
        counted = tanh_rnn.loss_and_gradient(net, recall_cases(DRAWS.train, 5))
        single = [Case(sequence([label, 0, 0, 0, 0]), label, 1) for label in DRAWS.train]
        whole = tanh_rnn.loss_and_gradient(net, single)
        self.assertAlmostEqual(counted[0], whole[0], delta=1e-15)
        for a, b in zip(counted[1].rows(), whole[1].rows()):
            for left, right in zip(a, b):
                self.assertAlmostEqual(left, right, delta=1e-15)

    def test_first_step_of_adam(self) -> None:
        """Both corrected means are the gradient and its square at first: each number moves by the rate, downhill."""
        net = random_network(random.Random(1), 1, 3, 2)
        step = next(tanh_rnn.adam(net, [Case([[1.0], [0.5]], 1, 1)], 0.01, 0.9, 0.999, 0.0))
        for before, after, slope in zip(net.rows(), step.updated.rows(), step.gradient.rows()):
            for w, moved, g in zip(before, after, slope):
                self.assertAlmostEqual(moved - w, -math.copysign(0.01, g), delta=1e-12)

    def test_frozen_parameters_stay(self) -> None:
        """With Wh frozen at zero the last step never sees the first: after training both inputs get one answer."""
        made = plain(DRAWS, "x", last=30, frozen=("Wh",))
        self.assertEqual(made.chance_of_1[0], made.chance_of_1[1])
        self.assertEqual({number for row in made.gradients[1].Wx for number in row}, {0.0})

    def test_sizes_of_matrices(self) -> None:
        """Eigenvalues and singular values that are known: a rotation, a Jordan block, a diagonal, nothing."""
        for matrix, radius, singular in (([[0, -2], [2, 0]], 2, 2), ([[1, 1], [0, 1]], 1, (1 + math.sqrt(5)) / 2),
                                         ([[3, 0], [0, -5]], 5, 5), ([[0, 1], [0, 0]], 0, 1), ([[0, 0], [0, 0]], 0, 0),
                                         ([[1, 2], [3, 4]], (5 + math.sqrt(33)) / 2, math.sqrt(15 + math.sqrt(221)))):
            self.assertAlmostEqual(tanh_rnn.spectral_radius(matrix), radius, delta=1e-12)
            self.assertAlmostEqual(tanh_rnn.largest_singular_value(matrix), singular, delta=1e-9)


class Record(unittest.TestCase):
    """The committed figures."""

    def test_log_and_training(self) -> None:
        """The tables and the first training give the committed record (all of it is written again by CI)."""
        for name, value in measures.log(DRAWS).items():
            self.assertEqual(written(value), RECORDED[name])
        self.assertEqual(written(measures.delayed_recall(DRAWS, plain(DRAWS, "x"))), RECORDED["delayed_recall"])
        self.assertEqual(written(measures.diagnosis(DRAWS)), RECORDED["diagnosis"])
        self.assertEqual(measures.unrolled(DRAWS), RECORDED["experiments"]["unrolled"])
        self.assertEqual(lesson_claims.verdicts(FOUND), RECORDED["claims"])

    def test_tables_with_more_digits(self) -> None:
        """Every figure of the state and gradient tables, computed anew with 30 decimal digits."""
        experiments = RECORDED["experiments"]
        for hidden, alpha, fields in ((8, "0.3", RECORDED), (32, "0.3", experiments["hidden_32"]),
                                      (8, "1", experiments["alpha_1"])):
            with localcontext(Context(prec=30)):
                normals = [Decimal(number) * Decimal(alpha) / Decimal(hidden).sqrt() for number in DRAWS.demonstration]
                into = normals[:hidden]
                recurrent = [normals[hidden * i : hidden * (i + 1)] for i in range(1, hidden + 1)]
                for row, h in zip(fields.get("hidden_norms", []), decimal_states(into, recurrent, DRAWS.five[hidden])):
                    self.assertEqual(row["norm"], f"{decimal_norm(h):.4f}")
                v = [1 / Decimal(hidden).sqrt()] * hidden
                history = decimal_states(into, recurrent, DRAWS.twelve[hidden])
                for row, h in zip(reversed(fields["gradient_norms"]), reversed(history)):
                    self.assertEqual((row["norm"], row["significant"]), scientific(decimal_norm(v)))
                    v = [sum((a * (1 - b * b) * w for a, b, w in zip(v, h, line)), Decimal(0)) for line in recurrent]

    def test_verdicts_can_turn(self) -> None:
        """Each verdict is another one when the fields that it rests on say something else."""
        training = {"losses": [{"round": n, "loss": "0.690924"} for n in SHOWN_LONG], "test_accuracy": "0.5000"}
        changes: dict[str, tuple[str, Any, str]] = {
            "parameters-98": ("parameter_count", 99, "fails"),
            "most-are-in-wh": ("parameters/1/count", 63, "fails"),
            "table-has-four-and-two-rows": ("parameters", [{"name": n} for n in ("Wx", "Wh", "b", "b", "Wo", "bo")],
                                            "holds"),
            "output-of-one-dimension": ("parameters/3/shape", [8, 1], "holds"),
            "wh-is-a-product-of-states": ("diagnosis/largest_singular_value", "0.000000", "holds"),
            "state-decays-by-itself": ("hidden_norms/3/norm", "0.1000", "fails"),
            "unrolled-is-a-deep-network": ("experiments/unrolled/same_output", False, "fails"),
            "gradient-reaches-zero": ("gradient_norms/0/significant", "0.00e+00", "holds"),
            "gradient-of-the-loss": ("gradient_norms/11/significant", "5.33e-01", "holds"),
            "tanh-derivative-is-the-cause": ("diagnosis", {"tanh_derivative": {"share_between_0.1_and_0.5": "0.9000"},
                                                           "spectral_radius": "1.5"}, "holds"),
            "estimate-matches": (
                "gradient_norms", [{"significant": text} for text in ("1.30e-06", "0.000013")], "holds"),
            "no-pause": ("gradient_norms/4/significant", "1.00e-03", "fails"),
            "even-decay": ("gradient_norms/4/significant", "1.00e-03", "fails"),
            "loss-never-moves": ("delayed_recall/losses/0/loss", "0.690930", "holds"),
            "four-decimals-stand-still": ("delayed_recall/losses/2/loss", "0.680000", "fails"),
            "loss-means-half-and-half": ("delayed_recall", {
                "losses": [{"round": 800, "loss": "0.693147"}], "even_guess_loss": "0.693147",
                "predicted_probability_of_1": {"0": "0.5000", "1": "0.5000"}}, "holds"),
            "first-input-does-nothing": ("delayed_recall/predicted_probability_of_1/0", "0.4000", "fails"),
            "first-weight-gets-no-signal": ("delayed_recall/input_weight_gradient_norm", "0.00e+00", "holds"),
            "accuracy-is-guessing": ("delayed_recall/test_accuracy", "0.7000", "fails"),
            "more-rounds-change-nothing": ("experiments/more_rounds/rate_1.0", training, "holds"),
            "rate-and-rounds-do-not-help": ("experiments/more_rounds/rate_1.0", training, "holds"),
            "wider-does-not-help": ("experiments/hidden_32/delayed_recall/test_accuracy", "1.0000", "fails"),
            "state-is-overwritten": ("hidden_norms", [{"norm": "0.0000", "input": 0}] * 5, "holds"),
            "parameters-do-not-grow": ("experiments/unrolled/parameter_count", 98, "fails"),
        }
        for name, (pointer, value, verdict) in changes.items():
            spoiled = with_value(FOUND, f"/{pointer}", numbers(value))
            self.assertEqual(lesson_claims.CLAIMS[name](spoiled), verdict, name)
            self.assertNotEqual(FOUND["claims"][name], verdict, name)
        stuck = copy.deepcopy(FOUND)
        made = stuck["experiments"]
        for one in (made["adam"], made["alpha_1"]["delayed_recall"], *made["more_rounds"].values()):
            one["test_accuracy"] = numbers("0.5000")
        self.assertEqual(lesson_claims.CLAIMS["only-structure-helps"](stuck), "holds")
        self.assertEqual(set(changes) | {"only-structure-helps", "lstm-reaches-one"}, set(lesson_claims.CLAIMS))


def decimal_states(into: list[Decimal], recurrent: list[list[Decimal]], bits: list[int]) -> list[list[Decimal]]:
    """Return h_1 … h_T with the digits of the context."""
    h, history = [Decimal(0)] * len(into), []
    for bit in bits:
        before = [bit * w + sum((a * row[j] for a, row in zip(h, recurrent)), Decimal(0)) for j, w in enumerate(into)]
        h = [1 - 2 / ((2 * x).exp() + 1) for x in before]
        history.append(h)
    return history


def decimal_norm(row: list[Decimal]) -> Decimal:
    """Return the Euclidean norm."""
    return sum((a * a for a in row), Decimal(0)).sqrt()


def scientific(value: Decimal) -> tuple[str, str]:
    """Return six decimals, and three significant digits with an exponent of two digits."""
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{value:.6f}", f"{mantissa}e{int(exponent):+03d}"


class Draws(unittest.TestCase):
    """data/lesson-6-1/draws-v1.json and what is broken about it."""

    def test_printed_bits(self) -> None:
        """The bits that the lesson's tables rest on, and the labels 160:140 and 50:50."""
        self.assertEqual(DRAWS.five[8], [0, 1, 0, 0, 0])
        self.assertEqual(DRAWS.twelve[8], [0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0])
        self.assertEqual((sum(DRAWS.train), len(DRAWS.train), sum(DRAWS.test), len(DRAWS.test)), (160, 300, 50, 100))
        self.assertEqual(DRAWS.widest, 32)

    def test_broken(self) -> None:
        """Missing, short, not numbers, infinite: each refused with its place."""
        with open(located(pinned.DRAWS), encoding="utf-8") as file:
            good = json.load(file)
        faults = [("demonstration/normals", [0.5] * 1119,
                   "/demonstration/normals：应有 1120 至 65536 个正态数，实有 1119"),
                  ("training/weights/normals/7", 1e40, "/training/weights/normals/7：应为 -1000 至 1000 的数"),
                  ("demonstration/normals/3", "x", "/demonstration/normals/3：应为数"),
                  ("demonstration/normals/3", float("inf"), "/demonstration/normals/3：Infinity 不是数"),
                  ("demonstration/normals/3", None, "/demonstration/normals/3：应为数，实为 null"),
                  ("training/weights", {}, '/training/weights：缺少字段 "normals"'),
                  ("demonstration/after_8/five", [0, 1], "/demonstration/after_8/five：应有 5 个 0 或 1，实有 2"),
                  ("demonstration/after_8/twelve/0", 2, "/demonstration/after_8/twelve/0：应为 0 至 1 的整数"),
                  ("training/labels/test", [], "/training/labels/test：应有 1 至 65536 个 0 或 1，实有 0")]
        with tempfile.TemporaryDirectory() as root:
            path = located(pinned.DRAWS, root)
            with self.assertRaisesRegex(Refused, "读不出来：找不到"):
                pinned.read_draws(root)
            os.makedirs(os.path.dirname(path))
            for pointer, value, message in faults:
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(with_value(good, f"/{pointer}", value), file)
                with self.assertRaises(Refused) as caught:
                    pinned.read_draws(root)
                self.assertIn(message, str(caught.exception))


class Extremes(unittest.TestCase):
    """What draws that are accepted can do to the computation."""

    def test_no_number_that_is_not_finite(self) -> None:
        """The largest normals, zeros, equal signs, a rate that overflows: what is recorded is finite or null."""
        dice = random.Random(4)
        for normals in ([1000.0] * 1120, [0.0] * 1120, [dice.choice((-1000.0, 1000.0)) for _ in range(1120)],
                        [dice.choice((0.0, 1.0)) for _ in range(1120)]):
            draws = DRAWS._replace(demonstration=normals, weights=normals)
            for hidden, alpha, rate in ((8, 0.3, 0.3), (32, 0.3, 1.0), (8, 1.0, 1e6)):
                made = plain(draws, "x", hidden, alpha, rate, 6)
                fields = [measures.gradient_norms(draws, hidden, alpha), measures.hidden_norms(draws, alpha),
                          measures.delayed_recall(draws, made)]
                self.assertIsNone(re.search("inf|nan", json.dumps(written(fields))))
            self.assertNotIn("nan", json.dumps(written(measures.diagnosis(draws))))

    def test_overflow_is_divergence(self) -> None:
        """Weights that a huge rate makes, or a sum of inf and -inf, end the training in that round."""
        for rate in (1e80, 1e300):
            made = plain(DRAWS, "x", rate=rate, last=9)
            self.assertEqual((made.diverged_at, made.accuracy, made.chance_of_1), (2, None, (None, None)))
        for signs in ((1.0, 1.0), (1.0, -1.0)):  # fsum raises OverflowError for the first and ValueError for the second
            net = Parameters([[1.0, 1.0]], [[1e308 * sign] * 2 for sign in signs], [0.0, 0.0],
                             [[1e308, -1e308]] * 2, [0.0, 0.0])
            rounds = tanh_rnn.gradient_descent(net, recall_cases(DRAWS.train), 10.0)
            self.assertEqual(trainings.train(rounds, 9, (1, 2), DRAWS, 8, "x")[:3], ({}, {}, None))

    def test_last_update_that_overflows(self) -> None:
        """A finite loss in the last round does not hide that the network after it answers nothing."""
        step = next(tanh_rnn.gradient_descent(weights(DRAWS.weights), recall_cases(DRAWS.train), 0.3))
        lost = step._replace(updated=step.updated._replace(bo=[math.inf, math.inf]))
        self.assertEqual(trainings.train([lost], 1, (1,), DRAWS, 8, "x").diverged_at, 2)

    def test_one_label_alone(self) -> None:
        """Labels that are all 1 have the entropy 0.000000, not -0.000000."""
        draws = DRAWS._replace(train=[1] * 300)
        fields = written(measures.delayed_recall(draws, plain(draws, "x", last=1)))
        self.assertEqual((fields["label_entropy"], fields["train_labels"]), ("0.000000", {"0": 0, "1": 300}))

    def test_zeros_are_no_shortcut_where_they_matter(self) -> None:
        """A state, an input and a gradient with one zero among other numbers carry and learn as any other.

        Two units, Wx = [0, 1/2]: the first unit is exactly zero after step 1 and is fed by the second at step 2.
        """
        net = Parameters([[0.0, 0.5]], [[0.0, 0.0], [1.0, 0.0]], [0.0, 0.0], [[1.0, -1.0], [0.0, 0.0]], [0.0, 0.0])
        states = tanh_rnn.hidden_states(net, [[1.0], [0.0]])
        self.assertEqual(states[1:], [[0.0, math.tanh(0.5)], [math.tanh(math.tanh(0.5)), 0.0]])
        gradient = tanh_rnn.loss_and_gradient(net, [Case([[1.0], [0.0]], 0, 1)])[1]
        self.assertNotEqual(gradient.Wx[0][1], 0.0)
        self.assertNotEqual(gradient.Wh[1][0], 0.0)

    def test_start_vector_that_meets_nothing(self) -> None:
        """A matrix whose columns sum to zero has a singular value all the same."""
        self.assertAlmostEqual(tanh_rnn.largest_singular_value([[1.0, 0.0], [-1.0, 0.0]]), math.sqrt(2), delta=1e-12)


class Shown(unittest.TestCase):
    """What a reader sees and types."""

    def test_page_fits(self) -> None:
        """No line of the page is wider than 80 columns, and the longest bar is a whole one."""
        lines = "\n".join(lesson_page.lines(FOUND, verdicts.texts(lesson.PRINTED))).split("\n")
        self.assertEqual([line for line in lines if columns(line) > 80], [])
        self.assertTrue(any("0.220670  2.21e-01  #" in line for line in lines))

    def variation(self, line: str) -> str:
        """Return what a command line prints."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(lesson.main(line.split()), 0)
        return output.getvalue()

    def test_variations(self) -> None:
        """Three settings that the record knows, a width whose bits were not drawn, and a rate that diverges."""
        experiments = RECORDED["experiments"]
        for line, name in (("--hidden 32 --rounds 1", "hidden_32"), ("--alpha 1.0 --rounds 1", "alpha_1")):
            self.assertIn(experiments[name]["gradient_norms"][0]["significant"], self.variation(line))
        self.assertIn(experiments["recall_at_3"]["losses"][1]["loss"], self.variation("--recall-at 3 --rounds 100"))
        self.assertIn("输入位没有抽过", self.variation("--hidden 3 --rounds 2"))
        self.assertIn("训练发散：第 ", self.variation("--rate 1000 --rounds 5"))

    def test_refused(self) -> None:
        """Each wrong setting says what is wrong with it."""
        for line, message in {
            "--hidden 33": "--hidden 应为 1 至 32 的整数", "--hidden 0": "--hidden 应为 1 至 32 的整数",
            "--hidden 2.5": "的整数",
            "--alpha x": '--alpha 的 "x"', "--rate nan": '--rate 的 "nan"', "--rounds 0": "--rounds 应为 1 至 100000",
            "--rounds 2.5": "的整数",
            "--recall-at 9": "--recall-at 应为 1 至 8", "--rate": "--rate 后面应有 1 个数",
            "--rate -1": "--rate 应为 0 至 1000000 的数",
            "--round 3": '不认识 "--round"', "8": '不认识 "8"', "--alpha 1e999999999": "指数超出",
        }.items():
            with self.assertRaises(Refused) as caught:
                lesson.main(line.split())
            self.assertIn(message, str(caught.exception))
            self.assertTrue(str(caught.exception).startswith("命令行："))

    def test_folder_before_training(self) -> None:
        """A record that cannot be written is refused before the first round."""
        with tempfile.TemporaryDirectory() as root, \
                patch.object(lesson, "located", lambda path: located(path, root)), \
                patch.object(lesson, "results", side_effect=AssertionError("trained")):
            with self.assertRaisesRegex(Refused, "写不进去：找不到"):
                lesson.main([])
            os.makedirs(located(lesson.RECORD, root))
            with self.assertRaisesRegex(Refused, "写不进去：是文件夹"):
                lesson.main([])

    def test_training_ends_at_divergence(self) -> None:
        """A loss above any guess's, or none at all, stops the rounds."""
        net = weights(DRAWS.weights, 8, 0.3)
        rounds = [step._replace(loss=loss) for step, loss in zip(islice(tanh_rnn.gradient_descent(
            net, recall_cases(DRAWS.train, 8), 0.3), 3), (0.7, math.nan, 0.7))]
        made = trainings.train(rounds, 3, (1, 2, 3), DRAWS, 8, "x")
        self.assertEqual((made.diverged_at, list(made.losses), made.accuracy), (2, [1], None))


if __name__ == "__main__":
    unittest.main()
