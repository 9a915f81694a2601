"""Proves each rounded figure of lesson 6.1's record: recomputes it with `decimal` at 40 digits.

A figure is safe when the exact value rounds to the recorded digits and lies further from the nearest rounding
boundary than a hundred times what the float computation was off: then no other libm can turn it. A count that hangs
on a comparison of such numbers must be the same here. Every figure and every such count of the record must be among
those that are proven; seeds.json's counts have a proof of their own (seeds.py).
The whole computation is written again here, without the full batch's shortcuts and without floats: the longest
training has 16,000 rounds, about half of the minute that all of it takes.
"""
from __future__ import annotations

import os
import sys
from decimal import Context, Decimal, localcontext
from typing import Any, Sequence

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import lesson_6_1
from checking.reading import leaves
from lesson.figure import Figure
from lesson.pinned import RECORD, Draws, read_draws, read_seeds
from lesson.trainings import SHOWN
from tests.shared import loaded

Row = list[Decimal]
Net = dict[str, Any]
DIGITS, SAFETY = 40, 100
# Counts that hang on comparisons of figures.
COUNTED = ("escaped_at", "between_0.1_and_0.5", "below_spectral_radius", "steps_until_spectral_radius", "replaced")
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


class Training:
    """What a training leaves behind; `counts` are those of the two labels."""

    def __init__(self, net: Net, counts: Sequence[int], rounds: int, rate: str = "0.3", steps: int = 8,
                 kept: Sequence[int] = (), adam: bool = False, frozen: str = "") -> None:
        self.losses: list[Decimal] = []
        self.gradients: dict[int, dict[str, Decimal]] = {}
        self.out: int | None = None
        m = {name: [[ZERO] * len(row) for row in rows] for name, rows in net.items()}
        v = {name: [[ZERO] * len(row) for row in rows] for name, rows in net.items()}
        keep, square, small, step = Decimal("0.9"), Decimal("0.999"), Decimal("1e-8"), Decimal(rate)
        net = dict(net)
        for n in range(1, rounds + 1):
            loss, g = round_of_training(net, counts, steps)
            self.losses.append(loss)
            if self.out is None and loss < Decimal("0.1"):
                self.out = n
            if n in kept or n == self.out:
                self.gradients[n] = {name: length(sum(rows, [])) for name, rows in g.items()}
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
        self.chances = [chances(net, label, steps)[1] for label in (0, 1)]

    def fields(self, tests: Sequence[int], shown: Sequence[int] = SHOWN) -> Any:
        """Return what the record has of it; `tests` counts the two labels of the test set."""
        right = sum(tests[label] for label in (0, 1) if self.chances[label][label] > Decimal("0.5"))
        return {"losses": [{"loss": self.losses[n - 1]} for n in shown if 0 < n <= len(self.losses)],
                "test_accuracy": Decimal(right) / sum(tests)}

    def longer(self, tests: Sequence[int], shown: Sequence[int]) -> Any:
        """Return what the record has of a training that leaves where it stands."""
        assert self.out is not None
        around = [self.out + k for k in (-1000, -100, -10, -4, -3, -2, -1, 0, 1, 10, 100)]
        return {**self.fields(tests, shown), "escaped_at": self.out, "gradients": list(self.gradients.values()),
                "escape": self.fields(tests, around)["losses"]}


def exact(draws: Draws) -> Any:
    """Return the record's figures and counts anew, in its own places; what is no figure is left out."""
    net, bits = network(draws.demonstration, 8, "0.3"), draws.twelve[8]
    counts, tests = ([labels.count(label) for label in (0, 1)] for labels in (draws.train, draws.test))
    shares = [Decimal(count) / sum(counts) for count in counts]
    narrow, no_wh = network(draws.weights, 8, "0.3"), network(draws.weights, 8, "0.3")
    no_wh["Wh"] = [[ZERO] * 8 for _ in range(8)]
    slow = Training(narrow, counts, 16000, kept=(1, 100, 800, 8000, 14000))
    fast = Training(narrow, counts, 5000, "1.0", kept=(1, 100, 800, 4000))
    early = Training(narrow, counts, 800, steps=3, kept=(1,))
    recall = Training(narrow, counts, 800)
    pulse = [1] + [0] * 11
    larger = [(k, {**net, "Wh": [[k * w for w in row] for row in net["Wh"]]}) for k in (1, 2, 4)]
    return {
        "setting": {"alpha": Decimal("0.3")},
        "hidden_norms": state_rows(net, draws.five[8]),
        "gradient_norms": norm_rows(carried_back(net, bits)),
        **way_back(net, bits),
        "delayed_recall": {
            **recall.fields(tests), "label_entropy": entropy(shares[1]), "even_guess_loss": TWO.ln(),
            "predicted_probability_of_1": {str(label): recall.chances[label][1] for label in (0, 1)}},
        "listing": [{"entropy": entropy(Decimal(sum(labels)) / len(labels))} for labels in listed(draws)],
        "hidden_32": {
            "gradient_norms": norm_rows(carried_back(network(draws.demonstration, 32, "0.3"), draws.twelve[32])),
            "delayed_recall": Training(network(draws.weights, 32, "0.3"), counts, 300).fields(tests)},
        "recall_at_3": {**early.fields(tests), "gradients": list(early.gradients.values())},
        "alpha_1": {
            "alpha": ONE, "hidden_norms": state_rows(network(draws.demonstration, 8, "1"), draws.five[8]),
            "gradient_norms": norm_rows(carried_back(network(draws.demonstration, 8, "1"), bits)),
            "delayed_recall": Training(network(draws.weights, 8, "1"), counts, 800).fields(tests)},
        "more_rounds": {"rate_0.3": slow.longer(tests, (800, 4000, 8000, 12000, 16000)),
                        "rate_1.0": fast.longer(tests, (800, 2000, 4000, 5000))},
        "adam": Training(narrow, counts, 800, "0.01", adam=True).longer(tests, SHOWN),
        "no_recurrence": Training(no_wh, counts, 800, frozen="Wh").fields(tests),
        "feed_forward": [{"recurrent_norm": length(states(net, ones)[-1]),
                          "feed_forward_norm": length(states(net, pulse[:8])[-1])} for ones in (pulse[:8], [1] * 8)],
        "memory": [{"spectral_radius": gelfand(wide["Wh"], 30), "first_norm": length(states(wide, pulse)[1]),
                    "last_norm": length(states(wide, pulse)[-1])} for _, wide in larger],
        "order": [{"last_norm": length(states(net, order)[-1])} for order in ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])],
    }


