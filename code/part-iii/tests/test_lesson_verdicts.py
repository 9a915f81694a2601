"""The verdicts on lesson 6.1: each turns where the record says something else, and cites what decides it."""
from __future__ import annotations

import os
import re
import unittest
from typing import Any

import lesson_6_1 as lesson
from checking.comparing import IN_BRACES
from lesson import lesson_claims
from lesson.figure import Figure
from support.command import located
from support.options import parsed
from support.verdicts import NoEvidence, judged
from tests.of_the_lesson import CLAIMS, COUNTS, LEDGER, RECORDED, RESULTS, numbers, page
from tests.of_the_lesson import judged as reached
from tests.shared import at, leaves, with_value
from tests.traced import traced

# A claim, what is changed of the record (several places at once where one alone decides nothing), and the verdict.
TURNED: list[tuple[str, dict[str, Any], str]] = [
    ("tanh-shrinks-the-gradient", {"diagnosis/tanh_derivative/between_0.1_and_0.5": 49}, "depends"),
    ("tanh-shrinks-the-gradient", {"diagnosis/without_tanh": "4.81e-04"}, "depends"),  # the root of 2.31e-07
    ("tanh-shrinks-the-gradient", {"seeds/measures/derivative_mostly_small": 1}, "depends"),
    ("tanh-shrinks-the-gradient", {"seeds/measures/derivative_takes_half": 1}, "depends"),
    ("tanh-shrinks-the-gradient", {
        "diagnosis/tanh_derivative/between_0.1_and_0.5": 49, "diagnosis/without_tanh": "4.81e-04",
        "seeds/measures/derivative_mostly_small": 20, "seeds/measures/derivative_takes_half": 20}, "holds"),
    ("tanh-shrinks-the-gradient", {"diagnosis/tanh_derivative/between_0.1_and_0.5": 48}, "fails"),
    ("tanh-shrinks-the-gradient", {"diagnosis/without_tanh": "4.80e-04"}, "fails"),
    ("estimate-matches-measurement", {"gradient_norms/0/norm": "0.000013", "gradient_norms/0/significant": "1.30e-05"},
     "holds"),
    ("estimate-matches-measurement", {"gradient_norms/0/norm": "0.000013", "gradient_norms/0/significant": "1.70e-07"},
     "fails"),
    ("estimate-matches-measurement", {"gradient_norms/0/significant": "1.30e-05"}, "fails"),
    ("estimate-matches-measurement", {"gradient_norms/0/significant": "0.00e+00"}, "outside"),
    ("vanishing-is-inevitable", {"seeds/measures/gradient_below_a_thousandth_at_alpha_1.0": 20}, "holds"),
    ("vanishing-is-inevitable", {"seeds/measures/gradient_below_a_thousandth_at_alpha_1.0": 19}, "depends"),
    ("vanishing-is-inevitable", {"seeds/measures/gradient_below_a_thousandth": 19}, "fails"),
    ("first-input-does-nothing", {"delayed_recall/predicted_probability_of_1/0": "0.5100"}, "depends"),
    ("first-input-does-nothing", {"delayed_recall/predicted_probability_of_1/0": "0.4990",
                                  "delayed_recall/predicted_probability_of_1/1": "0.5010"}, "depends"),
    ("first-input-does-nothing", {"delayed_recall/test_accuracy": "0.7000"}, "depends"),
    ("first-input-does-nothing", {"delayed_recall/test_labels": {"0": 30, "1": 70}}, "depends"),
    ("first-input-does-nothing", {"delayed_recall/test_labels": {"0": 30, "1": 70},
                                  "delayed_recall/test_accuracy": "0.7000"}, "holds"),
    ("first-input-does-nothing", {"seeds/plateau/at_entropy": 18}, "depends"),
    ("first-input-does-nothing", {"delayed_recall/test_accuracy": "0.7000", "seeds/plateau/at_entropy": 0}, "fails"),
    ("first-input-does-nothing", {"seeds/plateau/stands": 0}, "outside"),
    ("loss-never-moves", {"delayed_recall/losses/0/loss": "0.690949"}, "holds"),
    ("loss-never-moves", {"delayed_recall/losses/0/loss": "0.690951"}, "fails"),
    ("loss-never-moves", {"delayed_recall/losses": RECORDED["delayed_recall"]["losses"][:5]}, "outside"),
    ("loss-is-ln-2", {"delayed_recall/losses/5/loss": "0.692500"}, "depends"),
    ("loss-is-ln-2", {"delayed_recall/losses/5/loss": "0.692500", "seeds/plateau/at_entropy": 0}, "holds"),
    ("loss-is-ln-2", {"delayed_recall/label_entropy": "0.693147"}, "holds"),  # as many of each
    ("loss-is-ln-2", {"seeds/plateau/at_entropy": 18}, "depends"),
    ("not-slow-but-not-started", {"seeds/trainings/gd_0.3_64000/learned": 0}, "holds"),
    ("not-slow-but-not-started", {"seeds/trainings/gd_0.3_64000/learned": 19}, "depends"),
    ("not-slow-but-not-started", {"seeds/plateau/stands": 0}, "outside"),
    ("first-weight-gets-no-signal", {"more_rounds/signals": [{"round": 1, "Wx": "0.00e+00"}]}, "holds"),
    ("first-weight-gets-no-signal", {"more_rounds/signals/2/Wx": "0.00e+00"}, "depends"),
    ("first-weight-gets-no-signal", {"more_rounds/signals": []}, "outside"),
    ("listing-gives-the-log", {"listing": RECORDED["gradient_norms"]}, "holds"),
    ("memory-is-up-to-wh", {"seeds/trainings/wh_2_800/learned": 13}, "holds"),  # twelve more
    ("memory-is-up-to-wh", {"seeds/trainings/wh_2_800/learned": 12}, "depends"),
    ("memory-is-up-to-wh", {"seeds/trainings/wh_2_800/learned": 1}, "fails"),
    ("smooth-decay", {"diagnosis/largest_factor": "0.7500"}, "depends"),
    ("smooth-decay", {"diagnosis/largest_factor": "0.7500", "seeds/measures/gradient_falls_at_each_step": 0}, "fails"),
    ("smooth-decay", {"seeds/measures/gradient_falls_at_each_step": 19}, "depends"),
    ("only-structure-helps", {f"seeds/trainings/{name}/learned": 0 for name in (
        "adam_0.01_800", "adam_0.001_800", "wh_2_800", "gd_0.3_64000", "gd_1.0_800")}, "holds"),
    ("only-structure-helps", {f"seeds/trainings/{name}/learned": 19 for name in (
        "adam_0.01_800", "adam_0.001_800", "wh_2_800", "gd_0.3_64000", "gd_1.0_800")}, "depends"),
    ("wider-does-not-help", {"seeds/trainings/hidden_32_800/learned": 12}, "holds"),
    ("wider-does-not-help", {"seeds/trainings/hidden_32_800/learned": 13}, "fails"),
    ("lstm-reaches-one", {"seeds/trainings/lstm_forget_1_800/learned": 0}, "fails"),
    ("lstm-reaches-one", {"seeds/trainings/lstm_forget_1_800/learned": 1}, "holds"),
    ("lstm-reaches-one", {"seeds/trainings/lstm_forget_1_800/learned": 0,
                          "seeds/trainings/lstm_forget_0_800/learned": 1}, "holds"),
]


