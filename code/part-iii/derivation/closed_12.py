"""Chapter 12 by polynomials: h_t(w) = h_0·w^t + Σ_s x_s·w^(t-s), differentiated term by term, no step by step."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

ZERO = Fraction(0)


def results(given: Any) -> dict[str, Any]:
    """Return what `results.chapter_12` of run.json must be, but for the claims."""
    x = [Fraction(number) for number in given["inputs"]]
    start, w, y, rate = (Fraction(given[name]) for name in ("initial", "weight", "target", "learning_rate"))
    return {
        "parameters": {"inputs": x, "initial": start, "weight": w, "target": y, "learning_rate": rate},
        "example_12_1": example_12_1(x, start, w, y, rate),
        "table_12_2": [{"distance": d, "half": Fraction(1, 2**d), "three_halves": Fraction(3**d, 2**d)}
                       for d in given["distances"]],
    }


def example_12_1(x: list[Fraction], start: Fraction, w: Fraction, y: Fraction, rate: Fraction) -> dict[str, Any]:
    """Return the example: dL/dh_t = error·w^(T-t), and dL/dw = error·Σ_s x_s·(T-s)·w^(T-s-1)."""
    entries, end = [start, *x], len(x)  # h_0 and x_s, each with the time at which it entered

    def value(w: Fraction, t: int, slope: bool = False) -> Fraction:
        """Return h_t(w), or its derivative by w: over the denominator of w^t, so that the sum is reduced once."""
        p, q = w.numerator, w.denominator
        terms = [(t - s, number) for s, number in enumerate(entries[: t + 1]) if number and not (slope and s == t)]
        parts = [number * (k if slope else 1) * p ** (k - slope) * q ** (t - k) for k, number in terms]
        return sum(parts, ZERO) / Fraction(q ** (t - slope))

    states = [value(w, t) for t in range(end + 1)]
    error = states[end] - y
    gradient = error * value(w, end, slope=True)
    new = w - rate * gradient
    updated = [value(new, t) for t in range(1, end + 1)]
    backwards = [error * w ** (end - t) for t in range(1, end + 1)]
    return {
        "previous_states": states[:-1], "states": states[1:], "error": error, "loss": error**2 / 2,
        "state_gradients": backwards, "weight_contributions": [a * b for a, b in zip(backwards, states)],
        "weight_gradient": gradient, "updated_weight": new, "updated_states": updated,
        "updated_loss": (updated[-1] - y) ** 2 / 2,
    }
