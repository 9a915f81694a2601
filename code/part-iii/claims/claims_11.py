"""第 11 章的论断，各由已经算出的数值判定；措辞与证据在 data/part-iii/printed-v1.json，以同一个 id 相连。

每个函数收到这一章的结果，返回成立与否，以及决定它的数值。要用到的值对这份数据没有意义（null）时，判为 outside。
"""
from __future__ import annotations

from typing import Any

from support.show import row
from support.spelling import decimals, fraction, fractions, plain
from support.verdicts import Decision, exhibited, known

RED, BLUE = 0, 1


def _window(results: Any, color: int) -> Any:
    """表 11.4 里窗口基线读同一个输入的结论。"""
    return results["table_11_4"][color]["window"]


def window_is_blind(results: Any) -> Decision:
    """短输入和长输入、红和蓝，窗口收到的 ID 与给出的分布都一样。"""
    short = [case["window"] for case in results["short_windows"][:2]]
    seen = [_window(results, RED), _window(results, BLUE), *short]
    same = all(each["token_ids"] == seen[0]["token_ids"] and each["logits"] == seen[0]["logits"] for each in seen)
    return same, f"ID {row(seen[0]['token_ids'])}，红色概率 {seen[0]['probabilities'][RED]}"


def no_weight_brings_it_back(results: Any) -> Decision:
    """窗口收到的输入向量不随颜色变，换什么权重都是同一个函数算同样的数；若不同，权重就有东西可分。"""
    red, blue = (_window(results, color)["token_ids"] for color in (RED, BLUE))
    vectors = results["parameters"]["embedding"]
    return all(vectors[i] == vectors[j] for i, j in zip(red, blue)), f"收到的 ID：{row(red)} 与 {row(blue)}"


def wider_window(results: Any) -> Decision:
    """窗口看得到整个输入时，两个长输入都答对。"""
    wide = known(results["repairs"]["window"])
    answers = [case["choice"] for case in wide["cases"][:2]]
    return answers == ["red", "blue"], f"{wide['tokens']} 个 token 的窗口答 {'、'.join(answers)}"


def relu_cuts_nothing(results: Any) -> Decision:
    """例 11.1 的每一步，ReLU 之前与之后相同。"""
    steps = results["example_11_1"]
    least = min(min(each["preactivation"]) for each in steps)
    return all(each["preactivation"] == each["state"] for each in steps), f"ReLU 之前最小的数是 {plain(least)}"


def state_needs_no_unit_sum(results: Any) -> Decision:
    """概率之和是一，舍入之后也是：两个数互补，一个舍去多少，另一个就添上多少；隐藏坐标之和至少有一次不是一。"""
    examples = {name: results[field] for name, field in (
        ("例 11.1", "example_11_1"), ("例 11.2", "example_11_2"))}
    unit = all(sum(each["probabilities"]) == 1 for steps in examples.values() for each in steps)
    sums = {name: [sum(each["state"]) for each in steps] for name, steps in examples.items()}
    showing = [name for name in sums if not unit or any(total != 1 for total in sums[name])]
    name = exhibited(showing)[0]
    return unit, f"{name} 的坐标之和 {'、'.join(map(plain, sums[name][:9]))}"


def _short_answers(results: Any) -> list[str]:
    """例 11.1 与例 11.2 的最后选择；问的依次是 red 与 blue。"""
    return [results[name][-1]["choice"] for name in ("example_11_1", "example_11_2")]


def short_inputs(results: Any) -> Decision:
    """短输入上 RNN 两种颜色都答对，窗口只答对红色。"""
    answers = _short_answers(results)
    windows = [case["window"]["choice"] for case in results["short_windows"][:2]]
    return answers == ["red", "blue"] and windows == ["red", "red"], (
        f"RNN 答 {'、'.join(answers)}，窗口答 {'、'.join(windows)}")


def _rnn(results: Any, color: int) -> Any:
    """表 11.4 里 RNN 读红色或蓝色长输入的步骤与结论。"""
    return results["table_11_4"][color]["rnn"]


def rnn_distributions_differ(results: Any) -> Decision:
    """两个长输入的最终状态不同，分布也不同：两个候选时，logits 之差不同，概率才不同。"""
    red, blue = _rnn(results, RED)["steps"][-1], _rnn(results, BLUE)["steps"][-1]
    gaps = [each["logits"][RED] - each["logits"][BLUE] for each in (red, blue)]
    return red["state"] != blue["state"] and gaps[0] != gaps[1], (
        f"{fractions(red['state'])} 与 {fractions(blue['state'])}")


def one_right_each(results: Any) -> Decision:
    """两种方法各恰好答对一个长输入。"""
    right = [method(results, RED)["correct"] + method(results, BLUE)["correct"] for method in (_window, _rnn)]
    return right == [1, 1], f"窗口对 {right[0]} 个，RNN 对 {right[1]} 个"


