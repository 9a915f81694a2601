"""What NumPy drew for lesson 6.1, read from data/lesson-6-1/draws-v1.json and checked as a whole.

Whatever is wrong raises `command.Refused` with the file and the place of the first fault.
"""
from __future__ import annotations

import math
from typing import NamedTuple

from support import strict_json
from support.command import ROOT, located
from support.strict_json import Node

FOLDER = "data/lesson-6-1"
DRAWS = f"{FOLDER}/draws-v1.json"
HIDDEN, STEPS, RECALL_AT = 8, 12, 8  # width, steps of the gradient, step of the answer
WIDTHS = (HIDDEN, 32)  # widths that the record needs, and whose bits were drawn
LARGEST = 1000  # of a normal; none comes near, and with it nothing before a training overflows


class Draws(NamedTuple):
    """What NumPy drew, once and for all: normals for any width up to 32, bits for inputs and labels."""

    demonstration: list[float]
    weights: list[float]
    five: dict[int, list[int]]  # by width: the bits that follow the normals in the same stream
    twelve: dict[int, list[int]]
    train: list[int]
    test: list[int]
    sha256: str

    @property
    def widest(self) -> int:
        """Return the largest h whose h + h² + 2h normals were drawn."""
        return (math.isqrt(9 + 4 * min(len(self.demonstration), len(self.weights))) - 3) // 2


def read_draws(root: str = ROOT) -> Draws:
    """Return the pinned draws; raise Refused with the place of what is missing, short or not a number."""
    top, digest = strict_json.load(located(DRAWS, root))
    demonstration, training = top["demonstration"], top["training"]
    least = WIDTHS[-1] * (WIDTHS[-1] + 3)
    normals = [[_normal(item) for item in node["normals"].items("个正态数", least, 1 << 16)]
               for node in (demonstration, training["weights"])]
    after = {h: demonstration[f"after_{h}"] for h in WIDTHS}
    labels = [_bits(training["labels"][name], None) for name in ("train", "test")]
    return Draws(normals[0], normals[1], {h: _bits(after[h]["five"], 5) for h in WIDTHS},
                 {h: _bits(after[h]["twelve"], STEPS) for h in WIDTHS}, labels[0], labels[1], digest)


def _normal(item: Node) -> float:
    value = item.rational()
    if abs(value) > LARGEST:
        raise item.must(f" -{LARGEST} 至 {LARGEST} 的数")
    return float(value)


def _bits(node: Node, count: int | None) -> list[int]:
    return [item.integer(0, 1) for item in node.items("个 0 或 1", 1, 1 << 16, count)]
