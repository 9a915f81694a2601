"""What lesson 6.1 says, decided from the numbers of its record alone, before they are rounded.

The wording of each claim, its evidence and the command that repeats it stand in data/lesson-6-1/printed-v1.json under
the same id. What could come out otherwise with other weights is decided by the counts over seeds. A claim that meets a
value which does not exist for the data is "outside".
"""
from __future__ import annotations

from typing import Any, Callable

from support.verdicts import NoEvidence, known

Results = Any  # `results` of the record, its figures whole (figure.py)

HOLDS, FAILS, DEPENDS, OUTSIDE = "holds", "fails", "depends", "outside"
FEW, MOST = 0.1, 0.9  # shares of the seeds: hardly any, nearly all; what lies between them depends on the seed
STRAIGHT = 0.95  # r² of logarithms from which a decay is called exponential
SIX_DECIMALS = 0.0000005  # what six decimals show as zero is less
FOUR_DECIMALS = 0.00005


def if_true(test: Callable[[Results], bool]) -> Callable[[Results], str]:
    """Return a claim that a test decides."""
    return lambda results: HOLDS if test(results) else FAILS


# ---------------------------------------------------------------- numbers of the record


def number(figure: Any) -> float:
    """Return the number of a figure."""
    value: float = known(figure).value
    return value


def losses(training: Any, *rounds: int) -> list[float]:
    """Return the losses of some rounds."""
    by_round = {row["round"]: number(row["loss"]) for row in training["losses"]}
    return [known(by_round.get(each)) for each in rounds]


def chances(results: Results) -> list[float]:
    """Return the probability of 1 after the lesson's training, for first input 0 and 1."""
    return [number(chance) for chance in results["delayed_recall"]["predicted_probability_of_1"].values()]


def left(results: Results) -> list[float]:
    """Return what is left of the vector at each step, the first step first."""
    return [number(row["significant"]) for row in results["gradient_norms"]]


def learning(results: Results, *settings: str) -> list[str]:
    """Return for each setting whether "all" of the seeds learn, "none" or "some"."""
    return [share_of(results["seeds"]["trainings"][name]) for name in settings]


def share_of(counts: Any) -> str:
    """Return whether a training is learned on "all" seeds, "none" or "some"; the undecided may be either."""
    seeds = known(counts["learned"] + counts["not_learned"] + counts["undecided"] or None)
    if counts["learned"] >= MOST * seeds:
        return "all"
    return "none" if counts["learned"] + counts["undecided"] <= FEW * seeds else "some"


def helps_not(*shares: str) -> str:
    """Return the verdict on a sentence that says that nothing of this helps."""
    return FAILS if "all" in shares else DEPENDS if "some" in shares else HOLDS


def counted(results: Results, *keys: str) -> str:
    """Return the verdict on a sentence that is true on a counted number of seeds."""
    count = results["seeds"]["measures"]
    for key in keys:
        count = count[key]
    return on_share(results, count)


def on_share(results: Results, count: int) -> str:
    """Return the verdict on what is so on a number of the seeds."""
    share = count / known(results["seeds"]["seeds"] or None)
    return HOLDS if share >= MOST else FAILS if share <= FEW else DEPENDS


def on_seeds(test: Callable[[Results], Any], *keys: str) -> Callable[[Results], str]:
    """Return a claim on this network that holds or fails if it does so on the counted seeds, and else depends."""

    def claim(results: Results) -> str:
        here = test(results)
        here = {True: HOLDS, False: FAILS}.get(here, here)
        return here if counted(results, *keys) == here else DEPENDS

    return claim


def on_plateau(test: Callable[[Results], bool], there: str = HOLDS) -> Callable[[Results], str]:
    """Return a claim on this network's answers; `there` is its verdict on a seed whose loss stands at the entropy."""

    def claim(results: Results) -> str:
        here = HOLDS if test(results) else FAILS
        stand = on_share(results, known(results["seeds"]["trainings"]["gd_0.3_800"])["at_entropy"])
        return here if stand == (HOLDS if here == there else FAILS) else DEPENDS

    return claim


