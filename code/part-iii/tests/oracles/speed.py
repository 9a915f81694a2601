"""Measures the lesson's log and its trainings of 800 rounds with h = 8 against the same computation in NumPy.

Whole processes in turn, and the ratio of the fastest of each, which a busy machine disturbs least: pairs are added
until it is at most 0.5 or twelve were not enough (exit code 1). NumPy runs with the full batch of 300 sequences, as
the lesson does; the plain program needs one pass for each of the two different sequences.
"""
from __future__ import annotations

import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PLAIN = [sys.executable, "-c", f"import sys; sys.path.insert(0, {os.path.dirname(os.path.dirname(HERE))!r}); "
         "from lesson import measures, pinned; from lesson.trainings import adam, descent, train; "
         "draws = pinned.read_draws(); early = train(descent(draws, recall_at=3), 800, draws, '', 3); "
         "others = (descent(draws), descent(draws, alpha=1.0), adam(draws), descent(draws, frozen=('Wh',))); "
         "print(measures.log(draws), early.fields(), *(train(rounds, 800, draws, '').fields() for rounds in others))"]
NUMPY = [sys.executable, os.path.join(HERE, "lesson_expected.py"), "--short"]
LEAST_PAIRS, MOST_PAIRS, MOST = 3, 12, 0.5


def seconds(command: list[str]) -> float:
    """Return how long one process takes."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    """Print the ratio."""
    plain, array = [], []
    for n in range(1, MOST_PAIRS + 1):
        plain.append(seconds(PLAIN))
        array.append(seconds(NUMPY))
        ratio = min(plain) / min(array)
        if n >= LEAST_PAIRS and ratio <= MOST:
            break
    print(f"纯 Python 与 NumPy 的用时之比：{ratio:.2f}（要求至多 {MOST}）")
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
