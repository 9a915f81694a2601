"""第 11、12 章的图。画的是算出来的数，替代文字也从它们写起。"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import core
from core import ScalarPath
from support.picture import BLUE, FAINT, INK, RED, SUBSCRIPTS, Line, Note, Picture, log_chart
from support.show import row

COLOURS = {"red": RED, "红色": RED, "blue": BLUE, "蓝色": BLUE}


def unrolled(steps: Sequence[Any]) -> Picture:
    """同一个更新，一步一格：输入在格子上方，状态在箭头上，参数是共用的一组。对照图 11.1。"""
    box, gap = 84, 100
    width = gap + len(steps) * (box + gap)
    told = "；".join(f"第 {s['t']} 次读入 {s['token']} {row(s['input'])}，状态从 {row(s['previous_state'])} "
                    f"到 {row(s['state'])}" for s in steps)
    drawn = Picture(width, 280, f"同一个更新用 {len(steps)} 次", f"{told}。各次更新用同一组参数，只保存一份。")
    for t, state in enumerate([steps[0]["previous_state"], *(s["state"] for s in steps)]):
        x = t * (box + gap)
        drawn.arrow((max(x, 6), 140), (min(x + gap, width - 6), 140))
        drawn.text(x + gap // 2, 130, f"h{t}".translate(SUBSCRIPTS), "middle", bold=True)
        drawn.text(x + gap // 2, 164, row(state), "middle")
    for s in steps:
        x = gap + (s["t"] - 1) * (box + gap)
        drawn.text(x + box // 2, 60, s["token"], "middle", bold=True, colour=COLOURS.get(s["token"], INK))
        drawn.text(x + box // 2, 80, row(s["input"]), "middle")
        drawn.arrow((x + box // 2, 86), (x + box // 2, 112))
        drawn.box(x, 112, box, 56, FAINT[INK])
        drawn.text(x + box // 2, 146, "更新", "middle")
        drawn.line([(x + box // 2, 168), (x + box // 2, 214)], dashes="4 4")
    drawn.box(gap, 214, width - 2 * gap, 42, FAINT[INK], dashes="4 4")
    drawn.text(width // 2, 241, "共用一组 Wₓ、Wₕ、bₕ", "middle")
    return drawn


def falling(steps: Sequence[Any], boundary: Any, bias: Fraction) -> Picture:
    """长 blue 输入的每一步：蓝色的 logit 怎样落到红色之下。表 11.4 的第二行，一步一点。"""
    red, blue = ([s["logits"][i] for s in steps] for i in range(2))
    steady = set(red) == {bias}
    kept = f"红色的 logit，一直是偏置 {bias}" if steady else "红色的 logit"
    told = [f"蓝色的 logit 起初是 {blue[0]}，第 {len(steps)} 次更新之后是 {blue[-1]}"]
    notes, levels = [], [(blue[0], str(blue[0])), (red[-1], str(red[-1])), (blue[-1], str(blue[-1]))]
    if boundary:
        t, (here, there) = boundary["t"], boundary["logits"]
        event = "打平，选红色" if here == there else "更小，选红色"
        told.append(f"第 {t} 次更新，蓝色 {there} 对红色 {here}，{event}")
        if there > 0:
            notes.append(Note(t, there, (24, -36), (f"第 {t} 次：{there} 对 {here}", event)))
    title = "蓝色怎样落到红色之下" if boundary else "蓝色与红色的 logit"
    return log_chart(
        title, f"{'；'.join(told)}。{kept}。", "第几次更新，读入什么",
        [(s["t"], f"{s['t']}\n{s['token']}") for s in steps], [(value, text) for value, text in levels if value > 0],
        [Line("蓝色的 logit", "circle", BLUE, [(s["t"], value) for s, value in zip(steps, blue)]),
         Line(kept, "square", RED, [(s["t"], value) for s, value in zip(steps, red)])],
        notes, (bias, "这一侧选红色") if steady and bias > 0 else None)


def returned(path: ScalarPath) -> Picture:
    """标量路径：上面一行状态往右，下面一行误差往左，每退一步乘一次 w。表 12.1。"""
    w = path.weight
    states, slopes = core.path_states(path, w), core.state_gradients(path, w)
    parts = core.weight_contributions(path, w)
    box, gap = 132, 56
    right = 16 + len(states) * (box + gap)
    told = "；".join(f"∂L/∂h{t} 是 {slope}，对 ∂L/∂w 的贡献是 {part}"
                    for t, (slope, part) in enumerate(zip(slopes, parts), 1))
    drawn = Picture(right + 104, 296, f"误差往回走，每退一步乘一次 w = {w}", f"{told}；加起来 ∂L/∂w 是 {sum(parts)}。")
    for t, (x, state, slope, part) in enumerate(zip(path.inputs, states, slopes, parts), 1):
        left, last = 16 + (t - 1) * (box + gap), t == len(states)
        drawn.text(left + box // 2, 60, f"输入 {x}", "middle")
        drawn.arrow((left + box // 2, 66), (left + box // 2, 88))
        for y, name, value in ((88, f"h{t}", state), (168, f"∂L/∂h{t}", slope)):
            drawn.box(left, y, box, 40, FAINT[BLUE if y == 88 else RED])
            drawn.text(left + box // 2, y + 26, f"{name.translate(SUBSCRIPTS)} = {value}", "middle")
        drawn.arrow((left + box, 108), (left + box + gap, 108))
        drawn.arrow((left + box + gap, 188), (left + box, 188), RED)
        drawn.text(left + box + gap // 2, 102, "" if last else f"×{w}", "middle")
        drawn.text(left + box + gap // 2, 180, "" if last else f"×{w}", "middle", colour=RED)
        drawn.text(left + box // 2, 236, f"∂L/∂h{t}·h{t - 1} = ".translate(SUBSCRIPTS) + str(part), "middle")
    drawn.box(right, 88, 96, 120)
    for y, words in ((112, "损失"), (134, str(core.path_loss(path, w))), (174, "误差"), (196, str(slopes[-1]))):
        drawn.text(right + 48, y, words, "middle")
    drawn.text(16, 274, f"{len(parts)} 份贡献加起来：∂L/∂w = {sum(parts)}", bold=True)
    return drawn
