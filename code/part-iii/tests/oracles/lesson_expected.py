"""Makes data/lesson-6-1/expected.json with NumPy, sharing no code with lesson_6_1.py and its modules.

The full batch of 300 sequences goes through matrix products, eigenvalues and singular values come from numpy.linalg,
and the verdicts are decided here anew, by unrounded numbers and by the counts of seeds.json. The unrolled network has
weights of its own at every step, and its gradients are central differences.

    lesson_expected.py            compare the file; --write writes it
    lesson_expected.py --short    only compute the log and the trainings of 800 rounds with h = 8 (for speed.py)
"""
from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))
FOLDER = "data/lesson-6-1"
RECORD = "lesson-6-1-run-v1"
Array = NDArray[np.float64]
SHORT = (1, 100, 300, 500, 700, 800)
AROUND = (-1000, -100, -10, -4, -3, -2, -1, 0, 1, 10, 100)
CONTENT = {}
for _name in ("draws-v1.json", "seeds.json"):
    with open(os.path.join(ROOT, FOLDER, _name), "rb") as _file:
        CONTENT[f"{FOLDER}/{_name}"] = _file.read()
DRAWS, SEEDS = map(json.loads, CONTENT.values())
TRAIN, TEST = (np.array(DRAWS["training"]["labels"][name]) for name in ("train", "test"))


def network(normals: Sequence[float], h: int, alpha: float) -> list[Array]:
    """Return Wx, Wh, b, Wo, bo."""
    z = np.array(normals[: h * (h + 3)]) * (alpha / np.sqrt(h))
    return [z[:h].reshape(1, h), z[h : h + h * h].reshape(h, h), np.zeros(h), z[h + h * h :].reshape(h, 2), np.zeros(2)]


def states(p: list[Array], x: Array) -> list[Array]:
    """Return h_0 … h_T for a batch x of shape (B, T)."""
    h = [np.zeros((len(x), len(p[1])))]
    for t in range(x.shape[1]):
        h.append(np.tanh(x[:, t : t + 1] @ p[0] + h[-1] @ p[1] + p[2]))
    return h


def batch(labels: NDArray[np.int64], steps: int) -> Array:
    """Return the task's inputs: the label first, zeros after it."""
    x = np.zeros((len(labels), steps))
    x[:, 0] = labels
    return x


def chances(p: list[Array], x: Array) -> tuple[list[Array], Array]:
    """Return the states and the softmax of the last step."""
    h = states(p, x)
    z = h[-1] @ p[3] + p[4]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return h, e / e.sum(axis=1, keepdims=True)


def gradients(p: list[Array], x: Array, y: NDArray[np.int64]) -> tuple[float, list[Array]]:
    """Return the mean cross-entropy and its gradient."""
    h, prob = chances(p, x)
    rows = np.arange(len(y))
    loss = float(-np.log(prob[rows, y]).mean())
    prob[rows, y] -= 1
    prob /= len(y)
    g = [np.zeros_like(p[0]), np.zeros_like(p[1]), np.zeros_like(p[2]), h[-1].T @ prob, prob.sum(axis=0)]
    dh = prob @ p[3].T
    for t in range(x.shape[1], 0, -1):
        da = dh * (1 - h[t] ** 2)
        g[0] += x[:, t - 1 : t].T @ da
        g[1] += h[t - 1].T @ da
        g[2] += da.sum(axis=0)
        dh = da @ p[1].T
    return loss, g


