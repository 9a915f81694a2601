"""The counts over seeds by which lesson 6.1 is judged: a record that NumPy makes anew where CI has it.

It has no expectation; what is known of it is its name, the draws that it was counted on, and that its sums come out.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checking.comparing import differences, field_fault
from checking.known import PROGRAMS, top
from checking.reading import at, leaves, read
from checking.wording import Literal, written
from support import command

NAME, COUNTS, DRAWS = "lesson-6-1-seeds-v1", "data/lesson-6-1/seeds.json", "data/lesson-6-1/draws-v1.json"
OUTCOMES = ("learned", "not_learned", "undecided")
LEAVES = 108  # numbers in it


def report() -> list[str]:
    """Return a single line where the counts fit, else what does not and the next command."""
    record = read(command.located(COUNTS))
    beside = {key: record[key] for key in record if key != "results"}
    faults = [field_fault(difference, ("应为", "实为")).line
              for difference in differences(top(NAME, [{"path": DRAWS}]), beside)]
    sums = list(_sums(record))
    faults += [f"{place}：学会、没学会、说不准合起来应为 {seeds}，实为 {total}" for place, seeds, total in sums
               if seeds != total]
    numbers = list(leaves(record.get("results")))
    faults += [f"/results{place}：应为整数，实为 {written(value, marks=True)}" for place, value in numbers
               if not (isinstance(value, Literal) and value.isdecimal())]
    faults += [f"/results{place}：应为 0 至 {most} 的整数，实为 {value}" for place, value in numbers
               if (most := _seeds(record, place)) is not None and str(value).isdecimal() and int(value) > most]
    faults += [f"/results：应有 {LEAVES} 个数，实有 {len(numbers)} 个"] * (len(numbers) != LEAVES)
    if not faults:
        return [f"{COUNTS}：{len(sums)} 组计数；全部一致"]
    return [f"{COUNTS}：计数不能用，{len(faults)} 处不对", *faults,
            f"下一步：python3 {PROGRAMS}/tests/oracles/seeds.py --write 重写它（开发用的，要 NumPy）"]


def _seeds(record: Any, place: str) -> int | None:
    """Return of how many seeds a count in the results is; None for what counts none of them, or where none are told."""
    seeds = at(record, "/results/printed_losses/fit_at_0.3" if "/printed_losses/" in place else "/results/seeds")
    counted = "/trainings/" in place or "/measures/" in place
    return int(seeds) if counted and isinstance(seeds, Literal) and seeds.isdecimal() else None


def _sums(record: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the place of each training, of how many seeds it is, and of how many its outcomes are."""
    for place, seeds in (("/results/trainings", "/results/seeds"),
                         ("/results/printed_losses/trainings", "/results/printed_losses/fit_at_0.3")):
        trainings = at(record, place)
        for name in trainings if isinstance(trainings, dict) and trainings else ("",):
            counts = [at(record, f"{place}/{name}/{outcome}") for outcome in OUTCOMES]
            whole = all(isinstance(count, Literal) and count.isdecimal() for count in counts)
            total = sum(map(int, counts)) if whole else "别的东西"
            yield f"{place}/{name}", written(at(record, seeds)), str(total)
