"""注意力读取保存下来的状态：第 14 章的一次读取。

    e_j = q·h_j        w_j = exp(e_j) / (exp(e_1) + … + exp(e_n))        c = w_1·h_1 + … + w_n·h_n        r = c·读数

    q    查询        h_j    第 j 个源位置的状态        e    分数        w    权重        c    上下文向量

状态以 ln 2 为单位，所以分数也以 ln 2 为单位，而 exp(e·ln 2) = 2^e：分数之差都是整数时，权重和上下文是精确的分数；
否则只有证明过的小数。
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from support import digits
from support.bundle import SEQUENCE, Vector
from support.command import Refused, located

LARGEST_SCORE = 1000  # 2 的这么多次方还写得下


def dot(left: Vector, right: Vector) -> Fraction:
    """点积：对应坐标相乘，再相加；不缩放。"""
    return sum((a * b for a, b in zip(left, right)), Fraction(0))


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
        raise Refused(f"有一个分数超出 ±{LARGEST_SCORE}·ln 2，2 的这么多次方写不下", located(SEQUENCE),
                      "/attention/queries")
    shares = [(scores[j] - highest, Fraction(1)) for j in kept]  # 2 的指数与系数
    width = range(len(states[0]))
    mixed = [[(scores[j] - highest, states[j][k]) for j in kept] for k in width]
    valued = [(scores[j] - highest, dot(states[j], readout)) for j in kept]
    whole = all(exponent.denominator == 1 for exponent, _ in shares)
    integers = all(score.denominator == 1 for score in scores.values())

    def exact(terms: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
        return total(terms) / total(shares)

    def placed(values: Sequence[Any], nothing: Any) -> list[Any]:
        filled = dict(zip(kept, values))
        return [filled.get(j, nothing) for j in range(len(states))]

    each = [[share] for share in shares]
    return {
        "query": query,
        "scores": placed([scores[j] for j in kept], None),
        "exponentials": placed([Fraction(2) ** scores[j].numerator for j in kept], None)
        if integers else None,
        "exponential_sum": sum((Fraction(2) ** score.numerator for score in scores.values()), Fraction(0))
        if integers else None,
        "weights": placed(list(map(exact, each)), Fraction(0)) if whole else None,
        "weights_decimal": placed(digits.power_quotients(each, shares), digits.rounded(Fraction(0))),
        "context": list(map(exact, mixed)) if whole else None,
        "context_decimal": digits.power_quotients(mixed, shares, times_ln2=True),
        "readout": exact(valued) if whole else None,
        "readout_decimal": digits.power_quotients([valued], shares, times_ln2=True)[0],
    }


def total(terms: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """指数都是整数时，各项“系数 × 2 的指数次方”之和。"""
    return sum((coefficient * Fraction(2) ** exponent.numerator for exponent, coefficient in terms), Fraction(0))
