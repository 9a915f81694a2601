"""What a text should correct: each printed figure and claim that the computation contradicts, in the text's order."""
from __future__ import annotations

import re
from typing import Any, Iterator

from checking.comparing import agrees, head, verdicts_of
from checking.known import PROGRAMS, Row
from checking.reading import at
from checking.wording import MISSING, VERDICTS, brief
from support.show import wrapped


def errata(run: Any, printed: Any, row: Row) -> Iterator[str]:
    """Yield what a text should correct, in its order: place, what is printed, what is computed, how to repeat it.

    `printed` has passed compare(). Its "places" lists the places in the order of the text; without that list they
    stand in the order in which figures, then claims, first name them. At one place figures come before claims, each
    in the ledger's order.
    """
    verdicts = verdicts_of(run)
    repeats = {claim["id"]: claim.get("repeat") for claim in printed["claims"]}
    entries: list[tuple[str, str, list[str], str]] = []
    for figure in printed["figures"]:
        if not agrees(figure["printed"], at(run, figure["field"])):
            entries.append((figure["place"], f"印的是 {figure['printed']}", [figure["field"]],
                          repeats.get(figure.get("disputed")) or door(row, figure["field"])))
    for claim in printed["claims"]:
        place, verdict = verdicts.get(claim["id"], ("", MISSING))
        if verdict in ("fails", "depends"):
            entries.append((claim["place"], f"{VERDICTS[verdict]}：{claim['claim']}", claim["evidence"],
                          claim.get("repeat") or door(row, place)))
    named = [head(member["place"]) for member in (*printed["figures"], *printed["claims"])]
    order = {place: i for i, place in enumerate(dict.fromkeys(printed.get("places", named)))}
    entries.sort(key=lambda entry: order.get(head(entry[0]), len(order)))
    yield from (f"{row.printed}：{len(entries)} 处印的与算出的不合", "")
    for place, text, pointers, repeat in entries:
        computed = "；".join(f"{pointer} {brief(at(run, pointer))}" for pointer in pointers)
        yield place
        yield from wrapped(text, "  ")
        yield from wrapped(f"算出：{computed}", "  ")
        yield from (f"  重做：{repeat}{'（开发用的，要 NumPy）' if '/oracles/' in repeat else ''}", "")


def door(row: Row, place: str) -> str:
    """Return the command that shows what stands at a place of the record."""
    chapter = re.match("/results/chapter_([0-9]+)/", place)
    return f"python3 {PROGRAMS}/{row.program}" + (f" --chapter {chapter[1]} --all" if chapter else "")
