"""第 11 至 14 章的算法，按书中的顺序，从上往下读。别的文件只是读数据、拒绝写错的、核对、排版。

    第 11 章    循环：每读一个 token，更新一次状态，给候选打一次分
    第 12 章    末端的误差往回传；门控：旧值留多少，新值写多少
    第 13 章    编码器，以及同一张概率表上的两条时间线
    第 14 章    注意力：读取保存下来的状态

向量是一行数，矩阵是若干行。每个数都是 Fraction（分数），没有一步要舍入；不是有理数的（tanh，2 的分数次方）由
support/digits.py 写成小数，每一位都有证明。权重都由作者给定，这里没有一行会改动它们，只算出该改成多少（例 12.1）。

    python3 code/part-iii/core.py    把下面各处的例子运行一遍
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from support import digits

Vector = Sequence[Fraction]
Matrix = Sequence[Vector]


# ---------------------------------------------------------------- 第 11 章：循环
#
#     h_t = ReLU(x_t·W_x + h_(t-1)·W_h + b_h)        新状态
#     z_t = h_t·W_y + b_y                            logits，每个候选一个；最大的得胜
#
#     t                第几次读取，从 1 数起
#     x_t              这次的输入：读到的 token 在嵌入表里的那一行
#     h_t              读完第 t 个 token 之后的隐藏状态；h_0 是给定的
#     W_x、W_h、W_y    输入权重、递归权重、输出权重
#     b_h、b_y         隐藏层偏置、输出偏置


class Network(NamedTuple):
    """给定的数：一行嵌入 m 个，状态 n 个，候选 k 个。第 11.2 节。"""

    vocabulary: list[str]
    embedding: Matrix  # 每个 token 一行，每行 m 个
    initial: Vector  # h_0，n 个
    input_weight: Matrix  # W_x，m × n
    recurrent_weight: Matrix  # W_h，n × n
    hidden_bias: Vector  # b_h，n 个
    output_weight: Matrix  # W_y，n × k
    output_bias: Vector  # b_y，k 个
    candidates: list[str]  # k 个


class Step(NamedTuple):
    """一次读取：读到什么，从哪个旧状态算起，算出什么，选谁。表 11.2、表 11.3 的一行。"""

    t: int
    token: str
    token_id: int
    input: Vector
    previous_state: Vector
    preactivation: Vector  # ReLU 之前的状态
    state: Vector
    logits: Vector
    choice: str


def dot(left: Vector, right: Vector) -> Fraction:
    """点积：对应坐标逐项相乘，再相加。两边的个数不同就报错（ValueError）。"""
    if len(left) != len(right):
        raise ValueError(f"{len(left)} 个数与 {len(right)} 个数不能逐项相乘")
    return sum((a * b for a, b in zip(left, right)), Fraction(0))


def times(row: Vector, matrix: Matrix) -> list[Fraction]:
    """行向量乘矩阵：n 个数乘 n 行 m 列，得 m 个数，每一个都是这一行与矩阵一列的点积。

    >>> [str(number) for number in times([1, 2], [[1, 0, 3], [0, 1, 4]])]
    ['1', '2', '11']
    """
    return [dot(row, column) for column in zip(*matrix)]


def add(*rows: Vector) -> list[Fraction]:
    """几行同样长的数，逐个坐标相加。"""
    return [sum(numbers, Fraction(0)) for numbers in zip(*rows)]


def relu(row: Vector) -> list[Fraction]:
    """负数换成零，其余不变。"""
    return [max(number, Fraction(0)) for number in row]


def preactivation(net: Network | Encoder, x: Vector, previous_state: Vector) -> list[Fraction]:
    """第一条公式，ReLU 之前：x_t·W_x + h_(t-1)·W_h + b_h。"""
    return add(times(x, net.input_weight), times(previous_state, net.recurrent_weight), net.hidden_bias)


def logits(net: Network, state: Vector) -> list[Fraction]:
    """第二条公式：h_t·W_y + b_y。"""
    return add(times(state, net.output_weight), net.output_bias)


def choose(candidates: Sequence[str], row: Vector) -> str:
    """选数最大的候选；打平时选排在前面的。"""
    return candidates[row.index(max(row))]


def step(net: Network, t: int, token_id: int, previous_state: Vector) -> Step:
    """读一个 token：两条公式各算一次。"""
    x = net.embedding[token_id]
    uncut = preactivation(net, x, previous_state)
    state = relu(uncut)
    z = logits(net, state)
    return Step(t, net.vocabulary[token_id], token_id, x, previous_state, uncut, state, z, choose(net.candidates, z))


def read(net: Network, token_ids: Iterable[int], initial: Vector | None = None) -> list[Step]:
    """从头到尾读一串 token：每一步留下的状态，就是下一步的旧状态。

    不另说明时从 h_0 读起；initial 是上一串留下的状态，两串要接着读时才用（第 11.4 节）。

    >>> one, half, eighth = [[1, 0], [0, 1]], [[Fraction(1, 2), 0], [0, Fraction(1, 2)]], Fraction(1, 8)
    >>> net = Network(["red", "key"], [[1, 0], [0, 0]], [0, 0], one, half, [0, 0], one, [eighth, 0], ["red", "blue"])
    >>> [(each.token, str(each.state[0]), each.choice) for each in read(net, [0, 1, 1])]
    [('red', '1', 'red'), ('key', '1/2', 'red'), ('key', '1/4', 'red')]
    """
    steps, state = list[Step](), net.initial if initial is None else initial
    for t, token_id in enumerate(token_ids, start=1):
        steps.append(step(net, t, token_id, state))
        state = steps[-1].state
    return steps


# ---------------------------------------------------------------- 第 12 章：误差往回传
#
#     h_t = x_t + w·h_(t-1)        L = 1/2·(h_T - y)^2
#
#     ∂L/∂h_T = h_T - y        ∂L/∂h_(t-1) = w·∂L/∂h_t        ∂L/∂w = ∂L/∂h_1·h_0 + … + ∂L/∂h_T·h_(T-1)
#
#     x_t    第 t 次读取的输入，一个数          w    递归权重，一个数，每次读取都用它
#     h_t    第 t 次读取之后的状态，一个数      y    目标


class ScalarPath(NamedTuple):
    """一串输入和它要达到的目标。例 12.1。"""

    inputs: Vector
    initial: Fraction
    weight: Fraction
    target: Fraction
    learning_rate: Fraction


def path_states(path: ScalarPath, w: Fraction) -> list[Fraction]:
    """h_1 到 h_T。

    >>> path = ScalarPath([1, 0, 0], 0, Fraction(1, 2), 1, Fraction(1, 10))
    >>> [str(number) for number in path_states(path, path.weight)]
    ['1', '1/2', '1/4']
    """
    state, reached = path.initial, []
    for x in path.inputs:
        state = x + w * state
        reached.append(state)
    return reached


def path_loss(path: ScalarPath, w: Fraction) -> Fraction:
    """损失：末状态与目标之差，平方再乘二分之一。"""
    return (path_states(path, w)[-1] - path.target) ** 2 / 2


def state_gradients(path: ScalarPath, w: Fraction) -> list[Fraction]:
    """∂L/∂h_1 到 ∂L/∂h_T：末端是误差本身，往前每一步乘一次 w。"""
    gradients = [path_states(path, w)[-1] - path.target]
    while len(gradients) < len(path.inputs):
        gradients.append(w * gradients[-1])
    return gradients[::-1]


def weight_contributions(path: ScalarPath, w: Fraction) -> list[Fraction]:
    """同一个 w 每用一次，对 ∂L/∂w 就有一份贡献 ∂L/∂h_t·h_(t-1)；加起来才是梯度。表 12.1 的最后一列。"""
    previous_states = [path.initial, *path_states(path, w)[:-1]]
    return [gradient * state for gradient, state in zip(state_gradients(path, w), previous_states)]


def updated_weight(path: ScalarPath) -> Fraction:
    """沿梯度走一步：w - 学习率 × ∂L/∂w。

    >>> str(updated_weight(ScalarPath([1, 0, 0], 0, Fraction(1, 2), 1, Fraction(1, 10))))
    '23/40'
    """
    return path.weight - path.learning_rate * sum(weight_contributions(path, path.weight))


# ---------------------------------------------------------------- 第 12 章：门控
#
#     LSTM    c_t = f·c_(t-1) + i·g                h_t = o·tanh(c_t)
#     GRU     g = tanh(x + u·(r·h_(t-1)))          h_t = z·h_(t-1) + (1 - z)·g
#
#     f、i、o    遗忘门、输入门、输出门          z    更新门：越大，旧状态留得越多
#     g          候选值                          r    重置门：只管候选值看到多少旧状态
#     c、h       单元值、隐藏值                  x    候选值的输入；u 是它的递归权重


class Lstm(NamedTuple):
    """给定的单元值、门值与候选值，各是一个数。例 12.3。"""

    previous_cell: Fraction
    forget: Fraction
    input: Fraction
    candidate: Fraction
    output: Fraction


class Cell(NamedTuple):
    """LSTM 走一步：留下的旧值、写入的新值、单元值、向外提供的隐藏值（六位小数）。"""

    kept: Fraction
    written: Fraction
    cell: Fraction
    hidden: Decimal


def lstm(given: Lstm) -> Cell:
    """留下一部分旧值，再加入选中的更新。

    >>> str(lstm(Lstm(*map(Fraction, ("0.8", "0.9", "0.2", "0.5", "0.75")))).hidden)
    '0.506302'
    """
    kept, written = given.forget * given.previous_cell, given.input * given.candidate
    cell = kept + written
    return Cell(kept, written, cell, digits.tanh(cell, scale=given.output))


class Gru(NamedTuple):
    """给定的隐藏值、门值与候选值的两个权重，各是一个数。例 12.4。"""

    previous_hidden: Fraction
    update_retains_old: Fraction
    reset: Fraction
    candidate_input: Fraction
    candidate_recurrent_weight: Fraction


class Mixed(NamedTuple):
    """GRU 走一步：候选分支看到的旧状态、候选值、直接留下的旧状态、新的隐藏值（后者与候选值是六位小数）。"""

    reset_state: Fraction
    candidate: Decimal
    kept: Fraction
    hidden: Decimal


def gru(given: Gru) -> Mixed:
    """重置门只改候选分支，更新门把旧状态与候选值混合。

    >>> str(gru(Gru(*map(Fraction, ("0.8", "0.9", "0.25", "0", "1")))).hidden)
    '0.739738'
    """
    reset_state, kept = given.reset * given.previous_hidden, given.update_retains_old * given.previous_hidden
    inside = given.candidate_input + given.candidate_recurrent_weight * reset_state
    return Mixed(reset_state, digits.tanh(inside), kept,
                 digits.tanh(inside, scale=1 - given.update_retains_old, shift=kept))


# ---------------------------------------------------------------- 第 13 章：编码器与两条时间线
#
#     h_j = ReLU(x_j·W_x + h_(j-1)·W_h + b_h)        编码器，与第 11 章同一条公式；j 数源序列的位置
#
#     教师强制    每一步的输入是正确目标的前一个词，第一步是 BOS
#     自己生成    每一步的输入是自己上一步选中的词，选到 EOS 或到了次数上限就停
#
# 嵌入、偏置和状态都以 a = ln 2 为单位，所以仍是分数：1 就是 a。
START, END = "BOS", "EOS"


class Encoder(NamedTuple):
    """给定的数，写法同 Network。例 13.1。"""

    vocabulary: list[str]
    embedding: Matrix
    initial: Vector
    input_weight: Matrix
    recurrent_weight: Matrix
    hidden_bias: Vector


class Reading(NamedTuple):
    """编码器读一个词。表 13.2 的一格。"""

    t: int
    token: str
    token_id: int
    input: Vector
    previous_state: Vector
    preactivation: Vector
    state: Vector


def encode(encoder: Encoder, token_ids: Sequence[int]) -> list[Reading]:
    """从头读到尾，每一步的状态都留着：最后一个是上下文向量，第 14 章则全都要用。"""
    readings, state = list[Reading](), encoder.initial
    for t, token_id in enumerate(token_ids, start=1):
        x = encoder.embedding[token_id]
        uncut = preactivation(encoder, x, state)
        readings.append(Reading(t, encoder.vocabulary[token_id], token_id, x, state, uncut, relu(uncut)))
        state = readings[-1].state
    return readings


Rows = Mapping[str, Vector]  # 前一个词 → 每个候选的概率


def chances(rows: Rows, word: str, candidates: Sequence[str]) -> Vector:
    """概率表的一行；不是每个候选一个概率、没有负数、和是 1，就报错（ValueError）。"""
    row, many = rows[word], len(candidates)
    if len(row) != many or min(row) < 0 or sum(row) != 1:
        raise digits.Undefined(f"{word} 一行应是 {many} 个不是负数的概率，和是 1；有 {len(row)} 个，和 {sum(row)}")
    return row


class Target(NamedTuple):
    """教师强制的一步。表 13.3 与例 13.2。"""

    t: int
    prefix: list[str]
    input: str
    target: str
    probability: Fraction
    greedy: str  # 这一步概率最大的词，不会成为下一步的输入


def teacher_forced(rows: Rows, candidates: Sequence[str], target: Sequence[str]) -> list[Target]:
    """目标右移一位：BOS 作第一步的输入，EOS 是最后一步的目标。"""
    steps = []
    for t, (word, wanted) in enumerate(zip([START, *target[:-1]], target), start=1):
        row, place = chances(rows, word, candidates), candidates.index(wanted)
        steps.append(Target(t, list(target[: t - 1]), word, wanted, row[place], choose(candidates, row)))
    return steps


class Choice(NamedTuple):
    """自己生成的一步。表 13.5。"""

    t: int
    input: str
    probability: Fraction
    output: str


def generate(rows: Rows, candidates: Sequence[str], limit: int) -> tuple[list[Choice], str]:
    """从 BOS 起，把选中的词送进下一步；返回各步，以及停在 end（选到 EOS）还是 limit（到了上限）。

    >>> one, nothing = Fraction(1), Fraction(0)
    >>> steps, stopped = generate({"BOS": [one, nothing], "red": [nothing, one]}, ["red", "EOS"], 8)
    >>> [each.output for each in steps], stopped
    (['red', 'EOS'], 'end')
    """
    word, choices = START, list[Choice]()
    for t in range(1, limit + 1):
        row = chances(rows, word, candidates)
        choices.append(Choice(t, word, max(row), choose(candidates, row)))
        word = choices[-1].output
        if word == END:
            return choices, "end"
    return choices, "limit"


# ---------------------------------------------------------------- 第 14 章：注意力
#
#     e_j = q·h_j        w_j = exp(e_j) / (exp(e_1) + … + exp(e_n))        c = w_1·h_1 + … + w_n·h_n
#
#     q    查询        h_j    第 j 个源位置的状态，j 从 1 数起        e    分数，点积，不缩放
#     w    权重        c      上下文向量；读数是它的各个坐标乘上系数再相加
#
# 状态以 a = ln 2 为单位，所以分数也是，而 exp(e·a) = 2^e。分数之差都是整数时，权重是有理数；否则只有小数。
LARGEST_SCORE = 1000  # 2 的这么多次方还写得下


class Read(NamedTuple):
    """一次读取：每个位置一个分数、指数值、权重；精确的数不是分数时是 None，小数总有。表 14.1 与例 14.1。"""

    query: Vector
    scores: list[Fraction | None]
    exponentials: list[Fraction | None] | None
    exponential_sum: Fraction | None
    weights: list[Fraction] | None
    weights_decimal: list[Decimal]
    context: list[Fraction] | None  # 以 a 为单位，读数也是
    context_decimal: list[Decimal]
    readout: Fraction | None
    readout_decimal: Decimal


def powers_of_two(exponents: Vector) -> list[Fraction] | None:
    """2 的这些次方；有一个指数不是整数，就没有（None）。"""
    return [Fraction(2) ** int(e) for e in exponents] if all(e.denominator == 1 for e in exponents) else None


def shares(parts: list[Fraction] | None) -> list[Fraction] | None:
    """各占总量的几分之几。"""
    total = sum(parts or [])
    return parts and [part / total for part in parts]


def attend(query: Vector, states: Sequence[Vector], readout: Vector, removed: int | None = None) -> Read:
    """读取一次。removed 是被移除的位置：它不在分数里，也不在分母里，权重是零。

    没有这个位置、一个位置也不剩、宽度不合、分数超出 ±1000·a，都报错（ValueError）。

    >>> one, nothing = Fraction(1), Fraction(0)
    >>> read = attend([one, nothing], [[one, nothing], [nothing, one], [nothing, nothing]], [one, 2 * one])
    >>> [str(weight) for weight in read.weights], [str(number) for number in read.context_decimal]
    (['1/2', '1/4', '1/4'], ['0.346574', '0.173287'])
    """
    if removed is not None and not 1 <= removed <= len(states):
        raise ValueError(f"位置从 1 数到 {len(states)}，没有位置 {removed}")
    kept = [state for j, state in enumerate(states, start=1) if j != removed]
    if not kept:
        raise digits.Undefined("一个位置也没有：没有正的总量可以归一，读取没有定义")
    scores = [dot(query, state) for state in kept]  # e_j
    if max(map(abs, scores)) > LARGEST_SCORE:
        raise digits.Undefined(f"有一个分数超出 ±{LARGEST_SCORE}·ln 2，2 的这么多次方写不下")
    highest = max(scores)
    depths = [score - highest for score in scores]  # 各减去最大的，权重不变
    weights = shares(powers_of_two(depths))  # w_j
    context = weights and [dot(weights, column) for column in zip(*kept)]  # c

    # 小数：2 的各次方乘上系数之和，除以 2 的各次方之和。
    values = [dot(state, readout) for state in kept]
    below = [(depth, Fraction(1)) for depth in depths]
    above = [list(zip(depths, column)) for column in (*zip(*kept), values)]
    *context_decimal, readout_decimal = digits.power_quotients(above, below, times_ln2=True)
    weights_decimal = digits.power_quotients([[one] for one in below], below)

    def placed(numbers: Any, nothing: Any) -> Any:
        """每个位置一个；被移除的位置上另放一个。"""
        return numbers and (numbers if removed is None else [*numbers[: removed - 1], nothing, *numbers[removed - 1 :]])

    powers = powers_of_two(scores)
    return Read(query, placed(scores, None), placed(powers, None), None if powers is None else sum(powers, Fraction(0)),
                placed(weights, Fraction(0)), placed(weights_decimal, digits.rounded(Fraction(0))), context,
                context_decimal, None if context is None else dot(context, readout), readout_decimal)


if __name__ == "__main__":
    import doctest

    failed, tried = doctest.testmod()
    raise SystemExit(f"{failed} 个例子不对" if failed else print(f"{tried} 个例子都对"))
