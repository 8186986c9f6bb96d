"""Kernel density estimates: where values lie, as a smooth curve."""

from __future__ import annotations

import math
import statistics
from typing import Sequence

_GRID = 80
_BINS = 1000  # values are counted in so many bins first, each far narrower than the kernel


def bandwidth(values: Sequence[float]) -> float:
    """Silverman's rule of thumb (Density Estimation, 1986, equation 3.31): 0.9 A n^(-1/5), A the
    smaller of the standard deviation and the interquartile range over 1.34. For values that hardly
    differ, the standard deviation alone; 0 for equal values."""
    if len(values) < 2:
        return 0.0
    deviation = statistics.pstdev(values)
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    spread = min(deviation, (high - low) / 1.34) or deviation
    return 0.9 * spread * len(values) ** -0.2


def density(values: Sequence[float], width: float) -> list[tuple[float, float]]:
    """The density by a Gaussian kernel at points from three widths below the least value to three
    above the greatest. `width` is above 0."""
    low, high = min(values) - 3 * width, max(values) + 3 * width
    bin_width = (high - low) / _BINS
    counts: dict[int, int] = {}
    for value in values:
        index = int((value - low) / bin_width)
        counts[index] = counts.get(index, 0) + 1
    scale = 1 / (len(values) * width * math.sqrt(2 * math.pi))
    return [(x, scale * sum(count * math.exp(-0.5 * ((x - low - (index + 0.5) * bin_width) / width)
                                             ** 2) for index, count in counts.items()))
            for x in (low + i * (high - low) / (_GRID - 1) for i in range(_GRID))]
