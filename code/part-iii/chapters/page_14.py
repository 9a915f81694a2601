"""第 14 章的版面，写法同 page_11.py；分数、状态、上下文与读数以 a = ln 2 为单位，不精确时写小数。"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chapters.bundle import Bundle
from chapters.page_13 import row_in_a
from chapters.steps_table import narrow
from support.show import row, wrapped
from support.spelling import fraction, in_a, plain

EXERCISES = "习题 1、2、3、5"


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题。"""
    chapter = by_chapter["chapter_14"]
    tokens = [each["token"] for each in by_chapter["chapter_13"]["table_13_2"]["source"]]
    yield (f"第 14 章：注意力读取保存下来的状态（a = ln 2 ≈ {by_chapter['chapter_13']['unit_decimal']}；"
           "查询和读数都是给定的）")
    yield from _read("表 14.1  例 14.1", tokens, chapter["states"], chapter["example_14_1"])
    yield from _read("例 14.2", tokens, chapter["states"], chapter["example_14_2"])
    yield "\n对照的源序列，用同一个查询（14.4 节）"
    other = chapter["contrast"]["read"]
    yield from wrapped(f"状态 {'；'.join(map(row_in_a, chapter['contrast']['states']))}", "  ")
    yield from wrapped(f"权重 {_weights(other)}，上下文 {_context(other)}", "  ")
    yield from _deletions(chapter, tokens)
    storage = chapter["storage"]
    yield "\n存储与次数（14.6 节）"
    yield f"  固定上下文 {storage['fixed_numbers']} 个数，{storage['fixed_bytes']} 字节"
    yield f"  全部状态 {storage['saved_numbers']} 个数，{storage['saved_bytes']} 字节"
    yield f"  点积 {storage['dot_products']} 次"
    if everything:
        yield from _answers(chapter, tokens)


def _weights(read: dict[str, Any]) -> str:
    return row(map(fraction, read["weights"])) if read["weights"] is not None else row(read["weights_decimal"])


def _context(read: dict[str, Any]) -> str:
    return row_in_a(read["context"]) if read["context"] is not None else row(read["context_decimal"])


def readout(read: dict[str, Any]) -> str:
    """读数，精确的以 a 为单位。"""
    return in_a(read["readout"]) if read["readout"] is not None else str(read["readout_decimal"])


def _read(title: str, tokens: Sequence[str], states: Sequence[Any], read: dict[str, Any]) -> Iterator[str]:
    yield f"\n{title}  查询 {row(map(plain, read['query']))}"
    powers = read["exponentials"] or [None] * len(tokens)
    weights = [fraction(weight) for weight in read["weights"]] if read["weights"] else map(str, read["weights_decimal"])
    yield from narrow(["源位置", "状态", "分数", "指数值", "权重"], lambda _: [
        [f"{j}：{token}", row_in_a(state), in_a(score), "不是有理数" if power is None else plain(power), weight]
        for j, (token, state, score, power, weight) in enumerate(
            zip(tokens, states, read["scores"], powers, weights), 1)])
    total = "" if read["exponential_sum"] is None else f"指数值之和 {plain(read['exponential_sum'])}；"
    decimals = f" ≈ {row(read['context_decimal'])}" if read["context"] is not None else ""
    yield from wrapped(f"{total}上下文 {_context(read)}{decimals}，读数 {readout(read)}", "  ")


def _deletions(chapter: dict[str, Any], tokens: Sequence[str]) -> Iterator[str]:
    yield f"\n表 14.2  只移除一个保存的状态；读数的系数 {row(map(plain, chapter['parameters']['readout']))}"
    yield from narrow(["移除的位置", f"权重：{'、'.join(tokens)}", "新上下文", "读数"], lambda _: [
        ["不移除" if each["removed"] is None else f"{each['removed']}：{tokens[each['removed'] - 1]}",
         _weights(each["read"]), _context(each["read"]), readout(each["read"])] for each in chapter["table_14_2"]])
    if chapter["table_14_3"]:
        yield "\n表 14.3  删去一个输入的词，重新编码再读取"
        yield from narrow(["删去的词", "重算的状态", "上下文", "读数"], lambda _: [
            [f"{each['removed']}：{tokens[each['removed'] - 1]}", "；".join(map(row_in_a, each["states"])),
             _context(each["read"]), readout(each["read"])] for each in chapter["table_14_3"]])


def _answers(chapter: dict[str, Any], tokens: Sequence[str]) -> Iterator[str]:
    second, fifth = chapter["exercise_2"], chapter["exercise_5"]
    yield from _read("习题 1", tokens, chapter["states"], chapter["exercise_1"])
    yield "\n习题 2  误把位置的个数当分母"
    if second["wrong_weights"] is not None:
        why = "这里碰巧是一" if second["sum"] == 1 else "不是概率分布"
        yield f"  {row(map(fraction, second['wrong_weights']))}，和是 {fraction(second['sum'])}，{why}"
    zero = second["zero_query"]
    sums = f"，指数值 {row(zero['exponentials'])}，和是 {zero['exponential_sum']}" if zero["exponentials"] else ""
    yield from wrapped(f"查询 {row(map(plain, zero['query']))} 的分数 {row_in_a(zero['scores'])}{sums}，权重 "
                       f"{_weights(zero)}", "  ")
    yield "\n习题 3  两种删除的上下文"
    yield from narrow(["位置", "只移除状态", "删去输入"], lambda _: [
        [f"{two['removed']}：{tokens[two['removed'] - 1]}", _context(one["read"]), _context(two["read"])]
        for one, two in zip(chapter["table_14_2"][1:], chapter["table_14_3"])])
    yield f"\n习题 5  {fifth['states']} 个状态"
    yield f"  {fifth['numbers']} 个数，{fifth['bytes']} 字节，{fifth['dot_products']} 次点积"
