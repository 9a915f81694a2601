"""What several tests need: the bundle and its results, networks at random, copies of files, changed JSON."""
from __future__ import annotations

import ast
import copy
import json
import os
import random
import shutil
import unittest
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import run
from chapters import bundle
from checking.reading import placed
from claims import judging
from core import Network, Vector
from support import verdicts
from support.command import ROOT, located

CODE = located("code/part-iii")


@cache
def modules() -> list[str]:
    """Return every module of the house by its dotted name, tests left out."""
    parts = [path.relative_to(CODE).with_suffix("").parts for path in Path(CODE).rglob("*.py")]
    return sorted(".".join(each) for each in parts if each[0] != "tests")


@cache
def parsed(name: str) -> ast.Module:
    """Return the source of a module as a tree."""
    return ast.parse(Path(CODE, *name.split(".")).with_suffix(".py").read_bytes())


@cache
def data() -> bundle.Bundle:
    """Return the bundle of the repository."""
    return bundle.load()


@cache
def computed() -> Any:
    """Return the results of the repository's bundle; a test that spoils them works on a copy."""
    return run.results(data())


def loaded(path: str) -> Any:
    """Return the JSON value in a file, as the standard library reads it; `path` may start at the repository's root."""
    return json.loads(Path(ROOT, path).read_bytes())


def random_matrix(dice: random.Random, rows: int, width: int) -> list[list[Fraction]]:
    """Return small rationals, many of them negative."""
    return [[Fraction(dice.randint(-6, 6), dice.randint(1, 5)) for _ in range(width)] for _ in range(rows)]


def random_network(dice: random.Random, words: int = 5) -> Network:
    """Return a network of random consistent shapes with such weights."""
    size, hidden = dice.randint(1, 4), dice.randint(1, 4)
    matrix = partial(random_matrix, dice)
    return Network(
        vocabulary=[*bundle.WORDS, "more", "still"][:words], candidates=bundle.CANDIDATES,
        embedding=matrix(words, size), initial=matrix(1, hidden)[0], input_weight=matrix(size, hidden),
        recurrent_weight=matrix(hidden, hidden), hidden_bias=matrix(1, hidden)[0], output_weight=matrix(hidden, 2),
        output_bias=matrix(1, 2)[0])


def uncut(net: Network, token_id: int, state: Vector) -> list[Fraction]:
    """Return the preactivation when a token is read, written out index by index."""
    x, sums = net.embedding[token_id], []
    for j in range(len(state)):
        total = net.hidden_bias[j]
        for m in range(len(x)):
            total += x[m] * net.input_weight[m][j]
        for m in range(len(state)):
            total += state[m] * net.recurrent_weight[m][j]
        sums.append(total)
    return sums


class Turning(unittest.TestCase):
    """Tests in which spoiled results turn verdicts."""

    def turn(self, chapter: int, changes: dict[str, list[Any]]) -> None:
        """Assert that every claim has the ledger's verdict, and another one after each change: the third of it, or
        "holds" for "fails" and "fails" for "holds".
        """
        name = f"chapter_{chapter}"
        of_the_text = {claim["id"]: claim["verdict"] for claim in ledger(name) if claim["evidence"]}
        self.assertEqual(set(changes), set(of_the_text), "每条论断要有一行使它变的数据")
        self.assertEqual({claim: computed()[name]["claims"][claim] for claim in changes}, of_the_text)
        for claim, spoilt in changes.items():
            for pointer, value, *other in spoilt:
                place = pointer if pointer.startswith("/") else f"/{name}/{pointer}"
                verdict = judged(with_value(computed(), place, value), name)[claim]
                self.assertEqual([verdict], other or ["holds" if of_the_text[claim] == "fails" else "fails"],
                                 (claim, pointer))


@cache
def ledger(name: str) -> list[verdicts.Claim]:
    """Return the claims of a chapter of the book."""
    return verdicts.of_chapter(verdicts.claims(judging.PRINTED), name)


def judged(results: Any, name: str) -> dict[str, verdicts.Verdict]:
    """Return the verdicts on a chapter's claims."""
    return verdicts.judged(judging.ROOMS[name], judging.fields(results, name), ledger(name))


def copied(name: str, root: str) -> None:
    """Copy a file or a folder of the repository below `root`: writable there, without caches and tests."""
    source = located(name)
    if os.path.isfile(source):
        shutil.copyfile(source, located(name, root))
        return
    for folder, folders, files in os.walk(source):
        folders[:] = [below for below in folders if below not in ("__pycache__", "tests")]
        place = os.path.join(root, os.path.relpath(folder, ROOT))
        os.makedirs(place)
        for file in files:
            shutil.copyfile(os.path.join(folder, file), os.path.join(place, file))


def with_value(data: Any, pointer: str, value: Any) -> Any:
    """Return a JSON value with `value` where the JSON Pointer leads; what lies beside the way there is not copied."""
    if not pointer:
        return value
    step, slash, rest = pointer[1:].partition("/")
    key = _key(data, step)
    changed = copy.copy(data)
    changed[key] = with_value(data[key] if slash else None, slash + rest, value)
    return changed


def at(value: Any, pointer: str) -> Any:
    """Return what a JSON Pointer leads to."""
    for step in pointer.split("/")[1:]:
        value = value[_key(value, step)]
    return value


def _key(holder: Any, step: str) -> Any:
    return int(step) if isinstance(holder, list) else step.replace("~1", "/").replace("~0", "~")


def leaves(value: Any) -> dict[str, Any]:
    """Return every value that holds no other by its JSON Pointer."""
    return {place: each for place, each in placed("", value, {}).items()
            if each in ([], {}) or not isinstance(each, (dict, list))}


def pointers(value: Any) -> list[str]:
    """Return the JSON Pointer of every leaf."""
    return list(leaves(value))


# What may stand in a file where something else should.
STRANGE: list[Any] = [
    None, True, 0, -1, 1.5, 10**300, "", "x", "1/0", "1/2e3", "0/0", "1e999", "-", "/", "/results", "~", "１", "\ud800",
    "9" * 9000, [], {}, [[]], [{}], {"": 0}, ["x"], [None], [1, 2, 3]]


def spoiled(value: Any, dice: random.Random) -> Any:
    """Return a file's content with one thing wrong: a value, or text that may be no JSON."""
    if dice.random() < 0.2:
        text = json.dumps(value)
        i = dice.randrange(len(text))
        text = text[:i] + dice.choice('"[]{},:\\0/e-. \n') + text[i + dice.randint(0, 2):]
        try:
            return text if json.loads(text) != value else spoiled(value, dice)
        except ValueError:
            return text
    pointer = dice.choice(pointers(value))
    for _ in range(dice.randint(0, 3)):
        pointer = pointer.rpartition("/")[0] or pointer  # what holds it
    if dice.random() < 0.8:
        was = at(value, pointer)
        return with_value(value, pointer, dice.choice([other for other in STRANGE if other != was]))
    changed = copy.deepcopy(value)
    parent, _, last = pointer.rpartition("/")
    holder = at(changed, parent)
    del holder[_key(holder, last)]
    return changed
