"""Mistakes that people make in such code, planted one at a time: each is seen, by whom its line of the table says."""
from __future__ import annotations

import contextlib
import inspect
import json
import os
import random
import tempfile
import textwrap
import unittest
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import check
import derive
import run
from chapters import attention, chapter_11, chapter_12, chapter_13, chapter_14, gates, gradient, recurrence, translation
from chapters.long_input import Integers
from checking import known
from derivation import closed_12, closed_13, closed_14
from support import digits
from support.record import layout
from tests.at_random import random_bundle
from tests.both_ways import given_files
from tests.shared import data, loaded


class Mistake(NamedTuple):
    """What stands in a function, and what somebody writes there instead.

    `seen` says who is the first to see it: "diff" (run.json differs from expected.json), "check" (check.py, when
    derive.py makes the same mistake at `alike`), a test of this folder by its dotted id, or "nobody: " and why it
    changes nothing whatever the data. Nothing is planted below a function whose results are cached.
    """

    what: str
    function: Any
    right: str
    wrong: str
    seen: str
    times: int = 1  # that the right expression occurs
    alike: tuple[Any, str, str] | None = None


BY_HAND = "test_chapters_12_14.ByHand.test_"
CHAPTER_11 = "test_chapter_11."
CELL = "digits.tanh(cell, scale=gates.output)"
MIXED = "digits.tanh(inside, scale=1 - gates.update_retains_old, shift=kept)"
MATH = '__import__("math")'

