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

from checking.comparing import Compared, Fault, compare
from checking.errata import errata
from checking.known import HERE, RECORDS, WRITERS, Pair, files_of, row_of
from checking.reading import read, read_printed
from support import command
from support.command import Refused, printable, shown
from support.show import folded, wrapped

HELP = """用法
  python3 code/part-iii/check.py                           核对每一份记录
  python3 code/part-iii/check.py 运行记录 期望 [所印数值]  核对指定的文件
  python3 code/part-iii/check.py --errata                  列出课文该改的地方

选项（不能缩写）
  --all        每处不同各列一行，不合并，不截断；与 --errata 合用，还列出字段
  --errata     写给作者的信，先要紧的，后小处：在哪里，改成什么，为什么
  -h, --help   这页说明

逐个字段、逐个字节比较记录与期望，再把课文所印的数值与论断同两者对照。
每份报告的首行说出了什么事，末行是下一步的命令。数据改过的，谁也不怪。
退出码：0 全部一致，1 有不同，2 有文件读不了或不能比较。"""
MOST_LINES = 50  # of a part of the report without --all


def decision(compared: Compared, row: Pair, ledger: str) -> tuple[str, str]:
    """Return what happened, and the next command: derive.py only for who has seen what the text would lose."""
    old_run, old_expected, moved = [*compared.old, [], []][:3]
    figures, verdicts, _ = compared.faults.values()
    lost = figures or verdicts
    if old_run:
        return "数据改过，记录还是按旧数据算的", f"{row.program} 重写 {row.run}，再核对"
    if old_expected:
        what = "数据改过，期望还是按旧数据推导的，谁也没错"
        if lost:
            return what, f"先看上面课文会失去什么：要么改回数据，要么改课文，然后才 {row.derivation}"
        return what, f"所印的都还成立：{row.derivation} 重写 {row.expected}"
    if compared.differs and not row.expected:
        return "计数不能用", f"{row.program} 重写 {row.run}"
    if compared.differs:
        return "记录与期望不同", f"{row.program} 重写 {row.run}；仍不同，就查程序与推导哪个算错"
    if moved and lost:
        return "数据改过，记录与期望一致，谁也没错", f"要么改回数据，要么改课文，然后改 {ledger} 的 verdict 与 inputs"
    if moved:
        return "数据改过，所印的都还成立", f"把 {ledger} 的 inputs 改成新的 sha256"
    if verdicts:
        return f"记录的判定与 {ledger} 写的不同", (
            f"{row.program} 重写 {row.run}；仍不同，就查判定的函数与 verdict 哪个不对")
    return "所印的与记录不合", f"改正课文或 {ledger}，再 {HERE}check.py；课文该改的全部：{HERE}check.py --errata"


def report(faults: dict[str, list[Fault]], whole: bool) -> list[str]:
    """Return a line for each fault if `whole` is asked for; else they are collapsed by place, and cut where many."""
    if whole:
        return [line for part in faults.values() for _, _, line in part]
    lines = []
    for title, part in faults.items():
        groups: dict[str, list[str]] = {}
        for group, short, _ in part:
            groups.setdefault(group, []).append(short)
        there = []
        for group, (first, *others) in groups.items():
            if title == "字段":
                there.append(f"  {first}{f'，等 {len(others) + 1} 处' if others else ''}")
            else:
                start, *more = wrapped(f"{group}：{'；'.join([first, *others])}", "    ")
                there += [start[2:], *more]
        lines += [f"{title}（{len(part)} 处）"] * bool(part) + there[:MOST_LINES]
        lines += [f"  ……还有 {len(there) - MOST_LINES} 行"] * (len(there) > MOST_LINES)
    return [*lines, "加 --all 逐处列出"]


def check(files: list[str], row: Optional[Pair] = None, whole: bool = False) -> list[str]:
    """Return the report on a record, an expectation and perhaps a ledger: a single line where all agrees.

    Without a row, the name that the expectation gives itself decides which row of the table they must fit.
    """
    tables = [*map(read, files[:2]), *map(read_printed, files[2:])]
    row = row or row_of(tables[1])
    compared = compare(tables, files, row)
    start, sizes = f"{shown(files[0])}：", [*map(len, compared.faults.values())]
    if any(sizes):
        what, advice = decision(compared, row, shown(files[-1]))
        return [f"{start}{what}；比较了 {compared.number}，{sum(sizes)} 处不同",
                *report(compared.faults, whole), f"下一步：{advice}"]
    sides = [command.read_bytes(file).splitlines(keepends=True) for file in files[:2]]
    line = next((n for n, there in enumerate(zip_longest(*sides), 1) if len(set(there)) > 1), 0)
    if line:  # the first that diff would name: line ends, a mark, an order
        return [f"{start}{compared.number}；内容相同，字节不同：第 {line} 行",
                f"下一步：{row.program} 和 {row.derivation} 重写它们；编辑器或 Git 改过的行尾、缩进、顺序，就都还原了"]
    return [f"{start}{compared.number}；全部一致"]


def main(arguments: list[str]) -> int:
    """Print the report on the given record, or on every record of the repository."""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        return 0
    options = [argument for argument in arguments if argument.startswith("-")]
    files = [argument for argument in arguments if not argument.startswith("-")]
    if len(set(options) & {"--all", "--errata"}) < len(options) or len(files) not in (0, 2, 3) or not all(files) or (
            files and "--errata" in options):
        raise Refused("命令行：不写参数，或写两至三个文件：运行记录 期望 [所印数值]；选项只有 --all 和 --errata")
    code, whole = 0, "--all" in options
    for row, paths in [(None, files)] if files else [(row, files_of(row)) for row in RECORDS]:
        try:
            lines = check(paths, row, whole)
            code |= len(lines) > 1
            if row and "--errata" in options:
                letter = errata(read(paths[0]), read(paths[2]), whole) if row.printed else ()
                lines = [*letter, *lines[:1] * (len(lines) > 1)]
        except Refused as refusal:
            writer = WRITERS.get(refusal.file and shown(refusal.file))
            raise Refused(refusal.reason + f"；先运行 {writer}" * bool(writer), refusal.file, refusal.place) from None
        lines = [*map(printable, lines)]
        for line in (*folded(lines[:1]), *lines[1:-1], *folded(lines[1:][-1:])):  # a field's line stays whole
            print(line)
    return code


if __name__ == "__main__":
    sys.exit(command.run(main))
