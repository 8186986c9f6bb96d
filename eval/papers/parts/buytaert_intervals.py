"""Figures 2 and 6 of Buytaert et al. (OOPSLA 2007): what sampling costs by interval, and how well
the intervals that were asked for are kept."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Mapping, Sequence

from eval import stats
from eval.papers.parts import methods
from eval.papers.parts import runs as of_runs
from eval.papers.parts.methods import MECHANISMS
from eval.papers.parts.part import Part
from eval.papers.parts.runs import Runs
from eval.plots.lines import Series, XyPlot
from eval.plots.scale import Axis
from eval.plots.violins import ViolinPlot
from eval.profile_file import ProfileFile
from eval.recording import CONTROL
from eval.report import Table
from eval.section import Plot
from eval.stats import Interval

_FIGURE_6 = "hpm-immediate"
_DEFAULT = "nanosleep-polling-20ms"  # the paper's base: Jikes RVM as it was


@dataclass(frozen=True)
class Cost:
    """Of a configuration, over all programs."""

    asked_ms: float
    overhead: Interval  # percent of CPU time
    gain: float | None  # how many percent less than _DEFAULT
    own: float | None  # percent, by the agent's own measure
    realised_ms: float | None  # CPU time of a program to a sample or drop


Costs = Mapping[str, Mapping[str, Cost]]  # by mechanism and configuration, by ascending interval


def tell(runs: Runs, jdk: str) -> Part:
    costs = _costs(runs, jdk)
    tables: list[Table] = [_table(runs, jdk, costs)] if costs else []
    plots: list[Plot] = []
    if costs:
        plots.append(_plot(
            f"buytaert-interval-{jdk}", f"JDK {jdk}: overhead by sampling interval (Figure 2)",
            "Mean over the programs of the CPU time added, in percent of the unprofiled "
            "program's, over the interval asked for, by mechanism, with 95 % intervals.",
            [_series(name, by_name) for name, by_name in costs.items()]))
    if _FIGURE_6 in costs:
        own = [(cost.asked_ms, cost.own) for cost in costs[_FIGURE_6].values()
               if cost.own is not None]
        plots.append(_plot(
            f"buytaert-overhead-{jdk}", f"JDK {jdk}: overhead of {_FIGURE_6} (Figure 6)",
            "Mean over the programs of the CPU time added, in percent of the unprofiled "
            "program's, and the agent's own measure of its cost.",
            [_series("CPU time added", costs[_FIGURE_6]),
             *([Series("the agent's own measure", own)] if own else [])]))
    violins = _intervals_between_windows(runs, jdk)
    if violins:
        plots.append(ViolinPlot(
            f"buytaert-between-{jdk}", f"JDK {jdk}: CPU time from one polling sample to the next",
            "Distribution over all programs of the CPU time of a thread from one sample to its "
            "next, by mechanism.", Axis("CPU time, ms", log=True), violins))
    return Part(tables, plots)


def _costs(runs: Runs, jdk: str) -> Costs:
    found: dict[str, dict[str, Cost]] = {}
    for mechanism in MECHANISMS:
        for name in methods.of_mechanism(runs.configurations, mechanism):
            cost = _cost(runs, jdk, name)
            if cost is not None:
                found.setdefault(mechanism, {})[name] = cost
    return {mechanism: dict(sorted(by_name.items(), key=lambda item: item[1].asked_ms))
            for mechanism, by_name in found.items()}


def _cost(runs: Runs, jdk: str, name: str) -> Cost | None:
    recordings = [each for workload in runs.workloads for each in runs.of(jdk, workload, name)]
    asked = methods.asked_ms(recordings)
    overheads = runs.by_workload(lambda workload: runs.overheads(jdk, workload, name))
    if asked is None or not overheads:
        return None
    own = [each.own_cost_percent for each in recordings if each.own_cost_percent is not None]
    events = sum(sum(methods.samples(each.profile, name).values())
                 + sum(ProfileFile(each.profile).drops().values())
                 for each in recordings if each.profile)
    cpu_ms = 1000 * sum(each.cpu_seconds for each in recordings if each.profile)
    gains = runs.by_workload(lambda workload: [
        0.0 - each for each in runs.overheads(jdk, workload, name, _DEFAULT)])
    return Cost(asked, stats.mean_of_medians(overheads), of_runs.mean_of_medians(gains),
                statistics.fmean(own) if own else None,
                cpu_ms / events if events else None)


def _table(runs: Runs, jdk: str, costs: Costs) -> Table:
    rows = [[name, f"{cost.asked_ms:g}",
             f"{cost.realised_ms:.2f}" if cost.realised_ms is not None else "-",
             cost.overhead.text("+.1f"),
             f"{cost.gain:+.1f}" if cost.gain is not None else "-", of_runs.percent(cost.own, 2)]
            for by_name in costs.values() for name, cost in by_name.items()]
    control = runs.by_workload(lambda workload: runs.overheads(jdk, workload, CONTROL))
    if control:
        rows.append([CONTROL, "", "", stats.mean_of_medians(control).text("+.1f"), "", ""])
    rows.append(["the paper's hpm-immediate", "4.3", "", "0.2", "+5.7", ""])
    return Table(f"JDK {jdk}: interval asked for, CPU time to a sample (dropped ones count), "
                 "CPU time added in percent with its 95 % interval, and CPU time saved against "
                 "the paper's default, means over the programs",
                 ["configuration", "asked, ms", "realised, ms", "overhead, %",
                  f"saved against {_DEFAULT}, %", "own measure, %"],
                 rows)


def _plot(name: str, title: str, description: str, series: Sequence[Series]) -> XyPlot:
    return XyPlot(name, title, description, Axis("sampling interval, ms", log=True),
                  Axis("CPU time added, %"), series)


def _series(name: str, costs: Mapping[str, Cost]) -> Series:
    return Series(name, [(cost.asked_ms, cost.overhead.value) for cost in costs.values()],
                  [(cost.asked_ms, cost.overhead.low, cost.overhead.high)
                   for cost in costs.values()])


def _intervals_between_windows(runs: Runs, jdk: str) -> list[tuple[str, list[float]]]:
    """Of polling mechanisms: profiles do not say when signals came."""
    found = []
    for name in MECHANISMS:
        if methods.is_immediate(name):
            continue
        values = [window.interval_ns / 1e6 for workload in runs.workloads
                  for profile in runs.profiles(jdk, workload, name)
                  for window in ProfileFile(profile).windows() if window.interval_ns > 0]
        if values:
            found.append((name, values))
    return found
