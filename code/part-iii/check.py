"""Holds a record against its expectation and against the printed text, and says which of the three drifted.

    check.py [--all] [RUN EXPECTED [PRINTED]]       without files: every record in the repository
    check.py --errata                               what the texts should correct

The first line of a report says what happened, the last one the next command; between them stand printed figures that
do not hold, verdicts, then other fields. Exit code 0 when all agree, 1 for a difference, 2 when something cannot be
compared. Nothing of the programs that are checked is imported, and what a record must name is known here.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

import hashlib
import json
import re
from fractions import Fraction
from itertools import islice
from typing import Any, Iterable, Iterator, NamedTuple, Optional

from support import command
from support.command import Refused, printable, quoted, shown
from support.show import wrapped


class Row(NamedTuple):
    """What is known of a record beforehand. Paths are the repository's."""

    name: str
    run: str
    expected: str
    printed: Optional[str]
    inputs: list[dict[str, str]]  # what it must list, with the sha256 that each file has on disk
    program: str  # writes the record
    derivation: str  # writes the expectation


RECORDS = [
    Row("part-iii-run-v1", "run.json", "expected.json", "data/part-iii/printed-v1.json",
        [{"path": "data/part-iii/sequence-v1.json"},
         {"path": "data/part-ii/nnlm-data.json", "field": "window_collision"}], "run.py", "derive.py"),
    Row("lesson-6-1-run-v1", "data/lesson-6-1/run.json", "data/lesson-6-1/expected.json",
        "data/lesson-6-1/printed-v1.json",
        [{"path": "data/lesson-6-1/draws-v1.json"}, {"path": "data/lesson-6-1/seeds.json"}], "lesson_6_1.py",
        "tests/oracles/lesson_expected.py"),
]
PROGRAMS = "code/part-iii"
HELP = """用法
  python3 code/part-iii/check.py                           核对每一份记录
  python3 code/part-iii/check.py 运行记录 期望 [所印数值]  核对指定的文件
  python3 code/part-iii/check.py --errata                  列出课文该改的地方

选项（不能缩写）
  --all        每处不同各列一行；不写时，多于 10 处就按位置合并
  --errata     每个与计算不合的所印数值、每条不成立或视条件而定的论断：
               在哪里，印的是什么，算出来是什么，用哪条命令重做
  -h, --help   这页说明

逐个字段比较记录与期望，再把课文所印的数值与论断同两者对照。
首行说出了什么事，末行是下一步的命令；其间先列不成立的所印数值，再列判定，
再列其余字段。数据改过的，不怪记录，也不怪期望。
退出码：0 全部一致，1 有不同，2 有文件读不了或不能比较。"""
VERDICTS = {"holds": "成立", "fails": "不成立", "depends": "视条件而定", "outside": "不由计算判定"}
TRUTHS = {"正确": True, "错误": False}
MISSING = object()

LARGEST_RECORD = 1 << 26  # bytes: long exact values are cheap to compare; how many values there are is bounded too
MOST_MEMBERS = 1000  # of one object
LONGEST_KEY = 200  # characters of a key; a pointer repeats it for every member
LONGEST_TEXT = 1000  # characters of a text in printed-v1.json
LONGEST_NUMBER = 5000  # characters of a recorded value that is calculated with: nine steps of 100-digit weights fit
LONGEST_VALUE = 160  # characters of a list or object that is shown with what it holds
LONGEST_LINE = 300  # characters of a line of the report, with --all too
MOST_FIELDS = 10_000  # different fields, or faults of claims, that are counted
FEW = 10  # faults that are listed one by one without --all

# A fraction has no exponent and no denominator of zero, so that Fraction() takes whatever this admits.
NUMBER = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*|(\.[0-9]+)?(e[+-]?[0-9]{1,3})?)")
VERDICT = re.compile(r"/results(/chapter_[0-9]+)?/claims/([^/]*)")


class Literal(str):
    """A number in a file, kept as it is written: 1 and 1.0 are not the same field."""


class Broken(str):
    """What must not stand in a file that is compared, and why."""


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


# ---------------------------------------------------------------- reading


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
    for place, member in leaves(value) if broken else ():
        if isinstance(member, Broken):
            raise Refused(member, path, cut(place) or "文件顶层")
    if not isinstance(value, dict):
        raise Refused("应为一个 JSON 对象", path)
    return value


