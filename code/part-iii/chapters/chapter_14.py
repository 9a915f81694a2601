"""第 14 章要算的全部，按书中的顺序：两次读取、对照的源序列、两种删除、存储与次数、习题。算法在 core.py。"""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from chapters.bundle import Bundle
from core import Encoder, Vector, attend, encode, powers_of_two, shares

# 书中用到而数据里没有的数，都在这里。
BYTES = 8  # 每个数占的字节，书中的假设
EXERCISE_5_STATES = 100
ONE = Fraction(1)  # 习题 1 的查询，每个坐标


def results(data: Bundle) -> dict[str, Any]:
    """第 14 章的全部结果；分数、上下文与读数以 ln 2 为单位，…_decimal 是普通的数。"""
    given, readout = data.translation, data.attention.readout
    first, second = data.attention.queries
    states, contrast = saved(given.encoder, given.source), saved(given.encoder, given.contrast)
    steps, width = len(given.target), len(readout)

    def read(query: Vector) -> dict[str, Any]:
        return attend(query, states, readout)._asdict()

    whole = read(first)
    return {
        "unit": "ln 2",
        "parameters": {"queries": data.attention.queries, "readout": readout,
                       "positions": data.attention.positions},
        "states": states,
        "example_14_1": whole,
        "example_14_2": read(second),
        "contrast": {"states": contrast, "read": attend(first, contrast, readout)._asdict()},
        "table_14_2": [{"removed": None, "read": whole},
                       *({"removed": position, "read": attend(first, states, readout, position)._asdict()}
                         for position in data.attention.positions)],
        "table_14_3": [source_deleted(data, position) for position in data.attention.positions],
        "zero_score": zero_score(whole["scores"], data.attention.positions),
        "nothing_left": {"positions": 0, "refused": refused(first, readout)},
        "storage": {"bytes_per_number": BYTES, "steps": steps, "positions": len(states),
                    "fixed_numbers": width, "saved_numbers": len(states) * width,
                    "fixed_bytes": width * BYTES, "saved_bytes": len(states) * width * BYTES,
                    "dot_products": steps * len(states)},
        "exercise_1": read([ONE] * width),
        "exercise_2": exercise_2(whole, read([0 * ONE] * width)),
        "exercise_5": {"states": EXERCISE_5_STATES, "width": width, "bytes_per_number": BYTES, "steps": steps,
                       "numbers": EXERCISE_5_STATES * width, "bytes": EXERCISE_5_STATES * width * BYTES,
                       "dot_products": EXERCISE_5_STATES * steps},
    }


def saved(encoder: Encoder, token_ids: list[int]) -> list[Vector]:
    """每次读取之后保存下来的状态。"""
    return [reading.state for reading in encode(encoder, token_ids)]


def source_deleted(data: Bundle, position: int) -> dict[str, Any]:
    """删去一个输入的词，重新编码，再用第一个查询读取。表 14.3。"""
    given = data.translation
    left = given.source[: position - 1] + given.source[position:]
    readings = encode(given.encoder, left)
    states = [reading.state for reading in readings]
    return {"removed": position, "tokens": [reading.token for reading in readings],
            "preactivations": [reading.preactivation for reading in readings], "states": states,
            "read": attend(data.attention.queries[0], states, data.attention.readout)._asdict()}


def zero_score(scores: Vector, positions: list[int]) -> dict[str, Any] | None:
    """第一个要删的位置不移除，只把分数改成零，各位置的权重：与表 14.2 不同。14.5 节；权重不是有理数时是 null。"""
    if not positions:
        return None
    changed = [Fraction(0) if place == positions[0] else score for place, score in enumerate(scores, start=1)]
    weights = shares(powers_of_two([score - max(changed) for score in changed]))
    return None if weights is None else {"position": positions[0], "scores": changed, "weights": weights}


def refused(query: Vector, readout: Vector) -> bool:
    """一个位置也不留时，读取是不是报错，而不是给出一组零。14.5 节。"""
    try:
        attend(query, [], readout)
    except ValueError:
        return True
    return False


def exercise_2(read: dict[str, Any], zero_query: dict[str, Any]) -> dict[str, Any]:
    """误把位置的个数当分母；零查询的权重才相等。指数值不精确时没有这组误算的权重。"""
    exponentials = read["exponentials"]
    wrong = None if exponentials is None else [number / len(exponentials) for number in exponentials]
    return {"wrong_weights": wrong, "sum": None if wrong is None else sum(wrong, Fraction(0)), "zero_query": zero_query}
