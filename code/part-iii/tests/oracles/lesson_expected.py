"""Writes data/lesson-6-1/expected.json with NumPy, sharing no code with lesson_6_1.py and its modules.

The full batch of 300 sequences goes through matrix products, eigenvalues and singular values come from numpy.linalg,
and the verdicts are decided by the numbers themselves, not by their recorded digits. The unrolled network has weights
of its own at every step, and its gradients are held against central differences.

    lesson_expected.py            write the file
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
SHORT, LONG = (1, 100, 300, 500, 700, 800), (800, 2000, 4000, 4500, 5000, 8000)

with open(os.path.join(ROOT, FOLDER, "draws-v1.json"), "rb") as file:
    CONTENT = file.read()
DRAWS = json.loads(CONTENT)
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
                 shown: Sequence[int] = SHORT, adam: bool = False, without_wh: bool = False) -> None:
        p = network(DRAWS["training"]["weights"]["normals"], h, alpha)
        if without_wh:
            p[1][:] = 0
        x = batch(TRAIN, steps)
        self.losses: dict[int, float] = {}
        m, v = ([np.zeros_like(a) for a in p] for _ in range(2))
        for n in range(1, rounds + 1):
            loss, g = gradients(p, x, TRAIN)
            if n == 1:
                self.first = g
            if n in shown:
                self.losses[n] = loss
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

    def fields(self) -> dict[str, Any]:
        """Return the recorded fields."""
        return {"losses": [{"round": n, "loss": f"{loss:.6f}"} for n, loss in self.losses.items()],
                "test_accuracy": f"{self.accuracy:.4f}"}


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


def state_norms(alpha: float = 0.3) -> list[float]:
    """Return the norms of five hidden states."""
    p, five, _ = demonstration(8, alpha)
    return [float(np.linalg.norm(h)) for h in states(p, five)[1:]]


def state_fields(alpha: float = 0.3) -> list[dict[str, Any]]:
    """Return them as recorded."""
    bits = DRAWS["demonstration"]["after_8"]["five"]
    return [{"t": t, "input": b, "norm": f"{n:.4f}"} for t, (b, n) in enumerate(zip(bits, state_norms(alpha)), 1)]


def unrolled() -> tuple[dict[str, Any], bool]:
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
    return {"steps": 8, "parameter_count": 8 * 80 + 18, "same_output": same, "gradient_is_sum_of_copies": close}, close


def short() -> dict[str, Run]:
    """Return the trainings of 800 rounds with h = 8."""
    return {"recall": Run(), "at_3": Run(steps=3), "alpha_1": Run(alpha=1.0), "adam": Run(adam=True),
            "no_wh": Run(without_wh=True)}


def results() -> dict[str, Any]:
    """Return what the record's `results` must be."""
    made = {**short(), "wide": Run(h=32), "slow": Run(rounds=8000, shown=LONG),
            "fast": Run(rate=1.0, rounds=8000, shown=LONG)}
    recall, p = made["recall"], demonstration()[0]
    slopes = 1 - np.array(states(p, demonstration()[2])[1:]) ** 2
    share = TRAIN.mean()
    entropy = float(-(share * np.log(share) + (1 - share) * np.log(1 - share)))
    radius, singular = float(np.abs(np.linalg.eigvals(p[1])).max()), float(np.linalg.norm(p[1], 2))
    inside = float(((slopes >= 0.1) & (slopes <= 0.5)).mean())
    signal = float(np.linalg.norm(recall.first[0]))
    names = [("Wx", [1, 8]), ("Wh", [8, 8]), ("b", [1, 8]), ("Wo", [8, 2]), ("bo", [1, 2])]
    copies, close = unrolled()
    found: dict[str, Any] = {
        "parameters": [{"name": name, "shape": shape, "count": int(np.prod(shape))} for name, shape in names],
        "parameter_count": sum(a.size for a in p),
        "hidden_norms": state_fields(),
        "gradient_norms": left_fields(),
        "delayed_recall": {
            **recall.fields(),
            "train_labels": {str(b): int(np.sum(b == TRAIN)) for b in (0, 1)},
            "test_labels": {str(b): int(np.sum(b == TEST)) for b in (0, 1)},
            "label_entropy": f"{entropy:.6f}",
            "even_guess_loss": f"{np.log(2):.6f}",
            "predicted_probability_of_1": {str(b): f"{recall.chance[b]:.4f}" for b in (0, 1)},
            "input_weight_gradient_norm": f"{signal:.2e}",
        },
        "experiments": {
            "hidden_32": {"gradient_norms": left_fields(32), "delayed_recall": made["wide"].fields()},
            "alpha_1": {"hidden_norms": state_fields(1.0), "gradient_norms": left_fields(8, 1.0),
                        "delayed_recall": made["alpha_1"].fields()},
            "recall_at_3": made["at_3"].fields(),
            "more_rounds": {"rate_0.3": made["slow"].fields(), "rate_1.0": made["fast"].fields()},
            "adam": made["adam"].fields(),
            "no_recurrence": made["no_wh"].fields(),
            "unrolled": copies,
        },
        "diagnosis": {
            "tanh_derivative": {"min": f"{slopes.min():.4f}", "mean": f"{slopes.mean():.4f}",
                                "max": f"{slopes.max():.4f}", "share_between_0.1_and_0.5": f"{inside:.4f}"},
            "spectral_radius": f"{radius:.6f}",
            "largest_singular_value": f"{singular:.6f}",
            "lesson_estimate": f"{np.power(0.3, 11):.2e}",
        },
    }
    norms, hidden = np.array(left()), state_norms()
    factors = norms[:-1] / norms[1:]
    decay = "holds" if np.ptp(factors) < 0.1 * factors.mean() else "depends" if factors.max() < 1 else "fails"
    slow, fast = made["slow"], made["fast"]
    stays = [abs(run.losses[8000] - run.losses[800]) < 1e-4 for run in (slow, fast)]
    helps = [slow.accuracy == 1, fast.losses[800] < 0.69, fast.accuracy == 1]
    sames = {True: "holds", False: "fails"}
    found["claims"] = {
        "parameters-98": sames[sum(a.size for a in p) == 98],
        "most-are-in-wh": sames[p[1].size == 64],
        "table-has-four-and-two-rows": sames[len(p) == 6],
        "output-of-one-dimension": sames[p[3].shape[1] == 1],
        "wh-is-a-product-of-states": sames[not (hidden[0] == 0 and np.abs(p[1]).max() > 0)],
        "state-decays-by-itself": sames[bool(np.all(np.diff(hidden[1:]) < 0))],
        "unrolled-is-a-deep-network": sames[copies["same_output"] and close],
        "gradient-reaches-zero": "holds" if norms[0] == 0 else "depends" if norms[0] < 5e-7 else "fails",
        "gradient-of-the-loss": sames[abs(norms[-1] - 1) > 1e-12],
        "tanh-derivative-is-the-cause": sames[inside > 0.5 and radius >= 1],
        "estimate-matches": sames[bool(np.any(np.round(norms, 6) == 0.000013)) and 0.5 < 0.3**11 / norms[0] < 2],
        "no-pause": sames[bool(factors.max() < 1)],
        "even-decay": decay,
        "loss-never-moves": sames[max(recall.losses.values()) - min(recall.losses.values()) < 1e-4],
        "four-decimals-stand-still": sames[len({round(recall.losses[n], 4) for n in (100, 300, 500, 700)}) == 1],
        "loss-means-half-and-half": sames[abs(recall.losses[800] - np.log(2)) < abs(recall.losses[800] - entropy)],
        "first-input-does-nothing": sames[abs(recall.chance[0] - recall.chance[1]) < 1e-4],
        "first-weight-gets-no-signal": sames[signal == 0],
        "accuracy-is-guessing": sames[(recall.chance[0] > 0.5) == (recall.chance[1] > 0.5) and recall.accuracy == 0.5],
        "more-rounds-change-nothing": "holds" if all(stays) else "depends" if any(stays) else "fails",
        "rate-and-rounds-do-not-help": "fails" if all(helps) else "depends" if any(helps) else "holds",
        "only-structure-helps": sames[max(made[name].accuracy for name in ("adam", "alpha_1", "fast")) < 1],
        "wider-does-not-help": sames[made["wide"].accuracy < 1],
        "state-is-overwritten": "depends" if min(hidden[2:]) > 0 else "holds",
        "parameters-do-not-grow": sames[copies["parameter_count"] > sum(a.size for a in p)],
        "lstm-reaches-one": "outside",
    }
    return found


def main() -> None:
    """Write the expectation, or only compute what speed.py times."""
    if sys.argv[1:] == ["--short"]:
        print(left_fields()[0], state_fields()[1], *(run.fields() for run in short().values()))
        return
    sys.path.insert(0, os.path.join(ROOT, "code", "part-iii"))
    from support.command import write_text
    from support.record import layout

    inputs = [{"path": f"{FOLDER}/draws-v1.json", "sha256": hashlib.sha256(CONTENT).hexdigest()}]
    write_text(os.path.join(ROOT, FOLDER, "expected.json"),
               layout({"record": RECORD, "inputs": inputs, "results": results()}) + "\n")


if __name__ == "__main__":
    main()