def read_printed(path: str) -> Any:
    """Return the figures and claims of a text; raise Refused for a field that is missing, empty or of another kind."""
    printed = read(path)
    for kind, names, optional in (("figures", ["place", "printed", "field"], "disputed"),
                                  ("claims", ["id", "place", "claim"], "repeat")):
        members = printed.get(kind)
        if not isinstance(members, list) or not members:
            raise Refused("应为列表，至少一项", path, f"/{kind}")
        for i, member in enumerate(members):
            if not isinstance(member, dict):
                raise Refused(f"应为对象，实为 {written(member)}", path, f"/{kind}/{i}")
            for name in [*names, optional] if optional in member else names:
                value = member.get(name, MISSING)
                if type(value) is not str or not 1 <= len(value) <= LONGEST_TEXT:
                    raise Refused(f"应为 1 至 {LONGEST_TEXT} 个字符的文字，实为 {written(value)}", path,
                                  f"/{kind}/{i}/{name}")
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


# ---------------------------------------------------------------- showing


def cut(text: str, longest: int = LONGEST_LINE) -> str:
    """Return a text of at most `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def written(value: Any, longest: int = 80, marks: bool = False) -> str:
    """Return a value for a line of the report: a number without quotation marks unless `marks` are asked for.

    >>> written("1/2"), written("red"), written("9" * 99, 20)
    ('1/2', '"red"', '99999999999999999999…（共 99 个字符）')
    """
    if value is MISSING:
        return "没有这个字段"
    if not isinstance(value, str):
        return quoted(value)
    size, start = len(value), value[:longest]
    bare = isinstance(value, Literal) or (not marks and re.fullmatch("-?[0-9][0-9.e/+-]*", start))
    text = start if bare else quoted(start, LONGEST_LINE)
    return text if size <= longest else f"{text}…（共 {size} 个字符）"


def told_apart(want: Any, have: Any) -> tuple[str, str]:
    """Return two different values as they are written, in such a way that they look different.

    >>> told_apart(Literal("1"), "1"), told_apart("3" * 100 + "1", "3" * 100 + "2")
    (('1', '"1"'), ('第 101 个字符起 1', '第 101 个字符起 2'))
    """
    left, right = written(want), written(have)
    if left != right:
        return left, right
    if type(want) is not type(have):
        return written(want, marks=True), written(have, marks=True)
    same, step = 0, 1 << len(want).bit_length()
    while step:
        if want[same: same + step] == have[same: same + step]:
            same += step
        step //= 2
    return f"第 {same + 1} 个字符起 {written(want[same:])}", f"第 {same + 1} 个字符起 {written(have[same:])}"


def in_print(value: Any) -> str:
    """Return a value as a text would print it: names without quotation marks, truth values in words."""
    if isinstance(value, bool):
        return next(word for word, truth in TRUTHS.items() if truth is value)
    return cut(value, 24) if isinstance(value, str) else written(value)


# ---------------------------------------------------------------- record and expectation


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


def files_of(row: Row) -> list[str]:
    """Return where a record, its expectation and the printed text lie on this system."""
    return [command.located(path) for path in (row.run, row.expected, row.printed) if path]


def row_of(*records: Any) -> Optional[Row]:
    """Return the row of the table that the first of the records with a known name has."""
    for record in records:
        for row in RECORDS:
            if record.get("record") == row.name:
                return row
    return None


def top_of(row: Optional[Row], expected: Any) -> dict[str, Any]:
    """Return what must stand beside the results: the name, and the inputs with the sha256 of the files on disk.

    Only paths of the table are opened, whatever the files under test name.
    """
    if row is None:
        return {"record": Literal(" 或 ".join(row.name for row in RECORDS)), "inputs": expected.get("inputs")}
    return {"record": row.name, "inputs": [
        {**member, "sha256": hashlib.sha256(command.read_bytes(command.located(member["path"]))).hexdigest()}
        for member in row.inputs]}


def is_stale(difference: Difference) -> bool:
    """Say whether a difference is that of other data: a sha256, but of other bytes than those on disk."""
    return bool(re.fullmatch("/inputs/[0-9]+/sha256", difference.place) and type(difference.have) is str
                and re.fullmatch("[0-9a-f]{64}", difference.have))


def is_strange(difference: Difference) -> bool:
    """Say whether a difference is that of another file altogether: in the name, the list of inputs or the members."""
    return difference.place.split("/")[1] != "results" and not is_stale(difference)


def group_of(place: str) -> str:
    """Return the place under which a field is collapsed: /inputs, /results/table_11_4, /results/chapter_13/meeting."""
    found: str = re.findall("(?:/results(?:/chapter_[0-9]+)?)?/[^/]*", place)[0]
    return found


def field_fault(difference: Difference, words: tuple[str, str], whose: str = "") -> Fault:
    """Return the line on one field; `words` say what the two values are, `whose` it is if not the record's."""
    place, (left, right) = difference.place, told_apart(difference.want, difference.have)
    group, values = group_of(place), f"{words[0]} {left}，{words[1]} {right}"
    return Fault(whose + group, f"{place[len(group):]}：{values}", f"{whose}{place}：{values}")


