"""The recurrence of chapter 11, section 11.2, in exact fractions: read this file first, then run.py.

t       reading time, 1 for the first token
x       input of one reading, a row vector (an embedding)
h       hidden state, a row vector; h0 is the declared initial state
z       logits, one for each candidate
net     the given weights and biases (bundle.Network); nothing here changes them
ids     a sequence of token ids
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import SimpleNamespace

from support import digits
from support.bundle import Matrix, Network, Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ZERO = Fraction(0)


class Step(SimpleNamespace):
    """One reading: what came in, what was left, what is decided. 表 11.2、表 11.3."""

    t: int
    token_id: int
    input: Vector
    previous_state: Vector
    preactivation: Vector
    state: Vector


def linear(row: Vector, weight: Matrix) -> Vector:
    """Return row · weight: n numbers times an n × m matrix gives m numbers.

    >>> [str(number) for number in linear([1, 2], [[1, 0, 3], [0, 1, 4]])]
    ['1', '2', '11']
    """
    used = [(a, numbers) for a, numbers in zip(row, weight) if a]  # most inputs are zeros, which add nothing
    return [sum([a * numbers[j] for a, numbers in used if numbers[j]], ZERO) for j in range(len(weight[0]))]


def add(*rows: Vector) -> Vector:
    """Return the sum of rows of one length, coordinate by coordinate."""
    return [sum(filter(None, numbers), ZERO) for numbers in zip(*rows)]


def relu(row: Vector) -> Vector:
    """Return the row with every negative number cut to zero."""
    return [max(number, ZERO) for number in row]


def preactivation(net: Network, x: Vector, h: Vector) -> Vector:
    """Return x·W_x + h·W_h + b_h: e numbers of input and h of state give h numbers. The first formula of 11.2."""
    return add(linear(x, net.input_weight), linear(h, net.recurrent_weight), net.hidden_bias)


def output(net: Network, h: Vector) -> Vector:
    """Return the logits h·W_y + b_y, one for each of the k candidates. The second formula of 11.2."""
    return add(linear(h, net.output_weight), net.output_bias)


def choice(net: Network, z: Vector) -> str:
    """Return the candidate with the highest logit; the first one wins ties."""
    return net.candidates[z.index(max(z))]


def steps(net: Network, ids: Sequence[int], initial: Vector | None = None, reset: bool = False) -> Iterator[Step]:
    """Yield one Step for each token, from the declared initial state or from `initial`.

    With `reset` the state is zeroed before every token (exercise 3).
    """
    h = net.initial if initial is None else initial
    for t, token_id in enumerate(ids, start=1):
        x, previous = net.embedding[token_id], [ZERO] * len(h) if reset else h
        before = preactivation(net, x, previous)
        h = relu(before)
        yield Step(t=t, token_id=token_id, input=x, previous_state=previous, preactivation=before, state=h)


def last_state(net: Network, ids: Sequence[int], initial: Vector | None = None, reset: bool = False) -> Vector:
    """Return the hidden state, h numbers, after the last of at least one token."""
    return list(steps(net, ids, initial, reset))[-1].state


def window_state(net: Network, ids: Sequence[int]) -> Vector:
    """Return what the window baseline sends to the output head. 第 11.3 节.

    The embeddings of `ids` (all that the window sees) in one row, times W_window, through ReLU.
    """
    return relu(linear([number for i in ids for number in net.embedding[i]], net.window_weight))


def with_diagonal(net: Network, r: Fraction) -> Network:
    """Return the network with every diagonal element of W_h replaced by r. Exercise 2."""
    rows = [[r if i == j else w for j, w in enumerate(row)] for i, row in enumerate(net.recurrent_weight)]
    return net.changed(recurrent_weight=rows)


def exact(row: Vector) -> list[str]:
    """Return the numbers of a row in lowest terms."""
    return [str(number) for number in row]


def step_fields(net: Network, step: Step) -> dict[str, Any]:
    """Return a step in the fields of the record."""
    z = output(net, step.state)
    return {
        "t": step.t, "token": net.vocabulary[step.token_id], "token_id": step.token_id,
        "input": exact(step.input), "previous_state": exact(step.previous_state),
        "preactivation": exact(step.preactivation), "state": exact(step.state), "logits": exact(z),
        "probabilities": digits.probabilities(z), "choice": choice(net, z),
    }


def ending(net: Network, h: Vector) -> dict[str, Any]:
    """Return what a last state h leads to: state, logits, choice."""
    z = output(net, h)
    return {"state": exact(h), "logits": exact(z), "choice": choice(net, z)}