MISTAKES = [
    # The recurrence
    Mistake("ReLU left out", recurrence.relu, "max(number, Fraction(0))", "number", "diff"),
    Mistake("the absolute value for ReLU", recurrence.relu, "max(number, Fraction(0))", "abs(number)", "diff"),
    Mistake("ReLU of the logits too", recurrence.step, "logits(net, state)", "relu(logits(net, state))", "diff"),
    Mistake("logits of the state before ReLU", recurrence.step, "logits(net, state)", "logits(net, uncut)", "diff"),
    Mistake("logits of the old state", recurrence.step, "logits(net, state)", "logits(net, previous_state)", "diff"),
    Mistake("the choice by size, whatever the sign", recurrence.choose, "max(row)", "max(row, key=abs)",
            CHAPTER_11 + "Recurrence.test_index_by_index"),
    Mistake("the last candidate wins ties", recurrence.choose, "row.index(max(row))",
            "max(range(len(row)), key=lambda k: (row[k], k))", "diff"),
    Mistake("the choice by a search for the place", recurrence.choose, "row.index(max(row))",
            "max(range(len(row)), key=row.__getitem__)", "nobody: max, too, takes the first of equal ones"),
    Mistake("matrices read column by column", recurrence.times, "zip(*matrix)", "matrix", "diff"),
    Mistake("W_x transposed", recurrence.preactivation, "net.input_weight", "list(zip(*net.input_weight))", "diff"),
    Mistake("W_h transposed", recurrence.preactivation, "net.recurrent_weight", "list(zip(*net.recurrent_weight))",
            "diff"),
    Mistake("W_y transposed", recurrence.logits, "net.output_weight", "list(zip(*net.output_weight))", "diff"),
    Mistake("W_x and W_h swapped", recurrence.preactivation,
            "times(x, net.input_weight), times(previous_state, net.recurrent_weight)",
            "times(x, net.recurrent_weight), times(previous_state, net.input_weight)", "diff"),
    Mistake("b_h left out", recurrence.preactivation, ", net.hidden_bias)", ")", "diff"),
    Mistake("the state not carried", recurrence.read, "state = steps[-1].state", "pass", "diff"),
    Mistake("what was before ReLU carried", recurrence.read, "steps[-1].state", "steps[-1].preactivation", "diff"),
    Mistake("zeros for h_0", recurrence.read, "net.initial if", "[Fraction(0)] * len(net.initial) if", "diff"),
    Mistake("every input from h_0", recurrence.read, "net.initial if initial is None else initial", "net.initial",
            "diff"),
    Mistake("h_0 where no state is left", recurrence.read, "net.initial if initial is None else initial",
            "initial or net.initial", "nobody: a state has a coordinate"),
    Mistake("readings counted from 0", recurrence.read, "start=1", "start=0", "diff"),
    Mistake("integers that lack the power of the denominator", Integers.read, "d * power if d", "d if d",
            CHAPTER_11 + "Recurrence.test_index_by_index"),
    Mistake("cleared to h_0", chapter_11.exercise_3, "[Fraction(0)] * len(net.initial)", "net.initial",
            CHAPTER_11 + "Results.test_reset_is_to_zeros"),
    Mistake("the window at the front", chapter_11.windowed, "[-window:]", "[:window]", "diff"),
    Mistake("the nearest float of a probability", chapter_11.recorded, "digits.probabilities(each.logits)",
            f"[digits.rounded(Fraction(1 / sum({MATH}.exp(other - z) for other in each.logits))) for z in each.logits]",
            CHAPTER_11 + "Results.test_probabilities_beside_a_tie"),
    # The error travels back
    Mistake("w on the input", gradient.states, "x + w * state", "w * x + state", "diff"),
    Mistake("the path from zero", gradient.states, "path.initial", "Fraction(0)", BY_HAND + "gradient"),
    Mistake("the loss without its half", gradient.loss, " / 2", "", "diff"),
    Mistake("the error's sign", gradient.state_gradients, "states(path, w)[-1] - path.target",
            "path.target - states(path, w)[-1]", "diff"),
    Mistake("the error not multiplied on its way", gradient.state_gradients, "w * gradients[-1]", "gradients[-1]",
            "diff"),
    Mistake("one w too many", gradient.state_gradients, "[states(path, w)[-1] - path.target]",
            "[w * (states(path, w)[-1] - path.target)]", "diff"),
    Mistake("gradients from the front", gradient.state_gradients, "gradients[::-1]", "gradients", "diff"),
    Mistake("h_t for h_(t-1)", gradient.weight_contributions, "[path.initial, *states(path, w)[:-1]]",
            "states(path, w)", "diff"),
    Mistake("zero for h_0 in the first contribution", gradient.weight_contributions, "[path.initial, ",
            "[Fraction(0), ", BY_HAND + "gradient"),
    Mistake("cut off after two steps back", gradient.weight_contributions, "[gradient * state",
            "[gradient * state * (state in previous_states[-2:])", BY_HAND + "gradient"),
    Mistake("the last use alone", gradient.updated_weight, "sum(weight_contributions(path, path.weight))",
            "weight_contributions(path, path.weight)[-1]", "diff"),
    Mistake("contributions averaged", gradient.updated_weight, "path.learning_rate *",
            "path.learning_rate / len(path.inputs) *", "diff"),
    Mistake("contributions from the end", gradient.updated_weight, "sum(weight_contributions(path, path.weight))",
            "sum(weight_contributions(path, path.weight)[::-1])", "nobody: sums of fractions have no order"),
    Mistake("uphill", gradient.updated_weight, "path.weight - ", "path.weight + ", "diff"),
    Mistake("the rate as a binary float", gradient.updated_weight, "path.learning_rate *",
            "Fraction(float(path.learning_rate)) *", "diff"),
    Mistake("old states after the step", chapter_12.example_12_1, '"updated_states": gradient.states(path, updated)',
            '"updated_states": reached', "diff"),
    Mistake("a difference to one side", chapter_12.central_difference, "(STEP, -STEP)", "(2 * STEP, 0)", "diff"),
    Mistake("one edge too many", chapter_12.powers, "half**distance", "half**(distance + 1)", "diff"),
    Mistake("1 - tanh for 1 - tanh²", chapter_12.results, "digits.tanh_slope(q)", "1 - digits.tanh(q)", "diff"),
    Mistake("1 - tanh for 1 - tanh², in both programs", chapter_12.results, "digits.tanh_slope(q)",
            "1 - digits.tanh(q)", "check", alike=(closed_12.slope, " ** 2 for e in", " for e in")),
    # Gates
    Mistake("forget and input gate swapped", gates.lstm, "gates.forget * gates.previous_cell, gates.input *",
            "gates.input * gates.previous_cell, gates.forget *", "diff"),
    Mistake("1 - f for the input gate", gates.lstm, "gates.input *", "(1 - gates.forget) *", "diff"),
    Mistake("o·c without tanh", gates.lstm, CELL, "digits.rounded(gates.output * cell)", "diff"),
    Mistake("tanh(o·c)", gates.lstm, CELL, "digits.tanh(gates.output * cell)", "diff"),
    Mistake("the nearest float of tanh", gates.lstm, CELL,
            f"digits.rounded(gates.output * Fraction({MATH}.tanh(cell)))", BY_HAND + "hidden_beside_a_tie"),
    Mistake("the nearest float of tanh, mixed", gates.gru, MIXED,
            f"digits.rounded(kept + (1 - gates.update_retains_old) * Fraction({MATH}.tanh(inside)))",
            BY_HAND + "hidden_beside_a_tie"),
    Mistake("the candidate rounded before it is mixed in", gates.gru, MIXED,
            "digits.rounded(kept + (1 - gates.update_retains_old) * Fraction(digits.tanh(inside)))", BY_HAND + "gates"),
    Mistake("z kept the other way", gates.gru, "gates.update_retains_old", "(1 - gates.update_retains_old)", "diff", 2),
    Mistake("the reset state kept", gates.gru, "gates.update_retains_old * gates.previous_hidden",
            "gates.update_retains_old * gates.reset * gates.previous_hidden", "diff"),
    Mistake("the old state left out", gates.gru, ", shift=kept", "", "diff"),
    Mistake("the reset gate after the product", gates.gru, "gates.candidate_recurrent_weight * reset_state",
            "gates.reset * (gates.candidate_recurrent_weight * gates.previous_hidden)",
            "nobody: the factors are numbers, not matrices"),
    Mistake("the reset gate after the sum", gates.gru, "inside = gates.candidate_input + "
            "gates.candidate_recurrent_weight * reset_state", "inside = gates.reset * (gates.candidate_input + "
            "gates.candidate_recurrent_weight * gates.previous_hidden)", BY_HAND + "gates"),
    Mistake("the reset gate left out", gates.gru, "_weight * reset_state", "_weight * gates.previous_hidden", "diff"),
    Mistake("u left out", gates.gru, "gates.candidate_recurrent_weight * reset_state", "reset_state",
            BY_HAND + "gates"),
    Mistake("x left out", gates.gru, "gates.candidate_input + ", "", BY_HAND + "gates"),
    Mistake("the sign of x", gates.gru, "inside = gates.candidate_input", "inside = -gates.candidate_input",
            BY_HAND + "gates"),
    # Encoder and timelines
    Mistake("the encoder's state not carried", translation.encode, "state = readings[-1].state", "pass", "diff"),
    Mistake("zeros for the encoder's h_0", translation.encode, "state = encoder.initial",
            "state = [Fraction(0)] * len(encoder.initial)", BY_HAND + "encoder"),
    Mistake("zeros for h_0 where ReLU is left out", translation.without_relu, "state = encoder.initial",
            "state = [Fraction(0)] * len(encoder.initial)", BY_HAND + "encoder"),
    Mistake("the source from its end", translation.encode, "enumerate(token_ids,", "enumerate(token_ids[::-1],",
            "diff"),
    Mistake("the target fed in where it is to be predicted", translation.teacher_forced, "[START, *target[:-1]]",
            "target", "diff"),
    Mistake("targets shifted once more", translation.teacher_forced, "zip(inputs, target)",
            "zip(inputs, [*target[1:], END])", "diff"),
    Mistake("the own choice fed back", translation.teacher_forced, "inputs = [START, *target[:-1]]",
            "inputs = [START, *(choose(candidates, rows[word]) for word in [START, *target[:-2]])]", "diff"),
    Mistake("a prefix with its target", translation.teacher_forced, "target[: t - 1]", "target[:t]", "diff"),
    Mistake("the likeliest word's probability", translation.teacher_forced, "rows[word][candidates.index(wanted)]",
            "max(rows[word])", "diff"),
    Mistake("EOS left out of the mean", chapter_13.example_13_2, "len(forced)", "len(forced) - 1", "diff"),
    Mistake("EOS left out of the loss, not of the mean", chapter_13.example_13_2, "for each in forced]",
            "for each in forced[:-1]]", BY_HAND + "end_that_is_not_certain"),
    Mistake("EOS left in the loss, not in the mean", chapter_13.exercise_5, "mean_loss(probabilities, LOSS",
            "mean_loss([each.probability for each in forced], LOSS", BY_HAND + "end_that_is_not_certain"),
    Mistake("BOS counted in the mean", chapter_13.example_13_2, "len(forced)", "len(forced) + 1", "diff"),
    Mistake("the mean over one less, in both programs", chapter_13.mean_loss, "Fraction(-1, over)",
            "Fraction(-1, max(1, over - 1))", "check",
            alike=(closed_13.losses, "Fraction(1, len(chances))", "Fraction(1, max(1, len(chances) - 1))")),
    Mistake("the nearest float of the loss", chapter_13.mean_loss, "digits.logarithm(product, places, ",
            f"digits.rounded(Fraction({MATH}.log(product)) * ", "diff"),
    Mistake("the mean of the rounded loss", chapter_13.mean_loss,
            "digits.logarithm(product, places, Fraction(-1, over))",
            "digits.rounded(Fraction(digits.logarithm(product, places, Fraction(-1))) / over, places)",
            BY_HAND + "end_that_is_not_certain"),
    Mistake("the own choice not fed back", translation.generate, "word = output", "pass", "diff"),
    Mistake("the limit one too small", translation.generate, "range(1, limit + 1)", "range(1, limit)", "diff"),
    Mistake("the limit one too small, in both programs", translation.generate, "range(1, limit + 1)",
            "range(1, limit)", BY_HAND + "end_at_the_limit",
            alike=(closed_13.followed, "len(words) <= limit", "len(words) < limit")),
    Mistake("the limit one too large", translation.generate, "range(1, limit + 1)", "range(1, limit + 2)", "diff"),
    Mistake("EOS exactly at the limit counted as the limit", translation.generate, "output == END",
            "output == END and t < limit", BY_HAND + "end_at_the_limit"),
    Mistake("on after EOS", translation.generate, "if output == END:", "if output == START:", "diff"),
    Mistake("the probability by the word", translation.generate, "max(rows[word])",
            "rows[word][candidates.index(output)]", "nobody: the choice is one of the greatest"),
    # Attention
    Mistake("scores divided by the root of the width", attention.read, "dot(query, states[j])",
            "dot(query, states[j]) / Fraction(len(query) ** 0.5)", "diff"),
    Mistake("scores divided by the width, in both programs", attention.read, "dot(query, states[j])",
            "dot(query, states[j]) / len(query)", "check",
            alike=(closed_14.Count.__init__, "dot(query, state)", "dot(query, state) / len(query)")),
    Mistake("scores along the wrong axis", attention.read, "{j: dot(query, states[j]) for j in kept}",
            "dict(enumerate(dot(query, column) for column in zip(*states)))", "diff"),
    Mistake("the context along the wrong axis", attention.read, "list(zip(*(states[j] for j in kept)))",
            "[states[j] for j in kept]", "diff"),
    Mistake("scores below zero cut", attention.read, "dot(query, states[j])", "max(dot(query, states[j]), Fraction(0))",
            BY_HAND + "read"),
    Mistake("1 + score for 2^score", attention.read, "Fraction(2) ** score.numerator", "1 + score", BY_HAND + "read"),
    Mistake("e^score where scores are in units of ln 2", attention.read, "Fraction(2) ** score.numerator",
            f"Fraction({MATH}.exp(score))", "diff"),
    Mistake("scores rounded to whole ones", attention.read, "[scores[j] - highest for j in kept]",
            "[Fraction(round(scores[j] - highest)) for j in kept]", BY_HAND + "read_of_half_a_score"),
    Mistake("exponentials not divided by their sum", attention.read, "part / total", "part", "diff"),
    Mistake("exponentials divided by their number", attention.read, "total = sum(parts)", "total = len(parts)", "diff"),
    Mistake("scores not taken from the highest", attention.read, "[scores[j] - highest for j in kept]",
            "[scores[j] for j in kept]", "nobody: a shift of all scores falls out of the quotient"),
    Mistake("masked after the softmax, not made to sum to one", attention.read, "total = sum(parts)",
            "total = sum(Fraction(2) ** (dot(query, state) - highest) for state in states)", "diff"),
    Mistake("masked by a state of zeros", attention.read, "kept = [j for j in range(len(states)) if j != removed]",
            "kept = list(range(len(states)))\n"
            "    states = [[number * (j != removed) for number in state] for j, state in enumerate(states)]", "diff"),
    Mistake("the removed position counted from 1", attention.read, "if j != removed", "if j + 1 != removed", "diff"),
    Mistake("a read of nothing as zeros", attention.read, "if not kept:",
            'if not kept:\n        return {"context": [Fraction(0)] * len(query)}\n    if not kept:', "diff"),
    Mistake("the rest of the source not read again", chapter_14.source_deleted,
            "translation.states(given.encoder, left)",
            "[state for place, state in enumerate(translation.states(given.encoder, given.source)) "
            "if place != position]", "diff"),
    Mistake("the readout of rounded coordinates", attention.read,
            "digits.power_quotients([weighted(values)], shares, times_ln2=True)[0]",
            "digits.rounded(dot([Fraction(number) for number in digits.power_quotients("
            "list(map(weighted, columns)), shares, times_ln2=True)], readout))", "diff"),
    Mistake("embeddings for states", translation.states, "reading.state", "reading.input", "diff"),
    # Rounding
    Mistake("ties always up", digits.rounded, "round(q * 10**places)", "math.floor(q * 10**places + Fraction(1, 2))",
            "test_digits.Rounding.test_half_to_even"),
]
TESTS = sorted({mistake.seen for mistake in MISTAKES if mistake.seen.startswith("test_")})


