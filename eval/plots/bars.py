"""Grouped bars with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from eval.plots import frame, palette
from eval.plots.scale import Axis, Scale
from eval.plots.svg import Element, element
from eval.stats import Interval

_FULL = 0.8  # of a group's place, the rest is the gap to the next


@dataclass(frozen=True)
class Bars:
    """One bar in each group; None where there is nothing."""

    name: str
    values: Sequence[Interval | float | None]


@dataclass(frozen=True)
class BarPlot:
    name: str
    title: str
    description: str
    y: Axis  # not a log one: bars stand on 0
    groups: Sequence[str]
    series: Sequence[Bars]

    def svg(self) -> str:
        return self.drawing().text()

    def drawing(self) -> Element:
        all_ends = [end for bars in self.series for value in bars.values if value is not None
                    for end in _ends(value)]
        legend = [bars.name for bars in self.series]
        slanted = not frame.fits(self.groups, frame.area(legend).width)
        place = frame.area(legend, self.groups if slanted else ())
        y = self.y.scale([0.0, *all_ends])
        step = place.width / max(1, len(self.groups))
        drawn = [*frame.y_axis(place, self.y, y),
                 *frame.names_axis(place, "", self.groups,
                                   lambda index: place.left + (index + 0.5) * step, slanted)]
        width = _FULL * step / max(1, len(self.series))
        for index, bars in enumerate(self.series):
            left = place.left + (1 - _FULL) / 2 * step + index * width
            drawn.append(element("g", element("title", bars.name), *(
                part for group, value in enumerate(bars.values) if value is not None
                for part in _bar(index, value, left + group * step, width, place, y))))
        zero = place.y(y, 0)
        drawn.append(element("path", d=f"M{place.left:.2f} {zero:.2f}H{place.right:.2f}",
                             fill="none", stroke="currentColor"))
        if not all_ends:
            drawn.append(frame.nothing(place))
        drawn += frame.legend(legend, frame.box_sample)
        return frame.document(self.name, self.title, self.description, drawn)


def _ends(value: Interval | float) -> tuple[float, ...]:
    return ((value.value, value.low, value.high) if isinstance(value, Interval) else (value,))


def _bar(index: int, value: Interval | float, left: float, width: float, place: frame.Area,
         y: Scale) -> list[Element]:
    height, *ends = _ends(value)
    top, bottom = sorted((place.y(y, height), place.y(y, 0)))
    drawn = [element("rect", x=left, y=top, width=width, height=bottom - top,
                     fill=palette.colour(index))]
    if ends:
        low, high = (place.y(y, end) for end in ends)
        middle, half = left + width / 2, min(4.0, width / 3)
        drawn.append(element(
            "path", fill="none", stroke="currentColor", stroke_width=1.2, class_="interval",
            d=f"M{middle:.2f} {low:.2f}V{high:.2f}M{middle - half:.2f} {low:.2f}h{2 * half:.2f}"
              f"M{middle - half:.2f} {high:.2f}h{2 * half:.2f}"))
    return drawn
