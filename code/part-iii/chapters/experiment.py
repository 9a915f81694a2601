"""读者自己的输入：run.py --tokens …，精确计算，只打印，不写记录。"""
from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any, Iterator, Sequence
from unicodedata import normalize

from chapters import bundle, chapter_11
from chapters.bundle import MOST_TOKENS
from chapters.steps_table import name, step_rows
from core import Network, Step, read, step
from support import record
from support.command import Refused, quoted
from support.options import only, typed
from support.show import printed, wrapped

ALL_ROWS = 40  # 不超过这么多步，每一步都列出
FIRST, CHANGES, LAST = 8, 20, 3  # 更多时只列前几步、选择改变的前几步和最后几步


def changes(steps: Sequence[Step]) -> list[Step]:
    """选择与上一步不同的各步。"""
    return [after for before, after in zip(steps, steps[1:]) if before.choice != after.choice]


def selected(steps: Sequence[Step]) -> list[Step]:
    """要列出的各步。"""
    if len(steps) <= ALL_ROWS:
        return list(steps)
    shown = {each.t for each in (*steps[:FIRST], *changes(steps)[:CHANGES], *steps[-LAST:])}
    return [each for each in steps if each.t in shown]


def lines(net: Network, steps: Sequence[Step]) -> Iterator[str]:
    """逐步的表、选择在哪里改变、最后选什么。"""
    rows, turns = selected(steps), changes(steps)
    yield "候选：" + "、".join(net.candidates)
    yield from step_rows(list(map(chapter_11.recorded, rows)))
    if len(rows) < len(steps):
        yield from wrapped(f"共 {len(steps)} 步，略去 {len(steps) - len(rows)} 步：只列前 {FIRST} 步、"
                           f"选择改变的前 {CHANGES} 步和最后 {LAST} 步。", "  ")
    told = "；".join(f"第 {each.t} 步改选{name(each.choice)}" for each in turns[:CHANGES])
    more = f"；……共改变 {len(turns)} 次" if len(turns) > CHANGES else ""
    yield from wrapped(f"选择的变化：{told or '没有'}{more}。", "  ")
    yield f"  读完选：{name(steps[-1].choice)}"


def changed(net: Network, retain: list[str] | None, bias: list[str] | None) -> Network:
    """换上读者的递归权重与输出偏置。"""
    if retain is not None:
        net = chapter_11.retaining(net, only("retain", retain))
    if bias is not None:
        if len(bias) != len(net.candidates):
            raise Refused(f"命令行：--bias 后面应有 {len(net.candidates)} 个数"
                          f"（{'、'.join(net.candidates)} 各一个），实有 {len(bias)} 个")
        net = net._replace(output_bias=[typed("bias", text) for text in bias])
    return net


def token_ids(net: Network, words: Sequence[str]) -> list[int]:
    """命令行上各个词的 ID。"""
    if not 1 <= len(words) <= MOST_TOKENS:
        raise Refused(f"命令行：--tokens 后面应有 1 至 {MOST_TOKENS} 个 token，实有 {len(words)} 个")
    index = {word: i for i, word in enumerate(net.vocabulary)}
    for place, word in enumerate(words, 1):
        if word not in index:
            meant = respelt(net, word)
            apart = "，分开写，不加引号" if len(meant) > 1 else ""
            hint = f"（是不是 {' '.join(meant)}{apart}？）" if meant else ""
            known = "、".join(net.vocabulary)
            raise Refused(f"命令行：第 {place} 个 token {quoted(word)} 不在词表里{hint}；词表是 {known}")
    return [index[word] for word in words]


def respelt(net: Network, text: str) -> list[str]:
    """大写、全角、带逗号或中文写的词，认出原来的 token；认不全就一个也不给。"""
    known = {spelling.casefold(): token for token in net.vocabulary for spelling in (token, name(token))}
    parts = re.findall(r"[^\s,;、。]+", normalize("NFKC", text).casefold())
    return [known[part] for part in parts] if all(part in known for part in parts) else []


def main(given: dict[str, Any]) -> int:
    """打印读者自己的一串 token。"""
    net = bundle.load().network
    ids = token_ids(net, given["tokens"])
    net = changed(net, given["retain"], given["bias"])
    rows = len(ids) if given["json"] else min(len(ids), ALL_ROWS)
    bundle.refuse_long_read(net, len(ids), len(ids), rows, "", "命令行")
    zeros = [Fraction(0)] * len(net.initial)
    steps = [step(net, t, i, zeros) for t, i in enumerate(ids, 1)] if given["reset"] else read(net, ids)
    if given["json"]:
        print("\n".join([json.dumps(chapter_11.recorded(each), ensure_ascii=False, default=record.number)
                         for each in steps]))
    elif given["work"]:
        from chapters import by_hand

        printed(by_hand.lines(net, selected(steps), len(ids)))
    else:
        printed(lines(net, steps))
    return 0
