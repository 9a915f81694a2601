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
import core
import derive
import run
from chapters import chapter_11, chapter_12, chapter_13, chapter_14
from checking import known
from derivation import closed_12, closed_13, closed_14
from support import digits
from support.command import Refused
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
CELL = "digits.tanh(cell, scale=given.output)"
MIXED = "digits.tanh(inside, scale=1 - given.update_retains_old, shift=kept)"
MATH = '__import__("math")'

MISTAKES = [
    # The recurrence
    Mistake("ReLU left out", core.relu, "max(number, Fraction(0))", "number", "diff"),
    Mistake("the absolute value for ReLU", core.relu, "max(number, Fraction(0))", "abs(number)", "diff"),
    Mistake("ReLU of the logits too", core.step, "logits(net, state)", "relu(logits(net, state))", "diff"),
    Mistake("logits of the state before ReLU", core.step, "logits(net, state)", "logits(net, uncut)", "diff"),
    Mistake("logits of the old state", core.step, "logits(net, state)", "logits(net, previous_state)", "diff"),
    Mistake("the choice by size, whatever the sign", core.choose, "max(row)", "max(row, key=abs)",
            CHAPTER_11 + "Recurrence.test_index_by_index"),
    Mistake("the last candidate wins ties", core.choose, "row.index(max(row))",
            "max(range(len(row)), key=lambda k: (row[k], k))", "diff"),
    Mistake("the choice by a search for the place", core.choose, "row.index(max(row))",
            "max(range(len(row)), key=row.__getitem__)", "nobody: max, too, takes the first of equal ones"),
    Mistake("matrices read column by column", core.times, "zip(*matrix)", "matrix", "diff"),
    Mistake("W_x transposed", core.preactivation, "net.input_weight", "list(zip(*net.input_weight))", "diff"),
    Mistake("W_h transposed", core.preactivation, "net.recurrent_weight", "list(zip(*net.recurrent_weight))",
            "diff"),
    Mistake("W_y transposed", core.logits, "net.output_weight", "list(zip(*net.output_weight))", "diff"),
    Mistake("W_x and W_h swapped", core.preactivation,
            "times(x, net.input_weight), times(previous_state, net.recurrent_weight)",
            "times(x, net.recurrent_weight), times(previous_state, net.input_weight)", "diff"),
    Mistake("b_h left out", core.preactivation, ", net.hidden_bias)", ")", "diff"),
    Mistake("the state not carried", core.read, "state = steps[-1].state", "pass", "diff"),
    Mistake("what was before ReLU carried", core.read, "steps[-1].state", "steps[-1].preactivation", "diff"),
    Mistake("zeros for h_0", core.read, "net.initial if", "[Fraction(0)] * len(net.initial) if", "diff"),
    Mistake("every input from h_0", core.read, "net.initial if initial is None else initial", "net.initial",
            "diff"),
    Mistake("h_0 where no state is left", core.read, "net.initial if initial is None else initial",
            "initial or net.initial", "nobody: a state has a coordinate"),
    Mistake("readings counted from 0", core.read, "start=1", "start=0", "diff"),
    Mistake("cleared to h_0", chapter_11.exercise_3, "[Fraction(0)] * len(net.initial)", "net.initial",
            CHAPTER_11 + "Results.test_reset_is_to_zeros"),
    Mistake("the window at the front", chapter_11.windowed,
            "[-len(window) // len(net.embedding[0]) :]", "[: len(window) // len(net.embedding[0])]", "diff"),
    Mistake("the nearest float of a probability", chapter_11.recorded, "digits.probabilities(each.logits)",
            f"[digits.rounded(Fraction(1 / sum({MATH}.exp(other - z) for other in each.logits))) for z in each.logits]",
            CHAPTER_11 + "Results.test_probabilities_beside_a_tie"),
    # The error travels back
    Mistake("w on the input", core.path_states, "x + w * state", "w * x + state", "diff"),
    Mistake("the path from zero", core.path_states, "path.initial", "Fraction(0)", "diff"),
    Mistake("the loss without its half", core.path_loss, " / 2", "", "diff"),
    Mistake("the error's sign", core.state_gradients, "path_states(path, w)[-1] - path.target",
            "path.target - path_states(path, w)[-1]", "diff"),
    Mistake("the error not multiplied on its way", core.state_gradients, "w * gradients[-1]", "gradients[-1]",
            "diff"),
    Mistake("one w too many", core.state_gradients, "[path_states(path, w)[-1] - path.target]",
            "[w * (path_states(path, w)[-1] - path.target)]", "diff"),
    Mistake("gradients from the front", core.state_gradients, "gradients[::-1]", "gradients", "diff"),
    Mistake("h_t for h_(t-1)", core.weight_contributions, "[path.initial, *path_states(path, w)[:-1]]",
            "path_states(path, w)", "diff"),
    Mistake("zero for h_0 in the first contribution", core.weight_contributions, "[path.initial, ",
            "[Fraction(0), ", "diff"),
    Mistake("cut off after two steps back", core.weight_contributions, "[gradient * state",
            "[gradient * state * (state in previous_states[-2:])", "diff"),
    Mistake("the last use alone", core.updated_weight, "sum(weight_contributions(path, path.weight))",
            "weight_contributions(path, path.weight)[-1]", "diff"),
    Mistake("contributions averaged", core.updated_weight, "path.learning_rate *",
            "path.learning_rate / len(path.inputs) *", "diff"),
    Mistake("contributions from the end", core.updated_weight, "sum(weight_contributions(path, path.weight))",
            "sum(weight_contributions(path, path.weight)[::-1])", "nobody: sums of fractions have no order"),
    Mistake("uphill", core.updated_weight, "path.weight - ", "path.weight + ", "diff"),
    Mistake("the rate as a binary float", core.updated_weight, "path.learning_rate *",
            "Fraction(float(path.learning_rate)) *", "diff"),
    Mistake("old states after the step", chapter_12.example_12_1, '"updated_states": core.path_states(path, updated)',
            '"updated_states": reached', "diff"),
    Mistake("a difference to one side", chapter_12.central_difference, "(STEP, -STEP)", "(2 * STEP, 0)", "diff"),
    Mistake("one edge too many", chapter_12.powers, "half**distance", "half**(distance + 1)", "diff"),
    Mistake("1 - tanh for 1 - tanh²", chapter_12.results, "digits.tanh_slope(q)", "1 - digits.tanh(q)", "diff"),
    Mistake("1 - tanh for 1 - tanh², in both programs", chapter_12.results, "digits.tanh_slope(q)",
            "1 - digits.tanh(q)", "check", alike=(closed_12.slope, " ** 2 for e in", " for e in")),
    # Gates
    Mistake("forget and input gate swapped", core.lstm, "given.forget * given.previous_cell, given.input *",
            "given.input * given.previous_cell, given.forget *", "diff"),
    Mistake("1 - f for the input gate", core.lstm, "given.input *", "(1 - given.forget) *", "diff"),
    Mistake("o·c without tanh", core.lstm, CELL, "digits.rounded(given.output * cell)", "diff"),
    Mistake("tanh(o·c)", core.lstm, CELL, "digits.tanh(given.output * cell)", "diff"),
    Mistake("the nearest float of tanh", core.lstm, CELL,
            f"digits.rounded(given.output * Fraction({MATH}.tanh(cell)))", BY_HAND + "hidden_beside_a_tie"),
    Mistake("the nearest float of tanh, mixed", core.gru, MIXED,
            f"digits.rounded(kept + (1 - given.update_retains_old) * Fraction({MATH}.tanh(inside)))",
            BY_HAND + "hidden_beside_a_tie"),
    Mistake("the candidate rounded before it is mixed in", core.gru, MIXED,
            "digits.rounded(kept + (1 - given.update_retains_old) * Fraction(digits.tanh(inside)))",
            BY_HAND + "hidden_beside_a_tie"),
    Mistake("z kept the other way", core.gru, "given.update_retains_old", "(1 - given.update_retains_old)", "diff", 2),
    Mistake("the reset state kept", core.gru, "given.update_retains_old * given.previous_hidden",
            "given.update_retains_old * given.reset * given.previous_hidden", "diff"),
    Mistake("the old state left out", core.gru, ", shift=kept", "", "diff"),
    Mistake("the reset gate after the product", core.gru, "given.candidate_recurrent_weight * reset_state",
            "given.reset * (given.candidate_recurrent_weight * given.previous_hidden)",
            "nobody: the factors are numbers, not matrices"),
    Mistake("the reset gate after the sum", core.gru, "inside = given.candidate_input + "
            "given.candidate_recurrent_weight * reset_state", "inside = given.reset * (given.candidate_input + "
            "given.candidate_recurrent_weight * given.previous_hidden)", "diff"),
    Mistake("the reset gate left out", core.gru, "_weight * reset_state", "_weight * given.previous_hidden", "diff"),
    Mistake("u left out", core.gru, "given.candidate_recurrent_weight * reset_state", "reset_state",
            "diff"),
    Mistake("x left out", core.gru, "given.candidate_input + ", "", "diff"),
    Mistake("the sign of x", core.gru, "inside = given.candidate_input", "inside = -given.candidate_input",
            "diff"),
    # Encoder and timelines
    Mistake("the encoder's state not carried", core.encode, "state = readings[-1].state", "pass", "diff"),
    Mistake("zeros for the encoder's h_0", core.encode, "list[Reading](), encoder.initial",
            "list[Reading](), [Fraction(0)] * len(encoder.initial)", BY_HAND + "encoder"),
    Mistake("zeros for h_0 where ReLU is left out", chapter_13.without_relu, "state = encoder.initial",
            "state = [Fraction(0)] * len(encoder.initial)", BY_HAND + "encoder"),
    Mistake("the source from its end", core.encode, "enumerate(token_ids,", "enumerate(token_ids[::-1],",
            "diff"),
    Mistake("the target fed in where it is to be predicted", core.teacher_forced, "[START, *target[:-1]]",
            "target", "diff"),
    Mistake("targets shifted once more", core.teacher_forced, "[START, *target[:-1]], target)",
            "[START, *target[:-1]], [*target[1:], END])", "diff"),
    Mistake("the own choice fed back", core.teacher_forced, "[START, *target[:-1]]",
            "[START, *(choose(candidates, rows[word]) for word in [START, *target[:-2]])]", "diff"),
    Mistake("a prefix with its target", core.teacher_forced, "target[: t - 1]", "target[:t]", "diff"),
    Mistake("the likeliest word's probability", core.teacher_forced, "row[place]", "max(row)", "diff"),
    Mistake("EOS left out of the mean", chapter_13.losses, "len(forced)", "len(forced) - 1", "diff"),
    Mistake("EOS left out of the loss, not of the mean", chapter_13.losses, "for each in forced]",
            "for each in forced[:-1]]", "diff"),
    Mistake("EOS left in the loss, not in the mean", chapter_13.results, "**losses(forced[:-1])}",
            "**losses(forced[:-1]), 'loss': losses(forced)['loss']}", BY_HAND + "end_that_is_not_certain"),
    Mistake("BOS counted in the mean", chapter_13.losses, "len(forced)", "len(forced) + 1", "diff"),
    Mistake("the mean over one less, in both programs", chapter_13.mean_loss, "Fraction(-1, over)",
            "Fraction(-1, max(1, over - 1))", "check",
            alike=(closed_13.losses, "Fraction(1, len(chances))", "Fraction(1, max(1, len(chances) - 1))")),
    Mistake("the nearest float of the loss", chapter_13.mean_loss, "digits.logarithm(product, places, ",
            f"digits.rounded(Fraction({MATH}.log(product)) * ", "diff"),
    Mistake("the mean of the rounded loss", chapter_13.mean_loss,
            "digits.logarithm(product, places, Fraction(-1, over))",
            "digits.rounded(Fraction(digits.logarithm(product, places, Fraction(-1))) / over, places)",
            BY_HAND + "end_that_is_not_certain"),
    Mistake("the own choice not fed back", core.generate, "word = choices[-1].output", "pass", "diff"),
    Mistake("the limit one too small", core.generate, "range(1, limit + 1)", "range(1, limit)", "diff"),
    Mistake("the limit one too small, in both programs", core.generate, "range(1, limit + 1)",
            "range(1, limit)", "diff",
            alike=(closed_13.followed, "len(words) <= limit", "len(words) < limit")),
    Mistake("the limit one too large", core.generate, "range(1, limit + 1)", "range(1, limit + 2)", "diff"),
    Mistake("EOS exactly at the limit counted as the limit", core.generate, "word == END",
            "word == END and t < limit", "diff"),
    Mistake("on after EOS", core.generate, "if word == END:", "if word == START:", "diff"),
    Mistake("the probability by the word", core.generate, "max(row)",
            "row[candidates.index(choose(candidates, row))]", "nobody: the choice is one of the greatest"),
    # Attention
    Mistake("scores divided by the root of the width", core.attend, "dot(query, state)",
            "dot(query, state) / Fraction(len(query) ** 0.5)", "diff"),
    Mistake("scores divided by the width, in both programs", core.attend, "dot(query, state)",
            "dot(query, state) / len(query)", "check",
            alike=(closed_14.read, "dot(query, state)", "dot(query, state) / len(query)")),
    Mistake("scores along the wrong axis", core.attend, "[dot(query, state) for state in kept]",
            "[dot(query, column[:2]) for column in [*zip(*kept), *kept][: len(kept)]]", "diff"),
    Mistake("the context along the wrong axis", core.attend, "[dot(weights, column) for column in zip(*kept)]",
            "[sum(map(Fraction.__mul__, weights, state)) for state in kept]", "diff"),
    Mistake("scores below zero cut", core.attend, "dot(query, state)", "max(dot(query, state), Fraction(0))",
            BY_HAND + "read"),
    Mistake("1 + score for 2^score", core.powers_of_two, "Fraction(2) ** int(e)", "1 + e", "diff"),
    Mistake("e^score where scores are in units of ln 2", core.powers_of_two, "Fraction(2) ** int(e)",
            f"Fraction({MATH}.exp(e))", "diff"),
    Mistake("scores rounded to whole ones", core.attend, "[score - highest for score in scores]",
            "[Fraction(round(score - highest)) for score in scores]", BY_HAND + "read_of_half_a_score"),
    Mistake("exponentials not divided by their sum", core.shares, "part / total", "part", "diff"),
    Mistake("exponentials divided by their number", core.shares, "sum(parts or [])", "len(parts or [])", "diff"),
    Mistake("scores not taken from the highest", core.attend, "[score - highest for score in scores]", "scores",
            "nobody: a shift of all scores falls out of the quotient"),
    Mistake("masked after the softmax, not made to sum to one", core.attend, "shares(powers_of_two(depths))",
            "shares(powers_of_two([dot(query, state) for state in states]))[: len(kept)]", "diff"),
    Mistake("masked by a state of zeros", core.attend,
            "[state for j, state in enumerate(states, start=1) if j != removed]",
            "[[number * (j != removed) for number in state] for j, state in enumerate(states, start=1)]\n"
            "    removed = None", "diff"),
    Mistake("the removed position counted from 0", core.attend, "start=1", "start=0", "diff"),
    Mistake("a read of nothing as zeros", core.attend, "if not kept:",
            "if not kept:\n        return query\n    if not kept:", "diff"),
    Mistake("the rest of the source not read again", chapter_14.source_deleted, "encode(given.encoder, left)",
            "(lambda all: all[: position - 1] + all[position:])(encode(given.encoder, given.source))", "diff"),
    Mistake("the readout of rounded coordinates", core.attend,
            "*context_decimal, readout_decimal = digits.power_quotients(above, below, times_ln2=True)",
            "*context_decimal, _ = digits.power_quotients(above, below, times_ln2=True)\n"
            "    readout_decimal = digits.rounded(dot([Fraction(number) for number in context_decimal], readout))",
            "diff"),
    Mistake("embeddings for states", chapter_14.saved, "reading.state", "reading.input", "diff"),
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
    except (LookupError, ValueError, Refused):
        return "diff"  # run.py falls over, or refuses the book's data
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
        unseen = Mistake("", core.attend, "dot(query, state)", "max(dot(query, state), 0)", "nobody: none is negative")
        for seen in ("nobody: none is negative", "diff", BY_HAND + "read", BY_HAND + "encoder"):
            self.assertEqual(first_to_see(unseen._replace(seen=seen)), BY_HAND + "read")
            self.assertEqual(first_to_see(unseen._replace(seen=seen, wrong=unseen.right)), "")
        for lost in ({"right": "dot(query, states)"}, {"times": 2}):
            with self.assertRaises(LostPlace):
                first_to_see(unseen._replace(**lost))
        with self.assertRaises(NameError):
            first_to_see(unseen._replace(wrong="nothing"))  # no mistake that somebody makes and leaves
        self.assertEqual(by_the_book(committed()), "")
