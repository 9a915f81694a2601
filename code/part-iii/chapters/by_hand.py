"""run.py --tokens … --work：把每一步的算式写开，像在纸上算。每个乘积、每个零都写出来。

除了 e 的指数、概率和太长的数，全是精确的；舍入的地方写作 ≈。
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from chapters.steps_table import name
from core import Network, Step, Vector
from support import digits
from support.show import wrapped
from support.spelling import decimals, equals, single, term


def sum_of_products(numbers: Sequence[tuple[Vector, Sequence[Fraction]]], bias: Fraction, total: Fraction) -> str:
    """逐项相乘再相加的算式。"""
    products = [f"{term(a)}×{term(b)}" for left, right in numbers for a, b in zip(left, right)]
    return " + ".join([*products, term(bias)]) + f" {equals(total)}"


def lines(net: Network, steps: Sequence[Step], count: int) -> Iterator[str]:
    """要显示的各步，一步一段。"""
    yield "坐标的算式依次是：输入 × W_x 的一列，旧状态 × W_h 的一列，偏置。"
    yield "写 = 的都精确；写 ≈ 的各自舍入到六位（太长的数也是），参加计算的是没有舍入的数。"
    for step in steps:
        yield from _step(net, step)
    if len(steps) < count:
        yield f"\n共 {count} 步，写开了其中 {len(steps)} 步。"


def _step(net: Network, step: Step) -> Iterator[str]:
    t = step.t
    yield f"\n第 {t} 次读取：{step.token}"
    yield f"  h_{t} = ReLU(x_{t}·W_x + h_{t - 1}·W_h + b_h)"
    met = f"x_{t} = {decimals(step.input)}，h_{t - 1} = {decimals(step.previous_state)}"
    yield from wrapped(met, "    ")
    columns = zip(zip(*net.input_weight), zip(*net.recurrent_weight), net.hidden_bias, step.preactivation)
    for j, (into, recurrent, bias, uncut) in enumerate(columns, 1):
        cut = "，ReLU 截成 0" if uncut < 0 else "，ReLU 不变"
        sums = sum_of_products([(step.input, into), (step.previous_state, recurrent)], bias, uncut)
        yield from wrapped(f"坐标 {j}：{sums}{cut}", "    ")
    yield from wrapped(f"所以 h_{t} = {decimals(step.state)}", "    ")
    yield f"  z_{t} = h_{t}·W_y + b_y"
    for candidate, column, bias, logit in zip(net.candidates, zip(*net.output_weight), net.output_bias, step.logits):
        yield from wrapped(f"{name(candidate)}：{sum_of_products([(step.state, column)], bias, logit)}", "    ")
    yield f"  p_{t} = e^z / (两个 e^z 之和)"
    yield from _softmax(net, step)
    red, blue = step.logits
    why = "两个 logit 打平，选排在前面的" if red == blue else "logit 较大的是"
    yield f"  {why}{name(step.choice)}"


def _softmax(net: Network, step: Step) -> Iterator[str]:
    chances = digits.probabilities(step.logits)
    if max(map(abs, step.logits)) > digits.LARGEST_POWER or max(step.logits) < digits.LEAST_POWER:
        pairs = "，".join(f"{name(candidate)} ≈ {p}" for candidate, p in zip(net.candidates, chances))
        yield from wrapped(f"e 的幂太大或太小，不写成小数；{pairs}", "    ")
        return
    powers, total = digits.exponentials(step.logits)
    yield from wrapped("，".join(f"e^{single(z)} ≈ {power}" for z, power in zip(step.logits, powers))
                       + f"，和 ≈ {total}", "    ")
    for candidate, power, p in zip(net.candidates, powers, chances):
        yield from wrapped(f"{name(candidate)}：{power} ÷ {total} ≈ {p}", "    ")
