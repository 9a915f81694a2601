"""How one error at the end travels back along the same states: the scalar path of the bundle, in exact fractions.

    h_t = x_t + w·h_{t-1},    L = ½(h_T − y)²

The state is linear, so the gradient by h_{t-1} is w times the gradient by h_t. Chapter 11 ends with this question.
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from support.bundle import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def states(path: Path, w: Fraction) -> list[Fraction]:
    """Return h_1 … h_T for a weight w."""
    h, history = path.initial, []
    for x in path.inputs:
        h = x + w * h
        history.append(h)
    return history


def loss(path: Path, w: Fraction) -> Fraction:
    """Return ½(h_T − y)²."""
    return (states(path, w)[-1] - path.target) ** 2 / 2


def state_gradients(path: Path, w: Fraction) -> list[Fraction]:
    """Return ∂L/∂h_1 … ∂L/∂h_T: the error at the end, times w for each step back."""
    by = [states(path, w)[-1] - path.target]
    while len(by) < len(path.inputs):
        by.append(w * by[-1])
    return by[::-1]


def weight_contributions(path: Path, w: Fraction) -> list[Fraction]:
    """Return what each step adds to ∂L/∂w: ∂L/∂h_t · h_{t-1}."""
    before = [path.initial, *states(path, w)[:-1]]
    return [slope * h for slope, h in zip(state_gradients(path, w), before)]


def fields(path: Path) -> dict[str, Any]:
    """Return the path, one step of gradient descent, and the products over distances, as the record has them."""
    w = path.weight
    slope = sum(weight_contributions(path, w), Fraction(0))
    updated = w - path.learning_rate * slope

    def exact(numbers: Sequence[Fraction]) -> list[str]:
        return [str(number) for number in numbers]

    half, three_halves = path.factors
    return {
        "states": exact(states(path, w)), "loss": str(loss(path, w)),
        "state_gradients": exact(state_gradients(path, w)),
        "weight_contributions": exact(weight_contributions(path, w)), "weight_gradient": str(slope),
        "updated_weight": str(updated), "updated_states": exact(states(path, updated)),
        "updated_loss": str(loss(path, updated)),
        "products": [{"distance": d, "half": str(half**d), "three_halves": str(three_halves**d)}
                     for d in path.distances],
    }
