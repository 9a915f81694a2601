"""How the checker reads records and ledgers: strictly, with numbers as they are written.

These lines repeat a little of support/shapes.py on purpose: what checks must not share a fault with what is
checked.
"""
from __future__ import annotations

import json
import re
from typing import Any, Iterable, Iterator

from checking.wording import MISSING, Literal, cut, written
from support import command
from support.command import Refused, quoted

MOST_MEMBERS = 1000  # of one object
DEEPEST = 64  # levels of nesting
LONGEST_KEY = 200  # characters of a key; a pointer repeats it for every member
LONGEST_TEXT = 1000  # characters of a text in printed-v1.json
ERRATUM = ["weight", "quote", "instead", "why", "number", "repeat"]  # fields of what a text should correct
WORDS = {"weight": ["grave", "small"], "verdict": ["holds", "fails", "depends"]}


class Broken(str):
    """What must not stand in a file that is compared, and why."""


def read(path: str, most: int = command.LARGEST_FILE) -> Any:
    """Return the JSON object in a file; raise Refused for anything that two readers could take differently."""
    return parse(command.read_json_text(path, most)[1], path)


def parse(text: str, path: str) -> Any:
    """Return the JSON object in `text`; `path` is for errors."""
    broken = []

    def refuse(reason: str) -> Broken:
        broken.append(Broken(reason))
        return broken[-1]

    def members(pairs: list[tuple[str, Any]]) -> Any:
        table: dict[str, Any] = {}
        if len(pairs) > MOST_MEMBERS:
            return refuse(f"对象有 {len(pairs)} 个字段，多于 {MOST_MEMBERS}")
        for key, value in pairs:
            if len(key) > LONGEST_KEY:
                return refuse(f"有一个键超过 {LONGEST_KEY} 个字符")
            if key in table:
                return refuse(f"键 {quoted(key)} 重复了")
            table[key] = value
        return table

    try:
        value = json.loads(text, parse_int=Literal, parse_float=Literal, object_pairs_hook=members,
                           parse_constant=lambda name: refuse(f"{name} 不是数"))
    except json.JSONDecodeError as error:
        raise Refused("不是合法的 JSON", path, f"第 {error.lineno} 行第 {error.colno} 列") from None
    except RecursionError:
        raise Refused(f"嵌套超过 {DEEPEST} 层", path) from None
    level = [value]
    for _ in range(DEEPEST):
        level = [member for each in level if isinstance(each, (dict, list)) for _, member in members_of(each)]
    if level:
        raise Refused(f"嵌套超过 {DEEPEST} 层", path)
    for place, member in leaves(value) if broken else ():
        if isinstance(member, Broken):
            raise Refused(member, path, cut(place) or "文件顶层")
    if not isinstance(value, dict):
        raise Refused("应为一个 JSON 对象", path)
    return value


def read_printed(path: str) -> Any:
    """Return the figures and claims of a text; raise Refused for a field that is missing, empty or of another kind.

    A printed figure that the record contradicts tells by what ("by"), and either names the claim that says so
    ("disputed") or is an erratum of its own; an erratum, of a figure or of a claim, has all fields of one.
    """
    printed = read(path)
    for kind, names, optional in (("figures", ["place", "printed", "field"], ["disputed", "by", *ERRATUM]),
                                  ("claims", ["id", "place", "claim"], ["verdict", "condition", *ERRATUM])):
        members = printed.get(kind)
        if not isinstance(members, list) or not members:
            raise Refused("应为列表，至少一项", path, f"/{kind}")
        for i, member in enumerate(members):
            if not isinstance(member, dict):
                raise Refused(f"应为对象，实为 {written(member)}", path, f"/{kind}/{i}")
            needed = [*names, *(ERRATUM if "instead" in member else []),
                      *(["by"] if kind == "figures" and {"disputed", "instead"} & set(member) else [])]
            for name in dict.fromkeys([*needed, *(name for name in optional if name in member)]):
                value = member.get(name, MISSING)
                if type(value) is not str or not 1 <= len(value) <= LONGEST_TEXT:
                    raise Refused(f"应为 1 至 {LONGEST_TEXT} 个字符的文字，实为 {written(value)}", path,
                                  f"/{kind}/{i}/{name}")
                if value not in WORDS.get(name, [value]):
                    raise Refused(f"应为 {'、'.join(WORDS[name])}，实为 {written(value)}", path, f"/{kind}/{i}/{name}")
            if kind == "claims":
                must_be_texts(member.get("evidence"), path, f"/claims/{i}/evidence")
    if "places" in printed:
        must_be_texts(printed["places"], path, "/places")
    return printed


def must_be_texts(value: Any, file: str, place: str) -> None:
    """Refuse what is not a list of texts."""
    if not isinstance(value, list) or not all(type(text) is str for text in value):
        raise Refused("应为文字的列表", file, place)


def members_of(value: Any) -> Iterable[tuple[Any, Any]]:
    """Return the keys or indices of an object or list with what they hold."""
    return value.items() if isinstance(value, dict) else enumerate(value)


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that holds no other, with its JSON Pointer."""
    if isinstance(value, (dict, list)) and value:
        for key, member in members_of(value):
            yield from leaves(member, f"{place}/{escaped(key)}")
    else:
        yield place, value


def count(value: Any) -> int:
    """Return how many leaves a value has."""
    if not isinstance(value, (dict, list)) or not value:
        return 1
    members = value.values() if isinstance(value, dict) else value
    return sum(count(member) if isinstance(member, (dict, list)) else 1 for member in members)


def escaped(key: Any) -> str:
    """Return a key as one part of a JSON Pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def unescaped(part: str) -> str:
    """Return the key that a part of a JSON Pointer stands for."""
    return part.replace("~1", "/").replace("~0", "~")


def at(value: Any, pointer: str) -> Any:
    """Return what a JSON Pointer leads to, or MISSING."""
    if not pointer.startswith("/"):
        return MISSING
    for part in pointer.split("/")[1:]:
        if isinstance(value, dict):
            value = value.get(unescaped(part), MISSING)
        elif isinstance(value, list) and re.fullmatch("0|[1-9][0-9]{0,8}", part) and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
    return value
