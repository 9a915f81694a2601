"""Lesson 6.1: repeat its log on pinned draws, run its experiments, record the figures, print them with verdicts.

tanh_rnn.py has the network, lesson_claims.py the verdicts, lesson_page.py the page. Binary floats throughout; only
rounded figures are recorded, and oracles/ proves each of them with more digits.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

import math
import operator
from itertools import islice
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Sequence

from lesson import lesson_claims, lesson_page, tanh_rnn
from lesson.tanh_rnn import Case, Parameters, Round, Row, norm
from support import command, record, strict_json, verdicts
from support.command import ROOT, Refused, located, quoted
from support.options import only, parsed
from support.progress import watched
from support.strict_json import Node

FOLDER = "data/lesson-6-1"
DRAWS, PRINTED, RECORD = (f"{FOLDER}/{name}" for name in ("draws-v1.json", "printed-v1.json", "run.json"))
HIDDEN, ALPHA, STEPS, RECALL_AT = 8, 0.3, 12, 8  # width, scale of weights, steps of the gradient, step of the answer
RATE, FAST_RATE, ROUNDS, MORE_ROUNDS = 0.3, 1.0, 800, 8000
ADAM = {"rate": 0.01, "keep": 0.9, "keep_square": 0.999, "small": 1e-8}
SHOWN = (1, 100, 300, 500, 700, 800)  # rounds whose loss is recorded
SHOWN_LONG = (800, 2000, 4000, 4500, 5000, 8000)
DIVERGED = 10.0  # a loss that no guess has: e^-10 for the right class

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


class Draws(NamedTuple):
    """What NumPy drew, once and for all: normals for any width up to 32, bits for inputs and labels."""

    demonstration: list[float]
    weights: list[float]
    five: dict[int, list[int]]  # by width: the bits that follow the normals in the same stream
    twelve: dict[int, list[int]]
    train: list[int]
    test: list[int]
    sha256: str

    @property
    def widest(self) -> int:
        """Return the largest h whose h + h² + 2h normals were drawn."""
        return (math.isqrt(9 + 4 * min(len(self.demonstration), len(self.weights))) - 3) // 2


def read_draws(root: str = ROOT) -> Draws:
    """Return the pinned draws; raise Refused with the place of what is missing, short or not a number."""
    path = located(DRAWS, root)
    top, digest = strict_json.load(path)
    demonstration, training = top["demonstration"], top["training"]
    least = HIDDEN * (HIDDEN + 3)
    normals = [[float(item.rational()) for item in node["normals"].items("个正态数", least, 1 << 16)]
               for node in (demonstration, training["weights"])]
    widths = [8, 32]
    after = {h: demonstration[f"after_{h}"] for h in widths}
    labels = [_bits(training["labels"][name], None) for name in ("train", "test")]
    return Draws(normals[0], normals[1], {h: _bits(after[h]["five"], 5) for h in widths},
                 {h: _bits(after[h]["twelve"], STEPS) for h in widths}, labels[0], labels[1],
                 digest)


def _bits(node: Node, count: Optional[int]) -> list[int]:
    return [item.integer(0, 1) for item in node.items("个 0 或 1", 1, 1 << 16, count)]


def weights(normals: Sequence[float], hidden: int, alpha: float) -> Parameters:
    """Return the network that the lesson makes of standard normals: each times alpha/√h, biases zero."""
    scale, stream = alpha / math.sqrt(hidden), iter(normals)

    def matrix(rows: int, width: int) -> list[list[float]]:
        return [[scale * next(stream) for _ in range(width)] for _ in range(rows)]

    into, recurrent, out = matrix(1, hidden), matrix(hidden, hidden), matrix(hidden, 2)
    return Parameters(into, recurrent, [0.0] * hidden, out, [0.0, 0.0])


def sequence(bits: Iterable[int]) -> list[Row]:
    """Return bits as inputs of one coordinate each."""
    return [[float(bit)] for bit in bits]


def recall_cases(labels: Sequence[int], recall_at: int) -> list[Case]:
    """Return the delayed recall task: the first input is the label, zeros follow, the answer is due at `recall_at`.

    There are two different sequences, one for each label, with the number of times it was drawn.
    """
    return [Case(sequence([label] + [0] * (recall_at - 1)), label, labels.count(label)) for label in (0, 1)]


class Training(NamedTuple):
    """What a training leaves behind."""

    losses: dict[int, float]  # of the rounds that are shown
    accuracy: float  # on the test labels
    chance_of_1: list[float]  # for first input 0 and 1, after training
    first_gradient: Parameters  # of round 1
    diverged_at: Optional[int]


def train(rounds: Iterable[Round], last: int, shown: Sequence[int], draws: Draws, recall_at: int,
          name: str) -> Training:
    """Return `last` rounds of training and the test; it ends early where the loss diverges."""
    losses: dict[int, float] = {}
    first, diverged = None, None
    for done in watched(islice(rounds, last), last, f"训练 {name}"):
        first = first or done.gradient
        if done.number in shown:
            losses[done.number] = done.loss
        if not done.loss <= DIVERGED:
            diverged = done.number
            break
    assert first is not None
    tests = recall_cases(draws.test, recall_at)
    chances = [tanh_rnn.forward(done.updated, case).probabilities for case in tests]
    right = sum(case.times for case, chance in zip(tests, chances) if chance.index(max(chance)) == case.label)
    return Training(losses, right / len(draws.test), [chance[1] for chance in chances], first, diverged)


def plain(draws: Draws, name: str, hidden: int = HIDDEN, alpha: float = ALPHA, rate: float = RATE, last: int = ROUNDS,
          recall_at: int = RECALL_AT, shown: Sequence[int] = SHOWN, frozen: Sequence[str] = ()) -> Training:
    """Return a training by gradient descent, as the lesson's unless told otherwise; what is frozen is zero."""
    net = weights(draws.weights, hidden, alpha)
    zeros: dict[str, Any] = {key: [[0.0] * len(row) for row in getattr(net, key)] for key in frozen}
    net = net._replace(**zeros)
    rounds = tanh_rnn.gradient_descent(net, recall_cases(draws.train, recall_at), rate, frozen)
    return train(rounds, last, shown, draws, recall_at, name)