# ---------------------------------------------------------------- the network


def _rows_by_layer(results: Results) -> bool:
    """Four rows of the table are the hidden layer's and two the output's."""
    names = [row["name"] for row in results["parameters"]]
    return (sum(name in ("Wx", "Wh", "b") for name in names), sum(name in ("Wo", "bo") for name in names)) == (4, 2)


def _product_of_states(results: Results) -> bool:
    """Wh is the product of this state and the last: then its size would at every step be the product of theirs."""
    size = number(results["diagnosis"]["largest_singular_value"])
    norms = [number(row["norm"]) for row in results["hidden_norms"]]
    return all(abs(size - one * other) < SIX_DECIMALS for one, other in zip(norms, norms[1:]))


def _order_matters(results: Results) -> bool:
    one, other = (number(row["last_norm"]) for row in results["order"])
    return abs(one - other) >= FOUR_DECIMALS


def _wh_carries(results: Results) -> bool:
    """With Wh the task is learned, with zeros in its place it is not."""
    return learning(results, "adam_0.01_800", "without_wh_adam_0.01_800") == ["all", "none"]


def _memory_is_wh(results: Results) -> bool:
    """What tells two inputs apart after reading is Wh: then one and the same Wh would leave the same state."""
    return not _order_matters(results)


def _memory_up_to_wh(results: Results) -> bool:
    """The larger Wh, the more is left; below spectral radius 1 it fades, above it does not."""
    rows = results["memory"]
    kept = [number(row["last_norm"]) / known(number(row["first_norm"]) or None) for row in rows]
    grows = [number(row["spectral_radius"]) > 1 for row in rows]
    return sorted(kept) == kept and [share >= 0.5 for share in kept] == grows and len(set(grows)) == 2


def _decays_by_itself(results: Results) -> bool:
    """At each step with input 0, the hidden norm goes down."""
    norms = [(row["input"], number(row["norm"])) for row in results["hidden_norms"]]
    idle = [(before, after) for (_, before), (bit, after) in zip(norms, norms[1:]) if bit == 0 and before > 0]
    return bool(known(idle or None)) and all(after < before for before, after in idle)


def _overwritten(results: Results) -> bool:
    """Every coordinate is another after each step, once the state is not zero."""
    return all(row["replaced"] == results["setting"]["hidden"] for row in results["hidden_norms"]
               if number(row["norm"]) > 0)


def _same_as_feed_forward(results: Results) -> str:
    same = {row["same"] for row in results["feed_forward"]}
    return DEPENDS if len(same) == 2 else HOLDS if same == {True} else FAILS


def _backpropagation(results: Results) -> bool:
    copies = results["unrolled"]
    return bool(copies["same_output"] and copies["gradient_is_sum_of_copies"] and copies["steps"] == 8)


def _does_not_grow(results: Results) -> bool:
    """Shared, the weights are 98 for any length; a copy for each step would be more."""
    copies = results["unrolled"]
    return bool(copies["same_output"] and copies["parameter_count"] > results["parameter_count"] == 98)


# ---------------------------------------------------------------- the way back


def _gradient_is_zero(results: Results) -> str:
    """Printed with six decimals it is zero; with three significant digits it is not."""
    first = left(results)[0]
    return FAILS if first >= SIX_DECIMALS else HOLDS if first == 0 else DEPENDS


def _of_the_loss(results: Results) -> bool:
    """A gradient of the loss would start with the loss's own size, not with exactly 1."""
    return abs(left(results)[-1] - 1) >= SIX_DECIMALS


def _wh_is_a_cause(results: Results) -> bool:
    """Wh alone makes any vector shorter."""
    return number(results["diagnosis"]["largest_singular_value"]) < 1


def _derivative_is_small(results: Results) -> bool:
    seen = results["diagnosis"]["tanh_derivative"]
    return bool(seen["between_0.1_and_0.5"] > seen["count"] / 2)


