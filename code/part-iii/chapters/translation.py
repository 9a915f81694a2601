"""读完再写：第 13 章的编码器，以及同一张条件概率表上的两条时间线。

    h_j = ReLU(x_j·W_x + h_(j-1)·W_h + b)        编码器，j 数源序列的位置

    教师强制    每一步的输入是正确目标的前一个词，第一步是 BOS
    自己生成    每一步的输入是自己上一步选中的词，选到 EOS 或到了次数上限就停

嵌入和状态都以 ln 2 为单位，所以仍是分数：1 就是 ln 2。
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from chapters.recurrence import choose, preactivation, relu
from support.bundle import END, START, Encoder, Vector


class Reading(NamedTuple):
    """编码器读一个词。表 13.2 的一格。"""

    t: int
    token: str
    token_id: int
    input: Vector
    previous_state: Vector
    preactivation: Vector
    state: Vector


def encode(encoder: Encoder, token_ids: Sequence[int]) -> list[Reading]:
    """从头读到尾，每一步的状态都留着：最后一个是上下文向量，第 14 章则全都要用。"""
    readings: list[Reading] = []
    state = encoder.initial
    for t, token_id in enumerate(token_ids, start=1):
        x = encoder.embedding[token_id]
        uncut = preactivation(encoder, x, state)
        readings.append(Reading(t, encoder.vocabulary[token_id], token_id, x, state, uncut, relu(uncut)))
        state = readings[-1].state
    return readings


def states(encoder: Encoder, token_ids: Sequence[int]) -> list[Vector]:
    """每次读取之后的状态。"""
    return [reading.state for reading in encode(encoder, token_ids)]


def without_relu(encoder: Encoder, token_ids: Sequence[int]) -> Vector:
    """同样的权重，不截断负数，读完时的状态。"""
    state = encoder.initial
    for token_id in token_ids:
        state = preactivation(encoder, encoder.embedding[token_id], state)
    return state


Rows = Mapping[str, Vector]  # 上一个词 → 每个候选的概率


class Target(NamedTuple):
    """教师强制的一步。表 13.3 与例 13.2。"""

    t: int
    prefix: list[str]
    input: str
    target: str
    probability: Fraction
    greedy: str  # 这一步概率最大的词，不会成为下一步的输入


def teacher_forced(rows: Rows, candidates: Sequence[str], target: Sequence[str]) -> list[Target]:
    """目标右移一位：BOS 作第一步的输入，EOS 是最后一步的目标。"""
    inputs = [START, *target[:-1]]
    return [Target(t, list(target[: t - 1]), word, wanted, rows[word][candidates.index(wanted)],
                   choose(candidates, rows[word]))
            for t, (word, wanted) in enumerate(zip(inputs, target), start=1)]


class Choice(NamedTuple):
    """自己生成的一步。表 13.5。"""

    t: int
    input: str
    probability: Fraction
    output: str


def generate(rows: Rows, candidates: Sequence[str], limit: int) -> tuple[list[Choice], str]:
    """从 BOS 起，把选中的词送进下一步；返回各步，以及停在 end（选到 EOS）还是 limit（到了上限）。"""
    word, choices = START, list[Choice]()
    for t in range(1, limit + 1):
        output = choose(candidates, rows[word])
        choices.append(Choice(t, word, max(rows[word]), output))
        if output == END:
            return choices, "end"
        word = output
    return choices, "limit"
