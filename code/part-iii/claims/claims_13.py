"""第 13 章的论断，各由已经算出的数值判定；写法同 claims_11.py。"""
from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any

from support.show import words
from support.spelling import plain, row_in_a
from support.verdicts import Decision, exhibited, known

PRINTED_LOSS = Decimal("1.2447947988461912")  # 例 13.2 与解答 5 所印


def reading_and_writing_lengths_differ(results: Any) -> Decision:
    """读几步不一定写几步。"""
    reads, writes = len(results["table_13_2"]["source"]), len(results["table_13_3"])
    exhibited(reads != writes)
    return True, f"读 {reads} 步，预测 {writes} 步"


def paths_meet_at_the_second_reading(results: Any) -> Decision:
    """两条路径都读完钥匙时第一次相同，之前不同。"""
    t = known(results["meeting"])["t"]
    red, blue = (results["table_13_2"][name] for name in ("source", "contrast"))
    first, tokens = [red[0]["state"], blue[0]["state"]], {red[t - 1]["token"], blue[t - 1]["token"]}
    return first[0] != first[1] and tokens == {"钥匙"}, (
        f"第 1 次 {row_in_a(first[0])} 与 {row_in_a(first[1])}，第 {t} 次相同")


def both_sources_end_alike(results: Any) -> Decision:
    """两条源序列读完，最终向量相同。"""
    red, blue = (results["table_13_2"][name][-1]["state"] for name in ("source", "contrast"))
    return red == blue, f"{row_in_a(red)} 与 {row_in_a(blue)}"


def relu_makes_them_meet(results: Any) -> Decision:
    """截断使它们相同：不经 ReLU，末状态不同。"""
    red, blue = (results["without_relu"][name] for name in ("source", "contrast"))
    return both_sources_end_alike(results)[0] and red != blue, f"不截断：{row_in_a(red)} 与 {row_in_a(blue)}"


def correct_prefix_whatever_is_likely(results: Any) -> Decision:
    """教师强制：即使最可能的词是错的，下一步输入仍是正确目标。"""
    steps = results["table_13_3"]
    wrong = [(one, two) for one, two in zip(steps, steps[1:]) if one["greedy"] != one["target"]]
    one, two = exhibited(wrong)[0]
    return all(two["input"] == one["target"] for one, two in zip(steps, steps[1:])), (
        f"第 {one['t']} 步最可能 {one['greedy']}，第 {two['t']} 步输入 {two['input']}")


def end_counts_start_does_not(results: Any) -> Decision:
    """EOS 是目标，要评分；BOS 只作输入；所以目标比词多一个。"""
    steps = results["table_13_3"]
    targets = [each["target"] for each in steps]
    more = len(targets) == len([word for word in targets if word not in ("BOS", "EOS")]) + 1
    return targets[-1] == "EOS" and steps[0]["input"] == "BOS" and more, f"目标 {words(targets)}"


def rows_sum_to_one(results: Any) -> Decision:
    """表 13.4 的每一行加起来是一，没有负数。"""
    rows = results["parameters"]["rows"]
    return all(sum(numbers) == 1 and min(numbers) >= 0 for numbers in rows.values()), f"{len(rows)} 行"


def sequence_probability_is_a_product(results: Any) -> Decision:
    """整条目标的概率是各步条件概率的乘积。"""
    product = prod((each["probability"] for each in results["table_13_3"]), start=Fraction(1))
    return product == results["example_13_2"]["probability"], plain(product)


def loss_to_sixteen_decimals(results: Any) -> Decision:
    """所印的十六位小数是损失的正确舍入。"""
    loss = known(results["example_13_2"]["loss"])
    return loss == PRINTED_LOSS, f"印的 {PRINTED_LOSS}，证明到十六位是 {loss:f}"


def small_loss_is_no_proof(results: Any) -> Decision:
    """平均损失比在全部候选里平均地猜还小，也就是概率大于猜中的概率；自由生成的第一步仍选错。"""
    first, scored = results["table_13_3"][0], results["example_13_2"]
    words = len(results["parameters"]["candidates"])
    exhibited(first["greedy"] != first["target"] and scored["probability"] * words ** len(results["table_13_3"]) > 1)
    return True, (f"平均损失 {scored['mean_loss']}，比平均地猜 {words} 个词的 ln {words} 小；"
                  f"第一步最可能 {first['greedy']}")


def limit_is_reported(results: Any) -> Decision:
    """没有选到 EOS 就到了上限，程序报告的是上限。"""
    cut = results["limit_of_two"]
    exhibited("EOS" not in cut["outputs"])
    return cut["stopped"] == "limit", f"两次预测 {' '.join(cut['outputs'])}，停在上限"


def wrong_prediction_before_other_input(results: Any) -> Decision:
    """第一次预测错误在第 1 步，第一次输入不同在第 2 步。"""
    wrong, other = (known(results[name]) for name in ("first_wrong_prediction", "first_different_input"))
    return (wrong, other) == (1, 2), f"第 {wrong} 步与第 {other} 步"


def later_words_recover(results: Any) -> Decision:
    """早期错误不必使后面的每个输出都错：一样多的输出，最后两个仍是目标的。"""
    outputs = [each["output"] for each in results["table_13_5"]["rows"]]
    targets = results["parameters"]["target"]
    exhibited(outputs != targets)
    same = len(outputs) == len(targets) and outputs[-2:] == targets[-2:]
    return same and targets[-2:] == [".", "EOS"], f"{words(outputs)} 对 {words(targets)}"


def other_encoders(results: Any) -> Decision:
    """换一个递归矩阵，两条源序列的末状态就不同；换了还相同，就判定不了。"""
    other = results["other_encoder"]
    exhibited(other["source"] != other["contrast"])
    corner = plain(other["recurrent_weight"][0][0])
    return True, f"W_h 左上角换成 {corner}：{row_in_a(other['source'])} 与 {row_in_a(other['contrast'])}"


def forcing_cannot_separate(results: Any) -> Decision:
    """第一个目标步，两条源序列给的上下文相同，输入都是 BOS，教师强制无从区分。"""
    first = results["table_13_3"][0]
    return both_sources_end_alike(results)[0] and first["input"] == "BOS" and not first["prefix"], (
        f"上下文相同，输入 {first['input']}")


def noun_repaired_colour_not(results: Any) -> Decision:
    """只换 blue 一行，名词对了，颜色仍错。"""
    outputs, targets = results["exercise_3"]["outputs"], results["parameters"]["target"]
    return outputs[:1] != targets[:1] and outputs[1:] == targets[1:], words(outputs)


def negative_coordinate_is_cut(results: Any) -> Decision:
    """蓝色路径读到钥匙，激活前有负数，激活后没有；第二个词不是钥匙，就判定不了。"""
    reading = known(dict(enumerate(results["table_13_2"]["contrast"])).get(1))
    exhibited(reading["token"] == "钥匙")
    return min(reading["preactivation"]) < 0 <= min(reading["state"]), (
        f"{row_in_a(reading['preactivation'])} 变成 {row_in_a(reading['state'])}")


def dropping_end_changes_the_mean(results: Any) -> Decision:
    """不计 EOS，总损失的数值不变，平均损失变了。"""
    whole, short = results["example_13_2"], results["exercise_5"]
    shown = f"平均 {known(whole['mean_loss'])} 变成 {short['mean_loss']}"
    same = whole["loss"] == short["loss"] and results["table_13_3"][-1]["probability"] == 1
    return same and whole["mean_loss"] != short["mean_loss"], shown
