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
from pathlib import Path
from typing import Any, Callable, Iterator
from unittest.mock import patch

import lesson_6_1 as lesson
from checking.comparing import IN_BRACES
from lesson import lesson_page, measures, pinned, tanh_rnn
from lesson.figure import Figure
from lesson.pinned import COUNTED, PRINTED, RECORD, SEEDS, Setting
from lesson.pinned import DRAWS as DRAWS_FILE
from lesson.tanh_rnn import Case, Parameters
from lesson.trainings import Training, train, weights
from support import progress, record
from support.command import Refused, located
from support.record import VERDICTS
from support.show import columns
from tests.of_the_lesson import CLAIMS, COUNTS, DRAWS, LEDGER, RECORDED, RESULTS, judged, page, plain, written
from tests.shared import at, loaded, pointers, with_value


class Record(unittest.TestCase):
    """The committed figures."""

    def test_log_and_training(self) -> None:
        """The tables and the first training give the committed record (all of it is written again by CI)."""
        for name, value in measures.log(DRAWS).items():
            self.assertEqual(written(value), RECORDED[name])
        self.assertEqual(written(measures.delayed_recall(DRAWS, plain(DRAWS))), RECORDED["delayed_recall"])

    def test_each_training_goes_where_it_is_said(self) -> None:
        """Trained for at most three rounds, every field but the long ones' ends is as in the record; so are the rounds
        that are asked for.
        """
        asked = []

        def short(draws: Any, setting: Setting, *arguments: Any) -> Training:
            asked.append((setting.rounds, *arguments))
            return train(draws, setting._replace(rounds=min(setting.rounds, 3)), *arguments)

        with patch.object(lesson, "train", short):
            results = written(lesson.results(DRAWS, COUNTS))
        self.assertEqual(list(results), list(RECORDED)[:-1])
        for name in ("hidden_32", "recall_at_3", "alpha_1", "seeds"):
            self.assertEqual(results[name], RECORDED[name])
        self.assertEqual(results["wh_2"]["left"], RECORDED["wh_2"]["left"])
        for name in ("delayed_recall", "wh_2", "adam"):
            self.assertEqual(results[name]["losses"], RECORDED[name]["losses"][:1])
        slow = RECORDED["more_rounds"]
        self.assertEqual(results["more_rounds"]["signals"], slow["signals"][:1])
        kept = tuple(row["round"] for row in slow["signals"][:-1])
        self.assertEqual(asked[1], (slow["losses"][-1]["round"], kept))
        self.assertEqual(slow["signals"][-1]["round"], slow["escaped_at"])
        self.assertEqual([rounds for rounds, *_ in asked], [800, 16000, 800, 800, 1])

    def test_rounds_beside_the_first_that_has_learned(self) -> None:
        """The long training is recorded at its rounds, and where it learns: a hundred rounds before and behind."""
        slow = Training([0.7] * 14999 + [0.09] * 1001, {1: 0.5, 15000: 0.25}, 15000, 1.0, (0.0, 1.0))
        fields = written(measures.more_rounds(slow))
        self.assertEqual([row["round"] for row in fields["losses"]], [
            800, 4000, 8000, 12000, 14900, 15000, 15100, 16000])
        self.assertEqual(fields["signals"], [{"round": 1, "Wx": "5.00e-01"}, {"round": 15000, "Wx": "2.50e-01"}])
        early = Training([0.09] * 50, {}, 1, 1.0, (0.0, 1.0))
        self.assertEqual([row["round"] for row in written(measures.more_rounds(early))["losses"]], [1])

    def test_what_is_kept_of_a_training(self) -> None:
        """The first round below 0.1 is the one of `escaped_at`; the gradient of that round and of kept ones stays."""
        training = train(DRAWS, Setting(alpha=1.0, rounds=40), kept=(2, 30))
        out = training.escaped_at
        assert out is not None
        self.assertTrue(2 < out < 30 and training.losses[out - 1] < 0.1 <= min(training.losses[:out - 1]))
        self.assertEqual((list(training.signals), len(training.losses)), ([2, out, 30], 41))
        self.assertEqual([row["round"] for row in training.fields((1, 40, 99))["losses"]], [1, out, 40])

    def test_settings_are_what_their_names_say(self) -> None:
        """The name of a counted training tells what is changed in the lesson's, and its rounds."""
        kinds: dict[str, Callable[[str], dict[str, Any]]] = {
            "gd": lambda rate: {"rate": float(rate)}, "adam": lambda rate: {"rate": float(rate), "adam": True},
            "wh": lambda times: {"wh": float(times)}, "alpha": lambda alpha: {"alpha": float(alpha)},
            "recall_at": lambda step: {"recall_at": int(step)}, "hidden": lambda width: {"hidden": int(width)}}
        for name, setting in COUNTED.items():
            kind, value, rounds = name.rsplit("_", 2)
            self.assertEqual(setting, Setting(rounds=int(rounds))._replace(**kinds[kind](value)), name)

    def test_draws_of_seeds(self) -> None:
        """Each of the counted seeds has its own normals; the third are those of the training, which NumPy drew so."""
        self.assertEqual((len(DRAWS.seeds), len({tuple(normals) for normals in DRAWS.seeds})), (COUNTS["seeds"],) * 2)
        self.assertEqual(COUNTS["first_seed"], loaded(DRAWS_FILE)["seeds"]["first"])
        self.assertEqual(DRAWS.seeds[loaded(DRAWS_FILE)["training"]["weights"]["seed"]], DRAWS.weights[:88])
        self.assertEqual(DRAWS.seeds[loaded(DRAWS_FILE)["demonstration"]["seed"]], DRAWS.demonstration[:88])

    def test_counts_over_seeds(self) -> None:
        """The record repeats seeds.json, which was made from the draws of today; each training counts all seeds."""
        seeds = loaded(SEEDS)
        self.assertEqual(RECORDED["seeds"], seeds["results"])
        for path, inputs in ((RECORD, (DRAWS_FILE, SEEDS)), (PRINTED, (DRAWS_FILE, SEEDS)), (SEEDS, (DRAWS_FILE,))):
            self.assertEqual(loaded(path)["inputs"], [
                {"path": name, "sha256": hashlib.sha256(Path(located(name)).read_bytes()).hexdigest()}
                for name in inputs])
        for counts in COUNTS["trainings"].values():
            self.assertEqual(sum(counts.values()), COUNTS["seeds"])

    def test_every_field_is_used(self) -> None:
        """Each leaf of the record belongs to a printed figure, to a claim, to the page, or to a picture (losses)."""
        cited = ["/results/adam/losses", "/results/wh_2/losses", *(figure["field"] for figure in LEDGER["figures"])]
        cited += [pointer for claim in LEDGER["claims"] for pointer in claim["evidence"]]
        cited += [pointer for each in LEDGER["claims"] for pointer in IN_BRACES.findall(each.get("number", ""))]
        leaves = [place for place in pointers({"results": RECORDED}) if not place.startswith("/results/claims/")]
        self.assertGreater(len(leaves), 200)
        whole = page(RESULTS)
        for place in leaves:
            if not any((place + "/").startswith(pointer + "/") for pointer in cited):
                self.assertFalse(page(changed(RESULTS, place[len("/results"):])) == whole, place)


