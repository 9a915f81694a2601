"""The chapter's data bundle, read out of two JSON files and checked as a whole.

Whatever is wrong raises `command.Refused` with the file and the place of the first fault.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace

from support import strict_json
from support.command import ROOT, Refused, located, quoted, shown
from support.strict_json import MOST_COORDINATES, MOST_TOKENS, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEQUENCE = "data/part-iii/sequence-v1.json"
SELECTION = "argmax; first candidate wins ties"
LOSS = "0.5 * (last_state - target)^2"
FACTORS = [Fraction(1, 2), Fraction(3, 2)]  # the record names its fields after them

Vector = Sequence[Fraction]
Matrix = Sequence[Sequence[Fraction]]

class Network(SimpleNamespace):
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

    def changed(self, **values: Any) -> Network:
        """Return a network in which some of the numbers are others."""
        return Network(**{**vars(self), **values})


class Case(SimpleNamespace):
    """An input and the candidate that answers it rightly."""

    ids: list[int]
    target: str


class Path(SimpleNamespace):
    """The scalar recurrence h_t = x_t + w·h_{t-1} whose gradient is followed, see gradient.py."""

    inputs: Vector
    initial: Fraction
    weight: Fraction
    target: Fraction
    learning_rate: Fraction
    distances: list[int]  # steps back over which the factors are multiplied
    factors: Vector


class Bundle(SimpleNamespace):
    """Everything that run.py computes from."""

    network: Network
    short: list[Case]  # 第 11.2 节、第 11.3 节
    long: list[Case]  # 第 11.3 节, from chapter 10's file
    window: int  # tokens that the window baseline sees
    path: Path
    inputs: list[dict[str, str]]  # path and sha256 of each file, as the record names them


def load(root: str = ROOT) -> Bundle:
    """Return the checked bundle below `root`; raise Refused with the file and place of the first fault."""
    file = located(SEQUENCE, root)
    sequence, digest = strict_json.load(file)
    source = sequence["baseline_source"]
    path, field, recorded = (source[key].text() for key in ("path", "field", "sha256"))
    other = located(_inside(source["path"], root), root)
    loaded, actual = strict_json.load(other)
    if actual != recorded:
        raise Refused(f"sha256 是 {actual}，而 {shown(file)} 的 /baseline_source/sha256 记的是 "
                      f"{quoted(recorded)}", other)
    section = loaded[field]
    window = section["window"].integer(1, MOST_TOKENS)
    network, short = _network(sequence["rnn"], window)
    return Bundle(network=network, short=short, long=_long_inputs(section, network, window), window=window,
                  path=_path(sequence["gradient"]), inputs=[
        {"path": SEQUENCE, "sha256": digest},
        {"path": path, "field": field, "sha256": actual},
    ])


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
    tokens = len(vocabulary)
    embedding = rnn["embedding"].matrix(tokens)
    initial = rnn["initial"].vector()
    size, hidden = len(embedding[0]), len(initial)
    candidates = rnn["candidates"].names("个候选", MOST_COORDINATES)
    outputs = len(candidates)
    rnn["selection"].exactly(SELECTION)
    network = Network(
        vocabulary=vocabulary, embedding=embedding, initial=initial, candidates=candidates,
        input_weight=rnn["input_weight"].matrix(size, hidden),
        recurrent_weight=rnn["recurrent_weight"].matrix(hidden, hidden),
        hidden_bias=rnn["hidden_bias"].vector(hidden),
        output_weight=rnn["output_weight"].matrix(hidden, outputs),
        output_bias=rnn["output_bias"].vector(outputs),
        window_weight=rnn["window_weight"].matrix(window * size, hidden),
    )
    short = _cases(rnn["short_inputs"], window, tokens)
    targets = rnn["targets"].items("个目标（每个短输入一个）", exactly=len(short))
    return network, [
        Case(ids=ids, target=candidates[target.integer(0, outputs - 1)]) for ids, target in zip(short, targets)]


def _path(gradient: Node) -> Path:
    gradient["loss"].exactly(LOSS)
    factors = gradient["factors"].vector(2)
    if factors != FACTORS:
        raise gradient["factors"].refused("应为 [0.5, 1.5]，记录里的字段以此命名")
    return Path(
        inputs=gradient["inputs"].vector(), factors=factors,
        distances=[item.integer(0, MOST_TOKENS) for item in gradient["distances"].items("个距离")],
        **{name: gradient[name].rational() for name in ("initial", "weight", "target", "learning_rate")})


def _cases(inputs: Node, window: int, tokens: int) -> list[list[int]]:
    """Return rows of token ids, each long enough for the window."""
    rows = []
    for item in inputs.items("个输入"):
        rows.append([id_.integer(0, tokens - 1) for id_ in item.items("个 ID")])
        if len(rows[-1]) < window:
            raise item.refused(f"只有 {len(rows[-1])} 个 ID，装不满 {window} 个 token 的窗口")
    return rows


def _long_inputs(section: Node, network: Network, window: int) -> list[Case]:
    vocabulary = section["vocabulary"].names("个 token", MOST_TOKENS)
    if vocabulary != network.vocabulary:
        raise section["vocabulary"].refused(f"与 {SEQUENCE} 的 /rnn/vocabulary 不同")
    rows = _cases(section["prefix_ids"], window, len(vocabulary))
    names = []
    for target in section["target_ids"].items("个目标（每个长输入一个）", exactly=len(rows)):
        names.append(vocabulary[target.integer(0, len(vocabulary) - 1)])
        if names[-1] not in network.candidates:
            raise target.refused(f"{quoted(names[-1])} 不在 {SEQUENCE} 的 /rnn/candidates 里")
    contexts = section["expected_contexts"].items("个上下文（每个长输入一个）", exactly=len(rows))
    for ids, context in zip(rows, contexts):
        if [id_.integer(0, len(vocabulary) - 1) for id_ in context.items("个 ID")] != ids[-window:]:
            raise context.refused(f"应为同一个输入末尾的 {window} 个 ID：{ids[-window:]}")
    return [Case(ids=ids, target=name) for ids, name in zip(rows, names)]
