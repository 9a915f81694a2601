"""What lesson_6_1.py prints, part by part, from the fields of its record: 80 columns, in characters that GBK has."""
from __future__ import annotations

import math
from typing import Any, Iterator, Sequence

from lesson.figure import Figure
from lesson.trainings import DIVERGED, LEARNED, Training
from support.show import table, wrapped
from support.verdicts import VERDICTS, Claim

DECADE, NARROW = 5, 3  # characters of a bar for a factor of ten: alone in its row, and beside five columns
FAINTEST = -8  # the power of ten at which a bar has no length
INDENT = "  "
SETTINGS = {  # the rows of the table over seeds
    "gd_0.3_800": "课文的训练，800 轮", "gd_0.3_8000": "　　8000 轮", "gd_0.3_64000": "　　64000 轮",
    "gd_1.0_800": "学习率 1.0，800 轮", "gd_1.0_8000": "　　8000 轮",
    "adam_0.01_800": "Adam 0.01，800 轮", "adam_0.001_800": "Adam 0.001，800 轮",
    "alpha_1.0_800": "alpha 1.0，800 轮", "recall_at_3_800": "第 3 步复述，800 轮",
    "hidden_32_800": "32 维，800 轮", "hidden_32_8000": "　　8000 轮",
    "hidden_32_adam_0.01_800": "　　Adam 0.01，800 轮",
    "without_wh_800": "Wh 固定为零，800 轮", "without_wh_adam_0.01_800": "　　Adam 0.01，800 轮",
    "lstm_forget_0_800": "LSTM，遗忘门偏置 0，800 轮", "lstm_forget_1_800": "LSTM，遗忘门偏置 1，800 轮",
}


# ---------------------------------------------------------------- pieces


def shown(value: Any) -> str:
    """Return a figure as it is recorded, or a dash for one that does not exist."""
    return "—" if value is None else str(value)


def rows(fields: Sequence[Any], *names: str) -> list[list[str]]:
    """Return the cells of a table."""
    return [[shown(row[name]) for name in names] for row in fields]


def bar(size: Figure | None, decade: int = DECADE) -> str:
    """Return a bar on a logarithmic scale.

    >>> bar(Figure(1.0, ".1f")), bar(Figure(1e-7, ".1e")), bar(Figure(0.0, ".1f")), bar(Figure(1e-2, ".1e"), NARROW)
    ('########################################', '#####', '', '##################')
    """
    if size is None or size.value <= 0:
        return ""
    return "#" * max(0, round((math.log10(size.value) - FAINTEST) * decade))


def gradient_table(fields: Sequence[Any]) -> Iterator[str]:
    """Yield what is left of the vector at each step, with a bar beside it."""
    yield f"\n从第 {len(fields)} 步往回传，到第 t 步还剩多少（条：每 {DECADE} 格差 10 倍）"
    cells = rows(fields, "t", "norm", "significant")
    yield from table(["t", "范数", "三位有效", "条"], [
        [*row, bar(field["significant"])] for row, field in zip(cells, fields)])


def training_table(training: Any) -> Iterator[str]:
    """Yield losses and accuracy of one training."""
    yield from table(["轮", "损失"], rows(training["losses"], "round", "loss"))
    yield f"{INDENT}测试准确率 {shown(training['test_accuracy'])}"


def states_table(title: str, fields: Sequence[Any]) -> Iterator[str]:
    """Yield the norms of hidden states."""
    yield f"\n{title}"
    yield from table(["步", "输入", "隐状态范数"], rows(fields, "t", "input", "norm"))


def says(text: str) -> list[str]:
    """Return a sentence below a table."""
    return wrapped(text, INDENT)


def seeds(counts: Any) -> str:
    """Return on how many seeds a training learned."""
    total = counts["learned"] + counts["not_learned"] + counts["undecided"]
    return f"{total} 个种子里 {counts['learned']} 个学会"


# ---------------------------------------------------------------- the lesson's log


