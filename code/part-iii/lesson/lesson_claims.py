"""What lesson 6.1 concludes, decided from the numbers of its record alone, before they are rounded.

The wording of each claim and its evidence stand in data/lesson-6-1/printed-v1.json under the same id. A claim that
meets a value which does not exist for the data is "outside".
"""
from __future__ import annotations

from typing import Any, Callable

from support.verdicts import NoEvidence, known

Found = Any  # `results` of the record, its figures whole (figure.py)

HOLDS, FAILS, DEPENDS, OUTSIDE = "holds", "fails", "depends", "outside"
SIX_DECIMALS = 0.0000005  # what six decimals show as zero is less
EVEN = 0.1  # a decay is called even when no step's factor is further than this share from the mean factor


def if_true(test: Callable[[Found], bool]) -> Callable[[Found], str]:
    """Return a claim that a test decides."""
    return lambda found: HOLDS if test(found) else FAILS


def learns(training: Any) -> bool:
    """Say whether a training ends with every test label right."""
    return bool(known(training["test_accuracy"]).value == 1)


def losses(training: Any, *rounds: int) -> list[float]:
    """Return the losses of some rounds, or of all that are recorded."""
    made = {row["round"]: row["loss"].value for row in training["losses"]}
    return [known(made.get(number)) for number in rounds or made or [0]]


def chances(found: Found) -> list[float]:
    """Return the probability of 1 after the lesson's training, for first input 0 and 1."""
    return [known(chance).value for chance in found["delayed_recall"]["predicted_probability_of_1"].values()]


def norms(found: Found) -> list[float]:
    """Return what is left of the vector at each step, the first step first."""
    return [row["significant"].value for row in found["gradient_norms"]]


def factors(found: Found) -> list[float]:
    """Return what each step back multiplies by."""
    return [before / known(after or None) for before, after in zip(norms(found), norms(found)[1:])]


def _rows_by_layer(found: Found) -> bool:
    """Four rows of the table are the hidden layer's and two the output's."""
    names = [row["name"] for row in found["parameters"]]
    return (sum(name in ("Wx", "Wh", "b") for name in names), sum(name in ("Wo", "bo") for name in names)) == (4, 2)


def _product_of_states(found: Found) -> bool:
    """Wh is a product of two hidden states: then it would be zero while the state is."""
    state_is_zero = found["hidden_norms"][0]["norm"].value == 0
    return not (state_is_zero and found["diagnosis"]["largest_singular_value"].value > 0)


def _gradient_is_zero(found: Found) -> str:
    """Printed with six decimals it is zero; with three significant digits it is not."""
    first = norms(found)[0]
    return FAILS if first >= SIX_DECIMALS else HOLDS if first == 0 else DEPENDS


def _of_the_loss(found: Found) -> bool:
    """A gradient of the loss would start with the loss's own size, not with exactly 1."""
    return abs(norms(found)[-1] - 1) >= SIX_DECIMALS


def _tanh_is_the_cause(found: Found) -> bool:
    """Most of the derivatives lie between 0.1 and 0.5, and Wh alone would not shrink the vector."""
    return bool(found["diagnosis"]["tanh_derivative"]["share_between_0.1_and_0.5"].value > 0.5
                and found["diagnosis"]["spectral_radius"].value >= 1)


def _estimate(found: Found) -> bool:
    """0.3^11 and what is measured at t = 1 lie within a factor of two, and 0.000013 stands in the table."""
    ratio = found["diagnosis"]["lesson_estimate"].value / known(norms(found)[0] or None)
    return 0.5 < ratio < 2 and any(abs(norm - 0.000013) < SIX_DECIMALS for norm in norms(found))


def _no_pause(found: Found) -> bool:
    return all(before < after for before, after in zip(norms(found), norms(found)[1:]))


def _even(found: Found) -> str:
    """Hold if each step back multiplies by about the same factor; fail if the norm ever grows."""
    each = factors(found)
    mean = sum(each) / len(each)
    if max(each) >= 1:
        return FAILS
    return HOLDS if all(abs(factor - mean) <= EVEN * mean for factor in each) else DEPENDS


def _same_from_the_start(found: Found) -> bool:
    return len({f"{loss:.4f}" for loss in losses(found["delayed_recall"])}) == 1


def _four_decimals(found: Found) -> bool:
    """The four printed losses are the same to four decimals."""
    return len({f"{loss:.4f}" for loss in losses(found["delayed_recall"], 100, 300, 500, 700)}) == 1


def _half_and_half(found: Found) -> bool:
    """The output is 0.5 against 0.5 and the loss is ln 2; else it is the labels' share and their entropy."""
    recall = found["delayed_recall"]
    even = all(abs(chance - 0.5) < 0.005 for chance in chances(found))
    return even and abs(losses(recall, 800)[0] - recall["even_guess_loss"].value) < 0.0005


def _first_input_does_nothing(found: Found) -> bool:
    for_0, for_1 = chances(found)
    return abs(for_0 - for_1) < 0.0001


