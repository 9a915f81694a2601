"""Proves the record of lesson 6.1: recomputes each figure with `decimal` at 40 digits, and each count.

A figure is safe when the exact value rounds to the recorded digits and lies further from the nearest rounding
boundary than a hundred times what the float computation was off: then no other libm can turn it. A count must be the
same here. Every leaf of the record must be among those that are proven, but for what is no result: names, shapes,
seeds.json's counts, which have a proof of their own (seeds.py), and verdicts.
The whole computation is written again here, without the full batch's shortcuts and without floats: the longest
training has 16,000 rounds, most of the half minute that all of it takes.
"""
from __future__ import annotations

import os
import sys
from decimal import Context, Decimal, localcontext
from typing import Any, Sequence

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import lesson_6_1
from lesson.figure import Figure
from lesson.measures import AROUND, LONG
from lesson.pinned import RECORD, Draws, read_draws, read_seeds
from lesson.trainings import SHOWN
from tests.shared import leaves, loaded

Row = list[Decimal]
Net = dict[str, Any]
DIGITS, SAFETY = 40, 100
GIVEN = ("/parameters", "/parameter_count", "/setting", "/seeds", "/claims")  # what is no result
ZERO, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)


def tanh(x: Decimal) -> Decimal:
    """Return tanh x; the subtraction of 1 costs as many digits as x has zeros behind the point."""
    power = (TWO * x).exp()
    return (power - ONE) / (power + ONE)


def network(normals: Sequence[float], hidden: int = 8, alpha: str = "0.3", wh: int = 1) -> Net:
    """Return the weights as exact products of the pinned draws."""
    scale, stream = Decimal(alpha) / Decimal(hidden).sqrt(), iter(normals)

    def matrix(rows: int, width: int, times: int = 1) -> list[Row]:
        return [[times * scale * Decimal(next(stream)) for _ in range(width)] for _ in range(rows)]

    return {"Wx": matrix(1, hidden), "Wh": matrix(hidden, hidden, wh), "b": [[ZERO] * hidden],
            "Wo": matrix(hidden, 2), "bo": [[ZERO, ZERO]]}


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


def carried_back(net: Net, bits: Sequence[int], derivative: bool = True) -> list[Decimal]:
    """Return what is left of a unit vector at each step, the first step first."""
    hidden, norms = len(net["Wh"]), []
    v = [ONE / Decimal(hidden).sqrt()] * hidden
    for h in states(net, bits)[:0:-1]:
        norms.append(length(v))
        v = [sum((a * (ONE - b * b * derivative) * w for a, b, w in zip(v, h, row)), ZERO) for row in net["Wh"]]
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


class Training:
    """What a training leaves behind; `counts` are those of the two labels."""

    def __init__(self, net: Net, counts: Sequence[int], rounds: int, steps: int = 8, kept: Sequence[int] = (),
                 adam: bool = False) -> None:
        self.losses: list[Decimal] = []
        self.signals: list[Any] = []
        self.out: int | None = None
        m, v = ({name: [[ZERO] * len(row) for row in rows] for name, rows in net.items()} for _ in range(2))
        keep, square, small, step = map(Decimal, ("0.9", "0.999", "1e-8", "0.01" if adam else "0.3"))
        net = dict(net)
        for n in range(1, rounds + 1):
            loss, g = round_of_training(net, counts, steps)
            self.losses.append(loss)
            self.out = n if self.out is None and loss < Decimal("0.1") else self.out
            if n in (*kept, self.out):
                self.signals.append({"round": n, "Wx": length(g["Wx"][0])})
            for name in net:
                if adam:
                    m[name] = [[keep * a + (1 - keep) * d for a, d in zip(*rows)] for rows in zip(m[name], g[name])]
                    v[name] = [[square * a + (1 - square) * d * d for a, d in zip(*r)] for r in zip(v[name], g[name])]
                    one, two = 1 - keep**n, 1 - square**n
                    g[name] = [[a / one / ((b / two).sqrt() + small) for a, b in zip(*rows)]
                               for rows in zip(m[name], v[name])]
                net[name] = [[w - step * d for w, d in zip(*rows)] for rows in zip(net[name], g[name])]
        self.chances = [chances(net, label, steps)[1] for label in (0, 1)]

    def fields(self, shown: Sequence[int] = SHOWN) -> Any:
        """Return what the record has of it."""
        numbers = sorted({*shown, *([self.out] if self.out else [])})
        return {"losses": [{"round": n, "loss": self.losses[n - 1]} for n in numbers], "escaped_at": self.out}