# ---------------------------------------------------------------- what the texts print


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
    found: dict[str, tuple[str, Any]] = {}
    results = record.get("results")
    names = [name for name in results if re.fullmatch("chapter_[0-9]+", name)] if isinstance(results, dict) else []
    for place in ["/results/claims", *(f"/results/{name}/claims" for name in names)]:
        claims = at(record, place)
        for key, verdict in claims.items() if isinstance(claims, dict) else ():
            found[key] = (f"{place}/{escaped(key)}", MISSING if key in found else verdict)
    return found


def figures(printed: Any, run: Any, expected: Any, stale: bool) -> Iterator[Fault]:
    """Yield a line for each printed figure that does not hold; where the data changed, nobody is blamed."""
    verdicts = verdicts_of(run)
    for figure in printed["figures"]:
        place, text, pointer = figure["place"], figure["printed"], figure["field"]
        values = [at(made, pointer) for made in (run, expected)]
        wrong = [value for value in values if not agrees(text, value)]
        reason = ""
        if MISSING in values:
            reason = "字段不全"
        elif "disputed" in figure:
            name = figure["disputed"]
            verdict = verdicts.get(name, ("", MISSING))[1]
            if verdict not in ("fails", "depends"):
                reason = f"标为有争议，而论断 {name} 的判定是 {written(verdict)}"
            elif len(wrong) < 2:
                reason = f"标为有争议（{name}），其实相符"
        elif wrong:
            reason = "不再成立" if stale else blame(text, *values)
        if reason:
            table, _, rest = place.partition("，")
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
        lost = [pointer for pointer in pointers if at(run, pointer) is MISSING]
        verdict = verdicts.get(name, ("", MISSING))[1]
        reason = ""
        if name in seen:
            reason = "写了两次"
        elif type(verdict) is not str or verdict not in VERDICTS:
            reason = f"没有判定，或判定不是 {'、'.join(VERDICTS)}：{written(verdict)}"
        elif lost:
            reason = f"证据 {quoted(lost[0])} 不在记录里"
        elif not pointers and verdict != "outside":
            reason = f"判为 {verdict}，却没有列出证据"
        if reason:
            yield Fault(reason, name, f"{place}，论断 {name}：{reason}")
        seen.add(name)
    for name, (place, _) in verdicts.items():
        if name not in seen:
            reason = f"记录有判定，{shown(file)} 里没有这条论断"
            yield Fault(reason, name, f"{place}：{reason}")


def verdict_fault(difference: Difference, words: tuple[str, str], places: dict[str, str]) -> Fault:
    """Return the line on one verdict that is not as expected; `places` has each claim's place in the text."""
    name = unescaped(difference.place.rpartition("/")[2])
    left, right = (VERDICTS[value] if type(value) is str and value in VERDICTS else written(value)
                   for value in (difference.want, difference.have))
    where, change = f"（{places[name]}）" if name in places else "", f"{words[0]} {left}，{words[1]} {right}"
    return Fault(change, name + where, f"{difference.place}{where}：{change}")


# ---------------------------------------------------------------- the report


class Compared(NamedTuple):
    """What was found in one record."""

    number: str  # how much was compared
    ours: list[Difference]  # of the record
    theirs: list[Difference]  # of the expectation, in what stands beside its results
    figures: list[Fault]
    verdicts: list[Fault]
    fields: list[Fault]


