"""The tanh network of lesson 6.1 in plain floats: forward, backward through time, training.

    x       input of one step, d numbers
    h       hidden state, n numbers, h_0 = 0
    z       output, k numbers; softmax makes probabilities of them
    da      gradient of the loss by the preactivation of a step
Sums are math.fsum: the built-in sum of floats gives other last digits from Python 3.12 on.
"""
from __future__ import annotations

import math
from math import fsum, tanh
from operator import mul
from typing import Iterator, NamedTuple, Sequence

Row = Sequence[float]


class Parameters(NamedTuple):
    """h_t = tanh(x·Wx + h_{t-1}·Wh + b), z = h·Wo + bo. Lesson 6.1, section 2; gradients have the same shape."""

    Wx: list[list[float]]  # d × n
    Wh: list[list[float]]  # n × n
    b: list[float]  # n
    Wo: list[list[float]]  # n × k
    bo: list[float]  # k

    def rows(self) -> list[list[float]]:
        """Return every row of numbers, in the order of the table."""
        return [*self.Wx, *self.Wh, self.b, *self.Wo, self.bo]

    def norms(self) -> dict[str, float]:
        """Return the length of each group of numbers."""
        return {"Wx": norm(sum(self.Wx, [])), "Wh": norm(sum(self.Wh, [])), "b": norm(self.b),
                "Wo": norm(sum(self.Wo, [])), "bo": norm(self.bo)}

    def like(self, rows: Sequence[list[float]]) -> Parameters:
        """Return rows in the order of rows() as parameters."""
        wh = len(self.Wx)  # where the rows of Wh begin, then b, then Wo
        b = wh + len(self.Wh)
        return Parameters(list(rows[:wh]), list(rows[wh:b]), rows[b], list(rows[b + 1 : -1]), rows[-1])


class Case(NamedTuple):
    """An input sequence, the class that it asks for, and how often it occurs among the data."""

    inputs: Sequence[Row]  # one row of d numbers a step
    label: int
    times: int


class Trace(NamedTuple):
    """What the forward pass of one sequence leaves for the backward pass."""

    states: list[list[float]]  # h_0 … h_T
    probabilities: list[float]
    loss: float  # cross-entropy, -ln of the label's probability


def hidden_states(net: Parameters, inputs: Sequence[Row]) -> list[list[float]]:
    """Return h_0 … h_T. Products that zeros make are left out: of an input, of a state, of a matrix."""
    into, recurrent = list(zip(*net.Wx)), list(zip(*net.Wh)) if any(map(any, net.Wh)) else []
    states = [[0.0] * len(net.b)]
    for x in inputs:
        preactivation, h = net.b, states[-1]
        if any(x):
            preactivation = [bias + fsum(map(mul, x, column)) for bias, column in zip(preactivation, into)]
        if recurrent and any(h):
            preactivation = [number + fsum(map(mul, h, column)) for number, column in zip(preactivation, recurrent)]
        states.append(list(map(tanh, preactivation)))
    return states


def forward(net: Parameters, case: Case) -> Trace:
    """Return the forward pass of one sequence; the prediction belongs to its last step."""
    states = hidden_states(net, case.inputs)
    z = [bias + fsum(map(mul, states[-1], column)) for bias, column in zip(net.bo, zip(*net.Wo))]
    highest = max(z)  # taking it off changes no probability and keeps exp from overflowing
    powers = [math.exp(number - highest) for number in z]
    total = fsum(powers)
    return Trace(states, [power / total for power in powers], math.log(total) - (z[case.label] - highest))


