"""What NumPy drew for lesson 6.1 and on which seeds which trainings learned, read from data/lesson-6-1.

Whatever is wrong there raises `command.Refused` with the file and the place of the first fault.
"""
from __future__ import annotations

from typing import Any, NamedTuple

from support.command import ROOT, Refused, located
from support.shapes import Items, exactly, fitted, integer, number, read

DRAWS, SEEDS, PRINTED, RECORD = (f"data/lesson-6-1/{name}.json" for name in ("draws-v1", "seeds", "printed-v1", "run"))
HIDDEN, STEPS, RECALL_AT = 8, 12, 8  # width, steps of the gradient, step of the answer
WIDE = 32  # the other width whose bits were drawn
LARGEST = 10  # of a normal; none comes near, and with it no state saturates, so that something is left at each step
MOST = 1 << 16  # of bits, counts and rounds
MEASURES = ("gradient_falls_at_each_step", "gradient_below_a_thousandth", "gradient_below_a_thousandth_at_alpha_1.0",
            "derivative_mostly_small", "derivative_takes_half", "hidden_32_keeps_more")


class Setting(NamedTuple):
    """The lesson's own training unless told otherwise."""

    hidden: int = HIDDEN
    alpha: float = 0.3
    wh: float = 1.0  # what Wh is multiplied by, all else untouched
    recall_at: int = RECALL_AT
    adam: bool = False
    rate: float = 0.3  # the lesson tells none; with this one its losses come out
    rounds: int = 800

    def said(self) -> str:
        """Return what differs from the lesson's training, and the rounds.

        >>> Setting().said(), Setting(adam=True, rate=0.01).said()
        ('梯度下降，学习率 0.3，800 轮', 'Adam，学习率 0.01，800 轮')
        """
        said = (f"隐状态 {self.hidden} 维", f"alpha {self.alpha}", f"Wh 乘 {self.wh:g}", f"第 {self.recall_at} 步复述",
                "Adam", f"学习率 {self.rate}")
        other = [text for text, one, own in zip(said, self, Setting()) if one != own]
        return "，".join([*(other or [f"梯度下降，学习率 {self.rate}"]), f"{self.rounds} 轮"])


COUNTED = {  # by their names in seeds.json; the first is what the others are held against
    "gd_0.3_800": Setting(), "gd_0.3_64000": Setting(rounds=64000), "gd_1.0_800": Setting(rate=1.0),
    "adam_0.01_800": Setting(adam=True, rate=0.01), "adam_0.001_800": Setting(adam=True, rate=0.001),
    "wh_2_800": Setting(wh=2.0), "alpha_1.0_800": Setting(alpha=1.0), "recall_at_3_800": Setting(recall_at=3),
    "hidden_32_800": Setting(hidden=WIDE)}
LSTM = {"lstm_forget_0_800": "LSTM，遗忘门偏置 0，800 轮", "lstm_forget_1_800": "LSTM，遗忘门偏置 1，800 轮"}


class Draws(NamedTuple):
    """What NumPy drew, once and for all: normals for any width up to 32, bits for inputs and labels."""

    demonstration: list[float]
    weights: list[float]
    seeds: list[list[float]]  # the normals of the counted seeds, the first one first, for a width of 8
    five: list[int]  # the bits that follow the demonstration's normals in the same stream
    twelve: dict[int, list[int]]  # the bits that follow those, by width
    train: list[int]
    test: list[int]
    sha256: str


def normal(value: Any) -> float:
    """The shape of a pinned normal."""
    if not 0 < abs(number(value)) <= LARGEST:
        raise ValueError(f"应为 -{LARGEST} 至 {LARGEST} 的数，不是零")
    return float(number(value))


def normals(width: int) -> list[Any]:
    """Return the shape of as many normals as Wx, Wh and Wo take."""
    return [normal] * (width * (width + 3))


BIT = integer(0, 1)
SHAPE = {
    "demonstration": {"normals": normals(WIDE), f"after_{HIDDEN}": {"five": [BIT] * 5, "twelve": [BIT] * STEPS},
                      f"after_{WIDE}": {"twelve": [BIT] * STEPS}},
    "training": {"weights": {"normals": normals(WIDE)},
                 "labels": {"train": Items(BIT, 1, MOST), "test": Items(BIT, 1, MOST)}},
    "seeds": {"normals": Items(normals(HIDDEN), 1, MOST)}}


def read_draws(root: str = ROOT) -> Draws:
    """Return the pinned draws; raise Refused with the place of what is missing, short or not a number."""
    file = located(DRAWS, root)
    top, digest = read(file)
    whole = fitted(top, SHAPE, file)
    demonstration, training = whole["demonstration"], whole["training"]
    return Draws(
        demonstration["normals"], training["weights"]["normals"], whole["seeds"]["normals"],
        demonstration[f"after_{HIDDEN}"]["five"],
        {width: demonstration[f"after_{width}"]["twelve"] for width in (HIDDEN, WIDE)}, **training["labels"],
        sha256=digest)


def read_seeds(root: str = ROOT) -> tuple[dict[str, Any], str]:
    """Return the counts over seeds that tests/oracles/seeds.py made where NumPy is, and the sha256 of their file."""
    file = located(SEEDS, root)
    top, digest = read(file)
    many = fitted(top, {"results": {"seeds": integer(1, MOST)}}, file)["results"]["seeds"]
    outcomes = ("learned", "not_learned", "undecided")
    results: dict[str, Any] = fitted(top, {"record": exactly("lesson-6-1-seeds-v1"), "results": {
        "first_seed": integer(0, MOST), "seeds": integer(1, MOST),
        "trainings": {name: dict.fromkeys(outcomes, integer(0, many)) for name in (*COUNTED, *LSTM)},
        "plateau": dict.fromkeys(("stands", "at_entropy"), integer(0, many)),
        "rounds_to_learn": dict.fromkeys(("least", "median", "most"), integer(0, MOST)),
        "measures": dict.fromkeys(MEASURES, integer(0, many))}}, file)["results"]
    for name, counts in results["trainings"].items():
        if sum(counts.values()) != many:
            raise Refused(f"学会、没学会、说不准合起来应为 {many} 个种子", file, f"/results/trainings/{name}")
    return results, digest
