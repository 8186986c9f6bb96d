"""Statistics of paired measurements: ratios within a round, never across runs.

Speed differs between rounds by more than the effects that are looked for (other load, frequency,
memory layout), so each round runs every configuration once and yields one ratio. The median of
these ratios is the estimate; its interval is the percentile bootstrap over rounds (Efron and
Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13).
"""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import dataclass
from typing import Callable, Iterable, Mapping, Sequence, TypeVar

Item = TypeVar("Item")

RESAMPLES = 4000
_SEED = 20051  # fixed: the same measurements give the same interval


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high

    def __str__(self) -> str:
        return self.text()

    def text(self, number: str = ".3f") -> str:
        """`number` is the format of its three numbers."""
        return f"{self.value:{number}} [{self.low:{number}}, {self.high:{number}}]"


def round_order(items: Sequence[Item], round_index: int) -> list[Item]:
    """The order of a round: rotated by one each round, and reversed in every other cycle.

    Over 2 * len(items) rounds each item stands at each place twice, and each neighbouring pair
    runs as often in one order as in the other. No item is always first.
    """
    count = len(items)
    shift = round_index % count
    order = [*items[shift:], *items[:shift]]
    return order[::-1] if (round_index // count) % 2 else order


def ratios(measured: Sequence[float], baseline: Sequence[float]) -> list[float]:
    """Round by round measured / baseline. Raises ValueError unless both have the same rounds."""
    return [m / b for m, b in zip(measured, baseline, strict=True)]


def differences(measured: Sequence[float], baseline: Sequence[float]) -> list[float]:
    """Round by round measured - baseline. Raises ValueError unless both have the same rounds."""
    return [m - b for m, b in zip(measured, baseline, strict=True)]


def median_ratio(measured: Sequence[float], baseline: Sequence[float]) -> Interval:
    return median(ratios(measured, baseline))


def median(sample: Sequence[float]) -> Interval:
    return _bootstrap(lambda generator: statistics.median(_resample(sample, generator)),
                      statistics.median(sample))


def geometric_mean_ratio(workloads: Mapping[str, Sequence[float]]) -> Interval:
    """Geometric mean over workloads of each one's median ratio.

    The workloads are a fixed set: the interval tells the noise of measuring them, not how other
    programs would behave, so rounds are resampled within each workload.
    """
    samples = list(workloads.values())
    return _bootstrap(
        lambda generator: geometric_mean(
            [statistics.median(_resample(sample, generator)) for sample in samples]),
        geometric_mean([statistics.median(sample) for sample in samples]))


def mean_of_medians(workloads: Mapping[str, Sequence[float]]) -> Interval:
    """The arithmetic mean over workloads of each one's median, as papers have it, and the only one
    where values may be negative. The workloads are a fixed set, as above."""
    samples = list(workloads.values())
    return _bootstrap(
        lambda generator: statistics.fmean(
            statistics.median(_resample(sample, generator)) for sample in samples),
        statistics.fmean(statistics.median(sample) for sample in samples))


def geometric_mean(values: Sequence[float]) -> float:
    """Of values that are not negative; 0 when one of them is."""
    if 0 in values:
        return 0.0
    return math.exp(statistics.fmean(math.log(value) for value in values))


def mean_and_range(values: Sequence[float]) -> str:
    """For a table: "85.0 (80.0-90.0)", the mean alone of one value, nothing of none."""
    if not values:
        return ""
    text = f"{statistics.fmean(values):.1f}"
    return text if len(values) == 1 else f"{text} ({min(values):.1f}-{max(values):.1f})"


def overlap_by_chance(calls: Iterable[float], samples: int) -> float:
    """The expected overlap of that many independent samples with the graph that they are taken of, which has so
    many calls along each edge. In percent.

    1 - 1/2 sum of E|X/n - p|, with the binomial distribution's mean absolute deviation E|X - np| =
    2 v C(n, v) p^v (1-p)^(n-v+1), v = floor(np) + 1 (de Moivre; Diaconis and Zabell, Statistical
    Science 6, 1991)."""
    known = list(calls)
    total = sum(known)
    if not samples or not total:
        return 0.0
    return 100 * (1 - sum(_mean_deviation(samples, each / total) for each in known) / (2 * samples))


def _mean_deviation(n: int, p: float) -> float:
    v = math.floor(n * p) + 1
    if p <= 0 or v > n:  # Such as p = 1: there is no other outcome.
        return 0.0
    log_choose = math.lgamma(n + 1) - math.lgamma(v + 1) - math.lgamma(n - v + 1)
    return 2 * v * math.exp(log_choose + v * math.log(p) + (n - v + 1) * math.log1p(-p))


def _resample(sample: Sequence[float], generator: random.Random) -> list[float]:
    return generator.choices(sample, k=len(sample))


def _bootstrap(draw: Callable[[random.Random], float], value: float) -> Interval:
    generator = random.Random(_SEED)
    estimates = sorted(draw(generator) for _ in range(RESAMPLES))
    tail = round(0.025 * RESAMPLES)
    return Interval(value, estimates[tail], estimates[-1 - tail])
