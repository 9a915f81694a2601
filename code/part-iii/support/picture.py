"""Pictures as SVG: one drawing surface, and lines over numbers.

Every coordinate is a whole number, found without binary floats, so that a picture is the same bytes everywhere. A
picture brings its own light ground and dark lines, so that it reads the same in a light and a dark theme and in print;
it is narrow enough for a telephone, and a number that has no room is left out whole. Red and blue mean the two colours
of the texts; marks, dashes and words say the same, for whom colours do not.
"""
from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import count
from math import ceil, floor
from typing import Any, NamedTuple
from xml.etree import ElementTree

from support.spelling import plain

SIZE = 16  # of text, in the pixels of the picture
WIDTH = 460  # of a picture: on 320 pixels its text is still 11 high
INK, GROUND, SOFT = "#1a1a1a", "#ffffff", "#d5dde5"
RED, BLUE, GREEN, BROWN = "#b3261e", "#1558a6", "#1b6e3c", "#8a5a00"
FAINT = {RED: "#fbe6e3", BLUE: "#e3edf9", INK: "#eef1f4"}
SUBSCRIPTS, SUPERSCRIPTS = (str.maketrans("0123456789-", digits) for digits in ("₀₁₂₃₄₅₆₇₈₉₋", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))

Point = tuple[int, int]


def wide(words: str) -> int:
    """Return how many pixels words take at most: a Chinese character or a sign SIZE, a letter or a small digit 9."""
    return sum(SIZE if "\u2000" < c < "\u2070" or c > "\u209f" else 9 for c in words)


