"""How much more CPU time does a warm program take when it is profiled?

Runs of one number were made together, so each gives a ratio to the program without an agent. A
ratio is an effect when its bootstrap interval excludes 1 and its median lies outside the interval
of the A/A control, which is the program against itself; otherwise it is null.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Mapping, Sequence

from eval import stats
from eval.recording import BASE, CONTROL, Recording
from eval.report import Table
from eval.section import Section
from eval.significance import TTest, paired_t_test, welch_t_test
from eval.stats import Interval

NULL = "null"
_FEWEST = 3  # runs for an interval
_RIGHT = 7  # runs from which it covers about as often as it says: for an effect
Runs = Mapping[tuple[str, str, int], Recording]  # by program, configuration and number of the run


@dataclass
class Pairs:
    """A program in a configuration and without an agent, run by run."""

    measured: list[float] = field(default_factory=list)
    base: list[float] = field(default_factory=list)

    def ratios(self) -> list[float]:
        return stats.ratios(self.measured, self.base)


def report(recordings: Sequence[Recording],
           references: Mapping[tuple[str, str], Path]) -> Section:
    del references  # exact profiles say nothing of costs
    section = Section(
        "Overhead", "How much more CPU time does a program take when it is profiled?",
        "Georges, Buytaert and Eeckhout, OOPSLA 2007 (steady state, intervals)",
        notes=["Ratios are within runs of one number, which were made together; in brackets the 95 "
               f"% bootstrap interval of the median. An effect is {NULL} unless its interval "
               "excludes 1 and its median lies outside the A/A control's. p is Student's, of the "
               "logarithms: of pairs, and by Welch of independent samples.",
               "Of a run that never gets warm the second half of the iterations counts."])
    for jdk in sorted({recording.jdk for recording in recordings}):
        of_jdk = [recording for recording in recordings if recording.jdk == jdk]
        section.tables += _tables(jdk, of_jdk)
        fewest = min(sum((recording.workload, recording.configuration) == (workload, BASE)
                         for recording in of_jdk)
                     for workload in {recording.workload for recording in of_jdk})
        if fewest < _RIGHT:
            section.notes.append(f"JDK {jdk}: of {fewest} run{'s' if fewest > 1 else ''} no "
                                 f"interval is right; it takes {_RIGHT}.")
    return section


def _tables(jdk: str, recordings: Sequence[Recording]) -> list[Table]:
    runs = {(recording.workload, recording.configuration, recording.run): recording
            for recording in recordings}
    workloads = sorted({recording.workload for recording in recordings})
    profiled = list(dict.fromkeys(recording.configuration for recording in recordings
                                  if recording.configuration not in (BASE, CONTROL)))
    warm = {name: {workload: pairs(runs, workload, name, warm_cpu) for workload in workloads}
            for name in (CONTROL, *profiled)}
    whole = {name: {workload: pairs(runs, workload, name, whole_cpu) for workload in workloads}
             for name in (CONTROL, *profiled)}
    own = own_table(jdk, recordings, workloads, profiled)
    return [
        ratio_table(f"JDK {jdk}: CPU time of an iteration when warm, ratio to no agent", "ms",
                    warm),
        test_table(jdk, warm, profiled),
        ratio_table(f"JDK {jdk}: CPU time of the whole run, start, warm-up and writing the profile "
                    "included, ratio to no agent", "s", whole),
        *([own] if own else []),
        warm_up_table(jdk, recordings, workloads, [BASE, CONTROL, *profiled]),
    ]


def pairs(runs: Runs, workload: str, name: str,
          of: Callable[[Recording, Recording], tuple[float, float]]) -> Pairs:
    """Of the runs that have a partner of the same number without an agent."""
    found = Pairs()
    for key in sorted(key for key in runs if key[:2] == (workload, name)):
        base = runs.get((workload, BASE, key[2]))
        if base is not None:
            measured, unprofiled = of(runs[key], base)
            found.measured.append(measured)
            found.base.append(unprofiled)
    return found


def warm_cpu(a: Recording, b: Recording) -> tuple[float, float]:
    """Mean CPU time of the iterations in which both are warm, in ms; of the second half where one
    never is."""
    count = len(a.iterations_cpu_ms)
    start = max(a.warm_up, b.warm_up)
    if start >= count:
        start = count // 2
    # The kernel's clock ticks every 10 ms: what is shorter than a tick can be 0.
    return (max(statistics.fmean(a.iterations_cpu_ms[start:]), 1.0),
            max(statistics.fmean(b.iterations_cpu_ms[start:]), 1.0))


def whole_cpu(a: Recording, b: Recording) -> tuple[float, float]:
    return a.cpu_seconds, b.cpu_seconds


def ratio_table(title: str, unit: str, by_name: Mapping[str, Mapping[str, Pairs]]) -> Table:
    rows = []
    for workload, control in by_name[CONTROL].items():
        base = f"{statistics.median(control.base):.2f}" if control.base else ""
        rows.append([workload, base,
                     *(_mean({workload: of[workload]}) for of in by_name.values())])
    rows.append(["geometric mean", "", *map(_mean, by_name.values())])
    return Table(title, ["program", f"base, {unit}", *by_name], rows)


def _mean(of: Mapping[str, Pairs]) -> str:
    """The geometric mean of the medians, with its interval where it has one."""
    ratios = {workload: found.ratios() for workload, found in of.items() if found.base}
    if not ratios:
        return ""
    mean = stats.geometric_mean_ratio(ratios)
    return str(mean) if min(map(len, ratios.values())) >= _FEWEST else f"{mean.value:.3f}"


def test_table(jdk: str, by_name: Mapping[str, Mapping[str, Pairs]],
               profiled: Sequence[str]) -> Table:
    rows = []
    for workload, control in by_name[CONTROL].items():
        for name in profiled:
            found = by_name[name][workload]
            if not found.base or not control.base:
                continue
            measured, base = ([math.log(value) for value in values]
                              for values in (found.measured, found.base))
            rows.append([workload, name, str(len(base)),
                         effect(found.ratios(), control.ratios()),
                         _p(paired_t_test(measured, base)), _p(welch_t_test(measured, base))])
    return Table(f"JDK {jdk}: effect on the CPU time of an iteration when warm",
                 ["program", "configuration", "runs", "effect", "p, pairs", "p, Welch"], rows)


def effect(ratios: Sequence[float], control: Sequence[float]) -> str:
    """Of the median, in percent; null where it cannot be told from noise."""
    if min(len(ratios), len(control)) < _RIGHT:
        return "too few runs"
    of, noise = stats.median(ratios), stats.median(control)
    return f"{100 * (of.value - 1):+.1f} %" if _is_effect(of, noise) else NULL


def _is_effect(ratio: Interval, noise: Interval) -> bool:
    return ratio.excludes(1.0) and noise.excludes(ratio.value)


def _p(test: TTest | None) -> str:
    return "" if test is None else f"{test.p:.2g}"


def own_table(jdk: str, recordings: Sequence[Recording], workloads: Sequence[str],
              profiled: Sequence[str]) -> Table | None:
    """None where no agent measured itself."""
    def cell(workload: str, name: str) -> str:
        shares = [recording.own_cost_percent for recording in recordings
                  if (recording.workload, recording.configuration) == (workload, name)
                  and recording.own_cost_percent is not None]
        return f"{statistics.median(shares):.2f}" if shares else ""

    names = [name for name in profiled if any(cell(workload, name) for workload in workloads)]
    if not names:
        return None
    return Table(f"JDK {jdk}: the agent's own measure of its CPU time, percent of the process's, "
                 "median of the runs", ["program", *names],
                 [[workload, *(cell(workload, name) for name in names)] for workload in workloads])


def warm_up_table(jdk: str, recordings: Sequence[Recording], workloads: Sequence[str],
                  names: Sequence[str]) -> Table:
    def cell(workload: str, name: str) -> str:
        of = [recording for recording in recordings
              if (recording.workload, recording.configuration) == (workload, name)]
        warm = [recording.warm_up for recording in of
                if recording.warm_up < len(recording.iterations_ms)]
        never = len(of) - len(warm)
        text = f"{statistics.median(warm):g}" if warm else ""
        return f"{text} ({never} of {len(of)} never)".strip() if never else text

    return Table(f"JDK {jdk}: iterations until warm, median of the runs that get there",
                 ["program", *names],
                 [[workload, *(cell(workload, name) for name in names)] for workload in workloads])