def step_gradients(net: Parameters, case: Case, trace: Trace, share: float) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of share · loss by z, and by the preactivation of each step, the first step first."""
    dz = [share * (p - (j == case.label)) for j, p in enumerate(trace.probabilities)]
    steps = [one_back(dz, net.Wo, trace.states[-1])]
    for h in trace.states[-2:0:-1]:
        steps.append(one_back(steps[-1], net.Wh, h) if any(steps[-1]) else steps[-1])
    return dz, steps[::-1]


def one_back(after: Row, matrix: Sequence[Row], h: Row) -> list[float]:
    """Return the gradient by the preactivation of h, from the gradient by what h times the matrix adds to."""
    return [fsum(map(mul, after, row)) * (1.0 - number * number) for row, number in zip(matrix, h)]


def loss_and_gradient(net: Parameters, cases: Sequence[Case]) -> tuple[float, Parameters]:
    """Return the mean cross-entropy over all data and its gradient.

    Equal sequences are one case with a count, so a round costs as many passes as there are different inputs. Each
    element of the gradient is one sum over all steps of all cases; steps that meet zeros add nothing to it.
    """
    total = sum(case.times for case in cases)
    traces = [forward(net, case) for case in cases]
    slopes = [step_gradients(net, case, trace, case.times / total) for case, trace in zip(cases, traces)]
    met = [each for case, trace, (_, steps) in zip(cases, traces, slopes)
           for each in zip(case.inputs, trace.states, steps)]
    ends = [(trace.states[-1], dz) for trace, (dz, _) in zip(traces, slopes)]
    width, outputs = len(net.b), len(net.bo)
    gradient = Parameters(
        products([(x, da) for x, _, da in met if any(x) and any(da)], len(net.Wx), width),
        products([(h, da) for _, h, da in met if any(h) and any(da)], width, width),
        [fsum(numbers) for numbers in zip(*[da for _, _, da in met])],
        products(ends, width, outputs),
        [fsum(numbers) for numbers in zip(*[dz for _, dz in ends])])
    return fsum([trace.loss * case.times for trace, case in zip(traces, cases)]) / total, gradient


def products(pairs: Sequence[tuple[Row, Row]], rows: int, width: int) -> list[list[float]]:
    """Return the sum over all pairs of rows of the product of each coordinate of the left with each of the right."""
    if not pairs:
        return [[0.0] * width for _ in range(rows)]
    left, right = (list(zip(*side)) for side in zip(*pairs))
    return [[fsum(map(mul, numbers, column)) for column in right] for numbers in left]


class Round(NamedTuple):
    """One round of training: the loss of its forward pass, before its update."""

    number: int
    loss: float
    gradient: Parameters
    updated: Parameters


def gradient_descent(net: Parameters, cases: Sequence[Case], rate: float,
                     frozen: Sequence[str] = ()) -> Iterator[Round]:
    """Yield rounds of full-batch gradient descent for ever; the parameters named in `frozen` stay as they are."""
    number = 0
    while True:
        number += 1
        loss, gradient = loss_and_gradient(net, cases)
        moved = net.like([[w - rate * g for w, g in zip(row, slope)]
                          for row, slope in zip(net.rows(), gradient.rows())])
        net = moved._replace(**{name: getattr(net, name) for name in frozen})
        yield Round(number, loss, gradient, net)


def adam(net: Parameters, cases: Sequence[Case], rate: float, keep: float, keep_square: float,
         small: float) -> Iterator[Round]:
    """Yield rounds of Adam for ever: means of gradients and of their squares, both corrected for starting at zero."""
    mean = [[0.0] * len(row) for row in net.rows()]
    square = [[0.0] * len(row) for row in net.rows()]
    number = 0
    while True:
        number += 1
        loss, gradient = loss_and_gradient(net, cases)
        slopes = gradient.rows()
        mean = [[keep * m + (1 - keep) * g for m, g in zip(*pair)] for pair in zip(mean, slopes)]
        square = [[keep_square * v + (1 - keep_square) * g * g for v, g in zip(*pair)] for pair in zip(square, slopes)]
        first, second = 1 - keep**number, 1 - keep_square**number
        net = net.like([[w - rate * (m / first) / (math.sqrt(v / second) + small) for w, m, v in zip(*rows)]
                        for rows in zip(net.rows(), mean, square)])
        yield Round(number, loss, gradient, net)


def norm(row: Row) -> float:
    """Return the Euclidean length of a row; hypot squares no number that is too large or too small for it."""
    return math.hypot(*row)


def carried_back(net: Parameters, inputs: Sequence[Row], start: Row) -> list[float]:
    """Return the norms of a vector that is carried from the last step back to the first, the first step first.

    Each step back multiplies by 1 - h² and by the transpose of Wh. Lesson 6.1, section 4 starts from a unit vector.
    """
    norms, v = [], start
    for h in hidden_states(net, inputs)[:0:-1]:
        norms.append(norm(v))
        v = [fsum(map(mul, [a * (1.0 - b * b) for a, b in zip(v, h)], row)) for row in net.Wh]
    return norms[::-1]


def spectral_radius(matrix: Sequence[Row]) -> float:
    """Return lim ‖A^n‖^(1/n) (Gelfand), with n = 2^60 by repeated squaring.

    Each power is scaled to norm 1 and the logarithm of the scale kept: a rounding error made at the k-th squaring is
    divided by 2^k in the result.
    """
    logarithm, power = 0.0, [list(row) for row in matrix]
    for k in range(60):
        size = norm([norm(row) for row in power])
        if size == 0.0:
            return 0.0
        logarithm += math.log(size) / 2**k
        power = [[number / size for number in row] for row in power]
        columns = list(zip(*power))
        power = [[fsum(map(mul, row, column)) for column in columns] for row in power]
    return math.exp(logarithm)


def largest_singular_value(matrix: Sequence[Row]) -> float:
    """Return the largest singular value: the root of the spectral radius of A·Aᵀ."""
    return math.sqrt(spectral_radius([[fsum(map(mul, a, b)) for b in matrix] for a in matrix]))
