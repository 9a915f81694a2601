"""第 12 章的版面，写法同 page_11.py。"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chapters.bundle import Bundle
from chapters.steps_table import narrow
from support.show import row, table, wrapped
from support.spelling import plain, term

EXERCISES = "习题 1、2、4、5"


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题。"""
    chapter = by_chapter["chapter_12"]
    yield "第 12 章：误差往回传，门控（权重与门值都是给定的，没有训练）"
    yield from _path(chapter["parameters"], chapter["example_12_1"], chapter["central_difference"])
    yield from _powers(chapter)
    yield from _gates(chapter)
    if everything:
        yield from _answers(chapter)


def _path(given: dict[str, Any], example: dict[str, Any], difference: dict[str, Any]) -> Iterator[str]:
    steps = len(given["inputs"])
    yield f"\n例 12.1  h_t = x_t + w·h_(t-1)，损失 L = 1/2·(h_{steps} - {term(given['target'])})^2"
    yield from wrapped(f"输入 {row(map(plain, given['inputs']))}，h_0 = {plain(given['initial'])}，w = "
                       f"{plain(given['weight'])}，学习率 {plain(given['learning_rate'])}", "  ")
    change = f"{plain(example['loss_change']['linear'])}·d + {plain(example['loss_change']['quadratic'])}·d^2"
    yield from wrapped(f"误差 {plain(example['error'])}，损失 {plain(example['loss'])}；"
                       f"末状态变 d，损失变 {change}", "  ")
    yield from wrapped(f"第二步增加 {plain(example['perturbation']['second'])}，第三步就增加 "
                       f"{plain(example['perturbation']['third'])}", "  ")
    yield "\n表 12.1  反传信号，以及共享权重每次使用的直接贡献"
    columns = [example[name] for name in ("previous_states", "states", "state_gradients", "weight_contributions")]
    yield from narrow(["t", "旧状态", "新状态", "dL/dh", "对 dL/dw 的贡献"], lambda show: [
        [str(t), *(show([number])[1:-1] for number in numbers)] for t, numbers in enumerate(zip(*columns), 1)])
    yield from wrapped(f"贡献之和 dL/dw = {plain(example['weight_gradient'])}；中心差分得 "
                       f"{plain(difference['slope'])}，步长 {plain(difference['step'])}，"
                       f"多出 {plain(difference['error'])}", "  ")
    yield from wrapped(f"走一步：w = {plain(example['updated_weight'])}，重算的末状态 "
                       f"{plain(example['updated_states'][-1])}，损失 {plain(example['updated_loss'])}", "  ")


def _powers(chapter: dict[str, Any]) -> Iterator[str]:
    yield "\n表 12.2  跨越的边数与信号乘数"
    yield from narrow(["距离", "每条边乘 0.5", "每条边乘 1.5"], lambda show: [
        [str(each["distance"]), show([each["half"]])[1:-1], show([each["three_halves"]])[1:-1]]
        for each in chapter["table_12_2"]])
    yield "\ntanh 与它的变化率 1 - tanh^2（12.3 节）"
    yield from table(["输入", "tanh", "变化率"], [
        [str(each["input"]), str(each["value"]), str(each["slope"])] for each in chapter["tanh"]])


def _gates(chapter: dict[str, Any]) -> Iterator[str]:
    lstm, gru = chapter["parameters"]["lstm"], chapter["parameters"]["gru"]
    cell, mixed, repeated = chapter["example_12_3"], chapter["example_12_4"], chapter["repeated_cell"]
    yield "\n例 12.3  LSTM：c = f·c + i·g，h = o·tanh(c)"
    yield from wrapped(f"留下 {plain(lstm['forget'])} × {plain(lstm['previous_cell'])} = {plain(cell['kept'])}，写入 "
                       f"{plain(lstm['input'])} × {plain(lstm['candidate'])} = {plain(cell['written'])}，单元值 "
                       f"{plain(cell['cell'])}", "  ")
    yield from wrapped(f"隐藏值 {plain(lstm['output'])} × tanh({plain(cell['cell'])}) ≈ {cell['hidden']}", "  ")
    if repeated["limit"] is not None:
        yield from wrapped(f"同样的门反复写入，单元值趋于 {plain(repeated['limit'])}", "  ")
    if repeated["cell"] is not None:
        yield from wrapped(f"候选值换成 {plain(repeated['candidate'])}，第 {repeated['steps']} 步到 "
                           f"{plain(repeated['cell'])}，在 -1 与 1 之外", "  ")
    yield "\n例 12.4  GRU：g = tanh(x + u·(r·h))，h = z·h + (1 - z)·g"
    yield from wrapped(f"候选分支看到 {plain(gru['reset'])} × {plain(gru['previous_hidden'])} = "
                       f"{plain(mixed['reset_state'])}，候选值 tanh({plain(gru['candidate_input'])} + "
                       f"{term(gru['candidate_recurrent_weight'])}×{term(mixed['reset_state'])}) ≈ "
                       f"{mixed['candidate']}", "  ")
    yield from wrapped(f"直接留下 {plain(gru['update_retains_old'])} × {plain(gru['previous_hidden'])} = "
                       f"{plain(mixed['kept'])}，新的隐藏值 ≈ {mixed['hidden']}", "  ")
    yield "\n门固定不变，旧单元值还剩多少（12.4 节）"
    yield from narrow(["门值", "边数", "剩下"], lambda show: [
        [plain(each["factor"]), str(each["edges"]),
         plain(each["exact"]) if not plain(each["exact"]).startswith("≈") else f"≈{each['decimal']}"]
        for each in chapter["retention"]])


def _answers(chapter: dict[str, Any]) -> Iterator[str]:
    first, second, fourth, fifth = (chapter[f"exercise_{n}"] for n in (1, 2, 4, 5))
    yield f"\n习题 1  末端变化率 {first['start']}，向前跨越 {first['distance']} 条边"
    yield f"  每条边 0.5：{plain(first['half'])}；每条边 1.5：{plain(first['three_halves'])}"
    yield "\n习题 2  只看最后一次乘法"
    yield from wrapped(f"报告 {plain(second['reported'])}，漏掉 {plain(second['missing'])}；总梯度 "
                       f"{plain(second['weight_gradient'])}，新权重 {plain(second['updated_weight'])}", "  ")
    yield "\n习题 4  操作门值"
    yield from wrapped(f"留下 {plain(fourth['kept'])}，写入 {plain(fourth['written'])}，"
                       f"单元值 {plain(fourth['cell'])}，隐藏值 ≈ {fourth['hidden']}", "  ")
    yield (f"  输出门为零时，隐藏值 {plain(fourth['hidden_when_closed'])}，单元值 "
           f"{plain(fourth['cell_when_closed'])}")
    yield "\n习题 5  更新门 1，重置门 0"
    yield from wrapped(f"候选值 {fifth['candidate']}，不起作用；隐藏值仍是 {plain(fifth['hidden'])}", "  ")
