"""Lesson 6.1: repeat its log on pinned draws, record the figures, print them with verdicts on what the lesson says.

lesson/ has what is drawn and counted (pinned.py), the network (tanh_rnn.py), trainings of it (trainings.py), what is
measured (measures.py), the verdicts (lesson_claims.py) and the page (lesson_page.py).
Binary floats throughout; only rounded figures are recorded, and tests/oracles/ proves each of them with more digits.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

import time
from typing import Any, Iterator, Sequence

from lesson import lesson_claims, lesson_page, measures, pinned
from lesson.figure import figure
from lesson.pinned import COUNTED, HIDDEN, RECALL_AT, WIDE, Draws, Setting
from lesson.trainings import train
from support import command, record, show, verdicts
from support.command import Refused, located, quoted
from support.options import numbers, parsed

HELP = """用法
  python3 code/part-iii/lesson_6_1.py             课文 6.1 的日志与结论，写记录
  python3 code/part-iii/lesson_6_1.py --answers   再加三个 30 秒实验、每条论断
  python3 code/part-iii/lesson_6_1.py [选项]      自己改一处，先猜再跑；只打印

选项（不能缩写）
  --hidden H        隐状态的维数，1 至 32（课文 8）
  --alpha A         初始权重的尺度（课文 0.3）
  --wh W            抽好之后 Wh 再乘几（课文 1），其余不动
  --recall-at T     第几步复述第 1 位，1 至 8（课文 8）
  --optimizer O     gd（梯度下降）或 adam（课文没有公布；gd 与所印数值相符）
  --rate R          学习率（课文没有公布；gd 用 0.3，adam 用 0.01）
  --rounds N        训练轮数，至多 100000（课文 800）
  --seed N          换成 N 号种子的权重，0 至 19，只有 8 维的
  --seeds           20 个种子各训练一遍，数出学会的；一共至多 400000 轮
  -h, --help        这页说明

