"""What lesson_6_1.py prints, from the fields of its record: 80 columns, in characters that GBK has."""
from __future__ import annotations

import math
from typing import Any, Iterator, Sequence

from lesson.figure import Figure
from lesson.pinned import COUNTED, LSTM, RECORD
from lesson.trainings import LEARNED, Training
from support.record import said
from support.show import table, wrapped
from support.verdicts import Claim, Verdict, claim_lines, counted

DECADE, FAINTEST = 5, -8  # characters of a bar for a factor of ten; the power of ten at which it has no length
PROGRAM = "python3 code/part-iii/lesson_6_1.py"
FIRST = "课文 6.1：8 维隐状态的 tanh 循环网络，照日志重做一遍（要训练，几秒）"
AGAIN = [(f"{PROGRAM} --answers", "三个 30 秒实验，每条论断"), (f"{PROGRAM} --seeds", "自己把 20 个种子数一遍"),
         (f"{PROGRAM} -h", "改一处，再训练：选项"), ("python3 code/part-iii/check.py", "与期望、与所印的核对"),
         ("python3 code/part-iii/check.py --errata", "写给作者：每处改成什么")]


def rows(fields: Sequence[Any], *names: str) -> list[list[str]]:
    """Return the cells of a table."""
    return [[str(row[name]) for name in names] for row in fields]


def bar(size: Figure) -> str:
    """Return a bar on a logarithmic scale.

    >>> bar(Figure(1.0, ".1f")), bar(Figure(1e-7, ".1e")), bar(Figure(0.0, ".1f"))
    ('########################################', '#####', '')
    """
    return "#" * max(0, round((math.log10(size.value) - FAINTEST) * DECADE)) if size.value else ""


def says(text: str) -> list[str]:
    """Return a sentence below a table."""
    return wrapped(text + "。", "  ")


def gradient_table(fields: Sequence[Any]) -> Iterator[str]:
    """Yield what is left of the vector at each step, with a bar beside it."""
    yield f"\n从第 {len(fields)} 步往回传，到第 t 步还剩多少（条：每 {DECADE} 格差 10 倍）"
    cells = rows(fields, "t", "norm", "significant")
    yield from table(["t", "范数", "三位有效", "条"], [
        [*row, bar(field["significant"])] for row, field in zip(cells, fields)])


def training_table(training: Any) -> Iterator[str]:
    """Yield losses of one training, and since when it has learned."""
    yield from table(["轮", "损失"], rows(training["losses"], "round", "loss"))
    yield from says(f"第 {training['escaped_at']} 轮起损失低于 {LEARNED}" if training["escaped_at"] else "没有学会")


