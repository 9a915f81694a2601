"""Lesson 6.1: the record, the draws that it accepts, extremes, and what is printed."""
from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
import random
import re
import tempfile
import unittest
from itertools import islice
from pathlib import Path
from typing import Any, Callable
from unittest.mock import patch

import lesson_6_1 as lesson
from checking.reading import at
from lesson import lesson_page, measures, pinned, tanh_rnn
from lesson.figure import Figure
from lesson.pinned import DRAWS as DRAWS_FILE
from lesson.pinned import PRINTED, RECORD, SEEDS
from lesson.tanh_rnn import Case, Parameters
from lesson.trainings import Training, descent, recall_cases, train
from support import record, verdicts
from support.command import Refused, located
from support.show import columns
from support.verdicts import VERDICTS
from tests.of_the_lesson import COUNTS, DRAWS, LEDGER, PARTS, RECORDED, RESULTS, page, plain, written
from tests.shared import loaded, pointers, with_value


class Record(unittest.TestCase):
    """The committed figures."""

    def test_log_and_training(self) -> None:
        """The tables and the first training give the committed record (all of it is written again by CI)."""
        for name, value in measures.log(DRAWS).items():
            self.assertEqual(written(value), RECORDED[name])
        for measure in (measures.listing, measures.unrolled, measures.feed_forward, measures.memory, measures.order):
            self.assertEqual(written(measure(DRAWS)), RECORDED[measure.__name__])
        self.assertEqual(written(measures.delayed_recall(DRAWS, plain(DRAWS))), RECORDED["delayed_recall"])

    def test_training_goes_on(self) -> None:
        """A training that is interrupted after some rounds and continued is the same as one without a break."""
        for cut in (2, 30):  # before and behind the round in which the task is learned
            rounds = descent(DRAWS, alpha=1.0)
            first = train(rounds, cut, DRAWS, "x", kept=(1, 2))
            second = train(rounds, 40 - cut, DRAWS, "x", kept=(40,), earlier=first)
            self.assertEqual(second, train(descent(DRAWS, alpha=1.0), 40, DRAWS, "x", kept=(1, 2, 40)))
            self.assertEqual(len(first.losses), cut)
            out = second.escaped_at
            assert out is not None
            self.assertTrue(2 < out < 30 and second.losses[out] < 0.1 <= min(second.losses[n] for n in range(1, out)))
            self.assertEqual(sorted(second.gradients), [1, 2, out, 40])

    def test_counts_over_seeds(self) -> None:
        """The record repeats seeds.json, which was made from the draws of today; each training counts all seeds."""
        seeds = loaded(SEEDS)
        self.assertEqual(RECORDED["seeds"], seeds["results"])
        for path, inputs in ((RECORD, (DRAWS_FILE, SEEDS)), (SEEDS, (DRAWS_FILE,))):
            self.assertEqual(loaded(path)["inputs"], [
                {"path": name, "sha256": hashlib.sha256(Path(located(name)).read_bytes()).hexdigest()}
                for name in inputs])
        for total, trainings in ((COUNTS["seeds"], COUNTS["trainings"]),
                                 (COUNTS["printed_losses"]["fit_at_0.3"], COUNTS["printed_losses"]["trainings"])):
            self.assertGreater(len(trainings), 4)
            for counts in trainings.values():
                self.assertEqual(counts["learned"] + counts["not_learned"] + counts["undecided"], total)
                self.assertLessEqual(counts["at_entropy"], counts["not_learned"])

    def test_every_field_is_cited(self) -> None:
        """Each leaf of the record belongs to a printed figure or to the evidence of a claim."""
        cited = [figure["field"] for figure in LEDGER["figures"]]
        cited += [pointer for claim in LEDGER["claims"] for pointer in claim["evidence"]]
        leaves = [place for place in pointers({"results": RECORDED}) if not place.startswith("/results/claims/")]
        self.assertGreater(len(leaves), 500)
        self.assertEqual([place for place in leaves
                          if not any((place + "/").startswith(pointer + "/") for pointer in cited)], [])


