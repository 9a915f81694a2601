"""The chapters' data bundle, read out of two JSON files and checked as a whole.

Whatever is wrong raises `command.Refused` with the file and the place of the first fault. What has been loaded is in
the one domain of run.py and derive.py: the chapter's words and candidates are there, everything else is free.
"""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from core import END, LARGEST_SCORE, START, Encoder, Gru, Lstm, Matrix, Network, ScalarPath, Vector, dot, encode
from support import show, strict_json
from support.command import ROOT, Refused, located, quoted, shown
from support.digits import short
from support.strict_json import MOST_COORDINATES, MOST_TOKENS, Node

SEQUENCE = "data/part-iii/sequence-v1.json"
WORDS = ("red", "blue", "filler", "key", "is")  # of chapter 11; a vocabulary may have more
CANDIDATES = ["red", "blue"]  # red first: it wins ties, and every threshold is worked out for that
SELECTION = "argmax; first candidate wins ties"
SOURCE_WORDS = ["红色", "蓝色", "钥匙", "。"]  # of chapter 13, with its candidates and both ends
OUTPUT_WORDS = ["red", "blue", "key", "door", ".", "EOS"]
SCORE = "unscaled dot product"
LOSS = "0.5 * (last_state - target)^2"
MOST_WORK = 2 * 10**11  # additions of fractions times the square of their bits
FACTORS = [Fraction(1, 2), Fraction(3, 2)]  # the record names its fields after them


class Case(NamedTuple):
    """An input and the candidate that answers it rightly."""

    token_ids: list[int]
    target: str


class Translation(NamedTuple):
    """Two sources for the encoder, and the table from which a target sequence is predicted. 表 13.1 至表 13.5."""

    encoder: Encoder
    source: list[int]
    contrast: list[int]
    candidates: list[str]
    target: list[str]  # EOS comes last, and nowhere else
    limit: int  # predictions
    rows: Mapping[str, Vector]  # for BOS and every candidate but EOS, the probability of each candidate


class Attention(NamedTuple):
    """What is asked of the saved states, and how the answer is read. 例 14.1 至例 14.3."""

    queries: Matrix  # 2 × n
    readout: Vector  # n
    positions: list[int]  # removed one at a time, 1 for the first


class Bundle(NamedTuple):
    """Everything that run.py computes from."""

    network: Network
    short: list[Case]  # 第 11.2、11.3 节: red first, then blue; more may follow
    long: list[Case]  # 第 11.3 节, from chapter 10's file: red first, then blue; more may follow
    window: int  # tokens that the window baseline sees
    window_weight: Matrix  # (window · m) × n
    path: ScalarPath
    distances: list[int]  # steps back over which the factors are multiplied. 表 12.2
    lstm: Lstm
    gru: Gru
    translation: Translation
    attention: Attention
    inputs: list[dict[str, str]]  # path and sha256 of each file, as the record names them


def load(root: str = ROOT) -> Bundle:
    """Return the checked bundle below `root`; raise Refused with the file and place of the first fault."""
    file = located(SEQUENCE, root)
    sequence, digest = strict_json.load(file)
    source = sequence["baseline_source"]
    named, field, recorded = (source[key].text() for key in ("path", "field", "sha256"))
    other = located(_inside(source["path"], root), root)
    chapter_10, actual = strict_json.load(other)
    if actual != recorded:
        raise Refused(f"sha256 是 {actual}，而 {shown(file)} 的 /baseline_source/sha256 记的是 "
                      f"{quoted(recorded)}", other)
    section = chapter_10[field]
    window = section["window"].integer(1, MOST_TOKENS)
    network, short = _network(sequence["rnn"], window)
    window_weight = sequence["rnn"]["window_weight"].matrix(window * len(network.embedding[0]), len(network.initial))
    long = _long_inputs(section, network, window)
    _bounded(sequence["rnn"], *_work(network, [case.token_ids for case in (*short, *long)], 100))
    translation = _translation(sequence["translation"])
    attention = _attention(sequence["attention"], translation)
    _bounded(sequence["attention"], *_reading_work(translation, attention))
    _scored(sequence["attention"], translation, attention)
    return Bundle(
        network=network, short=short, long=long, window=window, window_weight=window_weight,
        path=_scalar_path(sequence["gradient"]), distances=_distances(sequence["gradient"]),
        lstm=Lstm(**_numbers(sequence["gates"]["lstm"], Lstm._fields, ("forget", "input", "output"))),
        gru=Gru(**_numbers(sequence["gates"]["gru"], Gru._fields, ("update_retains_old", "reset"))),
        translation=translation, attention=attention,
        inputs=[{"path": SEQUENCE, "sha256": digest}, {"path": named, "field": field, "sha256": actual}])


