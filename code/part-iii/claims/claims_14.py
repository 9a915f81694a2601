"""第 14 章的论断，各由已经算出的数值判定；写法同 claims_11.py；第 13 章的结果也收到。上下文与读数以 ln 2 为单位。"""
from __future__ import annotations

from typing import Any

from support.spelling import decimals, fraction, fractions, in_a, row_in_a
from support.verdicts import Decision, exhibited, known


def saved_state_is_no_embedding(results: Any) -> Decision:
    """保存的状态由权重算出，不是原始嵌入：至少有一个位置，二者不同。"""
    differ = [each for each in results["table_13_2"]["source"] if each["input"] != each["state"]]
    each = (differ or results["table_13_2"]["source"])[0]
    return bool(differ), f"{each['token']} 的嵌入 {row_in_a(each['input'])}，状态 {row_in_a(each['state'])}"


def _read_of(results: Any, name: str) -> Any:
    """例 14.1 或例 14.2 的读取；权重不是有理数时，下面的论断无从精确地判定。"""
    read = results[name]
    known(read["weights"])
    return read


def zero_score_keeps_weight(results: Any) -> Decision:
    """分数为零的位置，指数值是一，权重大于零。"""
    read = _read_of(results, "example_14_1")
    places = [j for j, score in enumerate(read["scores"]) if score == 0]
    exhibited(places)
    ones = all(read["exponentials"][j] == 1 and read["weights"][j] > 0 for j in places)
    return ones, (f"分数 {row_in_a(read['scores'])}，指数值 {decimals(read['exponentials'])}，权重 "
                  f"{fractions(read['weights'])}")


def weights_sum_to_one(results: Any) -> Decision:
    """权重分给源位置，和是一；上下文的坐标之和是有理数乘 ln 2，不会恰好是一。"""
    read = _read_of(results, "exercise_1")
    weights, coordinates = sum(read["weights"]), sum(read["context"])
    return weights == 1, f"权重之和 {fraction(weights)}，上下文坐标之和 {in_a(coordinates)}"


def width_is_the_states(results: Any) -> Decision:
    """三个位置，两个坐标：权重的个数是位置数，上下文的宽度是状态的宽度。"""
    read, states = results["example_14_1"], results["states"]
    sizes = len(read["scores"]), len(read["context_decimal"])
    return sizes == (len(states), len(states[0])), f"{sizes[0]} 个权重，{sizes[1]} 个坐标"


def context_within_states(results: Any) -> Decision:
    """上下文的每个坐标，都在各状态对应坐标的最小值与最大值之间。"""
    states = results["states"]
    contexts = [_read_of(results, name)["context"] for name in ("example_14_1", "example_14_2", "exercise_1")]
    inside = all(min(column) <= number <= max(column) for context in contexts
                 for number, column in zip(context, zip(*states)))
    return inside, "、".join(map(row_in_a, contexts))


def query_changes_the_read(results: Any) -> Decision:
    """两个查询读同一组状态，返回的组合不同，权重最大的位置也不同。"""
    one, two = (_read_of(results, name) for name in ("example_14_1", "example_14_2"))
    places = [read["weights"].index(max(read["weights"])) + 1 for read in (one, two)]
    exhibited(one["query"] != two["query"])
    return one["context"] != two["context"] and places[0] != places[1], f"最大的在第 {places[0]} 位与第 {places[1]} 位"


def attention_tells_sources_apart(results: Any) -> Decision:
    """最终状态相同，用同一个查询读取各自保存的状态，上下文却不同。"""
    red = _read_of(results, "example_14_1")["context"]
    blue = known(results["contrast"]["read"]["context"])
    ends = results["states"][-1], results["contrast"]["states"][-1]
    return ends[0] == ends[1] and red != blue, f"{row_in_a(red)} 与 {row_in_a(blue)}"


def _deletions(results: Any) -> list[tuple[Any, Any]]:
    """同一个位置的两种删除：只移除保存的状态，与删去输入的词再重新编码。"""
    pairs: list[tuple[Any, Any]] = exhibited(list(zip(results["table_14_2"][1:], results["table_14_3"])))
    for one, two in pairs:
        known(one["read"]["weights"])
        known(two["read"]["weights"])
    return pairs


def zero_state_counts(results: Any) -> Decision:
    """移除值全为零的状态，也会改变归一化和读数。"""
    states, whole = results["states"], _read_of(results, "example_14_1")
    silent = [one for one, _ in _deletions(results) if not any(states[one["removed"] - 1])]
    read = exhibited(silent)[0]["read"]
    return read["readout"] != whole["readout"], f"读数从 {in_a(whole['readout'])} 到 {in_a(read['readout'])}"


