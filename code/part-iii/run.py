"""第三部分的复算：读数据，按顺序算四章，写 run.json，打印一章的表格。

第 11 章的两条公式，整个算法在 chapters/recurrence.py，从那里读起：

    h_t = ReLU(x_t·W_x + h_(t-1)·W_h + b_h)        z_t = h_t·W_y + b_y

每章一个文件：chapter_11.py 是例题、表格和习题，chapter_12.py 是误差往回传。claims_11.py 等判定书中的论断，
page_11.py 等是版面。数全是分数或证明过的小数；这里没有训练。
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I 不把它放进去
if __name__ == "__main__":
    from support import start

    start.begin()

from typing import Any

from chapters import chapter_11, chapter_12, chapter_13, chapter_14, claims_11, claims_12, claims_13, claims_14
from support import bundle, command, record, verdicts
from support.bundle import Bundle

RECORD, PRINTED = "run.json", "data/part-iii/printed-v1.json"
CLAIMS = {"chapter_11": claims_11, "chapter_12": claims_12, "chapter_13": claims_13,
          "chapter_14": claims_14}


def results(data: Bundle) -> dict[str, Any]:
    """各章的结果；每章的最后是论断的判定。"""
    found = {"chapter_11": chapter_11.results(data), "chapter_12": chapter_12.results(data),
             "chapter_13": chapter_13.results(data), "chapter_14": chapter_14.results(data)}
    for name, claims in CLAIMS.items():
        reached = verdicts.judged(found, claims.DECIDED, claims.UNDECIDED)
        found[name]["claims"] = {claim: verdict for claim, (verdict, _) in reached.items()}
    return found


def main(arguments: list[str]) -> int:
    """写好 run.json，再打印。"""
    data = bundle.load()
    texts = verdicts.texts(PRINTED)
    found = results(data)
    content = {"record": "part-iii-run-v1", "inputs": data.inputs, "results": found}
    command.write_text(command.located(RECORD), record.layout(content) + "\n")

    from chapters import page_11

    print("\n".join(page_11.lines(data, found, texts)))
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        from chapters import experiment

        sys.exit(command.run(experiment.main))
    sys.exit(command.run(main))