def log(results: Any) -> Iterator[str]:
    """Yield the part of the log that needs no training."""
    yield "课文 6.1：8 维隐状态的 tanh 循环网络（随机数取自固定的数据文件，不再抽）"
    yield "\n参数"
    yield from table(["名称", "形状", "个数"], [
        [row["name"], "×".join(map(str, row["shape"])), str(row["count"])] for row in results["parameters"]])
    yield f"{INDENT}合计 {results['parameter_count']} 个"
    yield from states_table("五步输入之后的隐状态", results["hidden_norms"])
    yield from gradient_table(results["gradient_norms"])
    decay, seen = results["decay"], results["diagnosis"]
    slope = seen["tanh_derivative"]
    yield from says(
        f"每退一步乘 {shown(decay['smallest'])} 至 {shown(decay['largest'])}，几何平均 "
        f"{shown(decay['geometric_mean'])}；取对数后几乎在一条直线上"
        f"（相关系数的平方 {shown(decay['straightness'])}）。")
    yield from says(
        f"tanh 的导数 1-h^2 在 {slope['min']} 与 {slope['max']} 之间，平均 {slope['mean']}；{slope['count']} 个里有 "
        f"{slope['between_0.1_and_0.5']} 个落在 0.1 至 0.5。缩小梯度的是 Wh：它的最大奇异值是 "
        f"{seen['largest_singular_value']}，任何向量乘它一次，长度至多剩这么多倍。")
    yield from says(
        f"谱半径是一直只乘 Wh 时每步的倍数最后趋向的数，这里是 {seen['spectral_radius']}；从第 "
        f"{shown(seen['steps_until_spectral_radius'])} 步起才差不到 1%，而课文只退 "
        f"{results['setting']['steps_back']} 步，其中 {shown(decay['below_spectral_radius'])} 步的倍数比它小。")
    yield from says(
        f"课文估的 0.3^11 是 {seen['lesson_estimate']}，是第 1 步实测的 {shown(seen['estimate_over_measured'])} 倍。")


def recall(results: Any) -> Iterator[str]:
    """Yield the lesson's training."""
    own, counts = results["delayed_recall"], results["seeds"]["printed_losses"]
    yield "\n延迟复述：第 1 位是信号，第 8 步要答出来"
    yield from training_table(own)
    labels, tests, chances = own["train_labels"], own["test_labels"], own["predicted_probability_of_1"]
    yield from says(
        f"训练标签有 {labels['0']} 个 0、{labels['1']} 个 1，熵 {own['label_entropy']}：不看输入，损失最低就是它。"
        f"ln 2 是 {own['even_guess_loss']}。")
    yield from says(
        f"训练之后答 1 的概率：首位 0 时 {shown(chances['0'])}，首位 1 时 {shown(chances['1'])}。"
        f"测试标签也是抽的，碰巧有 {tests['0']} 个 0、{tests['1']} 个 1。")
    printed, _, after_five = results["listing"]
    yield from says(
        f"课文的清单用同一个随机数流抽标签：照印出的顺序有 {printed['ones']} 个 1，熵 {printed['entropy']}"
        f"（只在前面加抽五个，有 {after_five['ones']} 个，熵 {after_five['entropy']}）；所印损失停在 0.6909，要 140 "
        "个或 160 个 1。两处对不上，除非中间还抽过没有印出来的数。")
    yield from says(
        "清单也没有印训练的循环。这里取与所印损失相符的一种：全批量梯度下降，学习率 0.3，160 个 1，一组另抽的权重。"
        f"相符并不难：NumPy 另试过 {counts['tried']} 个种子，学习率 0.3 时 {counts['fit_at_0.3']} 个相符，1.0 时 "
        f"{counts['fit_at_1.0']} 个。所以它不是作者的网络，只是相符的一个。")


# ---------------------------------------------------------------- experiments


def wider(results: Any) -> Iterator[str]:
    """Yield the first 30-second experiment."""
    wide, counts = results["hidden_32"], results["seeds"]
    yield "\n30 秒实验一  隐层加到 32 维，退 8 步能剩多少"
    yield from gradient_table(wide["gradient_norms"])
    yield from training_table(wide["delayed_recall"])
    far, near = (fields["gradient_norms"][3]["significant"] for fields in (wide, results))
    yield from says(
        f"答：退 8 步（t = 4）剩 {far}，8 维剩 {near}。这要看抽到的权重：{counts['seeds']} 个种子里 "
        f"{counts['measures']['hidden_32_keeps_more_over_8_steps']} 个是 32 维剩得多。光加宽，800 轮学不会："
        f"{seeds(counts['trainings']['hidden_32_800'])}。")


