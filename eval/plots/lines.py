"""Lines and dots over two axes, with bands of uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Sequence

from eval.plots import frame, palette
from eval.plots.scale import Axis, Scale
from eval.plots.svg import Element, element, path

_MOST_MARKS = 40  # of a line's points; more of them hide the line


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()  # x, low, high
    joined: bool = True  # a line; else dots


@dataclass(frozen=True)
class XyPlot:
    """A line plot, or a scatter plot where the series are not joined."""

    name: str
    title: str
    description: str
    x: Axis
    y: Axis
    series: Sequence[Series]

    def svg(self) -> str:
        return self.drawing().text()

    def drawing(self) -> Element:
        known = [_known(series, self.x, self.y) for series in self.series]
        place = frame.area([series.name for series in self.series])
        x = self.x.scale(point[0] for series in known for point in series.points)
        y = self.y.scale(value for series in known for value in
                         [*(point[1] for point in series.points),
                          *(end for _, *ends in series.band for end in ends)])
        drawn = [*frame.y_axis(place, self.y, y), *frame.x_axis(place, self.x, x)]
        drawn += [_series(index, series, place, x, y) for index, series in enumerate(known)]
        if not any(series.points for series in known):
            drawn.append(frame.nothing(place))
        drawn += frame.legend([series.name for series in self.series], self._sample)
        return frame.document(self.name, self.title, self.description, drawn)

    def _sample(self, index: int, x: float, y: float) -> Element:
        return (frame.line_sample(index, x, y) if self.series[index].joined
                else palette.mark(index, x, y))


def _known(series: Series, x: Axis, y: Axis) -> Series:
    """Without what has no place: values that are not finite, and on a log axis not positive."""
    def has_place(axis: Axis, *values: float) -> bool:
        return all(math.isfinite(value) and (value > 0 or not axis.log) for value in values)
    return Series(series.name,
                  [p for p in series.points if has_place(x, p[0]) and has_place(y, p[1])],
                  [b for b in series.band if has_place(x, b[0]) and has_place(y, *b[1:])],
                  series.joined)


def _series(index: int, series: Series, place: frame.Area, x: Scale, y: Scale) -> Element:
    points = [(place.x(x, px), place.y(y, py)) for px, py in series.points]
    drawn: list[Element] = []
    if len(series.band) == 1:
        (px, low, high), = series.band
        drawn.append(element("path", d=path([(place.x(x, px), place.y(y, low)),
                                             (place.x(x, px), place.y(y, high))]),
                             stroke=palette.colour(index), class_="band"))
    elif series.band:
        edge = [(place.x(x, px), place.y(y, high)) for px, _, high in series.band]
        edge += [(place.x(x, px), place.y(y, low)) for px, low, _ in reversed(series.band)]
        drawn.append(element("path", d=path(edge, closed=True), fill=palette.colour(index),
                             fill_opacity=0.18, class_="band"))
    if series.joined and len(points) > 1:
        drawn.append(element("path", d=path(points), fill="none", stroke=palette.colour(index),
                             stroke_width=2, stroke_linejoin="round",
                             stroke_dasharray=palette.dash(index)))
    if not series.joined or len(points) <= _MOST_MARKS:
        size = 3.0 if len(points) <= 10 * _MOST_MARKS else 1.2
        drawn += [palette.mark(index, px, py, size) for px, py in points]
    return element("g", element("title", series.name), *drawn)
