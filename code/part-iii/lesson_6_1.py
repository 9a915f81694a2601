"""Lesson 6.1: repeat its log on pinned draws, run its experiments, record the figures, print them with verdicts.

    lesson/pinned.py         what NumPy drew
    lesson/tanh_rnn.py       the network: forward, backward through time, gradient descent
    lesson/trainings.py      the delayed recall task and the trainings on it
    lesson/measures.py       states, the vector that is carried back, Wh, the unrolled network
    lesson/lesson_claims.py  the verdicts
    lesson/lesson_page.py    the page

Binary floats throughout; only rounded figures are recorded, and tests/oracles/ proves each of them with more digits.
"""
from __future__ import annotations

import sys
from typing import Any, Iterator

from lesson import lesson_claims, lesson_page, measures
from lesson.pinned import DRAWS, FOLDER, HIDDEN, RECALL_AT, Draws, read_draws
from lesson.trainings import ALPHA, FAST_RATE, MORE_ROUNDS, RATE, ROUNDS, SHOWN_LONG, Training, by_adam, plain
from support import command, record, verdicts
from support.command import Refused, located, quoted
from support.options import only, parsed

PRINTED, RECORD = f"{FOLDER}/printed-v1.json", f"{FOLDER}/run.json"

HELP = """用法
  python3 code/part-iii/lesson_6_1.py           课文 6.1 的日志与判定，写记录
  python3 code/part-iii/lesson_6_1.py [选项]    自己改一处，先猜再跑；只打印

选项（不能缩写）
  --hidden H       隐状态的维数，1 至 32（课文 8）
  --alpha A        初始权重的尺度（课文 0.3）
  --recall-at T    第几步复述第 1 位，1 至 8（课文 8）
  --rate R         学习率（课文没有公布；0.3 与所印数值相符）
  --rounds N       训练轮数，至多 100000（课文 800）
  -h, --help       这页说明

课文的三个 30 秒实验
      python3 code/part-iii/lesson_6_1.py --hidden 32
      python3 code/part-iii/lesson_6_1.py --recall-at 3
      python3 code/part-iii/lesson_6_1.py --alpha 1.0"""


def short_trainings(draws: Draws) -> dict[str, Training]:
    """Return the trainings of 800 rounds with eight hidden units."""
    return {
        "delayed_recall": plain(draws, "课文的任务"),
        "recall_at_3": plain(draws, "第 3 步复述", recall_at=3),
        "alpha_1": plain(draws, "alpha 1.0", alpha=1.0),
        "adam": by_adam(draws),
        "no_recurrence": plain(draws, "Wh 固定为零", frozen=("Wh",)),
    }


def results(draws: Draws) -> dict[str, Any]:
    """Return everything that is recorded."""
    made = short_trainings(draws)
    more = {f"rate_{rate:.1f}": plain(draws, f"{MORE_ROUNDS} 轮，学习率 {rate}", rate=rate, last=MORE_ROUNDS,
                                      shown=SHOWN_LONG).fields()
            for rate in (RATE, FAST_RATE)}
    found: dict[str, Any] = {
        **measures.log(draws),
        "delayed_recall": measures.delayed_recall(draws, made["delayed_recall"]),
        "experiments": {
            "hidden_32": {"gradient_norms": measures.gradient_norms(draws, hidden=32),
                          "delayed_recall": plain(draws, "32 维", hidden=32).fields()},
            "alpha_1": {"hidden_norms": measures.hidden_norms(draws, alpha=1.0),
                        "gradient_norms": measures.gradient_norms(draws, alpha=1.0),
                        "delayed_recall": made["alpha_1"].fields()},
            "recall_at_3": made["recall_at_3"].fields(),
            "more_rounds": more,
            "adam": made["adam"].fields(),
            "no_recurrence": made["no_recurrence"].fields(),
            "unrolled": measures.unrolled(draws),
        },
        "diagnosis": measures.diagnosis(draws),
    }
    found["claims"] = lesson_claims.verdicts(found)
    return found


# ---------------------------------------------------------------- the command line


def number(options: dict[str, Any], name: str, usual: float, least: int, most: int, whole: bool = False) -> float:
    """Return the value of an option, or the lesson's own."""
    texts = options[name]
    if texts is None:
        return usual
    value = only(name, texts)
    if not least <= value <= most or whole and value.denominator != 1:
        kind = "整数" if whole else "数"
        raise Refused(f"命令行：--{name} 应为 {least} 至 {most} 的{kind}，实为 {quoted(texts[0])}")
    return int(value) if whole else float(value)


def variation(arguments: list[str], draws: Draws) -> Iterator[str]:
    """Yield the lines of a reader's own variation."""
    options = parsed(arguments, ("hidden", "alpha", "recall-at", "rate", "rounds"))
    hidden = int(number(options, "hidden", HIDDEN, 1, draws.widest, whole=True))
    alpha = number(options, "alpha", ALPHA, 0, 10**6)
    recall_at = int(number(options, "recall-at", RECALL_AT, 1, RECALL_AT, whole=True))
    rate = number(options, "rate", RATE, 0, 10**6)
    last = int(number(options, "rounds", ROUNDS, 1, 10**5, whole=True))
    shown = sorted({1, *(last * k // 8 for k in range(1, 9))})
    yield from lesson_page.settings(hidden, alpha, recall_at, rate, last, hidden in draws.twelve)
    yield from lesson_page.gradient_table(measures.gradient_norms(draws, hidden, alpha))
    yield from lesson_page.variation(plain(draws, f"{hidden} 维", hidden, alpha, rate, last, recall_at, shown))


def main(arguments: list[str]) -> int:
    """Write the record and print the lesson, or print a reader's variation."""
    if "-h" in arguments or "--help" in arguments:
        print(HELP)
        return 0
    draws = read_draws()
    if arguments:
        print("\n".join(variation(arguments, draws)))
        return 0
    texts = verdicts.texts(PRINTED)
    command.check_writable(located(RECORD))
    found = results(draws)
    made = {"record": "lesson-6-1-run-v1", "inputs": [{"path": DRAWS, "sha256": draws.sha256}], "results": found}
    command.write_text(located(RECORD), record.layout(made) + "\n")
    print("\n".join(lesson_page.lines(found, texts)))
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
