"""Draws the README's two pictures into notebooks/part-iii/figures, and one more for a notebook.

Chapter 11 is computed anew; of lesson 6.1 the record is read, whose digits are proven. Lines go through these
values alone, and coordinates are whole pixels found without binary floats: the files are the same bytes everywhere.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

from fractions import Fraction
from typing import Any

from chapters import bundle, chapter_11, drawings
from support import command
from support.command import Refused, located, quoted
from support.picture import BROWN, GREEN, INK, Line, Picture, chart
from support.shapes import Items, fitted, integer, rational, read, text
from support.spelling import plain

FOLDER, LESSON = "notebooks/part-iii/figures", "data/lesson-6-1/run.json"
HELP = f"""用法
  python3 code/part-iii/figures.py    画两张图，不要参数

写进 {FOLDER}：

falling.svg   第 11 章：长 blue 输入里，蓝色怎样落到红色之下
losses.svg    课文 6.1：三种训练的损失

第 11 章现算，课文 6.1 的数取自 {LESSON}。"""


def figure(value: Any) -> Fraction:
    """The shape of a figure of the lesson's record, which writes numbers as texts."""
    return rational(text(value))


LOSSES = Items({"round": integer(1, 10**9), "loss": figure}, 1, 1000)
ESCAPES = {"losses": LOSSES, "escaped_at": lambda value: value if value is None else integer(1, 10**9)(value)}
RECORD = {"results": {  # what the pictures and a notebook need of it
    "gradient_norms": Items({"significant": figure}, 1, 1000), "diagnosis": {
        **dict.fromkeys(("mean_factor", "without_tanh", "largest_singular_value"), text),
        "tanh_derivative": {"min": text}},
    "delayed_recall": {"losses": LOSSES, "label_entropy": figure},
    **dict.fromkeys(("more_rounds", "wh_2", "adam"), ESCAPES)}}


def lesson() -> Any:
    """Return the results of the lesson's record."""
    file = located(LESSON)
    return fitted(read(file)[0], RECORD, file)["results"]


def travelling(twelve: dict[str, Any], lesson: Any) -> Picture:
    """Return what is left of an error d steps back: table 12.2, and the lesson's network beside its mean factor."""
    table = sorted(twelve["table_12_2"], key=lambda row: row["distance"])
    half, more = twelve["parameters"]["factors"]
    network = list(enumerate(row["significant"] for row in lesson["gradient_norms"][::-1]))
    factor = lesson["diagnosis"]["mean_factor"]
    lines = [
        *(Line(f"第 12 章，每退一步乘 {rate}", mark, colour, [(row["distance"], row[name]) for row in table])
          for rate, mark, colour, name in ((more, "square", BROWN, "three_halves"), (half, "circle", GREEN, "half"))),
        Line("课文 6.1 的 tanh 网络，实测", "triangle", INK, network),
        Line(f"{factor}^d，它每步平均乘 {factor}", "", INK, [(d, rational(factor)**d) for d, _ in network])]
    told = "；".join(f"{line.name}：距离 {line.points[-1][0]} 时剩 {plain(line.points[-1][1], 8, 3)}" for line in lines)
    return chart("往回传 d 步，还剩多少", f"距离 0 时都是 1。{told}。", ("往回传了几步", "剩下的倍数"), lines)


def losses(lesson: Any) -> Picture:
    """Return the lesson's losses, those with a larger Wh and with Adam, and in which rounds they leave the plateau."""
    lines, told = [], []
    for called, name, mark, colour, *parts in (
            ("课文的训练，接着训练下去", "课文的训练", "circle", GREEN, "delayed_recall", "more_rounds"),
            ("Wh 乘 2", "Wh 乘 2", "square", BROWN, "wh_2"), ("Adam", "Adam，学习率 0.01", "triangle", INK, "adam")):
        points = {row["round"]: row["loss"] for part in parts for row in lesson[part]["losses"]}
        out = lesson[parts[-1]]["escaped_at"]
        if out is not None:
            stands = f"停在 {float(points[800]):.4f} 附近，" if out > 800 and 800 in points else ""
            told.append(f"{called}，{stands}第 {out} 轮起低于 0.1")
            name += f"：第 {out} 轮起低于 0.1"
        lines.append(Line(name, mark, colour, sorted(points.items())))
    entropy, last = lesson["delayed_recall"]["label_entropy"], max(max(line.points)[0] for line in lines)
    lines.append(Line(f"训练标签的熵 {float(entropy):.4f} nat，不是 ln 2", "", INK, [(0, entropy), (last, entropy)]))
    return chart("课文 6.1：损失停住，后来又降下去", "；".join(told) + "。", ("第几轮", "损失，nat"), lines)


def main(arguments: list[str]) -> int:
    """Write the two files."""
    if arguments in (["-h"], ["--help"]):
        print(HELP)
        return 0
    if arguments:
        raise Refused(f"命令行：figures.py 不要参数，却有 {quoted(arguments[0])}")
    for name, picture in pictures().items():
        command.write_text(located(f"{FOLDER}/{name}.svg"), picture.file())
    print(f"已写 {FOLDER} 里的两张图")
    return 0


def pictures() -> dict[str, Picture]:
    """Return the two, by their files' names."""
    data = bundle.load()
    eleven = chapter_11.results(data)
    return {"falling": drawings.falling(eleven["table_11_4"][1]["rnn"]["steps"], eleven["boundary"],
                                        data.network.output_bias[0]),
            "losses": losses(lesson())}


if __name__ == "__main__":
    sys.exit(command.run(main))
