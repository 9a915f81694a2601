"""Holds a record against its expectation and against the printed text, and says which of the three drifted.

    check.py [--all] [RUN EXPECTED [PRINTED]]       without files: every record in the repository
    check.py --errata                               what the texts should correct

The first line of a report says what happened, the last one the next command; between them stand printed figures that
do not hold, verdicts, then other fields. Exit code 0 when all agree, 1 for a difference, 2 when something cannot be
compared. Nothing of the programs that are checked is imported; checking/ knows what a record must name.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

from itertools import zip_longest
from typing import Optional

from checking import counts
from checking.comparing import MOST_FIELDS, Compared, Fault, compare, is_stale, is_strange
from checking.errata import errata
from checking.known import PROGRAMS, RECORDS, Row, files_of, row_of
from checking.reading import read, read_printed
from checking.wording import cut
from support import command
from support.command import LARGEST_RECORD, Refused, printable, shown
from support.show import folded, wrapped

HELP = """用法
  python3 code/part-iii/check.py                           核对每一份记录
  python3 code/part-iii/check.py 运行记录 期望 [所印数值]  核对指定的文件
  python3 code/part-iii/check.py --errata                  列出课文该改的地方

选项（不能缩写）
  --all        每处不同各列一行；不写时，多于 10 处就按位置合并
  --errata     写给作者：每处印错的、不成立的、视条件而定的，先要紧的，后小处；
               在哪里，查哪几个字，改成什么，为什么，哪个数说明它，怎样重做
               （加 --all，还列出记录里的字段）
  -h, --help   这页说明

