"""Several plots beside and below each other, as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Sequence

from eval.plots import frame
from eval.plots.svg import Element, element

_HEAD = 34


class Drawn(Protocol):
    def drawing(self) -> Element: ...


@dataclass(frozen=True)
class Panels:
    name: str
    title: str
    description: str
    plots: Sequence[Drawn]
    columns: int = 2

    def svg(self) -> str:
        columns = min(self.columns, max(1, len(self.plots)))
        width, height = frame.WIDTH, frame.HEIGHT
        rows = -(-len(self.plots) // columns)
        placed = [_placed(plot.drawing(), i % columns * width, _HEAD + i // columns * height)
                  for i, plot in enumerate(self.plots)]
        whole = (columns * width, _HEAD + rows * height)
        return element(
            "svg", element("title", self.title, id=f"{self.name}-title"),
            element("desc", self.description, id=f"{self.name}-desc"),
            element("text", self.title, x=whole[0] / 2, y=22, text_anchor="middle",
                    font_weight="bold", font_size=18 if columns > 1 else 14),
            *placed, xmlns="http://www.w3.org/2000/svg", role="img",
            aria_labelledby=f"{self.name}-title {self.name}-desc",
            viewBox=f"0 0 {whole[0]} {whole[1]}", width=whole[0], height=whole[1],
            font_family="sans-serif", fill="currentColor").text()


def _placed(drawing: Element, x: float, y: float) -> Element:
    """As a group: pages set the size of svg elements, and would of those inside as well."""
    kept = {name: value for name, value in drawing.attributes
            if name in ("role", "aria-labelledby", "font-size")}
    return element("g", *drawing.children, transform=f"translate({x} {y})", **kept)
