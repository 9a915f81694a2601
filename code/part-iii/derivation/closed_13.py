"""Chapter 13 by a reflected sum and a map, apart from the program that goes step by step.

With r ≥ 0 and h_j = max(0, d_j + r·h_(j-1)) the maximum can be taken last, since r keeps the order: h_j is the
greatest of 0 and the sums of the last i of the d, each times r^k for k steps, for i from 1 to j, the whole sum with
r^j·h_0. With Q_j = Σ_s d_s·r^-s, over s ≤ j, the sum of the last i is r^j·(Q_j - Q_(j-i)), and the whole one
r^j·(Q_j + h_0). So h_j = r^j·(Q_j - least), where least is the least of -h_0, Q_1, …, Q_j: a sum that is reflected
where it would fall below all that it was. So it is for each coordinate where W_h is diagonal without negative numbers;
other matrices are refused.
Generation follows a map from each word to its most probable successor, worked out once; a sequence has the product
of the table's numbers along its path. ln is a rational series with a remainder (enclosures.py).
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

from derivation.enclosures import logarithm
from derivation.powers_11 import FILE, ZERO, Row, dot, row, rows
from support.command import Refused

OTHER_ROW = row(("0", "0", "0.8", "0.1", "0.1", "0"))  # of blue, in exercise 3


class Encoder:
    """The given numbers of the encoder, in units of ln 2."""

    def __init__(self, given: Any) -> None:
        self.vocabulary = given["vocabulary"]
        self.embedding, self.into, self.recurrent = (rows(given[name]) for name in (
            "embedding_in_units_of_ln2", "input_weight", "recurrent_weight"))
        self.bias, self.start = (row(given[name]) for name in ("hidden_bias", "initial"))
        self.rates = [self.recurrent[j][j] for j in range(len(self.start))]
        for i, numbers in enumerate(self.recurrent):
            if numbers[i] < 0 or any(number for j, number in enumerate(numbers) if j != i):
                raise Refused("闭式推导要求编码器的递归矩阵是没有负数的对角矩阵", FILE,
                              f"/translation/recurrent_weight/{i}")
        self.drive = [[dot(x, column) + b for column, b in zip(zip(*self.into), self.bias)] for x in self.embedding]

    def coordinate(self, ids: Sequence[int], j: int) -> tuple[Row, Row, Fraction]:
        """Return a coordinate after each of `ids`, what it was before ReLU, and what it would be at the end without."""
        rate, entered = self.rates[j], [self.drive[i][j] for i in ids]
        if rate == 0:  # nothing is left of what was before
            return [max(ZERO, number) for number in entered], entered, entered[-1]
        total, least, reflected, uncut = ZERO, -self.start[j], [], []
        for t, number in enumerate(entered, 1):
            total += number / rate**t
            uncut.append(rate**t * (total - least))  # the newest sum is not yet among those of which one is the least
            least = min(least, total)
            reflected.append(rate**t * (total - least))
        return reflected, uncut, rate ** len(ids) * (total + self.start[j])

    def path(self, ids: Sequence[int]) -> tuple[list[Row], list[Row], Row]:
        """Return the state after each of `ids`, what it was before ReLU, and what it would be at the end without."""
        reflected, uncut, whole = zip(*(self.coordinate(ids, j) for j in range(len(self.start))))
        return list(map(list, zip(*reflected))), list(map(list, zip(*uncut))), list(whole)

    def states(self, ids: Sequence[int]) -> list[Row]:
        """Return the state after each of `ids`."""
        return self.path(ids)[0]

    def readings(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return every reading."""
        states, uncut, _ = self.path(ids)
        return [{"t": t, "token": self.vocabulary[i], "token_id": i, "input": self.embedding[i],
                 "previous_state": previous, "preactivation": sums, "state": state}
                for t, (i, previous, sums, state) in enumerate(zip(ids, [self.start, *states], uncut, states), 1)]


def table(given: Any) -> dict[str, Row]:
    """Return the row of BOS and of every candidate but EOS."""
    return {word: row(given["conditional_rows"][word]) for word in ["BOS", *given["candidates"]] if word != "EOS"}


def successors(given: Any, changed: dict[str, Row] | None = None) -> dict[str, tuple[str, Fraction]]:
    """Return the most probable successor of each word, the first where two are equal, with its probability."""
    best = {}
    for word, chances in {**table(given), **(changed or {})}.items():
        place = min(range(len(chances)), key=lambda k: (-chances[k], k))
        best[word] = (given["candidates"][place], chances[place])
    return best


