"""第 12 章要算的全部，按书中的顺序；往回传的规则在 gradient.py。"""
from __future__ import annotations

from typing import Any

from chapters import gradient
from support.bundle import Bundle, ScalarPath


def results(data: Bundle) -> dict[str, Any]:
    """第 12 章的全部结果。"""
    path = data.path
    return {
        "parameters": {"inputs": path.inputs, "initial": path.initial, "weight": path.weight, "target": path.target,
                       "learning_rate": path.learning_rate},
        "example_12_1": example_12_1(path),
        "table_12_2": table_12_2(path),
    }


def example_12_1(path: ScalarPath) -> dict[str, Any]:
    """例 12.1：状态、误差往回传、各步的贡献，以及沿梯度走一步之后重算的状态与损失。"""
    w, updated = path.weight, gradient.updated_weight(path)
    reached = gradient.states(path, w)
    contributions = gradient.weight_contributions(path, w)
    return {
        "previous_states": [path.initial, *reached[:-1]], "states": reached, "error": reached[-1] - path.target,
        "loss": gradient.loss(path, w), "state_gradients": gradient.state_gradients(path, w),
        "weight_contributions": contributions, "weight_gradient": sum(contributions), "updated_weight": updated,
        "updated_states": gradient.states(path, updated), "updated_loss": gradient.loss(path, updated),
    }


def table_12_2(path: ScalarPath) -> list[dict[str, Any]]:
    """跨过 d 条边，信号乘上因子的 d 次方。"""
    half, three_halves = path.factors
    return [{"distance": d, "half": half**d, "three_halves": three_halves**d} for d in path.distances]