逐个字段比较记录与期望，再把课文所印的数值与论断同两者对照，
最后逐字节比较记录与期望，同 diff 一样。
首行说出了什么事，末行是下一步的命令；其间先列不成立的所印数值，再列判定，
再列其余字段。数据改过的，不怪记录，也不怪期望。
退出码：0 全部一致，1 有不同，2 有文件读不了或不能比较。"""
FEW = 10  # faults that are listed one by one without --all


def decision(compared: Compared, row: Row, ledger: str) -> tuple[str, str]:
    """Return what happened, and the next command: derive.py only for who has seen what the text would lose."""
    program, derivation = (f"python3 {PROGRAMS}/{name}" for name in (row.program, row.derivation))
    stale_run, stale_expected = (any(map(is_stale, differing)) for differing in (compared.ours, compared.theirs))
    if any(map(is_strange, compared.ours)):
        return "记录的名称、输入或顶层字段不对", f"{program} 重写 {row.run}"
    if any(map(is_strange, compared.theirs)):
        return "期望的名称、输入或顶层字段不对", f"{derivation} 重写 {row.expected}"
    if stale_run:
        what = "记录和期望都是按旧数据算的" if stale_expected else "记录还是按旧数据算的"
        return f"数据改过，{what}", f"{program} 重写 {row.run}，再核对"
    if stale_expected:
        what = "数据改过，期望还是按旧数据推导的，谁也没错"
        if compared.figures or compared.verdicts:
            return what, f"先看上面课文会失去什么：要么改回数据，要么改课文，然后才 {derivation}"
        return what, f"所印的都还成立：{derivation} 重写 {row.expected}"
    if compared.ours:
        if compared.figures and all(fault.line.endswith("推导走样") for fault in compared.figures):
            return "记录与期望不同，所印的与记录相合", f"{derivation} 重写 {row.expected}；仍不同，就查推导"
        return "记录与期望不同", f"{program} 重写 {row.run}；仍不同，就查程序与推导哪个算错"
    again = f"python3 {PROGRAMS}/check.py"
    if compared.moved and not (compared.figures or compared.verdicts):
        return "数据改过，所印的都还成立", f"把 {shown(ledger)} 的 inputs 改成新的 sha256"
    if compared.moved:
        return "数据改过，记录与期望一致，谁也没错", (
            f"要么改回数据，要么改课文，然后改 {shown(ledger)} 的 verdict 与 inputs")
    if compared.turned:
        return f"记录的判定与 {shown(ledger)} 写的不同", (
            f"{program} 重写 {row.run}；仍不同，就查判定的函数与 verdict 哪个不对")
    return "所印的与记录不合", f"改正课文或 {shown(ledger)}，再 {again}；课文该改的全部：{again} --errata"


def report(compared: Compared, whole: bool) -> list[str]:
    """Return a line for each fault where they are few or `whole` is asked for; else they are collapsed by place."""
    parts = {"不成立的所印数值": compared.figures, "判定": compared.verdicts, "字段": compared.fields}
    if whole or sum(map(len, parts.values())) <= FEW:
        return [fault.line for part in parts.values() for fault in part]
    lines = []
    for title, part in parts.items():
        lines += [f"{title}（{len(part)} 处）"] if part else []
        groups: dict[str, list[Fault]] = {}
        for fault in part:
            groups.setdefault(fault.group, []).append(fault)
        for group, (first, *others) in groups.items():
            if part is not compared.fields:
                text = f"{group}：{'；'.join(fault.short for fault in (first, *others))}"
                start, *more = wrapped(text, "    ")
                lines += [start[2:], *more]
            elif others:
                lines.append(f"  {group}（{len(others) + 1} 处）：如 {first.short}")
            else:
                lines.append(f"  {first.line}")
    return [*lines, "加 --all 逐处列出"]


def other_line(one: str, two: str) -> Optional[int]:
    """Return the first line at which two files have other bytes, as diff would say: line ends, a mark, an order."""
    sides = [command.read_bytes(path, LARGEST_RECORD).splitlines(keepends=True) for path in (one, two)]
    return next((n for n, (left, right) in enumerate(zip_longest(*sides), 1) if left != right), None)


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
    compared = compare(run, expected, printed, row, ledger)
    sizes = [len(part) for part in (compared.figures, compared.verdicts, compared.fields)]
    if not any(sizes):
        line = other_line(run_file, expected_file)
        if line is None:
            return [f"{shown(run_file)}：{compared.number}；全部一致"]
        program, derivation = (f"python3 {PROGRAMS}/{name}" for name in ((row or RECORDS[0])[-2:]))
        return [f"{shown(run_file)}：{compared.number}；内容相同，字节不同：第 {line} 行",
                f"下一步：{program} 和 {derivation} 重写两份文件；编辑器或 Git 改过的行尾、缩进、顺序，就都还原了"]
    what, advice = decision(compared, row or RECORDS[0], ledger)
    least = "至少 " if max(sizes) >= MOST_FIELDS else ""
    return [f"{shown(run_file)}：{what}；比较了 {compared.number}，{least}{sum(sizes)} 处不同",
            *report(compared, whole), f"下一步：{advice}"]


def main(arguments: list[str]) -> int:
    """Print the report on the given record, or on every record of the repository."""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        return 0
    options = [argument for argument in arguments if argument.startswith("-")]
    files = [argument for argument in arguments if not argument.startswith("-")]
    if len(set(options) & {"--all", "--errata"}) < len(options) or len(files) not in (0, 2, 3) or (
            files and "--errata" in options):
        raise Refused("命令行：不写参数，或写两至三个文件：运行记录 期望 [所印数值]；选项只有 --all 和 --errata")
    if "" in files:
        raise Refused("命令行：有一个文件名是空的；应写两至三个文件：运行记录 期望 [所印数值]")
    code = 0
    for row, paths in [(None, files)] if files else [(row, files_of(row)) for row in RECORDS]:
        lines = check(paths, row, "--all" in options)
        code |= len(lines) > 1
        if row and "--errata" in options:
            faults = lines[:1] if len(lines) > 1 else []
            if row.printed:
                faults = [*errata(read(paths[0], LARGEST_RECORD), read(paths[2]), row, "--all" in options), "", *faults]
            lines = faults
        show(lines)
    if not files:
        lines = counts.report()
        code |= len(lines) > 1
        show(lines[:1] * (len(lines) > 1) if "--errata" in options else lines)
    return code


def show(lines: list[str]) -> None:
    """Print a report. A field's line stays whole, as a tool would look for it; a sentence fits a terminal."""
    for line in lines:
        whole = cut(printable(line))
        print(*(folded([whole]) if line in (lines[0], lines[-1]) else [whole]), sep="\n")


if __name__ == "__main__":
    sys.exit(command.run(main))
