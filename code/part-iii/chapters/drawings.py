"""第 11 至 13 章的图。画的是算出来的数，替代文字也从它们写起；放不下的数整个不写，只写省略号。"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import core
from core import ScalarPath
from support.picture import BLUE, FAINT, INK, RED, SUBSCRIPTS, WIDTH, Line, Picture, chart
from support.spelling import equals, fraction, plain, row_in_a


def short(q: Fraction) -> str:
    """图上的一个数：分数，长的取三位有效数字。"""
    exact = fraction(q)
    return exact if len(exact) <= 8 else plain(q, 8, 3)


def falling(steps: Sequence[Any], boundary: Any, bias: Fraction) -> Picture:
    """长 blue 输入的每一步，两个候选的 logit。表 11.4 的第二行，一步一点。"""
    red, blue = ([s["logits"][i] for s in steps] for i in range(2))
    kept = "红色的 logit" + (f"，一直是偏置 {short(bias)}" if set(red) == {bias} else "")
    lost = bias if set(red) == {bias} and min(blue) < bias else None  # 蓝色落到这里，就选红色
    title, notes = "蓝色与红色的 logit", [] if lost is None else [("▒ 蓝色落在这里，就选红色", RED)]
    told = f"蓝色的 logit 起初是 {short(blue[0])}，第 {len(steps)} 次更新之后是 {short(blue[-1])}"
    if boundary:
        t, (here, there) = boundary["t"], boundary["logits"]
        event = f"蓝色 {short(there)} 对红色 {short(here)}，{'打平' if here == there else '更小'}，选红色"
        told += f"；第 {t} 次更新，{event}"
        notes.append((f"第 {t} 次：{event}", INK))
        if blue[0] > red[0] and blue[-1] < red[-1] and all(s["choice"] == "red" for s in steps[t:]):
            title = "蓝色怎样落到红色之下"
    few = [(s["t"], f"{s['t']}\n{s['token'] * (i == 0 or s['token'] != steps[i - 1]['token'])}")
           for i, s in enumerate(steps)] if len(steps) <= 10 else []
    return chart(
        title, f"{told}。{kept}。", ("第几次更新" + "，读入什么" * bool(few), "logit"),
        [Line("蓝色的 logit", "circle", BLUE, [(s["t"], value) for s, value in zip(steps, blue)]),
         Line(kept, "square", RED, [(s["t"], value) for s, value in zip(steps, red)])],
        [(value, short(value)) for value in (blue[0], red[-1], blue[-1])], few, lost, notes)


def returned(path: ScalarPath) -> Picture:
    """标量路径：左边状态往下，右边误差往上，每退一步乘一次 w；中间是各步的贡献。表 12.1。"""
    w, y = path.weight, path.target
    states, slopes = [path.initial, *core.path_states(path, w)], core.state_gradients(path, w)
    parts = core.weight_contributions(path, w)
    told = "；".join(f"∂L/∂h{t} 是 {short(slope)}，对 ∂L/∂w 的贡献是 {short(part)}"
                    for t, (slope, part) in enumerate(zip(slopes, parts), 1))
    many, total, error, loss = len(parts), *map(short, (sum(parts, Fraction(0)), slopes[-1], core.path_loss(path, w)))
    pitch, box, left, right = 88, 190, 10, WIDTH - 200
    drawn = Picture(152 + pitch * many, f"误差往回走，每退一步乘一次 w = {short(w)}",
                    f"{told}；加起来 ∂L/∂w 是 {total}。")
    for t, state in enumerate(states):
        top, before, this = 48 + pitch * t, *(f"h{n}".translate(SUBSCRIPTS) for n in (t - 1, t))
        drawn.box(left, top, box, 36, FAINT[BLUE], words=f"{this} {equals(state, short)}")
        if t:
            down, up = left + 125, right + box // 2
            drawn.box(right, top, box, 36, FAINT[RED], words=f"∂L/∂{this} {equals(slopes[t - 1], short)}")
            drawn.arrow([(down, top - pitch + 36), (down, top)])
            drawn.text(down - 8, top - 32, f"×{short(w)}", "end")
            drawn.text(down - 8, top - 12, f"加 {short(path.inputs[t - 1])}", "end")
            drawn.text((down + up) // 2, top - 22, f"∂L/∂{this}·{before} {equals(parts[t - 1], short)}", "middle",
                       room=up - down - 20)
        if t > 1:
            drawn.arrow([(up, top), (up, top - pitch + 36)], RED)
            drawn.text(up + 8, top - 22, f"×{short(w)}", colour=RED)
    drawn.arrow([(left + box, top + 18), (right, top + 18)])
    drawn.text(left, top + 64, f"目标 y = {short(y)}，误差 {this} - y = {error}，损失 {loss}")
    drawn.text(left, top + 88, f"{many} 份贡献加起来：∂L/∂w = {total}", bold=True)
    return drawn


def meeting(source: Sequence[Any], contrast: Sequence[Any]) -> Picture:
    """两条源序列的状态，从上往下，读一个词一行；两边状态相同的时刻画成一格。表 13.2。"""
    pairs = [(source[0]["previous_state"], contrast[0]["previous_state"]),
             *((one["state"], two["state"]) for one, two in zip(source, contrast))]
    same = [one == two for one, two in pairs]
    met = next((t for t, equal in enumerate(same) if t and equal), None)
    pitch, box, centre, lanes = 108, 150, [(WIDTH // 2, INK)], [(83, RED), (WIDTH - 83, BLUE)]
    title = "两条路径处处相同" if all(same) else f"第 {met} 次读取之后，两条路径走到一起" if met else "两条路径"
    drawn = Picture(16 + pitch * len(pairs), title,
                    "；".join(f"第 {t} 次读取之后是 {row_in_a(one)} 与 {row_in_a(two)}"
                             for t, (one, two) in enumerate(pairs) if t) + "。")
    for t, pair in enumerate(pairs):
        top, below = 48 + pitch * t, 84 + pitch * (t - 1)  # 这一格的上边，前一格的下边
        for (x, colour), state in zip(centre if same[t] else lanes, pair):
            drawn.box(x - box // 2, top, box, 36, FAINT[colour], thick=4 if t == met else 2, words=row_in_a(state))
        readings = [source[t - 1], contrast[t - 1]] if t else []
        together = same[t] and same[t - 1] and len({reading["token"] for reading in readings}) == 1
        for (x, colour), reading in zip(centre if together else lanes, readings):
            inward = 1 if x <= WIDTH // 2 else -1
            edge = WIDTH // 2 - inward * box // 2
            start = [(edge, below - 18), (x, below - 18)] if same[t - 1] else [(x, below)]
            end = [(x, top + 18), (edge, top + 18)] if same[t] else [(x, top)]
            drawn.arrow([(x, below), (x, top)] if together else start + end, colour)
            told = [reading["token"], row_in_a(reading["input"]), f"激活前 {row_in_a(reading['preactivation'])}"]
            for i, words in enumerate(told if min(reading["preactivation"]) < 0 else told[:2], 1):
                drawn.text(x + 10 * inward, below + 20 * i, words, "start" if inward > 0 else "end", colour=colour,
                           room=132)
    drawn.text(12, top + 62, "负数经过 ReLU 截成零" + "；只画到短的一条读完" * (len(source) != len(contrast)))
    return drawn