# ---------------------------------------------------------------- what the record says


def hidden_norms(draws: Draws, alpha: float = ALPHA) -> list[dict[str, Any]]:
    """Return the norm of the hidden state at each of five steps."""
    bits = draws.five[HIDDEN]
    states = tanh_rnn.hidden_states(weights(draws.demonstration, HIDDEN, alpha), sequence(bits))
    return [{"t": t, "input": bit, "norm": f"{norm(h):.4f}"} for t, (bit, h) in enumerate(zip(bits, states[1:]), 1)]


def gradient_norms(draws: Draws, hidden: int = HIDDEN, alpha: float = ALPHA) -> list[dict[str, Any]]:
    """Return what is left of a unit vector that is carried back from step 12 to each step."""
    net = weights(draws.demonstration, hidden, alpha)
    bits = draws.twelve.get(hidden, draws.twelve[HIDDEN])
    norms = tanh_rnn.carried_back(net, sequence(bits), [1.0 / math.sqrt(hidden)] * hidden)
    return [{"t": t, "norm": f"{size:.6f}", "significant": f"{size:.2e}"} for t, size in enumerate(norms, 1)]


def training_fields(made: Training) -> dict[str, Any]:
    """Return losses and test accuracy."""
    return {"losses": [{"round": number, "loss": f"{loss:.6f}"} for number, loss in made.losses.items()],
            "test_accuracy": f"{made.accuracy:.4f}"}


def delayed_recall(draws: Draws, made: Training) -> dict[str, Any]:
    """Return the lesson's own training, with what its loss is to be compared with."""
    shares = [draws.train.count(label) / len(draws.train) for label in (0, 1)]
    steepness = norm([number for row in made.first_gradient.Wx for number in row])
    return {
        **training_fields(made),
        "train_labels": {str(label): draws.train.count(label) for label in (0, 1)},
        "test_labels": {str(label): draws.test.count(label) for label in (0, 1)},
        "label_entropy": f"{-math.fsum(share * math.log(share) for share in shares if share):.6f}",
        "even_guess_loss": f"{math.log(2):.6f}",
        "predicted_probability_of_1": {str(bit): f"{made.chance_of_1[bit]:.4f}" for bit in (0, 1)},
        "input_weight_gradient_norm": f"{steepness:.2e}",
    }


