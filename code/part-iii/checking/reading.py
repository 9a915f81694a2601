"""How the checker reads records and ledgers: strictly, numbers as they are written, each value by its JSON Pointer.

These lines repeat a little of support/shapes.py on purpose: what checks must not share a fault with what is
checked.
"""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from support import command
from support.command import Refused, quoted
from support.record import VERDICTS

LONGEST_PLACE = 300  # characters of a JSON Pointer: it has all keys on the way, and stands beside every value
LONGEST_TEXT = 1000  # characters of a text in printed-v1.json
NEEDED = {"figures": ["place", "printed", "field"], "claims": ["id", "place", "claim", "evidence"]}


class Literal(str):
    """A number in a file, kept as it is written: 1 and 1.0 are not the same field."""


class Broken(str):
    """What must not stand in a file, and why, kept until its place is known."""


MISSING = Literal("没有这个字段")  # equal to no number that a file can hold


def read(path: str) -> dict[str, Any]:
    """Return what stands at each JSON Pointer of a file, "" for all of it; raise Refused for anything that two readers
    could take differently.
    """

    def members(pairs: list[tuple[str, Any]]) -> Any:
        twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
        return Broken(f"键 {quoted(twice[0])} 重复了") if twice else dict(pairs)

    try:
        table = placed("", json.loads(command.read_json_text(path)[1], object_pairs_hook=members,
                                      parse_int=Literal, parse_float=Literal,
                                      parse_constant=lambda name: Broken(f"{name} 不是数")), {})
    except json.JSONDecodeError as error:
        raise Refused("不是合法的 JSON", path, f"第 {error.lineno} 行第 {error.colno} 列") from None
    except RecursionError:
        raise Refused(f"嵌套太深或键太长：位置超过 {LONGEST_PLACE} 个字符", path) from None
    for place, value in table.items():
        if isinstance(value, Broken):
            raise Refused(value, path, place or "文件顶层")
    must(isinstance(table[""], dict), "一个 JSON 对象", table[""], path, "文件顶层")
    return table


def placed(place: str, value: Any, table: dict[str, Any]) -> dict[str, Any]:
    """Return the table with a value at its JSON Pointer, and what it holds below; RecursionError where that gets too
    long.

    >>> placed("", {"a/b": [1, "2"]}, {})
    {'': {'a/b': [1, '2']}, '/a~1b': [1, '2'], '/a~1b/0': 1, '/a~1b/1': '2'}
    """
    if len(place) > LONGEST_PLACE:
        raise RecursionError
    table[place] = value
    members: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else ()
    for key, member in enumerate(value) if isinstance(value, list) else members:
        placed(f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}", member, table)
    return table


def must(fits: bool, what: str, value: Any, path: str, place: str) -> None:
    """Refuse a value that does not fit."""
    if not fits:
        raise Refused(f"应为{what}，实为 {written(value)}", path, place)


def read_printed(path: str) -> dict[str, Any]:
    """Return a ledger, as read() does; raise Refused for a field that is missing, empty or of another kind."""
    printed, seen = read(path), set()
    for kind, names in NEEDED.items():
        entries = printed.get(f"/{kind}", MISSING)
        must(isinstance(entries, list) and entries != [], "列表，至少一项", entries, path, f"/{kind}")
        for i, entry in enumerate(entries):
            must(isinstance(entry, dict), "对象", entry, path, f"/{kind}/{i}")
            for name in dict.fromkeys([*names, *entry]):
                value = entry.get(name, MISSING)
                texts, what = (value, "的列表") if name == "evidence" else ([value], "")
                fits = isinstance(texts, list) and all(type(t) is str and 1 <= len(t) <= LONGEST_TEXT for t in texts)
                must(fits, f" 1 至 {LONGEST_TEXT} 个字符的文字{what}", value, path, f"/{kind}/{i}/{name}")
            if kind == "claims":
                must(entry["id"] not in seen, "别处没有的名字", entry["id"], path, f"/claims/{i}/id")
                seen.add(entry["id"])
                said = entry.get("verdict", "outside")
                must(said in VERDICTS, " " + "、".join(VERDICTS), said, path, f"/claims/{i}/verdict")
    must(isinstance(printed.get("/places", []), list), "列表", printed.get("/places"), path, "/places")
    return printed


def cut(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def written(value: Any) -> str:
    """Return a value as its file has it, short enough for a line: a text in quotation marks, a number without.

    >>> written("1/2"), written(Literal("12")), written([])
    ('"1/2"', '12', '列表（0 项）')
    """
    return cut(value, 80) if isinstance(value, Literal) else quoted(value)
