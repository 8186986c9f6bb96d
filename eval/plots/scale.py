"""Scales: where a value stands, and which values get a tick."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Iterable, Protocol, Sequence


class Scale(Protocol):
    def place(self, value: float) -> float:
        """0 at the scale's low end, 1 at the high one; values beyond are put at the end."""

    def ticks(self) -> list[tuple[float, str]]:
        """Ascending values with their labels."""


@dataclass(frozen=True)
class Linear:
    low: float
    high: float
    most: int = 6  # ticks

    def place(self, value: float) -> float:
        return _clamp((value - self.low) / (self.high - self.low))

    def ticks(self) -> list[tuple[float, str]]:
        step = _nice((self.high - self.low) / self.most)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        return [(i * step, _plain(i * step, digits)) for i in range(first, last + 1)]


@dataclass(frozen=True)
class Log:
    """To the base of 10. Values of 0 and below have no place: they stand at the low end."""

    low: float
    high: float
    most: int = 8  # ticks

    def place(self, value: float) -> float:
        if value <= 0:
            return 0.0
        return _clamp(math.log(value / self.low) / math.log(self.high / self.low))

    def ticks(self) -> list[tuple[float, str]]:
        """Powers of ten, every so many where there are too many; 1, 2 and 5 of each where there
        are too few."""
        decades = range(math.floor(math.log10(self.low) + 1e-9),
                        math.ceil(math.log10(self.high) - 1e-9) + 1)
        every = max(1, math.ceil(len(decades) / self.most))
        exponents = [e for e in decades if e % every == 0]
        values = [10.0 ** e for e in exponents if self._has(10.0 ** e)]
        if len(values) < 3 and every == 1:
            values = [m * 10.0 ** e for e in decades for m in (1, 2, 5) if self._has(m * 10.0 ** e)]
        return [(value, power(value)) for value in values]

    def _has(self, value: float) -> bool:
        return self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)


@dataclass(frozen=True)
class Axis:
    """What an axis says. Ends that are not given are those of the data."""

    label: str  # with its unit
    log: bool = False
    low: float | None = None
    high: float | None = None
    named: Sequence[tuple[float, str]] = field(default=())  # ticks of one's own

    def scale(self, values: Iterable[float]) -> Scale:
        """Fits the values that are finite, and on a log axis positive; for none of them an axis
        from 0 (or 1) on."""
        known = [value for value in values
                 if math.isfinite(value) and (value > 0 or not self.log)]
        known += [end for end in (self.low, self.high) if end is not None]
        low = self.low if self.low is not None else min(known, default=1 if self.log else 0)
        high = self.high if self.high is not None else max(known, default=low)
        if self.log:
            return Log(low, high) if high > low else Log(low / 2, low * 2)
        if high <= low:  # a single value stands in the middle
            half = abs(low) / 2 or 0.5
            return Linear(low - half, low + half)
        if self.low is None:
            low = 0.0 if 0 <= low < 0.7 * high else low - 0.04 * (high - low)
        if self.high is None:
            high += 0.04 * (high - low)
        return Linear(low, high)

    def ticks(self, scale: Scale) -> list[tuple[float, str]]:
        return list(self.named) or scale.ticks()


def power(value: float) -> str:
    """A power of ten, or 1, 2 or 5 times one: plain where that is short."""
    if 1e-3 <= value < 1e5:
        return f"{value:,.0f}" if value >= 1 else f"{value:.3f}".rstrip("0")
    exponent = math.floor(math.log10(value) + 1e-9)
    factor = round(value / 10.0 ** exponent)
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}" if factor == 1 else f"{factor}·10{digits}"


def _nice(step: float) -> float:
    """The next of 1, 2 or 5 times a power of ten."""
    magnitude = 10.0 ** math.floor(math.log10(step))
    return next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= step * (1 - 1e-9))


def _plain(value: float, digits: int) -> str:
    return f"{value + 0.0:,.{digits}f}" if abs(value) < 1e7 else f"{value:.1e}"


def _clamp(share: float) -> float:
    return min(1.0, max(0.0, share))
