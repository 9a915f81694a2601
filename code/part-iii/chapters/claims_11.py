"""What chapter 11 claims, decided from the fields of the record alone.

A verdict is "holds", "fails", "depends" or "outside"; the wording of each claim and the fields that are its
evidence stand in data/part-iii/printed-v1.json under the same id. A claim whose decision comes upon a field without
meaning for the data (null) is "outside".
"""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from support.verdicts import NoEvidence, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Found = Any  # `results` of the record: JSON objects, lists and text


def row(texts: list[str]) -> list[Fraction]:
    """Return recorded numbers as numbers."""
    return [Fraction(text) for text in texts]


def _rnn(found: Found) -> list[Any]:
    return [case["rnn"] for case in found["table_11_4"]]


def _long_blue(found: Found) -> Any:
    """Return the second row of table 11.4, the one that fails."""
    return known(dict(enumerate(_rnn(found))).get(1))


def _windows(found: Found) -> list[Any]:
    return [case["window"] for case in found["table_11_4"]]


def _same(values: list[Any]) -> bool:
    return all(value == values[0] for value in values)


def _window_is_blind(found: Found) -> bool:
    """The window receives the same tokens and gives the same distribution, short and long."""
    seen = _windows(found) + [case["window"] for case in found["short_windows"]]
    return _same([w["token_ids"] for w in seen]) and _same([w["probabilities"] for w in seen])


def _rnn_differs(found: Found) -> bool:
    ends = [case["steps"][-1] for case in _rnn(found)]
    return not _same([step["state"] for step in ends]) and not _same([step["probabilities"] for step in ends])


def _relu_cuts_nothing(found: Found) -> bool:
    return all(step["preactivation"] == step["state"] for step in found["example_11_1"])


def _sums(found: Found) -> bool:
    """Probabilities sum to one within what six decimals can hide; some state does not."""
    steps = found["example_11_1"] + known(found["example_11_2"])
    slack = Fraction(len(steps[0]["probabilities"]), 2 * 10**6)
    hidden = any(sum(row(step["state"])) != 1 for step in steps)
    return hidden and all(-slack <= sum(row(step["probabilities"])) - 1 <= slack for step in steps)


def _short_scores(found: Found) -> bool:
    """On the short inputs the RNN is right on both colours, the window on red alone."""
    rnn = [known(found[name])[-1]["choice"] for name in ("example_11_1", "example_11_2")]
    window = [case["window"]["correct"] for case in found["short_windows"]]
    return rnn == [case["color"] for case in found["short_windows"]] and window == [True, False]


def _one_right_each(found: Found) -> bool:
    return all(sum(case["correct"] for case in cases) == 1 for cases in (_rnn(found), _windows(found)))


def _reasons_differ(found: Found) -> bool:
    """The window is wrong because it receives the same, the RNN although it does not."""
    return _one_right_each(found) and _same([w["state"] for w in _windows(found)]) and _rnn_differs(found)


def _blue_survives(found: Found) -> bool:
    """The losing blue coordinate is above zero and, as an exact fraction, below the bias."""
    blue = _long_blue(found)
    end = max(row(blue["steps"][-1]["state"]))
    return blue["choice"] == "red" and 0 < end < Fraction(known(found["boundary"])["red_bias"])


def _no_underflow(found: Found) -> bool:
    blue = _long_blue(found)
    same = {"state": blue["steps"][-1]["state"], "choice": blue["choice"]}
    return _blue_survives(found) and bool(known(found["binary_float"]) == same)


def _parameters_fixed(found: Found) -> bool:
    """Counted from the shapes seen at the last step of a short and of a long input, both give the recorded number."""

    def count(step: Any) -> int:
        e, h, k = (len(step[name]) for name in ("input", "state", "logits"))
        return e * h + h * h + h + h * k + k

    lasts = [found["example_11_1"][-1], _rnn(found)[0]["steps"][-1]]
    recorded = found["parameters"]["weights_and_biases"]
    return lasts[0]["t"] != lasts[1]["t"] and {count(step) for step in lasts} == {recorded}


def _boundary_is_tie(found: Found) -> bool:
    """Blue first loses where its coordinate has come down to the bias exactly."""
    edge = known(found["boundary"])
    return _same(row(edge["logits"])) and max(row(edge["state"])) == Fraction(edge["red_bias"])