def exact(draws: Draws) -> Any:
    """Return the record's figures and counts anew, in its own places; what is no result is left out."""
    net, bits, trained = network(draws.demonstration), draws.twelve[8], network(draws.weights)
    counts, tests = ([labels.count(label) for label in (0, 1)] for labels in (draws.train, draws.test))
    recall, adam = Training(trained, counts, 800), Training(trained, counts, 800, adam=True)
    slow = Training(trained, counts, 16000, kept=(1, 100, 800, 8000, 14000))
    wh_2 = Training(network(draws.weights, wh=2), counts, 800)
    assert slow.out is not None
    right = [n for label, n in enumerate(tests) if recall.chances[label][label] > Decimal("0.5")]
    return {
        "hidden_norms": [{"t": t, "input": bit, "norm": length(h)}
                         for t, (bit, h) in enumerate(zip(draws.five, states(net, draws.five)[1:]), 1)],
        "gradient_norms": [{"t": t, "norm": size, "significant": size}
                           for t, size in enumerate(carried_back(net, bits), 1)],
        "diagnosis": diagnosis(net, bits),
        "listing": [{"t": t, "norm": size} for t, size in enumerate(carried_back(net, [*draws.five, *bits[:7]]), 1)],
        "delayed_recall": {
            **recall.fields(), "test_accuracy": Decimal(sum(right)) / sum(tests),
            **{f"{name}_labels": {str(label): labels[label] for label in (0, 1)}
               for name, labels in (("train", counts), ("test", tests))},
            "label_entropy": -sum((share * share.ln() for share in (Decimal(n) / sum(counts) for n in counts)), ZERO),
            "even_guess_loss": TWO.ln(),
            "predicted_probability_of_1": {str(label): recall.chances[label][1] for label in (0, 1)}},
        "more_rounds": {**slow.fields([*LONG, *(slow.out + k for k in AROUND)]),
                        "signals": slow.signals},
        "adam": adam.fields(),
        "wh_2": {"left": carried_back(network(draws.demonstration, wh=2), bits)[0], **wh_2.fields()},
        "hidden_32": {"hidden": 32, "steps_back": 12 - 4,
                      "left": carried_back(network(draws.demonstration, 32), draws.twelve[32])[3]},
        "recall_at_3": {"recall_at": 3, "signal": Training(trained, counts, 1, 3, (1,)).signals[0]["Wx"]},
        "alpha_1": {"alpha": ONE, "left": carried_back(network(draws.demonstration, alpha="1"), bits)[0]}}


def diagnosis(net: Net, bits: Sequence[int]) -> dict[str, Any]:
    """Return the derivative's statistics and the sizes of Wh, the singular value from a trace of powers of Wh·Whᵀ."""
    norms, slopes = carried_back(net, bits), [ONE - a * a for h in states(net, bits)[1:] for a in h]
    factors = [before / after for before, after in zip(norms, norms[1:])]
    power, logarithm = [[sum((a * b for a, b in zip(x, y)), ZERO) for y in net["Wh"]] for x in net["Wh"]], ZERO
    for k in range(31):  # the trace of the n-th power lies between the n-th power of the eigenvalue and eight times it
        size = sum((row[i] for i, row in enumerate(power)), ZERO)
        logarithm += size.ln() / 2**k
        power = [[sum((a / size * b / size for a, b in zip(row, column)), ZERO) for column in power] for row in power]
    return {
        "tanh_derivative": {"min": min(slopes), "max": max(slopes), "count": len(slopes),
                            "between_0.1_and_0.5": sum(Decimal("0.1") <= s <= Decimal("0.5") for s in slopes)},
        "without_tanh": carried_back(net, bits, derivative=False)[0],
        "largest_singular_value": (logarithm / 2).exp(), "mean_factor": (norms[0].ln() / 11).exp(),
        "largest_factor": max(factors), "lesson_estimate": Decimal("0.3") ** 11}


def places(text: str) -> int:
    """Return the power of ten of the last recorded digit."""
    mantissa, _, exponent = text.partition("e")
    return int(exponent or 0) - len(mantissa.partition(".")[2])


def compared(record: dict[str, Any], results: dict[str, Any], proven: dict[str, Any]) -> tuple[list[str], int, Decimal]:
    """Return a line for each leaf of the record that is not proven, how many figures are, and the least safe distance.

    All three are by place: the record's texts, the numbers that the program has before it rounds them, the exact ones.
    """
    faults, count, least = [], 0, Decimal(10) ** 9
    for place, text in record.items():
        value, figure = proven.get(place), results.get(place)
        if place.startswith(GIVEN):
            continue
        if place not in proven:
            faults.append(f"{place}：没有重算")
        elif not isinstance(figure, Figure) or not isinstance(value, Decimal):
            faults += [f"{place}：记录 {text}，40 位算得 {value}"] * (text != value)
        else:
            unit, count = Decimal(10) ** places(text), count + 1
            off = max(abs(Decimal(figure.value) - value), abs(value) * Decimal("1e-16"))
            distance = (Decimal("0.5") - abs(value / unit - Decimal(text) / unit)) * unit
            least = min(least, distance / off if off else least)
            if distance < SAFETY * off:
                faults.append(f"{place}：记录 {text}，40 位算得 {value:.12e}，浮点偏离 {off:.1e}，"
                              f"离舍入界 {distance:.1e}")
    return faults + [f"{place}：记录里没有" for place in proven if place not in record], count, least


def main() -> int:
    """Report the least safe figure; exit code 1 when one is not safe or not proven."""
    with localcontext(Context(prec=DIGITS)):
        faults, count, least = compared(
            leaves(loaded(RECORD)["results"]), leaves(lesson_6_1.results(read_draws(), read_seeds()[0])),
            leaves(exact(read_draws())))
    print("\n".join([*faults, f"{count} 个数值按 {DIGITS} 位重算；离舍入界至少是浮点误差的 {least:.0f} 倍"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