def followed(best: dict[str, tuple[str, Fraction]], limit: int) -> tuple[list[str], str]:
    """Return the words from BOS on, BOS first, and whether EOS or the limit ended them."""
    words = ["BOS"]
    while words[-1] != "EOS" and len(words) <= limit:
        words.append(best[words[-1]][0])
    return words, "end" if words[-1] == "EOS" else "limit"


def along(given: Any) -> Row:
    """Return the table's number for every word of the target behind the word before it."""
    chances, target = table(given), given["target"]
    return [chances[a][given["candidates"].index(b)] for a, b in zip(["BOS", *target], target)]


def results(given: Any) -> dict[str, Any]:
    """Return what `results.chapter_13` of run.json must be, but for the claims."""
    encoder, best = Encoder(given), successors(given)
    source, contrast, target, limit = (given[name] for name in (
        "source_ids", "contrast_source_ids", "target", "max_steps"))
    words, stopped = followed(best, limit)
    inputs, chances = ["BOS", *target[:-1]], along(given)
    paths = {"source": encoder.readings(source), "contrast": encoder.readings(contrast)}
    met = [{"t": one["t"], "state": one["state"]} for one, two in zip(*paths.values()) if one["state"] == two["state"]]
    wrong = [t for t, (a, b) in enumerate(zip(inputs, target), 1) if best[a][0] != b]
    apart = [t for t, (a, b) in enumerate(zip(inputs, words[:-1]), 1) if a != b]
    cut, cut_by = followed(best, 2)
    (first, *matrix) = given["recurrent_weight"]
    other = Encoder({**given, "recurrent_weight": [[2, *first[1:]], *matrix]})
    swapped, swapped_by = followed(successors(given, {"blue": OTHER_ROW}), limit)
    return {
        "unit": "ln 2",
        "unit_decimal": logarithm(Fraction(2)),
        "parameters": {
            "vocabulary": encoder.vocabulary, "embedding": encoder.embedding, "initial": encoder.start,
            "input_weight": encoder.into, "recurrent_weight": encoder.recurrent, "hidden_bias": encoder.bias,
            "source": source, "contrast": contrast, "candidates": given["candidates"], "rows": table(given),
            "target": target, "limit": limit},
        "table_13_2": paths,
        "meeting": met[0] if met else None,
        "without_relu": {"source": encoder.path(source)[2], "contrast": encoder.path(contrast)[2]},
        "other_encoder": {"recurrent_weight": other.recurrent, "source": other.states(source)[-1],
                          "contrast": other.states(contrast)[-1]},
        "table_13_3": [{"t": t, "prefix": target[: t - 1], "input": inputs[t - 1], "target": wanted,
                        "probability": chances[t - 1], "greedy": best[inputs[t - 1]][0],
                        "loss": logarithm(1 / chances[t - 1], 8) if chances[t - 1] else None}
                       for t, wanted in enumerate(target, 1)],
        "example_13_2": {"probability": prod(chances), **losses(chances)},
        "table_13_5": {"rows": [{"t": t, "input": word, "probability": best[word][1], "output": best[word][0]}
                                for t, word in enumerate(words[:-1], 1)], "stopped": stopped},
        "limit_of_two": {"outputs": cut[1:], "stopped": cut_by},
        "first_wrong_prediction": wrong[0] if wrong else None,
        "first_different_input": apart[0] if apart else None,
        "exercise_1": [{"input": "BOS", "target": "blue"}, {"input": "blue", "target": "door"},
                       {"input": "door", "target": "."}, {"input": ".", "target": "EOS"}],
        "exercise_3": {"row": OTHER_ROW, "outputs": swapped[1:], "stopped": swapped_by},
        "exercise_5": {"terms": len(target) - 1, **losses(chances[:-1])},
        "probe": {"outputs": ["red", "EOS"], "stopped": "end"},  # by hand: the second and last prediction is EOS
    }


def losses(chances: Sequence[Fraction]) -> dict[str, Any]:
    """Return the loss of a path with sixteen decimals, and its mean with six; null where the path is impossible."""
    if 0 in chances:
        return {"loss": None, "mean_loss": None}
    odds = 1 / prod(chances, start=Fraction(1))
    return {"loss": logarithm(odds, 16), "mean_loss": logarithm(odds, 6, Fraction(1, len(chances)))}
