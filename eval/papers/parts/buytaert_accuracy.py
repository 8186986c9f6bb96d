"""Figures 8, 9 and 10 of Buytaert et al. (OOPSLA 2007): how right and how stable they are."""

from __future__ import annotations

import statistics
from typing import Mapping, Sequence

from eval import agreement
from eval.papers.parts import methods
from eval.papers.parts import runs as of_runs
from eval.papers.parts.methods import MECHANISMS, REFERENCE, Compared
from eval.papers.parts.part import Part
from eval.papers.parts.runs import Runs
from eval.plots.bars import BarPlot, Bars
from eval.plots.lines import Series, XyPlot
from eval.plots.scale import Axis
from eval.report import Table

_TOPS = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0)
_TOP = 20.0  # of which the paper gives numbers
# Sections 5.2.3 and 5.2.4, averages over the benchmarks. One number for both polling mechanisms.
_PAPER_TOP_20 = {"nanosleep-polling": 57.4, "setitimer-polling": 56.3,
                 "setitimer-immediate": 70.2, "hpm-immediate": 74.5}
_PAPER_WEIGHTED = {"nanosleep-polling": 59.3, "setitimer-polling": 59.3,
                   "setitimer-immediate": 74.2, "hpm-immediate": 78.0}
_PAPER_STABILITY = {"nanosleep-polling": 75.9, "setitimer-polling": 76.6,
                    "setitimer-immediate": 78.2, "hpm-immediate": 83.3, REFERENCE: 95.1}

Results = Mapping[str, Mapping[str, Compared]]  # by mechanism and program
Stabilities = Mapping[str, Mapping[str, float | None]]


def tell(runs: Runs, jdk: str) -> Part:
    """Nothing of what was not recorded."""
    part = Part()
    results = _compared(runs, jdk)
    if results:
        part.tables += [_weighted_table(jdk, runs.workloads, results),
                        _presence_table(jdk, results)]
        part.notes += _worse(jdk, results)
        part.plots += [_presence_plot(jdk, results), _bars(
            f"buytaert-weighted-{jdk}", f"JDK {jdk}: weighted accuracy (Figure 9)",
            "Overlap of the method profile with the reference's in percent, by program and "
            "mechanism; the profiles of all runs averaged.", runs.workloads,
            {name: {workload: each.weighted for workload, each in by_program.items()}
             for name, by_program in results.items()})]
    stabilities = _stabilities(runs, jdk)
    if stabilities:
        part.tables.append(_stability_table(jdk, runs.workloads, stabilities))
        part.plots.append(_bars(
            f"buytaert-stability-{jdk}", f"JDK {jdk}: stability (Figure 10)",
            "Mean overlap of the method profiles of all pairs of runs in percent, by program and "
            "mechanism.", runs.workloads, stabilities))
    return part


def _worse(jdk: str, results: Results) -> list[str]:
    """Where our averages are below the paper's."""
    below = []
    for name, by_program in results.items():
        weighted = statistics.fmean(each.weighted for each in by_program.values())
        for what, ours, papers in (("weighted", weighted, _PAPER_WEIGHTED[name]),
                                   (f"unweighted, top {_TOP:.0f} %", _presence(by_program, _TOP),
                                    _PAPER_TOP_20[name])):
            if ours < papers:
                below.append(f"{name} ({what}: {ours:.1f}, the paper {papers:.1f})")
    return [f"JDK {jdk}: less accurate than in the paper: {'; '.join(below)}."] if below else []


def _compared(runs: Runs, jdk: str) -> Results:
    results: dict[str, dict[str, Compared]] = {}
    for workload in runs.workloads:
        reference = agreement.merged(methods.by_run(runs, jdk, workload, REFERENCE))
        if not reference:
            continue
        for name in MECHANISMS:
            sampled = methods.by_run(runs, jdk, workload, name)
            if sampled:
                results.setdefault(name, {})[workload] = methods.compare(reference, sampled, _TOPS)
    return {name: results[name] for name in MECHANISMS if name in results}


