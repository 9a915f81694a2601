"""Chapter 11's model by powers of W_h, apart from the program that steps the recurrence.

Where no number of W_h, of the initial state and of x·W_x + b_h is negative, ReLU never cuts, and

    h_t = h_0·W_h^t + Σ_s (x_s·W_x + b_h)·W_h^(t-s)        over the tokens s ≤ t.

So a state is a sum of rows times powers of the matrix. Other data have no such form and are refused by name.
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

from derivation.enclosures import softmax
from support import show
from support.command import Refused, located

ZERO = Fraction(0)
FILE = located("data/part-iii/sequence-v1.json")
Row = list[Fraction]
Rows = list[Row]


def row(numbers: Any) -> Row:
    """Return the numbers of a data file, 0.5 or "1/2", exactly."""
    return [Fraction(number) for number in numbers]


def rows(matrix: Any) -> Rows:
    """Return a matrix of them."""
    return [row(numbers) for numbers in matrix]


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    """Return the sum of the products."""
    return sum((a * b for a, b in zip(left, right) if a and b), ZERO)


def scaled(numbers: Rows) -> tuple[int, list[list[int]]]:
    """Return the common denominator of some rows, and the rows times it."""
    scale = lcm(*(number.denominator for each in numbers for number in each))
    return scale, [[int(number * scale) for number in each] for each in numbers]


class Model:
    """The given numbers, with the powers of W_h as far as they were needed.

    They are integers over one denominator, W_h^k = A^k / step^k, so that a sum is reduced once, at its end.
    """

    def __init__(self, rnn: Any, recurrent: Rows | None = None) -> None:
        self.rnn, self.vocabulary = rnn, rnn["vocabulary"]
        self.embedding, self.start = rows(rnn["embedding"]), row(rnn["initial"])
        self.into, self.hidden_bias = rows(rnn["input_weight"]), row(rnn["hidden_bias"])
        self.recurrent = recurrent or rows(rnn["recurrent_weight"])
        self.out, self.bias = rows(rnn["output_weight"]), row(rnn["output_bias"])
        self.stack, self.width = rows(rnn["window_weight"]), len(self.start)
        self.clues = [[dot(x, column) for column in zip(*self.into)] for x in self.embedding]  # x·W_x
        self.drive = [[a + b for a, b in zip(clue, self.hidden_bias)] for clue in self.clues]  # x·W_x + b_h
        places = {"initial": self.start, **{f"recurrent_weight/{i}": r for i, r in enumerate(self.recurrent)},
                  **{f"embedding/{i}": numbers for i, numbers in enumerate(self.drive)}}
        for place, numbers in places.items():
            if min(numbers) < 0:
                raise Refused("闭式推导要求 W_h、初始状态和每个 x·W_x + b_h 都没有负数，这里得到 "
                              f"{show.row(numbers)}", FILE, f"/rnn/{place}")
        self.step_scale, matrix = scaled(self.recurrent)
        self.entry_scale, (self.first_entry, *self.entries) = scaled([self.start, *self.drive])
        self.columns = list(zip(*matrix))
        self.powers = [[[int(i == j) for j in range(self.width)] for i in range(self.width)]]
        self.states: dict[tuple[int, ...], Row] = {}

    def power(self, k: int) -> list[list[int]]:
        """Return A^k."""
        while len(self.powers) <= k:
            self.powers.append([[sum(map(mul, numbers, column)) for column in self.columns]
                                for numbers in self.powers[-1]])
        return self.powers[k]

    def ids(self, text: str) -> list[int]:
        """Return the ids of words."""
        return [self.vocabulary.index(word) for word in text.split()]

    def state(self, ids: Sequence[int]) -> Row:
        """Return the state after `ids`."""
        if tuple(ids) not in self.states:
            n, totals = len(ids), [0] * self.width
            for s, numbers in enumerate([self.first_entry, *(self.entries[i] for i in ids)]):
                if any(numbers):
                    missing = self.step_scale**s
                    totals = [total + missing * sum(map(mul, numbers, column))
                              for total, column in zip(totals, zip(*self.power(n - s)))]
            self.states[tuple(ids)] = [Fraction(total, self.entry_scale * self.step_scale**n) for total in totals]
        return self.states[tuple(ids)]

    def lead(self, ids: Sequence[int]) -> Fraction:
        """Return z_blue - z_red after `ids`; red wins where it is not positive."""
        red, blue = self.logits(self.state(ids))
        return blue - red

    def gain(self, i: int) -> Fraction:
        """Return what token i alone adds to the lead at once."""
        return dot(self.drive[i], [weights[1] - weights[0] for weights in self.out])

    def logits(self, state: Row) -> Row:
        """Return what the output makes of a state."""
        return [bias + dot(state, column) for bias, column in zip(self.bias, zip(*self.out))]

    def end(self, state: Row) -> dict[str, Any]:
        """Return a last state with its logits and the choice."""
        logits = self.logits(state)
        return {"state": state, "logits": logits, "choice": "blue" if logits[1] > logits[0] else "red"}

    def steps(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return every reading of an input; the preactivation is the state, because ReLU never cuts."""
        states = [self.state(ids[:t]) for t in range(len(ids) + 1)]
        ends = list(map(self.end, states[1:]))
        return [{"t": t, "token": self.vocabulary[i], "token_id": i, "input": self.embedding[i],
                 "previous_state": states[t - 1], "preactivation": states[t], "state": states[t],
                 "logits": end["logits"], "probabilities": softmax(end["logits"]), "choice": end["choice"]}
                for t, (i, end) in enumerate(zip(ids, ends), 1)]

    def window(self, ids: list[int], color: str, stack: Rows) -> dict[str, Any]:
        """Return the window baseline: the rows of its weights, each times the input that meets it, added up."""
        met = [(a, weights) for a, weights in zip(sum((self.embedding[i] for i in ids), []), stack) if a]
        sums = [sum((a * weights[j] for a, weights in met), ZERO) for j in range(self.width)]
        end = self.end([max(ZERO, number) for number in sums])
        return {"token_ids": ids, "state": end["state"], "logits": end["logits"],
                "probabilities": softmax(end["logits"]), "choice": end["choice"], "correct": end["choice"] == color}

    def with_diagonal(self, r: Fraction) -> Model:
        """Return the model with another diagonal of W_h."""
        return Model(self.rnn, [[r if i == j else number for j, number in enumerate(numbers)]
                                for i, numbers in enumerate(self.recurrent)])
