"""The book's data with a little changed: where most verdicts turn, which data made at random seldom do."""
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from chapters import bundle
from chapters.bundle import Bundle
from tests.shared import data

NUMBERS = [Fraction(text) for text in ("0", "1", "-1", "2", "1/2", "1/4", "1/8", "1/256", "9/10", "1/10")]
GATES = ("forget", "input", "output", "update_retains_old", "reset")
NOTHING, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
SURE = {word: [ONE * (candidate == word) for candidate in bundle.OUTPUT_WORDS] for word in bundle.OUTPUT_WORDS}
CERTAIN = {word: SURE[after] for word, after in zip(
    ["BOS", "red", "blue", "key", "door", "."], ["red", "key", "key", ".", ".", "EOS"])}
SIGNED = ("output_weight", "output_bias")  # the network's other numbers may not be negative


def changed(section: str, **numbers: Any) -> dict[str, Any]:
    """Return a section of the book's data with other numbers in it."""
    return {section: getattr(data(), section)._replace(**numbers)}


def beside_the_book(dice: random.Random, chapter: int) -> Bundle:
    """Return the book's data with one to three numbers, words or positions of a chapter changed."""
    change, given = {11: _network, 12: _path_or_gates, 13: _translation, 14: _attention}[chapter], data()
    for _ in range(dice.randint(1, 3)):
        given = change(given, dice)
    return given


def _other(value: Any, dice: random.Random, least: int = -1, most: int = 2) -> Any:
    """Return another number or token, or rows of which one is changed."""
    if isinstance(value, list):
        place = dice.randrange(len(value))
        return [_other(each, dice, least, most) if i == place else each for i, each in enumerate(value)]
    if isinstance(value, int):
        return dice.randrange(4)
    return dice.choice([number for number in NUMBERS if least <= number <= most])


def _network(given: Bundle, dice: random.Random) -> Bundle:
    name = dice.choice(("path", "short", "long", "window_weight", *SIGNED, "output_bias", "initial", "embedding",
                        "input_weight", "hidden_bias", "recurrent_weight"))
    if name == "path":
        return _path_or_gates(given, dice)
    changes: dict[str, Any] = {}
    if name in ("short", "long"):
        cases, place = list(getattr(given, name)), dice.randrange(2)
        ids = _other(cases[place].token_ids, dice)
        cases[place] = cases[place]._replace(token_ids=ids[dice.choice((0, 0, dice.randrange(len(ids) - 1))):])
        changes[name] = cases
    elif name == "window_weight":
        changes[name] = _other(given.window_weight, dice)
    else:
        changes["network"] = given.network._replace(
            **{name: _other(getattr(given.network, name), dice, -1 if name in SIGNED else 0)})
    return given._replace(**changes)


def _path_or_gates(given: Bundle, dice: random.Random) -> Bundle:
    section = dice.choice(("path", "path", "distances", "lstm", "gru"))
    old: Any = getattr(given, section)
    if section == "distances":
        return given._replace(distances=[dice.randrange(4) for _ in range(dice.randint(1, 3))])
    name = dice.choice(old._fields)
    changes: dict[str, Any] = {section: old._replace(
        **{name: _other(getattr(old, name), dice, *((0, 1) if name in GATES else ()))})}
    return given._replace(**changes)


def _translation(given: Bundle, dice: random.Random) -> Bundle:
    old, words = given.translation, bundle.OUTPUT_WORDS
    name = dice.choice(("encoder", "source", "contrast", "target", "rows", "rows", "limit"))
    new: Any = getattr(old, name)
    if name == "encoder":
        field = dice.choice(("embedding", "initial", "input_weight", "hidden_bias"))
        new = new._replace(**{field: _other(getattr(new, field), dice)})
    elif name == "target":
        new = [*(dice.choice(words[:5]) for _ in range(dice.randint(1, 3))), "EOS"]
    elif name == "rows":
        word = dice.choice(("BOS", *words[:5]))
        new = {**new, word: dice.choice((old.rows["."], dice.sample(new[word], 6), [Fraction(1, 6)] * 6))}
    elif name == "limit":
        new = dice.randint(1, 5)
    else:
        new = _other(new, dice)[dice.randrange(2) if len(new) > 1 else 0:]
    translation = old._replace(**{name: new})
    positions = [place for place in given.attention.positions if place <= len(translation.source) > 1]
    return given._replace(translation=translation, attention=given.attention._replace(positions=positions))


def _attention(given: Bundle, dice: random.Random) -> Bundle:
    old, positions = given.attention, len(given.translation.source)
    name = dice.choice(("queries", "readout", "positions", "translation"))
    if name == "translation":
        return _translation(given, dice)
    removed = dice.sample(range(1, positions + 1), dice.randint(0, positions)) if positions > 1 else []
    changes: dict[str, Any] = {name: removed if name == "positions" else _other(getattr(old, name), dice)}
    return given._replace(attention=old._replace(**changes))
