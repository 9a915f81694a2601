"""What lesson 6.1 measures besides trainings: states, the vector that is carried back, Wh, the unrolled network.

Each function returns fields of the record, with numbers that are still whole (figure.py).
"""
from __future__ import annotations

import math
import operator
from typing import Any, Sequence

from lesson import tanh_rnn
from lesson.figure import figure
from lesson.pinned import HIDDEN, STEPS, Draws
from lesson.tanh_rnn import Case, Parameters, Row, norm
from lesson.trainings import ALPHA, Training, recall_cases, sequence, weights


def parameters() -> list[dict[str, Any]]:
    """Return the rows of the lesson's parameter table."""
    shapes = {"Wx": [1, HIDDEN], "Wh": [HIDDEN, HIDDEN], "b": [1, HIDDEN], "Wo": [HIDDEN, 2], "bo": [1, 2]}
    return [{"name": name, "shape": shape, "count": shape[0] * shape[1]} for name, shape in shapes.items()]


def hidden_norms(draws: Draws, alpha: float = ALPHA) -> list[dict[str, Any]]:
    """Return the norm of the hidden state at each of five steps."""
    bits = draws.five[HIDDEN]
    states = tanh_rnn.hidden_states(weights(draws.demonstration, HIDDEN, alpha), sequence(bits))
    return [{"t": t, "input": bit, "norm": figure(norm(h), ".4f")}
            for t, (bit, h) in enumerate(zip(bits, states[1:]), 1)]


def gradient_norms(draws: Draws, hidden: int = HIDDEN, alpha: float = ALPHA) -> list[dict[str, Any]]:
    """Return what is left of a unit vector that is carried back from step 12 to each step."""
    net = weights(draws.demonstration, hidden, alpha)
    bits = draws.twelve.get(hidden, draws.twelve[HIDDEN])
    norms = tanh_rnn.carried_back(net, sequence(bits), [1.0 / math.sqrt(hidden)] * hidden)
    return [{"t": t, "norm": figure(size, ".6f"), "significant": figure(size, ".2e")}
            for t, size in enumerate(norms, 1)]


def log(draws: Draws) -> dict[str, Any]:
    """Return the part of the lesson's log that needs no training."""
    rows = parameters()
    return {"parameters": rows, "parameter_count": sum(row["count"] for row in rows),
            "hidden_norms": hidden_norms(draws), "gradient_norms": gradient_norms(draws)}


def delayed_recall(draws: Draws, made: Training) -> dict[str, Any]:
    """Return the lesson's own training, with what its loss is to be compared with."""
    shares = [draws.train.count(label) / len(draws.train) for label in (0, 1)]
    steepness = norm(made.gradients[1].Wx[0]) if 1 in made.gradients else None
    return {
        **made.fields(),
        "train_labels": {str(label): draws.train.count(label) for label in (0, 1)},
        "test_labels": {str(label): draws.test.count(label) for label in (0, 1)},
        "label_entropy": figure(-math.fsum(share * math.log(share) for share in shares if share), ".6f"),
        "even_guess_loss": figure(math.log(2), ".6f"),
        "predicted_probability_of_1": {str(bit): figure(made.chance_of_1[bit], ".4f") for bit in (0, 1)},
        "input_weight_gradient_norm": figure(steepness, ".2e"),
    }


def unrolled(draws: Draws) -> dict[str, Any]:
    """Return the unrolled network, which has its own copy of Wx, Wh and b at every step, beside the shared one."""
    net = weights(draws.weights)
    case = recall_cases(draws.train)[1]
    copies = [net] * len(case.inputs)
    states = layer_by_layer(copies, case.inputs)
    trace = tanh_rnn.forward(net, case)
    by_copy = gradients_by_copy(copies, states, case, trace.probabilities)
    summed = [[math.fsum(numbers) for numbers in zip(*rows)] for rows in zip(*by_copy)]
    shared = tanh_rnn.loss_and_gradient(net, [case])[1]
    hidden = HIDDEN + HIDDEN * HIDDEN + HIDDEN
    return {"steps": len(copies), "parameter_count": len(copies) * hidden + 2 * HIDDEN + 2,
            "same_output": _close(states, trace.states),
            "gradient_is_sum_of_copies": _close(summed, [*shared.Wx, *shared.Wh, shared.b])}


def layer_by_layer(copies: Sequence[Parameters], inputs: Sequence[Row]) -> list[list[float]]:
    """Return h_0 … h_T of a network with weights of its own at every step."""
    states = [[0.0] * len(copies[0].b)]
    for x, copy in zip(inputs, copies):
        states.append([math.tanh(math.fsum([bias, x[0] * into, *map(operator.mul, states[-1], column)]))
                       for bias, into, column in zip(copy.b, copy.Wx[0], zip(*copy.Wh))])
    return states


def gradients_by_copy(copies: Sequence[Parameters], states: Sequence[Row], case: Case,
                      probabilities: Row) -> list[list[list[float]]]:
    """Return for each copy the gradient of the loss by the rows of its own Wx, Wh and b, the first copy first."""
    after = [p - (j == case.label) for j, p in enumerate(probabilities)]
    matrix, gradients = copies[-1].Wo, []
    for x, copy, before, h in zip(case.inputs[::-1], copies[::-1], states[-2::-1], states[:0:-1]):
        after = [math.fsum(map(operator.mul, after, row)) * (1.0 - a * a) for row, a in zip(matrix, h)]
        gradients.append([[x[0] * d for d in after], *([a * d for d in after] for a in before), after])
        matrix = copy.Wh
    return gradients[::-1]


def _close(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Say whether two lists of rows are equal but for the rounding of their sums."""
    return all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-18) for pair in zip(left, right) for a, b in zip(*pair))


def diagnosis(draws: Draws) -> dict[str, Any]:
    """Return what makes the gradient vanish: tanh's derivative along the twelve steps, and the size of Wh."""
    net = weights(draws.demonstration)
    states = tanh_rnn.hidden_states(net, sequence(draws.twelve[HIDDEN]))[1:]
    slopes = [1.0 - number * number for h in states for number in h]
    inside = sum(0.1 <= slope <= 0.5 for slope in slopes)
    return {
        "tanh_derivative": {
            "min": figure(min(slopes), ".4f"), "mean": figure(math.fsum(slopes) / len(slopes), ".4f"),
            "max": figure(max(slopes), ".4f"), "share_between_0.1_and_0.5": figure(inside / len(slopes), ".4f")},
        "spectral_radius": figure(tanh_rnn.spectral_radius(net.Wh), ".6f"),
        "largest_singular_value": figure(tanh_rnn.largest_singular_value(net.Wh), ".6f"),
        "lesson_estimate": figure(0.3 ** (STEPS - 1), ".2e"),
    }
