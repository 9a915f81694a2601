"""第 12 章的版面，写法同 page_11.py；表下面写开它的规则与其中一行，中间的数写到八位，手算的结果才准到六位。"""
from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from chapters.bundle import FACTORS, Bundle
from chapters.steps_table import narrow
from support import digits
from support.spelling import decimals, equals, plain, product, single, term

EXERCISES = "习题 1 至 5"
UNJUDGED = "12.3 节的梯度裁剪，12.4.2 节 GRU 与 LSTM 之比，12.5 节的 ELMo 与 BERT，解答 6"


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题。"""
    chapter = by_chapter["chapter_12"]
    yield "第 12 章：误差往回传，门控（权重与门值都是给定的，没有训练）"
    yield from _path(chapter["parameters"], chapter["example_12_1"])
    yield from _checks(chapter)
    yield from _powers(chapter)
    yield from _gates(chapter)
    if everything:
        yield from _answers(chapter)


def _path(given: dict[str, Any], example: dict[str, Any]) -> Iterator[str]:
    end, w, error = len(given["inputs"]), given["weight"], example["error"]
    yield f"\n例 12.1  h_t = x_t + w·h_(t-1)，损失 L = 1/2·(h_{end} - y)^2"
    yield (f"  输入 {decimals(given['inputs'])}，h_0 = {plain(given['initial'])}，w = {plain(w)}，目标 y = "
           f"{plain(given['target'])}，学习率 {plain(given['learning_rate'])}")
    yield (f"  误差 h_{end} - y = {plain(example['states'][-1])} - {term(given['target'])} {equals(error)}，损失 "
           f"1/2 × ({plain(error)})^2 {equals(example['loss'])}")
    change = example["loss_change"]
    yield f"  h_{end} 增加 δ，损失就改变 {plain(change['linear'])}·δ + {plain(change['quadratic'])}·δ^2"
    small = example["perturbation"]
    yield f"  h_t 增加 {plain(small['second'])}，h_(t+1) 就增加 {product((w, small['second']), small['third'])}"
    yield "\n表 12.1  反传信号，以及共享权重每次使用的直接贡献"
    columns = [example[name] for name in ("previous_states", "states", "state_gradients", "weight_contributions")]
    yield from narrow(["读取时刻 t", "旧状态", "新状态", "dL/dh_t", "贡献：dL/dh_t × 旧状态"], lambda show: [
        [str(t), old, new, gradient, part if "≈" in gradient + old + part else f"{gradient} × {old} = {part}"]
        for t, (old, new, gradient, part) in enumerate(
            zip(*([show([number])[1:-1] for number in numbers] for numbers in columns)), 1)])
    yield f"  规则：dL/dh_{end} 就是误差，往前每一步乘一次 w；贡献是 dL/dh_t 乘旧状态 h_(t-1)。"
    if end > 1:
        old, _, gradient, part = (column[-2] for column in columns)
        yield (f"  第 {end - 1} 行：dL/dh_{end - 1} = w·dL/dh_{end} = {product((w, error), gradient)}，"
               f"贡献 {product((gradient, old), part)}")
    yield (f"  dL/dw = {' + '.join(map(term, example['weight_contributions']))} "
           f"{equals(example['weight_gradient'])}")


def _checks(chapter: dict[str, Any]) -> Iterator[str]:
    """梯度的两种核对，与沿梯度走的一步。"""
    given, example, polynomial = chapter["parameters"], chapter["example_12_1"], chapter["polynomial"]
    w, y, end = given["weight"], given["target"], len(given["inputs"])
    if polynomial is not None:
        yield (f"  多项式核对：h_{end} = w^2，dL/dw = 2·w·(w^2 - y) = 2 × {term(w)} × "
               f"({plain(polynomial['last_state'])} - {term(y)}) {equals(polynomial['derivative'])}")
    near = chapter["central_difference"]
    step, up, down = near["step"], near["above"], near["below"]
    yield f"  中心差分核对（步长 {plain(step)} 是这里取的），多出 {plain(near['error'])}："
    yield (f"    (L({plain(w + step)}) - L({plain(w - step)})) / {plain(2 * step)} = "
           f"({plain(up)} - {plain(down)}) / {plain(2 * step)} {equals(near['slope'])}")
    yield f"  走一步：{_updated(given, example)}"
    last = example["updated_states"][-1]
    yield (f"  用新的 w 重算：h_{end} {equals(last)}，损失 1/2 × ({plain(last)} - {term(y)})^2 "
           f"{equals(example['updated_loss'])}")


def _updated(given: dict[str, Any], example: dict[str, Any]) -> str:
    return (f"w = {plain(given['weight'])} - {term(given['learning_rate'])} × {term(example['weight_gradient'])} "
            f"{equals(example['updated_weight'])}")


def _powers(chapter: dict[str, Any]) -> Iterator[str]:
    rows = chapter["table_12_2"]
    yield "\n表 12.2  跨越的边数与信号乘数"
    yield from narrow(["距离：跨越几条边", "每条边乘 0.5", "每条边乘 1.5"], lambda show: [
        [str(each["distance"]), show([each["half"]])[1:-1], show([each["three_halves"]])[1:-1]] for each in rows])
    yield "  规则：跨越几条边，就乘几次。"
    for each in [each for each in rows if 2 <= each["distance"] <= 4][:1]:
        half, three_halves = ([factor] * each["distance"] for factor in FACTORS)
        yield (f"  距离 {each['distance']}：{product(half, each['half'])}，"
               f"{product(three_halves, each['three_halves'])}")
    yield "\ntanh(a) = (e^a - e^(-a)) / (e^a + e^(-a))，变化率 1 - tanh(a)^2（12.3 节）"
    for each in chapter["tanh"]:
        q = each["input"]
        if q == 0:  # e^0 是 1，两个数都是精确的
            yield (f"  tanh(0) = (1 - 1) / (1 + 1) = {each['value'].normalize()}，变化率 1 - 0^2 = "
                   f"{each['slope'].normalize()}")
            continue
        yield from _tanh(q, each["value"], "  ")
        yield f"    变化率 1 - {digits.tanh(q, places=digits.FINE)}^2 ≈ {each['slope']}"


def _gates(chapter: dict[str, Any]) -> Iterator[str]:
    lstm, cell, repeated = chapter["parameters"]["lstm"], chapter["example_12_3"], chapter["repeated_cell"]
    yield "\n例 12.3  LSTM：c_t = f_t·c_(t-1) + i_t·g_t，h_t = o_t·tanh(c_t)"
    yield from _cell(lstm, cell)
    if repeated["limit"] is not None:
        f, written = lstm["forget"], lstm["input"] * lstm["candidate"]
        yield (f"  书里没有问：同样的门反复写入，单元值趋于 {plain(written)} ÷ (1 - {plain(f)}) "
               f"{equals(repeated['limit'])}，到了那里，留下的加写入的还是它。")
    if repeated["cell"] is not None:
        yield (f"  书里没有问：候选值换成 {plain(repeated['candidate'])}，从 {plain(lstm['previous_cell'])} 起第 "
               f"{repeated['steps']} 步单元值到 {plain(repeated['cell'])}，在 -1 与 1 之外。")
    gru, mixed = chapter["parameters"]["gru"], chapter["example_12_4"]
    old, update, share = gru["previous_hidden"], gru["update_retains_old"], mixed["candidate_share"]
    yield "\n例 12.4  GRU：g_t = tanh(x + U·(r_t·h_(t-1)))，h_t = z_t·h_(t-1) + (1 - z_t)·g_t"
    yield (f"  给定 h_(t-1) = {plain(old)}，z_t = {plain(update)}，r_t = {plain(gru['reset'])}，当前输入的贡献 x = "
           f"{plain(gru['candidate_input'])}，递归权重 U = {plain(gru['candidate_recurrent_weight'])}")
    inside = gru["candidate_input"] + gru["candidate_recurrent_weight"] * mixed["reset_state"]
    yield (f"  候选分支看到 {product((gru['reset'], old), mixed['reset_state'])}，g_t = tanh("
           f"{plain(gru['candidate_input'])} + {term(gru['candidate_recurrent_weight'])} × "
           f"{term(mixed['reset_state'])}) ≈ {mixed['candidate']}")
    yield from _tanh(inside, mixed["candidate"])
    fine = term(digits.tanh(inside, places=digits.FINE), "{:f}".format)
    yield (f"  直接留下 {product((update, old), mixed['kept'])}，h_t = {plain(mixed['kept'])} + {term(share)} × "
           f"{fine} ≈ {mixed['hidden']}")
    yield "\n门固定不变，旧单元值还剩多少：门值的“边数”次方（12.4.2 节）"
    for each in chapter["retention"]:
        exact = plain(each["exact"])
        yield f"  {single(each['factor'])}^{each['edges']} " + (
            f"≈ {each['decimal']}" if exact.startswith("≈") else f"= {exact}")


def _tanh(q: Fraction, value: Any, indent: str = "    ") -> Iterator[str]:
    """tanh 的一行算式；零不用算，太大太长的写不下。"""
    if q and abs(q) <= 10 and len(str(q)) <= 8:
        up, down = (f"{power:f}" for power in digits.exponentials([q, -q], digits.FINE)[0])
        yield f"{indent}tanh({plain(q)})：({up} - {down}) / ({up} + {down}) ≈ {value:f}"


def _cell(given: dict[str, Any], cell: dict[str, Any]) -> Iterator[str]:
    """给定的门值，与单元值、隐藏值的算式。"""
    forget, old, write, candidate, out = (given[name] for name in (
        "forget", "previous_cell", "input", "candidate", "output"))
    yield (f"  给定 c_(t-1) = {plain(old)}，f_t = {plain(forget)}，i_t = {plain(write)}，g_t = {plain(candidate)}，"
           f"o_t = {plain(out)}")
    yield (f"  留下 {product((forget, old), cell['kept'])}，写入 {product((write, candidate), cell['written'])}，"
           f"c_t = {plain(cell['kept'])} + {term(cell['written'])} {equals(cell['cell'])}")
    yield from _tanh(cell["cell"], digits.tanh(cell["cell"]))
    fine = term(digits.tanh(cell["cell"], places=digits.FINE), "{:f}".format)
    yield f"  h_t = {term(out)} × tanh({plain(cell['cell'])}) ≈ {term(out)} × {fine} ≈ {cell['hidden']}"


def _answers(chapter: dict[str, Any]) -> Iterator[str]:
    first, second, third, fourth, fifth = (chapter[f"exercise_{n}"] for n in range(1, 6))
    start, distance = plain(first["start"]), first["distance"]
    yield f"\n习题 1  末端的变化率 {start}，向前跨越 {distance} 条边，就乘 {distance} 次"
    yield "  " + "；".join(f"{start} × {plain(factor)}^{distance} {equals(first[name])}"
                          for factor, name in zip(FACTORS, ("half", "three_halves")))
    yield "\n习题 2  只看最后一次乘法"
    yield (f"  报告 {plain(second['reported'])}，漏掉 {plain(second['missing'])}，和是 "
           f"{plain(second['weight_gradient'])}；{_updated(chapter['parameters'], second)}")
    if third is not None:
        cut = third["cut_after"]
        yield f"\n习题 3  例 12.1 在第 {cut} 次读取之后截断"
        yield (f"  状态 h_{cut} = {plain(third['carried'])} 照样传过去；dL/dw 只剩后一段的 "
               f"{plain(third['truncated_gradient'])}，完整的是 {plain(third['weight_gradient'])}。")
    yield "\n习题 4  操作门值"
    yield from _cell(fourth["given"], fourth)
    yield (f"  o_t 改为 {plain(fourth['given']['output_when_closed'])}：h_t = {plain(fourth['hidden_when_closed'])}，"
           f"c_t 仍是 {plain(fourth['cell_when_closed'])}")
    yield "\n习题 5  更新门 1，重置门 0；其余的数取自例 12.4"
    old, x = chapter["parameters"]["gru"]["previous_hidden"], chapter["parameters"]["gru"]["candidate_input"]
    candidate = f"≈ {digits.tanh(x, places=digits.FINE):f}" if x else "= 0"
    yield (f"  候选分支看不到旧状态，g_t = tanh({plain(x)}) {candidate}；h_t = 1 × {term(old)} + 0 × g_t "
           f"{equals(fifth['hidden'])}")
    yield f"  换成互补的约定，更新门为 1 就全取候选值：h_t {candidate}"
