"""What a text should correct, as a letter to its author: what matters first, each with what should stand there."""
from __future__ import annotations

import json
import re
from typing import Any, Iterator

from checking.comparing import IN_BRACES, WRONG, agrees, head, in_print, verdicts_of
from checking.reading import MISSING, cut
from support.record import VERDICTS
from support.show import wrapped

HEADINGS = {"grave": "要紧的", "small": "小处", "": "怎样改还没有写"}
TITLES = {"condition": "条件", "instead": "改为", "why": "因为", "number": "算出", "repeat": "重做"}


def errata(run: Any, printed: Any, pointers: bool) -> Iterator[str]:
    """Yield what a text should correct: what matters, then what is small, each in the order of the text's "places".

    `printed` has passed compare(). An erratum is a figure that the record contradicts, or a claim that does not hold,
    with the figures that are disputed by it. Of other data than the text's there is no letter. With `pointers` the
    fields are named, too.
    """
    title = printed.get("/title", "课文")
    if any(run.get(place) != value for place, value in printed.items() if re.fullmatch("/inputs/[0-9]+/sha256", place)):
        yield from (f"{title}：数据改过，不是课文用的那些，没有信；先改回数据", "")
        return
    verdicts, order = verdicts_of(run), printed.get("/places", [])
    entries = [{**figure, "stands": f"印的是 {figure['printed']}", "evidence": [figure["field"]]}
               for figure in printed["/figures"]
               if "disputed" not in figure and not agrees(figure["printed"], run.get(figure["field"]))]
    entries += [{**claim, "stands": f"{VERDICTS[verdicts[claim['id']]]}：{claim['claim']}"}
                for claim in printed["/claims"] if verdicts.get(claim["id"]) in WRONG]
    entries.sort(key=lambda entry: order.index(head(entry["place"])) if head(entry["place"]) in order else len(order))
    yield f"{title}：{len(entries)} 处建议改"
    yield from wrapped(printed.get("/about", ""))
    weights = [entry["weight"] if entry.get("weight") in HEADINGS else "" for entry in entries]
    for weight, heading in HEADINGS.items():
        there = [entry for entry, its in zip(entries, weights) if its == weight]
        yield from ["", f"{heading}（{len(there)} 处）"] * bool(there)
        for n, entry in enumerate(there, 1):
            quote = f"，搜“{entry['quote']}”" if "quote" in entry else ""
            yield from ("", *wrapped(f"{n}. {entry['place']}{quote}"))
            said = [entry["stands"]]
            for name, title in TITLES.items():
                note = "（开发用的，要 NumPy）" if "/oracles/" in entry.get(name, "") else ""
                said += [f"{title}：{filled(entry[name], run)}{note}"] if name in entry else []
            for pointer in entry["evidence"] if pointers else ():
                value = json.dumps(run.get(pointer, MISSING), ensure_ascii=False).replace('"', "")
                said.append(cut(f"{pointer} {value}", 160))
            yield from (line for text in said for line in wrapped(text, "   "))
    yield ""


def filled(text: str, run: Any) -> str:
    """Return a text with what stands in the record at each JSON Pointer in braces."""
    return re.sub(IN_BRACES, lambda match: in_print(run.get(match[1], MISSING)), text)
