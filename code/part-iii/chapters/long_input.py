"""长输入的快算法：与 core.py 算的是同一件事，只是把分数换成同一个分母上的整数。

分数每做一次加法都要约分，状态越长越慢；整数只要乘和加，显示时才化成最简分数。

设 W_h 的元素都是 1/L 的整数倍，x·W_x + b_h 和 h_0 的元素都是 1/C 的整数倍，那么读完 t 个 token 的状态是 1/(C·L^t)
的整数倍。两边同乘 C·L^t，递归就成了整数的递归：

    n_t = ReLU(n_(t-1)·A + C·(x·W_x + b_h)·L^t)        A = L·W_h，n_t = C·L^t·h_t

logits 再乘上输出层的公分母 M，比较大小不必除。状态全是零时，它又是 1/C 的整数倍，指数从头数起。
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from core import Matrix, Network, Step, Vector, add, times


class Update(NamedTuple):
    """一步，写成整数。除以 C·power 就是 ReLU 之前与之后的状态；旧状态除以 C·old_power，logits 再除以 M。"""

    t: int
    token_id: int
    previous: list[int]
    old_power: int
    preactivation: list[int]
    state: list[int]
    power: int
    logits: list[int]

    @property
    def choice(self) -> int:
        """得胜的候选在列表里的位置。"""
        return self.logits.index(max(self.logits))


class Integers:
    """一个网络的整数写法；reset 为真时，每次读取前都把状态清零（习题 3）。"""

    def __init__(self, net: Network, reset: bool = False) -> None:
        self.net, self.reset = net, reset
        drive = [add(times(x, net.input_weight), net.hidden_bias) for x in net.embedding]
        self.base = common_denominator([*drive, net.initial])
        self.drive = [whole(row, self.base) for row in drive]
        self.growth = 1 if reset else common_denominator(net.recurrent_weight)
        self.recurrent = _columns(net.recurrent_weight, self.growth)
        self.head_scale = common_denominator([*net.output_weight, net.output_bias])
        self.head = _columns(net.output_weight, self.head_scale)
        self.bias = [number * self.base for number in whole(net.output_bias, self.head_scale)]

    def start(self) -> Update:
        """还没有读 token 时的状态 h_0。"""
        state = whole(self.net.initial, self.base)
        return Update(0, -1, state, 1, state, state, 1, [])

    def read(self, last: Update, token_id: int) -> Update:
        """从上一步留下的状态起，再读一个 token。"""
        previous = [0] * len(last.state) if self.reset else last.state
        power = last.power * self.growth if any(previous) else 1
        preactivation = [sum([previous[j] * a for j, a in column]) + (d * power if d else 0)
                         for column, d in zip(self.recurrent, self.drive[token_id])]
        state = [number if number > 0 else 0 for number in preactivation]
        logits = [sum([state[j] * a for j, a in column]) + (b * power if b else 0)
                  for column, b in zip(self.head, self.bias)]
        return Update(last.t + 1, token_id, previous, last.power, preactivation, state, power, logits)

    def step(self, update: Update) -> Step:
        """化成最简分数，就是 core.step 给出的一步。"""
        net, token_id, scale = self.net, update.token_id, self.base * update.power

        def divided(numbers: list[int], scale: int) -> list[Fraction]:
            return [Fraction(number, scale) for number in numbers]

        return Step(update.t, net.vocabulary[token_id], token_id, net.embedding[token_id],
                    divided(update.previous, self.base * update.old_power), divided(update.preactivation, scale),
                    divided(update.state, scale), divided(update.logits, scale * self.head_scale),
                    net.candidates[update.choice])


def updates(integers: Integers, token_ids: Iterable[int]) -> Iterator[Update]:
    """逐个读下去。"""
    update = integers.start()
    for token_id in token_ids:
        update = integers.read(update, token_id)
        yield update


def common_denominator(rows: Iterable[Iterable[Fraction]]) -> int:
    """所有分母的最小公倍数。"""
    return lcm(*(number.denominator for row in rows for number in row))


def whole(row: Vector, scale: int) -> list[int]:
    """一行数乘上公分母，都成整数。"""
    return [number.numerator * (scale // number.denominator) for number in row]


def _columns(matrix: Matrix, scale: int) -> list[list[tuple[int, int]]]:
    """矩阵乘上公分母之后的各列，只记不为零的元素：（行号，整数）。"""
    return [[(i, a) for i, a in enumerate(whole(column, scale)) if a] for column in zip(*matrix)]
