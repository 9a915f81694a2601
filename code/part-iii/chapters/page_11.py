"""第 11 章的版面：先给定的数，再按书中的顺序与写法打印表格，80 列。这里什么也不算，只把结果写出来。"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from chapters.bundle import Bundle, times_unit
from chapters.steps_table import Show, name, narrow, step_rows
from core import Vector
from support import digits
from support.show import row, words
from support.spelling import decimals, equals, fraction, fractions, plain, single, term

RIGHT = {True: "正确", False: "错误"}
EXERCISES = "习题 1 至 3"
UNJUDGED = "11.4 节末段的智能体状态与住宿限额，解答 4、5"


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题、边界与修补。"""
    chapter = by_chapter["chapter_11"]
    yield "第 11 章：同一套给定的权重，逐个 token 读下去（没有训练，全部用精确分数）"
    yield from _given(data, chapter["parameters"])
    yield from _example(data, chapter)
    yield from _windows(data, chapter)
    yield from _long_inputs(data, chapter)
    if everything:
        yield from _answers(chapter)
        yield from _repairs(chapter["repairs"], chapter["table_11_4"][1]["rnn"]["correct"])


def _given(data: Bundle, given: dict[str, Any]) -> Iterator[str]:
    names = {"W_x": "input_weight", "W_h": "recurrent_weight", "b_h": "hidden_bias", "W_y": "output_weight",
             "b_y": "output_bias", "h_0": "initial"}
    blocks = [given[field] if symbol.startswith("W") else [given[field]] for symbol, field in names.items()]
    depth = max(map(len, blocks))

    def rows(show: Show) -> list[list[str]]:
        return [[show(block[i]) if i < len(block) else "" for block in blocks] for i in range(depth)]

    yield "\n给定的数（11.2 节）：W 是矩阵，一行一行写；b 是偏置，h_0 是初始状态"
    yield from narrow(list(names), rows)
    yield f"  权重与偏置共 {given['weights_and_biases']} 个数，嵌入 {given['embedding_values']} 个数。"
    yield "\n表 11.1  小模型的全部输入向量"
    yield from narrow(["Token", "ID", "输入向量"], lambda show: [
        [token, str(i), show(vector)] for i, (token, vector) in enumerate(
            zip(data.network.vocabulary, data.network.embedding))])


def _used(data: Bundle) -> str:
    """表 11.2 的“使用的参数”：书中那样的权重照书中的说法，别的权重写出用了哪几个。"""
    net = data.network
    r = times_unit(net.recurrent_weight)
    if times_unit(net.input_weight) == 1 and r is not None and not any(net.hidden_bias):
        return f"输入原样加入；旧数值乘 {plain(r)}"
    return "输入乘 W_x，旧数值乘 W_h，加 b_h"


def _example(data: Bundle, chapter: dict[str, Any]) -> Iterator[str]:
    steps = chapter["example_11_1"]
    tokens = words([each["token"] for each in steps])
    yield f"\n表 11.2  例 11.1（{tokens}）：一套参数，用 {len(steps)} 次"
    yield from narrow(["读取时刻", "当前输入", "旧数值", "使用的参数", "新数值"], lambda show: [
        [f"{each['t']}：{each['token']}", show(each["input"]), show(each["previous_state"]),
         _used(data) if each["t"] == 1 else "同一套设置", show(each["state"])] for each in steps])
    yield f"\n表 11.3  例 11.1 每一步的输出（{tokens}）"
    yield from step_rows(steps)
    last = steps[-1]
    t = last["t"]
    yield f"  第 {t} 行写开，最后是 11.2 节的 Softmax 算式："
    yield (f"    h_{t} = ReLU({decimals(last['input'])}·W_x + {decimals(last['previous_state'])}·W_h + b_h) = "
           f"ReLU({decimals(last['preactivation'])}) = {decimals(last['state'])}")
    yield f"    z_{t} = {decimals(last['state'])}·W_y + b_y = {decimals(last['logits'])}"
    worked = chapter["worked_softmax"]
    if worked is not None:
        yield from _worked(last, (worked["exponential"], worked["second_exponential"]), worked["probability"])
    other = chapter["example_11_2"]
    yield f"\n例 11.2  换成另一条线索（{words([each['token'] for each in other])}）"
    yield from step_rows(other)


