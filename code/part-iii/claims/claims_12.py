"""第 12 章的论断，各由已经算出的数值判定；写法同 claims_11.py。"""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from support.spelling import decimals, plain
from support.verdicts import Decision, exhibited, known


def small_change_gives_the_error(results: Any) -> Decision:
    """末状态改变 δ，损失改变 error·δ + 1/2·δ²：一次项的系数就是误差。"""
    change, error = results["example_12_1"]["loss_change"], results["example_12_1"]["error"]
    linear, quadratic = change["linear"], change["quadratic"]
    return linear == error and 2 * quadratic == 1, f"{plain(linear)}·δ + {plain(quadratic)}·δ^2，误差 {plain(error)}"


def each_step_back_multiplies(results: Any) -> Decision:
    """每往回走一步，损失的变化率乘一次 w。"""
    gradients, w = results["example_12_1"]["state_gradients"], results["parameters"]["weight"]
    same = all(earlier == w * later for earlier, later in zip(gradients, gradients[1:]))
    return same, f"{decimals(gradients)}，w = {plain(w)}"


def contributions_are_summed(results: Any) -> Decision:
    """共享权重的梯度是各次贡献之和，不是平均：与不用反向传播的中心差分比，离和近，离平均远。

    差分的误差够得到和与平均的中间，它就分不出二者，判定不了。
    """
    gradient, contributions = (results["example_12_1"][name] for name in ("weight_gradient", "weight_contributions"))
    slope, error = (results["central_difference"][name] for name in ("slope", "error"))
    average = gradient / len(contributions)
    exhibited(2 * abs(error) < abs(gradient - average))
    nearer = abs(slope - gradient) < abs(slope - average)
    return sum(contributions) == gradient and nearer, (
        f"和 {plain(gradient)}，平均 {plain(average)}，中心差分 {plain(slope)}")


def two_other_ways(results: Any) -> Decision:
    """多项式的导数与梯度相等；它是 w 的四次式，中心差分多出的恰好是 2w·e²。"""
    closed = known(results["polynomial"])["derivative"]
    w, difference = results["parameters"]["weight"], results["central_difference"]
    gradient = results["example_12_1"]["weight_gradient"]
    predicted = difference["error"] == 2 * w * difference["step"] ** 2
    return gradient == closed and predicted, (
        f"反传 {plain(gradient)}，多项式 {plain(closed)}，差分误差 {plain(difference['error'])}")


def loss_goes_down(results: Any) -> Decision:
    """沿梯度走一步，损失变小；一步也没有走，就判定不了。"""
    exhibited(results["example_12_1"]["updated_weight"] != results["parameters"]["weight"])
    before, after = results["example_12_1"]["loss"], results["example_12_1"]["updated_loss"]
    return after < before, f"{plain(before)} 到 {plain(after)}"


def old_states_are_stale(results: Any) -> Decision:
    """用新权重重算，状态与旧的不同，不能接着用旧的。"""
    pairs = list(zip(results["example_12_1"]["states"], results["example_12_1"]["updated_states"]))
    old, new = known(next((pair for pair in reversed(pairs) if pair[0] != pair[1]), None))
    return True, f"旧的 {plain(old)}，重算的 {plain(new)}"


def same_rule_shrinks_and_grows(results: Any) -> Decision:
    """同样是反复相乘，因子不同，一个衰减，一个放大。"""
    end = max(results["table_12_2"], key=lambda each: each["distance"])
    exhibited(end["distance"])
    return end["half"] < 1 < end["three_halves"], f"{plain(end['half'])} 与 {plain(end['three_halves'])}"


def distance_zero_is_one(results: Any) -> Decision:
    """距离为零，还没有乘过，乘数是一；表里没有距离零就判定不了。"""
    rows = [each for each in results["table_12_2"] if each["distance"] == 0]
    first = exhibited(rows)[0]
    return first["half"] == first["three_halves"] == 1, f"{plain(first['half'])} 与 {plain(first['three_halves'])}"


def neither_zero_nor_infinite(results: Any) -> Decision:
    """越远，一列越来越小而大于零，一列越来越大而有限。"""
    rows = sorted(results["table_12_2"], key=lambda each: each["distance"])
    pairs = list(zip(rows, rows[1:]))
    shrink = all(0 < later["half"] <= earlier["half"] for earlier, later in pairs)
    grow = all(later["three_halves"] >= earlier["three_halves"] for earlier, later in pairs)
    last = rows[-1]
    exhibited(rows[0]["distance"] < last["distance"])
    return shrink and grow, f"距离 {last['distance']}：{plain(last['half'])} 与 {plain(last['three_halves'])}"


def tanh_slope_depends_on_place(results: Any) -> Decision:
    """tanh 的变化率，2 处不到 0 处的十分之一。"""
    zero, two = (each["slope"] for each in results["tanh"])
    return 10 * two < zero, f"{zero} 与 {two}"


def truncated_bptt(results: Any) -> Decision:
    """例 12.1 在第 2 次读取之后截断，梯度与完整的不同；切掉的贡献恰好抵消，就判定不了。"""
    cut = known(results["exercise_3"])
    exhibited(cut["truncated_gradient"] != cut["weight_gradient"])
    return True, f"截断得 {plain(cut['truncated_gradient'])}，完整的 {plain(cut['weight_gradient'])}"


