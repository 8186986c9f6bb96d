"""What every plot has around its data: size, title, axes, grid and legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

from eval.plots import palette
from eval.plots.scale import Axis, Scale
from eval.plots.svg import Element, element

WIDTH, HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 34, 46
_LEGEND_ROW = 18
_LETTER = 6.4  # of a character of _FONT, on average
_FONT = 12


@dataclass(frozen=True)
class Area:
    """Where the data stand, in pixels; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def x(self, scale: Scale, value: float) -> float:
        return self.left + scale.place(value) * self.width

    def y(self, scale: Scale, value: float) -> float:
        return self.bottom - scale.place(value) * self.height


def area(legend: Sequence[str], slanted: Sequence[str] = ()) -> Area:
    """The place that is left for the data. `slanted` are names along the x axis that do not fit
    side by side."""
    below = min(110.0, 20 + 0.6 * _LETTER * max(map(len, slanted))) if slanted else _BOTTOM
    below += _LEGEND_ROW * len(_legend_rows(legend))
    return Area(_LEFT, _TOP, WIDTH - _RIGHT, HEIGHT - below)


def document(name: str, title: str, description: str, drawn: Sequence[Element]) -> Element:
    """The whole picture. It says what it shows to those who do not see it, has no background, and
    takes the page's text colour: put it into the page, not behind an <img>, for dark pages."""
    return element(
        "svg", element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-desc"),
        element("text", title, x=WIDTH / 2, y=18, text_anchor="middle", font_weight="bold",
                font_size=13),
        *drawn,
        xmlns="http://www.w3.org/2000/svg", role="img",
        aria_labelledby=f"{name}-title {name}-desc", viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH, height=HEIGHT, font_family="sans-serif", font_size=_FONT, fill="currentColor")


def x_axis(place: Area, axis: Axis, scale: Scale) -> list[Element]:
    drawn = [_rule(place.left, place.bottom, place.right, place.bottom)]
    for value, label in axis.ticks(scale):
        x = place.x(scale, value)
        drawn += [_rule(x, place.bottom, x, place.bottom + 4),
                  element("text", label, x=x, y=place.bottom + 17, text_anchor="middle")]
    return [*drawn, _x_label(place, axis.label, place.bottom + 34)]


def names_axis(place: Area, axis_label: str, names: Sequence[str],
               centre: Callable[[int], float], slanted: bool) -> list[Element]:
    """Names in the place of numbers, slanted where they would touch."""
    drawn = [_rule(place.left, place.bottom, place.right, place.bottom)]
    for index, name in enumerate(names):
        x, y = centre(index), place.bottom + 15
        if slanted:
            drawn.append(element("text", name, x=x, y=y, text_anchor="end",
                                 transform=f"rotate(-35 {x:.2f} {y:.2f})"))
        else:
            drawn.append(element("text", name, x=x, y=y, text_anchor="middle"))
    return [*drawn, _x_label(place, axis_label, place.bottom + 34)] if axis_label else drawn


def y_axis(place: Area, axis: Axis, scale: Scale) -> list[Element]:
    drawn = [_rule(place.left, place.top, place.left, place.bottom)]
    for value, label in axis.ticks(scale):
        y = place.y(scale, value)
        drawn += [element("path", d=f"M{place.left:.2f} {y:.2f}H{place.right:.2f}", fill="none",
                          stroke="currentColor", stroke_opacity=0.15),
                  element("text", label, x=place.left - 7, y=y + 4, text_anchor="end")]
    middle = (place.top + place.bottom) / 2
    return [*drawn, element("text", axis.label, x=14, y=middle, text_anchor="middle",
                            transform=f"rotate(-90 14 {middle:.2f})")]


def legend(names: Sequence[str], sample: Callable[[int, float, float], Element]) -> list[Element]:
    """Below everything; `sample` draws series i at (x, y). One series alone needs none."""
    rows = _legend_rows(names)
    drawn, index = [], 0
    for row_number, row in enumerate(rows):
        y = HEIGHT - 8 - _LEGEND_ROW * (len(rows) - 1 - row_number)
        x = (WIDTH - sum(map(_legend_width, row))) / 2
        for name in row:
            drawn += [sample(index, x + 10, y - 4), element("text", name, x=x + 24, y=y)]
            x += _legend_width(name)
            index += 1
    return drawn


def nothing(place: Area) -> Element:
    return element("text", "no data", x=(place.left + place.right) / 2,
                   y=(place.top + place.bottom) / 2, text_anchor="middle", fill_opacity=0.6)


def line_sample(index: int, x: float, y: float) -> Element:
    return element("g", element("path", d=f"M{x - 9:.2f} {y:.2f}H{x + 9:.2f}", fill="none",
                                stroke=palette.colour(index), stroke_width=2,
                                stroke_dasharray=palette.dash(index)),
                   palette.mark(index, x, y))


def box_sample(index: int, x: float, y: float) -> Element:
    return element("rect", x=x - 6, y=y - 6, width=12, height=12, fill=palette.colour(index))


def fits(names: Sequence[str], width: float) -> bool:
    """Whether each name is narrower than its part of the width."""
    return not names or max(map(len, names)) * _LETTER < width / len(names)


def _legend_width(name: str) -> float:
    return 40 + _LETTER * len(name)


def _legend_rows(names: Sequence[str]) -> list[list[str]]:
    if len(names) < 2:
        return []
    rows: list[list[str]] = [[]]
    for name in names:
        if rows[-1] and sum(map(_legend_width, [*rows[-1], name])) > WIDTH - 2 * _RIGHT:
            rows.append([])
        rows[-1].append(name)
    return rows


def _x_label(place: Area, label: str, y: float) -> Element:
    return element("text", label, x=(place.left + place.right) / 2, y=y, text_anchor="middle")


def _rule(x1: float, y1: float, x2: float, y2: float) -> Element:
    return element("path", d=f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}", fill="none",
                   stroke="currentColor")
