"""Chapter 12 a second time: every derivative as a difference that is exact, repeated products as loops, tanh by mpmath.

The loss is a square of what is linear in any one state, and in the weight of any one step: half the difference of its
values one up and one down is the derivative. The whole weight's derivative is carried along from the front.
"""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from mpmath import mp

from core import Gru, Lstm, ScalarPath, Vector
from tests.oracles.intervals import decimals, exact, interval, tanh

ZERO, ONE, HALF, STEP = Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 100)


def beside_a_boundary(dice: random.Random, given: Lstm) -> Lstm:
    """Return a cell whose output is a hair beside a boundary of the sixth decimal, where a forget gate lets it be."""
    if not given.forget:
        return given
    boundary = mp.mpf(2 * dice.randrange(499_999) + 1) / (2 * 10**6)
    wanted = exact(mp.atanh(boundary) + dice.choice((-1, 1)) * mp.mpf(10) ** -dice.randint(30, 60))
    return given._replace(output=ONE, previous_cell=(wanted - given.input * given.candidate) / given.forget)


def states(path: ScalarPath, weights: Vector) -> list[Fraction]:
    """Return h_0, h_1, …, with a weight for each step."""
    reached = [path.initial]
    for x, w in zip(path.inputs, weights):
        reached.append(x + w * reached[-1])
    return reached


def loss(path: ScalarPath, weights: Vector) -> Fraction:
    """Return half the square of what the last state misses."""
    return HALF * (states(path, weights)[-1] - path.target) ** 2


def state_slope(path: ScalarPath, t: int) -> Fraction:
    """Return the loss's derivative by h_t: what the steps behind t make of it, one up and one down."""
    state, rest = states(path, [path.weight] * len(path.inputs))[t], path.inputs[t:]
    up, down = (loss(path._replace(inputs=rest, initial=state + move), [path.weight] * len(rest)) for move in (1, -1))
    return (up - down) / 2


def weight_slope(path: ScalarPath, t: int) -> Fraction:
    """Return the loss's derivative by the weight of step t alone."""
    weights = [path.weight] * len(path.inputs)
    up, down = (loss(path, [*weights[: t - 1], path.weight + move, *weights[t:]]) for move in (1, -1))
    return (up - down) / 2


def slope(path: ScalarPath) -> Fraction:
    """Return the loss's derivative by the weight that all steps share: dh_t = h_(t-1) + w·dh_(t-1)."""
    state, moved = path.initial, ZERO
    for x in path.inputs:
        state, moved = x + path.weight * state, state + path.weight * moved
    return (state - path.target) * moved


def repeated(factor: Fraction, times: int, start: Fraction = ONE) -> Fraction:
    """Return start·factor·factor·…"""
    for _ in range(times):
        start *= factor
    return start


def cell(lstm: Lstm) -> dict[str, Any]:
    """Return one step of the cell."""
    kept, written = lstm.forget * lstm.previous_cell, lstm.input * lstm.candidate
    return {"kept": kept, "written": written, "cell": kept + written,
            "hidden": decimals(interval(lstm.output) * tanh(kept + written))}


def mixed(gru: Gru) -> dict[str, Any]:
    """Return one step of the gated unit."""
    seen, kept = gru.reset * gru.previous_hidden, gru.update_retains_old * gru.previous_hidden
    candidate = tanh(gru.candidate_input + gru.candidate_recurrent_weight * seen)
    return {"reset_state": seen, "candidate": decimals(candidate), "kept": kept,
            "hidden": decimals(interval(kept) + interval(1 - gru.update_retains_old) * candidate)}


def repeated_cell(lstm: Lstm) -> dict[str, Any]:
    """Return where the given candidate leads in the end, and the first of eight steps at which 9/10 leads beyond ±1.

    That end is what a step leaves as it is, c = f·c + i·g.
    """
    cells = [lstm.previous_cell]
    while len(cells) == 1 or len(cells) < 9 and -1 <= cells[-1] <= 1:
        cells.append(lstm.forget * cells[-1] + lstm.input * Fraction("0.9"))
    beyond = abs(cells[-1]) > 1
    limit = None if lstm.forget == 1 else lstm.input * lstm.candidate / (1 - lstm.forget)
    return {"limit": limit, "candidate": "9/10", "steps": len(cells) - 1 if beyond else None,
            "cell": cells[-1] if beyond else None}


def results(path: ScalarPath, distances: list[int], lstm: Lstm, gru: Gru) -> dict[str, Any]:
    """Return what `results.chapter_12` must be, but for the claims."""
    same, times = [path.weight] * len(path.inputs), range(1, len(path.inputs) + 1)
    reached = states(path, same)
    error, parts, gradient = reached[-1] - path.target, [weight_slope(path, t) for t in times], slope(path)
    new = path.weight - path.learning_rate * gradient
    up, down = (loss(path, [path.weight + move] * len(same)) for move in (STEP, -STEP))
    given = Lstm(Fraction("0.8"), Fraction("0.5"), Fraction("0.25"), Fraction("-0.4"), ONE)
    shut = cell(given._replace(output=ZERO))
    whole = gru._replace(update_retains_old=ONE, reset=ZERO)
    return {
        "parameters": {"inputs": path.inputs, "initial": path.initial, "weight": path.weight, "target": path.target,
                       "learning_rate": path.learning_rate, "factors": ["1/2", "3/2"], "lstm": lstm._asdict(),
                       "gru": gru._asdict()},
        "example_12_1": {
            "previous_states": reached[:-1], "states": reached[1:], "error": error,
            "perturbation": {"second": "1/100", "third": path.weight / 100},
            "loss_change": {"linear": state_slope(path, len(same)), "quadratic": "1/2"}, "loss": loss(path, same),
            "state_gradients": [state_slope(path, t) for t in times], "weight_contributions": parts,
            "weight_gradient": gradient, "updated_weight": new,
            "updated_states": states(path, [new] * len(same))[1:], "updated_loss": loss(path, [new] * len(same))},
        "central_difference": {"step": STEP, "slope": (up - down) * 50, "error": (up - down) * 50 - gradient},
        "table_12_2": [{"distance": d, "half": repeated(HALF, d), "three_halves": repeated(3 * HALF, d)}
                       for d in distances],
        "tanh": [{"input": q, "value": decimals(tanh(q)), "slope": decimals(1 - tanh(q) ** 2)}
                 for q in (ZERO, Fraction(2))],
        "example_12_3": cell(lstm),
        "repeated_cell": repeated_cell(lstm),
        "example_12_4": mixed(gru),
        "retention": [{"factor": factor, "edges": edges, "exact": repeated(factor, edges),
                       "decimal": decimals(repeated(factor, edges))}
                      for factor, edges in ((lstm.forget, 8), (Fraction("0.99"), 100))],
        "exercise_1": {"start": "2", "distance": 4, "half": repeated(HALF, 4, Fraction(2)),
                       "three_halves": repeated(3 * HALF, 4, Fraction(2))},
        "exercise_2": {"reported": parts[-1], "missing": sum(parts) - parts[-1], "weight_gradient": sum(parts),
                       "updated_weight": new},
        "exercise_4": {"given": given._asdict(), **cell(given), "hidden_when_closed": str(Fraction(shut["hidden"])),
                       "cell_when_closed": shut["cell"]},
        "exercise_5": {"given": {"update_retains_old": "1", "reset": "0"}, "candidate": mixed(whole)["candidate"],
                       "hidden": gru.previous_hidden},
    }
