"""Holds a record against its expectation and against the printed text, and says which of the three drifted.

    check.py [RUN EXPECTED [PRINTED]]       without arguments: every record in the repository

Exit code 0 when all agree, 1 for a difference (each on a line of its own: place, expected, actual), 2 when
something cannot be compared. Nothing of the programs that are checked is imported.
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
from typing import Any, Iterator, Optional

from support import command
from support.command import Refused, quoted, shown

RECORDS = [("run.json", "expected.json", "data/part-iii/printed-v1.json"),
           ("data/lesson-6-1/run.json", "data/lesson-6-1/expected.json", "data/lesson-6-1/printed-v1.json")]
HELP = """用法
  python3 code/part-iii/check.py                             核对每一份记录
  python3 code/part-iii/check.py 运行记录 期望 [所印数值]    核对指定的文件

逐个字段比较，再把书中所印的数值与论断同两者对照。每处不同写一行，末行是总数。
退出码：0 全部一致，1 有不同，2 有文件读不了或不能比较。"""
VERDICTS = ("holds", "fails", "depends", "outside")
TRUTHS = {"正确": True, "错误": False}
MISSING = object()


class Literal(str):
    """A number in a file, kept as it is written: 1 and 1.0 are not the same field."""


class Broken(str):
    """What must not stand in a file that is compared, and why."""


def read(path: str) -> Any:
    """Return the JSON object in a file; raise Refused for anything that two readers could take differently."""

    def members(pairs: list[tuple[str, Any]]) -> Any:
        table: dict[str, Any] = {}
        for key, value in pairs:
            if key in table:
                return Broken(f"键 {quoted(key)} 重复了")
            table[key] = value
        return table

    _, text = command.read_json_text(path)
    try:
        value = json.loads(text, parse_int=Literal, parse_float=Literal,
                           object_pairs_hook=members, parse_constant=lambda name: Broken(f"{name} 不是数"))
    except json.JSONDecodeError as error:
        raise Refused("不是合法的 JSON", path, f"第 {error.lineno} 行第 {error.colno} 列") from None
    for place, member in leaves(value):
        if isinstance(member, Broken):
            raise Refused(member, path, place or "文件顶层")
    if not isinstance(value, dict):
        raise Refused("应为一个 JSON 对象", path)
    return value


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that holds no other, with its JSON Pointer."""
    if isinstance(value, (dict, list)) and value:
        for key, member in members_of(value):
            yield from leaves(member, f"{place}/{escaped(key)}")
    else:
        yield place, value


def members_of(value: Any) -> list[tuple[Any, Any]]:
    """Return the keys or indices of an object or list with what they hold."""
    return list(value.items()) if isinstance(value, dict) else list(enumerate(value))


def escaped(key: Any) -> str:
    """Return a key as one part of a JSON Pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def at(value: Any, pointer: str) -> Any:
    """Return what a JSON Pointer leads to, or MISSING."""
    if not pointer.startswith("/"):
        return MISSING
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key, MISSING)
        elif isinstance(value, list) and re.fullmatch("0|[1-9][0-9]{0,8}", key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value


def written(value: Any) -> str:
    """Return a value for a line of the report."""
    if value is MISSING:
        return "没有这个字段"
    return str(value) if isinstance(value, Literal) else quoted(value)


def differences(expected: Any, actual: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield place, expected and actual value wherever two JSON values differ, both ways."""
    if type(expected) is not type(actual):
        yield place, expected, actual
    elif isinstance(expected, (dict, list)):
        left, right = dict(members_of(expected)), dict(members_of(actual))
        for key in [*left, *(key for key in right if key not in left)]:
            below = f"{place}/{escaped(key)}"
            if key not in left or key not in right:
                yield below, left.get(key, MISSING), right.get(key, MISSING)
            else:
                yield from differences(left[key], right[key], below)
    elif expected != actual:
        yield place, expected, actual