def changed(results: Any, place: str) -> Any:
    """Return results with another value at one place."""
    was = at(results, place)
    return with_value(results, place, Figure(3 * was.value + 1, was.form) if isinstance(was, Figure) else (
        f"{was}?" if isinstance(was, str) else 7 if was is None else was + 7))


class Draws(unittest.TestCase):
    """data/lesson-6-1/draws-v1.json and what is broken about it."""

    def test_printed_bits(self) -> None:
        """The bits that the lesson's tables rest on, and the labels 160:140 and 50:50."""
        self.assertEqual(DRAWS.five, [0, 1, 0, 0, 0])
        self.assertEqual(DRAWS.twelve[8], [0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0])
        self.assertEqual((sum(DRAWS.train), len(DRAWS.train), sum(DRAWS.test), len(DRAWS.test)), (160, 300, 50, 100))

    def test_broken(self) -> None:
        """Missing, short, not numbers, infinite: each refused with its place."""
        with tempfile.TemporaryDirectory() as root, self.assertRaisesRegex(Refused, "读不出来：找不到"):
            pinned.read_draws(root)
        self.refused(pinned.read_draws, DRAWS_FILE, [
            ("demonstration/normals", [0.5] * 1119, "/demonstration/normals：应有 1120 项，实有 1119"),
            ("training/weights/normals/7", 1e40, "/training/weights/normals/7：应为 -10 至 10 的数，不是零"),
            ("demonstration/normals/0", -10.001, "/demonstration/normals/0：应为 -10 至 10 的数，不是零"),
            ("demonstration/normals/0", 0, "/demonstration/normals/0：应为 -10 至 10 的数，不是零"),
            ("demonstration/normals/3", "x", "/demonstration/normals/3：应为数"),
            ("demonstration/normals/3", float("inf"), "/demonstration/normals/3：Infinity 不是数"),
            ("demonstration/normals/3", None, "/demonstration/normals/3：应为数，"),
            ("training/weights", {}, '/training/weights：缺少字段 "normals"'),
            ("seeds/normals", [], "/seeds/normals：应有 1 至 65536 项，实有 0"),
            ("seeds/normals/19", [0.5] * 87, "/seeds/normals/19：应有 88 项，实有 87"),
            ("demonstration/after_8/five", [0, 1], "/demonstration/after_8/five：应有 5 项，实有 2"),
            ("demonstration/after_8/twelve/0", 2, "/demonstration/after_8/twelve/0：应为 0 至 1 的整数"),
            ("training/labels/test", [], "/training/labels/test：应有 1 至 65536 项，实有 0")])

    def test_broken_counts(self) -> None:
        """A count that is missing or none is refused with its place."""
        self.refused(pinned.read_seeds, SEEDS, [
            ("results/trainings/gd_0.3_800", {}, '/results/trainings/gd_0.3_800：缺少字段 "learned"'),
            ("results/seeds", "20", "/results/seeds：应为 1 至 65536 的整数"),
            ("results/trainings/gd_0.3_800/learned", 2, "/gd_0.3_800：学会、没学会、说不准合起来应为 20 个种子"),
            ("record", "lesson-6-1-run-v1", "/record：应为 \"lesson-6-1-seeds-v1\""),
            ("results/plateau/at_entropy", 21, "/plateau/at_entropy：应为 0 至 20 的整数"),
            ("results/measures/derivative_takes_half", 21, "/derivative_takes_half：应为 0 至 20 的整数"),
            ("results/measures/hidden_32_keeps_more", -1, "/hidden_32_keeps_more：应为 0 至 20 的整数")])

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
        """The largest normals and very small ones, no more than three rounds: finite, decided and printed."""
        dice = random.Random(4)
        for normals in ([10.0] * 1120, [dice.choice((-10.0, 10.0)) for _ in range(1120)], [1e-9] * 1120, DRAWS.weights):
            draws = DRAWS._replace(demonstration=normals, weights=normals)

            def at_most_three(draws: Any, setting: Setting, *arguments: Any) -> Training:
                return train(draws, setting._replace(rounds=min(setting.rounds, 3)), *arguments)

            with patch.object(lesson, "train", at_most_three):
                results = lesson.results(draws, COUNTS)
            self.assertIsNone(re.search(r"\b(inf|nan)", json.dumps(written(results)) + "".join(page(results))))
            reached = judged(results)
            self.assertLessEqual(set(reached.values()), set(VERDICTS))
            self.assertEqual(reached["loss-never-moves"], "outside")

    def test_overflow_is_divergence(self) -> None:
        """Weights that a huge rate makes, or a sum of inf and -inf, end the training in that round."""
        for rate in (1e80, 1e300):
            with self.assertRaisesRegex(Refused, "训练发散：第 2 轮的损失超过 10 或不是有限数"):
                plain(DRAWS, rounds=9, rate=rate)
        for signs in ((1.0, 1.0), (1.0, -1.0)):  # fsum raises OverflowError for the first and ValueError for the second
            net = Parameters([[1.0, 1.0]], [[1e308 * sign] * 2 for sign in signs], [0.0, 0.0],
                             [[1e308, -1e308]] * 2, [0.0, 0.0])
            with patch("lesson.trainings.weights", lambda *_, net=net: net), \
                    self.assertRaisesRegex(Refused, "训练发散：第 1 轮"):
                plain(DRAWS, rounds=9, rate=10.0)

    def test_training_ends_at_divergence(self) -> None:
        """A loss above any guess's, or none at all, ends the training, also after the last update."""
        net = weights(DRAWS.weights, Setting())
        for losses, at_round in (((0.7, math.nan, 0.7), 2), ((0.7, 0.7, 10.5), 3)):
            def rounds(*_: Any, losses: Any = losses) -> Iterator[Any]:
                return iter([(net, loss, net) for loss in losses])

            with patch.object(tanh_rnn, "rounds", rounds), \
                    self.assertRaisesRegex(Refused, f"训练发散：第 {at_round} 轮"):
                train(DRAWS, Setting(rounds=2))

    def test_one_label_alone(self) -> None:
        """Labels that are all 1 have the entropy 0.000000, not -0.000000."""
        draws = DRAWS._replace(train=[1] * 300)
        fields = written(measures.delayed_recall(draws, plain(draws, rounds=1)))
        self.assertEqual((fields["label_entropy"], fields["train_labels"]), ("0.000000", {"0": 0, "1": 300}))

    def test_no_record_holds_them(self) -> None:
        """A number that is none, or has no end, fails before it is written."""
        for number in (math.nan, math.inf):
            with self.assertRaises(ValueError):
                record.layout({"loss": [number]})

    def test_zeros_among_other_numbers(self) -> None:
        """A state, an input and a gradient with one zero among other numbers carry and learn as any other.

        Two units, Wx = [0, 1/2]: the first unit is exactly zero after step 1 and is fed by the second at step 2.
        """
        net = Parameters([[0.0, 0.5]], [[0.0, 0.0], [1.0, 0.0]], [0.0, 0.0], [[1.0, -1.0], [0.0, 0.0]], [0.0, 0.0])
        states = tanh_rnn.hidden_states(net, [[1.0], [0.0]])
        self.assertEqual(states[1:], [[0.0, math.tanh(0.5)], [math.tanh(math.tanh(0.5)), 0.0]])
        gradient = tanh_rnn.loss_and_gradient(net, [Case([[1.0], [0.0]], 0, 1)])[1]
        self.assertNotEqual(gradient.Wx[0][1], 0.0)
        self.assertNotEqual(gradient.Wh[1][0], 0.0)


