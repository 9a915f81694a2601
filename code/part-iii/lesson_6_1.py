"""Lesson 6.1: repeat its log on pinned draws, run its experiments, record the figures, print them with verdicts.

    lesson/pinned.py         what NumPy drew and counted
    lesson/tanh_rnn.py       the network: forward, backward through time, gradient descent
    lesson/trainings.py      the delayed recall task and the trainings on it
    lesson/measures.py       states, the vector that is carried back, Wh, the unrolled network
    lesson/lesson_claims.py  the verdicts
    lesson/lesson_page.py    what is printed, part by part

Binary floats throughout; only rounded figures are recorded, and tests/oracles/ proves each of them with more digits.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

from typing import Any, Callable, Iterable, Iterator

from lesson import lesson_claims, lesson_page, measures
from lesson.figure import figure
from lesson.pinned import DRAWS, HIDDEN, PRINTED, RECALL_AT, RECORD, SEEDS, WIDTHS, Draws, read_draws, read_seeds
from lesson.trainings import ALPHA, FAST_LONG, FAST_RATE, LONG, RATE, ROUNDS, SHOWN, adam, descent, train
from support import command, record, verdicts
from support.command import Refused, located, quoted
from support.options import only, parsed

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


WIDE = 300  # rounds of the wide network: one costs ten of the narrow one, and its loss stands from round 100
STEPS = ("课文的训练", "32 维", "第 3 步复述", "alpha 1.0", "接着训练", "学习率 1.0", "Adam", "Wh 固定为零")
OPTIONS = ("hidden", "alpha", "recall-at", "rate", "rounds")
Show = Callable[[Iterable[str]], None]


def step(name: str) -> str:
    """Return what the progress line of a training says."""
    return f"第 {STEPS.index(name) + 1} 步，共 {len(STEPS)} 步：{name}"


def results(draws: Draws, seeds: dict[str, Any], show: Show = lambda lines: None) -> dict[str, Any]:
    """Return everything that is recorded; `show` gets the lines of each part as soon as its fields are known."""
    recorded: dict[str, Any] = {"seeds": seeds}

    def part(lines: Callable[[Any], Iterator[str]], **fields: Any) -> None:
        recorded.update(fields)
        show(lines(recorded))

    part(lesson_page.log, **measures.log(draws))
    rounds = descent(draws)
    own = train(rounds, ROUNDS, draws, step("课文的训练"), kept=(1, 100, 800))
    part(lesson_page.recall, delayed_recall=measures.delayed_recall(draws, own), listing=measures.listing(draws))
    wide = train(descent(draws, hidden=WIDTHS[1]), WIDE, draws, step("32 维"))
    part(lesson_page.wider, hidden_32={
        "hidden": WIDTHS[1], "steps_back": 8, "gradient_norms": measures.gradient_norms(draws, hidden=WIDTHS[1]),
        "delayed_recall": wide.fields()})
    early = train(descent(draws, recall_at=3), ROUNDS, draws, step("第 3 步复述"), recall_at=3, kept=(1,))
    part(lesson_page.earlier, recall_at_3={
        "recall_at": 3, **early.fields(), "gradients": measures.gradients(early)})
    steep = train(descent(draws, alpha=1.0), ROUNDS, draws, step("alpha 1.0"))
    part(lesson_page.larger, alpha_1={
        "alpha": figure(1.0, ".1f"), "hidden_norms": measures.hidden_norms(draws, alpha=1.0),
        "gradient_norms": measures.gradient_norms(draws, alpha=1.0), "delayed_recall": steep.fields()})
    slow = train(rounds, LONG - ROUNDS, draws, step("接着训练"), kept=(8000, 14000), earlier=own)
    fast = train(descent(draws, rate=FAST_RATE), FAST_LONG, draws, step("学习率 1.0"), kept=(1, 100, 800, 4000))
    part(lesson_page.longer, more_rounds={
        "rate_0.3": measures.longer(slow, (800, 4000, 8000, 12000, LONG)),
        "rate_1.0": measures.longer(fast, (800, 2000, 4000, FAST_LONG))})
    part(lesson_page.other_ways,
         adam=measures.longer(train(adam(draws), ROUNDS, draws, step("Adam")), SHOWN),
         no_recurrence=train(descent(draws, frozen=("Wh",)), ROUNDS, draws, step("Wh 固定为零")).fields())
    part(lesson_page.structure, unrolled=measures.unrolled(draws), feed_forward=measures.feed_forward(draws),
         memory=measures.memory(draws), order=measures.order(draws))
    part(lesson_page.table_of_seeds, seeds=recorded.pop("seeds"))  # the last field before the verdicts
    recorded["claims"] = lesson_claims.verdicts(recorded)
    return recorded


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
    options = parsed(arguments, OPTIONS)
    hidden = int(number(options, "hidden", HIDDEN, 1, draws.widest, whole=True))
    alpha = number(options, "alpha", ALPHA, 0, 10**6)
    recall_at = int(number(options, "recall-at", RECALL_AT, 1, RECALL_AT, whole=True))
    rate = number(options, "rate", RATE, 0, 10**6)
    last = int(number(options, "rounds", ROUNDS, 1, 10**5, whole=True))
    yield from lesson_page.settings(hidden, alpha, recall_at, rate, last, hidden in draws.twelve)
    yield from lesson_page.gradient_table(measures.gradient_norms(draws, hidden, alpha))
    training = train(descent(draws, hidden, alpha, rate, recall_at), last, draws, "训练", recall_at)
    yield from lesson_page.variation(training, sorted({1, *(last * k // 8 for k in range(1, 9))}))


def main(arguments: list[str]) -> int:
    """Write the record and print the lesson, or print a reader's variation."""
    if "-h" in arguments or "--help" in arguments:
        print(HELP)
        return 0
    draws = read_draws()
    if arguments:
        print("\n".join(variation(arguments, draws)))
        return 0
    seeds, digest = read_seeds()
    ledger = verdicts.claims(PRINTED)
    lost: list[OSError] = []  # a reader who goes away costs the rest of the page, not the record

    def show(lines: Iterable[str]) -> None:
        try:
            if not lost:
                print("\n".join(lines), flush=True)
        except OSError as error:
            lost.append(error)

    recorded = results(draws, seeds, show)
    inputs = [{"path": DRAWS, "sha256": draws.sha256}, {"path": SEEDS, "sha256": digest}]
    whole = {"record": "lesson-6-1-run-v1", "inputs": inputs, "results": recorded}
    command.write_record(located(RECORD), record.layout(whole) + "\n")
    show(lesson_page.claims(recorded["claims"], ledger))
    if lost:
        raise lost[0]
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