def agrees(printed: str, value: Any) -> bool:
    """Say whether a printed text gives a recorded value: a fraction or an integer exactly, a decimal rounded.

    A decimal must be the value rounded half to even to as many decimals as are printed, or, with an exponent, to
    as many significant digits; 正确 and 错误 are a truth value; other text is a name.
    """
    if printed in TRUTHS:
        return value is TRUTHS[printed]
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]+(/[0-9]+|\.[0-9]+)?(e[+-]?[0-9]{1,3})?", printed):
        return type(value) is str and value == printed
    if not re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*|\.[0-9]+)?(e[+-]?[0-9]{1,3})?", value):
        return False
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


def figures(printed: Any, run: Any, expected: Any, file: str) -> Iterator[tuple[Optional[str], int]]:
    """Yield a line for each printed figure that does not hold (None where it does)."""
    for i, figure in enumerate(listed(printed, "figures", file)):
        place, text, pointer = (field(figure, name, file, f"/figures/{i}") for name in ("place", "printed", "field"))
        values = [at(made, pointer) for made in (run, expected)]
        report = (f"{place}（{pointer}）：印的 {quoted(text)}，记录 {written(values[0])}，推导 {written(values[1])}")
        disputed = figure.get("disputed")
        if MISSING in values:
            yield f"{report}：字段不全", 0
        elif disputed is not None:
            known = isinstance(disputed, str) and disputed in verdicts_of(run)
            if not known:
                yield f"{report}：标为有争议，却没有论断 {quoted(disputed)}", 1
            else:
                same = agrees(text, values[0]) or agrees(text, values[1])
                yield f"{report}：标为有争议（{disputed}），其实相符" if same else None, 1
        elif agrees(text, values[0]) and agrees(text, values[1]):
            yield None, 1
        else:
            yield f"{report}：{blame(text, *values)}", 1


def verdicts_of(run: Any) -> dict[str, Any]:
    """Return the verdicts of all chapters, or of the lesson, by the id of the claim."""
    results = run.get("results")
    parts = [results, *results.values()] if isinstance(results, dict) else []
    held = [part["claims"] for part in parts if isinstance(part, dict) and isinstance(part.get("claims"), dict)]
    return {name: verdict for claims in held for name, verdict in claims.items()}


def claims(printed: Any, run: Any, file: str) -> Iterator[Optional[str]]:
    """Yield a line for each claim without verdict or evidence, and for each verdict without claim."""
    verdicts = verdicts_of(run)
    seen = set()
    for i, claim in enumerate(listed(printed, "claims", file)):
        name, place = (field(claim, key, file, f"/claims/{i}") for key in ("id", "place"))
        field(claim, "claim", file, f"/claims/{i}")
        evidence = claim.get("evidence")
        if not isinstance(evidence, list) or not all(type(pointer) is str for pointer in evidence):
            raise Refused("应为 JSON Pointer 的列表", file, f"/claims/{i}/evidence")
        lost = [pointer for pointer in evidence if at(run, pointer) is MISSING]
        verdict = verdicts.get(name, MISSING)
        if name in seen:
            yield f"{place}，论断 {name}：写了两次"
        elif verdict not in VERDICTS:
            yield f"{place}，论断 {name}：没有判定，或判定不是 {'、'.join(VERDICTS)}：{written(verdict)}"
        elif lost:
            yield f"{place}，论断 {name}：证据 {quoted(lost[0])} 不在记录里"
        elif not evidence and verdict != "outside":
            yield f"{place}，论断 {name}：判为 {verdict}，却没有列出证据"
        else:
            yield None
        seen.add(name)
    for name in verdicts:
        if name not in seen:
            yield f"/results/claims/{escaped(name)}：记录有判定，{shown(file)} 里没有这条论断"


