"""Derives expected.json from the data bundle by closed forms, apart from the programs that it is held against.

Nothing of run.py or of its readers and decimals is imported. For a diagonal W_h = diag(r) with r ≥ 0, no hidden
bias, initial state zero and contributions c = x·W_x ≥ 0, ReLU never cuts, so

    h_t[j] = Σ_s c_s[j] · r[j]^(t-s)        over the tokens s ≤ t,

a single clue at time 1 leaves c·r^(t-1), and no state is ever carried from one line of this file to the next.
Other data are refused: there is no closed form to offer. The window adds the rows of its weights by the inputs. A
probability takes exponents relative to the highest logit, halves them until they are within 1/2, encloses their Taylor
sum, squares the bounds again, and is written once both bounds round alike. Binary floats are rationals rounded to 53
bits after every operation; a threshold is guessed in floats and settled by exact powers; a gradient is the derivative
of a polynomial in the weight, term by term; a verdict compares these values with thresholds.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

import hashlib
import json
import re
from fractions import Fraction
from typing import Any, Callable, Optional, Sequence

from support import command
from support.command import ROOT, Refused, quoted, shown
from support.record import layout

SEQUENCE = "data/part-iii/sequence-v1.json"
RECORD = "part-iii-run-v1"
HELP = """用法
  python3 code/part-iii/derive.py    另用闭式推导，写 expected.json；不要参数"""
ZERO = Fraction(0)
Row = Sequence[Fraction]


# ---------------------------------------------------------------- reading


class Broken(str):
    """A value that json.loads accepts and that has no place in the data; its text says why."""


def number(text: str) -> Any:
    """Return a JSON number exactly, an int where it is written as one."""
    mantissa, _, exponent = text.lower().partition("e")
    if sum(map(str.isdigit, mantissa)) > 100 or len(exponent) > 8 or abs(int(exponent or 0)) > 100:
        return Broken("数字太长或指数太大")
    return int(text) if re.fullmatch("-?[0-9]+", text) else Fraction(text)


def members(pairs: list[tuple[str, Any]]) -> Any:
    """Return an object, or what is wrong with its keys."""
    keys = sorted(key for key, _ in pairs)
    twice = next((key for key, after in zip(keys, keys[1:]) if key == after), None)
    return dict(pairs) if twice is None else Broken(f"键 {quoted(twice)} 重复了")


def read(path: str) -> tuple[str, Any]:
    """Return the sha256 and the content of a JSON file."""
    content, text = command.read_json_text(path)
    try:
        value = json.loads(text, parse_int=number, parse_float=number, object_pairs_hook=members,
                           parse_constant=lambda name: Broken(f"{name} 不是数"))
    except json.JSONDecodeError as error:
        raise Refused("不是合法的 JSON", path, f"第 {error.lineno} 行第 {error.colno} 列") from None
    sound(Field(path, value))
    return hashlib.sha256(content).hexdigest(), value


def sound(field: "Field") -> None:
    """Refuse a broken value anywhere in a file, also where nothing is read."""
    if not isinstance(field.value, (dict, list)):
        raise field.wrong("应为一个 JSON 对象")
    members = field.value.items() if isinstance(field.value, dict) else enumerate(field.value)
    for key, value in members:
        if isinstance(value, (dict, list, Broken)):
            place = str(key).replace("~", "~0").replace("/", "~1")
            sound(Field(field.file, value, f"{field.place}/{place}"))


class Field:
    """A place in a file; each reader below returns what it must hold or refuses it there."""

    def __init__(self, file: str, value: Any, place: str = "") -> None:
        self.file, self.value, self.place = file, value, place
        if isinstance(value, Broken):
            raise self.wrong(value)

    def wrong(self, reason: str) -> Refused:
        """Return the error that names this place."""
        return Refused(reason, self.file, self.place or "文件顶层")

    def __getitem__(self, key: str) -> "Field":
        if not isinstance(self.value, dict) or key not in self.value:
            raise self.wrong(f"应为对象，并有字段 {key}")
        return Field(self.file, self.value[key], f"{self.place}/{key}")

    def members(self, size: Optional[int] = None, what: str = "项") -> list["Field"]:
        """Return the members of a list with `size` members, or with 1 to 1,000."""
        found = len(self.value) if isinstance(self.value, list) else -1
        if found != size if size is not None else not 1 <= found <= 1000:
            wanted = size if size is not None else "1 至 1000"
            raise self.wrong(f"应为列表，有 {wanted} {what}" + (f"，实有 {found}" if found >= 0 else ""))
        return [Field(self.file, member, f"{self.place}/{i}") for i, member in enumerate(self.value)]

    def row(self, size: int) -> list[Fraction]:
        """Return `size` exact numbers."""
        if size > 64:
            raise self.wrong("坐标超过 64 个")
        return [member.fraction() for member in self.members(size, "个数")]

    def fraction(self) -> Fraction:
        """Return one exact number."""
        value = self.value
        if isinstance(value, str) and re.fullmatch("-?[0-9]{1,100}(/[0-9]*[1-9][0-9]*)?", value) \
                and sum(map(str.isdigit, value)) <= 100:
            return Fraction(value)
        if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
            raise self.wrong("应为精确的数：小数、整数或 \"1/2\" 这样的文字，分母不为零")
        return Fraction(value)

    def matrix(self, rows: int, columns: int) -> list[list[Fraction]]:
        """Return `rows` rows of `columns` exact numbers."""
        return [row.row(columns) for row in self.members(rows, "行")]

    def word(self) -> str:
        """Return a text that is not empty and fits a record."""
        if not isinstance(self.value, str) or not self.value.isprintable() or not self.value:
            raise self.wrong("应为文字")
        return self.value

    def words(self) -> list[str]:
        """Return distinct texts."""
        words = [member.word() for member in self.members()]
        if len(set(words)) < len(words):
            raise self.wrong("有重复的项")
        return words

    def index(self, end: int) -> int:
        """Return an integer from 0 below `end`."""
        if type(self.value) is not int or not 0 <= self.value < end:
            raise self.wrong(f"应为 0 至 {end - 1} 的整数")
        return self.value


# ---------------------------------------------------------------- numbers


def exp_bounds(q: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return two rationals that hold e^q, about 2^-bits apart for q of at most zero.

    q is halved k times to come within 1/2 and rounded outwards to a multiple of 1/grid; the bounds of its Taylor sum
    are then squared k times, which keeps their order, neither being negative, and rounded outwards each time.
    """
    if q < -bits:
        return Fraction(0), Fraction(1, 2**bits)  # e^-bits < 2^-bits
    if q == 0:
        return Fraction(1), Fraction(1)
    halvings = (abs(q.numerator) // q.denominator).bit_length() + 1
    grid = 2 ** (bits + 2 * halvings + 8)
    floor = q * grid // 2**halvings
    low, high = (taylor(Fraction(numerator, grid), grid) for numerator in (floor, floor + 1))
    low, high = low - Fraction(3, grid), high + Fraction(3, grid)
    for _ in range(halvings):
        low, high = Fraction(low**2 * grid // 1, grid), Fraction(-(-(high**2) * grid // 1), grid)
    return low, high


def taylor(x: Fraction, grid: int) -> Fraction:
    """Return e^x for |x| of at most 1/2, wrong by less than 3/grid.

    Each term is cut to a multiple of u = 2^-64/grid. As |x/n| ≤ 1/2, its error stays below u + u/2 + … = 2u, and
    the error of n terms below 2nu. The first term left out is below 1/grid + 2u, all that follow together below
    as much again: 2/grid + 4u + 2nu is under 3/grid for any n that is reached.
    """
    term, total, n = Fraction(1), Fraction(0), 0
    while abs(term) * grid > 1:
        total, n = total + term, n + 1
        term = Fraction(int(term * x / n * grid * 2**64), grid * 2**64)
    return total


def six(q: Fraction) -> str:
    """Return a number of at least zero with six decimals, half to even."""
    whole, part = divmod(round(q * 10**6), 10**6)
    return f"{whole}.{part:06}"


def exponential(q: Fraction) -> str:
    """Return e^q with six proven decimals."""
    bits = 256
    while six(exp_bounds(q, bits)[0]) != six(exp_bounds(q, bits)[1]):
        bits *= 2
    return six(exp_bounds(q, bits)[0])


def softmax(z: Row) -> list[str]:
    """Return the logistic function of each logit against the others, with six proven decimals."""
    if len(set(z)) == 1:
        return [six(Fraction(1, len(z)))] * len(z)
    bits, top = 64, max(z)
    while True:
        held = [exp_bounds(value - top, bits) for value in z]
        least, most = sum(low for low, _ in held), sum(high for _, high in held)
        pairs = [(six(max(low / most, ZERO)), six(high / least)) for low, high in held]
        if all(low == high for low, high in pairs):
            return [low for low, _ in pairs]
        bits *= 2


def root(q: Fraction, power: int) -> str:
    """Return the power-th root of q with six decimals: guessed in floats, settled by exact powers."""
    guess = round(float(q) ** (1 / power) * 10**6)
    while Fraction(2 * guess + 1, 2 * 10**6) ** power < q:
        guess += 1
    while Fraction(2 * guess - 1, 2 * 10**6) ** power > q:
        guess -= 1
    return six(Fraction(guess, 10**6))


def binary64(q: Fraction) -> Fraction:
    """Return q rounded to the nearest binary64, ties to even: the division of two integers does that."""
    return Fraction(q.numerator / q.denominator)


# ---------------------------------------------------------------- closed forms


class Model:
    """The given numbers, and the closed form of every state that they lead to."""

    def __init__(self, rnn: Field, window: int) -> None:
        self.vocabulary, self.candidates = rnn["vocabulary"].words(), rnn["candidates"].words()
        missing = {"red", "blue", "filler", "key", "is"} - set(self.vocabulary)
        if missing:
            raise rnn["vocabulary"].wrong(f"闭式推导要用到 {'、'.join(sorted(missing))}")
        if sorted(self.candidates) != ["blue", "red"]:
            raise rnn["candidates"].wrong("闭式推导只适用于 red、blue 两个候选")
        if rnn["selection"].word() != "argmax; first candidate wins ties":
            raise rnn["selection"].wrong("闭式推导只适用于 \"argmax; first candidate wins ties\"")
        size, hidden = (len(field.members()) for field in (rnn["embedding"].members()[0], rnn["initial"]))
        self.embedding = rnn["embedding"].matrix(len(self.vocabulary), size)
        into = rnn["input_weight"].matrix(size, hidden)
        recurrent = rnn["recurrent_weight"].matrix(hidden, hidden)
        self.r = [recurrent[j][j] for j in range(hidden)]
        if min(self.r) < 0 or any(recurrent[i][j] for i in range(hidden) for j in range(hidden) if i != j):
            raise rnn["recurrent_weight"].wrong("闭式推导只适用于对角元素不为负的对角矩阵")
        for name in ("initial", "hidden_bias"):
            if any(rnn[name].row(hidden)):
                raise rnn[name].wrong("闭式推导只适用于零向量")
        self.gain = [[sum(a * w[j] for a, w in zip(x, into)) for j in range(hidden)] for x in self.embedding]
        if min(map(min, self.gain)) < 0:
            raise rnn["embedding"].wrong("闭式推导只适用于乘 input_weight 之后没有负数的嵌入")
        self.into, self.hidden = into, hidden
        self.out, self.bias = rnn["output_weight"].matrix(hidden, 2), rnn["output_bias"].row(2)
        self.stack = rnn["window_weight"].matrix(window * size, hidden)
        self.red, self.blue = self.candidates.index("red"), self.candidates.index("blue")

    def ids(self, text: str) -> list[int]:
        """Return the ids of words."""
        return [self.vocabulary.index(word) for word in text.split()]

    def state(self, ids: Sequence[int], r: Optional[Row] = None) -> list[Fraction]:
        """Return the state after `ids`: the powers of r that each contribution has been multiplied by, summed."""
        r, n = r or self.r, len(ids)
        return [sum((self.gain[i][j] * r[j] ** (n - s) for s, i in enumerate(ids, 1) if self.gain[i][j]), ZERO)
                for j in range(self.hidden)]

    def logits(self, h: Row) -> list[Fraction]:
        """Return the two scores of a state."""
        return [b + sum(number * row[k] for number, row in zip(h, self.out)) for k, b in enumerate(self.bias)]

    def winner(self, z: Row) -> str:
        """Return the candidate with the higher logit, the first one where they are equal."""
        return self.candidates[1 if z[1] > z[0] else 0]

    def end(self, h: Row) -> dict[str, Any]:
        """Return a last state with its logits and the choice."""
        z = self.logits(h)
        return {"state": text(h), "logits": text(z), "choice": self.winner(z)}

    def step(self, ids: Sequence[int], t: int) -> dict[str, Any]:
        """Return the fields of reading t; the preactivation is the state, because ReLU never cuts."""
        h, i = self.state(ids[:t]), ids[t - 1]
        end = self.end(h)
        return {"t": t, "token": self.vocabulary[i], "token_id": i, "input": text(self.embedding[i]),
                "previous_state": text(self.state(ids[: t - 1])), "preactivation": text(h), "state": end["state"],
                "logits": end["logits"], "probabilities": softmax(self.logits(h)), "choice": end["choice"]}

    def steps(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Return every reading of an input."""
        return [self.step(ids, t) for t in range(1, len(ids) + 1)]

    def window(self, ids: list[int], color: str) -> dict[str, Any]:
        """Return the window baseline: rows of its weights, each times the input that meets it."""
        inputs = [number for i in ids for number in self.embedding[i]]
        h = [max(ZERO, sum((a * row[j] for a, row in zip(inputs, self.stack)), ZERO)) for j in range(self.hidden)]
        end = self.end(h)
        return {"token_ids": ids, "state": end["state"], "logits": end["logits"],
                "probabilities": softmax(self.logits(h)), "choice": end["choice"], "correct": end["choice"] == color}

    def rounded_state(self, ids: Sequence[int]) -> list[Fraction]:
        """Return the state in binary64: each product rounded, then each sum of products."""
        h = [ZERO] * self.hidden
        for i in ids:
            inputs = list(map(binary64, self.embedding[i]))
            h = [binary64(binary64(h[j] * binary64(self.r[j])) +
                          sum(binary64(a * binary64(w[j])) for a, w in zip(inputs, self.into)))
                 for j in range(self.hidden)]
        return h


def text(row: Row) -> list[str]:
    """Return numbers in lowest terms."""
    return [f"{q.numerator}/{q.denominator}" if q.denominator > 1 else f"{q.numerator}" for q in map(Fraction, row)]


def results(rnn: Field, collision: Field, gradient: Field) -> dict[str, Any]:
    """Return what run.json's `results` must be."""
    window = collision["window"].index(1001)
    if window == 0:
        raise collision["window"].wrong("应为 1 至 1000 的整数")
    model = Model(rnn, window)
    if collision["vocabulary"].words() != model.vocabulary:
        raise collision["vocabulary"].wrong(f"与 {SEQUENCE} 的 /rnn/vocabulary 不同")
    short = inputs(model, rnn["short_inputs"], rnn["targets"], model.candidates, window)
    long = inputs(model, collision["prefix_ids"], collision["target_ids"], model.vocabulary, window)
    contexts = collision["expected_contexts"].members(2)
    for (_, ids), context in zip(long, contexts):
        if [field.index(len(model.vocabulary)) for field in context.members()] != ids[-window:]:
            raise context.wrong("应为输入末尾的 ID")
    found: dict[str, Any] = {
        "parameters": {"weights_and_biases": len(model.into) * model.hidden + model.hidden**2 + model.hidden
                       + 2 * model.hidden + 2, "embedding_values": len(model.embedding) * len(model.embedding[0])},
        "example_11_1": model.steps(short[0][1]),
        "example_11_2": model.steps(short[1][1]),
        "worked_softmax": worked(model, short[0][1]),
        "short_windows": [{"color": color, "token_ids": ids, "window": model.window(ids[-window:], color)}
                          for color, ids in short],
        "table_11_4": [table_row(model, color, ids, window) for color, ids in long],
        "boundary": boundary(model, long[1][1]),
        "exercise_1": exercise_1(model),
        "exercise_2": exercise_2(model, long[1][1]),
        "exercise_3": [{"color": color, **model.end(model.state(model.ids("is")))} for color in ("red", "blue")],
        "carry_over": carry_over(model),
        "order": [{"tokens": words.split(), "state": text(model.state(model.ids(words)))}
                  for words in ("red key is", "key is red")],
        "leading_fillers": [leading(model, n) for n in (0, 1, 6)],
        "binary_float": binary_float(model, long[1][1]),
        "repairs": repairs(model, long),
        "gradient": path_gradient(gradient),
    }
    return {**found, "claims": claims(model, [ids for _, ids in short], [ids for _, ids in long], found)}


def inputs(model: Model, rows: Field, targets: Field, names: list[str], window: int) -> list[tuple[str, list[int]]]:
    """Return the red and the blue input."""
    found = []
    for row, target, color in zip(rows.members(2, "个输入"), targets.members(2, "个目标"), ("red", "blue")):
        ids = [field.index(len(model.vocabulary)) for field in row.members()]
        if names[target.index(len(names))] != color:
            raise target.wrong("闭式推导要求先是 red、后是 blue")
        if len(ids) < window:
            raise row.wrong("比窗口短")
        found.append((color, ids))
    return found


def worked(model: Model, ids: list[int]) -> Optional[dict[str, str]]:
    """Return the two numbers of the worked softmax."""
    z = model.logits(model.state(ids))
    return {"exponential": exponential(z[0]), "probability": softmax(z)[0]} if abs(z[0]) <= 100 else None


def table_row(model: Model, color: str, ids: list[int], window: int) -> dict[str, Any]:
    """Return a row of table 11.4."""
    steps = model.steps(ids)
    return {"color": color, "token_ids": ids, "window": model.window(ids[-window:], color),
            "rnn": {"steps": steps, "choice": steps[-1]["choice"], "correct": steps[-1]["choice"] == color}}


def boundary(model: Model, ids: list[int]) -> Optional[dict[str, Any]]:
    """Return the first t at which the blue logit has come down to the red one."""
    for t in range(1, len(ids) + 1):
        end = model.end(model.state(ids[:t]))
        if end["choice"] == "red":
            return {"t": t, "state": end["state"], "red_bias": str(model.bias[model.red]), "logits": end["logits"],
                    "choice": "red"}
    return None


def exercise_1(model: Model) -> dict[str, Any]:
    """Return three trials, and the smallest n for which n fillers make red win."""
    blue, filler, *end = (model.gain[i] for i in model.ids("blue filler key is"))

    def trial(n: int) -> dict[str, Any]:
        """blue·r^(n+2), the fillers' geometric sum (1 - r^n)/(1 - r)·r², key·r and is."""
        sums = [(1 - r**n) / (1 - r) if r != 1 else Fraction(n) for r in model.r]
        return model.end([b * r ** (n + 2) + f * r**2 * total + key * r + last for b, f, total, key, last, r
                          in zip(blue, filler, sums, *end, model.r)])

    fewest = next((n for n in range(998) if trial(n)["choice"] == "red"), None)
    return {"trials": [{"fillers": n, **trial(n)} for n in range(3)], "fewest_fillers": fewest}


def exercise_2(model: Model, ids: list[int]) -> dict[str, Any]:
    """Return the plain sums that remain where r is 1, beside the geometric sums with the given r."""
    ones, blue = [Fraction(1)] * model.hidden, model.ids("blue")
    return {"recurrent_diagonal": "1", "long_blue": model.end(model.state(ids, ones)),
            "repeated_blue": [{"count": n, "state": text([c * Fraction(n) for c in model.gain[blue[0]]]),
                               "state_with_given_weights": text(model.state(blue * n))} for n in (1, 2, 4, 8)]}


def carry_over(model: Model) -> dict[str, Any]:
    """Return the second test afresh, and as the end of one long input: carrying a state over makes one of two."""
    first, second = model.ids("blue key is"), model.ids("blue filler key is")
    return {"first": ["blue", "key", "is"], "second": ["blue", "filler", "key", "is"],
            "reset": model.end(model.state(second)), "carried": model.end(model.state(first + second))}


def leading(model: Model, n: int) -> dict[str, Any]:
    """Return what is left when n fillers come before the clue."""
    end = model.end(model.state(model.ids("filler") * n + model.ids("blue key is")))
    return {"fillers": n, "state": end["state"], "choice": end["choice"]}


def binary_float(model: Model, ids: list[int]) -> Optional[dict[str, Any]]:
    """Return the state in binary64, if it stays within its range."""
    try:
        h = model.rounded_state(ids)
    except OverflowError:
        return None
    return {"state": text(h), "choice": model.winner(model.logits(h))}


def repairs(model: Model, long: list[tuple[str, list[int]]]) -> dict[str, Any]:
    """Return the thresholds: z_blue - z_red = r^n · gain + b_blue - b_red for a single clue."""
    ids = long[1][1]
    z = model.logits(model.state(ids))
    clues = [s for s, i in enumerate(ids, 1) if any(model.gain[i])]
    retained = None
    if len(clues) == 1:
        pure = [sum(c * row[k] for c, row in zip(model.gain[ids[clues[0] - 1]], model.out)) for k in (0, 1)]
        gain, lead = pure[model.blue] - pure[model.red], model.bias[model.red] - model.bias[model.blue]
        power = len(ids) - clues[0]
        if power and gain > 0 and lead > 0:
            retained = {"power": power, "of": str(lead / gain), "decimal": root(lead / gain, power)}
    width, tokens = len(model.embedding[0]), len(ids)
    whole = None
    if width == model.hidden and len(long[0][1]) == tokens:  # stacked identities add all inputs up
        ends = [(color, model.end([max(ZERO, sum((model.embedding[i][j] for i in row), ZERO)) for j in range(width)]))
                for color, row in long]
        whole = {"tokens": tokens, "cases": [
            {"color": color, "choice": end["choice"], "correct": end["choice"] == color} for color, end in ends]}
    return {"retained_weight_above": retained,
            "red_bias_below": str(z[model.blue] - z[model.red] + model.bias[model.red]), "window": whole}


def path_gradient(given: Field) -> dict[str, Any]:
    """Return the scalar path by its polynomial: h_t(w) = h_0·w^t + Σ x_s·w^(t-s), differentiated term by term."""
    if given["loss"].word() != "0.5 * (last_state - target)^2":
        raise given["loss"].wrong("闭式推导只适用于 \"0.5 * (last_state - target)^2\"")
    if given["factors"].row(2) != [Fraction(1, 2), Fraction(3, 2)]:
        raise given["factors"].wrong("应为 [0.5, 1.5]")
    x = given["inputs"].row(len(given["inputs"].members()))
    start, w, y, rate = (given[name].fraction() for name in ("initial", "weight", "target", "learning_rate"))
    distances = [distance.index(1001) for distance in given["distances"].members()]
    terms = [(start, 0), *((number, s) for s, number in enumerate(x, 1))]  # what entered, and when
    end = len(x)

    def state(t: int, w: Fraction) -> Fraction:
        return sum((number * w ** (t - s) for number, s in terms if s <= t), ZERO)

    error = state(end, w) - y
    slope = error * sum((number * (end - s) * w ** (end - s - 1) for number, s in terms if s < end), ZERO)
    new = w - rate * slope
    return {
        "states": text([state(t, w) for t in range(1, end + 1)]), "loss": str(error**2 / 2),
        "state_gradients": text([error * w ** (end - t) for t in range(1, end + 1)]),
        "weight_contributions": text([error * w ** (end - t) * state(t - 1, w) for t in range(1, end + 1)]),
        "weight_gradient": str(slope), "updated_weight": str(new),
        "updated_states": text([state(t, new) for t in range(1, end + 1)]),
        "updated_loss": str((state(end, new) - y) ** 2 / 2),
        "products": [{"distance": d, "half": f"1/{2**d}" if d else "1",
                      "three_halves": f"{3**d}/{2**d}" if d else "1"} for d in distances],
    }


# ---------------------------------------------------------------- verdicts


class Unknown(Exception):
    """A claim comes upon a value that does not exist for these data."""


def known(value: Any) -> Any:
    """Return a value that exists."""
    if value is None:
        raise Unknown
    return value


def claims(model: Model, short: list[list[int]], long: list[list[int]], found: dict[str, Any]) -> dict[str, str]:
    """Return the verdict on each claim, from closed-form values and thresholds."""
    ends = [model.state(ids) for ids in long]
    wins = [model.winner(model.logits(h)) for h in ends]
    shorts = [model.winner(model.logits(model.state(ids))) for ids in short]
    seen = [row["window"] for row in found["table_11_4"] + found["short_windows"]]
    histories = [[model.state(ids[:t]) for t in range(1, len(ids) + 1)] for ids in (*short, *long)]
    reads = [(tuple(model.embedding[ids[t]]), tuple(model.state(ids[:t]))) for ids in (*short, *long)
             for t in range(len(ids))]
    trials = [[Fraction(z) for z in case["logits"]] for case in found["exercise_1"]["trials"]]
    apart = ends[0] != ends[1] and softmax(model.logits(ends[0])) != softmax(model.logits(ends[1]))
    once = (wins[0] == "red") + (wins[1] == "blue") == seen[0]["correct"] + seen[1]["correct"] == 1
    kept = found["exercise_2"]["long_blue"]["choice"] == "blue"
    bias, edge, fixes, carry = model.bias[model.red], found["boundary"], found["repairs"], found["carry_over"]

    def survives() -> bool:
        return wins[1] == "red" and 0 < max(ends[1]) < bias

    def thresholds() -> bool:
        known(edge)
        return kept and Fraction(known(fixes["retained_weight_above"])["of"]) < 1 \
            and 0 < Fraction(fixes["red_bias_below"]) < bias

    decided: dict[str, Callable[[], bool]] = {
        "window-is-blind": lambda: len({(*w["token_ids"], *w["probabilities"]) for w in seen}) == 1,
        "rnn-distributions-differ": lambda: apart,
        "relu-cuts-nothing": lambda: True,  # Model refuses the data for which it could
        "state-needs-no-unit-sum": lambda: any(sum(h) != 1 for rows in histories[:2] for h in rows),
        "short-inputs": lambda: shorts == ["red", "blue"] and [w["correct"] for w in seen[2:]] == [True, False],
        "one-right-each": lambda: once,
        "reasons-differ": lambda: once and seen[0]["state"] == seen[1]["state"] and apart,
        "blue-is-not-zero": survives,
        "no-underflow": lambda: survives()
        and known(found["binary_float"]) == {"state": text(ends[1]), "choice": wins[1]},
        "parameters-independent-of-length": lambda: len(short[0]) != len(long[0]),
        "boundary-is-a-tie": lambda: len(set(known(edge)["logits"])) == 1
        and max(map(Fraction, edge["state"])) == bias,
        "weight-or-bias-changes-answer": thresholds,
        "wider-window": lambda: all(case["correct"] for case in known(fixes["window"])["cases"]),
        "one-filler-is-enough": lambda: found["exercise_1"]["fewest_fillers"] == 1
        and trials[0][1] > trials[0][0] and trials[1][1] == trials[1][0] and trials[2][1] < trials[2][0],
        "keeping-answers-blue": lambda: kept,
        "blues-pile-up": lambda: max(model.gain[model.ids("blue")[0]]) == 1,
        "reset-removes-clue": lambda: not any(model.gain[model.ids("is")[0]]),
        "carry-over-turns-answer": lambda: carry["reset"]["choice"] != carry["carried"]["choice"],
        "order-matters": lambda: model.state(model.ids("red key is")) != model.state(model.ids("key is red")),
        "leading-fillers-are-free": lambda: not any(c * r for c, r in zip(model.gain[model.ids("filler")[0]], model.r)),
        "halved-after-clue": lambda: all(2 * max(after) == max(before)
                                         for before, after in zip(histories[3], histories[3][1:])),
        "state-changes-weights-do-not": lambda: len(set(reads)) < len(reads) and len(set(map(tuple, histories[0]))) > 1,
    }
    undecided = ("exercise-4", "exercise-5", "lodging-limit", "agent-state", "ordinary-language")
    return {**{name: verdict(claim) for name, claim in decided.items()}, **dict.fromkeys(undecided, "outside")}


def verdict(claim: Callable[[], bool]) -> str:
    """Return a verdict as the record writes it."""
    try:
        return "holds" if claim() else "fails"
    except Unknown:
        return "outside"


def expected(root: str = ROOT) -> dict[str, Any]:
    """Return the whole expectation for the data below `root`."""
    path = command.located(SEQUENCE, root)
    digest, value = read(path)
    sequence = Field(path, value)
    source = {key: sequence["baseline_source"][key].word() for key in ("path", "field", "sha256")}
    parts = source["path"].split("/")
    other = command.located(source["path"], root)
    if {"", ".", ".."} & set(parts) or re.search(r"[\\:]", source["path"]) \
            or not os.path.realpath(other).startswith(os.path.realpath(root) + os.sep):
        raise sequence["baseline_source"]["path"].wrong("应为仓库内以 / 分隔的相对路径")
    other_digest, other_value = read(other)
    if other_digest != source["sha256"]:
        raise Refused(f"sha256 是 {other_digest}，而 {shown(path)} 的 /baseline_source/sha256 记的是 "
                      f"{quoted(source['sha256'])}", other)
    found = results(sequence["rnn"], Field(other, other_value)[source["field"]], sequence["gradient"])
    return {"record": RECORD, "inputs": [
        {"path": SEQUENCE, "sha256": digest},
        {"path": source["path"], "field": source["field"], "sha256": other_digest}], "results": found}


def main(arguments: list[str]) -> int:
    """Write expected.json."""
    if arguments in (["-h"], ["--help"]):
        print(HELP)
        return 0
    if arguments:
        raise Refused(f"命令行：derive.py 不要参数，却有 {quoted(arguments[0])}")
    command.write_text(command.located("expected.json"), layout(expected()) + "\n")
    print("已写 expected.json")
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
