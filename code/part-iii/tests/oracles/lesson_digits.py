"""Proves each rounded figure of lesson 6.1's record: recomputes it with `decimal` at 40 digits.

A figure is safe when the exact value rounds to the recorded digits and lies further from the nearest rounding
boundary than a hundred times what the float computation was off: then no other libm can turn it.
The whole computation is written again here, without the full batch's shortcuts and without floats.
"""
from __future__ import annotations

import json
import math
import os
import sys
from decimal import Context, Decimal, localcontext
from typing import Any, Iterator, Sequence

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import lesson_6_1  # noqa: E402
from lesson import tanh_rnn, trainings  # noqa: E402
from lesson.pinned import Draws, read_draws  # noqa: E402
from lesson.trainings import SHOWN, SHOWN_LONG, plain, sequence, weights  # noqa: E402
from support.command import located  # noqa: E402

Row = list[Decimal]
Net = dict[str, Any]
Exact = tuple[dict[int, Decimal], Net, Net]  # losses by round, the trained network, the gradient of round 1
DIGITS, SAFETY = 40, 100
ZERO, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)


def tanh(x: Decimal) -> Decimal:
    """Return tanh x; the subtraction of 1 costs as many digits as x has zeros behind the point."""
    power = (TWO * x).exp()
    return (power - ONE) / (power + ONE)


def network(normals: Sequence[float], hidden: int, alpha: str) -> Net:
    """Return the weights as exact products of the pinned draws."""
    scale, stream = Decimal(alpha) / Decimal(hidden).sqrt(), iter(normals)

    def matrix(rows: int, width: int) -> list[Row]:
        return [[scale * Decimal(next(stream)) for _ in range(width)] for _ in range(rows)]

    return {"Wx": matrix(1, hidden), "Wh": matrix(hidden, hidden), "b": [[ZERO] * hidden], "Wo": matrix(hidden, 2),
            "bo": [[ZERO, ZERO]]}


def states(net: Net, bits: Sequence[int]) -> list[Row]:
    """Return h_0 … h_T."""
    columns = list(zip(*net["Wh"]))
    history = [[ZERO] * len(columns)]
    for bit in bits:
        history.append([tanh(sum((a * w for a, w in zip(history[-1], column)), bias + (into if bit else ZERO)))
                        for column, into, bias in zip(columns, net["Wx"][0], net["b"][0])])
    return history


def length(row: Sequence[Decimal]) -> Decimal:
    """Return the Euclidean norm."""
    return sum((a * a for a in row), ZERO).sqrt()


def carried_back(net: Net, bits: Sequence[int]) -> list[Decimal]:
    """Return what is left of a unit vector at each step, the first step first."""
    hidden, norms = len(net["Wh"]), []
    v = [ONE / Decimal(hidden).sqrt()] * hidden
    for h in states(net, bits)[:0:-1]:
        norms.append(length(v))
        v = [sum((a * (ONE - b * b) * w for a, b, w in zip(v, h, row)), ZERO) for row in net["Wh"]]
    return norms[::-1]


def chances(net: Net, label: int, steps: int) -> tuple[list[Row], Row]:
    """Return the states and the two probabilities for one first input."""
    history = states(net, [label] + [0] * (steps - 1))
    powers = [sum((a * row[j] for a, row in zip(history[-1], net["Wo"])), net["bo"][0][j]).exp() for j in (0, 1)]
    return history, [power / sum(powers) for power in powers]


def round_of_training(net: Net, counts: Sequence[int], steps: int) -> tuple[Decimal, Net]:
    """Return the mean loss and its gradient."""
    hidden, total = len(net["Wh"]), Decimal(sum(counts))
    g: Net = {name: [[ZERO] * len(row) for row in rows] for name, rows in net.items()}
    loss = ZERO
    for label, count in enumerate(counts):
        history, p = chances(net, label, steps)
        loss -= count * p[label].ln() / total
        dz = [(p[j] - (j == label)) * count / total for j in (0, 1)]
        for j in (0, 1):
            g["bo"][0][j] += dz[j]
            for i in range(hidden):
                g["Wo"][i][j] += history[-1][i] * dz[j]
        dh = [row[0] * dz[0] + row[1] * dz[1] for row in net["Wo"]]
        for t in range(steps, 0, -1):
            da = [d * (ONE - h * h) for d, h in zip(dh, history[t])]
            g["b"][0] = [a + d for a, d in zip(g["b"][0], da)]
            if t == 1:
                g["Wx"][0] = [a + label * d for a, d in zip(g["Wx"][0], da)]
            else:
                g["Wh"] = [[a + h * d for a, d in zip(row, da)] for row, h in zip(g["Wh"], history[t - 1])]
            dh = [sum((d * w for d, w in zip(da, row)), ZERO) for row in net["Wh"]]
    return loss, g