def state_rows(net: Net, bits: Sequence[int]) -> list[Any]:
    """Return the norm of each state, and how many coordinates each step changes."""
    h = states(net, bits)
    return [{"norm": length(now), "replaced": sum(a != b for a, b in zip(before, now))}
            for before, now in zip(h, h[1:])]


def norm_rows(norms: Sequence[Decimal]) -> list[Any]:
    """Return what is left at each step, for both of its forms."""
    return [{"norm": size, "significant": size} for size in norms]


def entropy(share: Decimal) -> Decimal:
    """Return the entropy of two labels."""
    return -share * share.ln() - (1 - share) * (1 - share).ln()


def listed(draws: Draws) -> list[list[int]]:
    """Return the labels that the lesson's listing draws, in three orders."""
    stream = [*draws.five[8], *draws.twelve[8], *draws.listed]
    return [stream[start : start + 300] for start in (12, 17, 5)]


def way_back(net: Net, bits: Sequence[int]) -> dict[str, Any]:
    """Return the decay, the derivative's statistics and the sizes of Wh, the latter from other formulas."""
    norms, matrix = carried_back(net, bits), net["Wh"]
    factors = [before / after for before, after in zip(norms, norms[1:])]
    slopes = [ONE - a * a for h in states(net, bits)[1:] for a in h]
    square = [[sum((a * b for a, b in zip(x, y)), ZERO) for y in matrix] for x in matrix]  # Wh·Whᵀ
    radius, estimate = gelfand(matrix, 30), Decimal("0.3") ** 11
    heights = [size.ln() for size in norms]
    sx, sy = sum(range(12)), sum(heights)  # r² by its textbook form: n·Σxy - Σx·Σy over the root of both spreads
    over = 12 * sum(x * y for x, y in enumerate(heights)) - sx * sy
    spreads = (12 * sum(x * x for x in range(12)) - sx**2) * (12 * sum((y * y for y in heights), ZERO) - sy**2)
    return {
        "decay": {"geometric_mean": (sum((factor.ln() for factor in factors), ZERO) / 11).exp(),
                  "smallest": min(factors), "largest": max(factors),
                  "below_spectral_radius": sum(factor < radius for factor in factors),
                  "straightness": over**2 / spreads},
        "diagnosis": {
            "tanh_derivative": {"min": min(slopes), "mean": sum(slopes, ZERO) / len(slopes), "max": max(slopes),
                                "between_0.1_and_0.5": sum(Decimal("0.1") <= s <= Decimal("0.5") for s in slopes)},
            "spectral_radius": radius, "largest_singular_value": gelfand(square, 30).sqrt(),
            "steps_until_spectral_radius": until(matrix, radius), "lesson_estimate": estimate,
            "estimate_over_measured": estimate / norms[0]}}


def until(matrix: list[Row], radius: Decimal) -> int:
    """Return from which step on Wh alone multiplies by the spectral radius but for a hundredth."""
    v, sizes = [ONE] * len(matrix), [Decimal(len(matrix)).sqrt()]
    for _ in range(200):
        v = [sum((a * w for a, w in zip(v, row)), ZERO) for row in matrix]
        sizes.append(length(v))
    return max(k for k in range(1, 201) if abs(sizes[k] / sizes[k - 1] - radius) >= radius / 100) + 1


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


def compared(record: dict[str, Any], results: dict[str, Any], proven: dict[str, Any]) -> tuple[list[str], int, Decimal]:
    """Return a line for each leaf of the record that is not proven, how many figures are, and the least safe distance.

    All three are by place: the record's texts, the numbers that the program has before it rounds them, the exact ones.
    """
    faults, count, least = [], 0, Decimal(10) ** 9
    for place, text in record.items():
        value, figure = proven.get(place), results.get(place)
        counted = place.rpartition("/")[2] in COUNTED
        if value is None and (counted or isinstance(figure, Figure)):
            faults.append(f"{place}：没有重算")
        elif value is None:
            continue
        elif not isinstance(figure, Figure):
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
            dict(leaves(loaded(RECORD)["results"])), dict(leaves(lesson_6_1.results(read_draws(), read_seeds()[0]))),
            dict(leaves(exact(read_draws()))))
    print("\n".join([*faults, f"{count} 个数值按 {DIGITS} 位重算；离舍入界至少是浮点误差的 {least:.0f} 倍"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
