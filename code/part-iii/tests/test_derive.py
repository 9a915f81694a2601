"""The committed expectation is what derive.py derives, and closed forms agree with stepping on other data."""
from __future__ import annotations

import ast
import os
import random
import unittest
from fractions import Fraction
from typing import Any

import derive
import run
from support import bundle
from support.command import Refused, located
from support.record import layout
from tests.shared import CODE

PATHS = list(map(located, (bundle.SEQUENCE, "data/part-ii/nnlm-data.json")))


def random_path(dice: random.Random, path: bundle.Path, section: dict[str, Any]) -> tuple[bundle.Path, dict[str, Any]]:
    """Return a scalar path with other numbers, as run.py and as derive.py read it."""
    numbers = {name: Fraction(dice.randint(-4, 4), dice.randint(1, 3))
               for name in ("initial", "weight", "target", "learning_rate")}
    inputs = [Fraction(dice.randint(-2, 2), 3) for _ in range(dice.randint(1, 5))]
    return bundle.Path(**{**vars(path), **numbers, "inputs": inputs}), {**section, **numbers, "inputs": inputs}


class Derivation(unittest.TestCase):
    """expected.json."""

    def test_committed_file(self) -> None:
        """expected.json is derive.py's output byte for byte."""
        with open(located("expected.json"), "rb") as file:
            self.assertEqual(file.read().decode(), layout(derive.expected()) + "\n")

    def test_record_and_expectation_are_the_same_bytes(self) -> None:
        """`diff run.json expected.json` prints nothing, and neither does that of the lesson's pair."""
        for folder in ("", "data/lesson-6-1/"):
            contents = []
            for name in ("run.json", "expected.json"):
                with open(located(folder + name), "rb") as file:
                    contents.append(file.read())
            self.assertEqual(*contents)

    def test_independence(self) -> None:
        """derive.py and check.py import nothing of the programs that they are held against."""
        for program in ("derive.py", "check.py"):
            with open(os.path.join(CODE, program), encoding="utf-8") as file:
                tree = ast.parse(file.read())
            names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom):
                    names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
            rooms = {name for name in names if name.split(".")[0] in ("chapters", "lesson", "support", "tests")}
            allowed = ("support", "support.command", "support.record", "support.show")
            self.assertEqual({name for name in rooms if not name.startswith(allowed[1:]) and name != allowed[0]},
                             set(), program)

    def test_other_weights(self) -> None:
        """Random retained weights, biases, embeddings and output weights: stepping gives what the powers give."""
        dice = random.Random(2)
        data = bundle.load()
        contents = [derive.read(path)[1] for path in PATHS]
        for turn in range(5):
            r = [Fraction(dice.randint(0, 5), dice.choice((2, 3, 4, 10))) for _ in range(2)]
            bias = [Fraction(dice.randint(-3, 3), dice.choice((1, 8, 7))) for _ in range(2)]
            embedding: bundle.Matrix = [[Fraction(dice.choice((0, 0, 1, 2)), dice.choice((1, 3))) for _ in range(2)]
                                        for _ in range(5)]
            head: bundle.Matrix = [[Fraction(dice.randint(-2, 4), 2) for _ in range(2)] for _ in range(2)]
            if turn % 2:  # otherwise one clue in a silent input, as in the chapter
                embedding = [*embedding[:2], *data.network.embedding[2:]]
                head = data.network.output_weight
            path, gradient = random_path(dice, data.path, contents[0]["gradient"])
            rows: bundle.Matrix = [[r[0], Fraction(0)], [Fraction(0), r[1]]]
            net = data.network.changed(recurrent_weight=rows, output_bias=bias, embedding=embedding,
                                        output_weight=head)
            rnn = dict(contents[0]["rnn"], recurrent_weight=rows, output_bias=bias, embedding=embedding,
                       output_weight=head)
            fields = [derive.Field("x", value) for value in (rnn, contents[1]["window_collision"], gradient)]
            stepped = run.results(bundle.Bundle(**{**vars(data), "network": net, "path": path}))
            self.assertEqual(derive.results(*fields), stepped, turn)

    def test_refuses_what_has_no_closed_form(self) -> None:
        """A state that mixes coordinates, a hidden bias or a negative contribution could meet ReLU."""
        sequence = derive.read(PATHS[0])[1]
        rnn, collision = sequence["rnn"], derive.read(PATHS[1])[1]["window_collision"]
        for name, value in (("recurrent_weight", [[1, 1], [0, 1]]), ("recurrent_weight", [[-1, 0], [0, 1]]),
                            ("input_weight", [[-1, 0], [0, 1]]), ("hidden_bias", [1, 0]),
                            ("candidates", ["red", "key"])):
            with self.assertRaisesRegex(Refused, "闭式推导只适用于"):
                derive.results(*(derive.Field("x", part) for part in
                                 (dict(rnn, **{name: value}), collision, sequence["gradient"])))


if __name__ == "__main__":
    unittest.main()