class Run:
    """A training and what is known after it."""

    def __init__(self, h: int = 8, alpha: float = 0.3, rate: float = 0.3, rounds: int = 800, steps: int = 8,
                 kept: Sequence[int] = (), adam: bool = False, without_wh: bool = False) -> None:
        p = network(DRAWS["training"]["weights"]["normals"], h, alpha)
        if without_wh:
            p[1][:] = 0
        x = batch(TRAIN, steps)
        self.losses: list[float] = []
        self.gradients: dict[int, list[float]] = {}
        m, v = ([np.zeros_like(a) for a in p] for _ in range(2))
        for n in range(1, rounds + 1):
            loss, g = gradients(p, x, TRAIN)
            if n in kept or loss < 0.1 and (n == 1 or self.losses[-1] >= 0.1):
                self.gradients[n] = [float(np.linalg.norm(a)) for a in g]
            self.losses.append(loss)
            for i in range(5):
                if without_wh and i == 1:
                    continue
                if adam:
                    m[i] = 0.9 * m[i] + 0.1 * g[i]
                    v[i] = 0.999 * v[i] + 0.001 * g[i] ** 2
                    p[i] = p[i] - 0.01 * (m[i] / (1 - 0.9**n)) / (np.sqrt(v[i] / (1 - 0.999**n)) + 1e-8)
                else:
                    p[i] = p[i] - rate * g[i]
        prob = chances(p, batch(TEST, steps))[1]
        self.accuracy = float((prob.argmax(axis=1) == TEST).mean())
        self.chance = {b: float(prob[b == TEST][0, 1]) for b in (0, 1)}
        self.out = int(np.argmax(np.array(self.losses) < 0.1)) + 1 if min(self.losses) < 0.1 else None

    def at(self, n: int) -> float:
        """Return the loss of a round."""
        return self.losses[n - 1]

    def rows(self, shown: Sequence[int]) -> list[dict[str, Any]]:
        """Return the losses of some rounds as recorded."""
        return [{"round": n, "loss": f"{self.at(n):.6f}"} for n in shown if 0 < n <= len(self.losses)]

    def slopes(self) -> list[dict[str, Any]]:
        """Return the sizes of the gradients that were kept as recorded."""
        names = ("Wx", "Wh", "b", "Wo", "bo")
        return [{"round": n, **{name: f"{size:.2e}" for name, size in zip(names, sizes)}}
                for n, sizes in self.gradients.items()]

    def fields(self, shown: Sequence[int] = SHORT) -> dict[str, Any]:
        """Return the recorded fields."""
        return {"losses": self.rows(shown), "test_accuracy": f"{self.accuracy:.4f}"}

    def longer(self, shown: Sequence[int]) -> dict[str, Any]:
        """Return the recorded fields of a training that leaves where it stands."""
        assert self.out is not None
        return {**self.fields(shown), "escaped_at": self.out, "gradients": self.slopes(),
                "escape": self.rows([self.out + k for k in AROUND])}


def demonstration(h: int = 8, alpha: float = 0.3) -> tuple[list[Array], Array, Array]:
    """Return the demonstration's weights and bits."""
    drawn = DRAWS["demonstration"]
    bits = [np.array([drawn[f"after_{h}"][name]], dtype=float) for name in ("five", "twelve")]
    return network(drawn["normals"], h, alpha), bits[0], bits[1]


def left(h: int = 8, alpha: float = 0.3) -> list[float]:
    """Return the norms on the way back, the first step first."""
    p, _, twelve = demonstration(h, alpha)
    hs, v, norms = states(p, twelve), np.ones((1, h)) / np.sqrt(h), []
    for t in range(12, 0, -1):
        norms.append(float(np.linalg.norm(v)))
        v = (v * (1 - hs[t] ** 2)) @ p[1].T
    return norms[::-1]


def left_fields(h: int = 8, alpha: float = 0.3) -> list[dict[str, Any]]:
    """Return them as recorded."""
    return [{"t": t, "norm": f"{n:.6f}", "significant": f"{n:.2e}"} for t, n in enumerate(left(h, alpha), 1)]


def state_fields(alpha: float = 0.3) -> list[dict[str, Any]]:
    """Return the norms of five states as recorded, and how many coordinates each step changes."""
    p, five, _ = demonstration(8, alpha)
    h = states(p, five)
    return [{"t": t, "input": int(five[0, t - 1]), "norm": f"{np.linalg.norm(h[t]):.4f}",
             "replaced": int(np.count_nonzero(h[t] - h[t - 1]))} for t in range(1, 6)]


def last_norm(p: list[Array], bits: Sequence[int], layers: bool = False) -> float:
    """Return the norm of what some bits leave; a feed-forward network of as many layers sees the first bit alone."""
    h = np.zeros(len(p[1]))
    for t, bit in enumerate(bits):
        h = np.tanh((0 if layers and t else bit) * p[0][0] + h @ p[1] + p[2])
    return float(np.linalg.norm(h))


def entropy(share: float) -> float:
    """Return the entropy of two labels."""
    return float(-(share * np.log(share) + (1 - share) * np.log(1 - share)))


