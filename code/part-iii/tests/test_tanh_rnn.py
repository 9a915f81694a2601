"""The network of lesson 6.1 against other methods."""
from __future__ import annotations

import math
import random
import unittest

from lesson import tanh_rnn
from lesson.tanh_rnn import Case, Parameters


def random_network(dice: random.Random, d: int, h: int, k: int) -> Parameters:
    """Return parameters of any sizes."""

    def matrix(rows: int, width: int) -> list[list[float]]:
        return [[dice.uniform(-1, 1) for _ in range(width)] for _ in range(rows)]

    return Parameters(matrix(d, h), matrix(h, h), matrix(1, h)[0], matrix(h, k), matrix(1, k)[0])


class Network(unittest.TestCase):
    """Forward, backward, training."""

    def test_gradient_by_central_differences(self) -> None:
        """On random small networks each derivative is what the loss itself does when one number moves."""
        dice = random.Random(6)
        for _ in range(8):
            d, h, k = (dice.randint(1, 3) for _ in range(3))
            net = random_network(dice, d, h, k)
            cases = [Case([[dice.choice((0.0, dice.uniform(-1, 1))) for _ in range(d)] for _ in range(4)],
                          dice.randrange(k), dice.randint(1, 3)) for _ in range(3)]
            gradient = tanh_rnn.loss_and_gradient(net, cases)[1].rows()
            for i, row in enumerate(net.rows()):
                for j in range(len(row)):
                    ends = []
                    for move in (1e-6, -1e-6):
                        rows = [list(numbers) for numbers in net.rows()]
                        rows[i][j] += move
                        ends.append(tanh_rnn.loss_and_gradient(net.like(rows), cases)[0])
                    self.assertAlmostEqual(gradient[i][j], (ends[0] - ends[1]) / 2e-6, delta=1e-8)

    def test_loss(self) -> None:
        """Without weights out the loss is that of the biases alone: ln(1 + e^-1) for the class that has one more."""
        net = random_network(random.Random(2), 1, 3, 2)._replace(Wo=[[0.0, 0.0]] * 3, bo=[2.0, 1.0])
        cases = [Case([[1.0]], 0, 3), Case([[0.5]], 1, 1)]
        loss = tanh_rnn.loss_and_gradient(net, cases)[0]
        self.assertAlmostEqual(loss, math.log(1 + math.exp(-1)) + 1 / 4, delta=1e-15)

    def test_first_rounds(self) -> None:
        """Descent moves each number by the rate times its slope. Adam at first moves each by the rate, since both of
        its corrected means are the gradient and its square.
        """
        net, cases = random_network(random.Random(1), 1, 3, 2), [Case([[1.0], [0.5]], 1, 1)]
        for adam in (False, True):
            rounds = tanh_rnn.rounds(net, cases, 0.01, adam)
            (first, _, gradient), (second, loss, _) = next(rounds), next(rounds)
            self.assertEqual((first, loss), (net, tanh_rnn.loss_and_gradient(second, cases)[0]))
            for before, after, slopes in zip(net.rows(), second.rows(), gradient.rows()):
                for w, moved, g in zip(before, after, slopes):
                    move, most = (math.copysign(0.01, g), 1e-6) if adam else (0.01 * g, 1e-15)
                    self.assertAlmostEqual(moved - w, -move, delta=most)

    def test_carried_back(self) -> None:
        """By hand: (1, 0) through the transpose of [[1, 2], [3, 4]] is (1, 3), which a state of 1/2 scales by 3/4."""
        norms = tanh_rnn.carried_back([[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0], [0.5, 0.5], [0.0, 0.0]], [1.0, 0.0])
        self.assertEqual(norms, [math.hypot(0.75 + 4.5, 2.25 + 9.0), math.hypot(1.0, 3.0), 1.0])

    def test_sizes_of_matrices(self) -> None:
        """Singular values that are known: a rotation, a Jordan block, a diagonal, columns that sum to zero."""
        for matrix, singular in (([[0, -2], [2, 0]], 2), ([[1, 1], [0, 1]], (1 + math.sqrt(5)) / 2),
                                 ([[3, 0], [0, -5]], 5), ([[0, 1], [0, 0]], 1),
                                 ([[1, 0], [-1, 0]], math.sqrt(2)),
                                 ([[1, 2], [3, 4]], math.sqrt(15 + math.sqrt(221)))):
            self.assertAlmostEqual(tanh_rnn.largest_singular_value(matrix), singular, delta=1e-9)
