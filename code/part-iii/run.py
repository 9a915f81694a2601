"""Chapter 11 in code: take the bundle, step the recurrence, record, print.

The vocabulary of this program:
    t       reading time, 1 for the first token
    x       input of one reading, a row vector (an embedding)
    h       hidden state, a row vector; h0 is the declared initial state
    z       logits, one for each candidate
    net     the given weights and biases (bundle.Network); nothing here changes them
    ids     a sequence of token ids
Every number is a fractions.Fraction; run.json has them in lowest terms. No weight is trained.
"""
from __future__ import annotations

import math
import os
import sys
from fractions import Fraction
from typing import Any, Iterator, NamedTuple, Sequence

import bundle
import claims
import command
import digits
import page
import record
from bundle import Bundle, Case, Matrix, Network, Vector

RECORD = "run.json"


class Step(NamedTuple):
    """One reading: what came in, what was left, what is decided. 表 11.2、表 11.3."""

    t: int
    token_id: int
    input: Vector
    previous_state: Vector
    preactivation: Vector
    state: Vector
    logits: Vector


# ---------------------------------------------------------------- the recurrence, section 11.2


def linear(row: Vector, weight: Matrix) -> Vector:
    """Return row · weight: n numbers times an n × m matrix gives m numbers.

    >>> linear([1, 2], [[1, 0, 3], [0, 1, 4]])
    [1, 2, 11]
    """
    return [sum(a * b for a, b in zip(row, column)) for column in zip(*weight)]


def add(*rows: Vector) -> Vector:
    """Return the sum of rows, coordinate by coordinate."""
    return [sum(numbers) for numbers in zip(*rows)]


def relu(row: Vector) -> Vector:
    """Return the row with every negative number cut to zero."""
    return [max(number, Fraction(0)) for number in row]


def preactivation(net: Network, x: Vector, h: Vector) -> Vector:
    """Return x·W_x + h·W_h + b_h."""
    return add(linear(x, net.input_weight), linear(h, net.recurrent_weight), net.hidden_bias)


def output(net: Network, h: Vector) -> Vector:
    """Return the logits h·W_y + b_y."""
    return add(linear(h, net.output_weight), net.output_bias)


def choice(net: Network, z: Vector) -> str:
    """Return the candidate with the highest logit; the first one wins ties."""
    return net.candidates[z.index(max(z))]


def steps(net: Network, ids: Sequence[int], initial: Vector | None = None, reset: bool = False) -> Iterator[Step]:
    """Yield one Step for each token, from the declared initial state or from `initial`.

    With `reset` the state is zeroed before every token (exercise 3).
    """
    h = net.initial if initial is None else initial
    for t, token_id in enumerate(ids, start=1):
        x, previous = net.embedding[token_id], [Fraction(0)] * len(h) if reset else h
        before = preactivation(net, x, previous)
        h = relu(before)
        yield Step(t, token_id, x, previous, before, h, output(net, h))


def last(net: Network, ids: Sequence[int], initial: Vector | None = None, reset: bool = False) -> Step:
    """Return the step in which the last token is read."""
    return list(steps(net, ids, initial, reset))[-1]


def window_state(net: Network, ids: Sequence[int]) -> Vector:
    """Return what the window baseline sends to the output head. 第 11.3 节.

    The embeddings of `ids` (all that the window sees) in one row, times W_window, through ReLU.
    """
    return relu(linear([number for i in ids for number in net.embedding[i]], net.window_weight))


def float_state(net: Network, ids: Sequence[int]) -> list[float] | None:
    """Return the last hidden state of the same recurrence in binary floats, or None when one overflows.

    Each product is rounded once and each sum once (math.fsum), so that the order of the terms decides nothing.
    """
    try:
        h = [float(number) for number in net.initial]
        for i in ids:
            terms = [(float(a), row) for a, row in zip(net.embedding[i], net.input_weight)]
            terms += zip(h, net.recurrent_weight)
            h = [max(0.0, math.fsum([a * float(row[j]) for a, row in terms] + [float(b)]))
                 for j, b in enumerate(net.hidden_bias)]
            if not all(map(math.isfinite, h)):
                return None
    except (OverflowError, ValueError):  # fsum: intermediate overflow, or inf - inf
        return None
    return h


def with_diagonal(net: Network, r: Fraction) -> Network:
    """Return the network with every diagonal element of W_h replaced by r. Exercise 2."""
    rows = [[r if i == j else w for j, w in enumerate(row)] for i, row in enumerate(net.recurrent_weight)]
    return net._replace(recurrent_weight=rows)


# ---------------------------------------------------------------- what the record says


def exact(row: Vector) -> list[str]:
    """Return the numbers of a row in lowest terms."""
    return [str(number) for number in row]


def step_fields(net: Network, step: Step) -> dict[str, Any]:
    """Return a step in the fields of the record."""
    return {
        "t": step.t, "token": net.vocabulary[step.token_id], "token_id": step.token_id,
        "input": exact(step.input), "previous_state": exact(step.previous_state),
        "preactivation": exact(step.preactivation), "state": exact(step.state), "logits": exact(step.logits),
        "probabilities": digits.probabilities(step.logits), "choice": choice(net, step.logits),
    }