def compare(run: Any, expected: Any, printed: Any, row: Optional[Row], ledger: str) -> Compared:
    """Return what does not agree; `printed` is the content of `ledger`, None where no text is compared."""
    top = top_of(row, expected)
    ours = list(islice(differences({**top, "results": expected["results"]}, run), MOST_FIELDS))
    beside = {key: expected[key] for key in expected if key != "results"}
    theirs = list(islice(differences(top, beside), MOST_FIELDS))
    stale = any(map(is_stale, theirs))
    plain, words = ("应为", "实为"), ("原为", "现为") if stale else ("应为", "实为")
    number = f"{count(expected.get('inputs')) + count(expected['results'])} 个字段"
    places: dict[str, str] = {}
    lost: list[Fault] = []
    unfounded: list[Fault] = []
    if printed is not None:
        lost = list(figures(printed, run, expected, stale or any(map(is_stale, ours))))
        unfounded = list(islice(claims(printed, run, ledger), MOST_FIELDS))
        places = {claim["id"]: claim["place"] for claim in printed["claims"]}
        number += f"、{len(printed['figures'])} 个印出的数值、{len(printed['claims'])} 条论断"
    verdicts = [found for found in ours if VERDICT.fullmatch(found.place)]
    fields = [found for found in ours if not VERDICT.fullmatch(found.place)]
    return Compared(
        number, ours, theirs, lost, [*(verdict_fault(found, words, places) for found in verdicts), *unfounded],
        [*(field_fault(found, plain, "期望的 ") for found in theirs),
         *(field_fault(found, words if found.place.startswith("/results/") else plain) for found in fields)])


def decision(found: Compared, row: Row, ledger: str) -> tuple[str, str]:
    """Return what happened, and the next command: derive.py only for who has seen what the text would lose."""
    program, derivation = (f"python3 {PROGRAMS}/{name}" for name in (row.program, row.derivation))
    stale_run, stale_expected = (any(map(is_stale, differing)) for differing in (found.ours, found.theirs))
    if any(map(is_strange, found.ours)):
        return "记录的名称、输入或顶层字段不对", f"{program} 重写 {row.run}"
    if any(map(is_strange, found.theirs)):
        return "期望的名称、输入或顶层字段不对", f"{derivation} 重写 {row.expected}"
    if stale_run:
        what = "记录和期望都是按旧数据算的" if stale_expected else "记录还是按旧数据算的"
        return f"数据改过，{what}", f"{program} 重写 {row.run}，再核对"
    if stale_expected:
        what = "数据改过，期望还是按旧数据推导的，谁也没错"
        if found.figures or found.verdicts:
            return what, f"先看上面课文会失去什么：要么改回数据，要么改课文，然后才 {derivation}"
        return what, f"所印的都还成立：{derivation} 重写 {row.expected}"
    if found.ours:
        if found.figures and all(fault.line.endswith("推导走样") for fault in found.figures):
            return "记录与期望不同，所印的与记录相合", f"{derivation} 重写 {row.expected}；仍不同，就查推导"
        return "记录与期望不同", f"{program} 重写 {row.run}；仍不同，就查程序与推导哪个算错"
    return "所印的与记录不合", f"改正课文或 {shown(ledger)}，再 python3 {PROGRAMS}/check.py"


def report(found: Compared, whole: bool) -> list[str]:
    """Return a line for each fault where they are few or `whole` is asked for; else they are collapsed by place."""
    parts = {"不成立的所印数值": found.figures, "判定": found.verdicts, "字段": found.fields}
    if whole or sum(map(len, parts.values())) <= FEW:
        return [fault.line for part in parts.values() for fault in part]
    lines = []
    for title, part in parts.items():
        lines += [f"{title}（{len(part)} 处）"] if part else []
        groups: dict[str, list[Fault]] = {}
        for fault in part:
            groups.setdefault(fault.group, []).append(fault)
        for group, (first, *others) in groups.items():
            if part is not found.fields:
                text = f"{group}：{'；'.join(fault.short for fault in (first, *others))}"
                start, *more = wrapped(text, "    ")
                lines += [start[2:], *more]
            elif others:
                lines.append(f"  {group}（{len(others) + 1} 处）：如 {first.short}")
            else:
                lines.append(f"  {first.line}")
    return [*lines, "加 --all 逐处列出"]


def check(files: list[str], row: Optional[Row] = None, whole: bool = False) -> list[str]:
    """Return the report on a record, an expectation and perhaps a ledger: a single line where all agrees.

    Without a row, the name that the record gives itself decides which row of the table it must fit.
    """
    run_file, expected_file, *ledgers = files
    run, expected = read(run_file, LARGEST_RECORD), read(expected_file, LARGEST_RECORD)
    if not isinstance(expected.get("results"), dict) or not expected["results"]:
        raise Refused("期望里没有可比的字段：应有 results", expected_file)
    printed, ledger = (read_printed(ledgers[0]), ledgers[0]) if ledgers else (None, "")
    row = row or row_of(run, expected)
    found = compare(run, expected, printed, row, ledger)
    sizes = [len(part) for part in (found.figures, found.verdicts, found.fields)]
    if not any(sizes):
        return [f"{shown(run_file)}：比较了 {found.number}；全部一致"]
    what, advice = decision(found, row or RECORDS[0], ledger)
    least = "至少 " if max(sizes) >= MOST_FIELDS else ""
    return [f"{shown(run_file)}：{what}；比较了 {found.number}，{least}{sum(sizes)} 处不同",
            *report(found, whole), f"下一步：{advice}"]


