"""第 13 章的版面，写法同 page_11.py；编码器的数以 a = ln 2 为单位。"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chapters.bundle import Bundle
from chapters.steps_table import narrow
from core import Vector
from support.show import row, words, wrapped
from support.spelling import in_a, plain

EXERCISES = "习题 1、3、4、5"
STOPPED = {"end": "选到 EOS，停止", "limit": "到了上限，停止"}


def row_in_a(numbers: Vector) -> str:
    """一行以 a 为单位的数。"""
    return row(map(in_a, numbers))


def lines(data: Bundle, by_chapter: dict[str, Any], everything: bool) -> Iterator[str]:
    """整页；everything 为真时加上习题。"""
    chapter = by_chapter["chapter_13"]
    yield f"第 13 章：读完再写（a = ln 2 ≈ {chapter['unit_decimal']}；权重和概率表都是给定的，没有训练）"
    yield from _encoders(chapter)
    yield from _timelines(chapter)
    if everything:
        yield from _answers(chapter)


def _encoders(chapter: dict[str, Any]) -> Iterator[str]:
    given, paths = chapter["parameters"], chapter["table_13_2"]
    yield "\n表 13.1  源词表及其全部嵌入"
    yield from narrow(["ID", "源 token", "给定嵌入"], lambda _: [
        [str(i), token, row_in_a(vector)]
        for i, (token, vector) in enumerate(zip(given["vocabulary"], given["embedding"]))])
    yield from wrapped("W_x = " + "；".join(row(map(plain, numbers)) for numbers in given["input_weight"]) + "，W_h = "
                       + "；".join(row(map(plain, numbers)) for numbers in given["recurrent_weight"])
                       + f"，b = {row_in_a(given['hidden_bias'])}，h_0 = {row_in_a(given['initial'])}", "  ")
    yield from _path("红色输入", paths["source"])
    yield from _path("蓝色输入", paths["contrast"])
    meeting, loose = chapter["meeting"], chapter["without_relu"]
    yield (f"  第 {meeting['t']} 次读取之后两条路径第一次相同：{row_in_a(meeting['state'])}。" if meeting
           else "  两条路径始终不同。")
    yield from wrapped(f"不经 ReLU，末状态是 {row_in_a(loose['source'])} 与 {row_in_a(loose['contrast'])}。", "  ")


def _path(title: str, readings: list[dict[str, Any]]) -> Iterator[str]:
    yield f"\n表 13.2  {title}（{words([each['token'] for each in readings])}）"
    yield from narrow(["读取位置", "旧状态", "输入", "激活前", "新状态"], lambda _: [
        [f"{each['t']}：{each['token']}", row_in_a(each["previous_state"]), row_in_a(each["input"]),
         row_in_a(each["preactivation"]), row_in_a(each["state"])] for each in readings])


def _timelines(chapter: dict[str, Any]) -> Iterator[str]:
    given, loss, free = chapter["parameters"], chapter["example_13_2"], chapter["table_13_5"]
    yield "\n表 13.3  训练时间线：当前输入与应预测的目标"
    yield from narrow(["目标步", "正确前缀", "当前输入", "应预测", "它的概率", "最可能的词"], lambda _: [
        [str(each["t"]), words(each["prefix"]) or "空", each["input"], each["target"], plain(each["probability"]),
         each["greedy"]] for each in chapter["table_13_3"]])
    yield "\n表 13.4  全部条件概率行"
    yield from narrow(["前一个 token", *given["candidates"]], lambda _: [
        [word, *(plain(number, 8, 4) for number in numbers)] for word, numbers in given["rows"].items()])
    yield "\n例 13.2  教师强制的评分"
    yield f"  整条目标的概率 {plain(loss['probability'])}"
    if loss["loss"] is None:
        yield "  概率是零，没有损失。"
    else:
        yield f"  总损失 {loss['loss']:f} nat，平均 {loss['mean_loss']} nat/token"
    yield f"\n表 13.5  生成时间线：自己的选择送进下一步（至多预测 {given['limit']} 次）"
    yield from narrow(["步骤", "当前输入", "最大概率", "选中输出"], lambda _: [
        [str(each["t"]), each["input"], plain(each["probability"]), each["output"]] for each in free["rows"]])
    cut = chapter["limit_of_two"]
    yield f"  {STOPPED[free['stopped']]}。若只许预测两次：{' '.join(cut['outputs'])}，{STOPPED[cut['stopped']]}。"
    events = (chapter["first_wrong_prediction"], chapter["first_different_input"])
    wrong, other = ("没有" if event is None else f"第 {event} 步" for event in events)
    yield f"  第一次预测错误：{wrong}；第一次输入不同：{other}。"


def _answers(chapter: dict[str, Any]) -> Iterator[str]:
    third, fifth = chapter["exercise_3"], chapter["exercise_5"]
    yield "\n习题 1  目标 " + " ".join(each["target"] for each in chapter["exercise_1"])
    yield "  " + "，".join(f"{each['input']} → {each['target']}" for each in chapter["exercise_1"])
    yield f"\n习题 3  blue 行换成 {row(map(plain, third['row']))}"
    yield f"  输出 {words(third['outputs'])}（{STOPPED[third['stopped']]}）"
    yield "\n习题 4  蓝色路径读到第 2 个词"
    for each in chapter["table_13_2"]["contrast"][1:2]:
        yield f"  激活前 {row_in_a(each['preactivation'])}，经过 ReLU {row_in_a(each['state'])}"
    yield "\n习题 5  不计 EOS"
    yield ("  概率是零，没有损失。" if fifth["loss"] is None else
           f"  {fifth['terms']} 项，总损失 {fifth['loss']:f}，平均 {fifth['mean_loss']}")
