"""Which recordings a report is made of, and what they cost."""

from __future__ import annotations

import statistics
from collections import defaultdict
from pathlib import Path
from typing import Callable, Iterable, Mapping, Sequence

from eval import call_graphs
from eval.call_graphs import Weight
from eval.recording import BASE, Recording

References = Mapping[tuple[str, str], Path]  # exact profiles by workload and JDK version


class Runs:
    """The recordings of an evaluation by JDK, program and configuration."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._by_place: dict[tuple[str, str, str], list[Recording]] = defaultdict(list)
        for recording in sorted(recordings, key=lambda each: each.run):
            self._by_place[recording.jdk, recording.workload,
                           recording.configuration].append(recording)
        self.jdks = sorted({each.jdk for each in recordings}, key=_version)
        self.workloads = list(dict.fromkeys(each.workload for each in recordings))
        self.configurations = list(dict.fromkeys(each.configuration for each in recordings))

    def of(self, jdk: str, workload: str, configuration: str) -> list[Recording]:
        """In the order of their runs."""
        return self._by_place.get((jdk, workload, configuration), [])

    def profiles(self, jdk: str, workload: str, configuration: str) -> list[Path]:
        return [each.profile for each in self.of(jdk, workload, configuration) if each.profile]

    def overheads(self, jdk: str, workload: str, configuration: str,
                  base_name: str = BASE) -> list[float]:
        """By how many percent more CPU time a run took than the base of the same number."""
        base = {each.run: each.cpu_seconds for each in self.of(jdk, workload, base_name)}
        return [100 * (each.cpu_seconds / base[each.run] - 1)
                for each in self.of(jdk, workload, configuration) if base.get(each.run, 0) > 0]

    def by_workload(self, measured: Callable[[str], Sequence[float]]) -> dict[str, list[float]]:
        """What was measured of each program, without those of which nothing was."""
        values = {workload: list(measured(workload)) for workload in self.workloads}
        return {workload: sample for workload, sample in values.items() if sample}


def accuracies(runs: Runs, references: References, jdk: str, workload: str, configuration: str,
               *weights: Weight) -> list[list[float]]:
    """Overlaps with the exact call graph by run, one list for each of `weights`. Empty without a
    reference. Raises ProfileError for a profile that cannot be read."""
    exact = references.get((workload, jdk))
    results: list[list[float]] = [[] for _ in weights]
    if exact is not None:
        for profile in runs.profiles(jdk, workload, configuration):
            graph = call_graphs.read(profile)
            for result, weight in zip(results, weights):
                result.append(call_graphs.accuracy(exact, graph, weight))
    return results


def mean_of_medians(by_workload: Mapping[str, Sequence[float]]) -> float | None:
    """Arnold and Grove's average: over the benchmarks, of the median of each one's runs."""
    medians = [statistics.median(sample) for sample in by_workload.values() if sample]
    return statistics.fmean(medians) if medians else None


def missing(runs: Runs, configurations: Iterable[str], plan: str) -> list[str]:
    """A note for each configuration without a recording."""
    return [f"No recording of a configuration named `{name}`: the plan `{plan}` makes them."
            for name in configurations if name not in runs.configurations]


def missing_references(runs: Runs, references: References) -> list[str]:
    lacking = [f"{workload} on JDK {jdk}" for jdk in runs.jdks for workload in runs.workloads
               if (workload, jdk) not in references]
    return ([f"No exact profile, and so no accuracy, of {', '.join(lacking)}."] if lacking else [])


def percent(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _version(text: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in text.replace("+", ".").split(".")]
