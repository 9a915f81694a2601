"""The counts over seeds by which lesson 6.1 is judged: a record that NumPy makes anew where CI has it.

It has no expectation; what is known of it is its name, the draws that it was counted on, and what counts must be.
"""
from __future__ import annotations

from checking.comparing import differences, field_fault
from checking.known import PROGRAMS, top
from checking.reading import leaves, read
from checking.wording import Literal, written
from support import command

NAME, COUNTS, DRAWS = "lesson-6-1-seeds-v1", "data/lesson-6-1/seeds.json", "data/lesson-6-1/draws-v1.json"
OF_SEEDS = ("/trainings/", "/plateau/", "/measures/")
LEAVES = 46  # numbers in it


def report() -> list[str]:
    """Return a single line where the counts fit, else what does not and the next command."""
    record = read(command.located(COUNTS))
    beside = {key: record[key] for key in record if key != "results"}
    faults = [field_fault(difference, ("应为", "实为")).line
              for difference in differences(top(NAME, [{"path": DRAWS}]), beside)]
    values = dict(leaves(record.get("results")))
    counts = {place: int(value) for place, value in values.items() if isinstance(value, Literal) and value.isdecimal()}
    faults += [f"/results{place}：应为整数，实为 {written(value, marks=True)}" for place, value in values.items()
               if place not in counts]
    seeds = counts.get("/seeds", 0)
    faults += [f"/results{place}：应为 0 至 {seeds} 的整数，实为 {count}" for place, count in counts.items()
               if place.startswith(OF_SEEDS) and count > seeds]
    sums: dict[str, int] = {}
    for place, count in counts.items():
        if place.startswith("/trainings/"):
            sums[place.rpartition("/")[0]] = sums.get(place.rpartition("/")[0], 0) + count
    faults += [f"/results{place}：学会、没学会、说不准合起来应为 {seeds}，实为 {total}" for place, total in sums.items()
               if total != seeds]
    rising = [[counts.get(f"/{part}/{name}", 0) for name in names] for part, names in (
        ("plateau", ("at_entropy", "stands")), ("rounds_to_learn", ("least", "median", "most")))]
    faults += ["/results：at_entropy 至多是 stands，least、median、most 应从小到大"] * any(
        each != sorted(each) for each in rising)
    faults += [f"/results：应有 {LEAVES} 个数，实有 {len(values)} 个"] * (len(values) != LEAVES)
    if not faults:
        return [f"{COUNTS}：{len(sums)} 组计数；全部一致"]
    return [f"{COUNTS}：计数不能用，{len(faults)} 处不对", *faults,
            f"下一步：python3 {PROGRAMS}/tests/oracles/seeds.py --write 重写它（开发用的，要 NumPy）"]
