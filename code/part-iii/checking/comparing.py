"""A record against its expectation, and both against what the text prints: every place that does not agree."""
from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from typing import Any, Iterator, NamedTuple

from checking.known import Row, top_of
from checking.reading import at, count, escaped, members_of, unescaped
from checking.wording import MISSING, TRUTHS, VERDICTS, cut, in_print, told_apart, written
from support.command import Refused, quoted, shown

LONGEST_NUMBER = 5000  # characters of a recorded value that is calculated with: nine steps of 100-digit weights fit
MOST_FIELDS = 10_000  # different fields, or faults of claims, that are counted
# A fraction has no exponent and no denominator of zero, so that Fraction() takes whatever this admits.
NUMBER = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*|(\.[0-9]+)?(e[+-]?[0-9]{1,3})?)")
IN_BRACES = re.compile("{(/[^{}]*)}")  # a field of the record, in the sentences of an erratum
VERDICT = re.compile(r"/results(/chapter_[0-9]+)?/claims/([^/]*)")


class Difference(NamedTuple):
    """A place at which two JSON values differ, and what they have there."""

    place: str
    want: Any
    have: Any


class Fault(NamedTuple):
    """A line of the report, and how it is named where several of a group stand together."""

    group: str
    short: str
    line: str


def differences(expected: Any, actual: Any, place: str = "") -> Iterator[Difference]:
    """Yield every place at which two JSON values differ, both ways."""
    if type(expected) is not type(actual):
        yield Difference(place, expected, actual)
    elif isinstance(expected, (dict, list)):
        left, right = dict(members_of(expected)), dict(members_of(actual))
        for key in [*left, *(key for key in right if key not in left)]:
            below = f"{place}/{escaped(key)}"
            if key not in left or key not in right:
                yield Difference(below, left.get(key, MISSING), right.get(key, MISSING))
            else:
                yield from differences(left[key], right[key], below)
    elif expected != actual:
        yield Difference(place, expected, actual)


def is_stale(difference: Difference) -> bool:
    """Say whether a difference is that of other data: a sha256, but of other bytes than those on disk."""
    return bool(re.fullmatch("/inputs/[0-9]+/sha256", difference.place) and type(difference.have) is str
                and re.fullmatch("[0-9a-f]{64}", difference.have))


def is_strange(difference: Difference) -> bool:
    """Say whether a difference is that of another file altogether: in the name, the list of inputs or the members."""
    return difference.place.split("/")[1] != "results" and not is_stale(difference)


def group_of(place: str) -> str:
    """Return the place under which a field is collapsed: /inputs, /results/table_11_4, /results/chapter_13/meeting."""
    group: str = re.findall("(?:/results(?:/chapter_[0-9]+)?)?/[^/]*", place)[0]
    return group


def field_fault(difference: Difference, words: tuple[str, str], whose: str = "") -> Fault:
    """Return the line on one field; `words` say what the two values are, `whose` it is if not the record's."""
    place, (left, right) = difference.place, told_apart(difference.want, difference.have)
    group, values = group_of(place), f"{words[0]} {left}，{words[1]} {right}"
    return Fault(whose + group, f"{place[len(group):]}：{values}", f"{whose}{place}：{values}")


def agrees(printed: str, value: Any) -> bool:
    """Say whether a printed text gives a recorded value: a fraction or an integer exactly, a decimal rounded.

    A decimal must be the value rounded half to even to as many decimals as are printed, or, with an exponent, to
    as many significant digits; 正确 and 错误 are a truth value; other text is a name.
    """
    if printed in TRUTHS:
        return value is TRUTHS[printed]
    if not isinstance(value, str) or len(value) > LONGEST_NUMBER:
        return False
    if not NUMBER.fullmatch(printed) or not NUMBER.fullmatch(value):
        return type(value) is str and value == printed
    number, figure = Fraction(value), Fraction(printed)
    if "." not in printed:
        return number == figure
    mantissa, _, exponent = printed.partition("e")
    unit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return round(number / unit) * unit == figure


def apart(printed: str, value: Any) -> Fraction | None:
    """Return how much a printed number is above a recorded one; None where one of them is no number."""
    numbers = [Fraction(text) if type(text) is str and len(text) <= LONGEST_NUMBER and NUMBER.fullmatch(text) else None
               for text in (printed, str(value))]
    return None if numbers[0] is None or numbers[1] is None else numbers[0] - numbers[1]


