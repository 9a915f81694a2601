"""第 11 章要算的全部：例题、表格、边界、习题 1 至 3、怎样修补，按书中的顺序。

算法在 core.py；与字段同名的函数返回那个字段，数仍是数，写进文件时才成文字。
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import core
from chapters.bundle import MOST_FILLERS, Bundle, Case, times_unit
from core import Matrix, Network, Step, Vector, choose, logits, read, relu, step, times
from support import digits

RED, BLUE = 0, 1  # 候选的顺序，也是短输入与长输入的顺序


def results(data: Bundle) -> dict[str, Any]:
    """第 11 章的全部结果。"""
    net, window = data.network, data.window_weight
    example = [recorded(each) for each in read(net, data.short[RED].token_ids)]
    table = [table_row(net, case, window) for case in data.long]
    return {
        "parameters": parameters(net, window),
        "example_11_1": example,
        "example_11_2": [recorded(each) for each in read(net, data.short[BLUE].token_ids)],
        "worked_softmax": worked_softmax(example[-1]),
        "short_windows": [{"color": case.target, "token_ids": case.token_ids, "window": windowed(net, case, window)}
                          for case in data.short],
        "table_11_4": table,
        "table_11_5": table_11_5(data),
        "boundary": boundary(net, table[BLUE]["rnn"]["steps"]),
        "exercise_1": exercise_1(net),
        "exercise_2": exercise_2(net, data.long[BLUE]),
        "exercise_3": exercise_3(net),
        "carry_over": carry_over(net),
        "probe": probe(),
        "relu_example": relu_example(),
        "order": order(net),
        "leading_fillers": leading_fillers(net),
        "binary_float": binary_float(net, data.long[BLUE]),
        "repairs": repairs(net, data.long, table),
    }


# ---------------------------------------------------------------- 例题与表格


def recorded(each: Step) -> dict[str, Any]:
    """一步，加上两个候选的概率。表 11.2、表 11.3。"""
    fields = each._asdict()
    choice = fields.pop("choice")
    return {**fields, "probabilities": digits.probabilities(each.logits), "choice": choice}


def parameters(net: Network, window: Matrix) -> dict[str, Any]:
    """模型的全部数值，以及它们的个数：个数与输入的长短无关。第 11.2 节。"""
    rows = [*net.input_weight, *net.recurrent_weight, net.hidden_bias, *net.output_weight, net.output_bias]
    return {"weights_and_biases": sum(map(len, rows)), "embedding_values": sum(map(len, net.embedding)),
            "embedding": net.embedding, "initial": net.initial, "input_weight": net.input_weight,
            "recurrent_weight": net.recurrent_weight, "hidden_bias": net.hidden_bias,
            "output_weight": net.output_weight, "output_bias": net.output_bias, "window_weight": window}


def worked_softmax(last: dict[str, Any]) -> dict[str, Any] | None:
    """例 11.1 最后一步的 e^z（先红后蓝）与红色的概率；有一个 z 超出 ±100 时不算，那样的六位小数没有意义。"""
    if max(map(abs, last["logits"])) > digits.LARGEST_POWER:
        return None
    powers, _ = digits.exponentials(last["logits"])
    return {"exponential": powers[RED], "second_exponential": powers[BLUE],
            "probability": last["probabilities"][RED]}


def windowed(net: Network, case: Case, window: Matrix) -> dict[str, Any]:
    """窗口基线：末尾几个 token 的嵌入接成一行，乘窗口的权重，经过 ReLU，用同一个输出头。第 11.3 节。"""
    seen = case.token_ids[-len(window) // len(net.embedding[0]) :]
    state = relu(times([number for token_id in seen for number in net.embedding[token_id]], window))
    end = ending(net, state)
    return {"token_ids": seen, "state": state, "logits": end["logits"],
            "probabilities": digits.probabilities(end["logits"]), "choice": end["choice"],
            "correct": end["choice"] == case.target}


def table_row(net: Network, case: Case, window: Matrix) -> dict[str, Any]:
    """表 11.4 的一行：两种方法读同一个长输入。"""
    steps = [recorded(each) for each in read(net, case.token_ids)]
    choice = steps[-1]["choice"]
    return {"color": case.target, "token_ids": case.token_ids, "window": windowed(net, case, window),
            "rnn": {"steps": steps, "updates_after_first": len(steps) - 1, "choice": choice,
                    "correct": choice == case.target}}


def table_11_5(data: Bundle) -> dict[str, Any]:
    """表 11.5 左右两列：读例 11.1 前后的状态与权重；第 12 章的标量路径沿梯度走一步，前后的权重与状态。"""
    net, path = data.network, data.path
    weights_before = [list(row) for row in net.recurrent_weight]
    state_after = read(net, data.short[RED].token_ids)[-1].state
    weight_after = core.updated_weight(path)
    states_before = core.path_states(path, path.weight)
    return {
        "inference": {"state_before": net.initial, "state_after": state_after,
                      "weights_before": weights_before, "weights_after": net.recurrent_weight},
        "training_step": {"weight_before": path.weight, "weight_after": weight_after, "states_before": states_before,
                          "states_after": core.path_states(path, weight_after),
                          "error": states_before[-1] - path.target},
    }


def boundary(net: Network, steps: list[dict[str, Any]]) -> dict[str, Any] | None:
    """长 blue 输入从哪次更新起不再选蓝色；一直选蓝色时没有。第 11.5 节的实践目标。"""
    for each in steps:
        if each["choice"] != "blue":
            return {"t": each["t"], "state": each["state"], "red_bias": net.output_bias[RED],
                    "logits": each["logits"], "choice": each["choice"]}
    return None


# ---------------------------------------------------------------- 习题


def ids(net: Network, text: str) -> list[int]:
    """把空格分开的词换成 ID。"""
    return [net.vocabulary.index(word) for word in text.split()]


def ending(net: Network, state: Vector) -> dict[str, Any]:
    """一个状态经过输出层的结果。"""
    z = logits(net, state)
    return {"state": state, "logits": z, "choice": choose(net.candidates, z)}


def last(net: Network, token_ids: Sequence[int], initial: Vector | None = None) -> dict[str, Any]:
    """读完一串 token 时的状态、logits 与选择。"""
    return ending(net, read(net, token_ids, initial)[-1].state)


def exercise_1(net: Network) -> dict[str, Any]:
    """blue 与 key is 之间插入 0、1、2 个 filler，以及最少几个才选红色；100 个之内没有就是 null。"""
    blue, filler, end = (ids(net, text) for text in ("blue", "filler", "key is"))
    trials = [{"fillers": n, **last(net, blue + filler * n + end)} for n in range(3)]
    clues = read(net, blue + filler * MOST_FILLERS)
    fewest = next((n for n, clue in enumerate(clues) if last(net, end, clue.state)["choice"] == "red"), None)
    return {"trials": trials, "fewest_fillers": fewest}


def retaining(net: Network, r: Fraction) -> Network:
    """把递归矩阵的对角元素都换成 r。"""
    rows = [[r if i == j else number for j, number in enumerate(row)] for i, row in enumerate(net.recurrent_weight)]
    return net._replace(recurrent_weight=rows)


def exercise_2(net: Network, long_blue: Case) -> dict[str, Any]:
    """对角元素都是 1 时的长 blue 输入，以及连读 1、2、4、8 个 blue。"""
    keeping, blue = retaining(net, Fraction(1)), ids(net, "blue")
    kept, given = ([reading.state for reading in read(each, blue * 8)] for each in (keeping, net))
    return {
        "recurrent_diagonal": Fraction(1),
        "long_blue": last(keeping, long_blue.token_ids),
        "repeated_blue": [{"count": n, "state": kept[n - 1], "state_with_given_weights": given[n - 1]}
                          for n in (1, 2, 4, 8)],
    }


def exercise_3(net: Network) -> list[dict[str, Any]]:
    """每读一个 token 前都把状态清零：最后一步的旧状态是零，前面读过什么都不起作用。"""
    zeros = [Fraction(0)] * len(net.initial)
    ends = []
    for color in net.candidates:
        for t, token_id in enumerate(ids(net, f"{color} key is"), start=1):
            end = step(net, t, token_id, zeros)
        ends.append({"color": color, **ending(net, end.state)})
    return ends


# ---------------------------------------------------------------- 正文里的其他说法


def carry_over(net: Network) -> dict[str, Any]:
    """第二个测试从 h_0 读起，与接着第一个测试留下的状态读。第 11.4 节。"""
    first, second = "blue key is", "blue filler key is"
    left = read(net, ids(net, first))[-1].state
    return {"first": first.split(), "second": second.split(), "reset": last(net, ids(net, second)),
            "carried": last(net, ids(net, second), left)}


def probe() -> list[dict[str, Any]]:
    """一个小网络的两步，专为核对而设，书里没有。

    书中的矩阵都对称，数都不是负的：把 W_x 或 W_h 转置，或者漏掉 ReLU，结果看不出来。这里三个矩阵都不对称，
    每个偏置和 h_0 都不是零，第一步有一个坐标被截成零；derive.py 用手算的数与它对照。
    """
    def number(text: str) -> list[Fraction]:
        return [Fraction(word) for word in text.split()]

    net = Network(
        vocabulary=["a", "b"], embedding=[number("1 2"), number("0 1")], initial=number("1 0"),
        input_weight=[number("1 -2"), number("0 1/2")], recurrent_weight=[number("1/2 1"), number("0 1/4")],
        hidden_bias=number("0 -1/2"), output_weight=[number("1 0"), number("1/2 -1")], output_bias=number("1/4 0"),
        candidates=["red", "blue"])
    return [recorded(each) for each in read(net, [0, 1])]


def relu_example() -> dict[str, Any]:
    """[-1, 0.5] 经过 ReLU 得 [0, 0.5]。第 11.2 节。"""
    given = [Fraction(-1), Fraction(1, 2)]
    return {"preactivation": given, "state": relu(given)}


def order(net: Network) -> list[dict[str, Any]]:
    """同样三个 token，先后不同。"""
    return [{"tokens": text.split(), "state": read(net, ids(net, text))[-1].state}
            for text in ("red key is", "key is red")]


def leading_fillers(net: Network) -> list[dict[str, Any]]:
    """线索之前先读几个 filler。解答 1。"""
    filler, clue = ids(net, "filler"), ids(net, "blue key is")
    ends = [(n, read(net, filler * n + clue)[-1]) for n in (0, 1, 6)]
    return [{"fillers": n, "state": end.state, "choice": end.choice} for n, end in ends]


def binary_float(net: Network, long_blue: Case) -> dict[str, Any] | None:
    """长 blue 输入换成二进制浮点数再算一遍，看有没有下溢或舍入。第 11.3 节。

    约定：每个数先舍入成浮点数；每个乘积舍入一次；一个坐标的各项加起来只舍入一次。有一个乘积或和超出浮点数的范围，
    就没有结果（null）。
    """
    try:
        state = [float(number) for number in net.initial]
        for token_id in long_blue.token_ids:
            terms = [(float(a), row) for a, row in zip(net.embedding[token_id], net.input_weight)]
            terms += zip(state, net.recurrent_weight)
            state = [max(0.0, float(sum((Fraction(a * float(row[j])) for a, row in terms), Fraction(float(bias)))))
                     for j, bias in enumerate(net.hidden_bias)]
    except OverflowError:  # 乘积成了无穷大，或者和太大
        return None
    exact = [Fraction(number) for number in state]
    return {"state": exact, "choice": ending(net, exact)["choice"]}


# ---------------------------------------------------------------- 怎样修补


def repairs(net: Network, long: list[Case], table: list[dict[str, Any]]) -> dict[str, Any]:
    """各改一处，长 blue 输入就能答对：保留权重、红色偏置、窗口；table 是表 11.4，现在的 logits 在那里。"""
    red, blue = (line["rnn"]["steps"][-1]["logits"] for line in table[:2])
    return {"retained_weight_above": retained_weight_above(net, long[BLUE].token_ids),
            "red_bias_below": blue[BLUE] - blue[RED] + net.output_bias[RED],
            "red_bias_at_least": red[BLUE] - red[RED] + net.output_bias[RED],
            "window": whole_window(net, long)}


def retained_weight_above(net: Network, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """W_h = r·I 时，r 大于多少蓝色才胜出：r^power > of。

    只有一个线索、其余输入和 h_0、b_h 都是零时，末状态才是“线索的贡献 × r^power”，这时
    z_blue - z_red = r^power·gain + b_blue - b_red；别的情形没有这样一个界限（null）。
    """
    contributions = [times(net.embedding[token_id], net.input_weight) for token_id in token_ids]
    clues = [(t, row) for t, row in enumerate(contributions, start=1) if any(row)]
    if times_unit(net.recurrent_weight) is None or any(net.initial) or any(net.hidden_bias) or (
            len(clues) != 1 or min(clues[0][1]) < 0):
        return None
    t, contribution = clues[0]
    pure = times(contribution, net.output_weight)
    gain, lead = pure[BLUE] - pure[RED], net.output_bias[RED] - net.output_bias[BLUE]
    power = len(token_ids) - t
    if power == 0 or gain <= 0 or lead <= 0:
        return None
    return {"power": power, "of": lead / gain, "decimal": digits.root(lead / gain, power)}


def whole_window(net: Network, long: list[Case]) -> dict[str, Any] | None:
    """把窗口开到整个长输入，权重是一个个叠起来的单位矩阵；宽度不合或长短不一时没有。"""
    tokens, size = len(long[0].token_ids), len(net.initial)
    if size != len(net.embedding[0]) or any(len(case.token_ids) != tokens for case in long):
        return None
    identity = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    cases = [(case.target, windowed(net, case, identity * tokens)) for case in long]
    return {"tokens": tokens, "cases": [{"color": color, "choice": seen["choice"], "correct": seen["correct"]}
                                        for color, seen in cases]}