def _stabilities(runs: Runs, jdk: str) -> Stabilities:
    results = {name: {workload: agreement.stability(methods.by_run(runs, jdk, workload, name))
                      for workload in runs.workloads} for name in (*MECHANISMS, REFERENCE)}
    return {name: by_program for name, by_program in results.items()
            if any(value is not None for value in by_program.values())}


def _weighted_table(jdk: str, workloads: Sequence[str], results: Results) -> Table:
    def cell(each: Compared | None) -> str:
        return f"{each.weighted:.1f} / {each.weighted_of_a_run:.1f}" if each else "-"
    rows = [[workload, *(cell(by_program.get(workload)) for by_program in results.values())]
            for workload in workloads]
    rows.append(["average", *(
        f"{statistics.fmean(each.weighted for each in by_program.values()):.1f} / "
        f"{statistics.fmean(each.weighted_of_a_run for each in by_program.values()):.1f}"
        for by_program in results.values())])
    rows.append(["the paper's average", *(f"{_PAPER_WEIGHTED[name]:.1f}" for name in results)])
    return Table(f"JDK {jdk}: weighted accuracy (Figure 9), percent, of all runs' average profile "
                 "/ of a single run", ["program", *results], rows)


def _presence(by_program: Mapping[str, Compared], top: float, of_a_run: bool = False) -> float:
    return statistics.fmean((each.presence_of_a_run if of_a_run else each.presence)[top]
                            for each in by_program.values())


def _presence_table(jdk: str, results: Results) -> Table:
    rows = [[f"top {top:.0f} %", *(f"{_presence(by_program, top):.1f} / "
                                   f"{_presence(by_program, top, of_a_run=True):.1f}"
                                   for by_program in results.values())] for top in _TOPS]
    rows.append([f"the paper's, top {_TOP:.0f} %", *(f"{_PAPER_TOP_20[name]:.1f}"
                                                     for name in results)])
    return Table(f"JDK {jdk}: unweighted accuracy (Figure 8), percent of the reference's top "
                 "methods that were sampled at all, means over the programs, of all runs together "
                 "/ of a single run", ["methods", *results], rows)


def _presence_plot(jdk: str, results: Results) -> XyPlot:
    return XyPlot(f"buytaert-unweighted-{jdk}", f"JDK {jdk}: unweighted accuracy (Figure 8)",
                  "How many percent of the reference's top N percent of methods were sampled at "
                  "all, means over the programs, by mechanism.",
                  Axis("top N percent of the methods", low=0, high=100),
                  Axis("sampled, %", low=0, high=100),
                  [Series(name, [(top, _presence(by_program, top)) for top in _TOPS])
                   for name, by_program in results.items()])


def _stability_table(jdk: str, workloads: Sequence[str], stabilities: Stabilities) -> Table:
    rows = [[workload, *(of_runs.percent(by_program[workload])
                         for by_program in stabilities.values())] for workload in workloads]
    rows.append(["average", *(of_runs.percent(_mean(by_program))
                              for by_program in stabilities.values())])
    rows.append(["the paper's average", *(f"{_PAPER_STABILITY[name]:.1f}" for name in stabilities)])
    return Table(f"JDK {jdk}: stability (Figure 10), percent", ["program", *stabilities], rows)


def _bars(name: str, title: str, description: str, workloads: Sequence[str],
          values: Mapping[str, Mapping[str, float | None]]) -> BarPlot:
    return BarPlot(name, title, description, Axis("percent", low=0, high=100),
                   [*workloads, "average"],
                   [Bars(series, [*(by_program.get(workload) for workload in workloads),
                                  _mean(by_program)]) for series, by_program in values.items()])


def _mean(by_program: Mapping[str, float | None]) -> float | None:
    known = [value for value in by_program.values() if value is not None]
    return statistics.fmean(known) if known else None
