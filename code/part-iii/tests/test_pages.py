"""What a reader lays beside the book: the four pages, the arithmetic written out, and the options that print them."""
from __future__ import annotations

import contextlib
import io
import random
import re
import unittest
from decimal import Context, Decimal
from fractions import Fraction
from importlib import import_module
from math import prod
from typing import Any, NamedTuple
from unittest import mock

import core
import run
from chapters import by_hand
from chapters.bundle import Case
from claims import judging
from support import command, digits, spelling
from support.command import located
from support.show import columns
from tests.at_random import random_bundle
from tests.beside_the_book import CERTAIN, HALF, NOTHING, ONE, changed
from tests.both_ways import stepped
from tests.shared import at, computed, data, loaded, random_network, with_value

CHAPTERS = ("11", "12", "13", "14")


def page(number: str, everything: bool = True, **changes: Any) -> str:
    """Return a page of the book's data, or of data changed in places, with its runs of spaces as one."""
    given = data()._replace(**changes)
    results = computed() if not changes else {
        "chapter_13": stepped(given, 13), f"chapter_{number}": stepped(given, int(number))}
    return " ".join("\n".join(run.page(given, results, number, everything)).split())


def kept(number: Fraction) -> dict[str, Any]:
    """Return chapter 11's data with another share of the state that a token leaves."""
    return changed("network", recurrent_weight=[[number, NOTHING], [NOTHING, number]])


# States with the first coordinates 1, 3, 1: half of them are scores that differ by whole numbers and are not whole.
ODD = {**changed("translation", encoder=data().translation.encoder._replace(
    embedding=[[Fraction(n), NOTHING] for n in (1, 0, 3, 1)], recurrent_weight=[[NOTHING] * 2] * 2)),
       **changed("attention", queries=[[HALF, NOTHING], [NOTHING, ONE]])}