class LostPlace(Exception):
    """An entry of the table no longer says where its mistake is made."""


@contextlib.contextmanager
def planted(function: Any, right: str, wrong: str, times: int = 1) -> Iterator[None]:
    """Let a function make a mistake, wherever it has been imported, as long as the block runs."""
    source, made, code = textwrap.dedent(inspect.getsource(function)), dict[str, Any](), function.__code__
    if source.count(right) != times:
        raise LostPlace(f"{function.__qualname__}: {source.count(right)} times {right}")
    exec(compile(source.replace(right, wrong), inspect.getfile(function), "exec"), function.__globals__, made)
    function.__code__ = made[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = code


def fails(name: str) -> bool:
    """Run a test, and say whether what it states is false; raise where it cannot be run."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromName(f"tests.{name}").run(result)
    if result.errors or result.skipped or not result.testsRun:
        raise RuntimeError(f"{name}: {result.errors}")
    return bool(result.failures)


@cache
def at_random() -> list[tuple[Any, str]]:
    """Return some data at random, each with its results as they are without a mistake."""
    dice = random.Random(3)
    return [(given, layout(run.results(given))) for given in (random_bundle(dice, silent=False) for _ in range(4))]


@cache
def committed() -> str:
    """Return the results of expected.json as they are laid out alone."""
    return layout(loaded("expected.json")["results"])


def by_the_book(derived: str) -> str:
    """Return who sees by the book's data that there is a mistake, when these results are derived: "diff", "check" or
    nobody.
    """
    try:
        results = layout(run.results(data()))
    except LookupError:
        return "diff"  # run.py falls over
    if results != derived:
        return "diff"
    if results == committed():
        return ""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("run.json", "expected.json")]
        for file in files:
            record = layout({**loaded("run.json"), "results": json.loads(results)}) + "\n"
            Path(file).write_bytes(record.encode())
        return "check" if len(check.check([*files, known.files_of(known.RECORDS[0])[2]], None, True)) > 1 else ""


def first_to_see(mistake: Mistake) -> str:
    """Return who is the first to see a mistake: "diff", "check", the test that the table names for it or for others,
    nobody but other data, or nobody.
    """
    with contextlib.ExitStack() as made:
        made.enter_context(planted(mistake.function, mistake.right, mistake.wrong, mistake.times))
        derived = committed()
        if mistake.alike:
            made.enter_context(planted(*mistake.alike))
            derived = layout(derive.results(*given_files()))
        seen = by_the_book(derived)
        if not seen:
            seen = next((name for name in sorted(TESTS, key=lambda name: name != mistake.seen) if fails(name)), "")
        if not seen and any(layout(run.results(given)) != results for given, results in at_random()):
            return "other data"
        return seen


class Mistakes(unittest.TestCase):
    """The table."""

    def test_each_is_seen(self) -> None:
        """Whoever the table names sees the mistake, and sees none where there is none."""
        self.assertEqual(by_the_book(committed()), "")
        for name in TESTS:
            self.assertFalse(fails(name), name)
        at_random()  # as it is without a mistake
        for mistake in MISTAKES:
            with self.subTest(mistake.what):
                self.assertEqual(first_to_see(mistake), "" if mistake.seen.startswith("nobody: ") else mistake.seen)

    def test_the_table_can_be_wrong(self) -> None:
        """A mistake that nobody sees, or somebody else, one that changes other data, and a place that is lost."""
        unseen = Mistake("", gates.gru, "gates.candidate_input + ", "", "nobody: x is zero")
        for seen in ("nobody: x is zero", "diff", BY_HAND + "gates", BY_HAND + "gradient"):
            self.assertEqual(first_to_see(unseen._replace(seen=seen)), BY_HAND + "gates")
            self.assertEqual(first_to_see(unseen._replace(seen=seen, wrong=unseen.right)), "")
        for lost in ({"right": "gates.candidate_input * "}, {"times": 2}):
            with self.assertRaises(LostPlace):
                first_to_see(unseen._replace(**lost))
        with self.assertRaises(NameError):
            first_to_see(unseen._replace(wrong="nothing + "))  # no mistake that somebody makes and leaves
        self.assertEqual(by_the_book(committed()), "")