def from_radius(wh: Array, radius: float) -> int:
    """Return from which step on Wh alone multiplies by the spectral radius but for 1%: by its eigenvectors."""
    values, vectors = np.linalg.eig(wh)
    parts = np.linalg.solve(vectors, np.ones(len(wh)))
    sizes = np.array([np.linalg.norm(vectors @ (parts * values**k)) for k in range(201)])
    return int(np.flatnonzero(np.abs(sizes[1:] / sizes[:-1] / radius - 1) >= 0.01).max()) + 2


def unrolled() -> dict[str, Any]:
    """Return the network with weights of its own at every step; its gradients are central differences."""
    p = network(DRAWS["training"]["weights"]["normals"], 8, 0.3)
    flat = np.concatenate([p[0].ravel(), p[1].ravel(), p[2]])
    copies = np.tile(flat, (8, 1))
    x, y = batch(np.array([1]), 8), 1

    def output(copies: Array) -> Array:
        h = np.zeros(8)
        for t, c in enumerate(copies):
            h = np.tanh(x[0, t] * c[:8] + h @ c[8:72].reshape(8, 8) + c[72:])
        return np.asarray(h @ p[3] + p[4])

    def loss(copies: Array) -> float:
        z = output(copies)
        return float(np.log(np.exp(z - z.max()).sum()) - (z[y] - z.max()))

    summed = np.zeros(80)
    for t in range(8):
        for i in range(80):
            up, down = copies.copy(), copies.copy()
            up[t, i] += 1e-5
            down[t, i] -= 1e-5
            summed[i] += (loss(up) - loss(down)) / 2e-5
    g = gradients(p, x, np.array([y]))[1]
    shared = np.concatenate([g[0].ravel(), g[1].ravel(), g[2]])
    same = bool(np.allclose(output(copies), states(p, x)[-1][0] @ p[3] + p[4], rtol=1e-14))
    close = bool(np.abs(summed - shared).max() < 1e-9)
    return {"steps": 8, "parameter_count": 8 * 80 + 18, "same_output": same, "gradient_is_sum_of_copies": close}


def short() -> dict[str, Run]:
    """Return the trainings of 800 rounds with h = 8."""
    return {"recall": Run(), "at_3": Run(steps=3, kept=(1,)), "alpha_1": Run(alpha=1.0),
            "adam": Run(adam=True), "no_wh": Run(without_wh=True)}


