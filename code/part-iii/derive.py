"""Derives expected.json from the data bundle by closed forms, apart from the program that it is held against.

Nothing of run.py, of chapters/, or of its readers and decimals is imported. derivation/ has a file for each chapter,
one for chapter 11's powers, and one for what lies between two rationals; each says by which second way its figures are
reached. run.py is the strict reader: only bytes are taken that it has accepted, which run.json names among its inputs;
nothing else of run.json is looked at. expected.json has the same fields, and for the same data it must be the same
bytes.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

import hashlib
import json
from fractions import Fraction
from typing import Any

from claims.judging import judged
from derivation import closed_11, closed_12, closed_13, closed_14, powers_11
from support import command, record
from support.command import Refused, located, quoted

RUN, EXPECTED = "run.json", "expected.json"
SEQUENCE = "data/part-iii/sequence-v1.json"
CLOSED: dict[int, tuple[Any, str]] = {11: (closed_11, "/rnn"), 12: (closed_12, "/gates"),
                                      13: (closed_13, "/translation"), 14: (closed_14, "/attention")}
HELP = """用法
  python3 code/part-iii/derive.py    另用闭式推导，写 expected.json；不要参数

先运行 run.py：只推导它读过的那份数据。"""


def number(text: str) -> Any:
    """Return a JSON number as the decimal that is written; run.py has refused a long one wherever it is needed."""
    if len(text) > 100 or len(text.lower().partition("e")[2]) > 3:
        return text
    return int(text) if text.lstrip("-").isdigit() else Fraction(text)


def parsed(text: str, path: str) -> Any:
    """Return what a JSON text says."""
    try:
        return json.loads(text, parse_int=number, parse_float=number)
    except ValueError:
        raise Refused("读不懂：请先运行 run.py", path) from None


def read(path: str, listed: Any, **more: str) -> tuple[Any, dict[str, str]]:
    """Return the content of a data file, and how a record names it; that must be among what run.json has `listed`."""
    file = located(path)
    content, text = command.read_json_text(file)
    named = {"path": path, **more, "sha256": hashlib.sha256(content).hexdigest()}
    if not (isinstance(listed, list) and named in listed):
        raise Refused(f"{RUN} 不是由现在的这个文件算出的：请先运行 run.py，数据若有错，它会指出是哪一处", file)
    return parsed(text, file), named


def chapter(n: int, sequence: Any, collision: Any) -> dict[str, Any]:
    """Return what run.json's results of a chapter must be, but for the claims."""
    path, translation = sequence["gradient"], sequence["translation"]
    if n == 11:
        given: Any = (powers_11.Model(sequence["rnn"]), collision, closed_12.training(path))
    else:
        given = {12: (path, sequence["gates"]), 13: (translation,), 14: (translation, sequence["attention"])}[n]
    closed, section = CLOSED[n]
    with command.blaming(located(SEQUENCE), section):
        results: dict[str, Any] = closed.results(*given)
        return results


def results(sequence: Any, collision: Any) -> dict[str, Any]:
    """Return what run.json's `results` must be; the verdicts are those on the figures that are derived here."""
    return judged({f"chapter_{n}": chapter(n, sequence, collision) for n in CLOSED})


def main(arguments: list[str]) -> int:
    """Write expected.json for the bytes that run.py has accepted."""
    if arguments in (["-h"], ["--help"]):
        print(HELP)
        return 0
    if arguments:
        raise Refused(f"命令行：derive.py 不要参数，却有 {quoted(arguments[0])}")
    run = parsed(command.read_json_text(located(RUN))[1], located(RUN))
    listed = run.get("inputs") if isinstance(run, dict) else None
    sequence, first = read(SEQUENCE, listed)
    path, field = (sequence["baseline_source"][name] for name in ("path", "field"))
    chapter_10, second = read(path, listed, field=field)
    expectation = {"record": "part-iii-run-v1", "inputs": [first, second],
                   "results": results(sequence, chapter_10[field])}
    command.write_text(located(EXPECTED), record.layout(expectation) + "\n")
    print(f"已写 {EXPECTED}")
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