def unrolled(draws: Draws) -> dict[str, Any]:
    """Return the unrolled network, which has its own copy of Wx, Wh and b at every step, beside the shared one.

    Its copies start equal; the output is computed step by step from them, and the gradient of each copy is the
    product of what that step met with the gradient of its preactivation.
    """
    net = weights(draws.weights, HIDDEN, ALPHA)
    case = recall_cases(draws.train, RECALL_AT)[1]
    copies = [net.like([list(row) for row in net.rows()]) for _ in case.inputs]
    h = [[0.0] * HIDDEN]
    for x, copy in zip(case.inputs, copies):
        h.append([math.tanh(math.fsum([bias, x[0] * into, *map(operator.mul, h[-1], column)]))
                  for bias, into, column in zip(copy.b, copy.Wx[0], zip(*copy.Wh))])
    trace = tanh_rnn.forward(net, case)
    _, steps = tanh_rnn.step_gradients(net, case, trace)
    by_copy = [[[x[0] * d for d in da], *([a * d for d in da] for a in before), da]  # rows of Wx, Wh and b
               for x, before, da in zip(case.inputs, trace.states, steps)]
    summed = [[math.fsum(numbers) for numbers in zip(*rows)] for rows in zip(*by_copy)]
    shared = tanh_rnn.loss_and_gradient(net, [case])[1]
    hidden = HIDDEN + HIDDEN * HIDDEN + HIDDEN
    return {"steps": len(copies), "parameter_count": len(copies) * hidden + 2 * HIDDEN + 2,
            "same_output": _close(h, trace.states),
            "gradient_is_sum_of_copies": _close(summed, [*shared.Wx, *shared.Wh, shared.b])}


