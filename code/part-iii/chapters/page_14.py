"""第 14 章的版面，写法同 page_12.py；分数、状态、上下文与读数以 a = ln 2 为单位，不精确时写小数。"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from chapters.bundle import Bundle
from chapters.page_13 import ROLES, inputs, role
from chapters.steps_table import narrow
from core import Vector, powers_of_two
from support.show import row, words
from support.spelling import decimals, equals, fraction, fractions, in_a, plain, row_in_a, single, term

EXERCISES = "习题 1、2、3、5"
UNJUDGED = "14.5 节的因果解释，14.6 节的先后与外部资料，表 14.4"


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题。"""
    chapter, before = by_chapter["chapter_14"], by_chapter["chapter_13"]
    tokens = [each["token"] for each in before["table_13_2"]["source"]]
    readout = chapter["parameters"]["readout"]
    yield f"第 14 章：注意力读取保存下来的状态（a = ln 2 ≈ {before['unit_decimal']}；查询和读数都是给定的）"
    yield "\n每次读取：分数 e_j = q·h_j；e^a 是 2，所以指数值是 2 的“分数里有几个 a”次方；"
    yield "  权重 = 指数值 ÷ 指数值之和；上下文 c = 权重乘状态之和；"
    yield f"  读数 r = {' + '.join(f'{term(factor)}·c_{j}' for j, factor in enumerate(readout, 1))}"
    yield from _read("表 14.1  例 14.1", tokens, chapter["states"], chapter["example_14_1"], readout)
    yield from _read("例 14.2", tokens, chapter["states"], chapter["example_14_2"], readout)
    other = chapter["contrast"]
    yield (f"\n{inputs(before)[1]}（{words([each['token'] for each in before['table_13_2']['contrast']])}），"
           f"用同一个查询 {decimals(other['read']['query'])}（14.4 节）")
    yield f"  状态 {'；'.join(map(row_in_a, other['states']))}，分数 {row_in_a(other['read']['scores'])}"
    yield f"  权重 {_weights(other['read'])}，{_sum(other['states'], other['read'])}"
    yield from _deletions(chapter, tokens, readout)
    count = chapter["storage"]
    yield f"\n存储与次数（14.6 节）：每个数 {count['bytes_per_number']} 字节，{count['steps']} 个输出步"
    yield (f"  固定的上下文 {count['fixed_numbers']} 个数，{count['fixed_numbers']} × {count['bytes_per_number']} = "
           f"{count['fixed_bytes']} 字节")
    yield _stored(count, count["positions"], count["fixed_numbers"], count["saved_numbers"], count["saved_bytes"])
    if everything:
        yield from _answers(chapter, tokens, readout)


def _weights(read: dict[str, Any]) -> str:
    return fractions(read["weights"]) if read["weights"] is not None else row(read["weights_decimal"])


def _context(read: dict[str, Any]) -> str:
    return row_in_a(read["context"]) if read["context"] is not None else row(read["context_decimal"])


def readout(read: dict[str, Any]) -> str:
    """读数，精确的以 a 为单位。"""
    return in_a(read["readout"]) if read["readout"] is not None else str(read["readout_decimal"])


def _dot(left: Vector, right: Vector, result: Fraction) -> str:
    """以 a 为单位的点积写开，如 1×a + 0×0 = a。"""
    products = [f"{term(a)}×{term(b, in_a)}" for a, b in zip(left, right)]
    return f"{' + '.join(products)} {equals(result, in_a)}"


def _sum(states: Sequence[Vector], read: dict[str, Any]) -> str:
    """上下文写开：各状态乘权重之和；权重不精确时只有小数。"""
    if read["weights"] is None:
        return f"上下文 ≈ {_context(read)}"
    terms = [f"{fraction(weight)}·{row_in_a(state)}" for weight, state in zip(read["weights"], states) if weight]
    return f"上下文 {' + '.join(terms)} = {_context(read)}"


def _readout(read: dict[str, Any], factors: Vector) -> str:
    if read["context"] is None:
        return f"读数 ≈ {readout(read)}"
    return f"读数 {_dot(factors, read['context'], read['readout'])}"


