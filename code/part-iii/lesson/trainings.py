"""The delayed recall task of lesson 6.1, and the trainings on it.

Binary floats throughout. A training is a stream of rounds (tanh_rnn.py makes them) of which some are kept.
"""
from __future__ import annotations

import math
from itertools import islice
from typing import Any, Iterable, NamedTuple, Sequence

from lesson import tanh_rnn
from lesson.figure import figure
from lesson.pinned import HIDDEN, RECALL_AT, Draws
from lesson.tanh_rnn import Case, Parameters, Round, Row
from support.progress import watched

ALPHA, RATE, FAST_RATE, ROUNDS, MORE_ROUNDS = 0.3, 0.3, 1.0, 800, 8000
ADAM = {"rate": 0.01, "keep": 0.9, "keep_square": 0.999, "small": 1e-8}
SHOWN = (1, 100, 300, 500, 700, 800)  # rounds whose loss is recorded
SHOWN_LONG = (800, 2000, 4000, 4500, 5000, 8000)
DIVERGED = 10.0  # a loss that no guess has: e^-10 for the right class


def weights(normals: Sequence[float], hidden: int = HIDDEN, alpha: float = ALPHA) -> Parameters:
    """Return the network that the lesson makes of standard normals: each times alpha/√h, biases zero."""
    scale, stream = alpha / math.sqrt(hidden), iter(normals)

    def matrix(rows: int, width: int) -> list[list[float]]:
        return [[scale * next(stream) for _ in range(width)] for _ in range(rows)]

    into, recurrent, out = matrix(1, hidden), matrix(hidden, hidden), matrix(hidden, 2)
    return Parameters(into, recurrent, [0.0] * hidden, out, [0.0, 0.0])


def sequence(bits: Iterable[int]) -> list[Row]:
    """Return bits as inputs of one coordinate each."""
    return [[float(bit)] for bit in bits]


def recall_cases(labels: Sequence[int], recall_at: int = RECALL_AT) -> list[Case]:
    """Return the delayed recall task: the first input is the label, zeros follow, the answer is due at `recall_at`.

    There are two different sequences, one for each label, with the number of times it was drawn.
    """
    return [Case(sequence([label] + [0] * (recall_at - 1)), label, labels.count(label)) for label in (0, 1)]


class Training(NamedTuple):
    """What a training leaves behind; after one that diverged there is nothing to test."""

    losses: dict[int, float]  # of the rounds that are shown
    gradients: dict[int, Parameters]  # of the same rounds
    accuracy: float | None  # on the test labels
    chance_of_1: Sequence[float | None]  # for first input 0 and 1, after training
    diverged_at: int | None

    def fields(self) -> dict[str, Any]:
        """Return losses and test accuracy as recorded."""
        return {"losses": [{"round": number, "loss": figure(loss, ".6f")} for number, loss in self.losses.items()],
                "test_accuracy": figure(self.accuracy, ".4f")}


def train(rounds: Iterable[Round], last: int, shown: Sequence[int], draws: Draws, recall_at: int,
          name: str) -> Training:
    """Return `last` rounds of training and the test; it ends early where the loss diverges."""
    losses: dict[int, float] = {}
    gradients: dict[int, Parameters] = {}
    number = 1
    try:
        for done in watched(islice(rounds, last), last, f"训练 {name}"):
            if number in shown and math.isfinite(done.loss):
                losses[number], gradients[number] = done.loss, done.gradient
            if not done.loss <= DIVERGED:
                raise OverflowError
            number = done.number + 1
        tests = recall_cases(draws.test, recall_at)
        chances = [tanh_rnn.forward(done.updated, case).probabilities for case in tests]
        if not all(map(math.isfinite, chances[0] + chances[1])):
            raise OverflowError
    except (OverflowError, ValueError):  # what fsum, too, raises where a sum overflows or has inf and -inf in it
        return Training(losses, gradients, None, (None, None), number)
    right = sum(case.times for case, chance in zip(tests, chances) if chance.index(max(chance)) == case.label)
    return Training(losses, gradients, right / len(draws.test), [chance[1] for chance in chances], None)


def plain(draws: Draws, name: str, hidden: int = HIDDEN, alpha: float = ALPHA, rate: float = RATE, last: int = ROUNDS,
          recall_at: int = RECALL_AT, shown: Sequence[int] = SHOWN, frozen: Sequence[str] = ()) -> Training:
    """Return a training by gradient descent, as the lesson's unless told otherwise; what is frozen is zero."""
    net = weights(draws.weights, hidden, alpha)
    zeros: dict[str, Any] = {key: [[0.0] * len(row) for row in getattr(net, key)] for key in frozen}
    net = net._replace(**zeros)
    rounds = tanh_rnn.gradient_descent(net, recall_cases(draws.train, recall_at), rate, frozen)
    return train(rounds, last, shown, draws, recall_at, name)


def by_adam(draws: Draws) -> Training:
    """Return the lesson's training with another optimizer, the network unchanged."""
    rounds = tanh_rnn.adam(weights(draws.weights), recall_cases(draws.train), **ADAM)
    return train(rounds, ROUNDS, SHOWN, draws, RECALL_AT, "Adam")
