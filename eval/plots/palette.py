"""How series differ: by colour, and also by dash and mark, so that colour is not needed.

The colours are those of Okabe and Ito (Color Universal Design, 2008), which people with any common
colour blindness tell apart, in an order that keeps those pale on white for the end. Black, the
eighth of them, is the text's colour here, so that it can be seen on dark pages.
"""

from __future__ import annotations

from eval.plots.svg import Element, element, path

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "currentColor",
           "#F0E442")
_DASHES = ("none", "7 3", "2 3", "9 3 2 3")


def colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def dash(index: int) -> str:
    return _DASHES[index % len(_DASHES)]


def mark(index: int, x: float, y: float, size: float = 3.0) -> Element:
    """A circle, a square, a triangle or a diamond about (x, y)."""
    shape = index % 4
    fill = colour(index)
    if shape == 0:
        return element("circle", cx=x, cy=y, r=size, fill=fill)
    if shape == 1:
        return element("rect", x=x - size, y=y - size, width=2 * size, height=2 * size, fill=fill)
    corners = [(x, y - 1.3 * size), (x + 1.2 * size, y + size), (x - 1.2 * size, y + size)]
    if shape == 3:
        corners = [(x, y - 1.4 * size), (x + 1.4 * size, y), (x, y + 1.4 * size),
                   (x - 1.4 * size, y)]
    return element("path", d=path(corners, closed=True), fill=fill)
