"""The house: who may import whom, each room with its sentence, and nothing but the standard library for readers."""
from __future__ import annotations

import ast
import os
import unittest

from tests.shared import CODE, modules, parsed

NEUTRAL = {f"support.{name}" for name in ("start", "command", "record", "show", "spelling")}  # what a judge may share
# For each room, or program at the door, the rooms and files that it may import.
MAY = {
    "run": {"chapters", "claims", "support"}, "claims": {"claims", "support"},
    "figures": {"chapters", "support"}, "core": {"support.digits"},
    "lesson_6_1": {"lesson", "support"},
    "check": {"checking", *NEUTRAL}, "checking": {"checking", *NEUTRAL},
    "derive": {"claims", "derivation", *NEUTRAL}, "derivation": {"derivation", *NEUTRAL},
    "chapters": {"chapters", "core", "support"}, "lesson": {"lesson", "support"}, "support": {"support"},
    **dict.fromkeys(NEUTRAL, NEUTRAL),
}
# The standard modules of the derivation: nothing that rounds but decimal, for a guess, nothing that imports by a name.
DERIVING = {"collections.abc", "decimal", "fractions", "functools", "hashlib", "json", "math", "operator", "os.path",
            "sys", "typing"}
ROOMS = ("chapters", "checking", "claims", "derivation", "lesson", "support", "tests")


def imports(tree: ast.Module) -> set[str]:
    """Return what a module imports, by dotted names, wherever in it; names that are called to import count too."""
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = str(node.module)
            imported |= {f"{module}.{alias.name}" for alias in node.names} if module in ROOMS else {module}
    return (imported | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "__import__"}
            ) - {"__future__"}


def ours(name: str) -> set[str]:
    """Return what a module imports from this folder."""
    doors = {each for each in modules() if "." not in each}
    return {each for each in imports(parsed(name)) if each.split(".")[0] in {*ROOMS, *doors}}


class House(unittest.TestCase):
    """The rooms."""

    def test_imports_go_one_way(self) -> None:
        """Doors enter chapters or lesson, these enter support, a judge takes what is neutral, nobody takes a test."""
        seen = set()
        for name in modules():
            room = name if name in MAY else name.split(".")[0]
            allowed = MAY[room]
            strange = {each for each in ours(name) if each not in allowed and each.split(".")[0] not in allowed}
            self.assertEqual(strange, set(), name)
            seen.add(room)
        self.assertEqual(seen, set(MAY))

    def test_what_the_derivation_imports(self) -> None:
        """derive.py and derivation/ have standard modules of the list and no others; run.py alone names a page."""
        derivation = [name for name in modules() if name.split(".")[0] in ("derive", "derivation")]
        strange = {name: imports(parsed(name)) - ours(name) - DERIVING for name in derivation}
        self.assertEqual({name: them for name, them in strange.items() if them}, {})
        by_name = [name for name in modules() if {"importlib", "__import__"} & imports(parsed(name))]
        self.assertEqual(by_name, ["run"])

    def test_each_room_says_what_it_is_for(self) -> None:
        """One sentence in each __init__.py, and no file of a name that another room has."""
        for room in ROOMS:
            module = parsed(f"{room}.__init__")
            sentence = ast.get_docstring(module) or ""
            self.assertEqual((len(module.body), sentence.count("\n")), (1, 0), room)
            self.assertGreater(len(sentence), 30, room)
        names = [name.split(".")[-1] for name in modules() if not name.endswith("__init__")]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertFalse(os.path.exists(os.path.join(os.path.dirname(CODE), "__init__.py")))  # it would hide `code`
