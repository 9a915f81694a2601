"""Pictures for the notebook: SVG made with xml.etree, shown by Jupyter through _repr_svg_.

Every picture brings its own light ground and dark lines, so that it reads the same in a light and a dark theme and
in print; what lines mean is told by dashes, marks and words, never by colour alone.
"""
from __future__ import annotations

import math
from typing import Sequence
from xml.etree import ElementTree

SIZE = 16  # of text, in the pixels of the picture; it is shown at its natural size
INK, GROUND, SOFT = "#1a1a1a", "#ffffff", "#d9e2ec"


class Picture:
    """A drawing of `width` × `height` pixels with a title and a text alternative."""

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        self.svg = ElementTree.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "width": str(width), "height": str(height),
            "viewBox": f"0 0 {width} {height}", "role": "img", "aria-label": f"{title}。{description}",
            "font-family": "sans-serif", "font-size": str(SIZE)})
        for name, text in (("title", title), ("desc", description)):
            ElementTree.SubElement(self.svg, name).text = text
        self.box(0, 0, width, height, fill=GROUND, line="none")
        self.text(width / 2, 26, title, "middle", bold=True)

    def _add(self, name: str, **attributes: object) -> ElementTree.Element:
        texts = {key.replace("_", "-"): f"{value:.6g}" if isinstance(value, float) else str(value)
                 for key, value in attributes.items()}
        return ElementTree.SubElement(self.svg, name, texts)

    def text(self, x: float, y: float, words: str, anchor: str = "start", bold: bool = False) -> None:
        """Write words with their base line at (x, y)."""
        weight = {"font_weight": "bold"} if bold else {}
        self._add("text", x=float(x), y=float(y), text_anchor=anchor, fill=INK, **weight).text = words

    def line(self, points: Sequence[tuple[float, float]], dashes: str = "", thick: float = 2) -> None:
        """Draw a line through the points."""
        dashed = {"stroke_dasharray": dashes} if dashes else {}
        self._add("polyline", points=" ".join(f"{x:.6g},{y:.6g}" for x, y in points), fill="none", stroke=INK,
                  stroke_width=thick, **dashed)

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw an arrow."""
        length = math.hypot(to_x - x, to_y - y)
        u, v = (to_x - x) / length * 9, (to_y - y) / length * 9
        self.line([(x, y), (to_x, to_y)])
        corners = ((to_x, to_y), (to_x - u - v / 2, to_y - v + u / 2), (to_x - u + v / 2, to_y - v - u / 2))
        self._add("polygon", points=" ".join(f"{a:.6g},{b:.6g}" for a, b in corners), fill=INK)

    def box(self, x: float, y: float, width: float, height: float, fill: str = GROUND, line: str = INK) -> None:
        """Draw a rectangle."""
        self._add("rect", x=float(x), y=float(y), width=float(width), height=float(height), fill=fill, stroke=line,
                  stroke_width=2)

    def mark(self, x: float, y: float, kind: str) -> None:
        """Draw a filled circle or a hollow square."""
        if kind == "circle":
            self._add("circle", cx=float(x), cy=float(y), r=5, fill=INK)
        else:
            self.box(x - 5, y - 5, 10, 10)

    def __repr__(self) -> str:
        """Return the text alternative, for where no picture can be shown; it is the same in every kernel."""
        return str(self.svg.get("aria-label"))

    def _repr_svg_(self) -> str:
        return ElementTree.tostring(self.svg, encoding="unicode")


def unrolled(tokens: Sequence[str], states: Sequence[str]) -> Picture:
    """Return figure 11.1 as a drawing of our own: one update per token, the parameters of all of them shared.

    `states` has one text more than `tokens`: the state before the first reading comes first.
    """
    step = 190
    width = step * len(tokens) + 130
    told = "；".join(f"第 {t} 次读入 {token}，状态从 {states[t - 1]} 到 {states[t]}"
                    for t, token in enumerate(tokens, 1))
    picture = Picture(width, 290, "同一个更新用三次" if len(tokens) == 3 else "同一个更新反复使用",
                      f"{told}。各次更新用同一组参数，用双边框标出。")
    for x in range(110, 110 + step * (len(tokens) + 1), step):
        picture.arrow(x - 62, 150, x, 150)
    for t, token in enumerate(tokens):
        x = 110 + step * t
        for inset in (0, 5):  # the double border of what is shared
            picture.box(x + inset, 115 + inset, 120 - 2 * inset, 70 - 2 * inset)
        picture.text(x + 60, 145, "更新", "middle", bold=True)
        picture.text(x + 60, 169, "Wx Wh b", "middle")
        picture.arrow(x + 60, 82, x + 60, 115)
        picture.text(x + 60, 70, token, "middle")
        picture.line([(x + 60, 185), (x + 60, 235)], dashes="4 4")
        picture.text(x + 155, 140, f"h{t + 1}", "middle")
        picture.text(x + 155, 205, states[t + 1], "middle")
    picture.text(22, 140, "h0", "start")
    picture.text(8, 205, states[0], "start")
    picture.line([(170, 235), (110 + step * (len(tokens) - 1) + 60, 235)], dashes="4 4")
    picture.text(width / 2, 265, "双边框：同一组参数，只保存一份", "middle")
    return picture


def log_chart(title: str, description: str, across: str, places: Sequence[int],
              series: Sequence[tuple[str, str, Sequence[float]]], level: tuple[str, float] | None = None) -> Picture:
    """Return lines on a logarithmic scale over whole numbers.

    Each of `series` is a name, "circle" or "square", and one positive value a place; squares are joined by dashes.
    `level` is a horizontal line with a name.
    """
    numbers = [number for _, _, values in series for number in values] + ([level[1]] if level else [])
    low, high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
    left, right, top, bottom = 90, 470, 60, 320
    picture = Picture(700, 385, title, description)

    def x(place: float) -> float:
        return left + 15 + (right - left - 30) * (place - places[0]) / (places[-1] - places[0])

    def y(value: float) -> float:
        return bottom - (bottom - top) * (math.log10(value) - low) / (high - low)

    every = max(1, (high - low) // 6)
    for power in range(low, high + 1, every):
        picture._add("line", x1=left, x2=right, y1=y(10.0**power), y2=y(10.0**power), stroke=SOFT, stroke_width=1)
        picture.text(left - 8, y(10.0**power) + 5, f"{10**power}" if 0 <= power <= 3 else f"1e{power}", "end")
    picture.line([(left, top), (left, bottom), (right, bottom)])
    for place in places:
        picture.text(x(place), bottom + 22, str(place), "middle")
    picture.text((left + right) / 2, bottom + 50, across, "middle")
    ends: list[float] = []
    if level:
        picture.line([(left, y(level[1])), (right, y(level[1]))], dashes="2 4")
        ends.append(y(level[1]))
        picture.text(right + 12, ends[0] + 5, level[0])
    for name, kind, values in series:
        points = [(x(place), y(value)) for place, value in zip(places, values)]
        picture.line(points, dashes="" if kind == "circle" else "8 5")
        for point in points:
            picture.mark(*point, kind)
        end = points[-1][1]
        while any(abs(end - other) < 22 for other in ends):  # names must not lie on each other
            end += 22
        ends.append(end)
        picture.text(right + 12, end + 5, f"{'●' if kind == 'circle' else '□'} {name}")
    return picture