def reasons_differ(results: Any) -> Decision:
    """窗口送出的状态没有区别；RNN 的状态和分布有区别，只是不够大。"""
    red, blue = (_window(results, color)["state"] for color in (RED, BLUE))
    differ, states = rnn_distributions_differ(results)
    exhibited(one_right_each(results)[0])
    return red == blue and differ, f"窗口 {fractions(red)} 与 {fractions(blue)}，RNN {states}"


def blue_is_not_zero(results: Any) -> Decision:
    """长蓝色输入选了红色，而它的蓝色坐标大于零、小于红色偏置。"""
    blue, bias = _rnn(results, BLUE), results["parameters"]["output_bias"][RED]
    left = max(blue["steps"][-1]["state"])
    small = 0 < left < bias
    shown = f"0 < {fraction(left)} < {fraction(bias)}" if small else f"{fraction(left)}、{fraction(bias)}"
    return blue["choice"] == "red" and small, shown


def no_underflow(results: Any) -> Decision:
    """浮点数或分数算得选错；不用浮点数、精确地算，也选错。"""
    end, floats = _rnn(results, BLUE)["steps"][-1], known(results["binary_float"])
    exhibited("red" in (end["choice"], floats["choice"]))
    return end["choice"] == "red", f"浮点 {fractions(floats['state'])}，分数 {fractions(end['state'])}"


def weight_or_bias_changes_answer(results: Any) -> Decision:
    """红色偏置在界限的哪一边，就选哪个：换到另一边，答案就变；保留权重改成 1 又选什么。"""
    limit, bias = results["repairs"]["red_bias_below"], results["parameters"]["output_bias"][RED]
    now, kept = _rnn(results, BLUE)["choice"], results["exercise_2"]["long_blue"]["choice"]
    return (now == "red") == (limit <= bias), (
        f"现在选 {now}，对角元素 1 时选 {kept}；红色偏置 {fraction(bias)}，界限 {fraction(limit)}")


def parameters_independent_of_length(results: Any) -> Decision:
    """从短输入和长输入最后一步的形状各数一遍参数，都等于记录的个数。"""

    def count(each: Any) -> int:
        size, hidden, outputs = (len(each[name]) for name in ("input", "state", "logits"))
        return size * hidden + hidden * hidden + hidden + hidden * outputs + outputs

    ends = [results["example_11_1"][-1], _rnn(results, RED)["steps"][-1]]
    counts = [results["parameters"]["weights_and_biases"], *map(count, ends)]
    exhibited(ends[0]["t"] != ends[1]["t"])
    return len(set(counts)) == 1, f"读 {ends[0]['t']} 个用 {counts[1]} 个数，读 {ends[1]['t']} 个用 {counts[2]} 个数"


def lengths_are_not_equal(results: Any) -> Decision:
    """短的和长的都读得完，答对的个数不同。"""
    lengths = [len(results["example_11_1"]), len(_rnn(results, RED)["steps"])]
    exhibited(lengths[0] != lengths[1])
    short = sum(answer == wanted for answer, wanted in zip(_short_answers(results), ("red", "blue")))
    long = _rnn(results, RED)["correct"] + _rnn(results, BLUE)["correct"]
    return short != long, f"{lengths[0]} 个 token 答对 {short} 个，{lengths[1]} 个 token 答对 {long} 个"


def carry_over_is_inherited(results: Any) -> Decision:
    """接着第一个测试的状态读，第二个测试的状态里就有留下的数值。"""
    fresh, carried = (results["carry_over"][name]["state"] for name in ("reset", "carried"))
    exhibited(fresh != carried)
    return True, f"清零得 {fractions(fresh)}，接着读得 {fractions(carried)}"


def tokens_are_given(results: Any) -> Decision:
    """表 11.5 第一行：输入由序列给定，同一个 token 从不同的旧状态读，输入也相同；没有这样的两步就判定不了。"""
    steps = _rnn(results, BLUE)["steps"]
    pairs = [(one, two) for i, one in enumerate(steps) for two in steps[:i]
             if one["token_id"] == two["token_id"] and one["previous_state"] != two["previous_state"]]
    late, early = exhibited(pairs)[0]
    olds = " 与 ".join(decimals(each["previous_state"]) for each in (early, late))
    return all(one["input"] == two["input"] for one, two in pairs), f"从 {olds} 读，输入都是 {decimals(late['input'])}"


def states_are_recomputed(results: Any) -> Decision:
    """表 11.5 第二行：普通运行里每次读取都算出状态；训练一步之后，用新权重重算的状态与旧的不同。"""
    run, training = (results["table_11_5"][name] for name in ("inference", "training_step"))
    exhibited(run["state_before"] != run["state_after"] and training["weight_before"] != training["weight_after"])
    return training["states_before"] != training["states_after"], (
        f"训练前 {decimals(training['states_before'])}，训练后 {decimals(training['states_after'])}")


