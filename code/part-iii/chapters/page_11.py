"""第 11 章的版面：按书中的顺序与写法打印算出的结果，80 列。这里什么也不算。"""
from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from support.bundle import Bundle, Vector
from support.digits import decimal_or_fraction
from support.show import row, table, wrapped
from support.verdicts import claim_lines

NAMES = {"red": "红色", "blue": "蓝色"}
RIGHT = {True: "正确", False: "错误"}
CELLS = 32  # 条形图里多少格是 1


def name(candidate: str) -> str:
    """颜色的中文名。"""
    return NAMES.get(candidate, candidate)


def decimals(numbers: Vector) -> str:
    """一行数，照表 11.2、表 11.3 写成小数。"""
    return row(map(decimal_or_fraction, numbers))


def lines(data: Bundle, whole: dict[str, Any], texts: dict[str, str]) -> Iterator[str]:
    """整页。"""
    found = whole["chapter_11"]
    yield from _tables(data, found)
    yield from _failure(data, found)
    yield from _answers(found)
    yield from _repairs(found["repairs"])
    yield from _gradient(data, whole["chapter_12"]["example_12_1"])
    yield from claim_lines(found["claims"], texts)


def _tables(data: Bundle, found: Any) -> Iterator[str]:
    net, steps = data.network, found["example_11_1"]
    yield "第 11 章：同一套给定的权重，逐个 token 读下去（没有训练，全部用精确分数）"
    yield "\n表 11.1  小模型的全部输入向量"
    yield from table(["Token", "ID", "输入向量"], [
        [token, str(i), decimals(vector)]
        for i, (token, vector) in enumerate(zip(net.vocabulary, net.embedding))])
    counts = found["parameters"]
    yield f"  权重与偏置共 {counts['weights_and_biases']} 个数，嵌入 {counts['embedding_values']} 个数。"

    words = " ".join(step["token"] for step in steps)
    kept = {weights[i] for i, weights in enumerate(net.recurrent_weight)}
    used = f"W_x、W_h（对角 {decimal_or_fraction(kept.pop())}）、b_h" if len(kept) == 1 else "W_x、W_h、b_h"
    yield f"\n表 11.2  例 11.1（{words}）：一套参数，每次读取都用它"
    yield from table(["读取时刻", "当前输入", "旧数值", "使用的参数", "新数值"], [
        [f"{step['t']}：{step['token']}", decimals(step["input"]), decimals(step["previous_state"]),
         used if step["t"] == 1 else "同上", decimals(step["state"])] for step in steps])

    yield from _softmax(steps[-1], found["worked_softmax"], net.candidates[0])

    colors = "、".join(name(candidate).replace("色", "") for candidate in net.candidates)
    for title, rows in (("表 11.3  例 11.1 每一步的输出", steps), ("例 11.2  换成另一条线索", found["example_11_2"])):
        if rows:
            yield f"\n{title}（{' '.join(step['token'] for step in rows)}）"
            yield from table(["读取时刻", "新隐藏状态", f"Logits：{colors}", f"概率：{colors}"], [
                [str(step["t"]), decimals(step["state"]), decimals(step["logits"]),
                 row(step["probabilities"])] for step in rows])
            yield f"  选择：{name(rows[-1]['choice'])}"

    yield "\n表 11.4  同一个长距离任务，两种方法各失一例"
    yield from table(
        ["输入\n颜色", f"{'两' if data.window == 2 else data.window}词窗口\n的 logits", "RNN\n最终状态",
         "RNN 的\nlogits", f"RNN 的\n{name(net.candidates[0])}概率", "RNN 的\n选择"],
        [[case["color"], decimals(case["window"]["logits"]), row(end["state"]), decimals(end["logits"]),
          str(end["probabilities"][0]), f"{name(end['choice'])}：{RIGHT[case['rnn']['correct']]}"]
         for case in found["table_11_4"] for end in case["rnn"]["steps"][-1:]])
    for case in found["short_windows"] + found["table_11_4"]:
        seen, length = case["window"], len(case["token_ids"])
        yield (f"  窗口基线读 {length} 个 token 的 {case['color']}：{name(net.candidates[0])}概率 "
               f"{seen['probabilities'][0]}，选{name(seen['choice'])}（{RIGHT[seen['correct']]}）")


def _softmax(step: Any, worked: Any, first: str) -> Iterator[str]:
    if worked is None:
        return
    powers = [f"e^{decimal_or_fraction(z)}" for z in step["logits"]]
    line = f"  p{step['t']}({first}) = {powers[0]} / ({' + '.join(powers)})"
    if step["logits"][1:] == [0]:
        line += f" ≈ {worked['exponential']} / ({worked['exponential']} + 1)"
    yield f"{line} ≈ {worked['probability']}"


