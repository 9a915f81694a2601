"""Tables and bars for a terminal of 80 columns, in which a Chinese character is two columns wide."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from unicodedata import east_asian_width

WIDTH = 80
ITEM = "。；？！"  # what ends a sentence or an item
CLAUSE = "，：" + ITEM  # what ends a clause
MARKS = "、" + CLAUSE  # what ends a member of a list
CLOSING, OPENING = MARKS + "）」”》", "（「“《"  # no line begins with the former or ends with the latter


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


def words(tokens: Sequence[str]) -> str:
    """Return words with spaces between them; of many the first and the last.

    >>> words(["red", "key", "is"]), words(["filler"] * 50)
    ('red key is', 'filler filler filler … filler filler filler（共 50 个）')
    """
    if len(tokens) <= 12:
        return " ".join(tokens)
    return f"{' '.join(tokens[:3])} … {' '.join(tokens[-3:])}（共 {len(tokens)} 个）"


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
    """Return `text` as lines of at most 80 columns, each led by `indent`.

    A line that stays at least half full ends behind an item or a sentence, or else behind a clause, or else behind a
    member of a list, so that these stay whole; else where Chinese allows it, but within a row of numbers in brackets,
    or between words such as those of a command, only if it must. What has neither spaces nor wide characters, as a
    number, is never broken.

    >>> [len(line) for line in wrapped("红" * 41)], [len(line) for line in wrapped("红" * 25 + "，" + "红" * 20)]
    ([39, 2], [26, 20])
    """
    lines, room = [], WIDTH - columns(indent)
    while columns(text[: room + 1]) > room:  # a character is at least a column wide
        end = _end(text, room)
        lines.append(indent + text[:end].rstrip())
        text = text[end:].lstrip()
    return [*lines, indent + text] if text else lines


def folded(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, those that are wider than 80 columns in parts, each indented as the first."""
    for line in (part for each in lines for part in each.split("\n")):
        if columns(line) <= WIDTH:
            yield line
        else:
            yield from wrapped(line.strip(), " " * (len(line) - len(line.lstrip())))


def _end(text: str, room: int) -> int:
    """Return where the first line of a text ends that is wider than `room` columns; what is far behind is not read."""
    widths = [0, *accumulate(map(columns, text[: room + 1]))]
    ends = (i for i in range(1, len(text)) if _may_part(text[i - 1], text[i]))
    fitting = [i for i in range(1, min(room + 1, len(text))) if widths[i] <= room and _may_part(text[i - 1], text[i])]
    if not fitting:  # a run that is too wide is a line all the same
        return next(ends, len(text))
    alone = text[: 2 * room]
    fitting = [i for i in fitting if len(alone[i:].strip(CLOSING + " ")) > 1] or fitting  # none stays behind alone
    late = [i for i in fitting if 2 * widths[i] >= room]
    late = fitting = [i for i in late if not _together(text, i, room)] or fitting
    ends_of = [[i for i in late if text[i - 1] in marks] for marks in (ITEM, CLAUSE, MARKS)]
    return (ends_of[0] or ends_of[1] or ends_of[2] or fitting)[-1]


def _together(text: str, i: int, room: int) -> bool:
    """Say whether a place is within brackets that one line can hold, or between words that have no wide characters."""
    start = text.rfind("[", 0, i)
    in_row = start >= 0 and i <= text.find("]", start, start + room)
    return in_row or (text[:i].rstrip()[-1:] + text[i:].lstrip()[:1]).isascii()


def _may_part(before: str, after: str) -> bool:
    """Say whether a line may end between two characters."""
    loose = " " in (before, after) or 2 in (columns(before), columns(after))
    return loose and before not in OPENING and after not in CLOSING
