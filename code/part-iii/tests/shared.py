"""What several tests need: the folder of the programs, and what they do to JSON values."""
from __future__ import annotations

import copy
import json
import random
from typing import Any

import check
from support.command import located

CODE = located("code/part-iii")


def with_value(data: Any, pointer: str, value: Any) -> Any:
    """Return a copy of a JSON value in which `value` stands where the JSON Pointer leads."""
    changed = copy.deepcopy(data)
    parent, _, last = pointer.rpartition("/")
    holder = check.at(changed, parent) if parent else changed
    key = last.replace("~1", "/").replace("~0", "~")
    holder[int(key) if isinstance(holder, list) else key] = value
    return changed


def pointers(value: Any) -> list[str]:
    """Return the JSON Pointer of every leaf."""
    return [place for place, _ in check.leaves(value)]


# What may stand in a file where something else should.
STRANGE: list[Any] = [
    None, True, 0, -1, 1.5, 10**300, "", "x", "1/0", "1/2e3", "0/0", "1e999", "-", "/", "/results", "~", "１", "\ud800",
    "9" * 9000, [], {}, [[]], [{}], {"": 0}, ["x"], [None], [1, 2, 3]]


def spoiled(value: Any, dice: random.Random) -> Any:
    """Return a file's content with one thing wrong: a value, or text that may be no JSON."""
    if dice.random() < 0.2:
        text = json.dumps(value)
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice('"[]{},:\\0/e-. \n') + text[at + dice.randint(0, 2):]
        try:
            return text if json.loads(text) != value else spoiled(value, dice)
        except ValueError:
            return text
    pointer = dice.choice(pointers(value))
    for _ in range(dice.randint(0, 3)):
        pointer = pointer.rpartition("/")[0] or pointer  # what holds it
    if dice.random() < 0.8:
        was = check.at(value, pointer)
        return with_value(value, pointer, dice.choice([other for other in STRANGE if other != was]))
    changed = copy.deepcopy(value)
    parent, _, last = pointer.rpartition("/")
    holder = check.at(changed, parent) if parent else changed
    del holder[int(last) if isinstance(holder, list) else last]
    return changed
