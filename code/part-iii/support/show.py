"""Tables and bars for a terminal of 80 columns, in which a Chinese character is two columns wide."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

WIDTH = 80


def columns(text: str) -> int:
    """Return how many columns of a terminal a line takes.

    >>> columns("h"), columns("蓝色")
    (1, 4)
    """
    if text.isascii():
        return len(text)
    kinds = "".join(map(east_asian_width, text))  # W and F are wide, and are letters of no other kind
    return len(text) + kinds.count("W") + kinds.count("F")


def row(numbers: Iterable[object]) -> str:
    """Return numbers as the texts print a row: exact, in brackets.

    >>> row([1, 0])
    '[1, 0]'
    """
    return f"[{', '.join(map(str, numbers))}]"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    r"""Return the lines of a table: cells to the left, two spaces between columns, a rule below the header.

    A header cell may hold line breaks; the cells of the rows may not.

    >>> print(*table(["t", "旧\n状态"], [["1", "[1, 0]"]], indent=""), sep="\n")
    t  旧
       状态
    -  ------
    1  [1, 0]
    """
    heads = [cell.split("\n") for cell in header]
    depth = max(map(len, heads))
    lines = [[head[i] if i < len(head) else "" for head in heads] for i in range(depth)]
    sizes = [max(columns(line[i]) for line in [*lines, *rows]) for i in range(len(header))]
    lines += [["-" * size for size in sizes], *map(list, rows)]
    return [
        (indent + "  ".join(cell + " " * (size - columns(cell)) for cell, size in zip(line, sizes))).rstrip()
        for line in lines
    ]


def wrapped(text: str, indent: str = "") -> list[str]:
    """Return `text` as lines of at most 80 columns, each led by `indent`; a run of ASCII is not broken.

    >>> wrapped("红" * 50)[0] == "红" * 40
    True
    """
    if columns(indent + text) <= WIDTH:
        return [indent + text]
    words: list[str] = []
    for character in text:
        glued = words and character not in " " and character.isascii() and words[-1][-1:].isascii() \
            and words[-1][-1:] != " "
        closing = words and character in "，。；：、）」”？！"  # such a mark never starts a line
        if glued or closing:
            words[-1] += character
        else:
            words.append(character)
    lines, used = [indent], columns(indent)
    for word in words:
        size = columns(word)
        if used + size > WIDTH and lines[-1] != indent:
            lines.append(indent)
            used = columns(indent)
        if word != " " or lines[-1] != indent:
            lines[-1] += word
            used += size
    return [line.rstrip() for line in lines]