def largest_weight_is_not_largest_effect(results: Any) -> Decision:
    """权重最大的位置，移除之后读数变得不是最多。"""
    whole = _read_of(results, "example_14_1")
    changes = {one["removed"]: abs(one["read"]["readout"] - whole["readout"]) for one, _ in _deletions(results)}
    heaviest = whole["weights"].index(max(whole["weights"])) + 1
    change = known(changes.get(heaviest))
    most = max(changes.values())
    exhibited(change < most)
    after = {one["removed"]: one["read"]["readout"] for one, _ in _deletions(results)}
    other = max(changes, key=lambda place: changes[place])
    return True, (f"读数原是 {in_a(whole['readout'])}；移除权重最大的第 {heaviest} 位，是 {in_a(after[heaviest])}，"
                  f"移除第 {other} 位，是 {in_a(after[other])}")


def other_readout_other_answer(results: Any) -> Decision:
    """换一种读数，例如只看第一个坐标，移除同一个位置的影响就不同；原来就只看它，则判定不了。"""
    coefficients = results["parameters"]["readout"]
    exhibited(coefficients[0] != 1 or any(coefficients[1:]))
    whole, (one, _) = _read_of(results, "example_14_1"), _deletions(results)[0]
    first = one["read"]["context"][0] - whole["context"][0]
    change = one["read"]["readout"] - whole["readout"]
    return first != change, (
        f"移除第 {one['removed']} 位，读数从 {in_a(whole['readout'])} 到 {in_a(one['read']['readout'])}，"
        f"第一个坐标从 {in_a(whole['context'][0])} 到 {in_a(one['read']['context'][0])}")


def later_state_changes(results: Any) -> Decision:
    """删去输入的词要重新编码：后面位置的状态可能改变。"""
    states = results["states"]
    changed = []
    for each in results["table_14_3"]:
        kept = [state for place, state in enumerate(states, 1) if place != each["removed"]]
        changed += [(old, new) for old, new in zip(kept, each["states"]) if old != new]
    old, new = exhibited(changed)[0]
    return True, f"{row_in_a(old)} 变成 {row_in_a(new)}"


def deletions_differ_on_one(results: Any) -> Decision:
    """两种删除，上下文与读数只在钥匙那一行不同。"""
    tokens = [each["token"] for each in results["table_13_2"]["source"]]
    apart = [tokens[one["removed"] - 1] for one, two in _deletions(results)
             if (one["read"]["context"], one["read"]["readout"]) != (two["read"]["context"], two["read"]["readout"])]
    return apart == ["钥匙"], f"不同的行：{'、'.join(apart) or '没有'}"


def zero_score_is_no_removal(results: Any) -> Decision:
    """同一个位置，把分数改成零，与移除它，各位置的权重不同。"""
    zero, (one, _) = known(results["zero_score"]), _deletions(results)[0]
    return zero["weights"] != one["read"]["weights"], (
        f"第 {zero['position']} 位的分数改成零，权重 {fractions(zero['weights'])}，移除它，"
        f"{fractions(one['read']['weights'])}")


def nothing_left_to_normalise(results: Any) -> Decision:
    """一个位置也不留，读取报错，不给出一组零。"""
    left = results["nothing_left"]
    return left["positions"] == 0 and left["refused"], f"剩 {left['positions']} 个位置，读取报错"


def storage_grows_with_positions(results: Any) -> Decision:
    """存下全部状态，比一个固定的向量占得多；给定的位置与习题 5 的一百个位置，都是位置的个数乘宽度。"""
    storage, hundred = results["storage"], results["exercise_5"]
    width = storage["fixed_numbers"]
    counts = [(storage["positions"], storage["saved_numbers"]), (hundred["states"], hundred["numbers"])]
    exhibited(storage["positions"] > 1)
    return all(numbers == positions * width for positions, numbers in counts), (
        f"固定 {width} 个数；" + "，".join(f"{positions} 个位置 {numbers} 个" for positions, numbers in counts))


def counting_is_no_distribution(results: Any) -> Decision:
    """用位置的个数作分母，权重之和不是一。"""
    total = known(results["exercise_2"]["sum"])
    return total != 1, f"和是 {fraction(total)}"


def zero_query_is_even(results: Any) -> Decision:
    """零查询的分数全是零，权重相等。"""
    read = results["exercise_2"]["zero_query"]
    return not any(read["scores"]) and len(set(read["weights"])) == 1, f"权重 {fractions(read['weights'])}"