def gates_need_not_sum_to_one(results: Any) -> Decision:
    """例 12.3 的遗忘门与输入门之和不是一。"""
    gates = results["parameters"]["lstm"]
    total = gates["forget"] + gates["input"]
    exhibited(total != 1)
    return True, f"{plain(gates['forget'])} + {plain(gates['input'])} = {plain(total)}"


def cell_can_leave_the_interval(results: Any) -> Decision:
    """给定的门反复写入同一个候选值 0.9，单元值越过 1 或 -1。"""
    repeated = results["repeated_cell"]
    cell = known(repeated["cell"])
    return abs(cell) > 1, f"候选值 {plain(repeated['candidate'])}，第 {repeated['steps']} 步到 {plain(cell)}"


def reset_does_not_erase(results: Any) -> Decision:
    """两个重置门值，候选分支看到的旧状态不同，直接留下的一份相同；二者本来就一样，或没有留下，就判定不了。"""
    mixed, shut = (results[name] for name in ("example_12_4", "reset_to_zero"))
    exhibited(mixed["kept"] and mixed["reset_state"] != shut["reset_state"])
    return mixed["kept"] == shut["kept"], (
        f"候选分支看到 {plain(mixed['reset_state'])} 或 {plain(shut['reset_state'])}，都留下 {plain(mixed['kept'])}")


def larger_gate_keeps_more(results: Any) -> Decision:
    """更新门从例 12.4 的值加大到 1，直接留下的旧状态就多了；门已经是 1，或旧状态是零，就判定不了。"""
    gates, full = results["parameters"]["gru"], results["exercise_5"]
    less, more = gates["update_retains_old"], full["given"]["update_retains_old"]
    exhibited(less < more and gates["previous_hidden"])
    kept = results["example_12_4"]["kept"]
    return abs(kept) < abs(full["hidden"]), (
        f"门 {plain(less)} 留下 {plain(kept)}，门 {plain(more)} 留下 {plain(full['hidden'])}")


def gates_multiply_too(results: Any) -> Decision:
    """门值接近一也仍在连乘：0.9 的 8 次方、0.99 的 100 次方都小于一，而每步减半剩得更少。"""
    kept = results["retention"]
    exhibited(all(2 * each["factor"] > 1 > each["factor"] for each in kept))
    halved = [Fraction(1, 2) ** each["edges"] for each in kept]
    shown = "，".join(f"{each['edges']} 条边剩 {each['decimal']}，减半剩 {plain(half, 10, 2)}"
                     for each, half in zip(kept, halved))
    return all(half < each["exact"] < 1 for each, half in zip(kept, halved)), shown


def last_use_is_not_enough(results: Any) -> Decision:
    """只看最后一次乘法，漏掉了前面的贡献。"""
    exercise = results["exercise_2"]
    missing = exercise["missing"]
    exhibited(missing)
    return exercise["reported"] + missing == exercise["weight_gradient"], (
        f"报告 {plain(exercise['reported'])}，漏掉 {plain(missing)}")


def exercise_12_3(results: Any) -> Decision:
    """截断之后，状态不是零，值传得过去；梯度里没有截断之前各步的贡献。"""
    cut, contributions = known(results["exercise_3"]), results["example_12_1"]["weight_contributions"]
    exhibited(cut["carried"] and any(contributions[: cut["cut_after"]]))
    return cut["truncated_gradient"] == sum(contributions[cut["cut_after"] :]), (
        f"传过去 {plain(cut['carried'])}，没有传回 {decimals(contributions[: cut['cut_after']])}")


def output_gate_leaves_the_cell(results: Any) -> Decision:
    """输出门改为零，隐藏值是零，单元值不变。"""
    cell = results["exercise_4"]
    apart = cell["hidden_when_closed"] == 0 != cell["cell"] and cell["cell_when_closed"] == cell["cell"]
    return apart, f"隐藏值 {cell['hidden_when_closed']}，单元值 {plain(cell['cell_when_closed'])}"


def full_update_ignores_the_candidate(results: Any) -> Decision:
    """更新门为 1，候选值不起作用，隐藏值就是旧状态。"""
    hidden = results["exercise_5"]["hidden"]
    return hidden == results["parameters"]["gru"]["previous_hidden"], f"隐藏值 {plain(hidden)}"


def reset_only_moves_the_candidate(results: Any) -> Decision:
    """重置门为 0，候选值变了，直接留下的旧状态没有变；候选值本来就用不到旧状态时，判定不了。"""
    gates, shut = results["parameters"]["gru"], results["exercise_5"]
    candidates = results["example_12_4"]["candidate"], shut["candidate"]
    exhibited(candidates[0] != candidates[1])
    return shut["hidden"] == gates["previous_hidden"], (
        f"候选值从 {candidates[0]} 变成 {candidates[1]}，旧状态仍留下 {plain(shut['hidden'])}")


def other_update_convention(results: Any) -> Decision:
    """更新门为 1，换成互补的约定就全取候选值，隐藏值不同；候选值恰好是旧状态，就判定不了。"""
    shut = results["exercise_5"]
    exhibited(shut["complementary"] != shut["hidden"])
    return True, f"这里的约定得 {plain(shut['hidden'])}，互补的得 {shut['complementary']}"
