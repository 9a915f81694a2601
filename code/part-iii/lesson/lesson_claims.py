"""What lesson 6.1 says, decided from its record alone: a public function for each claim of the ledger.

Each is named like the claim's id, and returns whether the claim holds and the figures that decide it. What hangs on the
weights that were drawn is decided by the seeds: by all of them, by those that stand on the plateau where it is said of
these, or by a difference from the lesson's own training that is far from what any twenty seeds show by chance.
"""
from __future__ import annotations

from typing import Any

from support.verdicts import Decision, exhibited, known

Results = Any  # `results` of the record, its figures as numbers that are not yet rounded (figure.py) or as written

FALLS = 0.75  # what falls at each step to less than this is below an exponential
MORE = 0.6  # share of the seeds that must learn in addition before something is called a help: twelve of twenty


def _number(figure: Any) -> float:
    """Return the number of a figure, as it is recorded."""
    return float(str(known(figure)))


def _losses(results: Results, *rounds: int) -> list[str]:
    """Return the losses of some rounds of the lesson's training."""
    losses = [str(known(row["loss"])) for row in results["delayed_recall"]["losses"] if row["round"] in rounds]
    exhibited(len(losses) == len(rounds))
    return losses


def _learned(results: Results, name: str = "gd_0.3_800") -> int:
    """Return on how many seeds a training learns."""
    return int(results["seeds"]["trainings"][name]["learned"])


def _more(results: Results, name: str) -> bool | str:
    """Say whether with one change many more seeds learn than without, or no more, or something between."""
    more = _learned(results, name) - _learned(results)
    return more >= MORE * results["seeds"]["seeds"] or ("depends" if more > 0 else False)


def _plateau(results: Results) -> tuple[int, int]:
    """Return how many seeds stand on the plateau at round 800, and how many of these at the labels' entropy."""
    plateau = results["seeds"]["plateau"]
    return exhibited(plateau["stands"]), plateau["at_entropy"]


def _all(here: bool, count: int, of: int) -> bool | str:
    """Return the verdict on what is so, or not, on this network and on a number of seeds."""
    return here if count == (of if here else 0) else "depends"


# ---------------------------------------------------------------- what the loss is


def loss_is_ln_2(results: Results) -> Decision:
    """A loss that stands is nearer to ln 2 than to the entropy of the labels, which any constant answer can reach."""
    recall, (stands, there) = results["delayed_recall"], _plateau(results)
    text, entropy, even = _losses(results, 800)[0], recall["label_entropy"], recall["even_guess_loss"]
    far, near = (abs(_number(text) - _number(each)) for each in (even, entropy))
    return str(entropy) == str(even) or _all(far < near, stands - there, stands), (
        f"第 800 轮 {text}，标签的熵 {entropy}，ln 2 {even}；学习率 0.3，停住的 {stands} 个种子里 {there} 个停在熵上")


def loss_never_moves(results: Results) -> Decision:
    """From the first round to the last the loss is the same in four decimals."""
    losses = _losses(results, 1, 100, 300, 500, 700, 800)
    return len({f"{float(loss):.4f}" for loss in losses}) == 1, f"第 1 轮 {losses[0]}，第 100 轮 {losses[1]}"


def first_input_does_nothing(results: Results) -> Decision:
    """After the lesson's training both inputs get one answer, whose share of the test labels is the accuracy.

    So it is on every seed whose loss is off the entropy by less than 0.0001: probabilities for the two inputs that
    differ by d raise it by d²/2 or more, so that d is less than 0.015.
    """
    recall, (stands, there) = results["delayed_recall"], _plateau(results)
    chances = recall["predicted_probability_of_1"]
    zero, one = map(_number, chances.values())
    share = recall["test_labels"][str(int(zero > 0.5))] / sum(recall["test_labels"].values())
    here = abs(zero - one) < 0.015 and (zero > 0.5) == (one > 0.5) and share == _number(recall["test_accuracy"])
    return _all(here, there, stands), (
        f"首位是 0 是 1，答 1 的概率 {chances['0']} 与 {chances['1']}；"
        f"学习率 0.3，800 轮，停住的 {stands} 个种子里 {there} 个停在熵上")


# ---------------------------------------------------------------- what makes the gradient shrink


def tanh_shrinks_the_gradient(results: Results) -> Decision:
    """At the initial weights most derivatives lie between 0.1 and 0.5, and half of the decay or more is theirs: of its
    logarithm, so that without them at least the root of what is left with them would be left.
    """
    seen, measures, every = results["diagnosis"], results["seeds"]["measures"], results["seeds"]["seeds"]
    slopes, with_it = seen["tanh_derivative"], results["gradient_norms"][0]["significant"]
    counts = [measures[name] for name in ("derivative_mostly_small", "derivative_takes_half")]
    small, half = (_all(here, count, every) for here, count in zip((
        slopes["between_0.1_and_0.5"] > slopes["count"] / 2,
        _number(seen["without_tanh"]) >= _number(with_it) ** 0.5), counts))
    return small if small == half else "depends", (
        f"初始权重下 {slopes['count']} 个导数在 {slopes['min']} 与 {slopes['max']} 之间，"
        f"{slopes['between_0.1_and_0.5']} 个在 0.1 至 0.5；"
        f"去掉导数，退 11 步剩 {seen['without_tanh']}，不去剩 {with_it}；"
        f"{every} 个种子里，导数多半这样小的 {counts[0]} 个，占衰减一半的 {counts[1]} 个")