def listed(printed: Any, name: str, file: str) -> list[Any]:
    """Return a list of objects."""
    found = printed.get(name)
    if not isinstance(found, list) or not all(isinstance(member, dict) for member in found):
        raise Refused("应为对象的列表", file, f"/{name}")
    return found


def field(member: Any, name: str, file: str, place: str) -> str:
    """Return a text field."""
    value = member.get(name)
    if type(value) is not str or not value:
        raise Refused(f"应为文字，实为 {quoted(value)}", file, f"{place}/{name}")
    return value


def input_hashes(run: Any, expected: Any) -> Iterator[str]:
    """Yield a line for each input whose bytes on disk are not those that the record names.

    An entry that is not the expectation's is a difference already, and its path is not followed.
    """
    theirs = run.get("inputs")
    for i, (member, wanted) in enumerate(zip(theirs if isinstance(theirs, list) else [], expected["inputs"])):
        place = f"/inputs/{i}"
        if not (isinstance(member, dict) and isinstance(wanted, dict) and member.get("path") == wanted.get("path")):
            continue
        path = member["path"]
        if type(path) is not str or re.search(r"[\\:\0]", path) or {"", ".", ".."} & set(path.split("/")):
            yield f"{place}/path：应为仓库内以 / 分隔的相对路径，实为 {written(path)}"
            continue
        actual = hashlib.sha256(command.read_bytes(command.located(path))).hexdigest()
        if actual != member.get("sha256"):
            recorded = written(member.get("sha256", MISSING))
            yield f"{place}/sha256：记录的是 {recorded}，{path} 现在是 {actual}"


def check(run_file: str, expected_file: str, printed_file: Optional[str] = None) -> list[str]:
    """Return the lines of a report on one record; the last one counts what was compared."""
    run, expected = read(run_file), read(expected_file)
    if not all(isinstance(expected.get(name), kind) and expected[name]
               for name, kind in (("inputs", list), ("results", dict))):
        raise Refused("期望里没有可比的字段：应有 inputs 和 results", expected_file)
    faults, compared = compare(run, expected)
    if printed_file is not None:
        printed = read(printed_file)
        lines = list(figures(printed, run, expected, printed_file))
        verdicts = list(claims(printed, run, printed_file))
        faults += [line for line, _ in lines if line] + [line for line in verdicts if line]
        compared += f"、{sum(number for _, number in lines)} 个印出的数值、{len(verdicts)} 条论断"
    verdict = f"{len(faults)} 处不同" if faults else "全部一致"
    return [*faults, f"{shown(run_file)}：比较了 {compared}；{verdict}"]


def compare(run: Any, expected: Any) -> tuple[list[str], str]:
    """Return a line for each field in which a record is not as expected, and how many were compared."""
    faults = [f"{place}：应为 {written(want)}，实为 {written(have)}"
              for name in ("inputs", "results")
              for place, want, have in differences(expected[name], run.get(name, MISSING), f"/{name}")]
    faults += [f"/{escaped(name)}：应为 没有这个字段，实为 {written(run[name])}"
               for name in run if name not in ("record", "inputs", "results")]
    faults += input_hashes(run, expected)
    return faults, f"{sum(1 for name in ('inputs', 'results') for _ in leaves(expected[name]))} 个字段"


def main(arguments: list[str]) -> int:
    """Print the report on the given record, or on every record of the repository."""
    if arguments in (["-h"], ["--help"]):
        print(HELP)
        return 0
    if len(arguments) not in (0, 2, 3) or any(argument.startswith("-") for argument in arguments):
        raise Refused("命令行：不写参数，或写两至三个文件：运行记录 期望 [所印数值]")
    records = [arguments] if arguments else \
        [list(map(command.located, record)) for record in RECORDS]
    code = 0
    for files in records:
        lines = check(*files)
        print("\n".join(map(command.printable, lines)))
        code |= len(lines) > 1
    return int(code)


if __name__ == "__main__":
    sys.exit(command.run(main))
