"""The delayed recall task of lesson 6.1, and a training on it. Binary floats throughout."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from lesson import tanh_rnn
from lesson.figure import figure
from lesson.pinned import Draws, Setting
from lesson.tanh_rnn import Case, Parameters, Row
from support.command import Refused
from support.progress import watched

SHOWN = (1, 100, 300, 500, 700, 800)  # rounds whose loss is recorded
LEARNED = 0.1  # a mean loss below it needs both inputs answered rightly
DIVERGED = 10.0  # a loss that no guess has: e^-10 for the right class


def weights(normals: Sequence[float], setting: Setting) -> Parameters:
    """Return the network that the lesson makes of standard normals: each times alpha/√n for n units, biases zero."""
    n = setting.hidden
    scale, stream = setting.alpha / math.sqrt(n), iter(normals)

    def matrix(rows: int, width: int, times: float = 1.0) -> list[list[float]]:
        return [[times * (scale * next(stream)) for _ in range(width)] for _ in range(rows)]

    into, recurrent, out = matrix(1, n), matrix(n, n, setting.wh), matrix(n, 2)
    return Parameters(into, recurrent, [0.0] * n, out, [0.0, 0.0])


def sequence(bits: Iterable[int]) -> list[Row]:
    """Return bits as inputs of one coordinate each."""
    return [[float(bit)] for bit in bits]


def recall_cases(labels: Sequence[int], recall_at: int) -> list[Case]:
    """Return the delayed recall task: the first input is the label, zeros follow, the answer is due at `recall_at`.

    There are two different sequences, one for each label, with the number of times that it was drawn.
    """
    return [Case(sequence([label] + [0] * (recall_at - 1)), label, labels.count(label)) for label in (0, 1)]


class Training(NamedTuple):
    """What a training leaves behind."""

    losses: list[float]  # of each round, before its update, and after the last
    signals: dict[int, float]  # size of the gradient by Wx in some rounds, and in the first that has learned
    escaped_at: int | None  # the first round whose loss lies below LEARNED
    accuracy: float  # on the test labels
    chance_of_1: Sequence[float]  # for first input 0 and 1, after the last update

    def fields(self, shown: Sequence[int] = SHOWN) -> dict[str, Any]:
        """Return losses as recorded, and since when the task is learned, with the loss of that round among them."""
        numbers = sorted({*shown, self.escaped_at or shown[0]})
        return {"losses": [{"round": number, "loss": figure(self.losses[number - 1], ".6f")}
                           for number in numbers if 0 < number <= len(self.losses)], "escaped_at": self.escaped_at}


def train(draws: Draws, setting: Setting, kept: Sequence[int] = (), what: str = "训练") -> Training:
    """Return what a training leaves; raise Refused where the loss diverges. `what` is said to whoever waits."""
    cases, tests = (recall_cases(labels, setting.recall_at) for labels in (draws.train, draws.test))
    net = weights(draws.weights, setting)
    most = setting.rounds + 1  # the last one only tells the loss
    rounds = watched(islice(tanh_rnn.rounds(net, cases, setting.rate, setting.adam), most), most, what)
    losses: list[float] = []
    signals: dict[int, float] = {}
    escaped = None
    try:
        for number, (now, loss, gradient) in enumerate(rounds, 1):
            if not loss <= DIVERGED:
                raise OverflowError
            losses.append(loss)
            net = now
            if loss < LEARNED and escaped is None:
                escaped = number
            if number in kept or number == escaped:
                signals[number] = math.hypot(*sum(gradient.Wx, []))
    except (OverflowError, ValueError):  # what fsum, too, raises where a sum overflows or has inf and -inf in it
        raise Refused(f"训练发散：第 {len(losses) + 1} 轮的损失超过 {DIVERGED:g} 或不是有限数") from None
    chances = [tanh_rnn.forward(net, case)[1] for case in tests]
    right = sum(case.times for case, chance in zip(tests, chances) if chance.index(max(chance)) == case.label)
    return Training(losses, signals, escaped, right / len(draws.test), [chance[1] for chance in chances])