def results() -> dict[str, Any]:
    """Return what the record's `results` must be."""
    runs = {**short(), "wide": Run(h=32, rounds=300), "slow": Run(rounds=16000, kept=(1, 100, 800, 8000, 14000)),
            "fast": Run(rate=1.0, rounds=5000, kept=(1, 100, 800, 4000))}
    recall, p = runs["recall"], demonstration()[0]
    slopes = 1 - np.array(states(p, demonstration()[2])[1:]) ** 2
    inside = int(((slopes >= 0.1) & (slopes <= 0.5)).sum())
    radius, singular = float(np.abs(np.linalg.eigvals(p[1])).max()), float(np.linalg.norm(p[1], 2))
    norms = np.array(left())
    factors = norms[:-1] / norms[1:]
    straight = float(np.corrcoef(np.arange(12), np.log(norms))[0, 1] ** 2)
    estimate = float(np.power(0.3, 11))
    names = [("Wx", [1, 8]), ("Wh", [8, 8]), ("b", [1, 8]), ("Wo", [8, 2]), ("bo", [1, 2])]
    drawn = DRAWS["demonstration"]["after_8"]
    stream = np.array(drawn["five"] + drawn["twelve"] + drawn["labels"])
    listed: dict[tuple[int, ...], int] = {
        before: int(stream[sum(before) : sum(before) + 300].sum()) for before in ((12,), (5, 12), (5,))}
    larger = {k: [p[0], p[1] * k, *p[2:]] for k in (1, 2, 4)}
    pulse, ones = [1] + [0] * 11, [1] * 8
    pairs = [(bits, last_norm(p, bits), last_norm(p, bits, layers=True)) for bits in (pulse[:8], ones)]
    orders = [(bits, last_norm(p, bits)) for bits in ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])]
    copies = unrolled()
    fields: dict[str, Any] = {
        "parameters": [{"name": name, "shape": shape, "count": int(np.prod(shape))} for name, shape in names],
        "parameter_count": sum(a.size for a in p),
        "setting": {"hidden": len(p[1]), "alpha": "0.3", "steps": len(norms), "steps_back": len(factors),
                    "recall_at": 8, "zeros": int((batch(TRAIN, 8)[:, 1:] == 0).all(axis=0).sum()),
                    "sequences": len(TRAIN), "rounds": len(recall.losses)},
        "hidden_norms": state_fields(),
        "gradient_norms": left_fields(),
        "decay": {"geometric_mean": f"{np.exp(np.log(factors).mean()):.4f}", "smallest": f"{factors.min():.4f}",
                  "largest": f"{factors.max():.4f}", "below_spectral_radius": int((factors < radius).sum()),
                  "straightness": f"{straight:.4f}"},
        "diagnosis": {
            "tanh_derivative": {"min": f"{slopes.min():.4f}", "mean": f"{slopes.mean():.4f}",
                                "max": f"{slopes.max():.4f}", "count": slopes.size, "between_0.1_and_0.5": inside},
            "spectral_radius": f"{radius:.6f}",
            "steps_until_spectral_radius": from_radius(p[1], radius),
            "largest_singular_value": f"{singular:.6f}",
            "lesson_estimate": f"{estimate:.2e}",
            "estimate_over_measured": f"{estimate / norms[0]:.2f}",
        },
        "delayed_recall": {
            **recall.fields(),
            "train_labels": {str(b): int(np.sum(b == TRAIN)) for b in (0, 1)},
            "test_labels": {str(b): int(np.sum(b == TEST)) for b in (0, 1)},
            "label_entropy": f"{entropy(TRAIN.mean()):.6f}",
            "even_guess_loss": f"{np.log(2):.6f}",
            "predicted_probability_of_1": {str(b): f"{recall.chance[b]:.4f}" for b in (0, 1)},
        },
        "listing": [{"drawn_before": list(before), "ones": count, "entropy": f"{entropy(count / 300):.6f}"}
                    for before, count in listed.items()],
        "hidden_32": {"hidden": 32, "steps_back": 8, "gradient_norms": left_fields(32),
                      "delayed_recall": runs["wide"].fields()},
        "recall_at_3": {"recall_at": 3, **runs["at_3"].fields(), "gradients": runs["at_3"].slopes()},
        "alpha_1": {"alpha": "1.0", "hidden_norms": state_fields(1.0), "gradient_norms": left_fields(8, 1.0),
                    "delayed_recall": runs["alpha_1"].fields()},
        "more_rounds": {
            "rate_0.3": runs["slow"].longer((800, 4000, 8000, 12000, 16000)),
            "rate_1.0": runs["fast"].longer((800, 2000, 4000, 5000))},
        "adam": runs["adam"].longer(SHORT),
        "no_recurrence": runs["no_wh"].fields(),
        "unrolled": copies,
        "feed_forward": [{"inputs": bits, "recurrent_norm": f"{one:.2e}", "feed_forward_norm": f"{other:.2e}",
                          "same": abs(one - other) < 1e-12} for bits, one, other in pairs],
        "memory": [{"wh_times": k, "spectral_radius": f"{k * radius:.4f}",
                    "first_norm": f"{last_norm(net, pulse[:1]):.4f}", "last_norm": f"{last_norm(net, pulse):.2e}"}
                   for k, net in larger.items()],
        "order": [{"inputs": bits, "last_norm": f"{size:.4f}"} for bits, size in orders],
        "seeds": SEEDS["results"],
    }
    truths = network_truths(p, pairs, orders, copies) | way_back_truths(norms, straight, slopes, singular, estimate)
    fields["claims"] = in_order(shared(truths | task_truths(runs, listed)) | seed_verdicts())
    return fields


Verdicts = dict[str, Any]  # of each claim: True holds, False fails, a text is the verdict itself


