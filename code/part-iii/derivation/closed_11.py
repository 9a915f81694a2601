"""Chapter 11's results by closed forms, from states and leads that powers_11.py has as sums of powers."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from derivation.enclosures import binary64, exponential, root, softmax
from derivation.powers_11 import ZERO, Model, row, rows

MOST_FILLERS = 100  # beyond them no number is sought


def results(model: Model, collision: Any, training: Any) -> dict[str, Any]:
    """Return what `results.chapter_11` of run.json must be, but for the claims; `training` is chapter 12's example."""
    rnn, window = model.rnn, collision["window"]
    short = [(rnn["candidates"][target], ids) for ids, target in zip(rnn["short_inputs"], rnn["targets"])]
    long = [(model.vocabulary[target], ids) for ids, target in zip(collision["prefix_ids"], collision["target_ids"])]
    return {
        "parameters": parameters(model),
        "example_11_1": model.steps(short[0][1]),
        "example_11_2": model.steps(short[1][1]),
        "worked_softmax": worked(model, short[0][1]),
        "short_windows": [{"color": color, "token_ids": ids, "window": model.window(ids[-window:], color, model.stack)}
                          for color, ids in short],
        "table_11_4": [table_row(model, color, ids, window) for color, ids in long],
        "table_11_5": table_11_5(model, short[0][1], training),
        "boundary": boundary(model, long[1][1]),
        "exercise_1": exercise_1(model),
        "exercise_2": exercise_2(model, long[1][1]),
        "exercise_3": [{"color": color, **model.end(model.drive[model.vocabulary.index("is")])}
                       for color in ("red", "blue")],
        "carry_over": carry_over(model),
        "probe": probe(),
        "relu_example": {"preactivation": row(["-1", "1/2"]), "state": row(["0", "1/2"])},
        "order": [{"tokens": words.split(), "state": model.state(model.ids(words))}
                  for words in ("red key is", "key is red")],
        "leading_fillers": [leading(model, n) for n in (0, 1, 6)],
        "binary_float": binary_float(model, long[1][1]),
        "repairs": repairs(model, long),
    }


def parameters(model: Model) -> dict[str, Any]:
    """Return the given numbers and how many they are: 2(n + 1) of the output, n(m + n + 1) of the state."""
    m, n = len(model.into), model.width
    return {"weights_and_biases": n * (m + n + 1) + 2 * (n + 1), "embedding_values": m * len(model.vocabulary),
            "embedding": model.embedding, "initial": model.start, "input_weight": model.into,
            "recurrent_weight": model.recurrent, "hidden_bias": model.hidden_bias, "output_weight": model.out,
            "output_bias": model.bias, "window_weight": model.stack}


def worked(model: Model, ids: list[int]) -> dict[str, Any] | None:
    """Return the two numbers of the worked softmax."""
    logits = model.end(model.state(ids))["logits"]
    if max(map(abs, logits)) > 100:
        return None
    first, second = map(exponential, logits)
    return {"exponential": first, "second_exponential": second, "probability": softmax(logits)[0]}


def table_row(model: Model, color: str, ids: list[int], window: int) -> dict[str, Any]:
    """Return a row of table 11.4."""
    steps = model.steps(ids)
    return {"color": color, "token_ids": ids, "window": model.window(ids[-window:], color, model.stack),
            "rnn": {"steps": steps, "updates_after_first": len(ids) - 1, "choice": steps[-1]["choice"],
                    "correct": steps[-1]["choice"] == color}}


def table_11_5(model: Model, ids: list[int], training: Any) -> dict[str, Any]:
    """Return what a run and an optimizer step change."""
    return {"inference": {"state_before": model.start, "state_after": model.state(ids),
                          "weights_before": model.recurrent, "weights_after": rows(model.rnn["recurrent_weight"])},
            "training_step": {"weight_before": training["weight"], "weight_after": training["updated_weight"],
                              "states_before": training["states"], "states_after": training["updated_states"],
                              "error": training["error"]}}


def boundary(model: Model, ids: list[int]) -> dict[str, Any] | None:
    """Return the first t at which blue does not win, with what is read off there."""
    for t in range(1, len(ids) + 1):
        if model.lead(ids[:t]) <= 0:
            end = model.end(model.state(ids[:t]))
            return {"t": t, "state": end["state"], "red_bias": model.bias[0], "logits": end["logits"],
                    "choice": end["choice"]}
    return None


def exercise_1(model: Model) -> dict[str, Any]:
    """Return three trials, and the least n for which blue, n fillers, key is make red win, of at most 100."""
    blue, filler, *end = model.ids("blue filler key is")
    inputs = [[blue, *[filler] * n, *end] for n in range(MOST_FILLERS + 1)]
    return {"trials": [{"fillers": n, **model.end(model.state(inputs[n]))} for n in range(3)],
            "fewest_fillers": next((n for n, ids in enumerate(inputs) if model.lead(ids) <= 0), None)}


def exercise_2(model: Model, ids: list[int]) -> dict[str, Any]:
    """Return the sums that remain where the diagonal is 1, beside those with the given weights."""
    keeping, blue = model.with_diagonal(Fraction(1)), model.ids("blue")
    return {"recurrent_diagonal": Fraction(1), "long_blue": keeping.end(keeping.state(ids)),
            "repeated_blue": [{"count": n, "state": keeping.state(blue * n),
                               "state_with_given_weights": model.state(blue * n)} for n in (1, 2, 4, 8)]}