# The numbers of the figures that are shown with each verdict: those of the lesson's text, and of seeds.json, in order.
SHOWN = {
    "tanh-shrinks-the-gradient": "96 0.9748 1.0000 0 0.1 0.5 11 2.41e-07 2.31e-07 20 0 0",
    "estimate-matches-measurement": "1 0.000000 0.000013 0.3 11 1.77e-06 7.7",
    "vanishing-is-inevitable": "11 0.3 20 20 1.0 0",
    "first-input-does-nothing": "0 1 1 0.5333 0.5333 0.3 800 19 19",
    "loss-never-moves": "1 0.693149 100 0.690925",
    "loss-is-ln-2": "800 0.690924 0.690923 2 0.693147 0.3 19 19",
    "not-slow-but-not-started": "0.3 20 800 19 64000 20 228 50472 6615",
    "first-weight-gets-no-signal": "800 1.22e-05 15002 8.05e-03",
    "listing-gives-the-log": "6 11 0.219713 0.220670",
    "memory-is-up-to-wh": "2 0.3 800 20 17 1 11 4.67e-04 2.31e-07",
    "smooth-decay": "0.3337 20 20 0.75",
    "only-structure-helps": "20 0.01 800 20 0.001 800 20 2 800 17 0.3 64000 20 1.0 800 4",
    "wider-does-not-help": "0.3 800 20 32 0 8 1",
    "lstm-reaches-one": "0.3 800 20 1 20 0 0",
}


