"""Violin plots: the distribution of each of several samples, on a log scale."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Sequence

from eval.plots import frame, palette
from eval.plots.density import bandwidth, density
from eval.plots.scale import Axis, Scale
from eval.plots.svg import Element, element, path

_FULL = 0.8  # of a violin's place


@dataclass(frozen=True)
class ViolinPlot:
    """Densities are those of the values' logarithms. All violins are equally wide; the bar is from
    the first to the third quartile, the dot the median. Values of 0 and below are left out."""

    name: str
    title: str
    description: str
    y: Axis  # a log one
    samples: Sequence[tuple[str, Sequence[float]]]

    def svg(self) -> str:
        return self.drawing().text()

    def drawing(self) -> Element:
        names = [name for name, _ in self.samples]
        positive = [[value for value in values if value > 0] for _, values in self.samples]
        slanted = not frame.fits(names, frame.area([]).width)
        place = frame.area([], names if slanted else ())
        y = self.y.scale(value for values in positive for value in values)
        step = place.width / max(1, len(names))
        drawn = [*frame.y_axis(place, self.y, y),
                 *frame.names_axis(place, "", names,
                                   lambda index: place.left + (index + 0.5) * step, slanted)]
        for index, (name, values) in enumerate(zip(names, positive)):
            centre = place.left + (index + 0.5) * step
            drawn.append(element("g", element("title", name),
                                 *_violin(values, centre, _FULL * step / 2, place, y)))
        if not any(positive):
            drawn.append(frame.nothing(place))
        return frame.document(self.name, self.title, self.description, drawn)


def _violin(values: Sequence[float], centre: float, half: float, place: frame.Area,
            y: Scale) -> list[Element]:
    if not values:
        return []
    drawn = []
    logarithms = [math.log10(value) for value in values]
    width = bandwidth(logarithms)
    if width > 0:
        least, most = min(logarithms), max(logarithms)
        # Cut at the least and the greatest value: there is nothing beyond.
        curve = [(place.y(y, 10 ** at), height) for at, height in density(logarithms, width)
                 if least <= at <= most]
        peak = max((height for _, height in curve), default=1)
        outline = [(centre - half * height / peak, at) for at, height in curve]
        outline += [(centre + half * height / peak, at) for at, height in reversed(curve)]
        drawn.append(element("path", d=path(outline, closed=True), fill=palette.colour(0),
                             fill_opacity=0.55, stroke=palette.colour(0)))
        first, _, third = statistics.quantiles(values, n=4, method="inclusive")
        drawn.append(element("path", d=f"M{centre:.2f} {place.y(y, first):.2f}"
                                       f"V{place.y(y, third):.2f}",
                             fill="none", stroke="currentColor", stroke_width=3))
    drawn.append(element("circle", cx=centre, cy=place.y(y, statistics.median(values)), r=3,
                         fill=palette.colour(1), class_="median"))
    return drawn
