"""Pictures as SVG: one drawing surface, lines on a logarithmic scale, and bars.

Every coordinate is a whole number, found without binary floats, so that a picture is the same bytes everywhere. A
picture brings its own light ground and dark lines, so that it reads the same in a light and a dark theme and in print.
Red and blue mean the two colours of the texts; marks, dashes and words say the same, for whom colours do not.
"""
from __future__ import annotations

from base64 import b64encode
from decimal import Context, Decimal
from fractions import Fraction
from math import isqrt
from typing import NamedTuple, Sequence
from xml.etree import ElementTree

SIZE = 16  # of text, in the pixels of the picture
INK, GROUND, SOFT = "#1a1a1a", "#ffffff", "#d5dde5"
RED, BLUE, GREEN, BROWN = "#b3261e", "#1558a6", "#1b6e3c", "#8a5a00"
FAINT = {RED: "#fbe6e3", BLUE: "#e3edf9", INK: "#eef1f4"}
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Point = tuple[int, int]


class Picture:
    """A drawing of `width` × `height` pixels with a title and a text alternative; a notebook shows it by itself."""

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        self.svg = ElementTree.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "width": str(width), "height": str(height),
            "viewBox": f"0 0 {width} {height}", "role": "img", "aria-label": f"{title}。{description}",
            "font-family": "sans-serif", "font-size": str(SIZE)})
        for name, text in (("title", title), ("desc", description)):
            ElementTree.SubElement(self.svg, name).text = text
        self.box(0, 0, width, height, line="none")
        self.text(width // 2, 28, title, "middle", bold=True)

    def _add(self, name: str, **attributes: object) -> ElementTree.Element:
        texts = {key.replace("_", "-"): str(value) for key, value in attributes.items()}
        return ElementTree.SubElement(self.svg, name, texts)

    def text(self, x: int, y: int, words: str, anchor: str = "start", bold: bool = False, colour: str = INK) -> None:
        """Write words with their base line at (x, y)."""
        weight = {"font_weight": "bold"} if bold else {}
        self._add("text", x=x, y=y, text_anchor=anchor, fill=colour, **weight).text = words

    def line(self, points: Sequence[Point], colour: str = INK, dashes: str = "", thick: int = 2) -> None:
        """Draw a line through the points."""
        dashed = {"stroke_dasharray": dashes} if dashes else {}
        self._add("polyline", points=" ".join(f"{x},{y}" for x, y in points), fill="none", stroke=colour,
                  stroke_width=thick, **dashed)

    def arrow(self, start: Point, end: Point, colour: str = INK) -> None:
        """Draw an arrow whose tip is `end`."""
        (x, y), (to_x, to_y) = start, end
        across, down = to_x - x, to_y - y
        length = isqrt(across**2 + down**2)
        back, side = (10 * across // length, 10 * down // length), (5 * down // length, -5 * across // length)
        foot = to_x - back[0], to_y - back[1]
        self.line([start, foot], colour)
        corners = (end, (foot[0] + side[0], foot[1] + side[1]), (foot[0] - side[0], foot[1] - side[1]))
        self._add("polygon", points=" ".join(f"{a},{b}" for a, b in corners), fill=colour)

    def box(self, x: int, y: int, width: int, height: int, fill: str = GROUND, line: str = INK, thick: int = 2,
            dashes: str = "") -> None:
        """Draw a rectangle."""
        dashed = {"stroke_dasharray": dashes} if dashes else {}
        self._add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=line, stroke_width=thick, **dashed)

    def mark(self, x: int, y: int, kind: str, colour: str) -> None:
        """Draw a filled circle, a hollow square or a hollow triangle."""
        if kind == "circle":
            self._add("circle", cx=x, cy=y, r=5, fill=colour)
        elif kind == "square":
            self.box(x - 5, y - 5, 10, 10, line=colour)
        else:
            self._add("polygon", points=f"{x},{y - 6} {x + 6},{y + 5} {x - 6},{y + 5}", fill=GROUND, stroke=colour,
                      stroke_width=2)

    def __repr__(self) -> str:
        """Return the text alternative, for where no picture can be shown; it is the same in every kernel."""
        return str(self.svg.get("aria-label"))

    def file(self) -> str:
        """Return the picture as a file of its own, an element a line."""
        return ElementTree.tostring(self.svg, encoding="unicode").replace("><", ">\n<") + "\n"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: only an image in HTML keeps its text alternative in every viewer and export."""
        image = ElementTree.Element("img", {
            "alt": repr(self), "src": "data:image/svg+xml;base64," + b64encode(self.file().encode()).decode(),
            "width": str(self.svg.get("width")), "style": "max-width:100%;height:auto"})
        return ElementTree.tostring(image, encoding="unicode")


class Line(NamedTuple):
    """A line of a chart: positive values over numbers, what marks its points ("" for no marks), its colour."""

    name: str
    mark: str
    colour: str
    points: Sequence[tuple[int, Fraction]]


class Note(NamedTuple):
    """Words beside a point of a chart, at a distance in pixels, a row of text each."""

    place: int
    value: Fraction
    distance: Point
    words: Sequence[str]


KEYS = {"circle": "●", "square": "□", "triangle": "△", "": "┄"}


def log_chart(title: str, description: str, across: str, places: Sequence[tuple[int, str]],
              levels: Sequence[tuple[Fraction, str]], lines: Sequence[Line], notes: Sequence[Note] = (),
              shaded: tuple[Fraction, str] | None = None) -> Picture:
    """Return lines over numbers, on a scale where equal distances are equal quotients.

    `places` and `levels` are what the two axes name; `shaded` is a value below which the ground is red, and why. What
    is not positive has no place on the scale and is left out.
    """
    lines = [line._replace(points=[(place, value) for place, value in line.points if value > 0]) for line in lines]
    values = [value for line in lines for _, value in line.points] + [value for value, _ in levels] or [Fraction(1)]
    left, right, top, bottom = 96, 580, 56, 336
    first, last = (extreme(place for place, _ in places) for extreme in (min, max))
    low, high = _log(min(values)), _log(max(values))
    deep = 20 * max(name.count("\n") for _, name in places)
    picture = Picture(600, bottom + 60 + deep + 26 * len(lines), title, description)

    def x(place: int) -> int:
        return left + 16 + (right - left - 32) * (place - first) // (last - first or 1)

    def y(value: Fraction) -> int:
        return bottom - 10 - int((bottom - top - 10) * (_log(value) - low) / (high - low or 1))

    if shaded and min(values) < shaded[0]:
        picture.box(left, y(shaded[0]), right - left, bottom - y(shaded[0]), FAINT[RED], "none")
        picture.text(left + 12, bottom - 12, shaded[1], colour=RED)
    written: list[int] = []
    for value, name in levels:
        picture.line([(left, y(value)), (right, y(value))], SOFT, thick=1)
        if all(abs(y(value) - other) >= 18 for other in written):  # one name must not lie on another
            picture.text(left - 8, y(value) + 6, name, "end")
            written.append(y(value))
    picture.line([(left, top), (left, bottom), (right, bottom)])
    for place, name in places:
        for i, part in enumerate(name.split("\n")):
            picture.text(x(place), bottom + 20 + 20 * i, part, "middle")
    picture.text((left + right) // 2, bottom + 44 + deep, across, "middle")
    for i, line in enumerate(lines):
        points = [(x(place), y(value)) for place, value in line.points]
        picture.line(points, line.colour, {"circle": "", "square": "8 5", "triangle": "3 3", "": "1 4"}[line.mark])
        for point in points if line.mark else ():
            picture.mark(*point, line.mark, line.colour)
        picture.text(left + 4, bottom + 74 + deep + 26 * i, f"{KEYS[line.mark]} {line.name}", colour=line.colour)
    for note in notes:
        point = x(note.place), y(note.value)
        to = point[0] + note.distance[0], point[1] + note.distance[1]
        picture.line([point, to], thick=1)
        side = 1 if note.distance[0] > 0 else -1
        for i, words in enumerate(note.words):
            picture.text(to[0] + 4 * side, to[1] - 4 + 20 * (i - len(note.words) + 1), words,
                         "start" if side > 0 else "end", bold=True)
    return picture


class Bar(NamedTuple):
    """A row of bars: what it is of, then for each of the series a length and the words at its end."""

    name: str
    values: Sequence[tuple[Fraction, str]]


def bars(title: str, description: str, series: Sequence[str], rows: Sequence[Bar]) -> Picture:
    """Return bars to the right of a line at zero, and to its left where a value is negative; the first is filled."""
    thick, left, room = 22, 130, 350
    deep = len(series) * thick + 22
    picture = Picture(600, 76 + deep * len(rows) + 26 * len(series), title, description)
    lengths = [length for each in rows for length, _ in each.values]
    low, high = min([Fraction(0), *lengths]), max([Fraction(0), *lengths])
    scale = high - low or Fraction(1)
    zero = left + int(room * -low / scale)
    for i, each in enumerate(rows):
        top = 54 + deep * i
        picture.text(left - 12, top + len(series) * thick // 2 + 6, each.name, "end")
        for j, (length, words) in enumerate(each.values):
            size, y = int(room * abs(length) / scale), top + j * thick
            picture.box(zero if length >= 0 else zero - size, y, size, thick - 5, INK if j == 0 else GROUND)
            picture.text(zero + (size if length > 0 else 0) + 8, y + 15, words)
    picture.line([(zero, 48), (zero, 48 + deep * len(rows))])
    for j, name in enumerate(series):
        picture.text(left, 68 + deep * len(rows) + 26 * j, f"{'■' if j == 0 else '□'} {name}")
    return picture


def _log(value: Fraction) -> Decimal:
    """Return the logarithm of a positive number, which the decimal library rounds correctly: the same everywhere."""
    context = Context(prec=30)
    return context.log10(context.divide(Decimal(value.numerator), Decimal(value.denominator)))
