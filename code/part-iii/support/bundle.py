"""The chapters' data bundle, read out of two JSON files and checked as a whole.

Whatever is wrong raises `command.Refused` with the file and the place of the first fault. What has been loaded is in
the one domain of run.py and derive.py: the chapter's words and candidates are there, everything else is free.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from support import strict_json
from support.command import ROOT, Refused, located, quoted, shown
from support.strict_json import MOST_COORDINATES, MOST_TOKENS, Node

SEQUENCE = "data/part-iii/sequence-v1.json"
WORDS = ("red", "blue", "filler", "key", "is")  # of chapter 11; a vocabulary may have more
CANDIDATES = ["red", "blue"]  # red first: it wins ties, and every threshold is worked out for that
SELECTION = "argmax; first candidate wins ties"
LOSS = "0.5 * (last_state - target)^2"
MOST_WORK = 2 * 10**11  # additions of fractions times the square of their bits
FACTORS = [Fraction(1, 2), Fraction(3, 2)]  # the record names its fields after them

Vector = Sequence[Fraction]
Matrix = Sequence[Sequence[Fraction]]


class Network(NamedTuple):
    """The recurrence that the chapter gives. Vectors are rows; e, h and k count the coordinates of an embedding,
    of the hidden state and the candidates. 第 11.2 节.
    """

    vocabulary: list[str]
    embedding: Matrix  # one row of e for each token
    initial: Vector  # h
    input_weight: Matrix  # e × h
    recurrent_weight: Matrix  # h × h
    hidden_bias: Vector  # h
    output_weight: Matrix  # h × k
    output_bias: Vector  # k
    candidates: list[str]  # k
    window_weight: Matrix  # (window · e) × h


class Case(NamedTuple):
    """An input and the candidate that answers it rightly."""

    token_ids: list[int]
    target: str


class ScalarPath(NamedTuple):
    """The scalar recurrence h_t = x_t + w·h_{t-1} whose gradient is followed. 例 12.1."""

    inputs: Vector
    initial: Fraction
    weight: Fraction
    target: Fraction
    learning_rate: Fraction
    distances: list[int]  # steps back over which the factors are multiplied
    factors: Vector


class Bundle(NamedTuple):
    """Everything that run.py computes from."""

    network: Network
    short: list[Case]  # 第 11.2、11.3 节: red first, then blue; more may follow
    long: list[Case]  # 第 11.3 节, from chapter 10's file: red first, then blue; more may follow
    window: int  # tokens that the window baseline sees
    path: ScalarPath
    inputs: list[dict[str, str]]  # path and sha256 of each file, as the record names them


def load(root: str = ROOT) -> Bundle:
    """Return the checked bundle below `root`; raise Refused with the file and place of the first fault."""
    file = located(SEQUENCE, root)
    sequence, digest = strict_json.load(file)
    source = sequence["baseline_source"]
    path, field, recorded = (source[key].text() for key in ("path", "field", "sha256"))
    other = located(_inside(source["path"], root), root)
    chapter_10, actual = strict_json.load(other)
    if actual != recorded:
        raise Refused(f"sha256 是 {actual}，而 {shown(file)} 的 /baseline_source/sha256 记的是 "
                      f"{quoted(recorded)}", other)
    section = chapter_10[field]
    window = section["window"].integer(1, MOST_TOKENS)
    network, short = _network(sequence["rnn"], window)
    long = _long_inputs(section, network, window)
    path_12 = _scalar_path(sequence["gradient"])
    _bounded(sequence["rnn"], *_network_work(network, [*short, *long]))
    _bounded(sequence["gradient"], *_path_work(path_12))
    return Bundle(network, short, long, window, path_12, [
        {"path": SEQUENCE, "sha256": digest}, {"path": path, "field": field, "sha256": actual}])


def _inside(node: Node, root: str) -> str:
    """Return a path that stays in the repository, also through symbolic links; it is not opened here."""
    path = node.text()
    parts = path.split("/")
    real = os.path.realpath(os.path.join(root, *parts)) if "\0" not in path else ""
    if (path.startswith("/") or any(part in ("", ".", "..") for part in parts) or not path.isprintable()
            or "\\" in path or ":" in path or not real.startswith(os.path.realpath(root) + os.sep)):
        raise node.must("仓库内以 / 分隔的相对路径")
    return path


def _network(rnn: Node, window: int) -> tuple[Network, list[Case]]:
    vocabulary = rnn["vocabulary"].names("个 token", MOST_TOKENS)
    missing = [word for word in WORDS if word not in vocabulary]
    if missing:
        raise rnn["vocabulary"].refused(f"第 11 章要用到的词不全，缺 {'、'.join(missing)}")
    embedding = rnn["embedding"].matrix(len(vocabulary))
    initial = rnn["initial"].vector()
    size, hidden, outputs = len(embedding[0]), len(initial), len(CANDIDATES)
    if rnn["candidates"].names("个候选", MOST_COORDINATES) != CANDIDATES:
        raise rnn["candidates"].refused('应为 ["red", "blue"]，顺序也要相同：打平时前一个得胜')
    rnn["selection"].exactly(SELECTION)
    network = Network(
        vocabulary=vocabulary, embedding=embedding, initial=initial, candidates=CANDIDATES,
        input_weight=rnn["input_weight"].matrix(size, hidden),
        recurrent_weight=rnn["recurrent_weight"].matrix(hidden, hidden),
        hidden_bias=rnn["hidden_bias"].vector(hidden),
        output_weight=rnn["output_weight"].matrix(hidden, outputs),
        output_bias=rnn["output_bias"].vector(outputs),
        window_weight=rnn["window_weight"].matrix(window * size, hidden))
    return network, _cases(rnn["short_inputs"], rnn["targets"], CANDIDATES, len(vocabulary), window)


def _long_inputs(section: Node, network: Network, window: int) -> list[Case]:
    vocabulary = section["vocabulary"].names("个 token", MOST_TOKENS)
    if vocabulary != network.vocabulary:
        raise section["vocabulary"].refused(f"与 {SEQUENCE} 的 /rnn/vocabulary 不同")
    cases = _cases(section["prefix_ids"], section["target_ids"], vocabulary, len(vocabulary), window)
    contexts = section["expected_contexts"].items("个上下文（每个输入一个）", exactly=len(cases))
    for case, context in zip(cases, contexts):
        seen = case.token_ids[-window:]
        if [token_id.integer(0, len(vocabulary) - 1) for token_id in context.items("个 ID")] != seen:
            raise context.refused(f"应为同一个输入末尾的 {window} 个 ID：{seen}")
    return cases


def _cases(inputs: Node, targets: Node, names: list[str], tokens: int, window: int) -> list[Case]:
    """Return inputs that fill the window, with the candidates that answer them; `names` are what targets count."""
    cases: list[Case] = []
    rows = inputs.items("个输入（先问 red，再问 blue）", least=2)
    for row, target in zip(rows, targets.items("个目标（每个输入一个）", exactly=len(rows))):
        token_ids = [token_id.integer(0, tokens - 1) for token_id in row.items("个 ID")]
        if len(token_ids) < window:
            raise row.refused(f"只有 {len(token_ids)} 个 ID，装不满 {window} 个 token 的窗口")
        name = names[target.integer(0, len(names) - 1)]
        wanted = CANDIDATES[len(cases) : len(cases) + 1] or CANDIDATES
        if name not in wanted:
            raise target.refused(f"{quoted(name)} 应为 {' 或 '.join(wanted)}")
        cases.append(Case(token_ids, name))
    return cases


def _scalar_path(gradient: Node) -> ScalarPath:
    gradient["loss"].exactly(LOSS)
    factors = gradient["factors"].vector(2)
    if factors != FACTORS:
        raise gradient["factors"].refused("应为 [0.5, 1.5]，记录里的字段以此命名")
    return ScalarPath(
        inputs=gradient["inputs"].vector(), factors=factors,
        distances=[item.integer(0, MOST_TOKENS) for item in gradient["distances"].items("个距离")],
        **{name: gradient[name].rational() for name in ("initial", "weight", "target", "learning_rate")})


def _bounded(place: Node, additions: int, bits: int) -> None:
    """Refuse what would take longer than about ten seconds.

    An addition of two fractions costs about the square of the bits of their numbers, and short ones as 400 bits would.
    """
    if additions * (bits + 400) ** 2 > MOST_WORK:
        raise place.refused(f"算起来太久：约 {additions} 次分数加法，数长到约 {bits} 个二进制位；"
                            f"次数 ×（位数 + 400）² 应不超过 2000 亿，约合十秒")


def _bits(*rows: Vector) -> int:
    """Return how many bits the common denominator of some numbers has."""
    return lcm(*(number.denominator for row in rows for number in row)).bit_length() - 1


def _network_work(network: Network, cases: Sequence[Case]) -> tuple[int, int]:
    """Return about how many fractions run.py and derive.py add for these inputs and 100 tokens of exercises, and the
    bits of the longest of their numbers.

    A token costs an addition for each weight other than zero beyond the first of a coordinate, and one for every fifty
    tokens before it, which derive.py sums over. Each token multiplies the denominator by that of W_h, and lets the
    state grow by the largest sum of a column.
    """
    weights = [number for row in (*network.input_weight, *network.recurrent_weight) for number in row]
    longest = max(len(case.token_ids) for case in cases)
    additions = max(1, sum(map(bool, weights)) - len(network.initial)) + longest // 50
    growth = int(max(sum(map(abs, column)) for column in zip(*network.recurrent_weight))).bit_length()
    entries = _bits(*network.embedding) + _bits(*network.input_weight) + _bits(network.initial, network.hidden_bias)
    bits = longest * (_bits(*network.recurrent_weight) + growth) + entries
    return additions * (sum(len(case.token_ids) for case in cases) + 100), bits


def _path_work(path: ScalarPath) -> tuple[int, int]:
    """Return the same for the scalar path: the slope has w twice a step, and the updated states are powers of it."""
    steps, w = len(path.inputs), path.weight
    bits = 2 * steps * (_bits([w]) + abs(w.numerator // w.denominator).bit_length())
    bits += 2 * _bits(path.inputs, [path.initial, path.target]) + _bits([path.learning_rate])
    return steps, steps * bits // 3  # a length that grows evenly: the mean of its squares is a third of the last
