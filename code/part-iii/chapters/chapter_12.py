"""第 12 章要算的全部，按书中的顺序：误差往回传、连乘、tanh、门、习题 1 至 5。算法在 core.py。"""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import core
from chapters.bundle import FACTORS, Bundle
from core import Gru, Lstm, ScalarPath
from support import digits

# 书中用到而数据里没有的数，都在这里。
STEP = Fraction(1, 100)  # 中心差分与例 12.1 的微小变化
TANH_AT = (Fraction(0), Fraction(2))  # 12.3 节
EIGHT_EDGES, SLOW_FORGET, HUNDRED_EDGES = 8, Fraction(99, 100), 100  # 12.4.2 节：0.9^8 与 0.99^100
REPEATED_CANDIDATE = Fraction(9, 10)  # tanh 取得到的一个候选值，反复写入时单元值到了 1 之外
EXERCISE_1 = Fraction(2), 4  # 末端的变化率、跨越的边数
CUT_AFTER = 2  # 习题 3：例 12.1 在第几次读取之后截断
EXERCISE_4 = Lstm(Fraction(4, 5), Fraction(1, 2), Fraction(1, 4), Fraction(-2, 5), Fraction(1))
EXERCISE_5 = {"update_retains_old": Fraction(1), "reset": Fraction(0)}


def results(data: Bundle) -> dict[str, Any]:
    """第 12 章的全部结果。"""
    path = data.path
    return {
        "parameters": {**path._asdict(), "factors": FACTORS, "lstm": data.lstm._asdict(), "gru": data.gru._asdict()},
        "example_12_1": example_12_1(path),
        "polynomial": polynomial(path),
        "central_difference": central_difference(path),
        "table_12_2": [powers(distance, Fraction(1)) for distance in data.distances],
        "tanh": [{"input": q, "value": digits.tanh(q), "slope": digits.tanh_slope(q)} for q in TANH_AT],
        "example_12_3": core.lstm(data.lstm)._asdict(),
        "repeated_cell": repeated_cell(data.lstm),
        "example_12_4": {**core.gru(data.gru)._asdict(), "candidate_share": 1 - data.gru.update_retains_old},
        "reset_to_zero": core.gru(data.gru._replace(reset=Fraction(0)))._asdict(),
        "retention": [retention(data.lstm.forget, EIGHT_EDGES), retention(SLOW_FORGET, HUNDRED_EDGES)],
        "exercise_1": exercise_1(),
        "exercise_2": exercise_2(path),
        "exercise_3": exercise_3(path),
        "exercise_4": exercise_4(),
        "exercise_5": exercise_5(data.gru),
        "probe": probe(),
    }


def example_12_1(path: ScalarPath) -> dict[str, Any]:
    """例 12.1、表 12.1：状态、误差往回传、各步的贡献，以及沿梯度走一步之后重算的状态与损失。"""
    w, updated = path.weight, core.updated_weight(path)
    reached = core.path_states(path, w)
    contributions = core.weight_contributions(path, w)
    return {
        "previous_states": [path.initial, *reached[:-1]], "states": reached, "error": reached[-1] - path.target,
        "perturbation": {"second": STEP, "third": w * STEP},
        "loss_change": loss_change(path),
        "loss": core.path_loss(path, w), "state_gradients": core.state_gradients(path, w),
        "weight_contributions": contributions, "weight_gradient": sum(contributions), "updated_weight": updated,
        "updated_states": core.path_states(path, updated), "updated_loss": core.path_loss(path, updated),
    }


def loss_change(path: ScalarPath) -> dict[str, Fraction]:
    """末状态改变 δ，损失改变 linear·δ + quadratic·δ²：取 δ = 1 和 -1 算出两个系数。例 12.1。"""
    error = core.path_states(path, path.weight)[-1] - path.target
    up, down = (((error + move) ** 2 - error**2) / 2 for move in (1, -1))
    return {"linear": (up - down) / 2, "quadratic": (up + down) / 2}


def polynomial(path: ScalarPath) -> dict[str, Fraction] | None:
    """输入是 1、0、0，初始状态是 0 时，末状态是 w²，损失是 w 的多项式；别的数据没有这个式子（null）。12.2 节。"""
    if [*path.inputs, path.initial] != [1, 0, 0, 0]:
        return None
    end, target = path.weight**2, path.target
    return {"last_state": end, "loss": (end - target) ** 2 / 2, "derivative": 2 * path.weight * (end - target)}


def central_difference(path: ScalarPath) -> dict[str, Fraction]:
    """权重各加减一小步，损失之差除以两步：不用反向传播，近似得到同一个梯度；误差也是精确的。"""
    up, down = (core.path_loss(path, path.weight + move) for move in (STEP, -STEP))
    slope = (up - down) / (2 * STEP)
    return {"step": STEP, "above": up, "below": down, "slope": slope,
            "error": slope - sum(core.weight_contributions(path, path.weight))}


