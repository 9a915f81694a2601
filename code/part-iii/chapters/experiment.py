"""读者自己的输入：run.py --tokens …，精确计算，只打印，不写记录。

步骤与 run.py 的相同，用 long_input.py 的整数算；只有要显示的行才写成分数或小数。
"""
from __future__ import annotations

import json
import re
from collections import deque
from typing import Any, Iterable, Iterator, NamedTuple, Sequence
from unicodedata import normalize

from chapters import bundle, chapter_11
from chapters.long_input import Integers, Update, updates
from chapters.steps_table import Show, cells, fitted, name
from core import Network
from support import record
from support.command import Refused, quoted
from support.digits import Ratio, probabilities
from support.options import only, parsed, typed
from support.progress import watched
from support.show import printed, wrapped

ALL_ROWS = 40  # 不超过这么多步，每一步都列出
FIRST, CHANGES, LAST = 8, 20, 3  # 更多时只列前几步、选择改变的前几步和最后几步

HELP = f"""用法
  python3 code/part-iii/run.py                  写 run.json，打印第 11 章
  python3 code/part-iii/run.py --chapter 12     打印别的章
  python3 code/part-iii/run.py --tokens 词 …    读一串自己的 token，只打印

选项（不能缩写；数写作 1、3/4、-1/2 或 0.9，按原样精确计算）
  --chapter N      打印第几章：11、12、13、14 或 all
  --all            加上习题的答案和论断的判定
  --tokens 词 …    第 11 章词表里的词，从给定的初始状态读起
  --work           把每一步的算式写开，像在纸上算
  --retain R       把递归矩阵的对角元素都换成 R
  --bias B …       输出偏置，每个候选一个
  --reset          每读一个 token 前都把状态清零
  --json           每行一个 JSON 对象，字段与 run.json 的一步相同；
                   超过 {ALL_ROWS} 步时，只写表格会列出的那些步
  -h, --help       这页说明

例子
  亲手核对表 11.3
      python3 code/part-iii/run.py --tokens red key is --work
  习题 1  插入一个 filler；去掉它，或再加一个，看看 logits
      python3 code/part-iii/run.py --tokens blue filler key is
  习题 2  对角元素改成 1，再读长 blue 输入
      python3 code/part-iii/run.py --retain 1 --tokens \\
          blue filler filler filler filler filler filler key is
  习题 3  每次读取前清零，看看 red 的线索还在不在
      python3 code/part-iii/run.py --reset --tokens red key is"""
CHAPTERS = ("11", "12", "13", "14")


class Selection(NamedTuple):
    """要列出的各步，以及选择在哪里改变。"""

    rows: list[Update]
    changes: list[Update]  # 选择与上一步不同的步，只留前几个
    change_count: int


def selected(steps: Iterable[Update], count: int) -> Selection:
    """count 步里要列出的那些；各步只经过一次，不全留着。"""
    rows: list[Update] = []
    changes: list[Update] = []
    ends: deque[Update] = deque(maxlen=LAST)
    change_count, previous = 0, None
    for update in steps:
        changed = previous is not None and update.choice != previous
        previous = update.choice
        change_count += changed
        if changed and change_count <= CHANGES:
            changes.append(update)
        if count <= ALL_ROWS or update.t <= FIRST or changed and change_count <= CHANGES:
            rows.append(update)
        else:
            ends.append(update)
    return Selection(rows + [update for update in ends if update.t > count - LAST], changes, change_count)


def rows_shown(integers: Integers, shown: Sequence[Update]) -> list[str]:
    """要显示的各步；不约分，太长的数也很快。"""
    net = integers.net

    def rows(show: Show) -> list[dict[str, str]]:
        steps = []
        for update in shown:
            scale = integers.base * update.power
            state = [Ratio(number, scale) for number in update.state]
            logits = [Ratio(number, scale * integers.head_scale) for number in update.logits]
            steps.append(cells(update.t, net.vocabulary[update.token_id], state, logits, probabilities(logits),
                               net.candidates[update.choice], show))
        return steps

    return fitted(rows)