def blame(printed: str, recorded: Any, expected: Any) -> str:
    """Say which of the three texts drifted from the other two."""
    if agrees(printed, recorded):
        return "推导走样"
    if agrees(printed, expected):
        return "程序的记录走样"
    return "书中所印走样" if type(recorded) is type(expected) and recorded == expected else "三处各不相同"


def verdicts_of(record: Any) -> dict[str, tuple[str, Any]]:
    """Return place and verdict of each claim, from the results' own claims and from those of each chapter.

    A claim that has two verdicts has none.
    """
    verdicts: dict[str, tuple[str, Any]] = {}
    results = record.get("results")
    names = [name for name in results if re.fullmatch("chapter_[0-9]+", name)] if isinstance(results, dict) else []
    for place in ["/results/claims", *(f"/results/{name}/claims" for name in names)]:
        claims = at(record, place)
        for key, verdict in claims.items() if isinstance(claims, dict) else ():
            verdicts[key] = (f"{place}/{escaped(key)}", MISSING if key in verdicts else verdict)
    return verdicts


def head(place: str) -> str:
    """Return the table or section in which a place lies, with the chapter where that is named first.

    >>> head("表 11.2，第 1 行"), head("第四节、自测第 2 问"), head("第 13 章，解答 5，总损失")
    ('表 11.2', '第四节', '第 13 章，解答 5')
    """
    first: str = re.findall("(?:第 [0-9]+ 章，)?[^，、]*", place)[0]
    return first


def lost(member: Any, run: Any) -> list[str]:
    """Return the fields that the sentences of an erratum name and the record has not."""
    named = IN_BRACES.findall("".join(member.get(name, "") for name in ("why", "number")))
    return [pointer for pointer in named if at(run, pointer) is MISSING]


def figures(printed: Any, run: Any, expected: Any, stale: bool) -> Iterator[Fault]:
    """Yield a line for each printed figure that does not hold; where the data changed, nobody is blamed."""
    verdicts = verdicts_of(run)
    for figure in printed["figures"]:
        place, text, pointer = figure["place"], figure["printed"], figure["field"]
        values = [at(record, pointer) for record in (run, expected)]
        wrong = [value for value in values if not agrees(text, value)]
        reason = ""
        if MISSING in values or lost(figure, run):
            reason = "字段不全"
        elif "by" in figure:
            name = figure.get("disputed", "")
            verdict = verdicts.get(name, ("", MISSING))[1]
            if name and verdict not in ("fails", "depends"):
                reason = f"标为有争议，而论断 {name} 的判定是 {written(verdict)}"
            elif len(wrong) < 2:
                reason = f"标为有争议{name and f'（{name}）'}，其实相符"
            elif not stale and apart(text, values[0]) != apart(figure["by"], "0"):
                reason = f"标为有争议，应比记录多 {figure['by']}，其实不是"
        elif wrong:
            reason = "不再成立" if stale else blame(text, *values)
        if reason:
            table = head(place)
            rest = place[len(table):].lstrip("，、")
            instead = " / ".join(dict.fromkeys(map(in_print, wrong or values)))
            recorded, derived = (written(value, 40) for value in values)
            yield Fault(table if reason == "不再成立" else f"{table}，{reason}", f"{rest} {cut(text, 24)} → {instead}",
                        f"{place}（{pointer}）：印的 {written(text, 40)}，记录 {recorded}，推导 {derived}：{reason}")


def claims(printed: Any, run: Any, file: str) -> Iterator[Fault]:
    """Yield a line for each claim without verdict or evidence, and for each verdict without claim."""
    verdicts = verdicts_of(run)
    seen = set()
    for claim in printed["claims"]:
        name, place, pointers = claim["id"], claim["place"], claim["evidence"]
        nowhere = [*(pointer for pointer in pointers if at(run, pointer) is MISSING), *lost(claim, run)]
        verdict = verdicts.get(name, ("", MISSING))[1]
        reason = ""
        if name in seen:
            reason = "写了两次"
        elif type(verdict) is not str or verdict not in VERDICTS:
            reason = f"没有判定，或判定不是 {'、'.join(VERDICTS)}：{written(verdict)}"
        elif nowhere:
            reason = f"证据 {quoted(nowhere[0])} 不在记录里"
        elif not pointers and verdict != "outside":
            reason = f"判为 {verdict}，却没有列出证据"
        if reason:
            yield Fault(reason, name, f"{place}，论断 {name}：{reason}")
        seen.add(name)
    for name, (place, _) in verdicts.items():
        if name not in seen:
            reason = f"记录有判定，{shown(file)} 里没有这条论断"
            yield Fault(reason, name, f"{place}：{reason}")