class Draws(unittest.TestCase):
    """data/lesson-6-1/draws-v1.json and what is broken about it."""

    def test_printed_bits(self) -> None:
        """The bits that the lesson's tables rest on, and the labels 160:140 and 50:50."""
        self.assertEqual(DRAWS.five[8], [0, 1, 0, 0, 0])
        self.assertEqual(DRAWS.twelve[8], [0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0])
        self.assertEqual((sum(DRAWS.train), len(DRAWS.train), sum(DRAWS.test), len(DRAWS.test)), (160, 300, 50, 100))
        self.assertEqual(DRAWS.widest, 32)
        for short in ("weights", "demonstration"):  # 20 units take 20 + 400 + 40 normals, 21 take 504
            self.assertEqual(DRAWS._replace(**{short: getattr(DRAWS, short)[:503]}).widest, 20)

    def test_broken(self) -> None:
        """Missing, short, not numbers, infinite: each refused with its place."""
        with tempfile.TemporaryDirectory() as root, self.assertRaisesRegex(Refused, "读不出来：找不到"):
            pinned.read_draws(root)
        self.refused(pinned.read_draws, DRAWS_FILE, [
            ("demonstration/normals", [0.5] * 1119, "/demonstration/normals：应有 1120 至 65536 个正态数，实有 1119"),
            ("training/weights/normals/7", 1e40, "/training/weights/normals/7：应为 -1000 至 1000 的数"),
            ("demonstration/normals/0", -1001, "/demonstration/normals/0：应为 -1000 至 1000 的数"),
            ("demonstration/normals/3", "x", "/demonstration/normals/3：应为数"),
            ("demonstration/normals/3", float("inf"), "/demonstration/normals/3：Infinity 不是数"),
            ("demonstration/normals/3", None, "/demonstration/normals/3：应为数，实为 null"),
            ("training/weights", {}, '/training/weights：缺少字段 "normals"'),
            ("demonstration/after_8/five", [0, 1], "/demonstration/after_8/five：应有 5 个 0 或 1，实有 2"),
            ("demonstration/after_8/twelve/0", 2, "/demonstration/after_8/twelve/0：应为 0 至 1 的整数"),
            ("demonstration/after_8/labels", [1] * 299, "/after_8/labels：应有 300 个 0 或 1，实有 299"),
            ("training/labels/test", [], "/training/labels/test：应有 1 至 65536 个 0 或 1，实有 0")])

    def test_broken_counts(self) -> None:
        """A count that is missing or none is refused with its place."""
        self.refused(pinned.read_seeds, SEEDS, [
            ("results/trainings/gd_0.3_800", {}, '/results/trainings/gd_0.3_800：缺少字段 "learned"'),
            ("results/seeds", "20", "/results/seeds：应为 1 至 65536 的整数"),
            ("record", "lesson-6-1-run-v1", "/record：应为 \"lesson-6-1-seeds-v1\""),
            ("results/trainings/gd_0.3_800/learned", 2, "/gd_0.3_800：学会、没学会、说不准合起来应为 20 个种子"),
            ("results/printed_losses/trainings/gd_1.0_800/learned", 1, "合起来应为 27 个种子"),
            ("results/measures/larger_wh_keeps_more", 21, "/larger_wh_keeps_more：应为 0 至 20 的整数"),
            ("results/measures/alpha_1.0/state_decays", -1, "/state_decays：应为 0 至 20 的整数")])

    def refused(self, read: Callable[[str], Any], name: str, faults: list[tuple[str, Any, str]]) -> None:
        """Assert that a file is refused with each of the values in its place, in these words."""
        with tempfile.TemporaryDirectory() as root:
            path = Path(located(name, root))
            path.parent.mkdir(parents=True)
            for pointer, value, message in faults:
                path.write_text(json.dumps(with_value(loaded(name), f"/{pointer}", value)), encoding="utf-8")
                with self.assertRaisesRegex(Refused, re.escape(message)):
                    read(root)