def carry_over(model: Model) -> dict[str, Any]:
    """Return the second test afresh, and as the end of one long input: carrying a state over makes one of two."""
    first, second = "blue key is", "blue filler key is"
    return {"first": first.split(), "second": second.split(),
            "reset": model.end(model.state(model.ids(second))),
            "carried": model.end(model.state(model.ids(f"{first} {second}")))}


def probe() -> list[dict[str, Any]]:
    """Return the probe's two steps, worked out by hand.

    x_1 = [1, 2], h_0 = [1, 0]: x·W_x = [1·1 + 2·0, 1·(-2) + 2·1/2] = [1, -1]; h·W_h = [1·1/2 + 0, 1·1 + 0] = [1/2, 1];
    with b_h = [0, -1/2] the sum is [3/2, -1/2], cut to [3/2, 0]. z = [3/2·1 + 0 + 1/4, 0 + 0] = [7/4, 0].
    x_2 = [0, 1]: x·W_x = [0, 1/2]; h·W_h = [3/2·1/2, 3/2·1] = [3/4, 3/2]; with b_h the sum is [3/4, 3/2].
    z = [3/4 + 3/2·1/2 + 1/4, -3/2] = [7/4, -3/2].
    """
    first, second = [Fraction(7, 4), ZERO], [Fraction(7, 4), Fraction(-3, 2)]
    return [
        {"t": 1, "token": "a", "token_id": 0, "input": row(["1", "2"]), "previous_state": row(["1", "0"]),
         "preactivation": row(["3/2", "-1/2"]), "state": row(["3/2", "0"]), "logits": first,
         "probabilities": softmax(first),
         "choice": "red"},
        {"t": 2, "token": "b", "token_id": 1, "input": row(["0", "1"]), "previous_state": row(["3/2", "0"]),
         "preactivation": row(["3/4", "3/2"]), "state": row(["3/4", "3/2"]), "logits": second,
         "probabilities": softmax(second),
         "choice": "red"}]


def leading(model: Model, n: int) -> dict[str, Any]:
    """Return what is left when n fillers come before the clue."""
    end = model.end(model.state(model.ids("filler") * n + model.ids("blue key is")))
    return {"fillers": n, "state": end["state"], "choice": end["choice"]}


def binary_float(model: Model, ids: list[int]) -> dict[str, Any] | None:
    """Return the state in binary64 with every operation carried out in integers; null beyond its range.

    The definition is itself a procedure: each product is rounded once, and the sum for a coordinate once.
    """
    state = list(map(binary64, model.start))
    weights = [[binary64(number) for number in numbers] for numbers in [*model.into, *model.recurrent]]
    biases = list(map(binary64, model.hidden_bias))
    try:
        for i in ids:
            met = [*map(binary64, model.embedding[i]), *state]
            state = [binary64(bias + sum(binary64(a * numbers[j]) for a, numbers in zip(met, weights)))
                     for j, bias in enumerate(biases)]
    except OverflowError:
        return None
    return {"state": state, "choice": model.end(state)["choice"]}


def repairs(model: Model, long: list[tuple[str, list[int]]]) -> dict[str, Any]:
    """Return the thresholds: with another red bias every lead moves by as much the other way."""
    red, blue = (model.lead(ids) + model.bias[0] for _, ids in long[:2])
    return {"retained_weight_above": retained_weight_above(model, long[1][1]), "red_bias_below": blue,
            "red_bias_at_least": red, "window": whole_window(model, long)}


def retained_weight_above(model: Model, ids: list[int]) -> dict[str, Any] | None:
    """Return the r for which r^power · gain equals the lead of the red bias: one clue, and W_h = r times the unit."""
    clues = [(s, model.clues[i]) for s, i in enumerate(ids, 1) if any(model.clues[i])]
    r, places = model.recurrent[0][0], range(model.width)
    single = model.recurrent == [[r * (i == j) for j in places] for i in places]
    if not single or any(model.start) or any(model.hidden_bias) or len(clues) != 1:
        return None
    power, gain, gap = len(ids) - clues[0][0], model.gain(ids[clues[0][0] - 1]), model.bias[0] - model.bias[1]
    if power == 0 or gain <= 0 or gap <= 0:
        return None
    return {"power": power, "of": gap / gain, "decimal": root(gap / gain, power)}


def whole_window(model: Model, long: list[tuple[str, list[int]]]) -> dict[str, Any] | None:
    """Return what a window of the whole input answers: stacked identities add all inputs up."""
    tokens, width = len(long[0][1]), model.width
    if width != len(model.into) or any(len(ids) != tokens for _, ids in long):
        return None
    sums = [[max(ZERO, sum((model.embedding[i][j] for i in ids), ZERO)) for j in range(width)] for _, ids in long]
    choices = [model.end(total)["choice"] for total in sums]
    return {"tokens": tokens, "cases": [{"color": color, "choice": choice, "correct": choice == color}
                                        for (color, _), choice in zip(long, choices)]}
