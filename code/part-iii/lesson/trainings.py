"""The delayed recall task of lesson 6.1, and the trainings on it.

Binary floats throughout. A training is a stream of rounds (tanh_rnn.py makes them), of which some are kept.
"""
from __future__ import annotations

import math
from itertools import islice
from typing import Any, Iterable, Iterator, NamedTuple, Sequence

from lesson import tanh_rnn
from lesson.figure import figure
from lesson.pinned import HIDDEN, RECALL_AT, Draws
from lesson.tanh_rnn import Case, Parameters, Round, Row
from support.progress import watched

ALPHA, RATE, ROUNDS = 0.3, 0.3, 800
FAST_RATE, LONG, FAST_LONG = 1.0, 16000, 5000  # rounds until the loss has left where it stands for long
ADAM = {"rate": 0.01, "keep": 0.9, "keep_square": 0.999, "small": 1e-8}
SHOWN = (1, 100, 300, 500, 700, 800)  # rounds whose loss is recorded
LEARNED = 0.1  # a mean loss below it needs both inputs answered rightly
DIVERGED = 10.0  # a loss that no guess has: e^-10 for the right class


def weights(normals: Sequence[float], hidden: int = HIDDEN, alpha: float = ALPHA) -> Parameters:
    """Return the network that the lesson makes of standard normals: each times alpha/√n for n units, biases zero."""
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

    losses: dict[int, float]  # of every round, before its update
    gradients: dict[int, Parameters]  # of the rounds that are kept, and of the escape
    escaped_at: int | None  # the first round whose loss lies below LEARNED
    diverged_at: int | None
    accuracy: float | None  # on the test labels
    chance_of_1: Sequence[float | None]  # for first input 0 and 1, after training

    def fields(self, shown: Sequence[int] = SHOWN) -> dict[str, Any]:
        """Return losses and test accuracy as recorded."""
        return {"losses": [{"round": number, "loss": figure(self.losses[number], ".6f")}
                           for number in shown if number in self.losses],
                "test_accuracy": figure(self.accuracy, ".4f")}


def train(rounds: Iterable[Round], count: int, draws: Draws, what: str, recall_at: int = RECALL_AT,
          kept: Sequence[int] = (), earlier: Training | None = None) -> Training:
    """Return what the next `count` rounds and the `earlier` ones leave; it ends early where the loss diverges."""
    if earlier and earlier.diverged_at:
        return earlier
    losses: dict[int, float] = dict(earlier.losses) if earlier else {}
    gradients = dict(earlier.gradients) if earlier else {}
    escaped = earlier.escaped_at if earlier else None
    number = len(losses) + 1
    try:
        for done in watched(islice(rounds, count), count, what):
            if not done.loss <= DIVERGED:
                raise OverflowError
            losses[number] = done.loss
            if done.loss < LEARNED and escaped is None:
                escaped = number
            if number in kept or number == escaped:
                gradients[number] = done.gradient
            number = done.number + 1
        tests = recall_cases(draws.test, recall_at)
        chances = [tanh_rnn.forward(done.updated, case).probabilities for case in tests]
        if not all(map(math.isfinite, chances[0] + chances[1])):
            raise OverflowError
    except (OverflowError, ValueError):  # what fsum, too, raises where a sum overflows or has inf and -inf in it
        return Training(losses, gradients, escaped, number, None, (None, None))
    right = sum(case.times for case, chance in zip(tests, chances) if chance.index(max(chance)) == case.label)
    return Training(losses, gradients, escaped, None, right / len(draws.test), [chance[1] for chance in chances])


def descent(draws: Draws, hidden: int = HIDDEN, alpha: float = ALPHA, rate: float = RATE, recall_at: int = RECALL_AT,
            frozen: Sequence[str] = ()) -> Iterator[Round]:
    """Return rounds of gradient descent without end, as the lesson's unless told otherwise; what is frozen is zero."""
    net = weights(draws.weights, hidden, alpha)
    zeros: dict[str, Any] = {key: [[0.0] * len(row) for row in getattr(net, key)] for key in frozen}
    return tanh_rnn.gradient_descent(net._replace(**zeros), recall_cases(draws.train, recall_at), rate, frozen)


def adam(draws: Draws) -> Iterator[Round]:
    """Return rounds of another optimizer without end, the network unchanged."""
    return tanh_rnn.adam(weights(draws.weights), recall_cases(draws.train), **ADAM)