def _failure(data: Bundle, found: Any) -> Iterator[str]:
    """Yield each update of the long blue input: the blue coordinate as a bar, the red bias as a mark in it."""
    rows = found["table_11_4"][1]["rnn"]["steps"]
    candidates = data.network.candidates
    if len(rows[0]["state"]) != len(candidates):
        return
    blue, bias = candidates.index("blue"), data.network.output_bias[candidates.index("red")]
    shown = decimal_or_fraction(bias)
    yield f"\n失败日志  长 blue 输入的 {len(rows)} 次更新：蓝色坐标与红色偏置 {shown}"
    yield f"  条：一个 # 是 1/{CELLS}，| 是红色偏置的位置，. 是不足一格但大于零"
    yield from table(["t", "token", "蓝色坐标", "条", "选择"], [
        [str(step["t"]), step["token"], decimal_or_fraction(step["state"][blue]),
         bar(step["state"][blue], bias), name(step["choice"])] for step in rows])
    edge = found["boundary"]
    if edge is None:
        yield "  蓝色一直胜出。"
        return
    z = dict(zip(candidates, edge["logits"]))
    why = "与红色打平，平局由排在前面的候选得胜" if z["red"] == z["blue"] else "已低于红色的"
    yield (f"  从第 {edge['t']} 次更新起蓝色不再胜出：状态 {row(edge['state'])}，"
           f"logits {row(edge['logits'])}。")
    yield from wrapped(f"原因：蓝色坐标只剩 {edge['state'][blue]}，红色偏置是 {bias}，蓝色的 logit {why}。", "  ")
    end = rows[-1]
    zero = "没有变成零" if end["state"][blue] else "等于零"
    yield f"  第 {end['t']} 次更新之后蓝色坐标是 {end['state'][blue]}：{zero}。"
    floats = found["binary_float"]
    if floats is not None:
        same = "与精确分数完全相同" if floats["state"] == end["state"] else "与精确分数不同"
        yield f"  改用二进制浮点数：最终状态 {row(floats['state'])}，{same}，仍选{name(floats['choice'])}。"


def bar(value: Fraction, mark: Fraction) -> str:
    """Return a bar of one # for each full 1/32, with | behind the cell where `mark` ends.

    >>> bar(Fraction(1, 4), Fraction(1, 8)), bar(Fraction(1, 256), Fraction(1, 8))
    ('####|####', '.   |')
    """
    cells = int(min(max(value, Fraction(0)), Fraction(1)) * CELLS)
    text = ("#" * cells or ("." if value > 0 else "")).ljust(CELLS)
    place = int(min(max(mark, Fraction(0)), Fraction(1)) * CELLS)
    return (text[:place] + "|" + text[place:]).rstrip()


def _answers(found: Any) -> Iterator[str]:
    first = found["exercise_1"]
    if first is not None:
        fewest = first["fewest_fillers"]
        yield "\n习题 1  blue 与 key is 之间插入 filler"
        yield from table(["filler", "最终状态", "logits", "选择"], [
            [str(trial["fillers"]), row(trial["state"]), row(trial["logits"]), name(trial["choice"])]
            for trial in first["trials"]])
        yield "  试到 1,000 个 token 也不选红色。" if fewest is None else f"  至少 {fewest} 个就会选红色。"
    second = found["exercise_2"]
    if second is not None:
        end = second["long_blue"]
        yield f"\n习题 2  递归矩阵的对角元素都改成 {second['recurrent_diagonal']}"
        yield (f"  长 blue 输入：状态 {row(end['state'])}，logits {decimals(end['logits'])}，"
               f"选{name(end['choice'])}")
        yield from table(["连读 blue", "改后的状态", "原权重的状态"], [
            [f"{case['count']} 次", row(case["state"]), row(case["state_with_given_weights"])]
            for case in second["repeated_blue"]])
    if found["exercise_3"] is not None:
        yield "\n习题 3  每读一个 token 前都清零状态"
        yield from table(["输入颜色", "最终状态", "logits", "选择"], [
            [case["color"], row(case["state"]), decimals(case["logits"]), name(case["choice"])]
            for case in found["exercise_3"]])
    carry = found["carry_over"]
    if carry is not None:
        yield f"\n两次测试之间清零与否  先读 {' '.join(carry['first'])}，再读 {' '.join(carry['second'])}"
        yield from table(["第二次开始时", "最终状态", "logits", "选择"], [
            [label, row(carry[key]["state"]), row(carry[key]["logits"]), name(carry[key]["choice"])]
            for label, key in (("清零", "reset"), ("接着用", "carried"))])
    yield "\n顺序与位置"
    for case in found["order"] or []:
        yield f"  {' '.join(case['tokens'])}：状态 {row(case['state'])}"
    for case in found["leading_fillers"] or []:
        yield (f"  blue key is 之前 {case['fillers']} 个 filler：状态 {row(case['state'])}，"
               f"选{name(case['choice'])}")


def _repairs(repairs: Any) -> Iterator[str]:
    yield "\n怎样才能答对长 blue 输入（各改一处）"
    weight, bias, window = (repairs[key] for key in ("retained_weight_above", "red_bias_below", "window"))
    if weight is not None:
        yield f"  保留权重 r：r^{weight['power']} > {weight['of']}，即 r > {weight['decimal']}…"
    if bias is not None:
        yield f"  红色偏置：小于 {bias}"
    if window is not None:
        right = "，".join(f"{case['color']} 选{name(case['choice'])}（{RIGHT[case['correct']]}）"
                         for case in window["cases"])
        yield f"  窗口：{window['tokens']} 个 token，权重是 {window['tokens']} 个叠起来的单位矩阵："
        yield f"        {right}"


def _gradient(data: Bundle, found: Any) -> Iterator[str]:
    path = data.path
    yield (f"\n往回走一步  标量路径 h_t = x_t + w·h_(t-1)，w = {path.weight}，"
           f"损失 1/2·(h_{len(path.inputs)} - {path.target})^2")
    yield from table(["t", "输入", "状态", "dL/dh", "对 dL/dw 的贡献"], [
        [str(t), *map(str, each)] for t, each in enumerate(
            zip(path.inputs, found["states"], found["state_gradients"], found["weight_contributions"]), 1)])
    yield f"  损失 {found['loss']}，dL/dw = {found['weight_gradient']}"
    yield from wrapped(f"学习率 {path.learning_rate} 走一步：w = {found['updated_weight']}，"
                       f"末状态 {found['updated_states'][-1]}，损失 {decimal_or_fraction(found['updated_loss'])}", "  ")
