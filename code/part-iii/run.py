"""第三部分的复算：读数据，按顺序算四章，写 run.json，打印一章的表格。

第 11 章的两条公式，整个算法在 core.py，从那里读起：

    h_t = ReLU(x_t·W_x + h_(t-1)·W_h + b_h)        z_t = h_t·W_y + b_y

每章一个文件：chapter_11.py 是例题、表格和习题，chapter_12.py 是误差往回传，chapter_13.py 是编码器和两条时间线，
chapter_14.py 是注意力。claims/ 判定书中的论断，page_11.py 等是版面。
数全是精确的分数，或证明过的小数。权重都是给定的，没有训练；只有例 12.1 照书走一步梯度下降，看损失怎样变。
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I 不把它放进去
if __name__ == "__main__":
    from support import start

    start.begin()

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from chapters import bundle, chapter_11, chapter_12, chapter_13, chapter_14
from chapters.bundle import Bundle
from claims.judging import PRINTED, judged
from support import command, record, show, verdicts
from support.command import Refused, quoted
from support.show import wrapped

RECORD = "run.json"
HELP = """用法
  python3 code/part-iii/run.py                  写 run.json，打印第 11 章
  python3 code/part-iii/run.py --chapter 12     打印别的章
  python3 code/part-iii/run.py --tokens 词 …    读一串自己的 token，只打印

选项（不能缩写；数写作 1、3/4、-1/2 或 0.9，按原样精确计算）
  --chapter N      打印第几章：11、12、13、14 或 all
  --answers        加上习题的答案和论断的判定
  --tokens 词 …    第 11 章词表里的词，从给定的初始状态读起
  --work           把每一步的算式写开，像在纸上算
  --retain R       把递归矩阵的对角元素都换成 R
  --bias B …       输出偏置，每个候选一个
  --reset          每读一个 token 前都把状态清零
  --json           每行一个 JSON 对象，字段与 run.json 的一步相同
  -h, --help       这页说明

例子
  亲手核对表 11.3
      python3 code/part-iii/run.py --tokens red key is --work
  习题 1  插入一个 filler；去掉它，或再加一个，看看 logits
      python3 code/part-iii/run.py --tokens blue filler key is
  习题 2  对角元素改成 1，再读长 blue 输入
      python3 code/part-iii/run.py --retain 1 --tokens \\
          blue filler filler filler filler filler filler key is
  习题 3  每次读取前清零，看看 red 的线索还在不在
      python3 code/part-iii/run.py --reset --tokens red key is"""
CHAPTERS: dict[str, tuple[Any, str]] = {  # 算它的文件，它的数据在哪一节
    "chapter_11": (chapter_11, "/rnn"), "chapter_12": (chapter_12, "/gates"),
    "chapter_13": (chapter_13, "/translation"), "chapter_14": (chapter_14, "/attention")}


def results(data: Bundle) -> dict[str, Any]:
    """各章的结果；每章的最后是论断的判定。"""
    by_chapter: dict[str, Any] = {}
    for name, (chapter, section) in CHAPTERS.items():
        with command.blaming(command.located(bundle.SEQUENCE), section):
            by_chapter[name] = chapter.results(data)
    return judged(by_chapter)


def page(data: Bundle, by_chapter: dict[str, Any], number: str, everything: bool) -> Iterator[str]:
    """一章的页面；everything 为真时加上习题与论断，否则只说有多少。"""
    chapter = import_module(f"chapters.page_{number}")  # 不打印的那几章，版面也不用读进来
    name = f"chapter_{number}"
    ledger, reached = verdicts.of_chapter(verdicts.claims(PRINTED), name), by_chapter[name]["claims"]
    yield from show.folded(chapter.lines(data, by_chapter, everything))
    if everything:
        yield from verdicts.claim_lines(reached, ledger)
        yield ""
        yield from wrapped(f"没有数值可循、不列在上面的话：{chapter.UNJUDGED}。")
    else:
        yield ""
        yield from wrapped(f"{chapter.EXERCISES} 的答案和 {len(reached)} 条论断（"
                           f"{verdicts.counted(reached, ledger)}）：加上 --answers 就打印。")


def options(arguments: list[str]) -> dict[str, Any]:
    """命令行上的选项；chapter 是要打印的各章。"""
    from support.options import parsed

    if "--all" in arguments:
        raise Refused("命令行：--all 现在叫 --answers；要各章的页面，写 --chapter all")
    given = parsed(arguments, ("tokens", "retain", "bias", "chapter"), ("reset", "json", "work", "answers"))
    numbers = [name[-2:] for name in CHAPTERS]
    wanted = given["chapter"]
    if given["tokens"] is not None:
        if wanted is not None or given["answers"]:
            raise Refused("命令行：--chapter 和 --answers 不与 --tokens 一起用")
        if given["json"] and given["work"]:
            raise Refused("命令行：--json 与 --work 只能选一个")
    elif any(given[name] not in (None, False) for name in ("retain", "bias", "reset", "json", "work")):
        raise Refused("命令行：--retain、--bias、--reset、--json、--work 要和 --tokens 一起用")
    elif wanted is not None and (len(wanted) != 1 or wanted[0] not in (*numbers, "all")):
        raise Refused(f"命令行：--chapter 后面应为 {'、'.join(numbers)} 或 all，实为 {quoted(' '.join(wanted))}")
    return {**given, "chapter": numbers if wanted == ["all"] else wanted or ["11"]}


def main(arguments: list[str]) -> int:
    """写好 run.json，再打印一章；不说明时是第 11 章。"""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        return 0
    given: dict[str, Any] = options(arguments) if arguments else {"tokens": None, "chapter": ["11"], "answers": False}
    if given["tokens"] is not None:
        from chapters import experiment

        return experiment.main(given)
    data = bundle.load()
    by_chapter = results(data)
    content = {"record": "part-iii-run-v1", "inputs": data.inputs, "results": by_chapter}
    command.write_text(command.located(RECORD), record.layout(content) + "\n")
    for i, number in enumerate(given["chapter"]):
        print(*["\n"] * (i > 0), *page(data, by_chapter, number, given["answers"]), sep="\n")
    print(f"\n已写 {RECORD}。核对：python3 code/part-iii/check.py")
    print("别的章：python3 code/part-iii/run.py --chapter N（N 是 11 至 14，或 all）")
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
