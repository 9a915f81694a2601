"""Makes data/lesson-6-1/seeds.json: on how many seeds each setting of lesson 6.1 learns, and what else hangs on one.

All seeds are trained at once, as one more axis of NumPy's arrays. A training has learned when both inputs are answered
rightly and the mean loss is below 0.1. Only counts are written, and only such as another machine would count:

- Every training runs three times: as drawn; with its hidden units in reverse order, which is the same network but adds
  up in another order; and so with each number of it changed by a share of 1e-10, a million times a float's rounding.
  Where the losses of the three come to differ by 0.05 in any round (a rate that is too high throws them about; of 200
  seeds they differ by 0.018 at most or by 0.129 at least), the end hangs on digits that no two machines need share:
  such a training is undecided, neither learned nor not learned.
- Every quantity that is compared with a threshold must lie off it by a millionth, or the program stops.

Nothing of the lesson's program is used but, for --blocks, its claims. First the LSTM's cell is held against the book's
example 12.3, Adam against the losses of the lesson's record, and both networks' gradients against central differences.

    seeds.py                  compare the file: seeds 0 to 19; --write writes it (half a minute)
    seeds.py --blocks         ten blocks of twenty seeds up to 199: exit code 1 where a verdict is not the ledger's
                              (about three minutes; no verdict turns in any block)
"""
from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any, Callable, Iterator, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from support.command import located
from support.record import layout
from tests.oracles.held import held

DRAWS, SEEDS, RECORD, PRINTED = (f"data/lesson-6-1/{name}.json" for name in ("draws-v1", "seeds", "run", "printed-v1"))
Array = NDArray[np.float64]
Net = list[Array]  # Wx, Wh, b, Wo, bo, each with the seeds as its first axis
LEARNED, APART, CHANGE, STILL, BLOCK = 0.1, 0.05, 1e-10, 1e-4, 20

with open(located(DRAWS), "rb") as _file:
    CONTENT = _file.read()
DRAWN = json.loads(CONTENT)
SHARE = np.bincount(DRAWN["training"]["labels"]["train"]) / len(DRAWN["training"]["labels"]["train"])
ENTROPY = float(-(SHARE * np.log(SHARE)).sum())
TWELVE = {h: DRAWN["demonstration"][f"after_{h}"]["twelve"] for h in (8, 32)}


class Setting(NamedTuple):
    """One row of the table; the lesson's own unless told otherwise."""

    rounds: int = 800
    rate: float = 0.3
    hidden: int = 8
    alpha: float = 0.3
    wh: float = 1.0
    recall_at: int = 8
    adam: bool = False
    forget_bias: float | None = None  # of an LSTM; a tanh network has none


OWN, LONG = "gd_0.3_800", "gd_0.3_64000"
SETTINGS = {
    OWN: Setting(), LONG: Setting(64000), "gd_1.0_800": Setting(rate=1.0),
    "adam_0.01_800": Setting(rate=0.01, adam=True), "adam_0.001_800": Setting(rate=0.001, adam=True),
    "wh_2_800": Setting(wh=2.0), "alpha_1.0_800": Setting(alpha=1.0), "recall_at_3_800": Setting(recall_at=3),
    "hidden_32_800": Setting(hidden=32),
    "lstm_forget_0_800": Setting(forget_bias=0.0), "lstm_forget_1_800": Setting(forget_bias=1.0),
}


def drawn(seeds: Sequence[int], setting: Setting) -> Net:
    """Return the networks of some seeds; an LSTM's gates i, f, o, g lie side by side."""
    h, scale = setting.hidden, setting.alpha / np.sqrt(setting.hidden)
    gates = 1 if setting.forget_bias is None else 4
    nets = []
    for seed in seeds:
        normal = np.random.default_rng(seed).standard_normal
        bias = np.zeros((1, gates * h))
        if setting.forget_bias is not None:
            bias[:, h : 2 * h] = setting.forget_bias
        nets.append([normal((1, gates * h)) * scale, normal((h, gates * h)) * scale * setting.wh, bias,
                     normal((h, 2)) * scale, np.zeros((1, 2))])
    return [np.array(arrays) for arrays in zip(*nets)]


def turned(net: Net) -> Net:
    """Return the same networks with their hidden units in reverse order."""
    h, width = net[1].shape[1:]
    columns = np.arange(width).reshape(-1, h)[:, ::-1].ravel()
    return [net[0][..., columns], net[1][:, ::-1][..., columns], net[2][..., columns], net[3][:, ::-1], net[4]]


