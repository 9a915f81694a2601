"""A record against its expectation, and both against what the text prints: every place that does not agree."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from checking.known import Pair, top_of
from checking.reading import MISSING, Literal, cut, must, written
from support.command import Refused, shown
from support.record import VERDICTS, said
from support.spelling import in_a, plain

LONGEST_NUMBER = 5000  # characters of a recorded value that is calculated with
# A fraction has no exponent and no denominator of zero, so that Fraction() takes whatever this admits.
NUMBER = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*|(\.[0-9]+)?(e[+-]?[0-9]{1,3})?)")
IN_BRACES = re.compile("{(/[^{}]*)}")  # a field of the record, in the sentences of an erratum
VERDICT = re.compile(r"/results(?:/chapter_[0-9]+)?/claims/([^/]*)")
TOP = re.compile("/(record|inputs)(/|$)")
COUNT = re.compile("[0-9]{1,6}")
OF_SEEDS = re.compile("/results/(trainings|plateau|measures)/")  # counts of seeds
TRUTHS = {"正确": True, "错误": False}
WRONG = ("fails", "depends")  # verdicts by which a text is to be corrected

Difference = tuple[str, Any, Any]  # a place, what should stand there, and what does
Fault = tuple[str, str, str]  # what does not agree: under which heading, how it is named there, a line of its own


def differences(expected: dict[str, Any], actual: dict[str, Any]) -> Iterator[Difference]:
    """Yield every place at which two files differ, both ways."""
    for place in dict.fromkeys([*expected, *actual]):
        want, have = expected.get(place, MISSING), actual.get(place, MISSING)
        if type(want) is not type(have) or (want != have and not isinstance(want, (dict, list))):
            yield place, want, have


def changed(top: dict[str, Any], table: dict[str, Any], file: str) -> list[Difference]:
    """Return the inputs that have other bytes than those on disk; raise Refused for another record or other inputs."""
    found = list(differences(top, {place: table[place] for place in table if TOP.match(place)}))
    for place, want, have in found:
        if not (place.endswith("/sha256") and type(have) is str and re.fullmatch("[0-9a-f]{64}", have)):
            raise Refused(f"应为 {written(want)}，实为 {written(have)}", file, place)
    return found


def miscounted(table: dict[str, Any]) -> Iterator[Difference]:
    """Yield what is no count over seeds: no integer, or more than there are seeds."""
    seeds = str(table.get("/results/seeds"))
    for place, value in table.items():
        most = int(seeds) if OF_SEEDS.match(place) and COUNT.fullmatch(seeds) else 999_999
        fits = type(value) is Literal and COUNT.fullmatch(value) and int(value) <= most
        if not fits and not isinstance(value, dict):
            yield place, Literal(f"0 至 {most} 的整数"), value


def field_faults(found: Sequence[Difference], words: tuple[str, str], whose: str = "") -> Iterator[Fault]:
    """Yield the faults of fields; `words` say what the two values are, `whose` they are if not the record's."""
    for place, want, have in found:
        group: str = re.findall("(?:/results(?:/chapter_[0-9]+)?)?/[^/]*", place)[0]
        left, right = written(want), written(have)
        line = f"{whose}{place}：{words[0]} {left}，{words[1]} {right}{'，没有写出的字符不同' * (left == right)}"
        yield whose + group, line, line


def exact(text: Any) -> Fraction | None:
    """Return the value of a recorded or printed number; None of what is none, or too long to calculate with."""
    short = isinstance(text, str) and len(text) <= LONGEST_NUMBER
    return Fraction(text) if short and NUMBER.fullmatch(text) else None


def agrees(printed: str, value: Any) -> bool:
    """Say whether a printed text gives a recorded value: a fraction or an integer exactly, a decimal rounded.

    A decimal must be the value rounded half to even to as many decimals as are printed, or, with an exponent, to
    as many significant digits; 正确 and 错误 are a truth value; other text is a name.
    """
    if printed in TRUTHS:
        return value is TRUTHS[printed]
    figure, number = exact(printed), exact(value)
    if figure is None or number is None:
        return type(value) is str and value == printed
    if "." not in printed:
        return number == figure
    mantissa, _, exponent = printed.partition("e")
    unit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return round(number / unit) * unit == figure


def in_print(value: Any, figure: dict[str, Any] | None = None) -> str:
    """Return a value as a text would print it: names without quotation marks, truth values in words; beside a printed
    figure a multiple of a where that is one, and a decimal where that is one.
    """
    if isinstance(value, bool):
        return "正确" if value else "错误"
    number = exact(value) if figure else None
    if figure and number is not None:
        if "以 a 为单位" in figure["place"]:
            return in_a(number)
        if "/" in value and "." in figure["printed"]:
            return plain(number)
    return cut(value, 24) if isinstance(value, str) else written(value)


def head(place: str) -> str:
    """Return the table or section in which a place lies, with the chapter where that is named first.

    >>> head("表 11.2，第 1 行"), head("第四节、自测第 2 问"), head("第 13 章，解答 5，总损失")
    ('表 11.2', '第四节', '第 13 章，解答 5')
    """
    first: str = re.findall("(?:第 [0-9]+ 章，)?[^，、]*", place)[0]
    return first


