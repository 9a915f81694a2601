"""What a text should correct, as a letter to its author: what matters first, each with what should stand there."""
from __future__ import annotations

import re
from typing import Any, Iterator

from checking.comparing import IN_BRACES, agrees, head, verdicts_of
from checking.known import Row
from checking.reading import ERRATUM, at
from checking.wording import VERDICTS, brief, in_print
from support.show import wrapped

HEADINGS = {"grave": "要紧的", "small": "小处", "": "怎样改还没有写"}


def errata(run: Any, printed: Any, row: Row, pointers: bool) -> Iterator[str]:
    """Yield what a text should correct: what matters, then what is small, each in the order of the text.

    `printed` has passed compare(). An erratum is a figure that the record contradicts, or a claim that does not hold,
    with the figures that are disputed by it. Its "places" lists the places of a text in order; without that list they
    stand in the order in which figures, then claims, first name them. With `pointers` the fields are named, too.
    """
    verdicts = {name: verdict for name, (_, verdict) in verdicts_of(run).items()}
    entries = [{**figure, "stands": f"印的是 {figure['printed']}", "evidence": [figure["field"]]}
               for figure in printed["figures"]
               if "disputed" not in figure and not agrees(figure["printed"], at(run, figure["field"]))]
    entries += [{**claim, "stands": f"{VERDICTS[verdicts[claim['id']]]}：{claim['claim']}"}
                for claim in printed["claims"] if verdicts.get(claim["id"]) in ("fails", "depends")]
    named = [head(member["place"]) for member in (*printed["figures"], *printed["claims"])]
    order = {place: i for i, place in enumerate(dict.fromkeys(printed.get("places", named)))}
    entries.sort(key=lambda entry: order.get(head(entry["place"]), len(order)))
    yield f"{printed.get('title', row.printed)}：{len(entries)} 处建议改"
    for weight, heading in HEADINGS.items():
        there = [entry for entry in entries if entry.get("weight", "") == weight]
        yield from ["", f"{heading}（{len(there)} 处）"] * bool(there)
        for n, entry in enumerate(there, 1):
            yield from ("", f"{n}. {entry['place']}" + (f"，查“{entry['quote']}”" if "quote" in entry else ""))
            yield from (line for text in lines(entry, run, pointers) for line in wrapped(text, "   "))


def lines(entry: dict[str, Any], run: Any, pointers: bool) -> Iterator[str]:
    """Yield what one entry says below its place."""
    yield entry["stands"]
    if "condition" in entry:
        yield f"条件：{entry['condition']}"
    if all(name in entry for name in ERRATUM):
        yield f"改为：{entry['instead']}"
        yield f"因为：{filled(entry['why'], run)}"
        yield f"算出：{filled(entry['number'], run)}"
        yield f"重做：{entry['repeat']}{'（开发用的，要 NumPy）' if '/oracles/' in entry['repeat'] else ''}"
    if pointers:
        yield from (f"{pointer} {brief(at(run, pointer))}" for pointer in entry["evidence"])


def filled(text: str, run: Any) -> str:
    """Return a text with what stands in the record at each JSON Pointer in braces."""
    return re.sub(IN_BRACES, lambda match: in_print(at(run, match[1])), text)