def changed(net: Net) -> Net:
    """Return networks whose every number is another by a share of CHANGE."""
    sign = np.random.default_rng(0).choice
    return [a * (1 + CHANGE * sign([-1.0, 1.0], a.shape)) for a in net]


def swapped(a: Array) -> Array:
    """Return matrices transposed."""
    return np.swapaxes(a, 1, 2)


def output(net: Net, h: Array) -> tuple[Array, Array, Net]:
    """Return loss, gradient by the last state, and by Wo and bo. Axes of h: seed, input, unit; input j asks for j."""
    z = h @ net[3] + net[4]
    e = np.exp(z - z.max(axis=2, keepdims=True))
    p = e / e.sum(axis=2, keepdims=True)
    loss = -(np.log(p[:, [0, 1], [0, 1]]) * SHARE).sum(axis=1)
    dz = (p - np.eye(2)) * SHARE[:, None]
    return loss, dz @ swapped(net[3]), [swapped(h) @ dz, dz.sum(axis=1, keepdims=True)]


def into(gradient: Net, x: Array, t: int, before: Array, da: Array) -> None:
    """Add what the preactivations of step t give to the gradient by Wx, Wh and b."""
    gradient[0] += (x[:, t - 1 : t] * da).sum(axis=1, keepdims=True)
    gradient[1] += swapped(before) @ da
    gradient[2] += da.sum(axis=1, keepdims=True)


def tanh_pass(net: Net, x: Array) -> tuple[Array, Net]:
    """Return mean loss and gradient of tanh networks for the inputs x (input, step)."""
    states = [np.zeros((len(net[0]), len(x), net[1].shape[1]))]
    for t in range(x.shape[1]):
        states.append(np.tanh(x[:, t : t + 1] * net[0] + states[-1] @ net[1] + net[2]))
    loss, dh, ends = output(net, states[-1])
    gradient = [np.zeros_like(a) for a in net[:3]]
    for t in range(x.shape[1], 0, -1):
        da = dh * (1 - states[t] ** 2)
        into(gradient, x, t, states[t - 1], da)
        dh = da @ swapped(net[1])
    return loss, [*gradient, *ends]


def lstm_cell(i: Array, f: Array, o: Array, g: Array, cell: Array) -> tuple[Array, Array]:
    """Return c_t and h_t from the gates, the candidate and c_{t-1}."""
    now = f * cell + i * g
    return now, o * np.tanh(now)


def lstm_pass(net: Net, x: Array) -> tuple[Array, Net]:
    """Return mean loss and gradient of LSTMs: c_t = f·c_{t-1} + i·g, h_t = o·tanh(c_t)."""
    h = net[1].shape[1]
    states, cells, kept = [np.zeros((len(net[0]), len(x), h))], [np.zeros((len(net[0]), len(x), h))], []
    for t in range(x.shape[1]):
        a = x[:, t : t + 1] * net[0] + states[-1] @ net[1] + net[2]
        i, f, o = (1 / (1 + np.exp(-a[..., k * h : (k + 1) * h])) for k in range(3))
        g = np.tanh(a[..., 3 * h :])
        for history, now in zip((cells, states), lstm_cell(i, f, o, g, cells[-1])):
            history.append(now)
        kept.append((i, f, o, g))
    loss, dh, ends = output(net, states[-1])
    gradient, dc = [np.zeros_like(a) for a in net[:3]], np.zeros_like(dh)
    for t in range(x.shape[1], 0, -1):
        i, f, o, g = kept[t - 1]
        tanh_c = np.tanh(cells[t])
        dc = dc + dh * o * (1 - tanh_c**2)
        da = np.concatenate([dc * g * i * (1 - i), dc * cells[t - 1] * f * (1 - f), dh * tanh_c * o * (1 - o),
                             dc * i * (1 - g**2)], axis=2)
        into(gradient, x, t, states[t - 1], da)
        dh, dc = da @ swapped(net[1]), dc * f
    return loss, [*gradient, *ends]


def losses(net: Net, setting: Setting) -> Iterator[Array]:
    """Yield the losses of all networks before each round's update, then those after the last."""
    x = np.zeros((2, setting.recall_at))
    x[1, 0] = 1
    one_pass = tanh_pass if setting.forget_bias is None else lstm_pass
    mean, square = ([np.zeros_like(a) for a in net] for _ in range(2))
    for n in range(1, setting.rounds + 1):
        loss, gradient = one_pass(net, x)
        yield loss
        if setting.adam:
            mean = [0.9 * m + 0.1 * g for m, g in zip(mean, gradient)]
            square = [0.999 * v + 0.001 * g**2 for v, g in zip(square, gradient)]
            gradient = [(m / (1 - 0.9**n)) / (np.sqrt(v / (1 - 0.999**n)) + 1e-8) for m, v in zip(mean, square)]
        net = [a - setting.rate * g for a, g in zip(net, gradient)]
    yield one_pass(net, x)[0]