# A chapter, what is changed of the book's data, and what its page says then.
ELSEWHERE: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("11", {}, ("至少 1 个就会选红色", "logit 1/8 与红色的打平，选排在前面的红色", "没有变成零：1/256 < 1/8",
                "分毫不差，选红色")),
    # A tenth is no binary fraction, and less than 1/8; a tenth of nothing is left of 1/256.
    ("11", kept(Fraction(1, 10)), ("从第 2 次更新起", "蓝色的 logit 1/10 小于红色的 1/8", "分数算的不同，选红色",
                                   "旧数值乘 0.1")),
    ("11", kept(NOTHING), ("最大的坐标是零：剩 0", "小于 0；长 red 输入要仍选红色，则不小于 0，没有这样的偏置")),
    ("11", kept(ONE), ("蓝色一直胜出", "插到 100 个也不选红色", "这份数据里没有这样的情形")),
    ("11", changed("network", output_bias=[Fraction(1, 256), NOTHING]), ("没有变成零：剩 1/256",)),
    ("11", changed("network", output_bias=[HALF / 2, NOTHING]), ("一个也不插入就选红色",)),  # blue key is leaves 1/4
    ("11", changed("network", hidden_bias=[ONE, NOTHING]), ("输入乘 W_x，旧数值乘 W_h，加 b_h",)),
    ("11", changed("network", input_weight=[[NOTHING, ONE], [ONE, NOTHING]]), ("输入乘 W_x，旧数值乘 W_h，加 b_h",)),
    ("11", changed("network", recurrent_weight=[[HALF, NOTHING], [HALF, HALF]]), ("输入乘 W_x，旧数值乘 W_h，加 b_h",)),
    ("11", changed("network", output_bias=[Fraction(101), NOTHING]), ("蓝色 1/256 + 0 = 1/256 = 0.00390625 窗口读",)),
    # Blue comes again at the end; e^-50 has no digit among eight decimals.
    ("11", {"long": [data().long[0], Case([1, 2, 2, 2, 2, 3, 1], "blue")]}, ("第 4 次更新，蓝色头一回没有胜出",)),
    ("11", changed("network", output_bias=[Fraction(-50), Fraction(-101, 2)]), (
        "p_3(red) ≈ 0.679179", "红色 1/256 + (-50) = -12799/256")),
    ("11", {"window_weight": [[NOTHING] * 3] * 4, **changed(
        "network", input_weight=[[ONE, NOTHING, NOTHING], [NOTHING, ONE, NOTHING]], initial=[NOTHING] * 3, hidden_bias=[
            NOTHING] * 3, recurrent_weight=[[NOTHING] * 3] * 3, output_weight=[[ONE, ONE]] * 3)},
     ("输入乘 W_x，旧数值乘 W_h，加 b_h",)),
    ("12", changed("gru", update_retains_old=NOTHING, reset=NOTHING), ("h_t = 0 + 1 × 0.00000000 ≈ 0.000000",)),
    ("12", changed("lstm", forget=Fraction(1, 3)), ("(1/3)^8 = 1/6561", "趋于 0.1 ÷ (1 - 1/3) = 0.15")),
    ("12", changed("lstm", forget=ONE), (
        "≈ 0.537223 书里没有问：候选值换成 0.9，从 0.8 起第 2 步单元值到 1.16，在 -1 与 1 之外", "1^8 = 1")),
    ("12", changed("lstm", input=NOTHING), ("趋于 0 ÷ (1 - 0.9) = 0，",)),
    ("12", changed("path", inputs=[ONE]), ("dL/dw = 0 = 0 中心差分",)),
    ("12", changed("gru", candidate_input=ONE, candidate_recurrent_weight=-ONE), (
        "tanh(1 + (-1) × 0.2) ≈ 0.664037", "互补的约定，更新门为 1 就全取候选值：h_t ≈ 0.76159416")),
    ("13", {}, ("第 2 次读取之后两条路径第一次相同：[0, a]", "选到 EOS，停止。 书里没有算：只许预测两次",
                "第一次预测错误：第 1 步；第一次输入不同：第 2 步")),
    ("13", changed("translation", limit=3), ("到了上限，停止。 书里没有算",)),
    ("13", changed("translation", contrast=[2, 2, 2]), ("两条路径始终不同", "对照序列第 1 步：[0, 0] + [-a, a]")),
    ("13", changed("translation", source=[0, 3]), ("2：句号 [a, 0] + [0, -a] [a, 0] [0, a] 3：句号 [0, 0]",)),
    ("13", changed("translation", encoder=data().translation.encoder._replace(hidden_bias=[ONE, NOTHING])), (
        "新状态 = ReLU(旧状态·W_h + 输入·W_x + b_h)",)),
    ("13", changed("translation", rows=CERTAIN), (
        "第一次预测错误：没有；第一次输入不同：没有", "1 × 1 × 1 × 1 = 1",
        "-ln 1 - ln 1 - ln 1 - ln 1 ≈ 0 + 0 + 0 + 0 ≈ 0.000000 nat")),
    ("13", changed("translation", target=["door", "EOS"]), ("概率 0 × 0.1 = 0 概率是零，损失是无穷大。",
                                                            "不计 EOS 概率是零，损失是无穷大。")),
    # Scores of 1/2, 0, 0 in units of ln 2 have the shares √2, 1, 1.
    ("14", changed("attention", queries=[[HALF, NOTHING], [NOTHING, ONE]]), (
        "1：颜色 [a, 0] 0.5×a + 0×0 = a/2 不是有理数 0.414214", "读数 ≈ 0.693147")),
    ("14", ODD, ("不删除 [1/4, 1/2, 1/4]", "1：颜色 [a, 0] 0.5×a + 0×0 = a/2 不是有理数 0.250000")),
    # Scores of -1, -1, 0: the powers 1/2, 1/2, 1 add up to 2, their thirds to 2/3.
    ("14", changed("attention", queries=[[-ONE, -ONE], [NOTHING, ONE]]), ("[1/6, 1/6, 1/3]，和是 2/3，不是概率分布",)),
]


