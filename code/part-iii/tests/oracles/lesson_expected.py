"""Makes data/lesson-6-1/expected.json with NumPy, sharing no arithmetic with lesson_6_1.py and its modules.

The full batch of 300 sequences goes through matrix products, singular values come from numpy.linalg. The claims are
decided by the lesson's own functions, from the results that are made here.

    lesson_expected.py            compare the file; --write writes it
    lesson_expected.py --short    only compute the log and three trainings of 800 rounds (for speed.py)
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
Array = NDArray[np.float64]
SHOWN, LONG, AROUND = (1, 100, 300, 500, 700, 800), (800, 4000, 8000, 12000, 16000), (-100, 100)
CONTENT = {}
for _name in ("draws-v1.json", "seeds.json"):
    with open(os.path.join(ROOT, FOLDER, _name), "rb") as _file:
        CONTENT[f"{FOLDER}/{_name}"] = _file.read()
DRAWS, SEEDS = map(json.loads, CONTENT.values())
TRAIN, TEST = (np.array(DRAWS["training"]["labels"][name]) for name in ("train", "test"))


def network(drawn: str, h: int = 8, alpha: float = 0.3, wh: float = 1.0) -> list[Array]:
    """Return Wx, Wh, b, Wo, bo of the demonstration or of the training."""
    normals = DRAWS["demonstration"] if drawn == "demonstration" else DRAWS["training"]["weights"]
    z = np.array(normals["normals"][: h * (h + 3)]) * (alpha / np.sqrt(h))
    return [z[:h].reshape(1, h), z[h : h + h * h].reshape(h, h) * wh, np.zeros(h), z[h + h * h :].reshape(h, 2),
            np.zeros(2)]


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

    def __init__(self, rounds: int = 800, steps: int = 8, wh: float = 1.0, adam: bool = False,
                 kept: Sequence[int] = ()) -> None:
        p, x = network("training", wh=wh), batch(TRAIN, steps)
        self.losses: list[float] = []
        self.signals: list[dict[str, Any]] = []
        self.out: int | None = None
        m, v = ([np.zeros_like(a) for a in p] for _ in range(2))
        for n in range(1, rounds + 1):
            loss, g = gradients(p, x, TRAIN)
            self.out = n if loss < 0.1 and self.out is None else self.out
            if n in (*kept, self.out):
                self.signals.append({"round": n, "Wx": f"{np.linalg.norm(g[0]):.2e}"})
            self.losses.append(loss)
            if adam:
                m = [0.9 * a + 0.1 * b for a, b in zip(m, g)]
                v = [0.999 * a + 0.001 * b**2 for a, b in zip(v, g)]
                g = [a / (1 - 0.9**n) / (np.sqrt(b / (1 - 0.999**n)) + 1e-8) for a, b in zip(m, v)]
            p = [a - (0.01 if adam else 0.3) * b for a, b in zip(p, g)]
        prob = chances(p, batch(TEST, steps))[1]
        self.accuracy = float((prob.argmax(axis=1) == TEST).mean())
        self.chance = {str(b): f"{prob[b == TEST][0, 1]:.4f}" for b in (0, 1)}

    def fields(self, shown: Sequence[int] = SHOWN) -> dict[str, Any]:
        """Return the recorded fields."""
        numbers = sorted({*shown, *([self.out] if self.out else [])})
        return {"losses": [{"round": n, "loss": f"{self.losses[n - 1]:.6f}"} for n in numbers],
                "escaped_at": self.out}


def bits(name: str, h: int = 8) -> Array:
    """Return the demonstration's bits."""
    return np.array([DRAWS["demonstration"][f"after_{h}"][name]], dtype=float)


def left(p: list[Array], x: Array, tanh: bool = True) -> Array:
    """Return the norms on the way back, the first step first."""
    h = len(p[1])
    hs, v, norms = states(p, x), np.ones((1, h)) / np.sqrt(h), []
    for t in range(12, 0, -1):
        norms.append(float(np.linalg.norm(v)))
        v = (v * (1 - hs[t] ** 2) if tanh else v) @ p[1].T
    return np.array(norms[::-1])