def training(net: Net, counts: Sequence[int], rounds: int, shown: Sequence[int], rate: str = "0.3", steps: int = 8,
             adam: bool = False, frozen: str = "") -> Exact:
    """Return what a training leaves behind; `net` is used up, `counts` are those of the two labels."""
    losses: dict[int, Decimal] = {}
    m = {name: [[ZERO] * len(row) for row in rows] for name, rows in net.items()}
    v = {name: [[ZERO] * len(row) for row in rows] for name, rows in net.items()}
    first: Net = {}
    keep, square, small, step = Decimal("0.9"), Decimal("0.999"), Decimal("1e-8"), Decimal(rate)
    for n in range(1, rounds + 1):
        loss, g = round_of_training(net, counts, steps)
        first = first or g
        if n in shown:
            losses[n] = loss
        for name in net:
            if name == frozen:
                continue
            if not adam:
                net[name] = [[w - step * d for w, d in zip(*rows)] for rows in zip(net[name], g[name])]
                continue
            m[name] = [[keep * a + (1 - keep) * d for a, d in zip(*rows)] for rows in zip(m[name], g[name])]
            v[name] = [[square * a + (1 - square) * d * d for a, d in zip(*rows)] for rows in zip(v[name], g[name])]
            one, two = 1 - keep**n, 1 - square**n
            net[name] = [[w - step * (a / one) / ((b / two).sqrt() + small) for w, a, b in zip(*rows)]
                         for rows in zip(net[name], m[name], v[name])]
    return losses, net, first


Figure = tuple[str, str, Decimal, float]  # name, recorded text, exact value, float value


def figures(record: Any) -> Iterator[Figure]:
    """Yield every rounded figure of the record with its exact and its float value."""
    draws, found = read_draws(), record["results"]
    made = found["experiments"]
    settings = [("", found, 8, "0.3"), ("hidden_32", made["hidden_32"], 32, "0.3"),
                ("alpha_1", made["alpha_1"], 8, "1")]
    for name, fields, hidden, alpha in settings:
        exact = network(draws.demonstration, hidden, alpha)
        net = weights(draws.demonstration, hidden, float(alpha))
        if "hidden_norms" in fields:
            sizes = map(tanh_rnn.norm, tanh_rnn.hidden_states(net, sequence(draws.five[hidden]))[1:])
            for row, h, size in zip(fields["hidden_norms"], states(exact, draws.five[hidden])[1:], sizes):
                yield f"{name} 隐状态 {row['t']}", row["norm"], length(h), size
        unit = [1 / math.sqrt(hidden)] * hidden
        bits = draws.twelve[hidden]
        norms = tanh_rnn.carried_back(net, sequence(bits), unit)
        for row, value, size in zip(fields["gradient_norms"], carried_back(exact, bits), norms):
            yield f"{name} 梯度 {row['t']}", row["norm"], value, size
            yield f"{name} 梯度 {row['t']}", row["significant"], value, size
    yield from diagnosis(found["diagnosis"], draws)
    short = lesson_6_1.short_trainings(draws)
    counts = [draws.train.count(label) for label in (0, 1)]
    frozen = network(draws.weights, 8, "0.3")
    frozen["Wh"] = [[ZERO] * 8 for _ in range(8)]
    narrow, shown = network(draws.weights, 8, "0.3"), SHOWN
    trained: list[tuple[str, Any, trainings.Training, Exact, int]] = [
        ("delayed_recall", found["delayed_recall"], short["delayed_recall"],
         training(dict(narrow), counts, 800, shown), 8),
        ("recall_at_3", made["recall_at_3"], short["recall_at_3"],
         training(dict(narrow), counts, 800, shown, steps=3), 3),
        ("alpha_1", made["alpha_1"]["delayed_recall"], short["alpha_1"],
         training(network(draws.weights, 8, "1"), counts, 800, shown), 8),
        ("adam", made["adam"], short["adam"], training(dict(narrow), counts, 800, shown, "0.01", adam=True), 8),
        ("no_recurrence", made["no_recurrence"], short["no_recurrence"],
         training(frozen, counts, 800, shown, frozen="Wh"), 8),
        ("hidden_32", made["hidden_32"]["delayed_recall"], plain(draws, "32", hidden=32),
         training(network(draws.weights, 32, "0.3"), counts, 800, shown), 8)]
    for rate in ("0.3", "1.0"):
        long = plain(draws, rate, rate=float(rate), last=8000, shown=SHOWN_LONG)
        trained.append((f"rate_{rate}", made["more_rounds"][f"rate_{rate}"], long,
                        training(dict(narrow), counts, 8000, SHOWN_LONG, rate), 8))
    for name, fields, floats, (losses, exact_net, first), steps in trained:
        for row in fields["losses"]:
            yield f"{name} 损失 {row['round']}", row["loss"], losses[row["round"]], floats.losses[row["round"]]
        exact_chance = [chances(exact_net, label, steps)[1] for label in (0, 1)]
        right = sum(draws.test.count(label) for label in (0, 1) if exact_chance[label][label] > Decimal("0.5"))
        assert f"{Decimal(right) / len(draws.test):.4f}" == fields["test_accuracy"], name
        if name == "delayed_recall":
            for label in (0, 1):
                near = floats.chance_of_1[label]
                assert near is not None
                yield (f"答 1 的概率 {label}", fields["predicted_probability_of_1"][str(label)], exact_chance[label][1],
                       near)
            yield ("∂L/∂Wx", fields["input_weight_gradient_norm"], length(first["Wx"][0]),
                   tanh_rnn.norm(floats.gradients[1].Wx[0]))
            shares = [Decimal(draws.train.count(label)) / len(draws.train) for label in (0, 1)]
            entropy = -sum((share * share.ln() for share in shares), ZERO)
            yield "标签的熵", fields["label_entropy"], entropy, float(entropy)
            yield "ln 2", fields["even_guess_loss"], TWO.ln(), math.log(2)