class Picture:
    """A drawing of WIDTH × `height` pixels with a title and a text alternative; a notebook shows it by itself."""

    def __init__(self, height: int, title: str, description: str) -> None:
        self.svg = ElementTree.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "width": str(WIDTH), "height": str(height),
            "viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria-label": f"{title}。{description}",
            "font-family": "sans-serif", "font-size": str(SIZE)})
        for name, text in (("title", title), ("desc", description)):
            ElementTree.SubElement(self.svg, name).text = text
        self.box(0, 0, WIDTH, height, line="none")
        self.text(WIDTH // 2, 28, title, "middle", bold=True)

    def _add(self, name: str, **attributes: object) -> ElementTree.Element:
        texts = {key.replace("_", "-"): str(value) for key, value in attributes.items()}
        return ElementTree.SubElement(self.svg, name, texts)

    def text(self, x: int, y: int, words: str, anchor: str = "start", bold: bool = False, colour: str = INK,
             room: int = WIDTH) -> None:
        """Write words with their base line at (x, y); what has no room in the frame or in `room` is left out whole."""
        room = min(room, {"start": WIDTH - x, "middle": 2 * min(x, WIDTH - x), "end": x}[anchor])
        while wide(words) > room:
            words = f"{words.removesuffix(' …').rpartition(' ')[0]} …"
        weight = {"font_weight": "bold"} if bold else {}
        self._add("text", x=x, y=y, text_anchor=anchor, fill=colour, **weight).text = words

    def line(self, points: Sequence[Point], colour: str = INK, dashes: str = "", thick: int = 2) -> None:
        """Draw a line through the points."""
        dashed = {"stroke_dasharray": dashes} if dashes else {}
        self._add("polyline", points=" ".join(f"{x},{y}" for x, y in points), fill="none", stroke=colour,
                  stroke_width=thick, **dashed)

    def arrow(self, points: Sequence[Point], colour: str = INK) -> None:
        """Draw a line through the points, which goes across or down and ends in an arrow."""
        (x, y), (to_x, to_y) = points[-2:]
        across, down = ((b > a) - (b < a) for a, b in ((x, to_x), (y, to_y)))
        foot = to_x - 10 * across, to_y - 10 * down
        self.line([*points[:-1], foot], colour)
        corners = [(to_x, to_y), *((foot[0] + side * down, foot[1] + side * across) for side in (5, -5))]
        self._add("polygon", points=" ".join(f"{a},{b}" for a, b in corners), fill=colour)

    def box(self, x: int, y: int, width: int, height: int, fill: str = GROUND, line: str = INK, thick: int = 2,
            words: str = "") -> None:
        """Draw a rectangle, with words in its middle."""
        self._add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=line, stroke_width=thick)
        if words:
            self.text(x + width // 2, y + height // 2 + 6, words, "middle", room=width - 8)

    def mark(self, x: int, y: int, kind: str, colour: str) -> None:
        """Draw a filled circle, a hollow square or a hollow triangle."""
        if kind == "circle":
            self._add("circle", cx=x, cy=y, r=5, fill=colour)
        elif kind == "square":
            self.box(x - 5, y - 5, 10, 10, line=colour)
        else:
            corners = f"{x},{y - 6} {x + 6},{y + 5} {x - 6},{y + 5}"
            self._add("polygon", points=corners, fill=GROUND, stroke=colour, stroke_width=2)

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
    """A line of a chart: values over numbers, what marks its points ("" for no marks), its colour."""

    name: str
    mark: str
    colour: str
    points: Sequence[tuple[int, Fraction]]


MARKS = {"circle": ("●", ""), "square": ("□", "8 5"), "triangle": ("△", "3 3"), "": ("┄", "1 4")}  # key and dashes


def chart(title: str, description: str, axes: tuple[str, str], lines: Sequence[Line],
          levels: Sequence[tuple[Fraction, str]] = (), places: Sequence[tuple[int, str]] = (),
          below: Fraction | None = None, notes: Sequence[tuple[str, str]] = ()) -> Picture:
    """Return lines over numbers: where all are positive, on a scale on which equal distances are equal quotients.

    `axes` name what goes across and what goes up; `levels` and `places` are what is named there, else powers of ten or
    the extremes, and round numbers; below a value the ground is red; `notes` are said below the names of the lines.
    """
    across, values = zip(*(point for line in lines for point in line.points))
    first, end, lowest, highest = int(min(across)), int(max(across)), min(values), max(values)
    scaled: Callable[[Fraction], Any] = _log if lowest > 0 else Fraction
    low, high = scaled(lowest), scaled(highest)
    powers = [(Fraction(10) ** n, plain(Fraction(10) ** n) if abs(n) <= 3 else "10" + f"{n}".translate(SUPERSCRIPTS))
              for n in _round(low, high)] if scaled is _log else []
    levels = levels or powers[1:] and powers or [(value, plain(value, 8, 3)) for value in (lowest, highest)]
    places = places or [(n, str(n)) for n in _round(first, end)]
    left, right, top, bottom = 16 + max(wide(name) for _, name in levels), WIDTH - 20, 72, 328
    deep = bottom + 20 * max(name.count("\n") + 1 for _, name in places)
    words = [*((f"{MARKS[line.mark][0]} {line.name}", line.colour) for line in lines), *notes]
    picture = Picture(deep + 50 + 24 * len(words), title, description)

    def x(place: int) -> int:
        return left + 8 + (right - left - 16) * (place - first) // ((end - first) or 1)

    def y(value: Fraction) -> int:
        return bottom - 10 - int((bottom - top - 10) * (scaled(value) - low) / (high - low or 1))

    if below is not None:
        picture.box(left, y(below), right - left, bottom - y(below), FAINT[RED], "none")
    written: list[int] = []
    for value, name in levels:
        picture.line([(left, y(value)), (right, y(value))], SOFT, thick=1)
        if all(abs(y(value) - other) >= 18 for other in written):  # one name must not lie on another
            picture.text(left - 8, y(value) + 6, name, "end")
            written.append(y(value))
    picture.line([(left, top), (left, bottom), (right, bottom)])
    picture.text(8, 54, f"{axes[1]}（{'对数' if scaled is _log else '等距'}刻度）")
    free: dict[int, int] = {}  # where a row of the places' names ends so far
    for place, name in places:
        for i, part in enumerate(name.split("\n"), 1):
            if part and x(place) - wide(part) // 2 >= free.get(i, 0):
                picture.text(x(place), bottom + 20 * i, part, "middle")
                free[i] = x(place) + wide(part) // 2
    picture.text((left + right) // 2, deep + 24, axes[0], "middle")
    for line in lines:
        points = [(x(place), y(value)) for place, value in line.points]
        picture.line(points, line.colour, MARKS[line.mark][1])
        for point in points[:: len(points) // 40 + 1] if line.mark else ():
            picture.mark(*point, line.mark, line.colour)
    for i, (said, colour) in enumerate(words):
        picture.text(12, deep + 54 + 24 * i, said, colour=colour)
    return picture


def _round(low: Any, high: Any) -> range:
    """Return the multiples of one, two or four powers of ten between two numbers: at most six."""
    step = next(n * 10**k for k in count() for n in (1, 2, 4) if high - low <= 5 * n * 10**k)
    return range(ceil(low / step) * step, floor(high / step) * step + 1, step)


def _log(value: Fraction) -> Decimal:
    """Return the logarithm of a positive number, which the decimal library rounds correctly: the same everywhere."""
    context = Context(prec=30)
    return context.log10(context.divide(Decimal(value.numerator), Decimal(value.denominator)))
