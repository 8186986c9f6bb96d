"""SVG elements. Text and attribute values are data: they are escaped here and nowhere else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Sequence
from xml.sax.saxutils import escape, quoteattr

# XML 1.0 has no way to write these, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Element:
    tag: str
    attributes: Sequence[tuple[str, str]]
    children: Sequence[Element | str]

    def text(self) -> str:
        attributes = "".join(f" {name}={quoteattr(_clean(value))}"
                             for name, value in self.attributes)
        if not self.children:
            return f"<{self.tag}{attributes}/>"
        inner = "".join(child.text() if isinstance(child, Element) else escape(_clean(child))
                        for child in self.children)
        return f"<{self.tag}{attributes}>{inner}</{self.tag}>"


def element(tag: str, *children: Element | str, **attributes: str | float) -> Element:
    """`stroke_width=2` is the attribute stroke-width; numbers are written by `number`."""
    return Element(tag, [(name.rstrip("_").replace("_", "-"),
                          value if isinstance(value, str) else number(value))
                         for name, value in attributes.items()], children)


def number(value: float) -> str:
    """At most two digits after the point, the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(points: Sequence[tuple[float, float]], closed: bool = False) -> str:
    """The `d` of straight lines through the points."""
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}" if points else ""


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