class Verdicts(unittest.TestCase):
    """What the claims are decided by."""

    def test_recorded_digits_decide(self) -> None:
        """A reader who has the record alone, with its rounded figures, comes to the same verdicts, and the ledger's."""
        verdicts = judged(lesson_claims, RECORDED, CLAIMS)
        self.assertEqual(verdicts, RECORDED["claims"])
        self.assertEqual(verdicts, {claim["id"]: claim["verdict"] for claim in CLAIMS})

    def test_verdicts_can_turn(self) -> None:
        """Each verdict is another one when what it rests on is another, and just then."""
        for name, changes, verdict in TURNED:
            spoiled = RESULTS
            for place, value in changes.items():
                spoiled = with_value(spoiled, f"/{place}", numbers(value))
            self.assertEqual(reached(spoiled)[name], verdict, (name, changes))
        turned = {name for name, _, verdict in TURNED if verdict not in (RECORDED["claims"][name], "outside")}
        self.assertEqual(turned, set(RECORDED["claims"]))

    def test_value_that_does_not_exist(self) -> None:
        """Whichever figure is null or zero, no claim stumbles over it."""
        figures = [place for place, value in leaves(RESULTS).items() if isinstance(value, Figure)]
        self.assertGreater(len(figures), 50)
        outside = set()
        for place in figures:
            for value in (None, Figure(0.0, ".2e")):
                reached(with_value(RESULTS, place, value))
            nothing = reached(with_value(RESULTS, place, None))
            outside |= {name for name, verdict in nothing.items() if verdict == "outside"}
        self.assertGreater(len(outside), 6)

    def test_evidence_is_what_decides(self) -> None:
        """Every field that is named as evidence is read by the verdict, and every value that it reads is named; but for
        what only says which row is meant.
        """
        for claim in LEDGER["claims"]:
            read: set[str] = set()
            getattr(lesson_claims, claim["id"].replace("-", "_"))(traced(RESULTS, "/results", read))
            self.assertEqual([e for e in claim["evidence"] if not any(
                r == e or r.startswith(e + "/") or e.startswith(r + "/") for r in read)], [], claim["id"])
            values = {r for r in read if not isinstance(at({"results": RECORDED}, r), (dict, list))}
            named, keys = tuple(e + "/" for e in claim["evidence"]), ("/round", "/t")
            self.assertEqual([r for r in values if not (r + "/").startswith(named) and not r.endswith(keys)], [],
                             claim["id"])

    def test_ledger(self) -> None:
        """What repeats a claim is a command that exists; what does not hold says what to write and where to look."""
        for claim in [*LEDGER["claims"], *(figure for figure in LEDGER["figures"] if "instead" in figure)]:
            python, program, *arguments = claim["repeat"].split()
            self.assertEqual(python, "python3")
            self.assertTrue(os.path.isfile(located(program)), program)
            if arguments:
                self.assertEqual(program, "code/part-iii/lesson_6_1.py")
                parsed(arguments, (*lesson.LIMITS, "optimizer", "seed"), ("answers", "seeds"))
            if claim.get("verdict") != "holds":
                self.assertLessEqual({"weight", "quote", "instead", "why", "number"}, set(claim))
                self.assertLessEqual(len(claim["quote"]), 12)
                self.assertTrue(IN_BRACES.search(claim["number"]), claim["quote"])
            self.assertEqual("condition" in claim, claim.get("verdict") == "depends")
        self.assertEqual([claim["id"] for claim in CLAIMS if claim.get("weight") == "grave"], [
            "tanh-shrinks-the-gradient", "loss-is-ln-2", "only-structure-helps"])

    def test_no_number_of_ours_stands_in_the_ledger(self) -> None:
        """What is computed comes from the record: sentences have the lesson's own numbers and settings alone."""
        own = {figure["printed"] for figure in LEDGER["figures"]} | {"1.0000", "0.1", "0.5", "0.01", "0.001", "64000"}
        for entry in [*LEDGER["claims"], *(figure for figure in LEDGER["figures"] if "instead" in figure)]:
            for name in ("claim", "condition", "instead", "why", "number"):
                sentence = re.sub(r"\{.*?\}|rg\.random.*?\)\)", "", entry.get(name, ""))
                self.assertEqual(set(re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", sentence)) - own, set(),
                                 (entry.get("id"), name))

    def test_figures(self) -> None:
        """Each verdict is shown with the figures that decide it, in their order."""
        shown = {name: " ".join(re.findall(r"\d+(?:\.\d+)?(?:e-\d+)?", verdict.figures))
                 for name, verdict in reached(RESULTS).items()}
        self.assertEqual(shown, SHOWN)

    def test_counts_are_on_the_page(self) -> None:
        """The figures of a verdict that speaks of seeds tell how many there are."""
        for name, verdict in reached(RESULTS).items():
            evidence = next(claim["evidence"] for claim in LEDGER["claims"] if claim["id"] == name)
            if any("/seeds/" in pointer for pointer in evidence):
                counted = f"{COUNTS['seeds']} 个种子|停住的 {COUNTS['plateau']['stands']} 个种子"
                self.assertRegex(verdict.figures, counted, name)
        self.assertIn("64000 轮之内 20 个学会", "".join(page(RESULTS)))

    def test_known(self) -> None:
        """A figure that does not exist is no evidence."""
        with self.assertRaises(NoEvidence):
            lesson_claims.loss_never_moves(with_value(RESULTS, "/delayed_recall/losses/0/loss", None))