def earlier(results: Any) -> Iterator[str]:
    """Yield the second 30-second experiment."""
    early = results["recall_at_3"]
    yield "\n30 秒实验二  第 3 步就复述，能学会吗，为什么"
    yield from training_table(early)
    first = "，".join(shown(row["Wx"]) for row in early["gradients"][:1])
    yield from says(
        f"答：能，{seeds(results['seeds']['trainings']['recall_at_3_800'])}。只隔两个空步，第 1 轮传到 Wx "
        f"的梯度有 {first}；隔七个空步时小得多，见下面“接着训练”的表。")


def larger(results: Any) -> Iterator[str]:
    """Yield the third 30-second experiment."""
    large, counts = results["alpha_1"], results["seeds"]
    yield "\n30 秒实验三  alpha 从 0.3 改成 1.0，梯度消失变慢还是更快"
    yield from states_table("五步输入之后的隐状态（alpha 1.0）", large["hidden_norms"])
    yield from gradient_table(large["gradient_norms"])
    yield from training_table(large["delayed_recall"])
    now, before = (fields["gradient_norms"][0]["significant"] for fields in (large, results))
    yield from says(
        f"答：变慢。退 11 步剩 {now}，原来剩 {before}；{counts['seeds']} 个种子里 "
        f"{counts['measures']['alpha_1.0_keeps_more_over_11_steps']} 个变慢，"
        f"{counts['trainings']['alpha_1.0_800']['learned']} 个 800 轮就学会。")


def longer(results: Any) -> Iterator[str]:
    """Yield how the lesson's training goes on, and the same at a higher rate."""
    yield "\n接着训练：损失停住以后，梯度还有多大"
    for rate, training in results["more_rounds"].items():
        yield f"\n{INDENT}学习率 {rate[5:]}：各轮梯度的范数（条是 Wx 的，每 {NARROW} 格差 10 倍）"
        names = ("Wx", "Wh", "b", "Wo", "bo")
        yield from table(["轮", *names, "条"], [
            [*cells, bar(row["Wx"], NARROW)]
            for row, cells in zip(training["gradients"], rows(training["gradients"], "round", *names))])
        losses = "，".join(f"{row['round']} 轮 {row['loss']}" for row in training["losses"])
        yield from says(f"损失：{losses}；测试准确率 {shown(training['test_accuracy'])}")
    outs = [shown(training["escaped_at"]) for training in results["more_rounds"].values()]
    yield f"\n{INDENT}走出来的那几轮（第几轮，损失）"
    both = [[[shown(row["round"]), shown(row["loss"])] for row in training["escape"]]
            for training in results["more_rounds"].values()]
    yield from table(["学习率 0.3", "损失", "学习率 1.0", "损失"], [left + right for left, right in zip(*both)])
    counts = results["seeds"]["trainings"]
    yield from says(
        f"答：它学得慢，没有停，也不是收敛。梯度一直不是零；第 {outs[0]} 轮（学习率 0.3）和第 {outs[1]} 轮（1.0）起"
        f"损失低于 {LEARNED}。换种子，学习率 0.3：800 轮，{seeds(counts['gd_0.3_800'])}；8000 轮 "
        f"{counts['gd_0.3_8000']['learned']} 个；64000 轮 {counts['gd_0.3_64000']['learned']} 个。")


def other_ways(results: Any) -> Iterator[str]:
    """Yield the trainings with another optimizer and without Wh."""
    yield "\n不改结构，只换优化器（Adam，0.01）"
    yield from training_table(results["adam"])
    yield from says(f"答：能学会，第 {shown(results['adam']['escaped_at'])} 轮起损失低于 {LEARNED}；"
                    f"{seeds(results['seeds']['trainings']['adam_0.01_800'])}。")
    yield "\nWh 固定为零"
    yield from training_table(results["no_recurrence"])
    yield from says("答：第 8 步看不到第 1 步，学不会。梯度下降训练 800 轮，有没有 Wh 都停在这里；用 Adam 才看得出来："
                    f"{seeds(results['seeds']['trainings']['without_wh_adam_0.01_800'])}。")