def _no_signal(found: Found) -> bool:
    return bool(known(found["delayed_recall"]["input_weight_gradient_norm"]).value == 0)


def _rounds_alone(found: Found) -> str:
    """8,000 rounds end where 800 do: at every rate, at some, or at none."""
    more = found["experiments"]["more_rounds"].values()
    ends = [losses(made, 800, 8000) for made in more]
    same = [abs(late - early) < 0.0005 for early, late in ends]
    return HOLDS if all(same) else DEPENDS if any(same) else FAILS


def _rate_and_rounds(found: Found) -> str:
    """Neither more rounds alone nor a higher rate alone helps, nor both together."""
    more = found["experiments"]["more_rounds"]
    rounds, both = learns(more["rate_0.3"]), learns(more["rate_1.0"])
    rate = losses(more["rate_1.0"], 800)[0] < losses(found["delayed_recall"], 800)[0] - 0.0005
    if not (rounds or rate or both):
        return HOLDS
    return FAILS if rounds and rate and both else DEPENDS


def _only_structure(found: Found) -> bool:
    """No training of the unchanged network learns the task."""
    more = found["experiments"]["more_rounds"]
    same_network = [found["experiments"]["adam"], found["experiments"]["alpha_1"]["delayed_recall"], *more.values()]
    return not any(map(learns, same_network))


def _wider(found: Found) -> bool:
    return not learns(found["experiments"]["hidden_32"]["delayed_recall"])


def _guessing(found: Found) -> bool:
    """The answer is the same for both inputs, so the accuracy is the share of that label in the test."""
    recall = found["delayed_recall"]
    answers = {"1" if chance > 0.5 else "0" for chance in chances(found)}
    share = {recall["test_labels"][answer] / sum(recall["test_labels"].values()) for answer in answers}
    return len(answers) == 1 and share == {known(recall["test_accuracy"]).value}


def _overwritten(found: Found) -> str:
    """Every coordinate is computed anew, but from the old state: with input 0 the norm does not drop to zero."""
    carried = [row["norm"].value > 0 for row in found["hidden_norms"][2:] if row["input"] == 0]
    return DEPENDS if any(carried) else HOLDS


def _decays_by_itself(found: Found) -> bool:
    """Along the steps with input 0 the hidden norm goes down."""
    kept = [row["norm"].value for row in found["hidden_norms"][1:]]
    return all(row["input"] == 0 for row in found["hidden_norms"][2:]) and sorted(kept, reverse=True) == kept


def _does_not_grow(found: Found) -> bool:
    """Shared, the weights are 98 for any length; a copy for each step would be more."""
    unrolled = found["experiments"]["unrolled"]
    return bool(unrolled["same_output"] and unrolled["parameter_count"] > found["parameter_count"] == 98)


def _unrolled(found: Found) -> bool:
    unrolled = found["experiments"]["unrolled"]
    return bool(unrolled["same_output"] and unrolled["gradient_is_sum_of_copies"] and unrolled["steps"] == 8)


CLAIMS: dict[str, Callable[[Found], str]] = {
    "parameters-98": if_true(lambda found: found["parameter_count"] == 98),
    "most-are-in-wh": if_true(lambda found: {row["name"]: row["count"] for row in found["parameters"]}["Wh"] == 64),
    "table-has-four-and-two-rows": if_true(_rows_by_layer),
    "output-of-one-dimension": if_true(lambda found: found["parameters"][3]["shape"][1] == 1),
    "wh-is-a-product-of-states": if_true(_product_of_states),
    "state-decays-by-itself": if_true(_decays_by_itself),
    "unrolled-is-a-deep-network": if_true(_unrolled),
    "gradient-reaches-zero": _gradient_is_zero,
    "gradient-of-the-loss": if_true(_of_the_loss),
    "tanh-derivative-is-the-cause": if_true(_tanh_is_the_cause),
    "estimate-matches": if_true(_estimate),
    "no-pause": if_true(_no_pause),
    "even-decay": _even,
    "loss-never-moves": if_true(_same_from_the_start),
    "four-decimals-stand-still": if_true(_four_decimals),
    "loss-means-half-and-half": if_true(_half_and_half),
    "first-input-does-nothing": if_true(_first_input_does_nothing),
    "first-weight-gets-no-signal": if_true(_no_signal),
    "accuracy-is-guessing": if_true(_guessing),
    "more-rounds-change-nothing": _rounds_alone,
    "rate-and-rounds-do-not-help": _rate_and_rounds,
    "only-structure-helps": if_true(_only_structure),
    "wider-does-not-help": if_true(_wider),
    "state-is-overwritten": _overwritten,
    "parameters-do-not-grow": if_true(_does_not_grow),
    "lstm-reaches-one": lambda found: OUTSIDE,
}


def verdicts(found: Found) -> dict[str, str]:
    """Return the verdict on each claim of the lesson by its id."""
    decided = {}
    for name, claim in CLAIMS.items():
        try:
            decided[name] = claim(found)
        except NoEvidence:
            decided[name] = OUTSIDE
    return decided