class Shown(unittest.TestCase):
    """What a reader sees and types."""

    def test_page_fits(self) -> None:
        """80 columns, characters that GBK has, 120 lines without --answers; the longest bar is whole."""
        lines, short = page(RESULTS), page(RESULTS, everything=False)
        self.assertEqual([line for line in [*lines, *short] if columns(line) > 80], [])
        self.assertEqual("\n".join(lines).encode("gbk").decode("gbk").split("\n"), lines)
        self.assertTrue(any("0.220670  2.21e-01  #" in line for line in lines))
        self.assertLessEqual(len(short), 120)
        lesson.HELP.encode("gbk")

    def test_first_and_last_screen(self) -> None:
        """The first 24 rows say what matters and what should stand there, the last who learns and what was written."""
        lines = page(RESULTS, everything=False)
        first, last = ("".join("".join(part).split()) for part in (lines[:24], lines[-24:]))
        for claim in CLAIMS:
            if claim.get("weight") == "grave":
                self.assertIn(f"不成立：{claim['claim']}{claim['instead']}".replace(" ", ""), first)
        for name in ("gd_0.3_800", "adam_0.01_800", "wh_2_800", "gd_0.3_64000"):
            counts = COUNTS["trainings"][name]
            self.assertIn(f"{COUNTED[name].said()}{counts['learned']}{counts['not_learned']}".replace(" ", ""), last)
        self.assertTrue(last.endswith(f"已写{RECORD}。"))

    def test_what_matters_turns(self) -> None:
        """Where a claim comes out otherwise, the first screen says so and gives no advice."""
        results = with_value(RESULTS, "/delayed_recall/label_entropy", Figure(0.693147, ".6f"))
        text = "".join("".join(page(results, everything=False)[:24]).split())
        self.assertIn("成立：0.6909来自完全瞎猜的ln2（约0.6931），说明输出基本锁在0.5对0.5。不成立", text)

    def test_every_claim_is_on_the_page(self) -> None:
        """Each wording stands under its place, before its verdict and the figures that decide it."""
        whole = "".join("".join(page(RESULTS)).split())
        for claim in CLAIMS:
            verdict = judged(RESULTS)[claim["id"]]
            figures = verdict.figures
            self.assertIn("".join(f"{claim['claim']}{VERDICTS[verdict]}：{figures}".split()), whole)
        short = "".join("".join(page(RESULTS, everything=False)).split())
        self.assertNotIn("论断第四节", short)

    def test_what_the_lesson_prints(self) -> None:
        """Every printed figure that the record has elsewhere turns the page, but for what the lesson sets itself."""
        whole, unseen = page(RESULTS), set()
        for place in {figure["field"][len("/results"):] for figure in LEDGER["figures"]}:
            if page(changed(RESULTS, place)) == whole:
                unseen.add(place.split("/")[-1])
        self.assertEqual(unseen, {"hidden", "steps", "zeros", "sequences", "alpha", "recall_at", "rounds", "steps_back",
                                  "rows_of_the_hidden_layer", "rows_of_the_output"})

    def test_experiments(self) -> None:
        """Each of the three has the lesson's number and that of the changed network beside each other."""
        left = {row["t"]: row["significant"] for row in RECORDED["gradient_norms"]}
        text = "\n".join(page(RESULTS))
        for name, before, after in (("隐状态 32 维", left[4], RECORDED["hidden_32"]["left"]),
                                    ("第 3 步复述", RECORDED["more_rounds"]["signals"][0]["Wx"],
                                     RECORDED["recall_at_3"]["signal"]),
                                    ("alpha 1.0", left[1], RECORDED["alpha_1"]["left"])):
            self.assertRegex(text, f"\n  {name} .* {re.escape(before)}  {re.escape(after)}\n")
        self.assertIn(f"\n  种子 {COUNTS['first_seed']} 至 {len(DRAWS.seeds) - 1}，各抽一组权重", text)
        outs = [RECORDED[name]["escaped_at"] for name in ("wh_2", "adam", "more_rounds")]
        self.assertIn("Wh乘2，第{}轮学会；Adam，第{}轮；不改，第{}轮。".format(*outs), "".join(text.split()))

    def test_sentences(self) -> None:
        """What is said of a reader's training is of that training."""
        training = Training([0.7, 0.09, 0.05], {}, 2, 1.0, [0.25, 0.75])
        self.assertEqual([line.strip() for line in lesson_page.variation(training, 2)][-3:], [
            "第 2 轮起损失低于 0.1。", "答 1 的概率：首位 0 → 0.2500，首位 1 → 0.7500", "测试准确率 1.0000"])

    def test_record_before_page(self) -> None:
        """The first line is printed before the first round, and a reader who goes away then costs no record."""
        class Gone(io.StringIO):
            def write(self, text: str) -> int:
                if text != lesson_page.FIRST and text.strip():
                    raise BrokenPipeError
                return super().write(text)

        output = Gone()

        def results(*_: Any) -> Any:
            self.assertEqual(output.getvalue(), lesson_page.FIRST + "\n")
            return dict(RESULTS)

        with tempfile.TemporaryDirectory() as root:
            path = located(RECORD, root)
            os.makedirs(os.path.dirname(path))
            with patch.object(lesson, "located", lambda path: located(path, root)), \
                    patch.object(lesson, "results", results), \
                    contextlib.redirect_stdout(output), self.assertRaises(BrokenPipeError):
                lesson.main([])
            self.assertEqual(loaded(path), loaded(RECORD))

    def variation(self, line: str) -> str:
        """Return what a command line prints."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(lesson.main(line.split()), 0)
        return output.getvalue()

    def test_variations(self) -> None:
        """Settings that the record knows, and a width whose bits were not drawn."""
        for line, name in (("--hidden 32 --rounds 1", "hidden_32"), ("--alpha 1.0 --rounds 1", "alpha_1"),
                           ("--wh 2 --rounds 1", "wh_2")):
            self.assertIn(RECORDED[name]["left"], self.variation(line))
        self.assertIn(f"  100  {RECORDED['adam']['losses'][2]['loss']}\n",
                      self.variation("--optimizer adam --rounds 100"))
        self.assertRegex(self.variation("--recall-at 3 --rounds 100"), r"第 \d\d 轮起损失低于 0\.1")
        self.assertRegex(self.variation("--hidden 3 --alpha 2 --rounds 4 --rate 1 --recall-at 5").replace("\n", ""),
                         "^与日志相符的网络，隐状态 3 维，alpha 2.0，第 5 步复述，学习率 1.0，4 轮（约 1 秒）"
                         " *这个宽度的输入位没有抽过")

    def test_numbers_are_not_cut(self) -> None:
        """A rate of 0.5 trains with 0.5, an alpha of 0.25 with 0.25, Wh times 1.5 with 1.5; rounds stay whole."""
        options = {**dict.fromkeys((*lesson.LIMITS, "optimizer")), "rate": ["0.5"], "alpha": ["0.25"], "wh": ["3/2"],
                   "rounds": ["40"]}
        self.assertEqual(lesson.asked(options), Setting(alpha=0.25, wh=1.5, rate=0.5, rounds=40))
        self.assertEqual(lesson.asked({**options, "optimizer": ["adam"], "rate": None}).rate, 0.01)
        self.assertIn("学习率 0.5，3 轮", self.variation("--rate 0.5 --rounds 3"))

    def test_one_seed(self) -> None:
        """--seed trains the network that NumPy drew from it: its first loss, and what is left on its way back."""
        own = DRAWS._replace(demonstration=DRAWS.seeds[7], weights=DRAWS.seeds[7])
        shown = self.variation("--seed 7 --rounds 2")
        self.assertTrue(shown.startswith("种子 7，梯度下降，学习率 0.3，2 轮"))
        self.assertIn(f"{measures.carried(own)[0]:.2e}", shown)
        self.assertIn(f"  1   {plain(own, rounds=1).losses[0]:.6f}\n".split()[1], shown)

    def test_who_waits_is_told(self) -> None:
        """On a terminal a line from two seconds on, another half a second later, and nothing of it at the end."""
        times = (0.0, 1.9, 2.1, 2.1, 2.5, 2.7, 2.7)  # read at the start, for each item, again for a line
        for terminal, shown in ((True, "\r第 1 步 2/4\r第 1 步 4/4\r" + " " * 11 + "\r"), (False, "")):
            error = io.StringIO()
            with patch("sys.stderr", error), patch.object(error, "isatty", return_value=terminal), \
                    patch.object(progress, "STARTED", 0.0), patch("time.monotonic", side_effect=times):
                self.assertEqual("".join(progress.watched("abcd", 4, "第 1 步")), "abcd")
            self.assertEqual(error.getvalue(), shown)

    def test_all_seeds(self) -> None:
        """--seeds tells what NumPy counted beside its own count where it was the same training."""
        learned = [n % 2 == 0 for n in range(20)]

        def half(draws: Any, setting: Setting, **_: str) -> Training:
            n = DRAWS.seeds.index(draws.weights) if draws.weights in DRAWS.seeds else 0
            return Training([0.7, 0.05 if learned[n] else 0.6], {}, 2 if learned[n] else None, 0.5, (0.5, 0.5))

        with patch.object(lesson, "train", half):
            shown = self.variation("--seeds --alpha 1.0")
            self.assertIn("20 个种子里 10 个学会。", shown)
            self.assertRegex(shown, r"\n  4 +0\.050000 +2\n  5 +0\.600000 +—\n")
            counts = COUNTS["trainings"]["alpha_1.0_800"]
            self.assertIn(f"学会 {counts['learned']} 个，没学会 {counts['not_learned']} 个，"
                          f"说不准 {counts['undecided']} 个", shown)
            self.assertNotIn("NumPy", self.variation("--seeds --alpha 1.1"))

    def test_plain_counts(self) -> None:
        """Trained in plain Python, as many seeds learn as NumPy counted, where nothing is undecided."""
        learned = COUNTS["trainings"]["recall_at_3_800"]["learned"]
        self.assertIn(f"20 个种子里 {learned} 个学会。\n  NumPy 数的（seeds.json）：学会 {learned} 个，",
                      self.variation("--seeds --recall-at 3"))

    def test_how_long_it_takes(self) -> None:
        """The first rounds tell how long all will take, in seconds or minutes, and nothing is said of zero seconds."""
        for seconds, setting, count, said in (
                (0.02, Setting(), 20, "（约 16 秒）"), (1e-9, Setting(), 1, "（约 1 秒）"),
                (0.2, Setting(hidden=32, rounds=10**5), 1, "（约 17 分钟）")):
            with patch("time.perf_counter", side_effect=[0.0, seconds]), \
                    patch.object(lesson, "train", return_value=None):
                self.assertEqual(lesson.takes(DRAWS, setting, count), said)

    def test_refused(self) -> None:
        """Each wrong setting says what is wrong with it."""
        for line, message in {
            "--hidden 33": "--hidden 应为 1 至 32 的整数", "--hidden 0": "--hidden 应为 1 至 32 的整数",
            "--hidden 2.5": "的整数",
            "--alpha -1": "--alpha 应为 0 至 1000000 的数", "--wh -1": "--wh 应为 0 至 1000000 的数",
            "--alpha x": '--alpha 的 "x"', "--rate nan": '--rate 的 "nan"', "--rounds 0": "--rounds 应为 1 至 100000",
            "--rounds 2.5": "的整数",
            "--recall-at 9": "--recall-at 应为 1 至 8", "--rate": "--rate 后面应有 1 个数",
            "--rate -1": "--rate 应为 0 至 1000000 的数",
            "--round 3": '不认识 "--round"', "8": '不认识 "8"', "--alpha 1e999999999": "指数超出",
            "--optimizer sgd": '--optimizer 应为 gd 或 adam，实为 "sgd"', "--optimizer": '应为 gd 或 adam，实为 ""',
            "--seed 20": "--seed 应为 0 至 19 的整数", "--seed 1 --seeds": "--seed 与 --seeds 只能写一个",
            "--seed 1 --hidden 32": "种子的权重只有 8 维的，不能同 --hidden 32 一起用",
            "--seeds --hidden 7": "种子的权重只有 8 维的，不能同 --hidden 7 一起用",
            "--seeds --rounds 20001": "--seeds 一共要 400020 轮，至多 400000 轮",
            "--answers --rate 1": "--answers 不同别的选项一起用", "--answers=1": '不认识 "--answers=1"',
            "--rate 1000 --rounds 30": "训练发散：第 ",
        }.items():
            with self.assertRaisesRegex(Refused, f"^(命令行：.*)?{re.escape(message)}"):
                lesson.main(line.split())

