"""门控：旧值留多少，新值写多少。第 12 章的 LSTM 与 GRU，各是一个标量的一步。

    LSTM    c_t = f·c_(t-1) + i·g        h_t = o·tanh(c_t)
    GRU     g_t = tanh(x + u·(r·h_(t-1)))        h_t = z·h_(t-1) + (1 - z)·g_t

    f、i、o    遗忘门、输入门、输出门          z    更新门：越大，旧状态留得越多
    g          候选值                          r    重置门：只管候选值看到多少旧状态
    c、h       单元值、隐藏值                  x、u 候选值的输入与递归权重

门值都是给定的。乘法和加法都用分数，tanh 的每一位小数都经过证明。
"""
from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from support import digits
from support.bundle import Gru, Lstm


class Cell(NamedTuple):
    """LSTM 的一步：留下的旧值、写入的新值、单元值、向外提供的隐藏值。例 12.3。"""

    kept: Fraction
    written: Fraction
    cell: Fraction
    hidden: Decimal


def lstm(gates: Lstm) -> Cell:
    """例 12.3：留下一部分旧值，再加入选中的更新。"""
    kept, written = gates.forget * gates.previous_cell, gates.input * gates.candidate
    cell = kept + written
    return Cell(kept, written, cell, digits.tanh(cell, scale=gates.output))


class Mixed(NamedTuple):
    """GRU 的一步：候选分支看到的旧状态、候选值、直接留下的旧状态、新的隐藏值。例 12.4。"""

    reset_state: Fraction
    candidate: Decimal
    kept: Fraction
    hidden: Decimal


def gru(gates: Gru) -> Mixed:
    """例 12.4：重置门只改候选分支，更新门把旧状态与候选值混合。"""
    reset_state, kept = gates.reset * gates.previous_hidden, gates.update_retains_old * gates.previous_hidden
    inside = gates.candidate_input + gates.candidate_recurrent_weight * reset_state
    return Mixed(reset_state, digits.tanh(inside), kept,
                 digits.tanh(inside, scale=1 - gates.update_retains_old, shift=kept))
