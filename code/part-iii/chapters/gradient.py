"""末端的一个误差，怎样沿着同一串状态往回传：第 12 章的标量路径，全部用分数。

    h_t = x_t + w·h_(t-1)        L = 1/2·(h_T - y)^2

    x_t    第 t 次读取的输入，一个数          w    递归权重，一个数，每次读取都用它
    h_t    第 t 次读取之后的状态，一个数      y    目标

往回走一步乘一次 w；每一步对 dL/dw 的贡献是 dL/dh_t·h_(t-1)，同一个 w 用了几次，就把几份加起来。
"""
from __future__ import annotations

from fractions import Fraction

from support.bundle import ScalarPath


def states(path: ScalarPath, w: Fraction) -> list[Fraction]:
    """h_1 到 h_T。"""
    state, reached = path.initial, []
    for x in path.inputs:
        state = x + w * state
        reached.append(state)
    return reached


def loss(path: ScalarPath, w: Fraction) -> Fraction:
    """末状态与目标之差，平方再乘二分之一。"""
    return (states(path, w)[-1] - path.target) ** 2 / 2


def state_gradients(path: ScalarPath, w: Fraction) -> list[Fraction]:
    """dL/dh_1 到 dL/dh_T：末端是误差本身，往前每一步乘一次 w。"""
    gradients = [states(path, w)[-1] - path.target]
    while len(gradients) < len(path.inputs):
        gradients.append(w * gradients[-1])
    return gradients[::-1]


def weight_contributions(path: ScalarPath, w: Fraction) -> list[Fraction]:
    """每一步对 dL/dw 的贡献 dL/dh_t·h_(t-1)。表 12.1 的最后一列。"""
    previous_states = [path.initial, *states(path, w)[:-1]]
    return [gradient * state for gradient, state in zip(state_gradients(path, w), previous_states)]


def updated_weight(path: ScalarPath) -> Fraction:
    """沿梯度走一步：w - 学习率 × dL/dw。"""
    return path.weight - path.learning_rate * sum(weight_contributions(path, path.weight))