def all_steps(net: Network, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return every step of an input in the fields of the record."""
    return [step_fields(net, step) for step in steps(net, ids)]


def ending(net: Network, step: Step) -> dict[str, Any]:
    """Return what is left after the last token: state, logits, choice."""
    return {"state": exact(step.state), "logits": exact(step.logits), "choice": choice(net, step.logits)}


def window_fields(net: Network, case: Case, window: int) -> dict[str, Any]:
    """Return what the window baseline sees, sends on and chooses."""
    seen = case.ids[-window:]
    h = window_state(net, seen)
    z = output(net, h)
    return {"token_ids": seen, "state": exact(h), "logits": exact(z), "probabilities": digits.probabilities(z),
            "choice": choice(net, z), "correct": choice(net, z) == case.target}


def ids_of(net: Network, text: str) -> list[int] | None:
    """Return the ids of words, or None when the vocabulary lacks one."""
    words = text.split()
    return [net.vocabulary.index(word) for word in words] if set(words) <= set(net.vocabulary) else None


def long_blue(data: Bundle) -> list[int] | None:
    """Return the long input that asks for blue."""
    return next((case.ids for case in data.long if case.target == "blue"), None)


def boundary(data: Bundle) -> dict[str, Any] | None:
    """Return the first update of the long blue input at which blue no longer wins. 第 11.5 节."""
    net, ids = data.network, long_blue(data)
    if ids is None or "red" not in net.candidates:
        return None
    red_bias = str(net.output_bias[net.candidates.index("red")])
    return next(({"t": step.t, "state": exact(step.state), "red_bias": red_bias, "logits": exact(step.logits),
                  "choice": choice(net, step.logits)}
                 for step in steps(net, ids) if choice(net, step.logits) != "blue"), None)


def exercise_1(net: Network) -> dict[str, Any] | None:
    """Return blue, n fillers, key is for n = 0, 1, 2, and the fewest fillers with which red is chosen."""
    ids = ids_of(net, "blue filler key is")
    if ids is None:
        return None
    blue, filler, *end = ids
    trials = [{"fillers": n, **ending(net, last(net, [blue] + [filler] * n + end))} for n in range(3)]
    fewest, before = None, last(net, [blue])
    for n in range(bundle.MOST_TOKENS - len(end)):
        if choice(net, last(net, end, before.state).logits) == "red":
            fewest = n
            break
        before = last(net, [filler], before.state)
    return {"trials": trials, "fewest_fillers": fewest}


def exercise_2(data: Bundle) -> dict[str, Any] | None:
    """Return the long blue input and repeated blues when W_h keeps the whole state."""
    net, ids, blue = data.network, long_blue(data), ids_of(data.network, "blue")
    if ids is None or blue is None:
        return None
    keeping = with_diagonal(net, Fraction(1))
    return {
        "recurrent_diagonal": "1",
        "long_blue": ending(keeping, last(keeping, ids)),
        "repeated_blue": [{"count": n, "state": exact(last(keeping, blue * n).state),
                           "state_with_given_weights": exact(last(net, blue * n).state)} for n in (1, 2, 4, 8)],
    }


def exercise_3(net: Network) -> list[dict[str, Any]] | None:
    """Return both short inputs with the state zeroed before every token."""
    both = [(color, ids_of(net, f"{color} key is")) for color in ("red", "blue")]
    return [{"color": color, **ending(net, last(net, ids, reset=True))} for color, ids in both if ids] or None


def carry_over(net: Network) -> dict[str, Any] | None:
    """Return a second test that starts afresh, and the same with the state that the first test left."""
    words = ("blue key is", "blue filler key is")
    first, second = (ids_of(net, text) for text in words)
    if first is None or second is None:
        return None
    return {"first": words[0].split(), "second": words[1].split(), "reset": ending(net, last(net, second)),
            "carried": ending(net, last(net, second, last(net, first).state))}


def order(net: Network) -> list[dict[str, Any]] | None:
    """Return the states that the same three tokens leave in two orders."""
    both = [(text.split(), ids_of(net, text)) for text in ("red key is", "key is red")]
    return [{"tokens": words, "state": exact(last(net, ids).state)} for words, ids in both if ids] or None


def leading_fillers(net: Network) -> list[dict[str, Any]] | None:
    """Return what fillers before the clue cost."""
    ids, filler = ids_of(net, "blue key is"), ids_of(net, "filler")
    if ids is None or filler is None:
        return None
    ends = [(n, last(net, filler * n + ids)) for n in (0, 1, 6)]
    return [{"fillers": n, "state": exact(step.state), "choice": choice(net, step.logits)} for n, step in ends]


def binary_float(data: Bundle) -> dict[str, Any] | None:
    """Return the long blue input in binary floats, the state converted exactly."""
    ids = long_blue(data)
    h = None if ids is None else float_state(data.network, ids)
    if h is None:
        return None
    state = [Fraction(number) for number in h]
    return {"state": exact(state), "choice": choice(data.network, output(data.network, state))}


def repairs(data: Bundle) -> dict[str, Any]:
    """Return three changes, each of which lets the long blue input be answered right. 第 11.3 节."""
    net, ids = data.network, long_blue(data)
    return {"retained_weight_above": _retained_weight(net, ids), "red_bias_below": _red_bias(net, ids),
            "window": _whole_window(data)}


def _red_bias(net: Network, ids: Sequence[int] | None) -> str | None:
    if ids is None or sorted(net.candidates) != ["blue", "red"]:
        return None
    z = dict(zip(net.candidates, last(net, ids).logits))
    return str(z["blue"] - z["red"] + net.output_bias[net.candidates.index("red")])


def _retained_weight(net: Network, ids: Sequence[int] | None) -> dict[str, Any] | None:
    """Return the r with which W_h = r·I lets blue win: r^power above `of`.

    Only where the last state is the clue's contribution times r^power: one input other than zero and not
    negative, no hidden bias, initial state zero. Then z_blue - z_red = r^power · gain + b_blue - b_red.
    """
    if ids is None or sorted(net.candidates) != ["blue", "red"] or any(net.initial) or any(net.hidden_bias):
        return None
    clues = [(t, x) for t, x in enumerate((linear(net.embedding[i], net.input_weight) for i in ids), 1) if any(x)]
    if len(clues) != 1 or min(clues[0][1]) < 0:
        return None
    t, x = clues[0]
    red, blue = net.candidates.index("red"), net.candidates.index("blue")
    pure = linear(x, net.output_weight)
    gain, lead = pure[blue] - pure[red], net.output_bias[red] - net.output_bias[blue]
    power = len(ids) - t
    if power == 0 or gain <= 0 or lead <= 0:
        return None
    return {"power": power, "of": str(lead / gain), "decimal": digits.root(lead / gain, power)}


def _whole_window(data: Bundle) -> dict[str, Any] | None:
    """Return the window baseline that sees the whole long input, its weights one identity for each token."""
    net, tokens, size = data.network, len(data.long[0].ids), len(data.network.initial)
    if size != len(net.embedding[0]) or any(len(case.ids) != tokens for case in data.long):
        return None
    identity = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    whole = net._replace(window_weight=identity * tokens)
    cases = [window_fields(whole, case, tokens) for case in data.long]
    return {"tokens": tokens, "cases": [{"color": case.target, "choice": seen["choice"], "correct": seen["correct"]}
                                        for case, seen in zip(data.long, cases)]}


def parameters(net: Network) -> dict[str, int]:
    """Return how many numbers the model has; the length of an input is not among what they depend on."""
    weights = (net.input_weight, net.recurrent_weight, net.output_weight)
    biases = len(net.hidden_bias) + len(net.output_bias)
    return {"weights_and_biases": sum(len(w) * len(w[0]) for w in weights) + biases,
            "embedding_values": len(net.embedding) * len(net.embedding[0])}


def worked_softmax(net: Network, z: Vector) -> dict[str, Any] | None:
    """Return the exponential and the probability of the first candidate that the text works out."""
    if abs(z[0]) > 100:
        return None
    return {"exponential": digits.exponential(z[0]), "probability": digits.probabilities(z)[0]}


def results(data: Bundle) -> dict[str, Any]:
    """Return everything that the chapter states and asks, computed."""
    net = data.network
    short = [all_steps(net, case.ids) for case in data.short[:2]]
    long = [(case, all_steps(net, case.ids)) for case in data.long]
    found: dict[str, Any] = {
        "parameters": parameters(net),
        "example_11_1": short[0],
        "example_11_2": short[1] if len(short) > 1 else None,
        "worked_softmax": worked_softmax(net, last(net, data.short[0].ids).logits),
        "short_windows": [{"color": case.target, "token_ids": case.ids,
                           "window": window_fields(net, case, data.window)} for case in data.short],
        "table_11_4": [{"color": case.target, "token_ids": case.ids, "window": window_fields(net, case, data.window),
                        "rnn": {"steps": rows, "choice": rows[-1]["choice"],
                                "correct": rows[-1]["choice"] == case.target}} for case, rows in long],
        "boundary": boundary(data),
        "exercise_1": exercise_1(net),
        "exercise_2": exercise_2(data),
        "exercise_3": exercise_3(net),
        "carry_over": carry_over(net),
        "order": order(net),
        "leading_fillers": leading_fillers(net),
        "binary_float": binary_float(data),
        "repairs": repairs(data),
    }
    found["claims"] = claims.verdicts(found)
    return found


def main(arguments: list[str]) -> int:
    """Write run.json, then print the chapter's tables."""
    data = bundle.load()
    texts = claims.texts()
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # the input is checked by now, and an exact result may be long
    found = results(data)
    made = {"record": "part-iii-run-v1", "inputs": data.inputs, "results": found}
    command.write_text(os.path.join(command.ROOT, RECORD), record.layout(made) + "\n")
    print("\n".join(page.lines(data, found, texts)))
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        import experiment

        sys.exit(command.run(experiment.main))
    sys.exit(command.run(main))
