"""Chapter 12 by polynomials and series, apart from the program that goes step by step.

The scalar path is h_t(w) = h_0·w^t + Σ_s x_s·w^(t-s), differentiated term by term. tanh is a
quotient of rational series (enclosures.py); a repeated gate is the closed form of a geometric sum.
"""
from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from derivation.enclosures import Bounds, decimal, exp_bounds, settled
from derivation.powers_11 import ZERO, row

ONE = Fraction(1)
HALF, MORE = Fraction(1, 2), Fraction(3, 2)
STEP = Fraction(1, 100)
GATES = {"lstm": ("previous_cell", "forget", "input", "candidate", "output"),
         "gru": ("previous_hidden", "update_retains_old", "reset", "candidate_input", "candidate_recurrent_weight")}


def numbers_of(given: Any) -> dict[str, Fraction]:
    """Return the numbers of the scalar path beside its inputs."""
    return {name: Fraction(given[name]) for name in ("initial", "weight", "target", "learning_rate")}


def by_name(names: Sequence[str], texts: str) -> dict[str, Fraction]:
    """Return numbers, which are written with spaces between them, by their names."""
    return dict(zip(names, row(texts.split())))


def training(given: Any) -> dict[str, Any]:
    """Return the numbers of the scalar path with example 12.1, for table 11.5."""
    numbers = numbers_of(given)
    return {**numbers, **example_12_1(tuple(row(given["inputs"])), *numbers.values())}


def results(given: Any, gates: Any) -> dict[str, Any]:
    """Return what `results.chapter_12` of run.json must be, but for the claims."""
    x, numbers = row(given["inputs"]), numbers_of(given)
    lstm, gru = ({name: Fraction(gates[kind][name]) for name in names} for kind, names in GATES.items())
    path = example_12_1(tuple(x), *numbers.values())
    reported = path["weight_contributions"][-1]
    return {
        "parameters": {"inputs": x, **numbers, "factors": [HALF, MORE], "lstm": lstm, "gru": gru},
        "example_12_1": path,
        "polynomial": polynomial(x, numbers),
        "central_difference": central_difference(x, *numbers.values()),
        "table_12_2": [{"distance": d, "half": HALF**d, "three_halves": MORE**d} for d in given["distances"]],
        "tanh": [{"input": q, "value": tanh(q), "slope": slope(q)} for q in (ZERO, 2 * ONE)],
        "example_12_3": cell(lstm),
        "repeated_cell": repeated_cell(lstm),
        "example_12_4": {**mixed(gru), "candidate_share": 1 - gru["update_retains_old"]},
        "reset_to_zero": mixed({**gru, "reset": ZERO}),
        "retention": [{"factor": factor, "edges": edges, "exact": factor**edges, "decimal": decimal(factor**edges)}
                      for factor, edges in ((lstm["forget"], 8), (Fraction("0.99"), 100))],
        "exercise_1": {"start": 2 * ONE, "distance": 4, "half": ONE / 8, "three_halves": 81 * ONE / 8},
        "exercise_2": {"reported": reported, "missing": path["weight_gradient"] - reported,
                       "weight_gradient": path["weight_gradient"], "updated_weight": path["updated_weight"]},
        "exercise_3": None if len(x) < 3 else {
            "cut_after": 2, "carried": path["states"][1],
            "truncated_gradient": path["weight_gradient"] - sum(path["weight_contributions"][:2]),
            "weight_gradient": path["weight_gradient"]},
        # 0.5·0.8 = 0.4 and 0.25·(-0.4) = -0.1 make 0.3, which is let out whole, or not at all.
        "exercise_4": {"given": by_name((*GATES["lstm"], "output_when_closed"), "4/5 1/2 1/4 -2/5 1 0"),
                       **by_name(("kept", "written", "cell"), "2/5 -1/10 3/10"), "hidden": tanh(Fraction(3, 10)),
                       **by_name(("hidden_when_closed", "cell_when_closed"), "0 3/10")},
        "exercise_5": {"given": by_name(GATES["gru"][1:3], "1 0"), "candidate": tanh(gru["candidate_input"]),
                       "hidden": gru["previous_hidden"], "complementary": tanh(gru["candidate_input"])},
        "probe": probe(),
    }


def probe() -> dict[str, Any]:
    """Return the probe, worked out by hand.

    h = 2, 1 + 1 = 2, -2 + 1 = -1, 3 - 1/2 = 5/2, 1/2 + 5/4 = 7/4; the error is 3/4, and half of it goes back each step.
    3/32·2 + 3/16·2 - 3/8·1 + 3/4·5/2 = 3/16 + 3/8 - 3/8 + 15/8 = 33/16, and w = 1/2 - 33/160 = 47/160.
    The gate resets 1/2 to 1/4, which makes 1/4 - 2·1/4 = -1/4 inside; 3/4 of 1/2 is kept, a quarter is the candidate.
    """
    return {"state_gradients": row(["3/32", "3/16", "3/8", "3/4"]),
            "weight_contributions": row(["3/16", "3/8", "-3/8", "15/8"]),
            "updated_weight": Fraction(47, 160), "reset_state": ONE / 4, "candidate": tanh(-ONE / 4),
            "kept": Fraction(3, 8), "hidden": tanh(-ONE / 4, ONE / 4, Fraction(3, 8))}


# ---------------------------------------------------------------- the error travels back