def _read(title: str, tokens: Sequence[str], states: Sequence[Vector], read: dict[str, Any],
          factors: Vector) -> Iterator[str]:
    query, powers, total = read["query"], read["exponentials"], read["exponential_sum"]
    yield f"\n{title}  查询 {decimals(query)}"
    exact = read["weights"] is not None and powers is not None

    def exponential(score: Fraction) -> str:
        """2 的“分数里有几个 a”次方。"""
        power = powers_of_two([score])
        return plain(power[0]) if power else "不是有理数"

    def weight(j: int) -> str:
        """一个位置的权重写开：指数值除以和。"""
        if not exact:
            return str(read["weights_decimal"][j])
        share, quotient = fraction(read["weights"][j]), f"{single(powers[j])}/{single(total)}"
        return share if quotient == share or "≈" in quotient else f"{quotient} = {share}"

    yield from narrow(["源位置", "状态", f"与 {decimals(query)} 的点积", "指数值", "归一化权重"], lambda _: [
        [role(j + 1, token), row_in_a(state), _dot(query, state, score), exponential(score), weight(j)]
        for j, (token, state, score) in enumerate(zip(tokens, states, read["scores"]))])
    if exact:
        yield f"  指数值之和 {' + '.join(map(plain, powers))} {equals(total)}"
    yield f"  {_sum(states, read)}"
    decimal = f"写成小数是 {row(read['context_decimal'])}；" if read["context"] is not None else ""
    yield f"  {decimal}{_readout(read, factors)}"


def _deletions(chapter: dict[str, Any], tokens: Sequence[str], factors: Vector) -> Iterator[str]:
    yield "\n表 14.2  只移除一个保存的状态：它不在分数里，也不在分母里"
    roles = "、".join(ROLES.get(token, token) for token in tokens)
    yield from narrow(["删去的位置", f"权重：{roles}", "新上下文", "读数 r"], lambda _: [
        ["不删除" if each["removed"] is None else role(each["removed"], tokens[each["removed"] - 1]),
         _weights(each["read"]), _context(each["read"]), readout(each["read"])] for each in chapter["table_14_2"]])
    for each in chapter["table_14_2"][2:3]:
        yield f"  第 {each['removed']} 位那一行："
        yield from _worked(chapter["states"], each["read"], factors)
    if chapter["table_14_3"]:
        yield "\n表 14.3  删去一个输入的词，重新编码再读取"
        yield from narrow(["删去的词", "重算的状态", "上下文", "读数 r"], lambda _: [
            [role(each["removed"], tokens[each["removed"] - 1]), "；".join(map(row_in_a, each["states"])),
             _context(each["read"]), readout(each["read"])] for each in chapter["table_14_3"]])
    for each in chapter["table_14_3"][1:2]:
        again = "；".join(f"{row_in_a(uncut)} 截成 {row_in_a(state)}"
                          for uncut, state in zip(each["preactivations"], each["states"]))
        yield f"  第 {each['removed']} 位那一行：重新编码 {again}"
        yield from _worked(each["states"], each["read"], factors)


def _worked(states: Sequence[Vector], read: dict[str, Any], factors: Vector) -> Iterator[str]:
    """一次读取写开：指数值、权重、上下文、读数。"""
    if read["exponentials"] is not None:
        powers = [plain(power) for power in read["exponentials"] if power is not None]
        yield f"    指数值之和 {' + '.join(powers)} {equals(read['exponential_sum'])}，权重 {_weights(read)}"
    yield f"    {_sum(states, read)}"
    yield f"    {_readout(read, factors)}"


def _stored(count: dict[str, Any], states: int, width: int, numbers: int, size: int) -> str:
    """存下这么多状态，几个数、几个字节，算几次点积。"""
    return (f"  全部状态 {states} × {width} = {numbers} 个数，{numbers} × {count['bytes_per_number']} = {size} 字节；"
            f"点积 {states} × {count['steps']} = {count['dot_products']} 次")


def _answers(chapter: dict[str, Any], tokens: Sequence[str], factors: Vector) -> Iterator[str]:
    second, fifth = chapter["exercise_2"], chapter["exercise_5"]
    yield from _read("习题 1", tokens, chapter["states"], chapter["exercise_1"], factors)
    yield "\n习题 2  误把位置的个数当分母"
    if second["wrong_weights"] is not None:
        why = "这里碰巧是一" if second["sum"] == 1 else "不是概率分布"
        yield f"  {fractions(second['wrong_weights'])}，和是 {fraction(second['sum'])}，{why}"
    zero = second["zero_query"]
    sums = f"，指数值 {decimals(zero['exponentials'])}，和是 {zero['exponential_sum']}" if zero["exponentials"] else ""
    yield f"  查询 {decimals(zero['query'])} 的分数 {row_in_a(zero['scores'])}{sums}，权重 {_weights(zero)}"
    yield "\n习题 3  两种删除的上下文"
    yield from narrow(["位置", "只移除状态", "删去输入"], lambda _: [
        [role(two["removed"], tokens[two["removed"] - 1]), _context(one["read"]), _context(two["read"])]
        for one, two in zip(chapter["table_14_2"][1:], chapter["table_14_3"])])
    yield f"\n习题 5  {fifth['states']} 个状态，{fifth['steps']} 个目标步"
    yield _stored(fifth, fifth["states"], fifth["width"], fifth["numbers"], fifth["bytes"])
