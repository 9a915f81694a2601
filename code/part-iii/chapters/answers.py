"""What chapter 11 asks and claims beyond its tables: the boundary, exercises 1 to 3, and what would repair the failure.

Each function returns fields of the record, or None where the data lack the words that the question is about.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from chapters.recurrence import choice, ending, exact, last_state, linear, output, window_state, with_diagonal
from support import digits
from support.bundle import Bundle, Case, Network
from support.strict_json import MOST_TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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


def boundary(net: Network, table: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the first update in table 11.4's blue row at which blue no longer wins. 第 11.5 节."""
    rows = next((row["rnn"]["steps"] for row in table if row["color"] == "blue"), None)
    if rows is None or "red" not in net.candidates:
        return None
    red_bias = str(net.output_bias[net.candidates.index("red")])
    return next(({"t": step["t"], "state": step["state"], "red_bias": red_bias, "logits": step["logits"],
                  "choice": step["choice"]} for step in rows if step["choice"] != "blue"), None)


def exercise_1(net: Network) -> dict[str, Any] | None:
    """Return blue, n fillers, key is for n = 0, 1, 2, and the fewest fillers with which red is chosen."""
    ids = ids_of(net, "blue filler key is")
    if ids is None:
        return None
    blue, filler, *end = ids
    trials = [{"fillers": n, **ending(net, last_state(net, [blue] + [filler] * n + end))} for n in range(3)]
    h, n = last_state(net, [blue]), 0
    while ending(net, last_state(net, end, h))["choice"] != "red":
        h, n = last_state(net, [filler], h), n + 1
        if 1 + n + len(end) > MOST_TOKENS:
            return {"trials": trials, "fewest_fillers": None}
    return {"trials": trials, "fewest_fillers": n}


def exercise_2(data: Bundle) -> dict[str, Any] | None:
    """Return the long blue input and repeated blues when W_h keeps the whole state."""
    net, ids, blue = data.network, long_blue(data), ids_of(data.network, "blue")
    if ids is None or blue is None:
        return None
    keeping = with_diagonal(net, Fraction(1))
    return {
        "recurrent_diagonal": "1",
        "long_blue": ending(keeping, last_state(keeping, ids)),
        "repeated_blue": [{"count": n, "state": exact(last_state(keeping, blue * n)),
                           "state_with_given_weights": exact(last_state(net, blue * n))} for n in (1, 2, 4, 8)],
    }


def exercise_3(net: Network) -> list[dict[str, Any]] | None:
    """Return both short inputs with the state zeroed before every token."""
    both = [(color, ids_of(net, f"{color} key is")) for color in ("red", "blue")]
    return [{"color": color, **ending(net, last_state(net, ids, reset=True))} for color, ids in both if ids] or None


def carry_over(net: Network) -> dict[str, Any] | None:
    """Return a second test that starts afresh, and the same with the state that the first test left."""
    words = ("blue key is", "blue filler key is")
    first, second = (ids_of(net, text) for text in words)
    if first is None or second is None:
        return None
    return {"first": words[0].split(), "second": words[1].split(), "reset": ending(net, last_state(net, second)),
            "carried": ending(net, last_state(net, second, last_state(net, first)))}


def order(net: Network) -> list[dict[str, Any]] | None:
    """Return the states that the same three tokens leave in two orders."""
    both = [(text.split(), ids_of(net, text)) for text in ("red key is", "key is red")]
    return [{"tokens": words, "state": exact(last_state(net, ids))} for words, ids in both if ids] or None


def leading_fillers(net: Network) -> list[dict[str, Any]] | None:
    """Return what fillers before the clue cost."""
    ids, filler = ids_of(net, "blue key is"), ids_of(net, "filler")
    if ids is None or filler is None:
        return None
    ends = [(n, ending(net, last_state(net, filler * n + ids))) for n in (0, 1, 6)]
    return [{"fillers": n, "state": end["state"], "choice": end["choice"]} for n, end in ends]


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
    z = dict(zip(net.candidates, output(net, last_state(net, ids))))
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
    whole = net.changed(window_weight=identity * tokens)
    cases = [window_fields(whole, case, tokens) for case in data.long]
    return {"tokens": tokens, "cases": [{"color": case.target, "choice": seen["choice"], "correct": seen["correct"]}
                                        for case, seen in zip(data.long, cases)]}
