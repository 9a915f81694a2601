"""读者自己的输入：run.py --tokens …，精确计算，只打印，不写记录。"""
from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, Iterator, Sequence

from chapters import bundle, chapter_11
from chapters.bundle import MOST_TOKENS
from chapters.steps_table import name, step_rows
from core import Network, Step, read, step
from support import record
from support.command import Refused, quoted
from support.options import numbers
from support.show import wrapped

FIRST, LAST, CHANGES = 37, 3, 20  # 步数多时，只列前几步和最后几步，选择改变的只说前几处


def selected(steps: Sequence[Step]) -> list[Step]:
    """要列出的各步。"""
    return [each for each in steps if each.t <= FIRST or each.t > len(steps) - LAST]


def lines(net: Network, steps: Sequence[Step]) -> Iterator[str]:
    """逐步的表、选择在哪里改变、最后选什么。"""
    rows = selected(steps)
    turns = [after for before, after in zip(steps, steps[1:]) if before.choice != after.choice]
    yield "候选：" + "、".join(net.candidates)
    yield from step_rows(list(map(chapter_11.recorded, rows)))
    if len(rows) < len(steps):
        yield f"  共 {len(steps)} 步，只列前 {FIRST} 步和最后 {LAST} 步。"
    told = "；".join(f"第 {each.t} 步改选{name(each.choice)}" for each in turns[:CHANGES])
    more = f"；……共改变 {len(turns)} 次" if len(turns) > CHANGES else ""
    yield from wrapped(f"选择的变化：{told or '没有'}{more}。", "  ")
    yield f"  读完选：{name(steps[-1].choice)}"


def changed(net: Network, retain: list[str] | None, bias: list[str] | None) -> Network:
    """换上读者的递归权重与输出偏置。"""
    if retain is not None:
        net = chapter_11.retaining(net, *numbers("retain", retain))
    if bias is not None:
        net = net._replace(output_bias=numbers("bias", bias, len(net.candidates)))
    return net


def token_ids(net: Network, words: Sequence[str]) -> list[int]:
    """命令行上各个词的 ID。"""
    if not 1 <= len(words) <= MOST_TOKENS:
        raise Refused(f"命令行：--tokens 后面应有 1 至 {MOST_TOKENS} 个 token，实有 {len(words)} 个")
    for word in words:
        if word not in net.vocabulary:
            raise Refused(f"命令行：token {quoted(word)} 不在词表里；词表是 {'、'.join(net.vocabulary)}，"
                          "照样写，用空格分开，不加引号")
    return [net.vocabulary.index(word) for word in words]


def main(given: dict[str, Any]) -> int:
    """打印读者自己的一串 token。"""
    net = bundle.load().network
    ids = token_ids(net, given["tokens"])
    net = changed(net, given["retain"], given["bias"])
    rows = len(ids) if given["json"] else min(len(ids), FIRST + LAST)
    bundle.refuse_long_read(net, len(ids), len(ids), rows, "", "命令行")
    zeros = [Fraction(0)] * len(net.initial)
    steps = [step(net, t, i, zeros) for t, i in enumerate(ids, 1)] if given["reset"] else read(net, ids)
    if given["json"]:
        for each in steps:
            print(json.dumps(chapter_11.recorded(each), ensure_ascii=False, default=record.as_text))
    elif given["work"]:
        from chapters import by_hand

        print("\n".join(by_hand.lines(net, selected(steps), len(ids))))
    else:
        print("\n".join(lines(net, steps)))
    return 0