# ---------------------------------------------------------------- first


def hold_against_differences(one_pass: Callable[[Net, Array], tuple[Array, Net]], setting: Setting) -> None:
    """Stop unless each derivative is what the loss does when one number moves, on inputs that are not zero."""
    dice = np.random.default_rng(5)
    net = [a + dice.normal(0, 0.5, a.shape) for a in drawn(range(3), setting)]
    x = dice.normal(0, 1, (2, 6))
    gradient = one_pass(net, x)[1]
    places = [(k, (slice(None), *place)) for k, array in enumerate(net) for place in np.ndindex(array.shape[1:])]
    for k, place in places:
        ends = []
        for move in (1e-5, -1e-5):
            moved = [a.copy() for a in net]
            moved[k][place] += move
            ends.append(one_pass(moved, x)[0])
        if np.abs((ends[0] - ends[1]) / 2e-5 - gradient[k][place]).max() > 1e-8:
            sys.exit(f"{one_pass.__name__}: the gradient of number {place} of array {k} is not its central difference")


def hold_against_the_texts() -> None:
    """Stop unless the cell gives example 12.3 of the book, and Adam the losses that the lesson's record has proven."""
    given = (np.array(number) for number in (0.2, 0.9, 0.75, 0.5, 0.8))
    if [f"{number:.6f}" for number in lstm_cell(*given)] != ["0.820000", "0.506302"]:
        sys.exit("lstm_cell: example 12.3 comes out differently")
    normals = np.array(DRAWN["training"]["weights"]["normals"][:88]) * (0.3 / np.sqrt(8))
    one, many, out = (a.reshape(1, -1, width) for a, width in zip(np.split(normals, [8, 72]), (8, 8, 2)))
    net = [one, many, np.zeros((1, 1, 8)), out, np.zeros((1, 1, 2))]
    came = {n: f"{loss[0]:.6f}" for n, loss in enumerate(losses(net, SETTINGS["adam_0.01_800"]), 1)}
    with open(located(RECORD), encoding="utf-8") as file:
        for row in json.load(file)["results"]["adam"]["losses"]:
            if came[row["round"]] != row["loss"]:
                sys.exit(f"Adam: loss {came[row['round']]} in round {row['round']}, recorded {row['loss']}")


# ---------------------------------------------------------------- counting


def below(values: Array, threshold: float | Array) -> NDArray[np.bool_]:
    """Say which values lie below a threshold; stop where one lies so near that rounding could decide it."""
    if (np.abs(values / threshold - 1) < 1e-6).any():
        sys.exit(f"a value lies at the threshold {threshold}: {values}")
    return np.asarray(values < threshold)


class Trained(NamedTuple):
    """How a training came out on each seed, and what is known of its losses (which run, which seed)."""

    counts: dict[str, int]
    first: NDArray[np.int64]  # the first round below LEARNED, 0 where there is none
    moved: Array  # since round 100
    last: Array


def trained(seeds: Sequence[int], name: str) -> Trained:
    """Return how many of the seeds learn, do not, and cannot be decided.

    With a mean loss below 0.1 both inputs are answered rightly: an input that is not, alone costs
    0.4667 · ln 2 = 0.32. The long training ends as soon as every run has learned.
    """
    setting, net = SETTINGS[name], drawn(seeds, SETTINGS[name])
    three = [np.concatenate(arrays) for arrays in zip(net, turned(net), changed(turned(net)))]
    apart, first = np.zeros(len(seeds)), np.zeros((3, len(seeds)), dtype=np.int64)
    last = early = np.zeros((3, len(seeds)))
    for n, loss in enumerate(losses(three, setting), 1):
        last = loss.reshape(3, -1)
        early = last if n == 100 else early
        apart = np.maximum(apart, np.ptp(last, axis=0))
        first[(first == 0) & (last < LEARNED)] = n
        if name == LONG and first.all():
            break
    decided, learned = below(apart, APART), below(last, LEARNED)
    if (learned != learned[0])[:, decided].any():
        sys.exit(f"{name}: runs that stay together end on either side of a threshold")
    together, parted = apart[decided].max(initial=0), apart[~decided].min(initial=np.inf)
    print(f"{name}: runs that stay together {together:.1e}, that part {parted:.1e}", file=sys.stderr)
    which = {"learned": learned[0] & decided, "not_learned": ~learned[0] & decided, "undecided": ~decided}
    return Trained({key: int(each.sum()) for key, each in which.items()}, first, np.abs(last - early), last)


