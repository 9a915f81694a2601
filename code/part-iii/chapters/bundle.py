"""两个数据文件是什么样子，读进来就是 core.py 的各种记录；写错的、算不完的，在它的位置拒绝。

读进来的数据，run.py 与 derive.py 都能算：词和候选就是书里的那些，其余的数和宽度可以换。
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from core import END, START, Encoder, Gru, Lstm, Matrix, Network, ScalarPath, Vector, updated_weight
from support.command import ROOT, Refused, located, quoted, shown
from support.shapes import Items, exactly, fitted, integer, number, read, text

SEQUENCE, CHAPTER_10, FIELD = "data/part-iii/sequence-v1.json", "data/part-ii/nnlm-data.json", "window_collision"
WORDS, CANDIDATES = ["red", "blue", "filler", "key", "is"], ["red", "blue"]  # 打平时红色得胜
SOURCE_WORDS, OUTPUT_WORDS = ["红色", "蓝色", "钥匙", "。"], ["red", "blue", "key", "door", ".", END]
FACTORS = [Fraction(1, 2), Fraction(3, 2)]  # 表 12.2 的两列，记录里的字段以此命名
WIDEST, MOST_STEPS, MOST_CASES, MOST_TOKENS = 8, 64, 16, 2000
MOST_FILLERS = 100  # 习题 1 至多试这么多
MOST_WORK = 10**14  # 分数加法的次数乘位数的平方，约合十秒


class Case(NamedTuple):
    """一个输入，以及答对它的候选。"""

    token_ids: list[int]
    target: str


class Translation(NamedTuple):
    """两条源序列、条件概率表、目标与上限。表 13.1 至表 13.5。"""

    encoder: Encoder
    source: list[int]
    contrast: list[int]
    candidates: list[str]
    target: list[str]  # EOS 在最后，也只在最后
    limit: int  # 至多预测几次
    rows: Mapping[str, Vector]  # BOS 和 EOS 以外的每个候选，各一行概率


class Attention(NamedTuple):
    """两个查询、读数的系数、逐个移除的位置（从 1 数起）。例 14.1 至例 14.3。"""

    queries: Matrix
    readout: Vector
    positions: list[int]


class Bundle(NamedTuple):
    """run.py 要用的全部数据。"""

    network: Network
    short: list[Case]  # 先问 red，再问 blue；后面可以还有。第 11.2、11.3 节
    long: list[Case]  # 取自第 10 章的文件，也是先 red 后 blue
    window: int  # 窗口基线看几个 token
    window_weight: Matrix  # 每个 token 的嵌入各有几行，接成一叠
    path: ScalarPath
    distances: list[int]  # 表 12.2 的距离
    lstm: Lstm
    gru: Gru
    translation: Translation
    attention: Attention
    inputs: list[dict[str, str]]  # 每个文件的路径与 sha256，记录里照写


# ---------------------------------------------------------------- 样子


def matrix(rows: int, width: int) -> list[Any]:
    """这么多行、这么宽的数。"""
    return [[number] * width] * rows


def gate(value: Any) -> Fraction:
    """门值。"""
    if not 0 <= number(value) <= 1:
        raise ValueError("应为门值，在 0 与 1 之间")
    return number(value)


def asked(window: int) -> Items:
    """几个输入，窗口都放得下。"""
    return Items(Items(integer(0, len(WORDS) - 1), window, MOST_TOKENS), 2, MOST_CASES)


def answers(inputs: list[Any]) -> list[Any]:
    """这些输入的目标：先 red，再 blue，后面的随意。"""
    return [exactly(0), exactly(1), *[integer(0, 1)] * (len(inputs) - 2)]


ROW, SOURCE = Items(number, 1, WIDEST), Items(integer(0, len(SOURCE_WORDS) - 1), 1, MOST_STEPS)
SIZES = {  # 各行的宽度与各个列表的长短由这些定，先看它们
    "rnn": {"embedding": Items(ROW, 1, len(WORDS)), "initial": ROW, "short_inputs": asked(1)},
    "translation": {"embedding_in_units_of_ln2": Items(ROW, 1, len(SOURCE_WORDS)), "initial": ROW,
                    "source_ids": SOURCE}}


def sequence_shape(sized: Any, window: int) -> dict[str, Any]:
    """sequence-v1.json 应有的样子；sized 是合乎 SIZES 的几项。"""
    rnn, translation = sized["rnn"], sized["translation"]
    m, n = len(rnn["embedding"][0]), len(rnn["initial"])
    p, q = len(translation["embedding_in_units_of_ln2"][0]), len(translation["initial"])
    return {
        "baseline_source": {"path": exactly(CHAPTER_10), "field": exactly(FIELD), "sha256": text},
        "rnn": {
            "vocabulary": exactly(WORDS), "candidates": exactly(CANDIDATES),
            "selection": exactly("argmax; first candidate wins ties"),
            "embedding": matrix(len(WORDS), m), "initial": [number] * n, "input_weight": matrix(m, n),
            "recurrent_weight": matrix(n, n), "hidden_bias": [number] * n,
            "output_weight": matrix(n, 2), "output_bias": [number] * 2, "window_weight": matrix(window * m, n),
            "short_inputs": asked(window), "targets": answers(rnn["short_inputs"])},
        "gradient": {
            "loss": exactly("0.5 * (last_state - target)^2"), "inputs": Items(number, 1, MOST_STEPS), "initial": number,
            "weight": number, "target": number, "learning_rate": number,
            "factors": [exactly(each) for each in FACTORS],
            "distances": Items(integer(0, MOST_TOKENS), 1, MOST_STEPS)},
        "gates": {
            "lstm": {**dict.fromkeys(Lstm._fields, number), **dict.fromkeys(("forget", "input", "output"), gate)},
            "gru": {**dict.fromkeys(Gru._fields, number), **dict.fromkeys(("update_retains_old", "reset"), gate)}},
        "translation": {
            "vocabulary": exactly(SOURCE_WORDS), "candidates": exactly(OUTPUT_WORDS), "start": exactly(START),
            "end": exactly(END), "embedding_in_units_of_ln2": matrix(len(SOURCE_WORDS), p), "initial": [number] * q,
            "input_weight": matrix(p, q), "recurrent_weight": matrix(q, q), "hidden_bias": [number] * q,
            "source_ids": SOURCE, "contrast_source_ids": SOURCE, "max_steps": integer(1, MOST_TOKENS),
            "target": Items(text, 2, MOST_STEPS),
            "conditional_rows": {word: [number] * len(OUTPUT_WORDS) for word in (START, *OUTPUT_WORDS[:-1])}},
        "attention": {
            "score": exactly("unscaled dot product"), "queries": matrix(2, q), "readout": [number] * q,
            "deletion_indices": Items(integer(0, len(translation["source_ids"]) - 1), 0, MOST_STEPS)},
    }


def load(root: str = ROOT) -> Bundle:
    """读两个文件；有一处不对，就以文件、位置与应有的样子拒绝（Refused）。"""
    file, other = located(SEQUENCE, root), located(CHAPTER_10, root)
    (sequence, digest), (chapter_10, actual) = read(file), read(other)
    sized = fitted(chapter_10, {FIELD: {"window": integer(1, MOST_STEPS), "prefix_ids": asked(1)}}, other)[FIELD]
    window = sized["window"]
    section = fitted(chapter_10, {FIELD: {
        "vocabulary": exactly(WORDS), "prefix_ids": asked(window),
        "target_ids": answers(sized["prefix_ids"])}}, other)[FIELD]
    whole = fitted(sequence, sequence_shape(fitted(sequence, SIZES, file), window), file)
    if whole["baseline_source"]["sha256"] != actual:
        raise Refused(f"sha256 是 {actual}，而 {shown(file)} 的 /baseline_source/sha256 记的是 "
                      f"{quoted(whole['baseline_source']['sha256'])}", other)
    rnn, path, gates, given, asked_for = (whole[name] for name in (
        "rnn", "gradient", "gates", "translation", "attention"))
    *words, last = given["target"]
    if last != END or not set(words) <= set(OUTPUT_WORDS[:-1]):
        raise Refused(f"应由候选词组成，{END} 在最后，也只在最后", file, "/translation/target")
    encoder = built(Encoder, {**given, "embedding": given["embedding_in_units_of_ln2"]})
    data = Bundle(
        network=built(Network, rnn), window=window, window_weight=rnn["window_weight"],
        short=[Case(ids, CANDIDATES[i]) for ids, i in zip(rnn["short_inputs"], rnn["targets"])],
        long=[Case(ids, CANDIDATES[i]) for ids, i in zip(section["prefix_ids"], section["target_ids"])],
        path=built(ScalarPath, path), distances=path["distances"], lstm=built(Lstm, gates["lstm"]),
        gru=built(Gru, gates["gru"]),
        translation=Translation(encoder, given["source_ids"], given["contrast_source_ids"], OUTPUT_WORDS,
                                given["target"], given["max_steps"], given["conditional_rows"]),
        attention=Attention(asked_for["queries"], asked_for["readout"],
                            [place + 1 for place in asked_for["deletion_indices"]]),
        inputs=[{"path": SEQUENCE, "sha256": digest}, {"path": CHAPTER_10, "field": FIELD, "sha256": actual}])
    bounded(data, file)
    return data


def built(record: Any, section: dict[str, Any]) -> Any:
    """一节数据里与记录同名的各项。"""
    return record(**{name: section[name] for name in record._fields})


def times_unit(rows: Matrix) -> Fraction | None:
    """r，若矩阵是 r 乘单位矩阵；别的矩阵没有。"""
    r = rows[0][0]
    same = all(number == (r if i == j else 0) for i, row in enumerate(rows) for j, number in enumerate(row))
    return r if same and len(rows) == len(rows[0]) else None


# ---------------------------------------------------------------- 算得完的


def bits(*rows: Vector) -> int:
    """这些数的公分母与最大的数，合起来有多少个二进制位。"""
    numbers = [each for row in rows for each in row]
    return lcm(*(each.denominator for each in numbers)).bit_length() + int(max(map(abs, numbers))).bit_length()


def refuse_long(additions: int, longest: int, recurrent: Matrix, entries: Sequence[Vector], file: str,
                place: str) -> None:
    """要算远不止十秒的，不算：分数加法的次数，乘（位数 + 2000）的平方，不超过 MOST_WORK。

    最长的一串有 longest 步。每步分母乘一次 W_h 的公分母，状态至多大到 W_h 一列之和那么多倍；平均按六成长算。
    """
    growth = [sum(map(abs, column)) for column in zip(*recurrent)]
    much = additions * (6 * longest * bits(*recurrent, growth) // 10 + bits(*entries) + 2000) ** 2
    if much > MOST_WORK:
        raise Refused(f"算起来太久，约要 {10 * much // MOST_WORK} 秒：数字少几位，或者序列短些", file, place)


def refuse_long_read(net: Network | Encoder, tokens: int, longest: int, shown: int, file: str, place: str) -> None:
    """共读这么多词、写出其中 shown 步，太久的不算；写一步约抵 30(n + 2) 次加法。"""
    m, n = len(net.input_weight), len(net.initial)
    entries = [*net.embedding, *net.input_weight, net.initial, net.hidden_bias]
    refuse_long(tokens * n * (m + n) + shown * 30 * (n + 2), longest, net.recurrent_weight, entries, file, place)


def bounded(data: Bundle, file: str) -> None:
    """run.py 与 derive.py 要算远不止十秒的，拒绝。"""
    path, given = data.path, data.translation
    lengths = [len(case.token_ids) for case in (*data.short, *data.long)]
    tokens, longest = sum(lengths) + 600, max(MOST_FILLERS + 3, *lengths)  # 例题与习题另读六百个
    derived = tokens * longest // 200  # derive.py 逐项相加
    refuse_long_read(data.network, tokens + derived, longest, tokens, file, "/rnn")
    steps = len(path.inputs)
    refuse_long(100 * steps, steps, [[updated_weight(path)]], [path.inputs, [path.initial, path.target]], file,
                "/gradient")
    longest = max(len(given.source), len(given.contrast))
    reads = (7 + 2 * len(data.attention.positions)) * longest  # 注意力的一个分数，约抵写一步
    refuse_long_read(given.encoder, 2 * reads, longest, reads, file, "/attention")