def weights_change_in_training_alone(results: Any) -> Decision:
    """表 11.5 第三行：普通运行前后权重相同，优化器走一步之后不同。"""
    run, training = (results["table_11_5"][name] for name in ("inference", "training_step"))
    exhibited(training["weight_before"] != training["weight_after"])
    return run["weights_before"] == run["weights_after"], (
        f"走一步，权重从 {plain(training['weight_before'])} 到 {plain(training['weight_after'])}")


def target_only_scores(results: Any) -> Decision:
    """表 11.5 第四行：目标是蓝色，照样选了红色；损失却要看目标，末状态与它之差不是零。没有这样的情形就判定不了。"""
    choice, error = _rnn(results, BLUE)["choice"], results["table_11_5"]["training_step"]["error"]
    exhibited(choice != "blue" and error != 0)
    return True, f"目标 blue 时选 {choice}；训练的误差 {plain(error)}"


def third_state_needs_the_second(results: Any) -> Decision:
    """例 11.1 的最后一次读取，旧状态换成零，新状态就不同：h_3 要等 h_2。"""
    third, alone = results["example_11_1"][-1], results["exercise_3"][RED]["state"]
    exhibited(third["token"] == "is")  # 习题 3 从零读的也是它
    return third["state"] != alone, (
        f"旧状态 {decimals(third['previous_state'])} 得 {decimals(third['state'])}，旧状态是零得 {decimals(alone)}")


def boundary_is_a_tie(results: Any) -> Decision:
    """蓝色首次不再胜出的那一步，蓝色坐标恰好等于红色偏置，两个 logits 打平。"""
    edge = known(results["boundary"])
    tie = edge["logits"][RED] == edge["logits"][BLUE] and max(edge["state"]) == edge["red_bias"]
    return tie, f"第 {edge['t']} 次，logits {fractions(edge['logits'])}"


def one_filler_is_enough(results: Any) -> Decision:
    """没有 filler 时蓝色领先，一个就打平，两个则蓝色严格落后。"""
    exercise = results["exercise_1"]
    leads = [trial["logits"][BLUE] - trial["logits"][RED] for trial in exercise["trials"]]
    enough = exercise["fewest_fillers"] == 1 and leads[0] > 0 and leads[1] == 0 and leads[2] < 0
    return enough, f"蓝色领先 {'、'.join(map(fraction, leads))}"


def leading_fillers_are_free(results: Any) -> Decision:
    """线索之前读多少 filler，末状态都一样。"""
    states = [case["state"] for case in results["leading_fillers"]]
    return all(state == states[0] for state in states), "、".join(map(fractions, states))


def halved_after_clue(results: Any) -> Decision:
    """两个长输入里，线索之后每更新一次，坐标恰好减半。"""
    kept = [[max(each["state"]) for each in _rnn(results, color)["steps"]] for color in (RED, BLUE)]
    exhibited(all(largest[0] for largest in kept))
    halved = all(2 * after == before for largest in kept for before, after in zip(largest, largest[1:]))
    return halved, f"蓝色从 {fraction(kept[BLUE][0])} 到 {fraction(kept[BLUE][-1])}，更新 {len(kept[BLUE]) - 1} 次"


def keeping_answers_blue(results: Any) -> Decision:
    """对角元素都是 1 时，长蓝色输入选蓝色。"""
    end = results["exercise_2"]["long_blue"]
    return end["choice"] == "blue", f"logits {fractions(end['logits'])}"


def blues_pile_up(results: Any) -> Decision:
    """对角元素都是 1 时，连读几个 blue，坐标就是几。"""
    piles = [(case["count"], max(case["state"])) for case in results["exercise_2"]["repeated_blue"]]
    shown = "，".join(f"{count} 个得 {fraction(pile)}" for count, pile in piles)
    return all(count == pile for count, pile in piles), shown


def state_changes_weights_do_not(results: Any) -> Decision:
    """例 11.1 里状态变了，权重没有变；两个例子与两个长输入里，输入与旧状态相同时，新状态总相同。"""
    run, steps = results["table_11_5"]["inference"], results["example_11_1"]
    long = [*_rnn(results, RED)["steps"], *_rnn(results, BLUE)["steps"]]
    seen: dict[Any, Any] = {}
    same = all(seen.setdefault((tuple(each["input"]), tuple(each["previous_state"])), each["state"]) == each["state"]
               for each in [*steps, *results["example_11_2"], *long])
    exhibited(steps[0]["state"] != steps[-1]["state"])
    return same and run["weights_before"] == run["weights_after"], (
        f"状态从 {decimals(steps[0]['state'])} 到 {decimals(steps[-1]['state'])}")


def reset_removes_clue(results: Any) -> Decision:
    """每次读取前清零，末状态是零，两种颜色都选红色。"""
    red, blue = results["exercise_3"]
    gone = not any(red["state"]) and not any(blue["state"]) and red["choice"] == blue["choice"] == "red"
    return gone, f"{fractions(red['state'])} 与 {fractions(blue['state'])}，选 {red['choice']} 与 {blue['choice']}"
