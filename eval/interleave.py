"""Measures several configurations side by side, round by round."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Callable, Mapping

from eval import stats
from eval.measure import Cost, note

CONTROL = "A/A control"

# Runs a configuration once, in the round of this number.
Configuration = Callable[[int], Cost]


@dataclass(frozen=True)
class Comparison:
    """The costs of all rounds by configuration; index i of each list is round i."""

    baseline: str
    costs: Mapping[str, list[Cost]]

    def cpu_ratios(self, name: str) -> list[float]:
        return stats.ratios(self._cpu(name), self._cpu(self.baseline))

    def cpu(self, name: str) -> stats.Interval:
        return stats.median_ratio(self._cpu(name), self._cpu(self.baseline))

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


def compare(configurations: Mapping[str, Configuration], baseline: str, rounds: int,
            title: str = "", clock: Callable[[], float] = time.monotonic,
            log: Callable[[str], None] = note) -> Comparison:
    """Runs each configuration once per round, and the baseline twice: the second time it is the
    A/A control, whose distance from 1 is what this machine's noise looks like. The order of the
    rounds is stats.round_order's."""
    runs = {**configurations, CONTROL: configurations[baseline]}
    costs: dict[str, list[Cost]] = {name: [] for name in runs}
    start = clock()
    done = 0
    for index in range(rounds):
        for name in stats.round_order(list(runs), index):
            cost = runs[name](index)
            costs[name].append(cost)
            done += 1
            left = (clock() - start) / done * (rounds * len(runs) - done)
            log(f"{title + ': ' if title else ''}round {index + 1} of {rounds}, {name}: "
                f"CPU {cost.cpu_seconds:.2f} s, wall {cost.wall_seconds:.2f} s; "
                f"about {left:.0f} s left")
    return Comparison(baseline, costs)
