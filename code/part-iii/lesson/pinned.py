"""What NumPy drew and counted for lesson 6.1, read from data/lesson-6-1 and checked as a whole.

Whatever is wrong raises `command.Refused` with the file and the place of the first fault.
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

from support import strict_json
from support.command import ROOT, located
from support.strict_json import Node

FOLDER = "data/lesson-6-1"
DRAWS, SEEDS, PRINTED, RECORD = (f"{FOLDER}/{name}" for name in (
    "draws-v1.json", "seeds.json", "printed-v1.json", "run.json"))
HIDDEN, STEPS, RECALL_AT = 8, 12, 8  # width, steps of the gradient, step of the answer
WIDTHS = (HIDDEN, 32)  # widths that the record needs, and whose bits were drawn
LARGEST = 1000  # of a normal; none comes near, and with it nothing before a training overflows
MOST = 1 << 16  # of normals, bits and counts


class Draws(NamedTuple):
    """What NumPy drew, once and for all: normals for any width up to 32, bits for inputs and labels."""

    demonstration: list[float]
    weights: list[float]
    five: dict[int, list[int]]  # by width: the bits that follow the normals in the same stream
    twelve: dict[int, list[int]]
    listed: list[int]  # width 8: the 300 bits that follow those; the lesson's listing takes its labels there
    train: list[int]
    test: list[int]
    sha256: str

    @property
    def widest(self) -> int:
        """Return the largest width n whose n + n² + 2n normals were drawn."""
        return (math.isqrt(9 + 4 * min(len(self.demonstration), len(self.weights))) - 3) // 2


def read_draws(root: str = ROOT) -> Draws:
    """Return the pinned draws; raise Refused with the place of what is missing, short or not a number."""
    top, digest = strict_json.load(located(DRAWS, root))
    demonstration, training = top["demonstration"], top["training"]
    least = WIDTHS[-1] * (WIDTHS[-1] + 3)
    normals = [[_normal(item) for item in node["normals"].items("个正态数", least, MOST)]
               for node in (demonstration, training["weights"])]
    after = {width: demonstration[f"after_{width}"] for width in WIDTHS}
    labels = [_bits(training["labels"][name], None) for name in ("train", "test")]
    five, twelve = ({width: _bits(after[width][name], count) for width in WIDTHS}
                    for name, count in (("five", 5), ("twelve", STEPS)))
    return Draws(normals[0], normals[1], five, twelve, _bits(after[HIDDEN]["labels"], 300),
                 labels[0], labels[1], digest)


def _normal(item: Node) -> float:
    value = item.rational()
    if abs(value) > LARGEST:
        raise item.must(f" -{LARGEST} 至 {LARGEST} 的数")
    return float(value)


def _bits(node: Node, count: int | None) -> list[int]:
    return [item.integer(0, 1) for item in node.items("个 0 或 1", 1, MOST, count)]


SETTINGS = ("gd_0.3_800", "gd_0.3_8000", "gd_0.3_64000", "gd_1.0_800", "gd_1.0_8000", "adam_0.01_800", "adam_0.001_800",
            "alpha_1.0_800", "recall_at_3_800", "hidden_32_800", "hidden_32_8000", "hidden_32_adam_0.01_800",
            "without_wh_800", "without_wh_adam_0.01_800", "lstm_forget_0_800", "lstm_forget_1_800")
COUNTED = ("state_decays", "gradient_falls", "gradient_straight", "gradient_prints_zero", "gradient_below_a_thousandth",
           "estimate_within_factor_ten", "derivative_mostly_small", "largest_singular_value_below_one")


def read_seeds(root: str = ROOT) -> tuple[dict[str, Any], str]:
    """Return the counts over seeds that tests/oracles/seeds.py made where NumPy is, and the sha256 of their file."""
    top, digest = strict_json.load(located(SEEDS, root))
    top["record"].exactly("lesson-6-1-seeds-v1")
    results = top["results"]
    fitting, measures, seeds = results["printed_losses"], results["measures"], results["seeds"].integer(1, MOST)
    fits = _counts(fitting, fitting["tried"].integer(1, MOST), "tried", "fit_at_0.3", "fit_at_1.0")
    return {
        **_counts(results, MOST, "first_seed", "seeds"),
        "trainings": _trainings(results["trainings"], seeds, SETTINGS),
        "printed_losses": {**fits, "trainings": _trainings(fitting["trainings"], fits["fit_at_0.3"], SETTINGS[:5])},
        "measures": {**{alpha: _counts(measures[alpha], seeds, *COUNTED) for alpha in ("alpha_0.3", "alpha_1.0")},
                     **_counts(measures, seeds, "hidden_32_keeps_more_over_8_steps",
                               "alpha_1.0_keeps_more_over_11_steps", "larger_wh_keeps_more")},
    }, digest


def _trainings(node: Node, seeds: int, names: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return how each training came out on so many seeds."""
    counts = {}
    for name in names:
        counts[name] = _counts(node[name], seeds, "learned", "not_learned", "undecided", "at_entropy")
        if sum(counts[name][key] for key in ("learned", "not_learned", "undecided")) != seeds:
            raise node[name].refused(f"学会、没学会、说不准合起来应为 {seeds} 个种子")
    return counts


def _counts(node: Node, most: int, *names: str) -> dict[str, int]:
    return {name: node[name].integer(0, most) for name in names}
