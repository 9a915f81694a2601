"""A number that the record and the page show rounded, and that stays whole until they write it."""
from __future__ import annotations

import math


class Figure:
    """A finite number and the form in which it is written.

    >>> str(Figure(2.309e-07, ".2e")), str(Figure(-0.0, ".6f"))
    ('2.31e-07', '0.000000')
    """

    def __init__(self, value: float, form: str) -> None:
        self.value, self.form = value, form

    def __str__(self) -> str:
        return format(self.value + 0.0, self.form)  # -0.0 + 0.0 is 0.0


def figure(value: float | None, form: str) -> Figure | None:
    """Return a number for the record; null where the data give none, or none that is finite."""
    return None if value is None or not math.isfinite(value) else Figure(value, form)