def _worked(last: dict[str, Any], powers: Iterable[Any], probability: Any) -> Iterator[str]:
    """最后一步的 Softmax 写开；powers 是 e 的两个幂，probability 是红色的概率。"""
    red, blue = last["logits"]
    if max(red, blue) < digits.LEAST_POWER:
        yield f"    p_{last['t']}(red) ≈ {probability}"
        return
    up, down = ("1" if z == 0 else f"{power:f}" for z, power in zip(last["logits"], powers))
    yield f"    p_{last['t']}(red) = e^{single(red)} / (e^{single(red)} + e^{single(blue)})"
    yield f"      ≈ {up} / ({up} + {down}) ≈ {probability}"


def _windows(data: Bundle, chapter: dict[str, Any]) -> Iterator[str]:
    """窗口基线：权重，两个短输入。"""
    tokens = "两" if data.window == 2 else str(data.window)
    yield f"\n{tokens}词窗口基线（11.3 节）"
    rows = "；".join(map(decimals, chapter["parameters"]["window_weight"]))
    yield f"  末尾 {data.window} 个输入接成一行，乘 W，经过 ReLU，再乘 W_y 加 b_y；W 的各行 {rows}"
    yield from narrow(["短输入", "收到的 ID", "状态", "logits", "红色概率", "选择"], lambda show: [
        [case["color"], row(case["window"]["token_ids"]), show(case["window"]["state"]),
         show(case["window"]["logits"]), str(case["window"]["probabilities"][0]), _judged(case["window"])]
        for case in chapter["short_windows"]])


def _judged(answer: dict[str, Any]) -> str:
    return f"{name(answer['choice'])}：{RIGHT[answer['correct']]}"


def _long_inputs(data: Bundle, chapter: dict[str, Any]) -> Iterator[str]:
    rows = chapter["table_11_4"]
    yield "\n表 11.4  同一个长距离任务，暴露两种不同的失败"
    yield from narrow(
        ["输入\n颜色", "窗口的\nlogits", "RNN\n最终状态", "RNN 的\nlogits", "RNN 的\n红色概率", "RNN 的\n选择"],
        lambda show: [[case["color"], show(case["window"]["logits"]), _fractions(end["state"], show),
                       show(end["logits"]), str(end["probabilities"][0]), _judged(case["rnn"])]
                      for case in rows for end in case["rnn"]["steps"][-1:]])
    for case in rows[:2]:
        yield from _long_row(data, case)
    yield "  " + "；".join(f"窗口读长 {case['color']} 输入，选{_judged(case['window'])}" for case in rows)
    for case in rows:
        yield f"\n长 {case['color']} 输入的每一步"
        yield from step_rows(case["rnn"]["steps"])
    yield from _crossing(data, chapter)


def _long_row(data: Bundle, case: dict[str, Any]) -> Iterator[str]:
    """表 11.4 的一行写开：线索减半了几次，两个 logits，红色概率。"""
    net, first, last = data.network, case["rnn"]["steps"][0], case["rnn"]["steps"][-1]
    r, updates = net.recurrent_weight[0][0], case["rnn"]["updates_after_first"]
    yield f"  {case['color']} 那一行写开："
    if any(first["state"]) and last["state"] == [r**updates * number for number in first["state"]]:
        yield (f"    读完第 1 个 token 是 {decimals(first['state'])}，再乘 {updates} 次 {plain(r)}："
               f"{single(r)}^{updates} {equals(r**updates, fraction)}")
    sums = []
    for candidate, z, bias in zip(net.candidates, last["logits"], net.output_bias):
        again = f" {equals(z)}" if plain(z) != fraction(z) else ""
        sums.append(f"{name(candidate)} {fraction(z - bias)} + {term(bias, fraction)} {equals(z, fraction)}{again}")
    yield f"    z_{last['t']} 是状态乘 W_y 再加偏置：{'，'.join(sums)}"
    if max(map(abs, last["logits"])) <= digits.LARGEST_POWER:
        yield from _worked(last, digits.exponentials(last["logits"], digits.FINE)[0], last["probabilities"][0])


def _fractions(numbers: Vector, show: Show) -> str:
    """表 11.4 的状态写成分数；太长时同别处一样。"""
    text = fractions(numbers)
    return text if len(text) <= 24 else show(numbers)