def _same_order(results: Results) -> bool:
    return 0.1 < number(results["diagnosis"]["estimate_over_measured"]) < 10


def _measured(results: Results) -> bool:
    """0.000013 stands in the table."""
    return any(abs(size - 0.000013) < SIX_DECIMALS for size in left(results))


def _inevitable(results: Results) -> str:
    """A chain of eleven products vanishes, whatever its factors: with the lesson's weights, and with larger ones."""
    return {(HOLDS, HOLDS): HOLDS, (HOLDS, FAILS): DEPENDS}.get((
        counted(results, "alpha_0.3", "gradient_below_a_thousandth"),
        counted(results, "alpha_1.0", "gradient_below_a_thousandth")), FAILS)


def _no_pause(results: Results) -> bool:
    return all(before < after for before, after in zip(left(results), left(results)[1:]))


def _smooth(results: Results) -> str:
    """The decay never pauses, and the logarithms lie on a line."""
    if not _no_pause(results):
        return FAILS
    return HOLDS if number(results["decay"]["straightness"]) >= STRAIGHT else DEPENDS


# ---------------------------------------------------------------- the task


def _same_from_the_start(results: Results) -> bool:
    every = losses(results["delayed_recall"], 1, 100, 300, 500, 700, 800)
    return len({f"{loss:.4f}" for loss in every}) == 1


def _four_decimals(results: Results) -> bool:
    """The four printed losses are the same to four decimals."""
    return len({f"{loss:.4f}" for loss in losses(results["delayed_recall"], 100, 300, 500, 700)}) == 1


def _is_ln_2(results: Results) -> bool:
    """The loss stands at ln 2, the loss of an even guess, and not at the entropy of the labels."""
    recall = results["delayed_recall"]
    stands = losses(recall, 800)[0]
    return abs(stands - number(recall["even_guess_loss"])) < abs(stands - number(recall["label_entropy"]))


def _near_half(results: Results) -> bool:
    """Both inputs get the same answer, and in one decimal it is 0.5."""
    return _first_input_does_nothing(results) and all(abs(chance - 0.5) < 0.05 for chance in chances(results))


def _first_input_does_nothing(results: Results) -> bool:
    for_0, for_1 = chances(results)
    return abs(for_0 - for_1) < 0.001


def _guessing(results: Results) -> bool:
    """The answer is the same for both inputs, so the accuracy is the share of that label in the test."""
    recall = results["delayed_recall"]
    answers = {"1" if chance > 0.5 else "0" for chance in chances(results)}
    share = {recall["test_labels"][answer] / sum(recall["test_labels"].values()) for answer in answers}
    return len(answers) == 1 and share == {number(recall["test_accuracy"])}


def _no_signal(results: Results) -> str:
    """The gradient by Wx is zero in every round."""
    zero = {number(row["Wx"]) == 0 for row in known(results["more_rounds"]["rate_0.3"]["gradients"] or None)}
    return DEPENDS if len(zero) == 2 else HOLDS if zero == {True} else FAILS


def _no_convergence(results: Results) -> bool:
    """The loss leaves where it stands, here and on nearly all seeds."""
    return results["more_rounds"]["rate_0.3"]["escaped_at"] is not None and learning(results, "gd_0.3_64000") == ["all"]


def _not_undertrained(results: Results) -> str:
    """More rounds of the same training do not help."""
    return helps_not(*learning(results, "gd_0.3_64000"))


def _from_listing(results: Results) -> bool:
    """The labels that the listing draws, as printed, have the entropy at which the losses stand."""
    return abs(number(results["listing"][0]["entropy"]) - losses(results["delayed_recall"], 800)[0]) < FOUR_DECIMALS


def _lstm(results: Results) -> str:
    shares = learning(results, "lstm_forget_0_800", "lstm_forget_1_800")
    return HOLDS if shares == ["all", "all"] else FAILS if shares == ["none", "none"] else DEPENDS