def lines(integers: Integers, selection: Selection, count: int) -> Iterator[str]:
    """读者的输入：逐步的表、选择在哪里改变、最后选什么。"""
    candidates = integers.net.candidates
    yield "候选：" + "、".join(candidates)
    yield from rows_shown(integers, selection.rows)
    if len(selection.rows) < count:
        yield from wrapped(f"共 {count} 步，略去 {count - len(selection.rows)} 步：只列前 {FIRST} 步、"
                           f"选择改变的前 {CHANGES} 步和最后 {LAST} 步。", "  ")
    changes = "；".join(f"第 {update.t} 步改选{name(candidates[update.choice])}" for update in selection.changes)
    more = f"；……共改变 {selection.change_count} 次" if selection.change_count > len(selection.changes) else ""
    yield from wrapped(f"选择的变化：{changes or '没有'}{more}。", "  ")
    yield f"  读完选：{name(candidates[selection.rows[-1].choice])}"


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
    if not words:
        raise Refused("命令行：--tokens 后面要有 token")
    index = {word: i for i, word in enumerate(net.vocabulary)}
    for place, word in enumerate(words, 1):
        if word not in index:
            meant = respelt(net, word)
            apart = "，分开写，不加引号" if len(meant) > 1 else ""
            hint = f"（是不是 {' '.join(meant)}{apart}？）" if meant else ""
            known = "、".join(net.vocabulary)[:200]
            raise Refused(f"命令行：第 {place} 个 token {quoted(word)} 不在词表里{hint}；词表是 {known}")
    return [index[word] for word in words]


def respelt(net: Network, text: str) -> list[str]:
    """大写、全角、带逗号或中文写的词，认出原来的 token；认不全就一个也不给。"""
    known = {spelling.casefold(): token for token in net.vocabulary for spelling in (token, name(token))}
    parts = re.findall(r"[^\s,;、。]+", normalize("NFKC", text).casefold())
    return [known[part] for part in parts] if all(part in known for part in parts) else []


def options(arguments: list[str]) -> dict[str, Any] | None:
    """命令行上的选项；chapter 是要打印的各章。-h 打印说明，没有选项。"""
    if "-h" in arguments or "--help" in arguments:
        print(HELP)
        return None
    given = parsed(arguments, ("tokens", "retain", "bias", "chapter"), ("reset", "json", "work", "all"))
    wanted = given["chapter"]
    if given["tokens"] is None:
        if any(given[option] for option in ("retain", "bias", "reset", "json", "work")) or [] in (
                given["retain"], given["bias"]):
            raise Refused("命令行：--retain、--bias、--reset、--json、--work 要和 --tokens 一起用")
        if wanted is not None and (len(wanted) != 1 or wanted[0] not in (*CHAPTERS, "all")):
            raise Refused(f"命令行：--chapter 后面应为 {'、'.join(CHAPTERS)} 或 all，实为 {quoted(' '.join(wanted))}")
        chapters = list(CHAPTERS) if wanted == ["all"] else wanted or ["11"]
        return {**given, "chapter": chapters}
    if wanted is not None or given["all"]:
        raise Refused("命令行：--chapter 和 --all 不与 --tokens 一起用")
    if given["json"] and given["work"]:
        raise Refused("命令行：--json 与 --work 只能选一个")
    return given


def main(given: dict[str, Any]) -> int:
    """打印读者自己的一串 token。"""
    net = bundle.load().network
    ids = token_ids(net, given["tokens"])
    net = changed(net, given["retain"], given["bias"])
    integers = Integers(net, given["reset"])
    chosen = selected(watched(updates(integers, ids), len(ids), "已读"), len(ids))
    if given["json"]:
        rows = watched(chosen.rows, len(chosen.rows), "已写")
        fields = (chapter_11.recorded(integers.step(update)) for update in rows)
        print("\n".join([json.dumps(each, ensure_ascii=False, default=record.number) for each in fields]))
    elif given["work"]:
        from chapters import by_hand

        printed(by_hand.lines(net, map(integers.step, chosen.rows), len(ids)))
    else:
        printed(lines(integers, chosen, len(ids)))
    return 0