def _other_settings(found: Found) -> bool:
    """A retained weight or a bias beyond a threshold would let blue win, and weight 1 does."""
    bias = Fraction(known(found["boundary"])["red_bias"])
    kept = known(found["exercise_2"])["long_blue"]["choice"] == "blue"
    return (kept and Fraction(known(found["repairs"]["retained_weight_above"])["of"]) < 1
            and 0 < Fraction(known(found["repairs"]["red_bias_below"])) < bias)


def _wider_window(found: Found) -> bool:
    return all(case["correct"] for case in known(found["repairs"]["window"])["cases"])


def _one_filler(found: Found) -> bool:
    """One filler is enough, by the tie rule; with two blue is strictly below."""
    exercise = known(found["exercise_1"])
    none, one, two = (row(trial["logits"]) for trial in exercise["trials"])
    return exercise["fewest_fillers"] == 1 and none[1] > none[0] and one[1] == one[0] and two[1] < two[0]


def _blues_pile_up(found: Found) -> bool:
    """With weight 1 every repeated blue adds one."""
    return all(max(row(case["state"])) == case["count"] for case in known(found["exercise_2"])["repeated_blue"])


def _keeping_answers(found: Found) -> bool:
    return bool(known(found["exercise_2"])["long_blue"]["choice"] == "blue")


def _reset_forgets(found: Found) -> bool:
    """Zeroed before each token the state ends at zero, and both colours are answered alike."""
    cases = known(found["exercise_3"])
    return not any(any(row(case["state"])) for case in cases) and _same([case["choice"] for case in cases])


def _carry_over_turns(found: Found) -> bool:
    second = known(found["carry_over"])
    return bool(second["reset"]["choice"] != second["carried"]["choice"])


def _order_matters(found: Found) -> bool:
    return not _same([case["state"] for case in known(found["order"])])


def _leading_free(found: Found) -> bool:
    """However many fillers come first, the state after the clue is the same."""
    return _same([case["state"] for case in known(found["leading_fillers"])])


def _halved_after(found: Found) -> bool:
    """The blue coordinate of the long input is halved at each update after the clue."""
    blue = [max(row(step["state"])) for step in _long_blue(found)["steps"]]
    return all(after * 2 == before for before, after in zip(blue, blue[1:]))


def _state_without_weights(found: Found) -> bool:
    """The state changes from step to step although every step is the same function of input and old state.

    Two steps of one input and one old state, read at different times, leave the same new state.
    """
    seen: dict[str, Any] = {}
    runs = [found["example_11_1"], known(found["example_11_2"]), *(case["steps"] for case in _rnn(found))]
    repeats = [seen.setdefault(str((step["input"], step["previous_state"])), step["state"]) == step["state"]
               for steps in runs for step in steps]
    return all(repeats) and len(seen) < len(repeats) and not _same([step["state"] for step in found["example_11_1"]])


DECIDED: dict[str, Callable[[Any], bool]] = {
    "window-is-blind": _window_is_blind,
    "rnn-distributions-differ": _rnn_differs,
    "relu-cuts-nothing": _relu_cuts_nothing,
    "state-needs-no-unit-sum": _sums,
    "short-inputs": _short_scores,
    "one-right-each": _one_right_each,
    "reasons-differ": _reasons_differ,
    "blue-is-not-zero": _blue_survives,
    "no-underflow": _no_underflow,
    "parameters-independent-of-length": _parameters_fixed,
    "boundary-is-a-tie": _boundary_is_tie,
    "weight-or-bias-changes-answer": _other_settings,
    "wider-window": _wider_window,
    "one-filler-is-enough": _one_filler,
    "keeping-answers-blue": _keeping_answers,
    "blues-pile-up": _blues_pile_up,
    "reset-removes-clue": _reset_forgets,
    "carry-over-turns-answer": _carry_over_turns,
    "order-matters": _order_matters,
    "leading-fillers-are-free": _leading_free,
    "halved-after-clue": _halved_after,
    "state-changes-weights-do-not": _state_without_weights,
}
UNDECIDED = ("exercise-4", "exercise-5", "lodging-limit", "agent-state", "ordinary-language")


def verdicts(found: Found) -> dict[str, str]:
    """Return the verdict on each claim of the chapter by its id."""
    decided = {}
    for name, test in DECIDED.items():
        try:
            decided[name] = "holds" if test(found) else "fails"
        except NoEvidence:
            decided[name] = "outside"
    return {**decided, **dict.fromkeys(UNDECIDED, "outside")}
