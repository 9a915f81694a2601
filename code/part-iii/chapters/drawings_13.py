"""第 13、14 章的图。画的是算出来的数，替代文字也从它们写起。"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from chapters.page_14 import readout
from support.picture import BLUE, FAINT, INK, RED, Bar, Picture, bars
from support.show import row
from support.spelling import row_in_a


def meeting(source: Sequence[Any], contrast: Sequence[Any]) -> Picture:
    """两条源序列的状态，读一个词一列；两边状态相同的时刻画成一格。表 13.2。"""
    pairs = [(source[0]["previous_state"], contrast[0]["previous_state"]),
             *((one["state"], two["state"]) for one, two in zip(source, contrast))]
    same = [one == two for one, two in pairs]
    met = next((t for t, equal in enumerate(same) if t and equal), None)
    box, gap, middle = 84, 96, 168
    heights = [(middle, middle) if equal else (middle - 72, middle + 72) for equal in same]
    drawn = Picture(32 + box + len(source) * (box + gap), 316,
                    f"第 {met} 次读取之后，两条路径走到一起" if met else "两条路径",
                    "；".join(f"第 {t} 次读取之后是 {row_in_a(one)} 与 {row_in_a(two)}"
                             for t, (one, two) in enumerate(pairs) if t) + "。")
    for t, readings in enumerate(zip(source, contrast), 1):
        left = 16 + t * (box + gap)
        together = same[t - 1] and same[t] and readings[0]["token"] == readings[1]["token"]
        for lane, reading in enumerate(readings[:1] if together else readings):
            colour = INK if together else (RED, BLUE)[lane]
            start, end = heights[t - 1][lane], heights[t][lane]
            drawn.arrow((left - gap, start), (left, end), colour)
            words = (start + end) // 2 + (52 if lane else -34 if start == end else -54)
            drawn.text(left - gap // 2, words, reading["token"], "middle", colour=colour)
            drawn.text(left - gap // 2, words + 20, row_in_a(reading["input"]), "middle", colour=colour)
            if min(reading["preactivation"]) < 0:
                below = end + (66 if lane else -54)
                drawn.text(left + box // 2, below, f"激活前 {row_in_a(reading['preactivation'])}", "middle",
                           colour=colour)
                drawn.text(left + box // 2, below + 20, "负数截成零", "middle", colour=colour)
    for t, pair in enumerate(pairs):
        for lane, state in enumerate(pair[:1] if same[t] else pair):
            left, y = 16 + t * (box + gap), heights[t][lane]
            drawn.box(left, y - 22, box, 44, FAINT[INK if same[t] else (RED, BLUE)[lane]], thick=4 if t == met else 2)
            drawn.text(left + box // 2, y + 6, row_in_a(state), "middle")
    return drawn


def timelines(chapter: dict[str, Any]) -> Picture:
    """两条时间线：教师强制的输入是正确目标，自己生成的输入是自己上一步选中的。表 13.3 与表 13.5。"""
    forced, free = chapter["table_13_3"], chapter["table_13_5"]["rows"]
    wrong, parted = chapter["first_wrong_prediction"], chapter["first_different_input"]
    events = [f"第 {wrong} 步第一次预测错误"] * bool(wrong) + [f"第 {parted} 步输入第一次不同"] * bool(parted)
    left, step, box = 104, 112, 84
    told = [f"{mode} {' '.join(each['input'] for each in rows)}，{said} {' '.join(each[key] for each in rows)}"
            for mode, rows, said, key in (("教师强制的输入", forced, "最可能的词", "greedy"),
                                          ("自己生成的输入", free, "选中", "output"))]
    drawn = Picture(left + step * max(len(forced), len(free)), 400, "两条时间线，第几步开始不同",
                    "；".join([*told, *events]) + "。")
    for name, y in (("教师强制", 64), ("输入", 110), ("最可能", 164), ("应预测", 206), ("自己生成", 246), ("输入", 290),
                    ("选中", 344)):
        drawn.text(14, y, name, bold=name in ("教师强制", "自己生成"))

    def cell(t: int, y: int, word: str, event: bool) -> None:
        drawn.box(left + step * (t - 1), y, box, 34, FAINT[RED] if event else FAINT[INK], RED if event else INK,
                  4 if event else 2)
        drawn.text(left + step * (t - 1) + box // 2, y + 23, word, "middle", bold=event)

    for each in forced:
        centre = left + step * (each["t"] - 1) + box // 2
        drawn.text(centre, 64, f"第 {each['t']} 步", "middle")
        drawn.arrow((centre, 121), (centre, 142))
        cell(each["t"], 87, each["input"], False)
        cell(each["t"], 142, each["greedy"], each["t"] == wrong)
        drawn.text(centre, 206, each["target"], "middle")
    for each in free:
        corner, centre = left + step * (each["t"] - 1), left + step * (each["t"] - 1) + box // 2
        drawn.arrow((centre, 301), (centre, 322))
        cell(each["t"], 267, each["input"], each["t"] == parted)
        cell(each["t"], 322, each["output"], False)
        if each is not free[-1]:
            drawn.arrow((corner + box, 339), (corner + step, 290))
    drawn.text(14, 384, "粗框：" + "；".join(events) if events else "两条时间线处处相同", bold=True)
    return drawn


def reads(tokens: Sequence[str], one: dict[str, Any], two: dict[str, Any]) -> Picture:
    """两次读取在各个源位置上的权重。表 14.1 与例 14.2。"""
    series = [f"查询 {row(read['query'])}" for read in (one, two)]
    texts = [list(map(str, read["weights"] or read["weights_decimal"])) for read in (one, two)]
    told = "；".join(f"{name} 的权重 {'、'.join(each)}" for name, each in zip(series, texts))
    return bars("同样的状态，不同的查询", f"源位置依次是 {'、'.join(tokens)}；{told}。", series, [
        Bar(f"{j + 1} {token}", [(Fraction(read["weights_decimal"][j]), text[j])
                                 for read, text in zip((one, two), texts)]) for j, token in enumerate(tokens)])


def deletions(tokens: Sequence[str], table_14_2: Sequence[Any], table_14_3: Sequence[Any]) -> Picture:
    """两种删除之后的读数：只移除一个保存的状态，或删去一个输入再编码。表 14.2 与表 14.3。"""
    rows = [Bar(f"{two['removed']} {tokens[two['removed'] - 1]}",
                [(Fraction(each["read"]["readout_decimal"]), readout(each["read"])) for each in (one, two)])
            for one, two in zip(table_14_2[1:], table_14_3)]
    told = "；".join(f"{each.name}，{each.values[0][1]} 与 {each.values[1][1]}" for each in rows)
    return bars(f"两种删除之后的读数（原来是 {readout(table_14_2[0]['read'])}）", f"{told}。",
                ["移除一个保存的状态", "删去一个输入，重新编码"], rows)
