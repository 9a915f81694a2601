"""Results that remember which of their fields were read: what a verdict rests on."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Members(dict[str, Any]):
    """An object whose members are noted when they are read."""

    def __init__(self, value: dict[str, Any], place: str, read: set[str]) -> None:
        super().__init__(value)
        self.place, self.read = place, read

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        self.read.add(f"{self.place}/{key}")
        return traced(value, f"{self.place}/{key}", self.read)

    def values(self) -> Any:
        """Return all members."""
        return [self[key] for key in self]


class Items(list[Any]):
    """A list whose items are noted when they are read."""

    def __init__(self, value: Any, place: str, read: set[str]) -> None:
        super().__init__(value)
        self.place, self.read = place, read

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self[i] for i in range(*key.indices(len(self)))]
        place = f"{self.place}/{key % len(self)}"
        self.read.add(place)
        return traced(super().__getitem__(key), place, self.read)

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])


def traced(value: Any, place: str, read: set[str]) -> Any:
    """Return a value that notes in `read` the JSON Pointers at which it is read; `place` is its own."""
    if isinstance(value, dict):
        return Members(value, place, read)
    return Items(value, place, read) if type(value) in (list, tuple) else value