def log() -> dict[str, Any]:
    """Return what needs no training."""
    p, five, twelve = network("demonstration"), bits("five"), bits("twelve")
    norms, slopes = left(p, twelve), 1 - np.array(states(p, twelve)[1:]) ** 2
    factors = norms[:-1] / norms[1:]
    shapes = [("Wx", [1, 8]), ("Wh", [8, 8]), ("b", [1, 8]), ("Wo", [8, 2]), ("bo", [1, 2])]
    listed = left(p, np.concatenate([five, twelve], axis=1)[:, :12])
    return {
        "parameters": [{"name": name, "shape": shape, "count": int(np.prod(shape))} for name, shape in shapes],
        "parameter_count": sum(a.size for a in p),
        "setting": {"hidden": len(p[1]), "alpha": "0.3", "steps": len(norms), "steps_back": len(factors),
                    "recall_at": 8, "zeros": int((batch(TRAIN, 8)[:, 1:] == 0).all(axis=0).sum()),
                    "sequences": len(TRAIN), "rounds": SHOWN[-1],
                    "rows_of_the_hidden_layer": sum(a.shape[-1] == 8 for a in p),
                    "rows_of_the_output": sum(a.shape[-1] == 2 for a in p)},
        "hidden_norms": [{"t": t, "input": int(five[0, t - 1]), "norm": f"{np.linalg.norm(h):.4f}"}
                         for t, h in enumerate(states(p, five)[1:], 1)],
        "gradient_norms": [{"t": t, "norm": f"{n:.6f}", "significant": f"{n:.2e}"} for t, n in enumerate(norms, 1)],
        "diagnosis": {
            "tanh_derivative": {"min": f"{slopes.min():.4f}", "max": f"{slopes.max():.4f}", "count": slopes.size,
                                "between_0.1_and_0.5": int(((slopes >= 0.1) & (slopes <= 0.5)).sum())},
            "without_tanh": f"{left(p, twelve, tanh=False)[0]:.2e}",
            "largest_singular_value": f"{np.linalg.norm(p[1], 2):.6f}",
            "mean_factor": f"{np.exp(np.log(factors).mean()):.4f}", "largest_factor": f"{factors.max():.4f}",
            "lesson_estimate": f"{np.power(0.3, 11):.2e}"},
        "listing": [{"t": t, "norm": f"{n:.6f}"} for t, n in enumerate(listed, 1)]}


def results() -> dict[str, Any]:
    """Return what the record's `results` must be but for the claims."""
    recall, adam, wh_2 = Run(), Run(adam=True), Run(wh=2.0)
    slow = Run(rounds=16000, kept=(1, 100, 800, 8000, 14000))
    assert slow.out is not None
    share = np.bincount(TRAIN) / len(TRAIN)
    twelve = bits("twelve")
    return {
        **log(),
        "delayed_recall": {
            **recall.fields(), "test_accuracy": f"{recall.accuracy:.4f}",
            **{f"{name}_labels": {str(b): int(np.sum(b == labels)) for b in (0, 1)}
               for name, labels in (("train", TRAIN), ("test", TEST))},
            "label_entropy": f"{-(share * np.log(share)).sum():.6f}", "even_guess_loss": f"{np.log(2):.6f}",
            "predicted_probability_of_1": recall.chance},
        "more_rounds": {**slow.fields([*LONG, *(slow.out + k for k in AROUND)]), "signals": slow.signals},
        "adam": adam.fields(),
        "wh_2": {"left": f"{left(network('demonstration', wh=2.0), twelve)[0]:.2e}", **wh_2.fields()},
        "hidden_32": {"hidden": 32, "steps_back": 8,
                      "left": f"{left(network('demonstration', h=32), bits('twelve', 32))[3]:.2e}"},
        "recall_at_3": {"recall_at": 3, "signal": Run(rounds=1, steps=3, kept=(1,)).signals[0]["Wx"]},
        "alpha_1": {"alpha": "1.0", "left": f"{left(network('demonstration', alpha=1.0), twelve)[0]:.2e}"},
        "seeds": SEEDS["results"]}


def main() -> int:
    """Compare or write the expectation, or only compute what speed.py times."""
    if sys.argv[1:] == ["--short"]:
        print(log(), *(run.fields() for run in (Run(), Run(adam=True), Run(wh=2.0))))
        return 0
    sys.path.insert(0, os.path.join(ROOT, "code", "part-iii"))
    from lesson import lesson_claims
    from support import verdicts
    from support.record import layout
    from tests.oracles.held import held

    counted = results()
    reached = verdicts.judged(lesson_claims, counted, verdicts.claims(f"{FOLDER}/printed-v1.json"))
    counted["claims"] = reached
    inputs = [{"path": path, "sha256": hashlib.sha256(content).hexdigest()} for path, content in CONTENT.items()]
    text = layout({"record": "lesson-6-1-run-v1", "inputs": inputs, "results": counted}) + "\n"
    return held(f"{FOLDER}/expected.json", text, sys.argv[1:] == ["--write"])


if __name__ == "__main__":
    sys.exit(main())
