"""Figures 7 and 8 of Lee (TACO 2015): what the corrections buy, and what recording costs."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Callable, Mapping, Sequence

from eval import stats
from eval.papers.parts import lee_numbers
from eval.papers.parts import runs as of_runs
from eval.papers.parts.part import Part
from eval.papers.parts.runs import References, Runs
from eval.plots.bars import BarPlot, Bars
from eval.plots.scale import Axis
from eval.recording import CONTROL
from eval.report import Table
from eval.stats import Interval

CORRECTIONS = ("none", "density", "density+latency", "shrunk")  # the last is not the paper's

# The overlap in percent of a profile with the exact one: correction, exact, sampled.
Overlap = Callable[[str, Path, Path], float]
# By correction and program, by run.
Accuracies = Mapping[str, Mapping[str, Sequence[float]]]


def accuracies(runs: Runs, references: References, jdk: str, configuration: str,
               overlap: Overlap) -> Accuracies:
    results: dict[str, dict[str, list[float]]] = {name: {} for name in CORRECTIONS}
    for workload in runs.workloads:
        exact = references.get((workload, jdk))
        profiles = runs.profiles(jdk, workload, configuration)
        if exact is not None and profiles:
            for name in CORRECTIONS:
                results[name][workload] = [overlap(name, exact, each) for each in profiles]
    return results


def tell_accuracy(jdk: str, results: Accuracies) -> Part:
    workloads = list(results[CORRECTIONS[0]])
    if not workloads:
        return Part()
    rows = [[workload, *(f"{statistics.median(results[name][workload]):.1f}"
                         for name in CORRECTIONS)] for workload in workloads]
    rows.append(["average", *(of_runs.percent(of_runs.mean_of_medians(results[name]))
                              for name in CORRECTIONS)])
    rows.append(["the paper's average", *(str(lee_numbers.ACCURACY.get(name, "-"))
                                          for name in CORRECTIONS)])
    table = Table(f"JDK {jdk}: overlap with the exact call graph in percent by correction "
                  "(Figure 7), medians of the runs", ["program", *CORRECTIONS], rows)
    plot = BarPlot(f"lee-accuracy-{jdk}", f"JDK {jdk}: accuracy by correction (Figure 7)",
                   "Overlap with the exact call graph in percent, by program and correction, "
                   "medians of the runs from the lowest to the highest.",
                   Axis("accuracy, %", low=0, high=100), [*workloads, "average"],
                   [Bars(name, [*(_range(results[name][workload]) for workload in workloads),
                                of_runs.mean_of_medians(results[name])])
                    for name in CORRECTIONS])
    return Part([table], [plot], _worse(jdk, results))


def tell_configurations(jdk: str, results: Mapping[str, Accuracies]) -> Part:
    """The averages of other configurations, by name."""
    rows = [[configuration, *(of_runs.percent(of_runs.mean_of_medians(accuracy[name]))
                              for name in CORRECTIONS)]
            for configuration, accuracy in results.items() if accuracy[CORRECTIONS[0]]]
    return Part([Table(f"JDK {jdk}: the same for other samplers, averages over the programs",
                       ["configuration", *CORRECTIONS], rows)] if rows else [])


def _worse(jdk: str, results: Accuracies) -> list[str]:
    """The paper's corrections "never decrease the overlap accuracy for any benchmark"."""
    notes = []
    for name, before in (("density", "none"), ("density+latency", "density")):
        lower = [f"{workload} ({difference:+.1f})" for workload in results[name]
                 if (difference := statistics.median(results[name][workload])
                     - statistics.median(results[before][workload])) <= -0.05]
        if lower:
            notes.append(f"JDK {jdk}: correcting by {name} is worse than {before}, in points, for "
                         f"{', '.join(lower)}. In the paper no correction is.")
    return notes


def tell_overhead(runs: Runs, jdk: str, columns: Mapping[str, str]) -> Part:
    """`columns`: configurations by heading."""
    names = {**({CONTROL: CONTROL} if CONTROL in runs.configurations else {}), **columns}
    measured = {heading: runs.by_workload(lambda workload, name=name: runs.overheads(
        jdk, workload, name)) for heading, name in names.items()}
    measured = {heading: values for heading, values in measured.items() if values}
    workloads = [workload for workload in runs.workloads
                 if any(workload in values for values in measured.values())]
    if not workloads:
        return Part()
    intervals = {heading: [*(stats.median(values[workload]) if workload in values else None
                             for workload in workloads), stats.mean_of_medians(values)]
                 for heading, values in measured.items()}
    rows = [[workload, *("-" if column[i] is None else column[i].text("+.1f")
                         for column in intervals.values())]
            for i, workload in enumerate([*workloads, "average"])]
    table = Table(f"JDK {jdk}: CPU time added in percent (Figure 8), medians of the runs with 95 % "
                  "intervals", ["program", *measured], rows)
    plot = BarPlot(f"lee-overhead-{jdk}", f"JDK {jdk}: time overhead (Figure 8)",
                   "CPU time added in percent of the unprofiled program's, by program and "
                   "configuration, with 95 % intervals.", Axis("CPU time added, %"),
                   [*workloads, "average"],
                   [Bars(heading, column) for heading, column in intervals.items()])
    return Part([table], [plot])


def _range(values: Sequence[float]) -> Interval:
    return Interval(statistics.median(values), min(values), max(values))