def in_order(truths: Verdicts) -> dict[str, str]:
    """Return the verdicts in the order of printed-v1.json, which is the lesson's."""
    with open(os.path.join(ROOT, FOLDER, "printed-v1.json"), encoding="utf-8") as file:
        names = [claim["id"] for claim in json.load(file)["claims"]]
    assert sorted(names) == sorted(truths)
    words = {True: "holds", False: "fails"}
    return {name: truths[name] if isinstance(truths[name], str) else words[bool(truths[name])] for name in names}


def network_truths(p: list[Array], pairs: Sequence[Any], orders: Sequence[Any], copies: dict[str, Any]) -> Verdicts:
    """Decide what the network itself decides."""
    h = [a[0] for a in states(p, demonstration()[1])]
    idle = [np.linalg.norm(h[t]) < np.linalg.norm(h[t - 1]) for t in (3, 4, 5)]
    kept = [last_norm([p[0], k * p[1], *p[2:]], [1] + [0] * n) for k in (1, 4) for n in (0, 11)]
    alike = [abs(one - other) < 1e-12 for _, one, other in pairs]
    return {
        "parameters-98": sum(a.size for a in p) == 98,
        "most-are-in-wh": p[1].size == 64,
        "table-has-four-and-two-rows": len(p) == 6,
        "output-of-one-dimension": p[3].shape[1] == 1,
        "wh-is-a-product-of-states": all(np.allclose(np.outer(a, b), p[1]) for a, b in zip(h, h[1:])),
        "order-matters": orders[0][1] != orders[1][1],
        "memory-is-wh": orders[0][1] == orders[1][1],
        "unrolled-is-a-deep-network": all(alike) or "depends" if any(alike) else False,
        "backpropagation-is-unchanged": copies["same_output"] and copies["gradient_is_sum_of_copies"],
        "parameters-do-not-grow": copies["parameter_count"] > sum(a.size for a in p),
        "state-decays-by-itself": all(idle),
        "memory-is-up-to-wh": kept[1] < kept[0] and kept[3] > kept[2],
        "state-is-overwritten": all((a != b).all() for a, b in zip(h[1:], h[2:])),
    }


def way_back_truths(norms: Array, straight: float, slopes: Array, singular: float, estimate: float) -> Verdicts:
    """Decide what the vector that is carried back decides."""
    return {
        "gradient-reaches-zero": norms[0] == 0 or "depends" if norms[0] < 5e-7 else False,
        "gradient-of-the-loss": abs(norms[-1] - 1) > 1e-12,
        "wh-shrinks-the-gradient": singular < 1,
        "tanh-derivative-is-small": np.median((slopes >= 0.1) & (slopes <= 0.5)) == 1,
        "same-order-of-magnitude": abs(np.log10(estimate / norms[0])) < 1,
        "measured-0.000013": bool(np.any(np.round(norms, 6) == 0.000013)),
        "no-pause": bool((np.diff(norms) > 0).all()),
        "smooth-decay": bool((np.diff(norms) > 0).all()) and (straight > 0.95 or "depends"),
    }


def task_truths(runs: dict[str, Run], listed: dict[tuple[int, ...], int]) -> Verdicts:
    """Decide what the lesson's own training decides."""
    recall, slow = runs["recall"], runs["slow"]
    printed = [recall.at(n) for n in (100, 300, 500, 700)]
    signals = [sizes[0] for sizes in slow.gradients.values()]
    one, other = recall.chance.values()
    return {
        "first-input-does-nothing": abs(one - other) < 1e-3,
        "loss-never-moves": max(recall.losses) - min(recall.losses) < 1e-4,
        "loss-is-ln-2": abs(recall.at(800) - np.log(2)) < abs(recall.at(800) - entropy(TRAIN.mean())),
        "output-near-half": abs(one - other) < 1e-3 and round(one, 1) == round(other, 1) == 0.5,
        "accuracy-is-guessing": (one > 0.5) == (other > 0.5) and recall.accuracy == 0.5,
        "four-decimals-stand-still": len({round(loss, 4) for loss in printed}) == 1,
        "first-weight-gets-no-signal": "depends" if min(signals) == 0 < max(signals) else max(signals) == 0,
        "log-comes-from-the-listing": round(entropy(listed[(12,)] / 300), 4) == round(recall.at(800), 4),
    }


