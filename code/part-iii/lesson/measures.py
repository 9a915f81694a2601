"""What lesson 6.1 measures besides training: states, the vector that is carried back, Wh, the unrolled network.

Numbers that will be recorded with few digits are still whole here (figure.py).
"""
from __future__ import annotations

import math
import operator
from typing import Any, Sequence

from lesson import tanh_rnn
from lesson.figure import figure
from lesson.pinned import HIDDEN, RECALL_AT, STEPS, Draws
from lesson.tanh_rnn import Case, Parameters, Row, norm
from lesson.trainings import ALPHA, ROUNDS, Training, recall_cases, sequence, weights

AROUND = (-1000, -100, -10, -4, -3, -2, -1, 0, 1, 10, 100)  # rounds beside the escape whose loss is recorded
CLOSE = 0.01  # a factor is close to the spectral radius when it is off by less than this share of it


def log(draws: Draws) -> dict[str, Any]:
    """Return the part of the lesson's log that needs no training."""
    shapes = {"Wx": [1, HIDDEN], "Wh": [HIDDEN, HIDDEN], "b": [1, HIDDEN], "Wo": [HIDDEN, 2], "bo": [1, 2]}
    rows = [{"name": name, "shape": shape, "count": shape[0] * shape[1]} for name, shape in shapes.items()]
    return {"parameters": rows, "parameter_count": sum(row["count"] for row in rows),
            "setting": {"hidden": HIDDEN, "alpha": figure(ALPHA, ".1f"), "steps": STEPS, "steps_back": STEPS - 1,
                        "recall_at": RECALL_AT, "zeros": RECALL_AT - 1, "sequences": len(draws.train),
                        "rounds": ROUNDS},
            "hidden_norms": hidden_norms(draws), "gradient_norms": gradient_norms(draws),
            "decay": decay(draws), "diagnosis": diagnosis(draws)}


# ---------------------------------------------------------------- states


def hidden_norms(draws: Draws, alpha: float = ALPHA) -> list[dict[str, Any]]:
    """Return the norm of the hidden state at each of five steps, and how many of its coordinates are new there."""
    bits = draws.five[HIDDEN]
    states = tanh_rnn.hidden_states(weights(draws.demonstration, HIDDEN, alpha), sequence(bits))
    return [{"t": t, "input": bit, "norm": figure(norm(h), ".4f"), "replaced": sum(map(operator.ne, previous, h))}
            for t, (bit, previous, h) in enumerate(zip(bits, states, states[1:]), 1)]


def order(draws: Draws) -> list[dict[str, Any]]:
    """Return what the same inputs leave in another order."""
    net = weights(draws.demonstration)
    return [{"inputs": bits, "last_norm": figure(norm(tanh_rnn.hidden_states(net, sequence(bits))[-1]), ".4f")}
            for bits in ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])]


def memory(draws: Draws) -> list[dict[str, Any]]:
    """Return what is left of a single 1 after eleven zeros, with Wh as drawn and several times as large."""
    net, rows = weights(draws.demonstration), []
    for times in (1, 2, 4):
        larger = net._replace(Wh=[[times * number for number in row] for row in net.Wh])
        states = tanh_rnn.hidden_states(larger, sequence([1] + [0] * (STEPS - 1)))
        rows.append({"wh_times": times, "spectral_radius": figure(tanh_rnn.spectral_radius(larger.Wh), ".4f"),
                     "first_norm": figure(norm(states[1]), ".4f"), "last_norm": figure(norm(states[-1]), ".2e")})
    return rows


# ---------------------------------------------------------------- the way back


def carried(draws: Draws, hidden: int = HIDDEN, alpha: float = ALPHA) -> list[float]:
    """Return what is left of a unit vector that is carried back from step 12 to each step, the first step first."""
    bits = draws.twelve.get(hidden, draws.twelve[HIDDEN])
    start = [1.0 / math.sqrt(hidden)] * hidden
    return tanh_rnn.carried_back(weights(draws.demonstration, hidden, alpha), sequence(bits), start)


def gradient_norms(draws: Draws, hidden: int = HIDDEN, alpha: float = ALPHA) -> list[dict[str, Any]]:
    """Return the same with its steps, in the lesson's digits and in three that count."""
    return [{"t": t, "norm": figure(size, ".6f"), "significant": figure(size, ".2e")}
            for t, size in enumerate(carried(draws, hidden, alpha), 1)]


def decay(draws: Draws) -> dict[str, Any]:
    """Return how even the decay is: the factors of the eleven steps back, and how straight their logarithms lie."""
    norms, radius = carried(draws), tanh_rnn.spectral_radius(weights(draws.demonstration).Wh)
    if 0.0 in norms:
        return dict.fromkeys(("geometric_mean", "smallest", "largest", "below_spectral_radius", "straightness"))
    factors = [before / after for before, after in zip(norms, norms[1:])]
    return {"geometric_mean": figure(norms[0] ** (1 / (STEPS - 1)), ".4f"), "smallest": figure(min(factors), ".4f"),
            "largest": figure(max(factors), ".4f"),
            "below_spectral_radius": sum(factor < radius for factor in factors),
            "straightness": figure(straightness([math.log(size) for size in norms]), ".4f")}


def straightness(heights: Sequence[float]) -> float:
    """Return r² of numbers at equal distances: 1 where they lie on a straight line.

    >>> straightness([1.0, 2.0, 3.0]), straightness([0.0, 1.0, 0.0]), straightness([2.0, 2.0])
    (1.0, 0.0, 1.0)
    """
    middle, mean = (len(heights) - 1) / 2, math.fsum(heights) / len(heights)
    over = math.fsum((x - middle) * (y - mean) for x, y in enumerate(heights))
    spread = math.fsum((y - mean) ** 2 for y in heights)
    return over**2 / (math.fsum((x - middle) ** 2 for x in range(len(heights))) * spread) if spread else 1.0


