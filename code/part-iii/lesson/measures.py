"""What lesson 6.1 measures: its log, the vector that is carried back and what makes it shrink, what trainings leave.

Numbers that will be recorded with few digits are still whole here (figure.py).
"""
from __future__ import annotations

import math
from typing import Any, Sequence

from lesson import tanh_rnn
from lesson.figure import figure
from lesson.pinned import HIDDEN, RECALL_AT, STEPS, Draws, Setting
from lesson.trainings import Training, sequence, weights

OWN = Setting()
LONG = (800, 4000, 8000, 12000, 16000)  # rounds of the long training whose loss is recorded
AROUND = (-100, 100)  # and these, beside the first round that has learned


def log(draws: Draws) -> dict[str, Any]:
    """Return the part of the lesson's log that needs no training, and what is seen on the way back."""
    shapes = {"Wx": [1, HIDDEN], "Wh": [HIDDEN, HIDDEN], "b": [1, HIDDEN], "Wo": [HIDDEN, 2], "bo": [1, 2]}
    rows = [{"name": name, "shape": shape, "count": shape[0] * shape[1]} for name, shape in shapes.items()]
    states = tanh_rnn.hidden_states(weights(draws.demonstration, OWN), sequence(draws.five))[1:]
    return {"parameters": rows, "parameter_count": sum(row["count"] for row in rows),
            "setting": {"hidden": HIDDEN, "alpha": figure(OWN.alpha, ".1f"), "steps": STEPS, "steps_back": STEPS - 1,
                        "recall_at": RECALL_AT, "zeros": RECALL_AT - 1, "sequences": len(draws.train),
                        "rounds": OWN.rounds, "rows_of_the_hidden_layer": 3, "rows_of_the_output": 2},
            "hidden_norms": [{"t": t, "input": bit, "norm": figure(math.hypot(*h), ".4f")}
                             for t, (bit, h) in enumerate(zip(draws.five, states), 1)],
            "gradient_norms": gradient_norms(carried(draws)), "diagnosis": diagnosis(draws),
            "listing": listing(draws)}


# ---------------------------------------------------------------- the way back


def carried(draws: Draws, setting: Setting = OWN, bits: Sequence[int] = (), tanh: bool = True) -> list[float]:
    """Return what is left of a unit vector that is carried back from step 12 to each step, the first step first.

    `bits` are the inputs, else those that were drawn for this width; without tanh its derivative is left out.
    """
    net, n = weights(draws.demonstration, setting), setting.hidden
    inputs = bits or draws.twelve.get(n, draws.twelve[HIDDEN])
    states = tanh_rnn.hidden_states(net, sequence(inputs))[1:] if tanh else [[0.0] * n] * STEPS
    return tanh_rnn.carried_back(net.Wh, states, [1.0 / math.sqrt(n)] * n)


def left(draws: Draws, setting: Setting, t: int = 1) -> Any:
    """Return what is left at one step, as recorded."""
    return figure(carried(draws, setting)[t - 1], ".2e")


def gradient_norms(norms: Sequence[float]) -> list[dict[str, Any]]:
    """Return what is left with its steps, in the lesson's digits and in three that count."""
    return [{"t": t, "norm": figure(size, ".6f"), "significant": figure(size, ".2e")}
            for t, size in enumerate(norms, 1)]


def listing(draws: Draws) -> list[dict[str, Any]]:
    """Return the norms that the lesson's listing prints: it draws its twelve bits where the log has drawn five before.

    So its twelve are the log's five and the first seven of the log's twelve.
    """
    bits = draws.five + draws.twelve[HIDDEN][: STEPS - len(draws.five)]
    return [{"t": t, "norm": figure(size, ".6f")} for t, size in enumerate(carried(draws, bits=bits), 1)]


def diagnosis(draws: Draws) -> dict[str, Any]:
    """Return what makes the gradient vanish: tanh's derivative along the twelve steps, and the size of Wh."""
    net, norms = weights(draws.demonstration, OWN), carried(draws)
    states = tanh_rnn.hidden_states(net, sequence(draws.twelve[HIDDEN]))[1:]
    slopes = [1.0 - number * number for h in states for number in h]
    factors = [before / after for before, after in zip(norms, norms[1:])]
    return {
        "tanh_derivative": {
            "min": figure(min(slopes), ".4f"), "max": figure(max(slopes), ".4f"), "count": len(slopes),
            "between_0.1_and_0.5": sum(0.1 <= slope <= 0.5 for slope in slopes)},
        "without_tanh": figure(carried(draws, tanh=False)[0], ".2e"),
        "largest_singular_value": figure(tanh_rnn.largest_singular_value(net.Wh), ".6f"),
        "mean_factor": figure(math.prod(factors) ** (1 / (STEPS - 1)), ".4f"),
        "largest_factor": figure(max(factors), ".4f"),
        "lesson_estimate": figure(0.3 ** (STEPS - 1), ".2e")}


# ---------------------------------------------------------------- the task


def delayed_recall(draws: Draws, training: Training) -> dict[str, Any]:
    """Return the lesson's own training, with what its loss is to be compared with.

    The entropy of the labels is the least loss of an answer that does not look at the input.
    """
    shares = [draws.train.count(label) / len(draws.train) for label in (0, 1)]
    return {
        **training.fields(), "test_accuracy": figure(training.accuracy, ".4f"),
        "train_labels": {str(label): draws.train.count(label) for label in (0, 1)},
        "test_labels": {str(label): draws.test.count(label) for label in (0, 1)},
        "label_entropy": figure(-math.fsum(p * math.log(p) for p in shares if p), ".6f"),
        "even_guess_loss": figure(math.log(2), ".6f"),
        "predicted_probability_of_1": {str(bit): figure(training.chance_of_1[bit], ".4f") for bit in (0, 1)},
    }


def more_rounds(training: Training) -> dict[str, Any]:
    """Return how the lesson's training goes on: losses, some of them where it learns, and how strong its signal is."""
    around = [training.escaped_at + k for k in AROUND] if training.escaped_at else []
    return {**training.fields([*LONG, *around]),
            "signals": [{"round": number, "Wx": figure(size, ".2e")} for number, size in training.signals.items()]}