def turned(printed: Any, run: Any, expected: Any, moved: bool) -> Iterator[Fault]:
    """Yield a line for each verdict of the record that is not what a reader of text and figures concludes.

    What record and expectation disagree about is told elsewhere. Where the data were changed nobody is blamed.
    """
    ours, theirs = verdicts_of(run), verdicts_of(expected)
    for claim in printed["claims"]:
        place, verdict = ours.get(claim["id"], ("", MISSING))
        known = type(verdict) is str and verdict in VERDICTS  # what is none is told elsewhere
        if known and verdict != claim.get("verdict", verdict) and theirs.get(claim["id"]) == (place, verdict):
            said, wanted = (VERDICTS.get(each, each) for each in (str(verdict), claim["verdict"]))
            reason = f"记录判为 {said}，verdict 写的是 {wanted}"
            if moved:
                reason = "这份数据里没有这样的情形" if verdict == "outside" else f"原为 {wanted}，这份数据上 {said}"
            yield Fault(reason, f"{claim['id']}（{claim['place']}）", f"{place}（{claim['place']}）：{reason}")


def verdict_fault(difference: Difference, words: tuple[str, str], places: dict[str, str]) -> Fault:
    """Return the line on one verdict that is not as expected; `places` has each claim's place in the text."""
    name = unescaped(difference.place.rpartition("/")[2])
    left, right = (VERDICTS[value] if type(value) is str and value in VERDICTS else written(value)
                   for value in (difference.want, difference.have))
    where, change = f"（{places[name]}）" if name in places else "", f"{words[0]} {left}，{words[1]} {right}"
    return Fault(change, name + where, f"{difference.place}{where}：{change}")


class Compared(NamedTuple):
    """What was found in one record."""

    number: str  # how much was compared
    ours: list[Difference]  # of the record
    theirs: list[Difference]  # of the expectation, in what stands beside its results
    figures: list[Fault]
    verdicts: list[Fault]
    fields: list[Fault]
    moved: bool  # the ledger speaks of other data
    turned: bool  # of the verdicts, some are not the ledger's


def compare(run: Any, expected: Any, printed: Any, row: Row | None, ledger: str) -> Compared:
    """Return what does not agree; `printed` is the content of `ledger`, None where no text is compared."""
    top = top_of(row, expected)
    ours = list(islice(differences({**top, "results": expected["results"]}, run), MOST_FIELDS))
    beside = {key: expected[key] for key in expected if key != "results"}
    theirs = list(islice(differences(top, beside), MOST_FIELDS))
    stale = any(map(is_stale, theirs))
    plain, words = ("应为", "实为"), ("原为", "现为") if stale else ("应为", "实为")
    number = f"{count(expected.get('inputs')) + count(expected['results'])} 个字段"
    places: dict[str, str] = {}
    untrue: list[Fault] = []
    unfounded: list[Fault] = []
    other: list[Fault] = []
    judged_on: list[Difference] = []
    if printed is not None:
        if row and "inputs" in printed:
            judged_on = list(differences({"inputs": top["inputs"]}, {"inputs": printed["inputs"]}))
            if not all(map(is_stale, judged_on)):
                raise Refused("应与记录的 inputs 相同，或只有 sha256 不同", ledger, "/inputs")
        untrue = list(figures(printed, run, expected, stale or any(map(is_stale, ours)) or bool(judged_on)))
        other = list(turned(printed, run, expected, bool(judged_on)))
        unfounded = list(islice(claims(printed, run, ledger), MOST_FIELDS))
        places = {claim["id"]: claim["place"] for claim in printed["claims"]}
        number += f"、{len(printed['figures'])} 个印出的数值、{len(printed['claims'])} 条论断"
    verdicts = [each for each in ours if VERDICT.fullmatch(each.place)]
    fields = [each for each in ours if not VERDICT.fullmatch(each.place)]
    return Compared(
        number, ours, theirs, untrue, [*(verdict_fault(each, words, places) for each in verdicts), *other, *unfounded],
        [*(field_fault(each, plain, f"{shown(ledger)} 的 ") for each in judged_on),
         *(field_fault(each, plain, "期望的 ") for each in theirs),
         *(field_fault(each, words if each.place.startswith("/results/") else plain) for each in fields)],
        bool(judged_on), bool(other))
