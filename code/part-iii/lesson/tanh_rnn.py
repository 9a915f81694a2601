"""The tanh network of lesson 6.1 in plain floats: forward, backward through time, training.

    x       input of one step, d numbers
    h       hidden state, n numbers, h_0 = 0
    z       output, k numbers; softmax makes probabilities of them
    da      gradient of the loss by the preactivation of a step
Sums are math.fsum: the built-in sum of floats gives other last digits from Python 3.12 on.
"""
from __future__ import annotations

import math
from itertools import count
from math import fsum, tanh
from operator import mul
from typing import Iterator, NamedTuple, Sequence

Row = Sequence[float]
Rows = list[list[float]]
KEEP, KEEP_SQUARE, SMALL = 0.9, 0.999, 1e-8  # of Adam, as its authors have them


class Parameters(NamedTuple):
    """h_t = tanh(x·Wx + h_{t-1}·Wh + b), z = h·Wo + bo. Lesson 6.1, section 2; gradients have the same shape."""

    Wx: Rows  # d × n
    Wh: Rows  # n × n
    b: list[float]  # n
    Wo: Rows  # n × k
    bo: list[float]  # k

    def rows(self) -> Rows:
        """Return every row of numbers, in the order of the table."""
        return [*self.Wx, *self.Wh, self.b, *self.Wo, self.bo]

    def like(self, rows: Rows) -> Parameters:
        """Return rows in the order of rows() as parameters."""
        wh = len(self.Wx)  # where the rows of Wh begin, then b, then Wo
        b = wh + len(self.Wh)
        return Parameters(rows[:wh], rows[wh:b], rows[b], rows[b + 1 : -1], rows[-1])


class Case(NamedTuple):
    """An input sequence, the class that it asks for, and how often it occurs among the data."""

    inputs: Sequence[Row]  # one row of d numbers a step
    label: int
    times: int


def hidden_states(net: Parameters, inputs: Sequence[Row]) -> Rows:
    """Return h_0 … h_T."""
    into, recurrent, states = list(zip(*net.Wx)), list(zip(*net.Wh)), [[0.0] * len(net.b)]
    for x in inputs:  # most are zeros, which add nothing
        fed = [bias + fsum(map(mul, x, column)) for bias, column in zip(net.b, into)] if any(x) else net.b
        states.append([tanh(number + fsum(map(mul, states[-1], column))) for number, column in zip(fed, recurrent)])
    return states


def forward(net: Parameters, case: Case) -> tuple[Rows, list[float], float]:
    """Return states, probabilities of the last step and the loss -ln p of one sequence."""
    states = hidden_states(net, case.inputs)
    z = [bias + fsum(map(mul, states[-1], column)) for bias, column in zip(net.bo, zip(*net.Wo))]
    highest = max(z)  # taking it off changes no probability and keeps exp from overflowing
    powers = [math.exp(number - highest) for number in z]
    total = fsum(powers)
    return states, [power / total for power in powers], math.log(total) - (z[case.label] - highest)


def loss_and_gradient(net: Parameters, cases: Sequence[Case]) -> tuple[float, Parameters]:
    """Return the mean cross-entropy over all data and its gradient.

    Equal sequences are one case with a count, so a round costs as many passes as there are different inputs. Each
    element of the gradient is one sum over all steps of all cases.
    """
    total = sum(case.times for case in cases)
    losses: list[float] = []
    met: list[tuple[Row, Row, Row]] = []  # of each step: x, the state before, da
    ends: list[tuple[Row, Row]] = []  # of each case: the last state, the gradient by z
    for case in cases:
        states, probabilities, loss = forward(net, case)
        losses.append(case.times * loss)
        after = [case.times / total * (p - (j == case.label)) for j, p in enumerate(probabilities)]
        ends.append((states[-1], after))
        matrix = net.Wo
        for x, before, h in zip(case.inputs[::-1], states[-2::-1], states[::-1]):
            after = [fsum(map(mul, after, row)) * (1.0 - number * number) for row, number in zip(matrix, h)]
            met.append((x, before, after))
            matrix = net.Wh
    inputs, befores, slopes = zip(*met)
    return fsum(losses) / total, Parameters(
        products(inputs, slopes), products(befores, slopes), [fsum(numbers) for numbers in zip(*slopes)],
        products(*zip(*ends)), [fsum(numbers) for numbers in zip(*[dz for _, dz in ends])])


def products(left: Sequence[Row], right: Sequence[Row]) -> Rows:
    """Return the sum over all pairs of rows of the product of each coordinate of the left with each of the right."""
    columns = list(zip(*right))
    return [[fsum(map(mul, numbers, column)) for column in columns] for numbers in zip(*left)]


def rounds(net: Parameters, cases: Sequence[Case], rate: float,
           adam: bool) -> Iterator[tuple[Parameters, float, Parameters]]:
    """Yield the network before each round of full-batch training, its loss and its gradient, for ever.

    Each number moves downhill by the rate times its gradient, or, with Adam, times the mean of its gradients over the
    root of the mean of their squares, both corrected for starting at zero.
    """
    mean = square = [[0.0] * len(row) for row in net.rows()]
    for n in count(1):
        loss, gradient = loss_and_gradient(net, cases)
        yield net, loss, gradient
        moves = gradient.rows()
        if adam:
            mean = [[KEEP * m + (1 - KEEP) * g for m, g in zip(*pair)] for pair in zip(mean, moves)]
            square = [[KEEP_SQUARE * v + (1 - KEEP_SQUARE) * g * g for v, g in zip(*pair)]
                      for pair in zip(square, moves)]
            first, second = 1 - KEEP**n, 1 - KEEP_SQUARE**n
            moves = [[m / first / (math.sqrt(v / second) + SMALL) for m, v in zip(*pair)] for pair in zip(mean, square)]
        net = net.like([[w - rate * move for w, move in zip(*pair)] for pair in zip(net.rows(), moves)])


def carried_back(matrix: Rows, states: Sequence[Row], start: Row) -> list[float]:
    """Return the norms of a vector that is carried from the last of some states back to the first, the first first.

    Each step back multiplies by 1 - h² and by the transpose of Wh. Lesson 6.1, section 4 starts from a unit vector.
    """
    norms, v = [], start
    for h in states[::-1]:
        norms.append(math.hypot(*v))
        v = [fsum(map(mul, [a * (1.0 - b * b) for a, b in zip(v, h)], row)) for row in matrix]
    return norms[::-1]


def largest_singular_value(matrix: Sequence[Row]) -> float:
    """Return the root of the largest eigenvalue of A·Aᵀ, which is lim (trace of (A·Aᵀ)^n)^(1/n), with n = 2^60.

    Each power is scaled to trace 1 and the logarithm of the scale kept: a rounding error made at the k-th squaring is
    divided by 2^k in the result.
    """
    logarithm, power = 0.0, products(*[list(zip(*matrix))] * 2)
    for k in range(60):
        size = fsum(row[i] for i, row in enumerate(power))
        logarithm += math.log(size) / 2**k
        power = [[number / size for number in row] for row in power]
        power = products(power, power)  # symmetric: the columns are the rows
    return math.exp(logarithm / 2)
