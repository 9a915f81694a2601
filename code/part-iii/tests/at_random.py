"""Data at random that run.py and derive.py both take, in which what is hard about each chapter occurs often."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import core
from chapters import bundle
from chapters.bundle import OUTPUT_WORDS, Bundle, Case, Translation
from tests.shared import data, random_matrix, random_network


def number(dice: random.Random) -> Fraction:
    """Return a rational, small more often than not."""
    return Fraction(dice.randint(-9, 9), dice.randint(1, 7)) * Fraction(10) ** dice.choice((0, 0, 0, 0, -5, 3))


def row(dice: random.Random, width: int) -> list[Fraction]:
    """Return numbers of both signs, mostly whole, so that paths are cut, meet and have scores that differ by one."""
    return [Fraction(dice.randint(-3, 3), dice.choice((1, 1, 1, 2, 3))) for _ in range(width)]


def diagonal(rates: list[Fraction]) -> list[list[Fraction]]:
    """Return the matrix with these numbers on its diagonal and nothing beside it."""
    return [[rate * (i == j) for j in range(len(rates))] for i, rate in enumerate(rates)]


def random_bundle(dice: random.Random, silent: bool) -> Bundle:
    """Return data without negative numbers where ReLU could cut; `silent`: one clue, one rate, nothing else."""
    window, words, far = dice.randint(1, 3), dice.randint(5, 7), dice.choice((0, 0, 12))  # now and then 10^±12

    def positive(numbers: Any) -> list[Fraction]:
        return [abs(each) * Fraction(10) ** dice.choice((0, 0, far, -far)) for each in numbers]

    net = random_network(dice, words)
    weight = random_matrix(dice, window * len(net.embedding[0]), len(net.initial))
    net = net._replace(
        embedding=list(map(positive, net.embedding)), initial=positive(net.initial),
        input_weight=list(map(positive, net.input_weight)), hidden_bias=positive(net.hidden_bias),
        recurrent_weight=list(map(positive, net.recurrent_weight)))
    short, long = ([[dice.randrange(words) for _ in range(dice.randint(window, 9))] for _ in range(dice.randint(2, 3))]
                   for _ in range(2))
    if silent:
        zeros, rate = [Fraction(0)] * len(net.initial), Fraction(dice.randint(0, 12), 10)
        net = net._replace(initial=zeros, hidden_bias=zeros, recurrent_weight=diagonal([rate] * len(zeros)), embedding=[
            numbers if i < 2 else [Fraction(0)] * len(numbers) for i, numbers in enumerate(net.embedding)])
        long[:2] = [[color] + [2] * dice.randint(window, 8) for color in (0, 1)]
    cases = [[Case(ids, color) for ids, color in zip(inputs, ("red", "blue", "red"))] for inputs in (short, long)]
    given = random_translation(dice)
    return data()._replace(network=net, short=cases[0], long=cases[1], window=window, window_weight=weight,
                           path=random_path(dice), distances=[dice.randint(0, 20) for _ in range(dice.randint(1, 4))],
                           translation=given, attention=random_attention(dice, given), **random_gates(dice))


def random_path(dice: random.Random) -> core.ScalarPath:
    """Return inputs, some of them zero, a start, a weight, a target and a rate."""
    inputs = [dice.choice((Fraction(0), number(dice), number(dice))) for _ in range(dice.randint(1, 7))]
    initial, weight, target, rate = (number(dice) for _ in range(4))
    return core.ScalarPath(inputs, initial, weight, target, rate)


def random_gates(dice: random.Random) -> dict[str, Any]:
    """Return gates between nothing and all, and any values that they meet."""
    f, i, o, z, r = (Fraction(dice.randint(0, 6), 6) for _ in range(5))
    cell, candidate, hidden, into, weight = (number(dice) for _ in range(5))
    return {"lstm": core.Lstm(cell, f, i, candidate, o), "gru": core.Gru(hidden, z, r, into, weight)}


def random_translation(dice: random.Random) -> Translation:
    """Return a diagonal encoder whose sums are cut now and then, two sources, which often have the same end, and a
    table with ties and impossible words, with every word possible, or certain.
    """
    size, hidden = dice.randint(1, 3), dice.randint(1, 3)
    rates = [dice.choice((Fraction(0), Fraction(1), Fraction(1), Fraction(1, 2), Fraction(3, 2)))
             for _ in range(hidden)]
    encoder = core.Encoder(
        bundle.SOURCE_WORDS, [row(dice, size) for _ in range(4)], row(dice, hidden),
        [row(dice, hidden) for _ in range(size)], diagonal(rates), row(dice, hidden))
    usual, rows = dice.choice(((0, 0, 1, 2, 3), (1, 2, 3), (0,))), {}
    for word in ("BOS", *OUTPUT_WORDS[:-1]):
        parts = [dice.choice(usual) for _ in OUTPUT_WORDS]
        parts[dice.randrange(6)] += 1
        rows[word] = [Fraction(part, sum(parts)) for part in parts]
    end = [dice.randrange(4) for _ in range(dice.randint(0, 4))]
    source, contrast = ([dice.randrange(4), *end] for _ in range(2))
    if dice.randrange(2):
        contrast = [dice.randrange(4) for _ in range(dice.randint(1, 6))]
    target = [dice.choice(OUTPUT_WORDS[:-1]) for _ in range(dice.randint(1, 5))]
    likely = [each.output for each in core.generate(rows, OUTPUT_WORDS, 5)[0] if each.output != "EOS"]
    if dice.randrange(2) and likely:  # right as long as it goes on
        target = likely
    return Translation(encoder, source, contrast, OUTPUT_WORDS, [*target, "EOS"], dice.randint(1, 9), rows)


def random_attention(dice: random.Random, given: Translation) -> bundle.Attention:
    """Return queries whose scores differ by whole numbers or not, a readout, and some positions to remove."""
    width, positions = len(given.encoder.initial), len(given.source)
    removed = [] if positions == 1 else dice.sample(range(1, positions + 1), dice.randint(0, positions))
    whole = [Fraction(round(each)) for each in row(dice, width)]  # whole scores where the states are whole
    return bundle.Attention([whole, row(dice, width)], row(dice, width), removed)
