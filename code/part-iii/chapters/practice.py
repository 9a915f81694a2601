"""两个 Notebook 用的：排一张表；看读者自己写的函数算得对不对，错了像是哪一种错。"""
from __future__ import annotations

import copy
import math
import reprlib
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import core
from core import Matrix, Vector
from support.show import row, table
from support.spelling import fraction

NEAR = Fraction(1, 10**6)  # 读者可以用浮点数


def written(cell: Any) -> str:
    """一格：一行数加方括号，分数写成最简分数，太长的舍入。"""
    if isinstance(cell, (list, tuple)):
        return row(map(written, cell))
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    return fraction(cell, 16) if isinstance(cell, Fraction) else "没有" if cell is None else str(cell)


class Table:
    """一张表：空格分开的表头，和各行的格。Notebook 会画出它。

    >>> Table("t 状态", [[1, [Fraction(1, 2), 0]]])
    t  状态
    -  --------
    1  [1/2, 0]
    """

    def __init__(self, heads: str, rows: Iterable[Iterable[Any]]) -> None:
        self.heads, self.rows = heads.split(), [list(map(written, cells)) for cells in rows]

    def __repr__(self) -> str:
        return "\n".join(table(self.heads, self.rows, indent=""))

    def _repr_html_(self) -> str:
        drawn = ElementTree.Element("table")
        for name, cells in [("th", self.heads), *(("td", cells) for cells in self.rows)]:
            line = ElementTree.SubElement(drawn, "tr")
            for cell in cells:
                ElementTree.SubElement(line, name, style="text-align:left").text = cell
        return ElementTree.tostring(drawn, encoding="unicode")


def remark(function: Callable[..., Any], given: Sequence[Any], right: Vector, slips: Mapping[str, Vector]) -> str:
    """一句话：还没写，对，像是 slips 里的哪一种错，哪个数不对，或者没有算完。函数做什么、返回什么，这里都不报错。"""
    try:
        answer = function(*copy.deepcopy(given))  # 函数改了它收到的列表，也改不到下面要比较的
    except Exception as error:
        return f"没有算完：{' '.join(traceback.format_exception_only(type(error), error)[-1].split())}"
    if answer is None:
        return "还没写，或者忘了 return：函数返回的是 None。"
    try:
        got = [Fraction(n + 0) for n in (answer if isinstance(answer, (list, tuple)) else [answer])]
    except Exception:  # 文字、字典、nan，或者别的东西
        got = []
    if len(got) != len(right):
        wanted = f"{len(right)} 个数的列表" if right[1:] else "1 个数"
        return f"不对：应返回 {wanted}，返回的是 {' '.join(reprlib.repr(answer).split())}。"
    for said, numbers in [("", right), *slips.items()]:
        if all(abs(a - b) < NEAR for a, b in zip(got, numbers)):
            return f"不对：{said}。" if said else f"对：core.py 算的也是 {written(right if right[1:] else right[0])}。"
    j = next(j for j, number in enumerate(right) if abs(got[j] - number) >= NEAR)
    each = answer[j] if isinstance(answer, (list, tuple)) else answer
    shown = each if isinstance(each, float) else written(got[j])
    return f"不对：{f'第 {j + 1} 个数' * (len(right) > 1)}应是 {written(right[j])}，返回的是 {shown}。"


def on_update(function: Callable[..., Any], x: Vector, h: Vector, W_x: Matrix, W_h: Matrix, b: Vector) -> str:
    """看状态的一次更新，ReLU(x·W_x + h·W_h + b)。第 11.2 节。"""

    def sums(h: Vector, W_x: Matrix = W_x, W_h: Matrix = W_h, b: Vector = b) -> list[Fraction]:
        return core.preactivation(core.Encoder([], [], h, W_x, W_h, b), x, h)

    right, zeros = core.relu(sums(h)), [Fraction(0)] * len(h)
    return remark(function, (x, h, W_x, W_h, b), right, {
        "少了 ReLU，负数要截成零": sums(h),
        "矩阵转置了，行向量乘的是矩阵的列": core.relu(sums(h, list(zip(*W_x)), list(zip(*W_h)))),
        "旧状态没有用上": core.relu(sums(zeros)), "偏置没有加": core.relu(sums(h, b=zeros)),
        "旧状态还没有用完，就被新数改写了": [right[0], *core.relu(sums([right[0], *h[1:]]))[1:]]})


def on_gradient(function: Callable[..., Any], inputs: Vector, h_0: Fraction, w: Fraction, y: Fraction) -> str:
    """看 ∂L/∂w，各次贡献之和。第 12.2 节。"""
    path = core.ScalarPath(inputs, h_0, w, y, Fraction(0))
    states, slopes, parts = core.path_states(path, w), core.state_gradients(path, w), core.weight_contributions(path, w)
    total = sum(parts, Fraction(0))
    return remark(function, (inputs, h_0, w, y), [total], {
        "只有最后一次的贡献，而每次读取都用到 w": [parts[-1]],
        "贡献要加起来，不取平均": [total / len(parts)],
        "误差没有往回传，每退一步要乘一次 w": [slopes[-1] * sum([h_0, *states[:-1]])],
        "贡献乘的是旧状态 h_(t-1)，不是新状态 h_t": [core.dot(slopes, states)],
        "误差反了，是 h_T - y": [-total]})


def on_read(function: Callable[..., Any], q: Vector, states: Matrix) -> str:
    """看注意力读取一次得到的上下文；分数以 a = ln 2 为单位。第 14.2 节。"""
    query, *kept = ([Fraction(n) for n in numbers] for numbers in (q, *states))
    scores = [float(core.dot(query, state)) for state in kept]

    def mixed(parts: Sequence[float], total: float) -> Vector:
        """各状态按权重相加，权重是各份除以 total。"""
        return core.times([Fraction(part) / Fraction(total or 1) for part in parts], kept)

    powers, natural = [2**score for score in scores], [math.exp(score - max(scores)) for score in scores]
    right = core.attend(query, kept, query).context or mixed(powers, sum(powers))  # 分数不全是整数时没有精确的
    return remark(function, (q, states), right, {
        "除的是位置的个数，应除以指数值之和": mixed(powers, len(kept)),
        "权重没有归一，要除以指数值之和": mixed(powers, 1), "分数没有取指数": mixed(scores, sum(scores)),
        "分数以 a = ln 2 为单位，exp(e·a) 是 2 的 e 次方": mixed(natural, sum(natural))})