def diagnosis(fields: Any, draws: Draws) -> Iterator[Figure]:
    """Yield the derivative's statistics and the two sizes of Wh; bounds of the latter from other formulas."""
    exact = network(draws.demonstration, 8, "0.3")
    net = weights(draws.demonstration, 8, 0.3)
    slopes = [ONE - a * a for h in states(exact, draws.twelve[8])[1:] for a in h]
    floats = [1 - a * a for h in tanh_rnn.hidden_states(net, sequence(draws.twelve[8]))[1:] for a in h]
    derivative = fields["tanh_derivative"]
    yield "1−h² 最小", derivative["min"], min(slopes), min(floats)
    yield "1−h² 最大", derivative["max"], max(slopes), max(floats)
    yield "1−h² 平均", derivative["mean"], sum(slopes, ZERO) / len(slopes), math.fsum(floats) / len(floats)
    yield "0.3^11", fields["lesson_estimate"], Decimal("0.3") ** 11, 0.3**11
    assert not any(Decimal("0.0999") < slope < Decimal("0.5001") for slope in slopes)
    matrix, k = exact["Wh"], 30
    square = [[sum((a * b for a, b in zip(x, y)), ZERO) for y in matrix] for x in matrix]  # Wh·Whᵀ
    yield "谱半径", fields["spectral_radius"], gelfand(matrix, k), tanh_rnn.spectral_radius(net.Wh)
    singular = tanh_rnn.largest_singular_value(net.Wh)
    yield "奇异值", fields["largest_singular_value"], gelfand(square, k).sqrt(), singular


def gelfand(matrix: list[Row], k: int) -> Decimal:
    """Return ‖A^n‖^(1/n) for n = 2^k; with n = 10^9 it is off by a share of 10^-8 at most."""
    power, exponent = matrix, ONE
    logarithm = ZERO
    for _ in range(k):
        size = max(abs(a) for row in power for a in row)
        logarithm += size.ln() / exponent
        columns = list(zip(*[[a / size for a in row] for row in power]))
        power = [[sum((a / size * b for a, b in zip(row, column)), ZERO) for column in columns] for row in power]
        exponent *= 2
    size = max(abs(a) for row in power for a in row)
    return (logarithm + size.ln() / exponent).exp()


def places(text: str) -> int:
    """Return the power of ten of the last recorded digit."""
    mantissa, _, exponent = text.partition("e")
    return int(exponent or 0) - len(mantissa.partition(".")[2])


def main() -> int:
    """Report the least safe figure; exit code 1 when one is not safe."""
    with open(located(lesson_6_1.RECORD), encoding="utf-8") as file:
        record = json.load(file)
    faults, count, least = [], 0, Decimal(10) ** 9
    with localcontext(Context(prec=DIGITS)):
        for name, text, value, near in figures(record):
            unit, count = Decimal(10) ** places(text), count + 1
            off = max(abs(Decimal(near) - value), abs(value) * Decimal("1e-16"))
            distance = (Decimal("0.5") - abs(value / unit - Decimal(text) / unit)) * unit
            least = min(least, distance / off if off else least)
            if distance < SAFETY * off:
                faults.append(f"{name}：记录 {text}，40 位算得 {value:.12e}，浮点偏离 {off:.1e}，"
                              f"离舍入界 {distance:.1e}")
    print("\n".join([*faults, f"{count} 个数值按 {DIGITS} 位重算；离舍入界至少是浮点误差的 {least:.0f} 倍"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
