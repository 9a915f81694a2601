"""第 11 章的循环网络。这一章的整个算法就是这个文件，从上往下读；别的文件只是用它、查它，或者把它算得快些。

    h_t = ReLU(x_t·W_x + h_(t-1)·W_h + b_h)        新状态
    z_t = h_t·W_y + b_y                            logits，每个候选一个；最大的得胜

    t                  第几次读取，从 1 数起
    x_t                这次的输入：读到的 token 在嵌入表里的那一行
    h_t                读完第 t 个 token 之后的隐藏状态；h_0 由数据给定
    W_x、W_h、W_y      输入权重、递归权重、输出权重：net.input_weight、net.recurrent_weight、net.output_weight
    b_h、b_y           隐藏层偏置、输出偏置：net.hidden_bias、net.output_bias

向量是一行数，矩阵是若干行；每个数都是 Fraction（分数），所以没有一步要舍入。
net 是给定的数（support/bundle.py 的 Network）；权重由作者给定，这里没有一行会改动它们。
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from support.bundle import Encoder, Matrix, Network, Vector


class Step(NamedTuple):
    """一次读取：读到什么，从哪个旧状态算起，算出什么，选谁。表 11.2、表 11.3 的一行。"""

    t: int
    token: str
    token_id: int
    input: Vector
    previous_state: Vector
    preactivation: Vector  # ReLU 之前的状态
    state: Vector
    logits: Vector  # 先 red，后 blue
    choice: str


def dot(left: Vector, right: Vector) -> Fraction:
    """点积：对应坐标逐项相乘，再相加。"""
    return sum((a * b for a, b in zip(left, right)), Fraction(0))


def times(row: Vector, matrix: Matrix) -> list[Fraction]:
    """行向量乘矩阵：n 个数乘 n 行 m 列，得 m 个数，每一个都是这一行与矩阵一列的点积。

    >>> [str(number) for number in times([1, 2], [[1, 0, 3], [0, 1, 4]])]
    ['1', '2', '11']
    """
    return [dot(row, column) for column in zip(*matrix)]


def add(*rows: Vector) -> list[Fraction]:
    """几行同样长的数，逐个坐标相加。"""
    return [sum(numbers, Fraction(0)) for numbers in zip(*rows)]


def relu(row: Vector) -> list[Fraction]:
    """负数换成零，其余不变。"""
    return [max(number, Fraction(0)) for number in row]


def preactivation(net: Network | Encoder, x: Vector, previous_state: Vector) -> list[Fraction]:
    """第一条公式，ReLU 之前：x_t·W_x + h_(t-1)·W_h + b_h。第 13 章的编码器用的也是它。"""
    return add(times(x, net.input_weight), times(previous_state, net.recurrent_weight), net.hidden_bias)


def logits(net: Network, state: Vector) -> list[Fraction]:
    """第二条公式：h_t·W_y + b_y。"""
    return add(times(state, net.output_weight), net.output_bias)


def choose(candidates: Sequence[str], row: Vector) -> str:
    """选 logit 最大的候选；打平时选排在前面的。"""
    return candidates[row.index(max(row))]


def step(net: Network, t: int, token_id: int, previous_state: Vector) -> Step:
    """读一个 token：两条公式各算一次。"""
    x = net.embedding[token_id]
    uncut = preactivation(net, x, previous_state)
    state = relu(uncut)
    z = logits(net, state)
    return Step(t, net.vocabulary[token_id], token_id, x, previous_state, uncut, state, z, choose(net.candidates, z))


def read(net: Network, token_ids: Iterable[int], initial: Vector | None = None) -> list[Step]:
    """从头到尾读一串 token：每一步留下的状态，就是下一步的旧状态。

    不另说明时从 h_0 读起；initial 是上一串留下的状态，两串要接着读时才用（第 11.4 节）。
    """
    steps: list[Step] = []
    state = net.initial if initial is None else initial
    for t, token_id in enumerate(token_ids, start=1):
        steps.append(step(net, t, token_id, state))
        state = steps[-1].state
    return steps