# ---------------------------------------------------------------- for the author


def errata(run: Any, printed: Any, row: Row) -> Iterator[str]:
    """Yield what a text should correct, in its order: place, what is printed, what is computed, how to repeat it.

    `printed` has passed compare(). Its "places" lists the places in the order of the text; without that list they
    stand in the order in which figures, then claims, first name them. At one place figures come before claims, each
    in the ledger's order.
    """
    verdicts = verdicts_of(run)
    repeats = {claim["id"]: claim.get("repeat") for claim in printed["claims"]}
    found: list[tuple[str, str, list[str], str]] = []
    for figure in printed["figures"]:
        if not agrees(figure["printed"], at(run, figure["field"])):
            found.append((figure["place"], f"印的是 {figure['printed']}", [figure["field"]],
                          repeats.get(figure.get("disputed")) or door(row, figure["field"])))
    for claim in printed["claims"]:
        place, verdict = verdicts.get(claim["id"], ("", MISSING))
        if verdict in ("fails", "depends"):
            found.append((claim["place"], f"{VERDICTS[verdict]}：{claim['claim']}", claim["evidence"],
                          claim.get("repeat") or door(row, place)))
    named = [head(member["place"]) for member in (*printed["figures"], *printed["claims"])]
    order = {place: i for i, place in enumerate(dict.fromkeys(printed.get("places", named)))}
    found.sort(key=lambda entry: order.get(head(entry[0]), len(order)))
    yield from (f"{row.printed}：{len(found)} 处印的与算出的不合", "")
    for place, text, pointers, repeat in found:
        computed = "；".join(f"{pointer} {brief(at(run, pointer))}" for pointer in pointers)
        yield place
        yield from wrapped(text, "  ")
        yield from wrapped(f"算出：{computed}", "  ")
        yield from (f"  重做：{repeat}", "")


def head(place: str) -> str:
    """Return the table or section in which a place lies: 表 11.2 of 表 11.2，第 1 行; 第四节 of 第四节、自测第 2 问."""
    return re.split("[，、]", place)[0]


def door(row: Row, place: str) -> str:
    """Return the command that shows what stands at a place of the record."""
    chapter = re.match("/results/chapter_([0-9]+)/", place)
    return f"python3 {PROGRAMS}/{row.program}" + (f" --chapter {chapter[1]} --all" if chapter else "")


def brief(value: Any) -> str:
    """Return a value with what it holds, if that is short.

    >>> brief(["1/2", "0"]), brief({"t": Literal("1"), "state": ["0"]}), brief(list(range(99)))
    ('[1/2, 0]', '{t 1, state [0]}', '列表（99 项）')
    """
    if not isinstance(value, (dict, list)) or len(value) > FEW:
        return written(value, 40)
    if isinstance(value, dict):
        text = f"{{{', '.join(f'{key} {brief(member)}' for key, member in value.items())}}}"
    else:
        text = f"[{', '.join(map(brief, value))}]"
    return text if len(text) <= LONGEST_VALUE else quoted(value)


def main(arguments: list[str]) -> int:
    """Print the report on the given record, or on every record of the repository."""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        return 0
    options = [argument for argument in arguments if argument.startswith("-")]
    files = [argument for argument in arguments if not argument.startswith("-")]
    if options not in ([], ["--all"], ["--errata"]) or len(files) not in (0, 2, 3) or (files and "--errata" in options):
        raise Refused("命令行：不写参数，或写两至三个文件：运行记录 期望 [所印数值]；选项只有 --all 或 --errata")
    if "" in files:
        raise Refused("命令行：有一个文件名是空的；应写两至三个文件：运行记录 期望 [所印数值]")
    code = 0
    for row, paths in [(None, files)] if files else [(row, files_of(row)) for row in RECORDS]:
        lines = check(paths, row, "--all" in options)
        code |= len(lines) > 1
        if row and "--errata" in options:
            faults = lines[:1] if len(lines) > 1 else []
            lines = [*(errata(read(paths[0], LARGEST_RECORD), read(paths[2]), row) if row.printed else ()), *faults]
        for line in lines:
            print(cut(printable(line)))
    return code


if __name__ == "__main__":
    sys.exit(command.run(main))
