"""How far a long run is, for whoever watches it in a terminal."""
from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from support.show import columns

SILENT, PAUSE = 2.0, 0.5  # seconds from the start of the program to the first line, and between two
STARTED = time.monotonic()

Item = TypeVar("Item")


def watched(items: Iterable[Item], count: int, what: str) -> Iterator[Item]:
    """Yield the same items; where standard error is a terminal, show from two seconds on how many there were."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    due, line = STARTED + SILENT, ""
    for n, item in enumerate(items, 1):
        if time.monotonic() > due:
            due, line = time.monotonic() + PAUSE, f"{what} {n}/{count}"
            sys.stderr.write("\r" + line)  # a carriage return flushes it
        yield item
    if line:
        sys.stderr.write("\r" + " " * columns(line) + "\r")