CLAIMS: dict[str, Callable[[Results], str]] = {  # in the order of the lesson
    "parameters-98": if_true(lambda results: results["parameter_count"] == 98),
    "memory-is-wh": if_true(_memory_is_wh),
    "order-matters": if_true(_order_matters),
    "table-has-four-and-two-rows": if_true(_rows_by_layer),
    "wh-carries-memory": if_true(_wh_carries),
    "unrolled-is-a-deep-network": _same_as_feed_forward,
    "backpropagation-is-unchanged": if_true(_backpropagation),
    "gradient-reaches-zero": _gradient_is_zero,
    "gradient-of-the-loss": if_true(_of_the_loss),
    "wh-shrinks-the-gradient": on_seeds(_wh_is_a_cause, "alpha_0.3", "largest_singular_value_below_one"),
    "tanh-derivative-is-small": on_seeds(_derivative_is_small, "alpha_0.3", "derivative_mostly_small"),
    "same-order-of-magnitude": on_seeds(_same_order, "alpha_0.3", "estimate_within_factor_ten"),
    "measured-0.000013": if_true(_measured),
    "vanishing-is-inevitable": _inevitable,
    "first-input-does-nothing": on_plateau(_first_input_does_nothing),
    "cannot-remember-the-start": lambda results: helps_not(
        *learning(results, "gd_0.3_800", "gd_0.3_64000", "adam_0.01_800")),
    "loss-never-moves": if_true(_same_from_the_start),
    "loss-is-ln-2": on_plateau(_is_ln_2, FAILS),
    "output-near-half": on_plateau(_near_half),
    "accuracy-is-guessing": on_plateau(_guessing),
    "not-slow-but-not-started": _not_undertrained,
    "first-weight-gets-no-signal": _no_signal,
    "log-comes-from-the-listing": if_true(_from_listing),
    "output-of-one-dimension": if_true(lambda results: results["parameters"][3]["shape"][1] == 1),
    "wh-is-a-product-of-states": if_true(_product_of_states),
    "not-undertrained": _not_undertrained,
    "most-are-in-wh": if_true(lambda results: {row["name"]: row["count"] for row in results["parameters"]}["Wh"] == 64),
    "state-decays-by-itself": on_seeds(_decays_by_itself, "alpha_0.3", "state_decays"),
    "memory-is-up-to-wh": on_seeds(_memory_up_to_wh, "larger_wh_keeps_more"),
    "no-pause": on_seeds(_no_pause, "alpha_0.3", "gradient_falls"),
    "smooth-decay": on_seeds(_smooth, "alpha_0.3", "gradient_straight"),
    "rate-and-rounds-do-not-help": lambda results: helps_not(
        *learning(results, "gd_1.0_800", "gd_0.3_64000", "gd_1.0_8000")),
    "four-decimals-stand-still": if_true(_four_decimals),
    "not-convergence": if_true(_no_convergence),
    "only-structure-helps": lambda results: helps_not(
        *learning(results, "adam_0.01_800", "adam_0.001_800", "alpha_1.0_800", "gd_0.3_64000")),
    "question-wider": lambda results: counted(results, "hidden_32_keeps_more_over_8_steps"),
    "question-recall-at-3": if_true(lambda results: learning(results, "recall_at_3_800") == ["all"]),
    "question-alpha": lambda results: counted(results, "alpha_1.0_keeps_more_over_11_steps"),
    "state-is-overwritten": if_true(_overwritten),
    "more-rounds-change-nothing": lambda results: helps_not(*learning(results, "gd_0.3_8000")),
    "wider-does-not-help": lambda results: helps_not(*learning(results, "hidden_32_800")),
    "parameters-do-not-grow": if_true(_does_not_grow),
    "lstm-reaches-one": _lstm,
}


def verdicts(results: Results) -> dict[str, str]:
    """Return the verdict on each claim of the lesson by its id."""
    decided = {}
    for name, claim in CLAIMS.items():
        try:
            decided[name] = claim(results)
        except NoEvidence:
            decided[name] = OUTSIDE
    return decided