def state(entries: list[Fraction], w: Fraction, t: int, slope: bool = False) -> Fraction:
    """Return h_t(w), or its derivative by w, from h_0 and x_s, each of which entered at its place in `entries`.

    All is brought over the denominator of w^t, so that the sum is reduced once.
    """
    p, q = w.numerator, w.denominator
    terms = [(t - s, number) for s, number in enumerate(entries[: t + 1]) if number and not (slope and s == t)]
    parts = [number * (k if slope else 1) * p ** (k - slope) * q ** (t - k) for k, number in terms]
    return sum(parts, ZERO) / Fraction(q ** (t - slope))


@cache
def example_12_1(x: tuple[Fraction, ...], start: Fraction, w: Fraction, y: Fraction, rate: Fraction) -> dict[str, Any]:
    """Return the example: dL/dh_t = error·w^(T-t), and dL/dw = error·Σ_s x_s·(T-s)·w^(T-s-1)."""
    entries, end = [start, *x], len(x)
    states = [state(entries, w, t) for t in range(end + 1)]
    error = states[end] - y
    gradient = error * state(entries, w, end, slope=True)
    new = w - rate * gradient
    updated = [state(entries, new, t) for t in range(1, end + 1)]
    backwards = [error * w ** (end - t) for t in range(1, end + 1)]
    return {
        "previous_states": states[:-1], "states": states[1:], "error": error,
        "perturbation": {"second": STEP, "third": w / 100},
        "loss_change": {"linear": error, "quadratic": HALF},  # (error + δ)²/2 - error²/2
        "loss": error**2 / 2, "state_gradients": backwards,
        "weight_contributions": [a * b for a, b in zip(backwards, states)],
        "weight_gradient": gradient, "updated_weight": new, "updated_states": updated,
        "updated_loss": (updated[-1] - y) ** 2 / 2,
    }


def polynomial(x: list[Fraction], numbers: dict[str, Fraction]) -> dict[str, Any] | None:
    """Return L(w) = w⁴/2 - y·w² + y²/2 with 2w³ - 2y·w, where the last state is w²: inputs 1, 0, 0 and start 0."""
    w, y = numbers["weight"], numbers["target"]
    if [*x, numbers["initial"]] != [1, 0, 0, 0]:
        return None
    return {"last_state": w**2, "loss": w**4 / 2 - y * w**2 + y**2 / 2, "derivative": 2 * w**3 - 2 * y * w}


def central_difference(x: list[Fraction], start: Fraction, w: Fraction, y: Fraction, rate: Fraction) -> dict[str, Any]:
    """Return (L(w+e) - L(w-e)) / 2e by the closed form of the last state at either weight, and what is too much."""
    up, down = ((state([start, *x], w + move, len(x)) - y) ** 2 / 2 for move in (STEP, -STEP))
    slope = (up - down) / (2 * STEP)
    return {"step": STEP, "above": up, "below": down, "slope": slope,
            "error": slope - example_12_1(tuple(x), start, w, y, rate)["weight_gradient"]}


# ---------------------------------------------------------------- tanh and gates


def tanh(q: Fraction, scale: Fraction = ONE, shift: Fraction = ZERO) -> Decimal:
    """Return shift + scale·tanh q with six decimals, tanh |q| = 2/(1 + e^(-2|q|)) - 1; the bounds of e^0 are both 1."""

    def bounds(bits: int) -> list[Bounds]:
        low, high = exp_bounds(-2 * abs(q), bits)
        factor = scale if q > 0 else -scale
        return [(shift + factor * (2 / (1 + low) - 1), shift + factor * (2 / (1 + high) - 1))]

    return settled(bounds)[0]


def slope(q: Fraction) -> Decimal:
    """Return the derivative of tanh, 1 - (2/(1 + e) - 1)² with e = e^(-2|q|)."""

    def bounds(bits: int) -> list[Bounds]:
        one, two = (1 - (2 / (1 + e) - 1) ** 2 for e in exp_bounds(-2 * abs(q), bits))
        return [(one, two)]

    return settled(bounds)[0]


def cell(lstm: dict[str, Fraction]) -> dict[str, Any]:
    """Return one step of the cell."""
    kept, written = lstm["previous_cell"] * lstm["forget"], lstm["candidate"] * lstm["input"]
    return {"kept": kept, "written": written, "cell": kept + written, "hidden": tanh(kept + written, lstm["output"])}


def repeated_cell(lstm: dict[str, Fraction]) -> dict[str, Any]:
    """Return the cell after n steps, f^n·c_0 + i·g·(1 + f + … + f^(n-1)), and the first n from 1 to 8 at which it
    is beyond 1 or -1.
    """
    f, start, write = lstm["forget"], lstm["previous_cell"], lstm["input"] * Fraction("0.9")

    def after(n: int) -> Fraction:
        return f**n * start + write * (Fraction(n) if f == 1 else (1 - f**n) / (1 - f))

    n = next((n for n in range(1, 9) if abs(after(n)) > 1), None)
    limit = None if f == 1 else lstm["input"] * lstm["candidate"] / (1 - f)
    return {"limit": limit, "candidate": Fraction("0.9"), "steps": n, "cell": None if n is None else after(n)}


def mixed(gru: dict[str, Fraction]) -> dict[str, Any]:
    """Return one step of the gated unit: what passes the update gate, and the rest of the candidate."""
    reset_state = gru["previous_hidden"] * gru["reset"]
    inside = gru["candidate_recurrent_weight"] * reset_state + gru["candidate_input"]
    kept = gru["previous_hidden"] * gru["update_retains_old"]
    return {"reset_state": reset_state, "candidate": tanh(inside), "kept": kept,
            "hidden": tanh(inside, 1 - gru["update_retains_old"], kept)}
