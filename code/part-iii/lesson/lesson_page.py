"""The page that lesson_6_1.py prints, from the fields of its record, in 80 columns."""
from __future__ import annotations

import math
from typing import Any, Iterator, Sequence

from lesson.trainings import DIVERGED, Training
from support.show import table, wrapped
from support.verdicts import claim_lines

DECADE = 5  # characters of a bar for a factor of ten
FAINTEST = -8  # the power of ten at which a bar has no length


def lines(found: Any, texts: dict[str, str]) -> Iterator[str]:
    """Yield the whole page."""
    yield from _log(found)
    yield from _experiments(found)
    yield from _called_for(found)
    yield from _diagnosis(found)
    yield from claim_lines(found["claims"], texts)


def bar(size: float) -> str:
    """Return a bar on a logarithmic scale.

    >>> bar(1.0), bar(1e-7), bar(0.0)
    ('########################################', '#####', '')
    """
    if size <= 0:
        return ""
    return "#" * max(0, round((math.log10(size) - FAINTEST) * DECADE))


def gradient_table(rows: Sequence[Any]) -> Iterator[str]:
    """Yield what is left of the vector at each step, with a bar beside it."""
    yield f"\n从第 {len(rows)} 步往回传，到第 t 步还剩多少（条：每 {DECADE} 格差 10 倍）"
    yield from table(["t", "范数", "三位有效", "条"], [
        [str(row["t"]), str(row["norm"]), str(row["significant"]), bar(row["significant"].value)] for row in rows])


def shown(value: Any) -> str:
    """Return a figure as it is recorded, or a dash for one that does not exist."""
    return "—" if value is None else str(value)


def training_table(made: Any) -> Iterator[str]:
    """Yield losses and accuracy of one training."""
    yield from table(["轮", "损失"], [[str(row["round"]), shown(row["loss"])] for row in made["losses"]])
    yield f"  测试准确率 {shown(made['test_accuracy'])}"


def variation(made: Training) -> Iterator[str]:
    """Yield what came of a reader's training."""
    yield from training_table(made.fields())
    if made.diverged_at is not None:
        yield f"  训练发散：第 {made.diverged_at} 轮的损失超过 {DIVERGED:g} 或不是有限数，就此停下。"
    else:
        yield f"  答 1 的概率：首位 0 → {made.chance_of_1[0]:.4f}，首位 1 → {made.chance_of_1[1]:.4f}"


def settings(hidden: int, alpha: float, recall_at: int, rate: float, rounds: int, drawn: bool) -> Iterator[str]:
    """Yield what a reader's variation is made of."""
    yield f"隐状态 {hidden} 维，alpha {alpha:g}，第 {recall_at} 步复述，学习率 {rate:g}，{rounds} 轮"
    if not drawn:
        yield from wrapped("这个宽度的输入位没有抽过，下表用 8 维那一组；权重是同一个随机流里的前几个数。", "  ")


def _states(title: str, rows: Sequence[Any]) -> Iterator[str]:
    yield f"\n{title}"
    yield from table(["步", "输入", "隐状态范数"], [[str(row[key]) for key in ("t", "input", "norm")] for row in rows])


def _log(found: Any) -> Iterator[str]:
    yield "课文 6.1：8 维隐状态的 tanh 循环网络（抽样取自固定的数据文件，不再抽）"
    yield "\n参数"
    yield from table(["名称", "形状", "个数"], [
        [row["name"], "×".join(map(str, row["shape"])), str(row["count"])] for row in found["parameters"]])
    yield f"  合计 {found['parameter_count']} 个"
    yield from _states("五步输入之后的隐状态", found["hidden_norms"])
    yield from gradient_table(found["gradient_norms"])
    recall = found["delayed_recall"]
    yield "\n延迟复述：第 1 位是信号，第 8 步要答出来"
    yield from wrapped("训练设置：课文没有公布种子、优化器和学习率；这里用的是与所印数值相符的一种"
                       "（全批量梯度下降，学习率 0.3），不是作者的，只是一个网络。", "  ")
    yield from training_table(recall)


def _experiments(found: Any) -> Iterator[str]:
    made = found["experiments"]
    narrow, wide = found["gradient_norms"], made["hidden_32"]["gradient_norms"]
    yield "\n三个 30 秒实验"
    yield "\n实验一  隐层加到 32 维"
    yield from gradient_table(wide)
    yield f"  退 8 步（t = 4）剩 {wide[3]['significant']}，8 维剩 {narrow[3]['significant']}。训练："
    yield from training_table(made["hidden_32"]["delayed_recall"])
    yield "\n实验二  改在第 3 步复述"
    yield from training_table(made["recall_at_3"])
    yield "\n实验三  alpha 改成 1.0"
    yield from _states("五步输入之后的隐状态（alpha 1.0）", made["alpha_1"]["hidden_norms"])
    yield from gradient_table(made["alpha_1"]["gradient_norms"])
    yield from training_table(made["alpha_1"]["delayed_recall"])


def _called_for(found: Any) -> Iterator[str]:
    made = found["experiments"]
    yield "\n课文的结论还应当这样检验"
    rows = [("学习率 0.3，8000 轮", made["more_rounds"]["rate_0.3"]),
            ("学习率 1.0，8000 轮", made["more_rounds"]["rate_1.0"]),
            ("Adam（0.01），网络不变", made["adam"]), ("Wh 固定为零", made["no_recurrence"])]
    for name, training in rows:
        losses = "、".join(f"{row['round']} 轮 {row['loss']}" for row in training["losses"])
        yield f"  {name}：测试准确率 {training['test_accuracy']}"
        yield from wrapped(losses, "      ")
    unrolled = made["unrolled"]
    same = "相同" if unrolled["same_output"] else "不同"
    summed = "等于" if unrolled["gradient_is_sum_of_copies"] else "不等于"
    yield from wrapped(f"展开成 {unrolled['steps']} 步、每步一份权重（共 {unrolled['parameter_count']} 个参数）："
                       f"输出{same}，共享权重的梯度{summed}各份梯度之和。", "  ")


def _diagnosis(found: Any) -> Iterator[str]:
    seen, recall = found["diagnosis"], found["delayed_recall"]
    slope = seen["tanh_derivative"]
    yield "\n诊断"
    yield from wrapped(f"1−h²（12 步 × 8 维）：最小 {slope['min']}，平均 {slope['mean']}，最大 {slope['max']}；"
                       f"落在 0.1 至 0.5 的占 {slope['share_between_0.1_and_0.5']}。", "  ")
    yield f"  Wh 的谱半径 {seen['spectral_radius']}，最大奇异值 {seen['largest_singular_value']}。"
    labels, tests = recall["train_labels"], recall["test_labels"]
    yield (f"  训练标签：0 有 {labels['0']} 个，1 有 {labels['1']} 个，熵 {recall['label_entropy']}；"
           f"ln 2 是 {recall['even_guess_loss']}。")
    yield f"  测试标签：0 有 {tests['0']} 个，1 有 {tests['1']} 个。"
    chances = recall["predicted_probability_of_1"]
    yield f"  训练之后答 1 的概率：首位 0 时 {chances['0']}，首位 1 时 {chances['1']}。"
    yield f"  第 1 轮里 ∂L/∂Wx 的范数 {recall['input_weight_gradient_norm']}。"