def _crossing(data: Bundle, chapter: dict[str, Any]) -> Iterator[str]:
    """蓝色从哪次更新起不再胜出，以及它最后有没有变成零。"""
    edge, end, bias = chapter["boundary"], chapter["table_11_4"][1]["rnn"]["steps"][-1], data.network.output_bias[0]
    yield ""
    if edge is None:
        yield "  长 blue 输入里蓝色一直胜出。"
        return
    red, blue = edge["logits"]
    why = "与红色的打平，选排在前面的红色" if red == blue else f"小于红色的 {fraction(red)}"
    again = any(each["choice"] == "blue" for each in chapter["table_11_4"][1]["rnn"]["steps"][edge["t"]:])
    when = f"第 {edge['t']} 次更新，蓝色头一回没有胜出" if again else f"从第 {edge['t']} 次更新起蓝色不再胜出"
    yield (f"  {when}：状态 {fractions(edge['state'])}，红色偏置 {fraction(bias)}；"
           f"蓝色的 logit {fraction(blue)} {why}。")
    left = max(end["state"])
    compared = f"{fraction(left)} < {fraction(bias)}" if 0 < left < bias else f"剩 {fraction(left)}"
    yield f"  读完第 {end['t']} 个 token，最大的坐标{'没有变成零' if left else '是零'}：{compared}。"
    floats = chapter["binary_float"]
    if floats is not None:
        same = "分毫不差" if floats["state"] == end["state"] else "不同"
        yield f"  换成二进制浮点数再算，最终状态与分数算的{same}，选{name(floats['choice'])}。"


def _ends(first: str, rows: list[tuple[str, Any]]) -> list[str]:
    """末状态、logits 与选择的一张表。"""
    return narrow([first, "最终状态", "logits", "选择"], lambda show: [
        [label, _fractions(end["state"], show), _fractions(end["logits"], show), name(end["choice"])]
        for label, end in rows])


def _answers(chapter: dict[str, Any]) -> Iterator[str]:
    first, second = chapter["exercise_1"], chapter["exercise_2"]
    yield "\n习题 1  blue 与 key is 之间插入 filler"
    yield from _ends("filler", [(str(trial["fillers"]), trial) for trial in first["trials"]])
    fewest = first["fewest_fillers"]
    yield ("  插到 100 个也不选红色。" if fewest is None else
           f"  至少 {fewest} 个就会选红色。" if fewest else "  一个也不插入就选红色。")
    yield f"\n习题 2  递归矩阵的对角元素都改成 {second['recurrent_diagonal']}"
    yield from _ends("输入", [("长 blue", second["long_blue"])])
    yield from narrow(["连读 blue", "改后的状态", "原权重的状态"], lambda show: [
        [f"{case['count']} 次", _fractions(case["state"], show), _fractions(case["state_with_given_weights"], show)]
        for case in second["repeated_blue"]])
    yield "\n习题 3  每读一个 token 前都清零状态"
    yield from _ends("输入颜色", [(case["color"], case) for case in chapter["exercise_3"]])
    carry = chapter["carry_over"]
    yield f"\n两次测试之间清零与否（11.4 节）  先读 {' '.join(carry['first'])}，再读 {' '.join(carry['second'])}"
    yield from _ends("第二次开始时", [("清零", carry["reset"]), ("接着用", carry["carried"])])
    yield "\n线索之前与之后"
    yield from narrow(["输入", "最终状态"], lambda show: [
        *([" ".join(case["tokens"]), _fractions(case["state"], show)] for case in chapter["order"]),
        *([f"{case['fillers']} 个 filler，再 blue key is", _fractions(case["state"], show)]
          for case in chapter["leading_fillers"])])


def _repairs(repairs: dict[str, Any], right: bool) -> Iterator[str]:
    yield f"\n怎样才能答对长 blue 输入（{'现在已经答对' if right else '各改一处'}）"
    weight, window = repairs["retained_weight_above"], repairs["window"]
    if weight is not None:
        root, power, of = Fraction(weight["decimal"]), weight["power"], weight["of"]
        bound = plain(root) if root**power == of else f"{weight['decimal']}…" if root**power < of else (
            f"≈ {weight['decimal']}")
        yield f"  保留权重 r：r^{power} > {fraction(of)}，即 r > {bound}"
    below, least = repairs["red_bias_below"], repairs["red_bias_at_least"]
    yield (f"  红色偏置：小于 {fraction(below)}；长 red 输入要仍选红色，则不小于 {fraction(least)}"
           f"{'，没有这样的偏置' if least >= below else ''}")
    if window is not None:
        yield f"  窗口：{window['tokens']} 个 token，权重是 {window['tokens']} 个叠起来的单位矩阵："
        yield "    " + "，".join(f"{case['color']} 选{_judged(case)}" for case in window["cases"])