def _close(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Say whether two lists of rows are equal but for the rounding of their sums."""
    return all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-18) for pair in zip(left, right) for a, b in zip(*pair))


def diagnosis(draws: Draws) -> dict[str, Any]:
    """Return what makes the gradient vanish: tanh's derivative along the twelve steps, and the size of Wh."""
    net = weights(draws.demonstration, HIDDEN, ALPHA)
    states = tanh_rnn.hidden_states(net, sequence(draws.twelve[HIDDEN]))[1:]
    slopes = [1.0 - number * number for h in states for number in h]
    inside = sum(0.1 <= slope <= 0.5 for slope in slopes)
    return {
        "tanh_derivative": {"min": f"{min(slopes):.4f}", "mean": f"{math.fsum(slopes) / len(slopes):.4f}",
                            "max": f"{max(slopes):.4f}", "share_between_0.1_and_0.5": f"{inside / len(slopes):.4f}"},
        "spectral_radius": f"{tanh_rnn.spectral_radius(net.Wh):.6f}",
        "largest_singular_value": f"{tanh_rnn.largest_singular_value(net.Wh):.6f}",
        "lesson_estimate": f"{0.3**11:.2e}",
    }


def parameters() -> list[dict[str, Any]]:
    """Return the rows of the lesson's parameter table."""
    shapes = {"Wx": [1, HIDDEN], "Wh": [HIDDEN, HIDDEN], "b": [1, HIDDEN], "Wo": [HIDDEN, 2], "bo": [1, 2]}
    return [{"name": name, "shape": shape, "count": shape[0] * shape[1]} for name, shape in shapes.items()]


def short_trainings(draws: Draws) -> dict[str, Training]:
    """Return the trainings of 800 rounds with eight hidden units."""
    adam = tanh_rnn.adam(weights(draws.weights, HIDDEN, ALPHA), recall_cases(draws.train, RECALL_AT), **ADAM)
    return {
        "delayed_recall": plain(draws, "课文的任务"),
        "recall_at_3": plain(draws, "第 3 步复述", recall_at=3),
        "alpha_1": plain(draws, "alpha 1.0", alpha=1.0),
        "adam": train(adam, ROUNDS, SHOWN, draws, RECALL_AT, "Adam"),
        "no_recurrence": plain(draws, "Wh 固定为零", frozen=("Wh",)),
    }


def log(draws: Draws) -> dict[str, Any]:
    """Return the part of the lesson's log that needs no training."""
    rows = parameters()
    return {"parameters": rows, "parameter_count": sum(row["count"] for row in rows),
            "hidden_norms": hidden_norms(draws), "gradient_norms": gradient_norms(draws)}


def results(draws: Draws) -> dict[str, Any]:
    """Return everything that is recorded."""
    made = short_trainings(draws)
    more = {f"rate_{rate:.1f}": training_fields(plain(draws, f"{MORE_ROUNDS} 轮，学习率 {rate}", rate=rate,
                                                      last=MORE_ROUNDS, shown=SHOWN_LONG))
            for rate in (RATE, FAST_RATE)}
    found: dict[str, Any] = {
        **log(draws),
        "delayed_recall": delayed_recall(draws, made["delayed_recall"]),
        "experiments": {
            "hidden_32": {"gradient_norms": gradient_norms(draws, hidden=32),
                          "delayed_recall": training_fields(plain(draws, "32 维", hidden=32))},
            "alpha_1": {"hidden_norms": hidden_norms(draws, alpha=1.0),
                        "gradient_norms": gradient_norms(draws, alpha=1.0),
                        "delayed_recall": training_fields(made["alpha_1"])},
            "recall_at_3": training_fields(made["recall_at_3"]),
            "more_rounds": more,
            "adam": training_fields(made["adam"]),
            "no_recurrence": training_fields(made["no_recurrence"]),
            "unrolled": unrolled(draws),
        },
        "diagnosis": diagnosis(draws),
    }
    found["claims"] = lesson_claims.verdicts(found)
    return found


# ---------------------------------------------------------------- the command line


def number(options: dict[str, Any], name: str, usual: float, least: float, most: float, whole: bool = False) -> float:
    """Return the value of an option, or the lesson's own."""
    texts = options[name]
    if texts is None:
        return usual
    value = only(name, texts)
    if not least <= value <= most or whole and value.denominator != 1:
        kind = "整数" if whole else "数"
        raise Refused(f"命令行：--{name} 应为 {least:g} 至 {most:g} 的{kind}，实为 {quoted(texts[0])}")
    return int(value) if whole else float(value)


def variation(arguments: list[str], draws: Draws) -> Iterator[str]:
    """Yield the lines of a reader's own variation."""
    options = parsed(arguments, ("hidden", "alpha", "recall-at", "rate", "rounds"))
    hidden = int(number(options, "hidden", HIDDEN, 1, 10**6, whole=True))
    if hidden > draws.widest:
        raise Refused(f"命令行：--hidden {hidden}：{DRAWS} 里的抽样只够 {draws.widest} 维")
    alpha = number(options, "alpha", ALPHA, 0, 10**6)
    recall_at = int(number(options, "recall-at", RECALL_AT, 1, RECALL_AT, whole=True))
    rate = number(options, "rate", RATE, 0, 10**6)
    last = int(number(options, "rounds", ROUNDS, 1, 10**5, whole=True))
    shown = sorted({1, *(last * k // 8 for k in range(1, 9))})
    yield from lesson_page.settings(hidden, alpha, recall_at, rate, last, hidden in draws.twelve)
    yield from lesson_page.gradient_table(gradient_norms(draws, hidden, alpha))
    made = plain(draws, f"{hidden} 维", hidden, alpha, rate, last, recall_at, shown)
    yield from lesson_page.training_table(training_fields(made))
    if made.diverged_at is not None:
        yield f"  训练发散：第 {made.diverged_at} 轮的损失超过 {DIVERGED:g} 或不是有限数，就此停下。"
    chances = "，".join(f"首位 {bit} → {chance:.4f}" for bit, chance in enumerate(made.chance_of_1))
    yield f"  答 1 的概率：{chances}"


def main(arguments: list[str]) -> int:
    """Write the record and print the lesson, or print a reader's variation."""
    if "-h" in arguments or "--help" in arguments:
        print(HELP)
        return 0
    draws = read_draws()
    if arguments:
        print("\n".join(variation(arguments, draws)))
        return 0
    entries = verdicts.claims(PRINTED)
    found = results(draws)
    made = {"record": "lesson-6-1-run-v1", "inputs": [{"path": DRAWS, "sha256": draws.sha256}], "results": found}
    command.write_text(located(RECORD), record.layout(made) + "\n")
    print("\n".join(lesson_page.lines(found, entries)))
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
