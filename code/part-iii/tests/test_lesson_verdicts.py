"""The verdicts on lesson 6.1: each turns where the record says something else, and cites what decides it."""
from __future__ import annotations

import os
import re
import unittest
from typing import Any

import lesson_6_1 as lesson
from checking.reading import at, leaves
from lesson import lesson_claims
from lesson.figure import Figure
from lesson.lesson_claims import CLAIMS
from support.command import located
from support.options import parsed
from support.verdicts import NoEvidence
from tests.of_the_lesson import COUNTS, LEDGER, RECORDED, RESULTS, numbers, page
from tests.shared import with_value


class Verdicts(unittest.TestCase):
    """What the claims are decided by."""

    def test_recorded_digits_decide(self) -> None:
        """A reader who has the record alone, with its rounded figures, comes to the same verdicts."""
        self.assertEqual(lesson_claims.verdicts(RESULTS), RECORDED["claims"])

    def test_verdicts_can_turn(self) -> None:
        """Each verdict is another one when one thing that it rests on is another."""
        none, all_, some = ({"learned": n, "not_learned": 20 - n, "undecided": 0} for n in (0, 20, 10))
        stuck = {"losses": [{"round": n, "loss": "0.690924"} for n in (1, 100, 300, 500, 700, 800)]}
        changes: list[tuple[str, str, Any, str]] = [
            ("parameters-98", "parameter_count", 99, "fails"),
            ("memory-is-wh", "order/1/last_norm", "0.0010", "holds"),
            ("order-matters", "order/1/last_norm", "0.0010", "fails"),
            ("table-has-four-and-two-rows", "parameters", [{"name": n} for n in ("Wx", "Wh", "b", "b", "Wo", "bo")],
             "holds"),
            ("wh-carries-memory", "seeds/trainings/without_wh_adam_0.01_800", some, "fails"),
            ("wh-carries-memory", "seeds/trainings/adam_0.01_800", some, "fails"),
            ("unrolled-is-a-deep-network", "feed_forward/1/same", True, "holds"),
            ("unrolled-is-a-deep-network", "feed_forward/0/same", False, "fails"),
            ("backpropagation-is-unchanged", "unrolled/gradient_is_sum_of_copies", False, "fails"),
            ("backpropagation-is-unchanged", "unrolled/same_output", False, "fails"),
            ("backpropagation-is-unchanged", "unrolled/steps", 7, "fails"),
            ("gradient-reaches-zero", "gradient_norms/0/significant", "0.00e+00", "holds"),
            ("gradient-reaches-zero", "gradient_norms/0/significant", "5.10e-07", "fails"),
            ("gradient-of-the-loss", "gradient_norms/11/significant", "5.33e-01", "holds"),
            ("wh-shrinks-the-gradient", "diagnosis/largest_singular_value", "1.000000", "depends"),
            ("tanh-derivative-is-small", "diagnosis/tanh_derivative/between_0.1_and_0.5", 49, "depends"),
            ("same-order-of-magnitude", "diagnosis/estimate_over_measured", "10.01", "depends"),
            ("same-order-of-magnitude", "diagnosis/estimate_over_measured", "0.09", "depends"),
            ("measured-0.000013", "gradient_norms/3/significant", "1.30e-05", "holds"),
            ("vanishing-is-inevitable", "seeds/measures/alpha_1.0/gradient_below_a_thousandth", 18, "holds"),
            ("vanishing-is-inevitable", "seeds/measures/alpha_0.3/gradient_below_a_thousandth", 10, "fails"),
            ("first-input-does-nothing", "delayed_recall/predicted_probability_of_1/0", "0.5300", "depends"),
            ("cannot-remember-the-start", "seeds/trainings", {
                "gd_0.3_800": none, "gd_0.3_64000": none, "adam_0.01_800": none}, "holds"),
            ("cannot-remember-the-start", "seeds/trainings", {
                "gd_0.3_800": none, "gd_0.3_64000": some, "adam_0.01_800": none}, "depends"),
            ("loss-never-moves", "delayed_recall", stuck, "holds"),
            ("loss-is-ln-2", "delayed_recall/losses/5/loss", "0.692500", "depends"),
            ("output-near-half", "delayed_recall/predicted_probability_of_1", {"0": "0.5600", "1": "0.5600"},
             "depends"),
            ("output-near-half", "delayed_recall/predicted_probability_of_1/1", "0.4800", "depends"),
            ("accuracy-is-guessing", "delayed_recall/test_accuracy", "0.7000", "depends"),
            ("accuracy-is-guessing", "delayed_recall/predicted_probability_of_1/0", "0.4000", "depends"),
            ("not-slow-but-not-started", "seeds/trainings/gd_0.3_64000", none, "holds"),
            ("not-slow-but-not-started", "seeds/trainings/gd_0.3_64000", some, "depends"),
            ("first-weight-gets-no-signal", "more_rounds/rate_0.3/gradients", [{"Wx": "0.00e+00"}], "holds"),
            ("first-weight-gets-no-signal", "more_rounds/rate_0.3/gradients/0/Wx", "0.00e+00", "depends"),
            ("log-comes-from-the-listing", "listing/0/entropy", "0.690923", "holds"),
            ("output-of-one-dimension", "parameters/3/shape", [8, 1], "holds"),
            ("wh-is-a-product-of-states", "diagnosis/largest_singular_value", "0.014026", "fails"),
            ("wh-is-a-product-of-states", "", {
                "diagnosis": {"largest_singular_value": "0.250000"},
                "hidden_norms": [{"norm": "0.5000"}, {"norm": "0.5000"}]}, "holds"),
            ("not-undertrained", "seeds/trainings/gd_0.3_64000", none, "holds"),
            ("most-are-in-wh", "parameters/1/count", 63, "fails"),
            ("state-decays-by-itself", "hidden_norms/3/norm", "0.1000", "depends"),
            ("state-decays-by-itself", "hidden_norms", [
                {"input": bit, "norm": norm} for bit, norm in (
                    (0, "0.0000"), (0, "0.0000"), (1, "0.2000"), (1, "0.3000"), (0, "0.1000"))], "holds"),
            ("memory-is-up-to-wh", "memory/2/last_norm", "1.00e-02", "depends"),
            ("memory-is-up-to-wh", "memory/1/last_norm", "2.00e-01", "depends"),
            ("memory-is-up-to-wh", "memory/0/last_norm", "1.00e-02", "depends"),
            ("memory-is-up-to-wh", "memory", RECORDED["memory"][:2], "depends"),
            ("memory-is-up-to-wh", "memory/2/spectral_radius", "0.9000", "depends"),
            ("no-pause", "gradient_norms/4/significant", "1.00e-03", "depends"),
            ("smooth-decay", "gradient_norms/4/significant", "1.00e-03", "depends"),
            ("smooth-decay", "decay/straightness", "0.9400", "depends"),
            ("rate-and-rounds-do-not-help", "seeds/trainings", {
                "gd_1.0_800": none, "gd_0.3_64000": none, "gd_1.0_8000": none}, "holds"),
            ("rate-and-rounds-do-not-help", "seeds/trainings", {
                "gd_1.0_800": some, "gd_0.3_64000": none, "gd_1.0_8000": none}, "depends"),
            ("four-decimals-stand-still", "delayed_recall/losses/2/loss", "0.680000", "fails"),
            ("not-convergence", "seeds/trainings/gd_0.3_64000", some, "fails"),
            ("not-convergence", "more_rounds/rate_0.3/escaped_at", None, "fails"),
            ("only-structure-helps", "seeds/trainings", dict.fromkeys(COUNTS["trainings"], none), "holds"),
            ("question-wider", "seeds/measures/hidden_32_keeps_more_over_8_steps", 18, "holds"),
            ("question-wider", "seeds/measures/hidden_32_keeps_more_over_8_steps", 2, "fails"),
            ("question-recall-at-3", "seeds/trainings/recall_at_3_800", some, "fails"),
            ("question-alpha", "seeds/measures/alpha_1.0_keeps_more_over_11_steps", 10, "depends"),
            ("state-is-overwritten", "hidden_norms/3/replaced", 7, "fails"),
            ("more-rounds-change-nothing", "seeds/trainings/gd_0.3_8000", none, "holds"),
            ("more-rounds-change-nothing", "seeds/trainings/gd_0.3_8000", all_, "fails"),
            ("wider-does-not-help", "seeds/trainings/hidden_32_800", all_, "fails"),
            ("wider-does-not-help", "seeds/trainings/hidden_32_800", some, "depends"),
            ("parameters-do-not-grow", "unrolled/parameter_count", 98, "fails"),
            ("parameters-do-not-grow", "unrolled/same_output", False, "fails"),
            ("parameters-do-not-grow", "parameter_count", 97, "fails"),
            ("lstm-reaches-one", "seeds/trainings/lstm_forget_0_800", all_, "holds"),
            ("lstm-reaches-one", "seeds/trainings/lstm_forget_1_800", none, "fails"),
        ]
        for name, pointer, value, verdict in changes:
            spoiled = with_value(RESULTS, f"/{pointer}", numbers(value)) if pointer else numbers(value)
            self.assertEqual(CLAIMS[name](spoiled), verdict, (name, pointer))
        turned = {name for name, _, _, verdict in changes if verdict != RECORDED["claims"][name]}
        self.assertEqual(turned, set(CLAIMS))

    def test_counts_decide(self) -> None:
        """A claim that tells of how many seeds it is true is another one where it is true of half of them, and turns
        where both this network and the counts say the contrary.
        """
        half = {"learned": 10, "not_learned": 10, "undecided": 0, "at_entropy": 10}
        measures = {key: 10 if isinstance(count, int) else dict.fromkeys(count, 10)
                    for key, count in COUNTS["measures"].items()}
        seeds = {**COUNTS, "trainings": dict.fromkeys(COUNTS["trainings"], half), "measures": measures,
                 "printed_losses": {**COUNTS["printed_losses"], "trainings": dict.fromkeys(
                     COUNTS["printed_losses"]["trainings"], half)}}
        telling = [claim["id"] for claim in LEDGER["claims"] if "个种子里" in claim["claim"]]
        self.assertGreater(len(telling), 20)
        same = {name for name in telling if CLAIMS[name]({**RESULTS, "seeds": seeds}) == RECORDED["claims"][name]}
        self.assertEqual({RECORDED["claims"][name] for name in same}, {"depends"})
        turned = with_value(with_value(RESULTS, "/seeds/measures/alpha_0.3/derivative_mostly_small", 20),
                            "/diagnosis/tanh_derivative/between_0.1_and_0.5", 49)
        self.assertEqual(CLAIMS["tanh-derivative-is-small"](turned), "holds")
        turned = with_value(with_value(RESULTS, "/seeds/measures/alpha_0.3/gradient_falls", 0),
                            "/gradient_norms/4/significant", numbers("1.00e-03"))
        self.assertEqual(CLAIMS["no-pause"](turned), "fails")

    def test_nine_of_ten_and_one_of_ten(self) -> None:
        """Nearly all are nine of ten, hardly any one of ten; an undecided training may have ended either way."""
        for learned, undecided, share in ((18, 0, "all"), (17, 3, "some"), (3, 0, "some"), (2, 0, "none"),
                                          (1, 1, "none"), (1, 2, "some"), (0, 20, "some")):
            counts = {"learned": learned, "not_learned": 20 - learned - undecided, "undecided": undecided}
            self.assertEqual(lesson_claims.share_of(counts), share, counts)

    def test_value_that_does_not_exist(self) -> None:
        """Whichever figure is null or zero, no claim stumbles over it, and the page has a dash for it."""
        figures = [place for place, value in leaves(RESULTS) if isinstance(value, Figure)]
        self.assertGreater(len(figures), 200)
        outside = set()
        with self.assertRaises(NoEvidence):  # no step has input 0
            CLAIMS["state-decays-by-itself"](with_value(RESULTS, "/hidden_norms", RESULTS["hidden_norms"][:2]))
        for place in figures:
            for value in (None, Figure(0.0, ".2e")):
                spoiled = with_value(RESULTS, place, value)
                decided = lesson_claims.verdicts(spoiled)
                if value is None:
                    outside |= {name for name, verdict in decided.items() if verdict == "outside"}
        self.assertGreater(len(outside), 20)
        nothing = RESULTS
        for place in figures:
            nothing = with_value(nothing, place, None)
        self.assertIn("  12  —", "\n".join(page(nothing)))

    def test_ledger(self) -> None:
        """Ledger and program have the claims in one order; what repeats one is a command that exists."""
        self.assertEqual([claim["id"] for claim in LEDGER["claims"]], list(CLAIMS))
        for claim in LEDGER["claims"]:
            python, program, *arguments = claim["repeat"].split()
            self.assertEqual(python, "python3")
            self.assertTrue(os.path.isfile(located(program)), program)
            if arguments:
                self.assertEqual(program, "code/part-iii/lesson_6_1.py")
                parsed(arguments, lesson.OPTIONS)

    def test_numbers_in_words(self) -> None:
        """A decimal that a claim's wording repeats is in its evidence, and so are the counts over seeds."""
        decimals = counts = 0
        printed = {figure["printed"] for figure in LEDGER["figures"]} | {"1.0000"}  # the next lesson's accuracy
        for claim in LEDGER["claims"]:
            evidence = [at({"results": RECORDED}, pointer) for pointer in claim["evidence"]]
            evident = {str(leaf) for each in evidence for _, leaf in leaves(each)}
            for text in re.findall(r"\d\.\d\de[-+]\d\d|\d+\.\d{4,}|(?<=第 )\d{4,}(?= 轮)", claim["claim"]):
                decimals += 1
                self.assertIn(text, evident | printed, claim["id"])
            for of, count in re.findall(r"(\d+) 个种子里 (\d+) 个", claim["claim"]):
                counts += 1
                self.assertIn(count, evident, claim["id"])
                self.assertIn(int(of), (COUNTS["seeds"], COUNTS["printed_losses"]["fit_at_0.3"]), claim["id"])
        self.assertGreater(decimals, 30)
        self.assertGreater(counts, 25)
