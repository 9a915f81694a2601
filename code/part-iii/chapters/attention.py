"""注意力读取保存下来的状态：第 14 章的一次读取。

    e_j = q·h_j        w_j = exp(e_j) / (exp(e_1) + … + exp(e_n))        c = w_1·h_1 + … + w_n·h_n        r = c·读数

    q    查询        h_j    第 j 个源位置的状态        e    分数        w    权重        c    上下文向量

分数是点积，不缩放。状态以 ln 2 为单位，所以分数也以 ln 2 为单位，而 exp(e·ln 2) = 2^e：分数之差都是整数时，
权重和上下文是精确的有理数；否则只有证明过的小数。
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from chapters.recurrence import dot
from support import digits
from support.bundle import SEQUENCE, Vector
from support.command import Refused, located
from support.show import row

LARGEST_SCORE = 1000  # 2 的这么多次方还写得下


def read(query: Vector, states: Sequence[Vector], readout: Vector, removed: int | None = None) -> dict[str, Any]:
    """一次读取。removed 是被移除的位置（0 起）：它不在分数里，也不在分母里，权重记为零。

    以最大的分数为基准，每个位置的份量是 2^(e_j - 最大)，权重是份量除以份量之和。
    """
    kept = [j for j in range(len(states)) if j != removed]
    if not kept:
        raise Refused("一个位置也没有：没有正的总量可以归一，读取没有定义", located(SEQUENCE), "/attention")
    scores = {j: dot(query, states[j]) for j in kept}
    highest = max(scores.values())
    if max(map(abs, scores.values())) > LARGEST_SCORE:
        raise Refused(f"查询 {row(map(digits.short, query))} 的一个分数超出 ±{LARGEST_SCORE}·ln 2，"
                      f"2 的这么多次方写不下", located(SEQUENCE), "/attention")
    depths = [scores[j] - highest for j in kept]
    columns = list(zip(*(states[j] for j in kept)))
    powers = weights = context = None
    if all(score.denominator == 1 for score in scores.values()):
        powers = [Fraction(2) ** score.numerator for score in scores.values()]
    if all(depth.denominator == 1 for depth in depths):
        parts = [Fraction(2) ** depth.numerator for depth in depths]
        total = sum(parts)
        weights = [part / total for part in parts]
        context = [dot(weights, column) for column in columns]

    def placed(values: Sequence[Any] | None, nothing: Any) -> list[Any] | None:
        filled = dict(zip(kept, values or ()))
        return None if values is None else [filled.get(j, nothing) for j in range(len(states))]

    def weighted(numbers: Iterable[Fraction]) -> list[tuple[Fraction, Fraction]]:
        return list(zip(depths, numbers))  # 2 的指数与系数

    shares = weighted([Fraction(1)] * len(kept))
    values = [dot(states[j], readout) for j in kept]
    return {
        "query": query,
        "scores": placed(list(scores.values()), None),
        "exponentials": placed(powers, None),
        "exponential_sum": None if powers is None else sum(powers),
        "weights": placed(weights, Fraction(0)),
        "weights_decimal": placed(digits.power_quotients([[share] for share in shares], shares),
                                  digits.rounded(Fraction(0))),
        "context": context,
        "context_decimal": digits.power_quotients(list(map(weighted, columns)), shares, times_ln2=True),
        "readout": None if context is None else dot(context, readout),
        "readout_decimal": digits.power_quotients([weighted(values)], shares, times_ln2=True)[0],
    }
