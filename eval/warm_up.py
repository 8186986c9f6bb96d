"""How many iterations a program takes until it is warm.

The method is that of Barrett, Bolz-Tereick, Killick, Mount and Tratt, "Virtual machine warmup blows
hot and cold" (OOPSLA 2017): changepoints split the iteration times into segments; segments that do
not differ from the last one by more than a tolerance belong to the steady state; a series whose
steady state begins in its last quarter never got there. For series of tens of iterations:

- The split is the exact one that PELT (Killick, Fearnhead, Eckley, JASA 107, 2012) prunes its way
  to: the least sum over the segments of squared deviations from their means, in units of the noise,
  and of a penalty of 3 ln n for each segment (Jackson et al., IEEE Signal Processing Letters 12(2),
  2005). It takes n^2 steps.
- The times are logarithms, so that noise and tolerance are relative. The noise is told from the
  differences of neighbours, by their median, which no trend and few outliers change.
- A lone iteration that differs from both its neighbours' segments, such as one with a collection,
  does not end the steady state.

Rejected: the window with a coefficient of variation below 1 % of Georges, Buytaert and Eeckhout
(OOPSLA 2007): with the 3 % of noise of a shared machine hardly any window passes.
"""

from __future__ import annotations

import math
import statistics
from typing import Sequence

_FEWEST = 4  # iterations of which anything can be said
_RESOLUTION = 0.01  # smaller noise is taken for as much: times are in whole milliseconds
_TOLERANCE = 0.03  # plus the noise: segments that differ by less are the same state
_PENALTY = 3.0  # times ln n: 4 % of flat series of 30 with 3 % of noise are not found flat


def warm_up(iterations_ms: Sequence[float]) -> int:
    """The number of iterations before the steady state; len(iterations_ms) where there is none, or
    where they are too few to tell."""
    count = len(iterations_ms)
    if count < _FEWEST:
        return count
    logs = [math.log(max(ms, 0.5)) for ms in iterations_ms]
    noise = _noise(logs)
    segments = _segments(logs, noise)
    means = [statistics.fmean(logs[start:end]) for start, end in segments]
    lengths = [end - start for start, end in segments]
    last = len(segments) - 1
    if last and lengths[last] == 1:  # of one iteration nobody knows whether it lasts
        last -= 1
    same = [abs(mean - means[last]) <= _TOLERANCE + noise for mean in means]
    first = last
    while first and (same[first - 1] or (lengths[first - 1] == 1 and first > 1
                                         and same[first - 2])):
        first -= 1
    start = segments[first][0]
    return start if start <= 0.75 * count else count


def _noise(values: Sequence[float]) -> float:
    """The standard deviation, by the median of the absolute differences of neighbours."""
    differences = [abs(b - a) for a, b in zip(values, values[1:])]
    return max(statistics.median(differences) / (0.6745 * math.sqrt(2)), _RESOLUTION)


def _segments(values: Sequence[float], noise: float) -> list[tuple[int, int]]:
    """The cheapest split into [start, end)."""
    sums, squares = [0.0], [0.0]
    for value in values:
        sums.append(sums[-1] + value)
        squares.append(squares[-1] + value * value)

    def cost(start: int, end: int) -> float:
        total = sums[end] - sums[start]
        return (squares[end] - squares[start] - total * total / (end - start)) / noise**2

    penalty = _PENALTY * math.log(len(values))
    best, begins = [0.0], [0]
    for end in range(1, len(values) + 1):
        value, start = min((best[start] + cost(start, end) + penalty, start)
                           for start in range(end))
        best.append(value)
        begins.append(start)
    segments = []
    end = len(values)
    while end:
        segments.append((begins[end], end))
        end = begins[end]
    return segments[::-1]
