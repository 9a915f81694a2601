"""第 13 章的版面，写法同 page_12.py；编码器的数以 a = ln 2 为单位。"""
from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import zip_longest
from math import prod
from typing import Any

from chapters.bundle import Bundle, times_unit
from chapters.steps_table import narrow
from support import digits
from support.show import words
from support.spelling import decimals, equals, plain, row_in_a, single

EXERCISES = "习题 1、3、4、5"
UNJUDGED = "表 13.4 之后的 Softmax，13.5 节的有限精度与 LSTM"
STOPPED = {"end": "选到 EOS，停止", "limit": "到了上限，停止"}
ROLES = {"红色": "颜色", "蓝色": "颜色", "。": "句号"}  # 表 13.2 与第 14 章的表怎样称呼一个位置


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题。"""
    chapter = by_chapter["chapter_13"]
    yield f"第 13 章：读完再写（a = ln 2 ≈ {chapter['unit_decimal']}；权重和概率表都是给定的，没有训练）"
    yield from _encoders(chapter)
    yield from _forced(chapter)
    yield from _free(chapter)
    if everything:
        yield from _answers(chapter)


def role(position: int, token: str) -> str:
    """一个位置在表里的称呼，如“1：颜色”。"""
    return f"{position}：{ROLES.get(token, token)}"


def inputs(chapter: dict[str, Any]) -> tuple[str, str]:
    """两条源序列的称呼：书中一条是红色，一条是蓝色。"""
    first = tuple(chapter["table_13_2"][name][0]["token"] for name in ("source", "contrast"))
    return ("红色输入", "蓝色输入") if first == ("红色", "蓝色") else ("源序列", "对照序列")


def _encoders(chapter: dict[str, Any]) -> Iterator[str]:
    given, paths = chapter["parameters"], chapter["table_13_2"]
    yield "\n表 13.1  源词表及其全部嵌入"
    yield from narrow(["ID", "源 token", "给定嵌入"], lambda _: [
        [str(i), token, row_in_a(vector)]
        for i, (token, vector) in enumerate(zip(given["vocabulary"], given["embedding"]))])
    units = times_unit(given["input_weight"]) == times_unit(given["recurrent_weight"]) == 1
    simple = units and not any(given["hidden_bias"])
    weights = "W_x 与 W_h 都是单位矩阵" if units else "，".join(
        f"{name} 的各行 {'；'.join(map(decimals, given[field]))}"
        for name, field in (("W_x", "input_weight"), ("W_h", "recurrent_weight")))
    yield f"  {weights}，b_h = {row_in_a(given['hidden_bias'])}，h_0 = {row_in_a(given['initial'])}"
    rule = "旧状态 + 输入" if simple else "旧状态·W_h + 输入·W_x + b_h"

    def uncut(each: dict[str, Any]) -> str:
        """ReLU 之前的算式。"""
        old, new = row_in_a(each["previous_state"]), row_in_a(each["input"])
        return f"{old} + {new}" if simple else f"{old}·W_h + {new}·W_x + b_h"

    red, blue = inputs(chapter)
    yield "\n表 13.2  用同一套权重编码 " + " 与 ".join(
        words([each["token"] for each in paths[field]]) for field in ("source", "contrast"))
    yield from narrow(["读取位置", f"{red}：\n{rule}", f"{red}：\n新状态", f"{blue}：\n新状态"], lambda _: [
        [role((one or two)["t"], (one or two)["token"]), *([uncut(one), row_in_a(one["state"])] if one else ["", ""]),
         row_in_a(two["state"]) if two else ""] for one, two in zip_longest(paths["source"], paths["contrast"])])
    yield f"  规则：新状态 = ReLU({rule})，负的坐标截成零。"
    for each in [each for each in paths["contrast"] if min(each["preactivation"]) < 0][:1]:
        yield (f"  {blue}第 {each['t']} 步：{uncut(each)} = {row_in_a(each['preactivation'])}，"
               f"截成 {row_in_a(each['state'])}")
    meeting, loose = chapter["meeting"], chapter["without_relu"]
    yield (f"  第 {meeting['t']} 次读取之后两条路径第一次相同：{row_in_a(meeting['state'])}。" if meeting
           else "  两条路径始终不同。")
    yield f"  不经 ReLU（这里另算的），末状态是 {row_in_a(loose['source'])} 与 {row_in_a(loose['contrast'])}。"


def _forced(chapter: dict[str, Any]) -> Iterator[str]:
    given, steps = chapter["parameters"], chapter["table_13_3"]
    yield "\n表 13.3  训练时间线：当前输入与应预测的目标"
    yield from narrow(["目标步", "正确前缀", "当前输入", "应预测", "它的概率", "最可能的词"], lambda _: [
        [str(each["t"]), words(each["prefix"]) or "空", each["input"], each["target"], plain(each["probability"]),
         each["greedy"]] for each in steps])
    yield "  规则：第一步输入 BOS，以后输入正确目标的前一个词；概率在表 13.4 里“当前输入”一行、“应预测”一列。"
    yield "\n表 13.4  全部条件概率行"
    yield from narrow(["前一个 token", *given["candidates"]], lambda _: [
        [word, *(plain(number, 8, 4) for number in numbers)] for word, numbers in given["rows"].items()])
    first, numbers = next(iter(given["rows"].items()))
    yield f"  每行的和是一：{first} 行 {' + '.join(plain(number, 8, 4) for number in numbers)} {equals(sum(numbers))}"
    loss = chapter["example_13_2"]
    yield "\n例 13.2  教师强制的评分"
    yield f"  概率 {' × '.join(plain(each['probability']) for each in steps)} {equals(loss['probability'])}"
    yield from _loss(steps, loss, len(steps))
    if loss["loss"] is not None:
        yield from _long_loss(loss)


def _loss(steps: list[dict[str, Any]], loss: dict[str, Any], over: int) -> Iterator[str]:
    """总损失逐项写开，与平均损失。"""
    if loss["loss"] is None:
        yield "  概率是零，损失是无穷大。"
        return
    chances = [each["probability"] for each in steps]
    yield f"  总损失 -{' - '.join(f'ln {single(chance)}' for chance in chances)}"
    terms = " + ".join(f"{each['loss']:f}" if each["loss"] else "0" for each in steps)
    yield f"    ≈ {terms} ≈ {digits.logarithm(prod(chances), scale=-digits.ONE)} nat"
    yield f"  平均 {loss['loss']:f} ÷ {over} ≈ {loss['mean_loss']} nat/token"


def _long_loss(loss: dict[str, Any]) -> Iterator[str]:
    """总损失印到十六位的真值与双精度的值；舍入得一样就不必说。"""
    exact = digits.logarithm(loss["probability"], 30, -digits.ONE)
    nearest = Decimal(float(exact))
    if round(nearest, 16) != loss["loss"]:
        yield f"  总损失的真值是 {f'{exact:f}'[:-10]}…，十六位小数 {loss['loss']:f}。"
        yield f"  程序常印 {nearest:.16f}：最近的双精度数约为 {nearest:.20f}。"
        if set(chance := plain(loss["probability"])) <= set("0123456789."):
            yield f"    python3 -c \"from decimal import Decimal; print(-Decimal('{chance}').ln())\""


def _free(chapter: dict[str, Any]) -> Iterator[str]:
    given, free = chapter["parameters"], chapter["table_13_5"]
    yield f"\n表 13.5  生成时间线：自己的选择送进下一步（至多预测 {given['limit']} 次）"
    yield from narrow(["步骤", "当前输入", "最大概率", "选中输出", "随后的操作"], lambda _: [
        [str(each["t"]), each["input"], plain(each["probability"]), each["output"],
         "停止" if each["t"] == len(free["rows"]) else f"输入 {each['output']}"] for each in free["rows"]])
    yield "  规则：在表 13.4 里“当前输入”一行取最大的一项，打平取排在前面的。"
    for each in free["rows"][1:2]:
        yield (f"  第 {each['t']} 步：{each['input']} 行 {decimals(given['rows'][each['input']])}，最大的是 "
               f"{plain(each['probability'])}，在 {each['output']} 一列。")
    yield f"  {STOPPED[free['stopped']]}。"
    cut = chapter["limit_of_two"]
    yield f"  书里没有算：只许预测两次，就是 {' '.join(cut['outputs'])}，{STOPPED[cut['stopped']]}。"
    events = (chapter["first_wrong_prediction"], chapter["first_different_input"])
    wrong, other = ("没有" if event is None else f"第 {event} 步" for event in events)
    yield f"  第一次预测错误：{wrong}；第一次输入不同：{other}。"


def _answers(chapter: dict[str, Any]) -> Iterator[str]:
    third, fifth = chapter["exercise_3"], chapter["exercise_5"]
    yield "\n习题 1  目标 " + " ".join(each["target"] for each in chapter["exercise_1"])
    yield "  " + "，".join(f"{each['input']} → {each['target']}" for each in chapter["exercise_1"])
    yield f"\n习题 3  blue 行换成 {decimals(third['row'])}"
    yield f"  输出 {words(third['outputs'])}（{STOPPED[third['stopped']]}）"
    yield f"\n习题 4  {inputs(chapter)[1]}读到第 2 个词"
    for each in chapter["table_13_2"]["contrast"][1:2]:
        yield f"  激活前 {row_in_a(each['preactivation'])}，经过 ReLU {row_in_a(each['state'])}"
    yield "\n习题 5  不计 EOS"
    yield from _loss(chapter["table_13_3"][:-1], fifth, fifth["terms"])