def memory_is_up_to_wh(results: Results) -> Decision:
    """Wh twice as large, all else untouched, lets many more seeds learn."""
    first, every = results["gradient_norms"][0]["significant"], results["seeds"]["seeds"]
    return _more(results, "wh_2_800"), (
        f"只把 Wh 乘 2，学习率 0.3，800 轮，{every} 个种子里 {_learned(results, 'wh_2_800')} 个学会，不乘 "
        f"{_learned(results)} 个；退 11 步剩 {results['wh_2']['left']} 与 {first}")


def vanishing_is_inevitable(results: Results) -> Decision:
    """Less than a thousandth is left after eleven steps on every seed, with the lesson's alpha and a larger one."""
    measures, every = results["seeds"]["measures"], results["seeds"]["seeds"]
    small, large = (measures[f"gradient_below_a_thousandth{of}"] for of in ("", "_at_alpha_1.0"))
    return (large == every or "depends") if small == every else False, (
        f"退 11 步剩下不到千分之一的：alpha 0.3，{every} 个种子里 {small} 个；alpha 1.0，{large} 个")


def smooth_decay(results: Results) -> Decision:
    """Each step back leaves less than three quarters, so that what is left lies below an exponential."""
    largest, every = results["diagnosis"]["largest_factor"], results["seeds"]["seeds"]
    count = results["seeds"]["measures"]["gradient_falls_at_each_step"]
    return _all(_number(largest) < FALLS, count, every), (
        f"每退一步至多剩 {largest} 倍；{every} 个种子里 {count} 个每步至多剩 {FALLS} 倍")


def estimate_matches_measurement(results: Results) -> Decision:
    """0.000013 is what the lesson's table has at step 1, and 0.3^11 is less than ten times that, or a tenth of it."""
    first, estimate = results["gradient_norms"][0], results["diagnosis"]["lesson_estimate"]
    times = _number(estimate) / exhibited(_number(first["significant"]))
    return str(first["norm"]) == "0.000013" and 0.1 < times < 10, (
        f"只说这个网络，第 1 步印作 {first['norm']}，没有 0.000013；0.3^11 = {estimate} 是它的 {times:.1f} 倍")


def listing_gives_the_log(results: Results) -> Decision:
    """The listing, run as printed, prints the log's norms."""
    pairs = [(row["t"], str(row["norm"]), str(own["norm"]))
             for row, own in zip(results["listing"], results["gradient_norms"])]
    other = [f"：第 {t} 步 {listed}，日志 {own}" for t, listed, own in pairs if listed != own]
    return not other, f"{len(other)} 行不同{''.join(other[-1:])}"


# ---------------------------------------------------------------- what helps


def first_weight_gets_no_signal(results: Results) -> Decision:
    """The gradient by Wx is zero in every round that is recorded."""
    sizes = exhibited(results["more_rounds"]["signals"])
    zero = {_number(row["Wx"]) == 0 for row in sizes}
    return "depends" if len(zero) == 2 else zero == {True}, "，".join(
        f"第 {row['round']} 轮 {row['Wx']}" for row in sizes if row["round"] == 800 or row is sizes[-1])


def not_slow_but_not_started(results: Results) -> Decision:
    """Standing, at round 800, is all that there is: with more rounds of the same no seed learns."""
    every, rounds, (stands, _) = results["seeds"]["seeds"], results["seeds"]["rounds_to_learn"], _plateau(results)
    learned = _learned(results, "gd_0.3_64000")
    return _all(learned == 0, every - learned, every), (
        f"学习率 0.3，{every} 个种子里，第 800 轮有 {stands} 个停着，还没有开始；64000 轮之内 {learned} 个学会，"
        f"第 {rounds['least']} 至 {rounds['most']} 轮，一半不晚于第 {rounds['median']} 轮")


def only_structure_helps(results: Results) -> Decision:
    """Neither another optimizer nor other weights nor more rounds let a seed of the same structure learn."""
    every, counts = results["seeds"]["seeds"], [_learned(results, name) for name in (
        "adam_0.01_800", "adam_0.001_800", "wh_2_800", "gd_0.3_64000", "gd_1.0_800")]
    return False if every in counts else "depends" if any(counts) else True, (
        f"结构不变，{every} 个种子里学会的：Adam 0.01，800 轮，{counts[0]} 个；Adam 0.001，800 轮，{counts[1]} 个；"
        f"Wh 乘 2，800 轮，{counts[2]} 个；学习率 0.3，64000 轮，{counts[3]} 个；学习率 1.0，800 轮，{counts[4]} 个")


def wider_does_not_help(results: Results) -> Decision:
    """With 32 units hardly more seeds learn than with eight."""
    return _more(results, "hidden_32_800") is not True, (
        f"学习率 0.3，800 轮，{results['seeds']['seeds']} 个种子里：32 维 {_learned(results, 'hidden_32_800')} 个学会，"
        f"8 维 {_learned(results)} 个")


def lstm_reaches_one(results: Results) -> Decision:
    """There is an LSTM that learns the task."""
    counts = [_learned(results, f"lstm_forget_{bias}_800") for bias in (1, 0)]
    return any(counts), (f"学习率 0.3，800 轮，{results['seeds']['seeds']} 个种子里：遗忘门偏置 1，{counts[0]} 个学会；"
                         f"偏置 0，{counts[1]} 个")