课文的三个 30 秒实验：--hidden 32，--recall-at 3，--alpha 1.0
不改结构也学得会：--optimizer adam，--wh 2，--rounds 16000"""

# What an option may be, and whether it must be whole.
LIMITS = {"hidden": (1, WIDE, True), "alpha": (0, 10**6, False), "wh": (0, 10**6, False),
          "recall-at": (1, RECALL_AT, True), "rate": (0, 10**6, False), "rounds": (1, 10**5, True)}
MOST_ROUNDS, TIMED = 400_000, 20  # rounds of all seeds together; rounds that are timed
OWN, ADAM = COUNTED["gd_0.3_800"], COUNTED["adam_0.01_800"]
KEPT = (1, 100, 800, 8000, 14000)  # rounds of the long training whose gradient is recorded


def results(draws: Draws, seeds: dict[str, Any]) -> dict[str, Any]:
    """Return everything that is recorded but the verdicts."""
    wh_2, early, large, wide = (
        COUNTED[name] for name in ("wh_2_800", "recall_at_3_800", "alpha_1.0_800", "hidden_32_800"))
    return {
        **measures.log(draws),
        "delayed_recall": measures.delayed_recall(draws, train(draws, OWN)),
        "more_rounds": measures.more_rounds(train(draws, OWN._replace(rounds=16000), KEPT)),
        "adam": train(draws, ADAM).fields(),
        "wh_2": {"left": measures.left(draws, wh_2), **train(draws, wh_2).fields()},
        "hidden_32": {"hidden": WIDE, "steps_back": 8, "left": measures.left(draws, wide, 4)},
        "recall_at_3": {"recall_at": early.recall_at,
                        "signal": figure(train(draws, early._replace(rounds=1), (1,)).signals[1], ".2e")},
        "alpha_1": {"alpha": figure(large.alpha, ".1f"), "left": measures.left(draws, large)},
        "seeds": seeds}


# ---------------------------------------------------------------- the command line


def asked(options: dict[str, Any]) -> Setting:
    """Return the setting that a reader asks for."""
    optimizer, setting = options["optimizer"], OWN
    if optimizer not in (None, ["gd"], ["adam"]):
        raise Refused(f"命令行：--optimizer 应为 gd 或 adam，实为 {quoted(' '.join(optimizer))}")
    if optimizer == ["adam"]:
        setting = ADAM
    for name, (least, most, whole) in LIMITS.items():
        if options[name] is not None:
            setting = setting._replace(**{name.replace("-", "_"): number(name, options[name], least, most, whole)})
    return setting


def number(name: str, texts: Sequence[str], least: int, most: int, whole: bool) -> Any:
    """Return the value of an option, an int where it must be whole."""
    (value,) = numbers(name, texts)
    if not least <= value <= most or whole and value.denominator != 1:
        raise Refused(f"命令行：--{name} 应为 {least} 至 {most} 的{'整数' if whole else '数'}，实为 {quoted(texts[0])}")
    return int(value) if whole else float(value)


def takes(draws: Draws, setting: Setting, trainings: int = 1) -> str:
    """Return how long trainings will take, from the first rounds of one."""
    begin = time.perf_counter()
    train(draws, setting._replace(rounds=TIMED))
    seconds = max(1.0, (time.perf_counter() - begin) * setting.rounds / TIMED * trainings)
    return f"（约 {seconds:.0f} 秒）" if seconds < 100 else f"（约 {seconds / 60:.0f} 分钟）"


def variation(options: dict[str, Any], draws: Draws) -> Iterator[str]:
    """Yield the lines of a reader's own variation."""
    setting, many = asked(options), len(draws.seeds)
    if (options["seeds"] or options["seed"]) and setting.hidden != HIDDEN:
        raise Refused(f"命令行：种子的权重只有 {HIDDEN} 维的，不能同 --hidden {setting.hidden} 一起用")
    if options["seeds"]:
        if options["seed"]:
            raise Refused("命令行：--seed 与 --seeds 只能写一个")
        if setting.rounds * many > MOST_ROUNDS:
            raise Refused(f"命令行：--seeds 一共要 {setting.rounds * many} 轮，至多 {MOST_ROUNDS} 轮")
        trainings = pinned.read_seeds()[0]["trainings"]
        published = {counted: trainings[name] for name, counted in COUNTED.items()}.get(setting)
        yield f"{many} 个种子，{setting.said()}{takes(draws, setting, many)}"
        yield from lesson_page.over_seeds([train(draws._replace(weights=normals), setting, what=f"种子 {n}")
                                           for n, normals in enumerate(draws.seeds)], published)
        return
    whose = "与日志相符的网络"
    if options["seed"]:
        n = number("seed", options["seed"], 0, many - 1, whole=True)
        draws, whose = draws._replace(demonstration=draws.seeds[n], weights=draws.seeds[n]), f"种子 {n}"
    yield f"{whose}，{setting.said()}{takes(draws, setting)}"
    if setting.hidden not in draws.twelve:
        yield from lesson_page.says("这个宽度的输入位没有抽过，下表用 8 维那一组；权重是同一个随机流里的前几个数")
    yield from lesson_page.gradient_table(measures.gradient_norms(measures.carried(draws, setting)))
    yield from lesson_page.variation(train(draws, setting), setting.rounds)


def main(arguments: list[str]) -> int:
    """Write the record and print the lesson, or print a reader's variation."""
    if "-h" in arguments or "--help" in arguments:
        print(HELP)
        return 0
    options, draws = parsed(arguments, (*LIMITS, "optimizer", "seed"), ("answers", "seeds")), pinned.read_draws()
    if len(arguments) > options["answers"]:
        if options["answers"]:
            raise Refused("命令行：--answers 不同别的选项一起用")
        for line in show.folded(variation(options, draws)):
            print(line, flush=True)
        return 0
    (seeds, digest), ledger = pinned.read_seeds(), verdicts.claims(pinned.PRINTED)
    print(lesson_page.FIRST, flush=True)
    recorded = results(draws, seeds)
    reached = verdicts.judged(lesson_claims, recorded, ledger)
    recorded["claims"] = reached
    inputs = [{"path": pinned.DRAWS, "sha256": draws.sha256}, {"path": pinned.SEEDS, "sha256": digest}]
    whole = {"record": "lesson-6-1-run-v1", "inputs": inputs, "results": recorded}
    command.write_text(located(pinned.RECORD), record.layout(whole) + "\n")
    print("\n".join(lesson_page.page(recorded, reached, ledger, options["answers"])))
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
