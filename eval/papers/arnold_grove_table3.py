"""Arnold and Grove (CGO 2005), Table 3: overhead and accuracy by benchmark.

The paper's columns, overhead / accuracy in percent for each of two virtual machines: the base
sampler (by timer, one sample a tick) and counter-based sampling with a stride and a number of
samples that it chose, 3 and 16 for Jikes RVM, 7 and 16 for J9. Numbers are medians of 10 runs. Ours
are the same for one virtual machine, and what `yp run` does by itself where that was recorded.
"""

from __future__ import annotations

import statistics
from typing import Mapping, Sequence

from eval.call_graphs import corrected, uncorrected
from eval.papers.parts import grids
from eval.papers.parts import runs as of_runs
from eval.papers.parts.arnold_grove_numbers import TABLE_3
from eval.papers.parts.runs import References, Runs
from eval.plots.bars import BarPlot, Bars
from eval.plots.scale import Axis
from eval.recording import BASE, Recording
from eval.report import Table
from eval.section import Section

_PLAN = "arnold-grove"
_CHOSEN = ((3, 16), (7, 16))  # stride, samples
_DEFAULT = "default"
_BASE = "base sampler"

# Overheads and accuracies by run, by program and configuration.
Measured = Mapping[tuple[str, str], tuple[Sequence[float], Sequence[float]]]


def report(recordings: Sequence[Recording], references: References) -> Section:
    runs = Runs(recordings)
    columns, notes = _columns(runs)
    notes += [*of_runs.missing(runs, [BASE], _PLAN), *of_runs.missing_references(runs, references)]
    tables, plots = [], []
    for jdk in runs.jdks:
        if columns:
            measured = {(workload, name): (runs.overheads(jdk, workload, name),
                                           _accuracies(runs, references, jdk, workload, name))
                        for workload in runs.workloads for name in columns.values()}
            tables.append(_table(jdk, runs.workloads, columns, measured))
            plots.append(_plot(jdk, runs.workloads, columns, measured))
            notes += _worse(jdk, runs.workloads, columns, measured)
    return Section(
        "Overhead and accuracy by program",
        "Is counter-based sampling better than a timer for every program, and never dear?",
        "Arnold and Grove, CGO 2005, Table 3", [*tables, _papers()], plots,
        [*notes, "Samples weigh alike, as in the paper; in the last column, where there is one, "
         "they weigh as our profiles have it, calls that the JIT inlined included.",
         "The base sampler's overhead is 0 in the paper's Jikes RVM, which always runs it. Ours "
         "is against the program without an agent.",
         "The paper's small inputs run for 1 to 5 seconds: compare them with few iterations."])


def _columns(runs: Runs) -> tuple[dict[str, str], list[str]]:
    """Configurations by the table's heading, and notes on those that are missing."""
    columns, notes = {}, []
    base = grids.base_sampler(runs.configurations)
    if base is None:
        notes += of_runs.missing(runs, ["timer"], _PLAN)
    else:
        columns[_BASE] = base
    for stride, samples in _CHOSEN:
        name = grids.find(runs.configurations, stride, samples)
        if name is None:
            notes += of_runs.missing(runs, [f"bytecode-{stride}x{samples}"], _PLAN)
        else:
            columns[f"stride {stride}, samples {samples}"] = name
    if _DEFAULT in runs.configurations:
        columns[_DEFAULT] = _DEFAULT
    return columns, notes


def _accuracies(runs: Runs, references: References, jdk: str, workload: str,
                name: str) -> list[float]:
    weight = corrected if name == _DEFAULT else uncorrected
    return of_runs.accuracies(runs, references, jdk, workload, name, weight)[0]


def _table(jdk: str, workloads: Sequence[str], columns: Mapping[str, str],
           measured: Measured) -> Table:
    rows = [[workload, *(_cell(*measured[workload, name]) for name in columns.values())]
            for workload in workloads]
    rows.append(["average", *("/".join(
        of_runs.percent(of_runs.mean_of_medians({workload: measured[workload, name][i]
                                                 for workload in workloads}), 1 - i)
        for i in range(2)) for name in columns.values())])
    return Table(f"JDK {jdk}: overhead / accuracy in percent, medians of the runs",
                 ["program", *columns], rows)


def _cell(overheads: Sequence[float], accuracies: Sequence[float]) -> str:
    overhead = statistics.median(overheads) if overheads else None
    accuracy = statistics.median(accuracies) if accuracies else None
    return f"{of_runs.percent(overhead)}/{of_runs.percent(accuracy, 0)}"


def _worse(jdk: str, workloads: Sequence[str], columns: Mapping[str, str],
           measured: Measured) -> list[str]:
    """Where the base sampler is more accurate. In the paper it is for one benchmark of 26."""
    def accuracy(workload: str, name: str) -> float | None:
        values = measured[workload, name][1]
        return statistics.median(values) if values else None
    notes = []
    for heading, name in columns.items() if _BASE in columns else ():
        lower = [workload for workload in workloads
                 if None not in (of := [accuracy(workload, name),
                                        accuracy(workload, columns[_BASE])]) and of[0] < of[1]]
        if lower:
            notes.append(f"JDK {jdk}: {heading} is less accurate than the base sampler for "
                         f"{', '.join(lower)}.")
    return notes


def _papers() -> Table:
    rows = [[f"{vm}, {mean}", *(f"{overhead:.1f}/{accuracy:.0f}" for overhead, accuracy in cells)]
            for vm, means in TABLE_3.items() for mean, cells in means.items()]
    return Table("The paper's averages: overhead / accuracy in percent",
                 ["virtual machine, benchmarks", "base sampler",
                  "stride 3 (Jikes RVM) or 7 (J9), samples 16"], rows)


def _plot(jdk: str, workloads: Sequence[str], columns: Mapping[str, str],
          measured: Measured) -> BarPlot:
    def median(workload: str, name: str) -> float | None:
        _, accuracies = measured[workload, name]
        return statistics.median(accuracies) if accuracies else None
    return BarPlot(f"arnold-grove-table3-{jdk}", f"JDK {jdk}: accuracy by program",
                   "Overlap with the exact call graph in percent, medians of the runs, for each "
                   "program and sampler.", Axis("accuracy, %", low=0, high=100), workloads,
                   [Bars(heading, [median(workload, name) for workload in workloads])
                    for heading, name in columns.items()])