def shared(here: Verdicts) -> Verdicts:
    """Return the verdicts on this network, "depends" where the counted seeds do not show the same.

    A loss that stands at the entropy goes with answers like this network's, and with no loss of ln 2.
    """
    counts = SEEDS["results"]
    lesson, stand = counts["measures"]["alpha_0.3"], counts["trainings"]["gd_0.3_800"]["at_entropy"]
    seen = {"state-decays-by-itself": lesson["state_decays"], "no-pause": lesson["gradient_falls"],
            "smooth-decay": lesson["gradient_straight"], "tanh-derivative-is-small": lesson["derivative_mostly_small"],
            "same-order-of-magnitude": lesson["estimate_within_factor_ten"],
            "wh-shrinks-the-gradient": lesson["largest_singular_value_below_one"],
            "memory-is-up-to-wh": counts["measures"]["larger_wh_keeps_more"],
            "first-input-does-nothing": stand, "output-near-half": stand, "accuracy-is-guessing": stand,
            "loss-is-ln-2": counts["seeds"] - stand}
    few, agreed = counts["seeds"] / 10, dict(here)
    for name, count in seen.items():
        others = counts["seeds"] - count if here[name] else count  # those that show the contrary
        if others > few:
            agreed[name] = "depends"
    return agreed


def seed_verdicts() -> Verdicts:
    """Decide what the counts over seeds decide: nine seeds of ten, one of ten, or between."""
    counts = SEEDS["results"]
    total, measures = counts["seeds"], counts["measures"]
    sure = {name: row["learned"] / total for name, row in counts["trainings"].items()}
    perhaps = {name: 1 - row["not_learned"] / total for name, row in counts["trainings"].items()}

    def useless(*names: str) -> bool | str:
        return all(perhaps[name] <= 0.1 for name in names) or (
            False if any(sure[name] >= 0.9 for name in names) else "depends")

    def true_on(count: int) -> bool | str:
        return count >= 0.9 * total or (False if count <= 0.1 * total else "depends")

    vanish = [measures[f"alpha_{alpha}"]["gradient_below_a_thousandth"] / total for alpha in ("0.3", "1.0")]
    lstm = [sure["lstm_forget_0_800"] >= 0.9, sure["lstm_forget_1_800"] >= 0.9]
    return {
        "wh-carries-memory": sure["adam_0.01_800"] >= 0.9 and perhaps["without_wh_adam_0.01_800"] <= 0.1,
        "vanishing-is-inevitable": vanish[0] >= 0.9 and (vanish[1] >= 0.9 or "depends"),
        "cannot-remember-the-start": useless("gd_0.3_800", "gd_0.3_64000", "adam_0.01_800"),
        "not-slow-but-not-started": useless("gd_0.3_64000"),
        "not-undertrained": useless("gd_0.3_64000"),
        "not-convergence": sure["gd_0.3_64000"] >= 0.9,
        "rate-and-rounds-do-not-help": useless("gd_1.0_800", "gd_0.3_64000", "gd_1.0_8000"),
        "only-structure-helps": useless("adam_0.01_800", "adam_0.001_800", "alpha_1.0_800", "gd_0.3_64000"),
        "question-wider": true_on(measures["hidden_32_keeps_more_over_8_steps"]),
        "question-recall-at-3": sure["recall_at_3_800"] >= 0.9,
        "question-alpha": true_on(measures["alpha_1.0_keeps_more_over_11_steps"]),
        "more-rounds-change-nothing": useless("gd_0.3_8000"),
        "wider-does-not-help": useless("hidden_32_800"),
        "lstm-reaches-one": all(lstm) or ("depends" if any(lstm) else False),
    }


def main() -> int:
    """Compare or write the expectation, or only compute what speed.py times."""
    if sys.argv[1:] == ["--short"]:
        print(left_fields()[0], state_fields()[1], *(run.fields() for run in short().values()))
        return 0
    sys.path.insert(0, os.path.join(ROOT, "code", "part-iii"))
    from support.record import layout
    from tests.oracles.held import held

    inputs = [{"path": path, "sha256": hashlib.sha256(content).hexdigest()} for path, content in CONTENT.items()]
    text = layout({"record": RECORD, "inputs": inputs, "results": results()}) + "\n"
    return held(f"{FOLDER}/expected.json", text, sys.argv[1:] == ["--write"])


if __name__ == "__main__":
    sys.exit(main())