def lost(entry: dict[str, Any], run: Any) -> list[str]:
    """Return the fields that an entry of a ledger names, as evidence or in a sentence, and the record has not."""
    named = [*entry.get("evidence", ()), *IN_BRACES.findall(entry.get("why", "") + entry.get("number", ""))]
    return [pointer for pointer in named if pointer not in run]


def figure_faults(printed: Any, run: Any, expected: Any, stale: bool) -> Iterator[Fault]:
    """Yield each printed figure that does not hold, and which text drifted: nobody is blamed where the data changed."""
    verdicts = verdicts_of(run)
    for figure in printed["/figures"]:
        place, text, pointer = figure["place"], figure["printed"], figure["field"]
        values = [table.get(pointer, MISSING) for table in (run, expected)]
        wrong = [value for value in values if not agrees(text, value)]
        reason = ""
        if MISSING in values or lost(figure, run):
            reason = "字段不全"
        elif "by" in figure:
            numbers = [each for each in map(exact, (text, values[0], figure["by"])) if each is not None]
            off = stale or (len(numbers) == 3 and numbers[0] == numbers[1] + numbers[2])
            fails = "disputed" not in figure or verdicts.get(figure["disputed"]) in WRONG
            if len(wrong) < 2 or not off or not fails:
                reason = f"标为有争议，就应与记录不合，多 {figure['by']}，论断也不成立或视条件而定"
        elif wrong and stale:
            reason = "不再成立"
        elif len(wrong) == 2:
            reason = "三处各不相同" if any(differences(*({pointer: each} for each in values))) else "书中所印走样"
        elif wrong:
            reason = "推导走样" if agrees(text, values[0]) else "程序的记录走样"
        if reason:
            table = head(place)
            old, *others = (in_print(value, figure) for value in (text, *(wrong or values)))
            instead = " / ".join(dict.fromkeys(others))
            group = table if reason == "不再成立" else f"{table}，{reason}"
            short = f"{place[len(table):].lstrip('，、')} {old} → {instead}"
            yield group, short, f"{group}：{short}（{pointer}）"


def verdicts_of(table: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict on each claim, from the results' own claims and from those of each chapter."""
    return {match[1]: table[match[0]] for match in map(VERDICT.fullmatch, table) if match}


def verdict_faults(printed: Any, run: Any, expected: Any, words: tuple[str, str]) -> Iterator[Fault]:
    """Yield each verdict that is not the expectation's, or not what a reader of text and figures concludes, each claim
    whose evidence is not in the record, and each verdict without a claim.
    """
    claims = {claim["id"]: claim for claim in printed["/claims"]}
    judged = {match[0]: match[1] for match in map(VERDICT.fullmatch, [*run, *expected]) if match}
    seen = set(judged.values())
    for place, name in [*judged.items(), *((name, name) for name in claims if name not in seen)]:
        have, want = run.get(place, MISSING), expected.get(place, MISSING)
        claim = claims.get(name, {"claim": name, "place": "列出的论断里没有", "evidence": [], "verdict": MISSING})
        if have == want:
            want = claim.get("verdict", MISSING if claim["evidence"] else "outside")
        left, right = (said(value, claim["evidence"]) if type(value) is str and value in VERDICTS
                       else written(value) for value in (want, have))
        reason = "" if have == want else f"{words[0]} {left}，{words[1]} {right}"
        if not reason and lost(claim, run):
            reason = f"证据不在记录里，如 {lost(claim, run)[0]}"
        if reason:
            short = f"“{cut(claim['claim'].rstrip('。'), 30)}”（{claim['place']}）"
            yield reason, short, f"{reason}：{short}（{place}）"


class Compared(NamedTuple):
    """What was found in one record."""

    number: str  # how much was compared
    old: list[list[Difference]]  # the inputs, changed by now, of record, expectation and ledger
    differs: bool  # the record from its expectation
    faults: dict[str, list[Fault]]


def compare(tables: Sequence[Any], files: Sequence[str], row: Pair) -> Compared:
    """Return what does not agree between a record, its expectation and its text, as many as there are of them."""
    run, expected, printed = [*tables, None, None][:3]
    wanted, top = expected or run, top_of(row)
    there = wanted.get("/results", MISSING)
    must(isinstance(there, dict) and there != {}, "对象，至少一个字段", there, files[:2][-1], "/results")
    inputs = {place: top[place] for place in top if place != "/record"}  # a ledger has another name
    old = [changed(each, table, file) for each, table, file in zip((top, top, inputs), tables, files)]
    found = differences(expected, run) if expected else miscounted(run)
    results = [each for each in found if not TOP.match(each[0])]
    words = ("原为", "现为") if any(old[1:]) else ("应为", "实为")
    fields = [fault for whose, part in zip(("", "期望的 ", f"{shown(files[-1])} 的 "), old)
              for fault in field_faults(part, ("应为", "实为"), whose)]
    fields += field_faults([each for each in results if not (printed and VERDICT.fullmatch(each[0]))], words)
    faults: dict[str, list[Fault]] = {"不成立的所印数值": [], "判定": [], "字段": fields}
    number = f"{sum(not isinstance(value, (dict, list)) or not value for value in wanted.values())} 个字段"
    if printed:
        number += f"、{len(printed['/figures'])} 个印出的数值、{len(printed['/claims'])} 条论断"
        faults["不成立的所印数值"] += figure_faults(printed, run, expected, any(old))
        faults["判定"] += verdict_faults(printed, run, expected, words)
    return Compared(number, old, bool(results), faults)