def seeds_table(seeds: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield on how many seeds trainings learn."""
    outcomes = {"learned": "学会", "not_learned": "没学会", "undecided": "说不准"}
    said = {**{name: setting.said() for name, setting in COUNTED.items()}, **LSTM}
    last = seeds["first_seed"] + seeds["seeds"] - 1
    yield from table([f"种子 {seeds['first_seed']} 至 {last}，各抽一组权重", *outcomes.values()], [
        [said[name], *(str(seeds["trainings"][name][key]) for key in outcomes)] for name in names])
    yield from says(f"NumPy 数的，在 seeds.json 里。学会：平均损失低于 {LEARNED}，两种输入就都答对了。"
                    "说不准：换个次序相加，或把权重改动一百亿分之一，损失就走上另一条路")


# ---------------------------------------------------------------- the page


def page(results: Any, reached: dict[str, Verdict], ledger: Sequence[Claim], everything: bool) -> Iterator[str]:
    """Yield the whole page but its first line, which is printed before the trainings."""
    yield f"\n课文的 {len(reached)} 条论断：{counted(reached, ledger)}。最要紧的："
    for claim in ledger:
        if claim.get("weight") == "grave":
            verdict = reached[claim["id"]]
            yield from wrapped(f"{said(verdict, True)}：{claim['claim']}", "  ")
            yield from wrapped(str(claim.get("instead")) if verdict == claim.get("verdict") else "", "    ")
    yield from log(results)
    yield from findings(results, {name: verdict.figures for name, verdict in reached.items()}, everything)
    if everything:
        yield from answers(results)
        yield from claim_lines(reached, ledger)
    yield "\n接下去"
    yield from table(["命令", "做什么"], AGAIN[everything:])
    yield f"\n已写 {RECORD}。"


def log(results: Any) -> Iterator[str]:
    """Yield the lesson's log."""
    yield "\n参数"
    yield from table(["名称", "形状", "个数"], [
        [row["name"], "×".join(map(str, row["shape"])), str(row["count"])] for row in results["parameters"]])
    yield f"  合计 {results['parameter_count']} 个"
    yield "\n五步输入之后的隐状态"
    yield from table(["步", "输入", "隐状态范数"], rows(results["hidden_norms"], "t", "input", "norm"))
    yield from gradient_table(results["gradient_norms"])
    yield "\n延迟复述：第 1 位是信号，第 8 步要答出来"
    yield from training_table(results["delayed_recall"])
    yield from says(f"测试准确率 {results['delayed_recall']['test_accuracy']}")
    yield from says("课文没有印训练的循环。这里取与所印损失相符的一种：全批量梯度下降，学习率 0.3，160 个 1，"
                    "一组另抽的权重。它不是作者的网络，只是相符的一个")


def findings(results: Any, figures: dict[str, str], everything: bool) -> Iterator[str]:
    """Yield the three findings with the figures that decide them; everything is the whole table over seeds."""
    recall, seen = results["delayed_recall"], results["diagnosis"]
    labels, first = recall["train_labels"], results["gradient_norms"][0]["significant"]
    yield "\n一、0.6909 是什么"
    yield from table(["数", "大小"], [
        [f"第 {recall['losses'][-1]['round']} 轮的损失", str(recall["losses"][-1]["loss"])],
        [f"训练标签（{labels['0']} 个 0、{labels['1']} 个 1）的熵", str(recall["label_entropy"])],
        ["ln 2", str(recall["even_guess_loss"])]])
    yield from says("不看输入，损失最低就是标签的熵")
    yield from says(figures["first-input-does-nothing"])
    yield "\n二、什么使梯度变小"
    yield from table(["网络", "退 11 步还剩"], [
        ["课文的网络", str(first)], ["去掉 tanh 的导数", str(seen["without_tanh"])],
        ["Wh 乘 2，其余不动", str(results["wh_2"]["left"])]])
    yield from says(figures["tanh-shrinks-the-gradient"])
    yield from says(
        f"Wh 的最大奇异值是 {seen['largest_singular_value']}，乘一次，长度至多剩这么多倍：必定变小。"
        f"实际每步平均乘 {seen['mean_factor']}，乘 11 次才印成零")
    yield "\n三、结构不变，怎样学得会"
    yield from seeds_table(results["seeds"], [*results["seeds"]["trainings"]] if everything else [
        "gd_0.3_800", "wh_2_800", "adam_0.01_800", "gd_0.3_64000"])
    outs = [results[name]["escaped_at"] or "—" for name in ("wh_2", "adam", "more_rounds")]
    yield from says(f"与日志相符的那个网络：Wh 乘 2，第 {outs[0]} 轮学会；Adam，第 {outs[1]} 轮；不改，第 {outs[2]} 轮")
    yield from says(figures["not-slow-but-not-started"])


def answers(results: Any) -> Iterator[str]:
    """Yield the 30-second experiments, the signal and the listing."""
    seeds, early = results["seeds"], results["recall_at_3"]
    learned, keeps = seeds["trainings"]["recall_at_3_800"]["learned"], seeds["measures"]["hidden_32_keeps_more"]
    yield "\n三个 30 秒实验"
    yield from table(["改什么", "看什么", "课文", "改后"], [
        ["隐状态 32 维", "退 8 步还剩", str(results["gradient_norms"][3]["significant"]),
         str(results["hidden_32"]["left"])],
        ["第 3 步复述", "第 1 轮传到 Wx 的梯度", str(results["more_rounds"]["signals"][0]["Wx"]),
         str(early["signal"])],
        ["alpha 1.0", "退 11 步还剩", str(results["gradient_norms"][0]["significant"]),
         str(results["alpha_1"]["left"])]])
    yield from says(f"一：要看抽到的权重，{seeds['seeds']} 个种子里 {keeps} 个是 32 维剩得多")
    yield from says(f"二：能学会，{seeds['seeds']} 个种子里 {learned} 个，因为只隔两个空步。三：消失变慢")
    yield "\n接着训练：传到 Wx 的信号有多强"
    yield from table(["轮", "梯度"], rows(results["more_rounds"]["signals"], "round", "Wx"))
    yield from training_table(results["more_rounds"])
    yield "\n照印出的清单跑"
    yield from table(["t", "清单", "日志"], [[*cells, str(own["norm"])] for cells, own in zip(
        rows(results["listing"], "t", "norm"), results["gradient_norms"])])
    yield from says("在抽十二个输入之前先抽日志里的五个（rg.random((1, 5, 1))），印出来的就是日志这一列")


# ---------------------------------------------------------------- a reader's own variation


def variation(training: Training, rounds: int) -> Iterator[str]:
    """Yield what came of a reader's training."""
    yield from training_table(training.fields([1, *(rounds * k // 8 for k in range(1, 9))]))
    yield f"  答 1 的概率：首位 0 → {training.chance_of_1[0]:.4f}，首位 1 → {training.chance_of_1[1]:.4f}"
    yield f"  测试准确率 {training.accuracy:.4f}"


def over_seeds(trainings: Sequence[Training], published: dict[str, int] | None) -> Iterator[str]:
    """Yield on how many seeds a reader's training learned, beside what NumPy counted of the same."""
    yield from table(["种子", "最后的损失", f"第几轮起低于 {LEARNED}"], [
        [str(n), f"{each.losses[-1]:.6f}", str(each.escaped_at or "—")] for n, each in enumerate(trainings)])
    learned = sum(each.losses[-1] < LEARNED for each in trainings)
    yield from says(f"{len(trainings)} 个种子里 {learned} 个学会")
    if published:
        yield from says(f"NumPy 数的（seeds.json）：学会 {published['learned']} 个，没学会 {published['not_learned']}"
                        f" 个，说不准 {published['undecided']} 个")