def _inside(node: Node, root: str) -> str:
    """Return a path that stays in the repository, also through symbolic links; it is not opened here."""
    path = node.text()
    parts = path.split("/")
    real = os.path.realpath(located(path, root)) if "\0" not in path else ""
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
        output_bias=rnn["output_bias"].vector(outputs))
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
    if gradient["factors"].vector(2) != FACTORS:
        raise gradient["factors"].refused("应为 [0.5, 1.5]，记录里的字段以此命名")
    path = ScalarPath(gradient["inputs"].vector(),
                      **_numbers(gradient, ("initial", "weight", "target", "learning_rate")))
    _bounded(gradient, *_path_work(path))
    return path


def _distances(gradient: Node) -> list[int]:
    return [item.integer(0, MOST_TOKENS) for item in gradient["distances"].items("个距离")]


def _numbers(section: Node, names: Sequence[str], gates: Sequence[str] = ()) -> dict[str, Fraction]:
    """Return numbers by their names; a gate lets through a share between none and all."""
    for name in gates:
        if not 0 <= section[name].rational() <= 1:
            raise section[name].must("门值，在 0 与 1 之间")
    return {name: section[name].rational() for name in names}


def _translation(section: Node) -> Translation:
    for name, words in (("vocabulary", SOURCE_WORDS), ("candidates", OUTPUT_WORDS)):
        if section[name].names("个词", MOST_COORDINATES) != words:
            raise section[name].refused(f"第 13 章的词应为 {'、'.join(words)}，顺序也要相同")
    section["start"].exactly(START)
    section["end"].exactly(END)
    embedding = section["embedding_in_units_of_ln2"].matrix(len(SOURCE_WORDS))
    initial = section["initial"].vector()
    encoder = Encoder(
        vocabulary=SOURCE_WORDS, embedding=embedding, initial=initial,
        input_weight=section["input_weight"].matrix(len(embedding[0]), len(initial)),
        recurrent_weight=section["recurrent_weight"].matrix(len(initial), len(initial)),
        hidden_bias=section["hidden_bias"].vector(len(initial)))
    sources = [[token_id.integer(0, len(SOURCE_WORDS) - 1) for token_id in section[name].items("个 ID")]
               for name in ("source_ids", "contrast_source_ids")]
    _bounded(section, *_work(encoder, sources, 20))
    target = [item.text() for item in section["target"].items("个目标词", least=2)]
    for place, word in enumerate(target):
        if word not in OUTPUT_WORDS or (word == END) != (place == len(target) - 1):
            raise section["target"].refused(f"应由候选词组成，{END} 在最后，也只在最后")
    rows = {word: _distribution(section["conditional_rows"][word]) for word in (START, *OUTPUT_WORDS) if word != END}
    return Translation(encoder, sources[0], sources[1], OUTPUT_WORDS, target,
                       section["max_steps"].integer(1, MOST_TOKENS), rows)


def _distribution(node: Node) -> list[Fraction]:
    """Return a row of probabilities, one for each candidate: none negative, the sum exactly one."""
    row = node.vector(len(OUTPUT_WORDS))
    if min(row) < 0 or sum(row) != 1:
        raise node.refused(f"应为概率：都不是负数，和恰好是 1（实为 {str(sum(row))[:40]}）")
    return row