class Extremes(unittest.TestCase):
    """What draws that are accepted can do to the computation."""

    def test_whole_lesson_on_strange_draws(self) -> None:
        """The largest normals, zeros, signs alone, no more than three rounds: finite or null, decided and printed."""
        dice = random.Random(4)
        for normals in ([1000.0] * 1120, [0.0] * 1120, [dice.choice((-1000.0, 1000.0)) for _ in range(1120)],
                        [dice.choice((0.0, 1.0)) for _ in range(1120)], DRAWS.weights):
            draws = DRAWS._replace(demonstration=normals, weights=normals)

            def at_most_three(rounds: Any, count: int, *arguments: Any, **named: Any) -> Training:
                return train(rounds, min(count, 3), *arguments, **named)

            printed: list[str] = []
            with patch.object(lesson, "train", at_most_three):
                results = lesson.results(draws, COUNTS, printed.extend)
            self.assertIsNone(re.search(r"\b(inf|nan)", json.dumps(written(results)) + "".join(printed)))
            self.assertLessEqual(set(results["claims"].values()), set(VERDICTS))
            self.assertEqual(results["claims"]["four-decimals-stand-still"], "outside")

    def test_overflow_is_divergence(self) -> None:
        """Weights that a huge rate makes, or a sum of inf and -inf, end the training in that round."""
        for rate in (1e80, 1e300):
            training = plain(DRAWS, 9, rate=rate)
            self.assertEqual((training.diverged_at, training.accuracy, training.chance_of_1), (2, None, (None, None)))
            again = train(descent(DRAWS), 9, DRAWS, "x", earlier=training)
            self.assertEqual(again, training)
        for signs in ((1.0, 1.0), (1.0, -1.0)):  # fsum raises OverflowError for the first and ValueError for the second
            net = Parameters([[1.0, 1.0]], [[1e308 * sign] * 2 for sign in signs], [0.0, 0.0],
                             [[1e308, -1e308]] * 2, [0.0, 0.0])
            rounds = tanh_rnn.gradient_descent(net, recall_cases(DRAWS.train), 10.0)
            training = train(rounds, 9, DRAWS, "x", kept=(1, 2))
            self.assertEqual((training.losses, training.gradients), ({}, {}))
            self.assertEqual((training.diverged_at, training.accuracy), (1, None))

    def test_last_update_that_overflows(self) -> None:
        """A finite loss in the last round does not hide that the network after it answers nothing."""
        step = next(descent(DRAWS))
        lost = step._replace(updated=step.updated._replace(bo=[math.inf, math.inf]))
        self.assertEqual(train([lost], 1, DRAWS, "x").diverged_at, 2)

    def test_one_label_alone(self) -> None:
        """Labels that are all 1 have the entropy 0.000000, not -0.000000."""
        draws = DRAWS._replace(train=[1] * 300)
        fields = written(measures.delayed_recall(draws, plain(draws, 1)))
        self.assertEqual((fields["label_entropy"], fields["train_labels"]), ("0.000000", {"0": 0, "1": 300}))

    def test_no_record_holds_them(self) -> None:
        """A number that is none, or has no end, fails before it is written."""
        for number in (math.nan, math.inf):
            with self.assertRaises(ValueError):
                record.layout({"loss": [number]})

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
        """No line of the page is wider than 80 columns or has a character that GBK lacks; the longest bar is whole."""
        lines = page(RESULTS)
        self.assertEqual([line for line in lines if columns(line) > 80], [])
        self.assertEqual("\n".join(lines).encode("gbk").decode("gbk").split("\n"), lines)
        self.assertTrue(any("0.220670  2.21e-01  #" in line for line in lines))
        lesson.HELP.encode("gbk")

    def test_every_claim_is_on_the_page(self) -> None:
        """Each wording stands below the section that it is first said in, behind its verdict."""
        whole = "".join(line.strip() for line in page(RESULTS))
        lines = "\n".join(lesson_page.claims(RECORDED["claims"], verdicts.claims(PRINTED))).split("\n")
        headings = [line for line in lines[2:] if line and not line.startswith(" ")]
        self.assertEqual(headings, list(dict.fromkeys(claim["place"].split("、")[0] for claim in LEDGER["claims"])))
        for claim in LEDGER["claims"]:
            said = VERDICTS[RECORDED["claims"][claim["id"]]] + "：" + claim["claim"]
            self.assertIn(said.replace(" ", ""), whole.replace(" ", ""))

    def test_rows_over_seeds(self) -> None:
        """Each row is named after its setting, or what it adds to the row above; first and last seed are so many."""
        above = ""
        for key, name in lesson_page.SETTINGS.items():
            self.assertTrue(set(re.findall("[0-9.]+", name)) <= set(re.findall("[0-9.]+", key)), key)
            above = above if name.startswith("　") else key
            self.assertEqual(key.split("_")[:2], above.split("_")[:2])
            self.assertEqual("Adam" in name, "adam" in key)
        first, last = map(int, re.findall("换种子：([0-9]+) 至 ([0-9]+) 号", "\n".join(page(RESULTS)))[0])
        self.assertEqual((first, last - first + 1), (COUNTS["first_seed"], COUNTS["seeds"]))

    def test_what_the_lesson_prints(self) -> None:
        """Every printed figure that the record has elsewhere turns the page, but for what the lesson sets itself."""
        def shown(results: Any) -> list[str]:
            return [line for part in PARTS for line in part(results)]

        whole, unseen = shown(RESULTS), set()
        for place in {figure["field"][len("/results"):] for figure in LEDGER["figures"]}:
            was = at(RESULTS, place)
            other = Figure(3 * was.value + 1, was.form) if isinstance(was, Figure) else (
                f"{was}?" if isinstance(was, str) else was + 7)
            if shown(with_value(RESULTS, place, other)) == whole:
                unseen.add(place.split("/")[-1])
        self.assertEqual(unseen, {"hidden", "steps", "zeros", "sequences", "alpha", "recall_at", "rounds",
                                  "steps_back"})

    def test_sentences(self) -> None:
        """What is said below a table is of the row that it names, and turns with the fields that it is said of."""
        far, near = ({row["t"]: row["significant"] for row in fields["gradient_norms"]}
                     for fields in (RECORDED["hidden_32"], RECORDED))
        steep = {row["t"]: row["significant"] for row in RECORDED["alpha_1"]["gradient_norms"]}
        counts = {name: each["learned"] for name, each in COUNTS["trainings"].items()}
        escapes = [RECORDED["more_rounds"][rate]["escaped_at"] for rate in ("rate_0.3", "rate_1.0")]
        whole = "".join(line.strip() for line in page(RESULTS)).replace(" ", "")
        for text in (f"退 8 步（t = 4）剩 {far[4]}，8 维剩 {near[4]}", f"退 11 步剩 {steep[1]}，原来剩 {near[1]}",
                     f"800 轮，20 个种子里 {counts['gd_0.3_800']} 个学会；8000 轮 {counts['gd_0.3_8000']} 个；"
                     f"64000 轮 {counts['gd_0.3_64000']} 个",
                     f"第 {escapes[0]} 轮（学习率 0.3）和第 {escapes[1]} 轮（1.0）起",
                     "输出相同，共享权重的梯度等于各份梯度之和"):
            self.assertIn(text.replace(" ", ""), whole)
        for field, text in (("same_output", "输出不同"), ("gradient_is_sum_of_copies", "梯度不等于各份")):
            spoilt = "".join(line.strip() for line in page(with_value(RESULTS, f"/unrolled/{field}", False)))
            self.assertIn(text, spoilt)
        training = Training({1: 0.7, 2: 0.09}, {}, 2, None, 1.0, [0.25, 0.75])
        self.assertEqual([line.strip() for line in lesson_page.variation(training, [1, 2])][-2:],
                         ["第 2 轮起损失低于 0.1。", "答 1 的概率：首位 0 → 0.2500，首位 1 → 0.7500"])

    def test_log_before_training(self) -> None:
        """The log is shown before the first round, each part as soon as it is known, and the steps are counted."""
        shown: list[str] = []
        labels: list[str] = []

        def counted(rounds: Any, count: int, draws: Any, label: str, *arguments: Any, **named: Any) -> Training:
            self.assertIn("从第 12 步往回传", "".join(shown))
            labels.append(label)
            return train(rounds, 1, draws, label, *arguments, **named)

        with patch.object(lesson, "train", counted):
            results = lesson.results(DRAWS, COUNTS, shown.extend)
        self.assertEqual(shown, [line for part in PARTS for line in part(results)])
        self.assertEqual([label.split("：")[0] for label in labels],
                         [f"第 {n} 步，共 {len(labels)} 步" for n in range(1, len(labels) + 1)])

    def test_reader_who_goes_away(self) -> None:
        """Standard output that breaks off after the first part costs the rest of the page, not the record."""
        class Gone(io.StringIO):
            tried = 0

            def write(self, text: str) -> int:
                self.tried += 1
                raise BrokenPipeError

        def results(_: Any, __: Any, show: Any) -> Any:
            for _part in range(3):
                show(["x"])
            return {"claims": RECORDED["claims"]}

        with tempfile.TemporaryDirectory() as root:
            path = located(RECORD, root)
            os.makedirs(os.path.dirname(path))
            with patch.object(lesson, "located", lambda path: located(path, root)), \
                    patch.object(lesson, "results", results), \
                    contextlib.redirect_stdout(Gone()) as output, self.assertRaises(BrokenPipeError):
                lesson.main([])
            self.assertEqual(output.tried, 1)
            self.assertEqual(loaded(path)["record"], "lesson-6-1-run-v1")

    def variation(self, line: str) -> str:
        """Return what a command line prints."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(lesson.main(line.split()), 0)
        return output.getvalue()

    def test_variations(self) -> None:
        """Three settings that the record knows, a width whose bits were not drawn, and a rate that diverges."""
        for line, name in (("--hidden 32 --rounds 1", "hidden_32"), ("--alpha 1.0 --rounds 1", "alpha_1")):
            self.assertIn(RECORDED[name]["gradient_norms"][0]["significant"], self.variation(line))
        early = self.variation("--recall-at 3 --rounds 100")
        self.assertIn(RECORDED["recall_at_3"]["losses"][1]["loss"], early)
        self.assertRegex(early, r"第 \d\d 轮起损失低于 0\.1")
        self.assertRegex(self.variation("--hidden 3 --alpha 2 --rounds 4 --rate 1 --recall-at 5"),
                         "^隐状态 3 维，alpha 2，第 5 步复述，学习率 1，4 轮\n *这个宽度的输入位没有抽过")
        self.assertIn("训练发散：第 ", self.variation("--rate 1000 --rounds 5"))

    def test_refused(self) -> None:
        """Each wrong setting says what is wrong with it."""
        for line, message in {
            "--hidden 33": "--hidden 应为 1 至 32 的整数", "--hidden 0": "--hidden 应为 1 至 32 的整数",
            "--hidden 2.5": "的整数",
            "--alpha -1": "--alpha 应为 0 至 1000000 的数",
            "--alpha x": '--alpha 的 "x"', "--rate nan": '--rate 的 "nan"', "--rounds 0": "--rounds 应为 1 至 100000",
            "--rounds 2.5": "的整数",
            "--recall-at 9": "--recall-at 应为 1 至 8", "--rate": "--rate 后面应有 1 个数",
            "--rate -1": "--rate 应为 0 至 1000000 的数",
            "--round 3": '不认识 "--round"', "8": '不认识 "8"', "--alpha 1e999999999": "指数超出",
        }.items():
            with self.assertRaisesRegex(Refused, f"^命令行：.*{re.escape(message)}"):
                lesson.main(line.split())

    def test_training_ends_at_divergence(self) -> None:
        """A loss above any guess's, or none at all, stops the rounds."""
        rounds = [step._replace(loss=loss) for step, loss in zip(islice(descent(DRAWS), 3), (0.7, math.nan, 0.7))]
        training = train(rounds, 3, DRAWS, "x")
        self.assertEqual((training.diverged_at, list(training.losses), training.accuracy), (2, [1], None))
