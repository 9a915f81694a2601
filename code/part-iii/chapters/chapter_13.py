"""第 13 章要算的全部，按书中的顺序：两条编码路径、两条时间线、损失、习题 1、3、4、5。算法在 core.py。"""
from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import core
from chapters.bundle import Bundle, Translation
from core import START, Encoder, Vector
from support import digits

# 书中用到而数据里没有的数，都在这里。
TWO_PREDICTIONS = 2  # 不够走到 EOS 的上限，看程序怎样报告
EXERCISE_1 = ["blue", "door", ".", "EOS"]
EXERCISE_3: Vector = [Fraction(0), Fraction(0), Fraction(4, 5), Fraction(1, 10), Fraction(1, 10), Fraction(0)]
LOSS_PLACES = 16  # 例 13.2 把损失印到十六位小数
OTHER_RATE = Fraction(2)  # 另一个编码器的递归矩阵左上角的数，13.5 节


def results(data: Bundle) -> dict[str, Any]:
    """第 13 章的全部结果；编码器的数以 ln 2 为单位。"""
    given = data.translation
    rows, candidates = given.rows, given.candidates
    source, contrast = (core.encode(given.encoder, ids) for ids in (given.source, given.contrast))
    forced = core.teacher_forced(rows, candidates, given.target)
    generated, stopped = core.generate(rows, candidates, given.limit)
    return {
        "unit": "ln 2",
        "unit_decimal": digits.logarithm(Fraction(2)),
        "parameters": parameters(given),
        "table_13_2": {"source": [each._asdict() for each in source],
                       "contrast": [each._asdict() for each in contrast]},
        "meeting": meeting(source, contrast),
        "without_relu": {"source": without_relu(given.encoder, given.source),
                         "contrast": without_relu(given.encoder, given.contrast)},
        "other_encoder": other_encoder(given),
        "table_13_3": [{**each._asdict(), "loss": mean_loss([each.probability], digits.FINE)} for each in forced],
        "example_13_2": {"probability": prod((each.probability for each in forced), start=Fraction(1)),
                         **losses(forced)},
        "table_13_5": {"rows": [each._asdict() for each in generated], "stopped": stopped},
        "limit_of_two": limited(rows, candidates, TWO_PREDICTIONS),
        "first_wrong_prediction": next((each.t for each in forced if each.greedy != each.target), None),
        "first_different_input": next((one.t for one, two in zip(forced, generated) if one.input != two.input), None),
        "exercise_1": [{"input": word, "target": wanted} for word, wanted in zip([START, *EXERCISE_1], EXERCISE_1)],
        "exercise_3": {"row": EXERCISE_3, **limited({**rows, "blue": EXERCISE_3}, candidates, given.limit)},
        "exercise_5": {"terms": len(forced) - 1, **losses(forced[:-1])},
        "probe": probe(),
    }


def parameters(given: Translation) -> dict[str, Any]:
    """给定的词、权重、条件概率表、目标与上限。表 13.1、表 13.4。"""
    return {**given.encoder._asdict(), "source": given.source, "contrast": given.contrast,
            "candidates": given.candidates, "rows": dict(given.rows), "target": given.target, "limit": given.limit}


def without_relu(encoder: Encoder, token_ids: list[int]) -> Vector:
    """同样的权重，不截断负数，读完时的状态。"""
    state = encoder.initial
    for token_id in token_ids:
        state = core.preactivation(encoder, encoder.embedding[token_id], state)
    return state


def other_encoder(given: Translation) -> dict[str, Any]:
    """只把递归矩阵左上角的数换成 2，两条源序列读完时的状态。13.5 节。"""
    (_, *first), *rest = given.encoder.recurrent_weight
    other = given.encoder._replace(recurrent_weight=[[OTHER_RATE, *first], *rest])
    return {"recurrent_weight": other.recurrent_weight, "source": core.encode(other, given.source)[-1].state,
            "contrast": core.encode(other, given.contrast)[-1].state}


def meeting(source: list[core.Reading], contrast: list[core.Reading]) -> dict[str, Any] | None:
    """两条路径第几次读取之后第一次完全相同；始终不同时没有。解答 4。"""
    met = [{"t": one.t, "state": one.state} for one, two in zip(source, contrast) if one.state == two.state]
    return met[0] if met else None


def mean_loss(probabilities: list[Fraction], places: int = digits.PLACES, over: int = 1) -> Any:
    """概率连乘的负对数，除以 over；连乘是零，损失就是无穷大，写不成数（null）。"""
    product = prod(probabilities, start=Fraction(1))
    return digits.logarithm(product, places, Fraction(-1, over)) if product and over else None


def losses(forced: list[core.Target]) -> dict[str, Any]:
    """总损失（nat）与每个目标的平均损失。例 13.2；习题 5 不计 EOS，少一项。"""
    probabilities = [each.probability for each in forced]
    return {"loss": mean_loss(probabilities, LOSS_PLACES), "mean_loss": mean_loss(probabilities, over=len(forced))}


def limited(rows: core.Rows, candidates: list[str], limit: int) -> dict[str, Any]:
    """至多预测几次时的输出，以及停在哪里。"""
    choices, stopped = core.generate(rows, candidates, limit)
    return {"outputs": [each.output for each in choices], "stopped": stopped}


def probe() -> dict[str, Any]:
    """恰好在上限那一步选到 EOS：是遇到 EOS，不是到了上限。书中的数据分不出来，书里也没有这个例子。"""
    rows = {START: [Fraction(1), Fraction(0)], "red": [Fraction(0), Fraction(1)]}
    return limited(rows, ["red", core.END], 2)