def powers(distance: int, start: Fraction) -> dict[str, Any]:
    """起始的变化率跨过几条边，就乘几次每条边的变化率。表 12.2。"""
    half, three_halves = FACTORS
    return {"distance": distance, "half": start * half**distance, "three_halves": start * three_halves**distance}


def repeated_cell(given: Lstm) -> dict[str, Any]:
    """用给定的门反复写入：候选值不变时单元值趋于哪里；候选值换成 0.9，第几步在 -1 与 1 之外。

    c = f·c + i·g 的不动点是 i·g/(1-f)；f = 1 时没有。写入八次都不越出时 steps 与 cell 是 null。
    """
    limit = None if given.forget == 1 else given.input * given.candidate / (1 - given.forget)
    asked, cell = {"limit": limit, "candidate": REPEATED_CANDIDATE}, given.previous_cell
    for step in range(1, EIGHT_EDGES + 1):
        cell = given.forget * cell + given.input * REPEATED_CANDIDATE
        if abs(cell) > 1:
            return {**asked, "steps": step, "cell": cell}
    return {**asked, "steps": None, "cell": None}


def retention(factor: Fraction, edges: int) -> dict[str, Any]:
    """门固定不变，跨过几条边之后旧单元值还剩多少。12.4.2 节。"""
    return {"factor": factor, "edges": edges, "exact": factor**edges, "decimal": digits.rounded(factor**edges)}


def exercise_1() -> dict[str, Any]:
    """末端的变化率 2，向前跨越四条边。"""
    start, distance = EXERCISE_1
    return {"start": start, **powers(distance, start)}


def exercise_2(path: ScalarPath) -> dict[str, Any]:
    """只看最后一次乘法，漏掉了前面各次的贡献。"""
    contributions = core.weight_contributions(path, path.weight)
    return {"reported": contributions[-1], "missing": sum(contributions[:-1], Fraction(0)),
            "weight_gradient": sum(contributions), "updated_weight": core.updated_weight(path)}


def exercise_3(path: ScalarPath) -> dict[str, Any] | None:
    """例 12.1 在第 2 次读取之后切成两段：状态传得过去，梯度只剩第二段的贡献；没有第二段就是 null。"""
    contributions = core.weight_contributions(path, path.weight)
    if len(contributions) <= CUT_AFTER:
        return None
    return {"cut_after": CUT_AFTER, "carried": core.path_states(path, path.weight)[CUT_AFTER - 1],
            "truncated_gradient": sum(contributions[CUT_AFTER:]), "weight_gradient": sum(contributions)}


def exercise_4() -> dict[str, Any]:
    """输出门改为零，隐藏值是零，单元值不变。"""
    cell, closed = core.lstm(EXERCISE_4), core.lstm(EXERCISE_4._replace(output=Fraction(0)))
    return {"given": {**EXERCISE_4._asdict(), "output_when_closed": Fraction(0)}, **cell._asdict(),
            "hidden_when_closed": Fraction(closed.hidden), "cell_when_closed": closed.cell}


def exercise_5(given: Gru) -> dict[str, Any]:
    """更新门 1、重置门 0：候选值乘零，例 12.4 的旧状态原样保留，所以隐藏值是精确的。

    complementary 是换成互补的约定，更新门为 1 时全取候选值。
    """
    mixed = core.gru(given._replace(**EXERCISE_5))
    other = core.gru(given._replace(**{**EXERCISE_5, "update_retains_old": Fraction(0)}))
    return {"given": EXERCISE_5, "candidate": mixed.candidate, "hidden": mixed.kept, "complementary": other.hidden}


def probe() -> dict[str, Any]:
    """一条路径与一步 GRU，专为核对而设，书里没有。

    书中的 h_0、后两个输入、候选分支的输入都是零，递归权重是一：漏掉它们，或把 r·(x + u·h) 当成 x + u·(r·h)，结果看不
    出来。这里都不是；derive.py 用手算的数与它对照。
    """
    inputs, end = list(map(Fraction, ["1", "-2", "3", "1/2"])), Fraction(1)
    path = ScalarPath(inputs, initial=Fraction(2), weight=Fraction(1, 2), target=end, learning_rate=Fraction(1, 10))
    mixed = core.gru(Gru(*map(Fraction, ("1/2", "3/4", "1/2", "1/4", "-2"))))
    return {"state_gradients": core.state_gradients(path, path.weight),
            "weight_contributions": core.weight_contributions(path, path.weight),
            "updated_weight": core.updated_weight(path), **mixed._asdict()}