def _attention(section: Node, translation: Translation) -> Attention:
    section["score"].exactly(SCORE)
    width, positions = len(translation.encoder.initial), len(translation.source)
    removed: list[int] = []
    for item in section["deletion_indices"].items("个位置", least=0):
        if positions == 1:
            raise item.refused("源序列只有一个位置，删去之后没有可读的状态，权重无从归一")
        removed.append(item.integer(0, positions - 1) + 1)
        if removed.count(removed[-1]) > 1:
            raise item.refused(f"位置 {removed[-1] - 1} 重复了")
    return Attention([row.vector(width) for row in section["queries"].items("个查询", exactly=2)],
                     section["readout"].vector(width), removed)


def _scored(section: Node, translation: Translation, attention: Attention) -> None:
    """Refuse a score that 2 could not be raised to, before any read; exercise 1 asks for all coordinates."""
    first, second = attention.queries
    shorter = [without(translation.source, position) for position in attention.positions]
    for query, sources in ((first, [translation.source, translation.contrast, *shorter]),
                           (second, [translation.source]), ([Fraction(1)] * len(first), [translation.source])):
        for state in (each.state for ids in sources for each in encode(translation.encoder, ids)):
            if abs(dot(query, state)) > LARGEST_SCORE:
                raise section.refused(f"查询 {show.row(map(short, query))} 的一个分数超出 ±{LARGEST_SCORE}·ln 2，"
                                      f"2 的这么多次方写不下")


def without(source: list[int], position: int) -> list[int]:
    """Return a source without the word at a position, 1 for the first."""
    return [token_id for place, token_id in enumerate(source, 1) if place != position]


def _bounded(place: Node, additions: int, bits: int) -> None:
    """Refuse what would take longer than about ten seconds.

    An addition of two fractions costs about the square of the bits of their numbers, and short ones as 400 bits would.
    """
    if additions * (bits + 400) ** 2 > MOST_WORK:
        raise place.refused(f"算起来太久：约 {additions} 次分数加法，数长到约 {bits} 个二进制位；"
                            f"次数乘（位数 + 400）的平方应不超过 2000 亿，约合十秒")


def _bits(*rows: Vector) -> int:
    """Return how many bits the common denominator of some numbers has."""
    return lcm(*(number.denominator for row in rows for number in row)).bit_length() - 1


def _work(network: Network | Encoder, inputs: Sequence[Sequence[int]], others: int) -> tuple[int, int]:
    """Return about how many fractions run.py and derive.py add for these inputs and `others` tokens of examples and
    exercises, and the bits of the longest of their numbers.

    A token costs an addition for each weight of the state, and for every weight of W_h, by whose powers derive.py sums,
    one more for every two hundred tokens before it. Each token multiplies the denominator by that of W_h, and lets the
    state grow by the largest sum of a column.
    """
    longest, width = max(map(len, inputs)), len(network.initial)
    additions = width * (len(network.input_weight) + width) + width * width * longest // 200
    growth = int(max(sum(map(abs, column)) for column in zip(*network.recurrent_weight))).bit_length()
    entries = _bits(*network.embedding) + _bits(*network.input_weight) + _bits(network.initial, network.hidden_bias)
    bits = longest * (_bits(*network.recurrent_weight) + growth) + entries
    return additions * (sum(map(len, inputs)) + others), bits


def _reading_work(translation: Translation, attention: Attention) -> tuple[int, int]:
    """Return the same for attention: the sources that are encoded, and at every position of every read its score, its
    decimals and its part in the context.
    """
    encoded = [translation.source] * (2 + 4 * len(attention.positions))
    additions, bits = _work(translation.encoder, encoded, 20)
    reads = 7 + 2 * len(attention.positions)
    return additions + reads * len(translation.source) * (6 * len(attention.readout) + 20), bits


def _path_work(path: ScalarPath) -> tuple[int, int]:
    """Return the same for the scalar path: the slope has w twice a step, and the updated states are powers of it."""
    steps, w = len(path.inputs), path.weight
    bits = 2 * steps * (_bits([w]) + abs(w.numerator // w.denominator).bit_length())
    bits += 2 * _bits(path.inputs, [path.initial, path.target]) + _bits([path.learning_rate])
    return steps, steps * bits // 3  # a length that grows evenly: the mean of its squares is a third of the last
