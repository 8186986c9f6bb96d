"""Figures 4, 5 and 6 and Table I of Lee (TACO 2015): call density and sampling latency vary."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from typing import Iterable, Mapping, Sequence

from eval.papers.parts import lee_numbers
from eval.papers.parts.part import Part
from eval.papers.parts.runs import Runs
from eval.plots.lines import Series, XyPlot
from eval.plots.panels import Panels
from eval.plots.scale import Axis
from eval.plots.violins import ViolinPlot
from eval.profile_file import ProfileFile, Window
from eval.report import Table
from eval.section import Plot

_MOST_DOTS = 1000  # of a thread in a plot: others between them are left out
_BUSY = 0.05  # of a program's windows; a thread with more of them counts as one of its threads

Windows = Mapping[str, Sequence[Window]]  # by program


@dataclass(frozen=True)
class Latency:
    """Microseconds."""

    least: float
    greatest: float
    median: float
    mean: float


def tell(runs: Runs, jdk: str, configuration: str) -> Part:
    """Of the first run of each program."""
    windows = {}
    for workload in runs.workloads:
        profiles = runs.profiles(jdk, workload, configuration)
        found = ProfileFile(profiles[0]).windows() if profiles else []
        if found:
            windows[workload] = found
    if not windows:
        return Part()
    single = {workload: each for workload, each in windows.items() if len(busy(each)) < 2}
    several = {workload: each for workload, each in windows.items() if workload not in single}
    plots: list[Plot] = [
        _density_plot(f"lee-density-{kind}-{jdk}",
                      f"JDK {jdk}: call density over time, {what} (Figure {figure})", chosen)
        for kind, what, figure, chosen in (("one", "one thread", 4, single),
                                           ("several", "several threads", 5, several)) if chosen]
    plots.append(ViolinPlot(
        f"lee-latency-{jdk}", f"JDK {jdk}: sampling latency (Figure 6)",
        "Distribution of the time from a tick to the thread's first observed call, by program.",
        Axis("latency, µs", log=True),
        [(workload, [window.latency_ns / 1000 for window in each])
         for workload, each in windows.items()]))
    return Part([_density_table(jdk, windows), _latency_table(jdk, windows)], plots)


def busy(windows: Sequence[Window]) -> list[str]:
    """Threads with more than a few of the windows, main first, then those with the most."""
    counts = Counter(window.thread for window in windows)
    names = [name for name, count in counts.most_common() if count > _BUSY * len(windows)]
    return sorted(names, key=lambda name: name != "main")


def densities(windows: Iterable[Window], thread: str | None = None) -> list[tuple[float, float]]:
    """Seconds and calls in a microsecond, of the windows that have a density."""
    return [(window.start_ns / 1e9, 1000 * window.density) for window in windows
            if window.density is not None and thread in (None, window.thread)]


def latency(windows: Sequence[Window]) -> Latency:
    values = [window.latency_ns / 1000 for window in windows]
    return Latency(min(values), max(values), statistics.median(values), statistics.fmean(values))


def thinned(points: Sequence[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """Every so many of them."""
    return list(points[::max(1, -(-len(points) // most))])


def _density_plot(name: str, title: str, windows: Windows) -> Panels:
    values = [density for each in windows.values() for _, density in densities(each) if density > 0]
    axis = Axis("calls in a µs", log=True, low=min(values, default=None),
                high=max(values, default=None))
    return Panels(name, title, "Calls in a microsecond over the seconds since the start, a dot for "
                               "each sampling window, a panel for each program; of several threads "
                               "main and the one with the most windows.",
                  [_panel(f"{name}-{workload}", workload, each, axis)
                   for workload, each in windows.items()])


def _panel(name: str, workload: str, windows: Sequence[Window], density: Axis) -> XyPlot:
    series = [Series(thread, thinned(densities(windows, thread), _MOST_DOTS), joined=False)
              for thread in busy(windows)[:2]]
    return XyPlot(name, workload, f"Call density of {workload} over time.", Axis("time, s", low=0),
                  density, series)


def _density_table(jdk: str, windows: Windows) -> Table:
    rows = []
    for workload, each in windows.items():
        values = sorted(density for _, density in densities(each))
        if len(values) < 2:
            rows.append([workload, str(len(busy(each))), f"{len(each):,}", "-", "-", "-", "-"])
            continue
        cuts = statistics.quantiles(values, n=20, method="inclusive")
        low, middle, high = cuts[0], cuts[9], cuts[-1]
        rows.append([workload, str(len(busy(each))), f"{len(each):,}",
                     *(f"{value:.3g}" for value in (low, middle, high)),
                     f"{high / low:,.0f}" if low > 0 else "-"])
    return Table(f"JDK {jdk}: call density of windows (Figures 4 and 5), calls in a microsecond",
                 ["program", "threads", "windows", "5 %", "median", "95 %", "95 % to 5 %"], rows)


def _latency_table(jdk: str, windows: Windows) -> Table:
    rows = [[workload, *_four(latency(each)), *_papers(workload)]
            for workload, each in windows.items()]
    return Table(f"JDK {jdk}: sampling latency in microseconds (Table I), and the paper's where it "
                 "has the program, at 2.4 GHz",
                 ["program", "min", "max", "median", "mean", "paper: min", "paper: max",
                  "paper: median", "paper: mean"], rows)


def _papers(workload: str) -> list[str]:
    if workload not in lee_numbers.SAME:
        return ["-"] * 4
    return _four(Latency(*map(lee_numbers.microseconds,
                              lee_numbers.TABLE_1[lee_numbers.SAME[workload]])))


def _four(of: Latency) -> list[str]:
    return [f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
            for value in (of.least, of.greatest, of.median, of.mean)]