def carried(seeds: Sequence[int], setting: Setting) -> tuple[Array, Array, Array]:
    """Return what is left of a unit vector at steps 1 to 12 (seed, step), the same at step 1 without tanh's derivative,
    and the derivatives, on the lesson's bits.
    """
    net = drawn(seeds, setting)
    h, back = [np.zeros_like(net[2])], swapped(net[1])
    for bit in TWELVE[setting.hidden]:
        h.append(np.tanh(bit * net[0] + h[-1] @ net[1] + net[2]))
    v, norms = np.full((len(seeds), 1, setting.hidden), 1 / np.sqrt(setting.hidden)), []
    without = v
    for state in h[:0:-1]:
        norms.append(np.linalg.norm(v, axis=(1, 2)))
        v = (v * (1 - state**2)) @ back
        without = without @ back if state is not h[1] else without
    return np.array(norms[::-1]).T, np.linalg.norm(without, axis=(1, 2)), 1 - np.array(h[1:]) ** 2


def measures(seeds: Sequence[int]) -> dict[str, int]:
    """Return on how many seeds the lesson's table would show what it says of it."""
    (norms, without, slopes), large, wide = (carried(seeds, setting) for setting in (
        Setting(), Setting(alpha=1.0), Setting(hidden=32)))
    inside = ((slopes >= 0.1) & (slopes <= 0.5)).mean(axis=(0, 2, 3))
    which = {
        "gradient_falls_at_each_step": below(norms[:, :-1] / norms[:, 1:], 0.75).all(axis=1),
        "gradient_below_a_thousandth": below(norms[:, 0], 1e-3),
        "gradient_below_a_thousandth_at_alpha_1.0": below(large[0][:, 0], 1e-3),
        "derivative_mostly_small": inside > 0.5,
        "derivative_takes_half": ~below(without, np.sqrt(norms[:, 0])),
        "hidden_32_keeps_more": below(norms[:, 3], wide[0][:, 3]),
    }
    return {name: int(each.sum()) for name, each in which.items()}


def results(seeds: Sequence[int]) -> dict[str, Any]:
    """Return everything that is counted."""
    runs = {name: trained(seeds, name) for name in SETTINGS}
    stands = below(runs[OWN].moved, STILL).all(axis=0)
    there = below(np.abs(runs[OWN].last - ENTROPY), STILL).all(axis=0)
    rounds = np.sort(runs[LONG].first[0])
    if (runs[LONG].first != runs[LONG].first[0]).any():
        sys.exit("the three runs of a seed learn in different rounds")
    return {
        "first_seed": seeds[0], "seeds": len(seeds), "trainings": {name: run.counts for name, run in runs.items()},
        "plateau": {"stands": int(stands.sum()), "at_entropy": int((stands & there).sum())},
        "rounds_to_learn": {"least": int(rounds[0]), "median": int(rounds[(len(rounds) - 1) // 2]),
                            "most": int(rounds[-1])},
        "measures": measures(seeds)}


def blocks() -> int:
    """Print what ten blocks of seeds count; the exit code is 1 where one of them turns a verdict of the ledger's."""
    from lesson import lesson_claims
    from support import verdicts

    with open(located(RECORD), encoding="utf-8") as file:
        recorded, ledger, code = json.load(file)["results"], verdicts.claims(PRINTED), 0
    for first in range(0, 10 * BLOCK, BLOCK):
        counted = results(range(first, first + BLOCK))
        reached = verdicts.judged(lesson_claims, {**recorded, "seeds": counted}, ledger)
        turned = [claim["id"] for claim in ledger if reached[claim["id"]] != claim["verdict"]]
        code |= bool(turned)
        print(layout(counted), f"变了的判定：{'、'.join(turned) or '没有'}", sep="\n", flush=True)
    return code


def main(arguments: Sequence[str]) -> int:
    """Compare or write the file, or go through ten blocks of seeds."""
    print("约需三分钟" if arguments == ["--blocks"] else "约需半分钟", file=sys.stderr)
    hold_against_the_texts()
    hold_against_differences(tanh_pass, Setting())
    hold_against_differences(lstm_pass, Setting(forget_bias=1.0))
    if arguments == ["--blocks"]:
        return blocks()
    inputs = [{"path": DRAWS, "sha256": hashlib.sha256(CONTENT).hexdigest()}]
    text = layout({"record": "lesson-6-1-seeds-v1", "inputs": inputs, "results": results(range(BLOCK))}) + "\n"
    return held(SEEDS, text, list(arguments) == ["--write"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
