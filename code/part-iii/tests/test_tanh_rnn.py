"""The network of lesson 6.1 against other methods."""
from __future__ import annotations

import math
import operator
import random
import unittest

from lesson import measures, tanh_rnn
from lesson.tanh_rnn import Case, Parameters
from tests.of_the_lesson import DRAWS, plain


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

    def test_first_step_of_adam(self) -> None:
        """Both corrected means are the gradient and its square at first: each number moves by the rate, downhill."""
        net = random_network(random.Random(1), 1, 3, 2)
        step = next(tanh_rnn.adam(net, [Case([[1.0], [0.5]], 1, 1)], 0.01, 0.9, 0.999, 0.0))
        for before, after, slope in zip(net.rows(), step.updated.rows(), step.gradient.rows()):
            for w, moved, g in zip(before, after, slope):
                self.assertAlmostEqual(moved - w, -math.copysign(0.01, g), delta=1e-12)

    def test_frozen_parameters_stay(self) -> None:
        """With Wh frozen at zero the last step never sees the first: after training both inputs get one answer."""
        training = plain(DRAWS, 30, frozen=("Wh",))
        self.assertEqual(training.chance_of_1[0], training.chance_of_1[1])
        self.assertEqual({number for row in training.gradients[1].Wx for number in row}, {0.0})

    def test_gradients_of_copies_by_central_differences(self) -> None:
        """In a network whose steps have weights of their own, each copy's gradient is what its own numbers do."""
        dice = random.Random(9)
        copies = [random_network(dice, 1, 3, 2) for _ in range(4)]
        case = Case([[dice.uniform(-1, 1)] for _ in copies], 1, 1)

        def output(each: list[Parameters]) -> tuple[list[list[float]], list[float]]:
            states = measures.layer_by_layer(each, case.inputs)
            z = [bias + sum(map(operator.mul, states[-1], column))
                 for bias, column in zip(each[-1].bo, zip(*each[-1].Wo))]
            total = sum(map(math.exp, z))
            return states, [math.exp(number) / total for number in z]

        states, probabilities = output(copies)
        for t, rows in enumerate(measures.gradients_by_copy(copies, states, case, probabilities)):
            for i, row in enumerate(rows):
                for j, slope in enumerate(row):
                    ends = []
                    for move in (1e-6, -1e-6):
                        moved = [list(numbers) for numbers in copies[t].rows()]
                        moved[i][j] += move
                        each = [*copies[:t], copies[t].like(moved), *copies[t + 1 :]]
                        ends.append(-math.log(output(each)[1][case.label]))
                    self.assertAlmostEqual(slope, (ends[0] - ends[1]) / 2e-6, delta=1e-8)

    def test_steps_until_spectral_radius(self) -> None:
        """[[1, 1], [0, 1/2]] turns (1, 1) into 2, 5/2, 11/4 … over 1/2, 1/4 …; a rotation never settles, 0 has none.

        By hand the second coordinate is 2^-k and the first 3 - 2^(1-k): the factor is 1 but for about 2^-k / 3, which
        is below 1% from the seventh step on. A rotation of a vector keeps its length: close from the first step.
        """
        self.assertEqual(measures.steps_until_radius([[1.0, 1.0], [0.0, 0.5]]), 7)
        self.assertEqual(measures.steps_until_radius([[0.0, -1.0], [1.0, 0.0]]), 1)
        self.assertIsNone(measures.steps_until_radius([[0.0, 4.0], [1.0, 0.0]]))
        self.assertIsNone(measures.steps_until_radius([[0.0, 1.0], [0.0, 0.0]]))

    def test_sizes_of_matrices(self) -> None:
        """Eigenvalues and singular values that are known: a rotation, a Jordan block, a diagonal, nothing."""
        for matrix, radius, singular in (([[0, -2], [2, 0]], 2, 2), ([[1, 1], [0, 1]], 1, (1 + math.sqrt(5)) / 2),
                                         ([[3, 0], [0, -5]], 5, 5), ([[0, 1], [0, 0]], 0, 1), ([[0, 0], [0, 0]], 0, 0),
                                         ([[1, 2], [3, 4]], (5 + math.sqrt(33)) / 2, math.sqrt(15 + math.sqrt(221)))):
            self.assertAlmostEqual(tanh_rnn.spectral_radius(matrix), radius, delta=1e-12)
            self.assertAlmostEqual(tanh_rnn.largest_singular_value(matrix), singular, delta=1e-9)
