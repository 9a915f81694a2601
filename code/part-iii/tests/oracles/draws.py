"""Makes data/lesson-6-1/draws-v1.json, what NumPy's default_rng gives, pinned so that no later NumPy can change it.

    draws.py            compare the file; --write writes it

One stream of normals serves every width: NumPy fills Wx (1 × h), Wh (h × h) and Wo (h × 2) from the same sequence,
so the draws for h = 8 are the first 88 of those for h = 32. This is checked here first.
"""
from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from support.record import layout
from tests.oracles.held import held

PATH, SEEDS = "data/lesson-6-1/draws-v1.json", range(20)


def bits(generator: np.random.Generator, count: int) -> list[int]:
    """Return the next `count` uniforms, each as 1 where it is above 0.5."""
    return [int(number) for number in generator.random(count) > 0.5]


def normals(generator: np.random.Generator, hidden: int) -> list[float]:
    """Return the normals of Wx, Wh and Wo, row by row."""
    return [float(number) for shape in ((1, hidden), (hidden, hidden), (hidden, 2))
            for number in generator.standard_normal(shape).ravel()]


def demonstration() -> dict[str, Any]:
    """Return the listing's draw for both widths, and the bits that follow each."""
    outcome: dict[str, Any] = {"seed": 1}
    for hidden in (8, 32):
        generator = np.random.default_rng(1)
        outcome["normals"] = drawn = normals(generator, hidden)
        if drawn[:88] != normals(np.random.default_rng(1), 8):
            sys.exit(f"the normals for h = 8 are no prefix of those for h = {hidden}")
        outcome[f"after_{hidden}"] = {"five": bits(generator, 5), "twelve": bits(generator, 12)}
    return outcome


def main() -> int:
    """Compare or write the file."""
    labels = np.random.default_rng(7)
    return held(PATH, layout({
        "license": "CC-BY-SA-4.0",
        "source": "NumPy 的 default_rng 抽出的数，写成能原样读回的最短小数；程序再乘 alpha/√h。",
        "numpy": np.__version__,
        "order": "standard_normal 依次填 Wx (1×h)、Wh (h×h)、Wo (h×2)，逐行；h = 8 用前 88 个，h = 32 用全部 1120 个。"
                 "demonstration 随后抽 5 个再抽 12 个均匀数，大于 0.5 记 1。",
        "demonstration": demonstration(),
        "training": {
            "note": "课文的清单只印到标签为止，没有印训练的循环：优化器、学习率和测试集都没有公布。"
                    "这里的权重、标签和学习率是与所印损失相符的一种，不是作者的，只有一个网络。",
            "weights": {"seed": 3, "normals": normals(np.random.default_rng(3), 32)},
            "labels": {"seed": 7, "train": bits(labels, 300), "test": bits(labels, 100)},
        },
        "seeds": {
            "note": f"{SEEDS[0]} 至 {SEEDS[-1]} 号种子各抽一组 h = 8 的权重，与 seeds.json 数的是同一些。",
            "first": SEEDS[0], "normals": [normals(np.random.default_rng(seed), 8) for seed in SEEDS],
        },
    }) + "\n", sys.argv[1:] == ["--write"])


if __name__ == "__main__":
    sys.exit(main())