def diagnosis(draws: Draws) -> dict[str, Any]:
    """Return what makes the gradient vanish: tanh's derivative along the twelve steps, and the size of Wh."""
    net = weights(draws.demonstration)
    states = tanh_rnn.hidden_states(net, sequence(draws.twelve[HIDDEN]))[1:]
    slopes = [1.0 - number * number for h in states for number in h]
    estimate, first = 0.3 ** (STEPS - 1), carried(draws)[0]
    return {
        "tanh_derivative": {
            "min": figure(min(slopes), ".4f"), "mean": figure(math.fsum(slopes) / len(slopes), ".4f"),
            "max": figure(max(slopes), ".4f"), "count": len(slopes),
            "between_0.1_and_0.5": sum(0.1 <= slope <= 0.5 for slope in slopes)},
        "spectral_radius": figure(tanh_rnn.spectral_radius(net.Wh), ".6f"),
        "steps_until_spectral_radius": steps_until_radius(net.Wh),
        "largest_singular_value": figure(tanh_rnn.largest_singular_value(net.Wh), ".6f"),
        "lesson_estimate": figure(estimate, ".2e"),
        "estimate_over_measured": figure(estimate / first if first else None, ".2f"),
    }


def steps_until_radius(matrix: Sequence[Row], most: int = 200) -> int | None:
    """Return from which step back on each multiplies by the spectral radius but for CLOSE, if Wh alone multiplies.

    The spectral radius is the factor that such steps come to in the end, where one eigenvalue is larger than all
    others; null where they do not come to it.
    """
    radius, v, factors = tanh_rnn.spectral_radius(matrix), [1.0] * len(matrix), []
    for _ in range(most):
        size = norm(v)
        v = [math.fsum(number / size * w for number, w in zip(v, row)) for row in matrix]
        factors.append(norm(v))
        if factors[-1] == 0.0:
            return None
    far = [k for k, factor in enumerate(factors, 1) if abs(factor - radius) >= CLOSE * radius]
    return None if far[-1:] == [most] else max(far, default=0) + 1


# ---------------------------------------------------------------- the task


def entropy(share: float) -> float:
    """Return the entropy of two labels: the least loss of an answer that does not look at the input."""
    return -math.fsum(p * math.log(p) for p in (share, 1 - share) if p)


def delayed_recall(draws: Draws, training: Training) -> dict[str, Any]:
    """Return the lesson's own training, with what its loss is to be compared with."""
    return {
        **training.fields(),
        "train_labels": {str(label): draws.train.count(label) for label in (0, 1)},
        "test_labels": {str(label): draws.test.count(label) for label in (0, 1)},
        "label_entropy": figure(entropy(draws.train.count(1) / len(draws.train)), ".6f"),
        "even_guess_loss": figure(math.log(2), ".6f"),
        "predicted_probability_of_1": {str(bit): figure(training.chance_of_1[bit], ".4f") for bit in (0, 1)},
    }


def listing(draws: Draws) -> list[dict[str, Any]]:
    """Return the labels that the lesson's listing draws: as printed, and with the log's five bits before them.

    The listing draws twelve bits and then 300 labels; the log shows five more bits. None of the orders gives labels
    with the entropy at which the printed losses stand.
    """
    stream = draws.five[HIDDEN] + draws.twelve[HIDDEN] + draws.listed
    rows = []
    for drawn in ([12], [5, 12], [5]):
        labels = stream[sum(drawn) :][: len(draws.listed)]
        rows.append({"drawn_before": drawn, "ones": sum(labels),
                     "entropy": figure(entropy(sum(labels) / len(labels)), ".6f")})
    return rows


def longer(training: Training, shown: Sequence[int]) -> dict[str, Any]:
    """Return a training that leaves where the loss stands: how strong its gradients are, and how fast it goes."""
    out = training.escaped_at
    return {**training.fields(shown), "escaped_at": out, "gradients": gradients(training),
            "escape": training.fields([out + k for k in AROUND])["losses"] if out else []}


def gradients(training: Training) -> list[dict[str, Any]]:
    """Return the size of the gradient by each group of parameters, in the rounds of a training that were kept."""
    return [{"round": number, **{name: figure(size, ".2e") for name, size in gradient.norms().items()}}
            for number, gradient in sorted(training.gradients.items())]


# ---------------------------------------------------------------- the unrolled network


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


def feed_forward(draws: Draws) -> list[dict[str, Any]]:
    """Return the recurrent network beside a feed-forward one of as many layers, which sees its input at the first."""
    net, rows = weights(draws.demonstration), []
    for bits in ([1] + [0] * (RECALL_AT - 1), [1] * RECALL_AT):
        states = tanh_rnn.hidden_states(net, sequence(bits))
        layers = layer_by_layer([net] * len(bits), sequence(bits[:1] + [0] * (len(bits) - 1)))
        rows.append({"inputs": bits, "recurrent_norm": figure(norm(states[-1]), ".2e"),
                     "feed_forward_norm": figure(norm(layers[-1]), ".2e"), "same": _close(states, layers)})
    return rows


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
    for x, copy, previous, h in zip(case.inputs[::-1], copies[::-1], states[-2::-1], states[:0:-1]):
        after = [math.fsum(map(operator.mul, after, row)) * (1.0 - a * a) for row, a in zip(matrix, h)]
        gradients.append([[x[0] * d for d in after], *([a * d for d in after] for a in previous), after])
        matrix = copy.Wh
    return gradients[::-1]


def _close(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Say whether two lists of rows are equal but for the rounding of their sums."""
    return all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-18) for pair in zip(left, right) for a, b in zip(*pair))