# What a page shows under another name, or leaves to the book's own words.
UNSEEN = {
    "11": """example_11_1/#/token_id example_11_2/#/token_id example_11_2/#/input/#
             table_11_4/#/rnn/steps/#/token_id table_11_4/#/rnn/steps/#/input/#
             worked_softmax/second_exponential relu_example/preactivation/# relu_example/state/#""",
    "12": "exercise_5/given/reset exercise_5/given/update_retains_old parameters/factors/#",
    "13": "parameters/target/# table_13_2/contrast/#/token_id table_13_2/source/#/token_id",
    "14": """parameters/queries/#/# table_14_2/#/read/scores/# table_14_3/#/read/scores/# table_14_3/#/tokens/#""",
}


def another(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"{value}?"
    return value + {int: 1, Fraction: Fraction(7, 2), Decimal: Decimal("0.123")}[type(value)]


LONG = Fraction("0." + "123456789" * 11 + "7")


def longer(value: Any) -> Any:
    """Return data with every number but 0 brought to a hundred digits."""
    if isinstance(value, Fraction):
        return value * LONG
    if isinstance(value, dict):
        return {key: longer(member) for key, member in value.items()}
    if isinstance(value, tuple):
        return type(value)(*map(longer, value))
    return [longer(member) for member in value] if isinstance(value, list) else value


class Pages(unittest.TestCase):
    """Tables in the chapters' own notation."""

    def test_fit_a_terminal(self) -> None:
        """No line is wider than 80 columns or ends in a space, with the book's data, a hundred digits and others."""
        dice = random.Random(80)
        fillers = [2] * 60
        many = data()._replace(short=[Case([color, *fillers], name) for color, name in enumerate(("red", "blue"))],
                               translation=data().translation._replace(source=fillers, target=["red"] * 40 + ["EOS"]))
        rows = {word: [LONG, 1 - LONG, *[NOTHING] * 4] for word in data().translation.rows}
        long = longer(data())._replace(translation=longer(data().translation)._replace(rows=rows))
        for given in [data(), long, many, *(random_bundle(dice, silent=turn % 2 == 0) for turn in range(6))]:
            results = run.results(given)
            for number in CHAPTERS:
                lines = "\n".join(run.page(given, results, number, everything=True)).split("\n")
                self.assertEqual([line for line in lines if columns(line) > 80 or line[-1:] == " "], [], number)
                self.assertGreater(len(lines), 40)

    def test_rows_of_the_tables(self) -> None:
        """Rows as the chapters print them."""
        rows = {
            "11": ("red 0 [1, 0]", "1：red [1, 0] [0, 0] 输入原样加入；旧数值乘 0.5",
                   "2：key [0, 0] [1, 0] 同一套设置 [0.5, 0]",
                   "3 is [0.25, 0] [0.375, 0] [0.592667, 0.407333] 红色",
                   "blue [0.125, 0] [0, 1/256] [0.125, 0.00390625] 0.530236 红色：错误",
                   "e^0.375 / (e^0.375 + e^0) ≈ 1.454991 / (1.454991 + 1) ≈ 0.592667",
                   "[0, 1] [0, 0.5] [0, 1]", "b_y h_0", "1/256 < 1/8", "第 4 次更新起", "r^8 > 1/8，即 r > 0.771105",
                   "两词窗口基线", "blue [3, 4] [0, 0] [0.125, 0] 0.531209 红色：错误",
                   "0.5^8 = 1/256", "红色 0 + 1/8 = 1/8 = 0.125， 蓝色 1/256 + 0 = 1/256 = 0.00390625",
                   "e^0.125 / (e^0.125 + e^0.00390625) ≈ 1.13314845 / (1.13314845 + 1.00391389) ≈ 0.530236",
                   "窗口读长 red 输入，选红色：正确；窗口读长 blue 输入，选红色：错误",
                   "2 [0, 1/16] [1/8, 1/16] 红色", "长 blue [0, 1] [1/8, 1] 蓝色", "2 次 [0, 2] [0, 3/2]",
                   "清零 [0, 1/8] [1/8, 1/8] 红色 接着用 [0, 9/64] [1/8, 9/64] 蓝色", "key is red [1, 0]",
                   "小于 1/256；长 red 输入要仍选红色，则不小于 -1/256", "red 选红色：正确，blue 选蓝色：正确"),
            "12": ("2 1 0.5 -0.375 -0.375 × 1 = -0.375", "w = 0.5 - 0.1 × (-0.75) = 0.575",
                   "h_3 = 0.330625，损失 1/2 × (0.330625 - 1)^2 = 0.2240314453125", "损失就改变 -0.75·δ + 0.5·δ^2",
                   "16 0.0000152587890625 656.8408355712890625", "0.964028 变化率 1 - 0.96402758^2 ≈ 0.070651",
                   "0.75 × 0.67506987 ≈ 0.506302", "0.72 + 0.1 × 0.19737532 ≈ 0.739738", "0.9^8 = 0.43046721",
                   "0.99^100 ≈ 0.366032", "≈ 0.291313", "(0.273726005 - 0.288724005) / 0.02 = -0.7499",
                   "h_t 增加 0.01，h_(t+1) 就增加 0.5 × 0.01 = 0.005", "2 × 0.5^4 = 0.125；2 × 1.5^4 = 10.125",
                   "h_2 = 0.5 照样传过去；dL/dw 只剩后一段的 -0.375，完整的是 -0.75",
                   "o_t 改为 0：h_t = 0，c_t 仍是 0.3", "h_t = 1 × 0.8 + 0 × g_t = 0.8",
                   "c_(t-1) = 0.8，f_t = 0.9，i_t = 0.2，g_t = 0.5，o_t = 0.75"),
            "13": ("2：钥匙 [a, 0] + [-a, a] [0, a] [0, a]", "第 2 步：[0, 0] + [-a, a] = [-a, a]，截成 [0, a]",
                   "3 red key key . 0.9 .", "BOS 0.4 0.5 0.1 0 0 0", "1.24479479884619112217…",
                   "约为 1.24479479884619115282。", "1.2447947988461911", "1 BOS 0.5 blue 输入 blue", "4 . 1 EOS 停止",
                   "blue door，到了上限", "blue key . EOS", "末状态是 [0, 0] 与 [-a, 0]",
                   "第 2 个词 激活前 [-a, a]，经过 ReLU [0, a]",
                   "≈ 0.91629073 + 0.22314355 + 0.10536052 + 0 ≈ 1.244795",
                   "平均 1.2447947988461911 ÷ 3 ≈ 0.414932"),
            "14": ("1：颜色 [a, 0] 1×a + 0×0 = a 2 2/4 = 1/2", "= [a/2, a/4] 写成小数是 [0.346574, 0.173287]",
                   "2：钥匙 [2/3, 0, 1/3] [2a/3, 0] 2a/3", "3：句号 [a, 0]；[0, a] [2a/3, a/3] 4a/3",
                   "[1/3, 1/3, 1/3]，上下文 1/3·[0, 0] + 1/3·[0, a] + 1/3·[0, 0] = [0, a/3]",
                   "读数 1×2a/5 + 2×2a/5 = 6a/5", "200 × 8 = 1600 字节", "[a, -a] 截成 [a, 0]",
                   "蓝色输入（蓝色 钥匙 。）",
                   "位置 只移除状态 删去输入 -------", "2：钥匙 [2a/3, 0] [a, 0]", "[2/3, 1/3, 1/3]，和是 4/3"),
        }
        for number, texts in rows.items():
            self.assertEqual([text for text in texts if text not in page(number)], [], number)

    def test_of_other_data(self) -> None:
        """What a page says besides its tables is what follows by hand from the data."""
        for number, changes, texts in ELSEWHERE:
            whole = page(number, **changes)
            self.assertEqual([text for text in texts if text.replace(" ", "") not in whole.replace(" ", "")], [],
                             (number, changes))

    def test_what_the_chapters_print(self) -> None:
        """Every printed figure that the record has elsewhere turns its page, but for what a page leaves to the book."""
        entries = loaded(judging.PRINTED)["figures"]
        for number in CHAPTERS:
            layout, name = import_module(f"chapters.page_{number}"), f"/results/chapter_{number}/"
            shown, unseen = list(layout.lines(data(), computed(), True)), set()
            for field in {entry["field"] for entry in entries if entry["field"].startswith(name)}:
                place = field[len("/results"):]
                spoilt = with_value(computed(), place, another(at(computed(), place)))
                with contextlib.suppress(LookupError):  # a word or a position of which there is no other
                    if list(layout.lines(data(), spoilt, True)) == shown:
                        unseen.add(re.sub("/[0-9]+(?=/|$)", "/#", field[len(name):]))
            self.assertEqual(unseen, set(UNSEEN[number].split()), f"page_{number}.py 没有显示的字段，UNSEEN 里要写")

    def test_claims_are_under_their_places(self) -> None:
        """Every claim of a chapter is on its page once, with the figures that decide it; a place is named once."""
        for number in CHAPTERS:
            whole = "\n".join(run.page(data(), computed(), number, everything=True))
            claims = whole.split("\n论断：")[1]
            places = [line for line in claims.split("\n") if re.match("  [^ ]", line)]
            self.assertEqual(len(places), len(set(places)))
            started = re.findall("^      (成立|不成立|不由计算判定)", claims, re.MULTILINE)
            self.assertEqual(len(started), len(computed()[f"chapter_{number}"]["claims"]))
            brief = page(number, everything=False)
            self.assertNotIn("\n论断：", brief)
            self.assertIn(f"{len(started)} 条论断（", brief)

    def test_headings(self) -> None:
        """Whatever table or example the ledger names has its heading, and so has each exercise that is promised."""
        entries = loaded(judging.PRINTED)["figures"]
        for number in CHAPTERS:
            named = {name for entry in entries for name in re.findall(f"^[表例] {number}[.][0-9]+", entry["place"])}
            exercises = import_module(f"chapters.page_{number}").EXERCISES
            named -= {"例 12.2", "例 13.1", "例 14.3"}  # the tables say it all
            named |= {f"（{number}.{n} 节）" for n in {"11": "234", "12": ["3", "4.2"], "13": "", "14": "46"}[number]}
            first, _, last = exercises[len("习题 "):].partition(" 至 ")
            named |= {f"习题 {n}" for n in (range(int(first), int(last) + 1) if last else first.split("、"))}
            headings = "\n".join(run.page(data(), computed(), number, True)).split("\n论断：")[0]
            self.assertGreater(len(named), 5)
            for name in named:
                self.assertRegex(headings, f"(?m)^(\\S.*)?{name}(?![0-9])")
        self.assertIn("只是小于红色偏置。 成立：0 < 1/256 < 1/8", page("11"))
        self.assertIn("不成立：印的 1.2447947988461912", page("13"))

    def test_in_units_of_a(self) -> None:
        """A long factor is written before its unit and shortened."""
        self.assertEqual(spelling.in_a(Fraction(10**12 + 1, 3)), "≈3.33333e+11·a")


class Coordinates(NamedTuple):
    """A row of numbers in a formula."""

    numbers: list[Fraction]

    def __rmul__(self, factor: Any) -> Coordinates:
        """Return the row times a number."""
        return Coordinates([factor * number for number in self.numbers])

    def __add__(self, other: Any) -> Coordinates:
        """Return the sums of two rows' coordinates."""
        return Coordinates([one + two for one, two in zip(self.numbers, other.numbers)])


def worked_out(formula: str) -> Any:
    """Return what a printed formula comes to, to fifty digits; a is 1. None where it has names of other numbers."""
    for written, meant in (("×", "*"), ("·", "*"), ("÷", "/"), ("^", "**"), ("[", "R(["), ("]", "])")):
        formula = formula.replace(written, meant)
    formula = re.sub(r"ln (\(.*?\)|[0-9.]+)", r"ln(\1)", re.sub(r"\be\*\*(\(.*?\)|[0-9.]+)", r"exp(\1)", formula))
    formula = re.sub(r"([0-9]+)a\b", r"\1*a", formula)
    formula = re.sub(r"(?<![\w.])[0-9]+(\.[0-9]+)?", r"F('\g<0>')", formula)
    fifty = Context(prec=50)
    names = {"F": Fraction, "R": Coordinates, "a": Fraction(1),
             **{name: lambda q, of=of: Fraction(of(fifty.divide(q.numerator, q.denominator)))
                for name, of in (("exp", fifty.exp), ("ln", fifty.ln))}}
    try:
        return eval(formula, {"__builtins__": {}}, names)
    except (NameError, SyntaxError, TypeError):
        return None


class Arithmetic(unittest.TestCase):
    """What is written out under the tables."""

    def formulas(self, text: str) -> list[tuple[str, str, str]]:
        """Return what stands on both sides of each sign of a page, with the sign."""
        text = re.sub(r" nat(/token)?\b", "", re.sub(r"\n +≈", " ≈", text))
        pairs = []
        for part in re.findall(r"(?:[-0-9a-zA-Z_./()×÷+^·=≈\[\],]| (?! ))+", text):  # two spaces part a table's columns
            sides = re.split("([=≈])(?= )", part)  # ≈ before a digit belongs to a number
            pairs += [(sides[i], sides[i + 1], sides[i + 2]) for i in range(0, len(sides) - 2, 2)]
        return pairs

    def test_every_formula(self) -> None:
        """Worked out again, each formula has the value behind its sign: behind = exactly, behind ≈ within half a unit
        of the last place and what the places of the rounded numbers in it leave open.
        """
        dice = random.Random(21)
        for given in [data(), *(random_bundle(dice, silent=turn % 2 == 0) for turn in range(4))]:
            results = run.results(given)
            for number, least in zip(CHAPTERS, (15, 35, 10, 35)):
                tried = 0
                lines = import_module(f"chapters.page_{number}").lines(given, results, True)
                for left, sign, right in self.formulas("\n".join(lines)):
                    one, two = worked_out(left.strip(" ,")), worked_out(right.strip(" ,"))
                    if one is None or two is None or "a = ln 2" in f"{left}={right}":
                        continue
                    tried += 1
                    if sign == "=":
                        self.assertEqual(one, two, (number, left, right))
                        continue
                    places = re.findall(r"\.([0-9]{6,})", left) + (re.findall(r"\.([0-9]+)", right) or [""])
                    open_ = sum(Fraction(1, 10 ** len(digits_)) for digits_ in places)
                    self.assertLess(abs(one - two), open_, (number, left, right))
                self.assertGreaterEqual(tried, least if given is data() else 0, number)

    def test_it_can_fail(self) -> None:
        """A digit, a sign or an exponent that is wrong is seen."""
        for text in ("0.5 × (-0.75) = 0.375", "1/2·[a, 0] + 1/4·[0, a] = [a/2, a/2]", "0.9^8 = 0.43046722",
                     "e^0.375 ≈ 1.454999", "-ln 0.4 - ln 0.8 ≈ 1.139436", "1×a/2 + 2×a/4 = 3a/2"):
            (left, sign, right), = self.formulas(text)
            one, two = worked_out(left), worked_out(right)
            self.assertGreater(abs(one - two) if sign == "≈" else one != two, Fraction(1, 10**6), text)


class ByHand(unittest.TestCase):
    """run.py --tokens … --work."""

    def test_every_sum_is_right(self) -> None:
        """On random networks every sum that is written out has, worked out again, the value behind its sign; so has
        every power of e, read as it is written.
        """
        dice, sums, powers = random.Random(5), 0, 0
        for _ in range(12):
            net = random_network(dice)
            steps = core.read(net, [dice.randrange(5) for _ in range(3)])
            text = re.sub(r"\s+", " ", "\n".join(by_hand.lines(net, steps, 3)))
            raised = re.findall(r"e\^(\(.*?\)|[0-9.]+) ≈ ([0-9.]+)", text)
            for written, value in raised:
                self.assertEqual(Decimal(value), digits.exponentials([Fraction(written.strip("()"))])[1])
            self.assertEqual(text.count("e^"), 2 * 3 + len(raised))  # and two in each step's formula
            powers += len(raised)
            for part in text.split("：")[1:]:
                products, equals, rest = part.strip().partition(" = ")
                if not equals or not re.fullmatch("[-0-9./()×+ ]+", products):
                    continue
                total = re.split("[，；。 ]", rest)[0]
                terms = [[Fraction(number.strip("()")) for number in term.split("×")] for term in products.split(" + ")]
                self.assertEqual(sum(map(prod, terms)), Fraction(total), (products, total))
                sums += 1
        self.assertGreater(min(sums, powers), 50)

    def test_the_row_that_the_chapter_works_out(self) -> None:
        """red key is: the third step's sums, exponentials and quotients."""
        steps = core.read(data().network, [0, 3, 4])
        text = "\n".join(by_hand.lines(data().network, steps, 3))
        for part in ("坐标 1：0×1 + 0×0 + 0.5×0.5 + 0×0 + 0 = 0.25，ReLU 不变", "红色：0.25×1 + 0×0 + 0.125 = 0.375",
                     "= 0，ReLU 不变", "logit 较大的是红色",
                     "e^0.375 ≈ 1.454991，e^0 ≈ 1.000000，和 ≈ 2.454991", "红色：1.454991 ÷ 2.454991 ≈ 0.592667"):
            self.assertIn(part, text)
        self.assertEqual([line for line in text.split("\n") if columns(line) > 80], [])

    def test_ties_cuts_and_large_logits(self) -> None:
        """A tie and a negative coordinate that is cut are called so; beyond ±100 the exponentials are left out."""
        self.assertIn("两个 logit 打平，选排在前面的红色", list(by_hand.lines(
            data().network, core.read(data().network, [1, 2, 3, 4]), 4))[-1])
        net = data().network._replace(hidden_bias=[Fraction(-2), Fraction(0)], output_bias=[Fraction(101), Fraction(0)])
        text = "\n".join(by_hand.lines(net, core.read(net, [0]), 1))
        self.assertIn("= -1，ReLU 截成 0", text)
        net = data().network._replace(embedding=[[Fraction("0." + "6" * 99), Fraction(0)]] * 5)
        long = "\n".join(by_hand.lines(net, core.read(net, [0]), 1))
        self.assertIn("坐标 1：≈0.666667×1 + 0×0 + 0×0.5 + 0×0 + 0 ≈ 0.666667，ReLU 不变", long)
        self.assertEqual([line for line in f"{text}\n{long}".split("\n") if columns(line) > 80], [])
        self.assertNotIn("= ≈", long)
        self.assertIn("e 的幂太大或太小，不写成小数；红色 ≈ 1.000000，蓝色 ≈ 0.000000", text)


class Options(unittest.TestCase):
    """Which pages are printed."""

    def test_chapters(self) -> None:
        """--chapter takes one number or all; without it chapter 11 is meant."""
        for line, chapters in {"--answers": ["11"], "--chapter 13": ["13"],
                               "--chapter all --answers": list(CHAPTERS)}.items():
            options = run.options(line.split())
            self.assertEqual((options["chapter"], options["tokens"]), (chapters, None))

    def test_one_chapter_or_all(self) -> None:
        """The chapters that are asked for are printed in order, a gap between two, each as its page has it."""
        whole = computed()
        for line, numbers in (([], ["11"]), (["--chapter", "all"], [*CHAPTERS])):
            with contextlib.redirect_stdout(io.StringIO()) as output, \
                    mock.patch.object(command, "write_text") as written, \
                    mock.patch.object(run, "results", lambda _: whole):
                self.assertEqual((run.main(line), written.call_args.args[0]), (0, located("run.json")))
            pages = ["\n".join(run.page(data(), computed(), number, False)) for number in numbers]
            self.assertTrue(output.getvalue().startswith("\n\n\n".join(pages) + "\n\n已写 run.json"))
