"""Measures several configurations side by side, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Collection, Mapping, Sequence, TypeVar

from eval import stats
from eval.measure import Cost
from eval.progress import Progress

BASE = "base"  # Without a profiler.
CONTROL = "A/A control"

Sample = TypeVar("Sample")

# Runs a configuration once, in the round of this number.
Configuration = Callable[[int], Sample]


@dataclass(frozen=True)
class Comparison:
    """The costs of all rounds by configuration; index i of each list is round i."""

    baseline: str
    costs: Mapping[str, list[Cost]]

    def cpu_ratios(self, name: str) -> list[float]:
        return stats.ratios(self._cpu(name), self._cpu(self.baseline))

    def cpu(self, name: str, to: str | None = None) -> stats.Interval:
        """The ratio to configuration `to`, the baseline's without one."""
        return stats.median_ratio(self._cpu(name), self._cpu(to or self.baseline))

    def wall(self, name: str) -> stats.Interval:
        return stats.median_ratio(self._wall(name), self._wall(self.baseline))

    def to_json(self) -> dict[str, object]:
        return {
            "baseline": self.baseline,
            "configurations": {
                name: {
                    "cpu_seconds": self._cpu(name),
                    "wall_seconds": self._wall(name),
                    "cpu_ratio": vars(self.cpu(name)),
                    "wall_ratio": vars(self.wall(name)),
                }
                for name in self.costs
            },
        }

    def table(self) -> str:
        width = max(len(name) for name in self.costs)
        lines = [f"{'':{width}}  {'CPU ratio [95 %]':24} {'wall ratio [95 %]':24}"]
        for name in self.costs:
            if name != self.baseline:
                row = f"{name:{width}}  {self.cpu(name)!s:24} {self.wall(name)!s:24}"
                lines.append(row.rstrip())
        return "\n".join(lines)

    def _cpu(self, name: str) -> list[float]:
        return [cost.cpu_seconds for cost in self.costs[name]]

    def _wall(self, name: str) -> list[float]:
        return [cost.wall_seconds for cost in self.costs[name]]


def steps(configurations: Collection[str], rounds: int) -> int:
    """How many runs `samples` and `compare` take."""
    return (len(configurations) + 1) * rounds


def samples(configurations: Mapping[str, Configuration[Sample]], baseline: str, rounds: int,
            progress: Progress, title: str = "",
            describe: Callable[[Sample], str] = str) -> dict[str, list[Sample]]:
    """Runs each configuration once per round, and the baseline twice: the second time it is the
    A/A control, whose distance from 1 is what this machine's noise looks like. The order of the
    rounds is stats.round_order's. Index i of each list is round i."""
    runs = {**configurations, CONTROL: configurations[baseline]}
    taken: dict[str, list[Sample]] = {name: [] for name in runs}
    for index in range(rounds):
        for name in stats.round_order(list(runs), index):
            sample = runs[name](index)
            taken[name].append(sample)
            progress.done(f"{title + ': ' if title else ''}round {index + 1} of {rounds}, {name}: "
                          f"{describe(sample)}")
    return taken


def added(taken: Mapping[str, Sequence[Sample]], name: str, baseline: str,
          value: Callable[[Sample], float]) -> stats.Interval:
    """The median over the rounds of what a configuration's `value` is more than the baseline's."""
    return stats.median(stats.differences(list(map(value, taken[name])),
                                          list(map(value, taken[baseline]))))


def compare(configurations: Mapping[str, Configuration[Cost]], baseline: str, rounds: int,
            title: str = "", progress: Progress | None = None) -> Comparison:
    """`samples` of what the configurations cost. Several comparisons may share one progress."""
    progress = progress or Progress(steps(configurations, rounds))
    return Comparison(baseline, samples(configurations, baseline, rounds, progress, title))
