"""How far a long run is, for whoever watches it in a terminal."""
from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from support.show import columns

STARTED, SILENT, PAUSE = time.monotonic(), 2.0, 0.5  # when the program did; seconds to the first line, between two


def watched(items: Iterable[Any], count: int, what: str) -> Iterator[Any]:
    """Yield the same items; where standard error is a terminal, show from two seconds on how many there were."""
    due, line = max(STARTED + SILENT, time.monotonic() + PAUSE) if sys.stderr.isatty() else math.inf, ""
    for n, item in enumerate(items, 1):
        if time.monotonic() > due:
            due, line = time.monotonic() + PAUSE, f"{what} {n}/{count}"
            print("\r" + line, end="", file=sys.stderr, flush=True)
        yield item
    if line:
        print("\r" + " " * columns(line), end="\r", file=sys.stderr, flush=True)