def structure(results: Any) -> Iterator[str]:
    """Yield the unrolled network, the feed-forward one, and what is remembered for how long."""
    copies = results["unrolled"]
    yield "\n展开之后"
    yield from says(f"每步一份权重，共 {copies['steps']} 步、{copies['parameter_count']} 个参数：输出"
                    f"{'相同' if copies['same_output'] else '不同'}，共享权重的梯度"
                    f"{'等于' if copies['gradient_is_sum_of_copies'] else '不等于'}各份梯度之和。")
    yield from table(["输入", "循环网络的末状态", "前馈网络的末状态"], [
        ["".join(map(str, row["inputs"])), shown(row["recurrent_norm"]), shown(row["feed_forward_norm"])]
        for row in results["feed_forward"]])
    yield from says("答：前馈网络只在第一层看输入。后面的输入都是零时，两者一样；不是零时，不一样。")
    yield "\n记得住多久：输入一个 1，再输入 11 个 0"
    yield from table(["Wh 放大的倍数", "谱半径", "第 1 步的范数", "第 12 步的范数"],
                     rows(results["memory"], "wh_times", "spectral_radius", "first_norm", "last_norm"))
    orders = "，".join(f"{''.join(map(str, row['inputs']))} 留下 {row['last_norm']}" for row in results["order"])
    yield from says(f"答：取决于 Wh；顺序也有关系：{orders}。")


# ---------------------------------------------------------------- seeds and verdicts


def table_of_seeds(results: Any) -> Iterator[str]:
    """Yield the counts over seeds."""
    counted = results["seeds"]
    last = counted["first_seed"] + counted["seeds"] - 1
    yield f"\n换种子：{counted['first_seed']} 至 {last} 号种子各抽一组权重，其余照旧"
    yield from says(
        "由 tests/oracles/seeds.py 用 NumPy 数出，写在 seeds.json 里，这里只读。学会：两种输入都答对，平均损失低于 "
        f"{LEARNED}。说不准：换个次序相加，或把权重改动一百亿分之一，损失就走上另一条路。")
    names = ("learned", "not_learned", "undecided")
    header = ["", "学会", "没学会", "说不准"]
    yield from table(header, [[SETTINGS[name], *(str(counts[key]) for key in names)]
                              for name, counts in counted["trainings"].items()])
    fit = counted["printed_losses"]
    yield f"\n{INDENT}{fit['tried']} 个种子里与所印损失相符的 {fit['fit_at_0.3']} 个（学习率 0.3）"
    yield from table(header, [[SETTINGS[name], *(str(counts[key]) for key in names)]
                              for name, counts in fit["trainings"].items()])


def claims(verdicts: dict[str, str], ledger: Sequence[Claim]) -> Iterator[str]:
    """Yield the verdict on each claim, by the lesson's sections."""
    yield "\n论断（各条怎样重做，见 printed-v1.json 的 repeat）"
    heading = ""
    for claim in ledger:
        section, _, elsewhere = claim.place.partition("、")
        if section != heading:
            yield f"\n{section}"
        heading = section
        also = f"（另见{elsewhere}）" if elsewhere else ""
        yield from says(f"{VERDICTS[verdicts[claim.identity]]}：{claim.wording}{also}")


# ---------------------------------------------------------------- a reader's own variation


def settings(hidden: int, alpha: float, recall_at: int, rate: float, rounds: int, drawn: bool) -> Iterator[str]:
    """Yield what a reader's variation is made of."""
    yield f"隐状态 {hidden} 维，alpha {alpha:g}，第 {recall_at} 步复述，学习率 {rate:g}，{rounds} 轮"
    if not drawn:
        yield from says("这个宽度的输入位没有抽过，下表用 8 维那一组；权重是同一个随机流里的前几个数。")


def variation(training: Training, shown_rounds: Sequence[int]) -> Iterator[str]:
    """Yield what came of a reader's training."""
    yield from training_table(training.fields(shown_rounds))
    if training.escaped_at is not None:
        yield f"{INDENT}第 {training.escaped_at} 轮起损失低于 {LEARNED}。"
    if training.diverged_at is not None:
        yield f"{INDENT}训练发散：第 {training.diverged_at} 轮的损失超过 {DIVERGED:g} 或不是有限数，就此停下。"
    else:
        yield f"{INDENT}答 1 的概率：首位 0 → {training.chance_of_1[0]:.4f}，首位 1 → {training.chance_of_1[1]:.4f}"
