"""How much of the exact call graph do the profiles have, and how alike are repeated runs?"""

from __future__ import annotations

import itertools
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, Mapping, Sequence

from eval import stats
from eval.built import Built
from eval.recording import Recording
from eval.report import Table
from eval.section import Section

Overlap = Callable[[Path, Path], float]


@dataclass(frozen=True)
class Judged:
    """The runs of a program in one configuration, in percent."""

    overlaps: Sequence[float]  # with the exact profile
    stability: float | None  # mean overlap of pairs of runs; None of one run


def report(recordings: Sequence[Recording],
           references: Mapping[tuple[str, str], Path]) -> Section:
    return told(recordings, references, _overlap)


def told(recordings: Sequence[Recording], references: Mapping[tuple[str, str], Path],
         overlap: Overlap) -> Section:
    section = Section(
        "Accuracy", "How much of a program's exact call graph does a profile have, and how alike "
                    "are two profiles of the same program?",
        "Arnold and Grove, CGO 2005 (overlap); Buytaert et al., OOPSLA 2007 (stability)",
        notes=["Overlap is the sum over common edges, call sites told apart, of the smaller share "
               "of all calls: 100 is a perfect graph. Stability is the mean overlap of all pairs "
               "of runs."])
    for jdk in sorted({recording.jdk for recording in recordings}):
        profiled = [recording for recording in recordings
                    if recording.jdk == jdk and recording.profile]
        names = _in_order(recording.configuration for recording in profiled)
        results: dict[str, dict[str, Judged]] = {}
        for workload in sorted({recording.workload for recording in profiled}):
            exact = references.get((workload, jdk))
            if exact is None:
                section.notes.append(f"{workload} on JDK {jdk} has no exact profile.")
                continue
            results[workload] = {
                name: judged([recording.profile for recording in profiled if recording.profile and
                              (recording.workload, recording.configuration) == (workload, name)],
                             exact, overlap) for name in names}
        if results:
            section.tables.append(overlap_table(jdk, results, names))
        if any(each.stability for by_name in results.values() for each in by_name.values()):
            section.tables.append(stability_table(jdk, results, names))
    return section


def judged(profiles: Sequence[Path], exact: Path, overlap: Overlap) -> Judged:
    pairs = [overlap(a, b) for a, b in itertools.combinations(profiles, 2)]
    return Judged([overlap(exact, profile) for profile in profiles],
                  statistics.fmean(pairs) if pairs else None)


def overlap_table(jdk: str, results: Mapping[str, Mapping[str, Judged]],
                  names: Sequence[str]) -> Table:
    rows = [[workload, *(stats.mean_and_range(by_name[name].overlaps) for name in names)]
            for workload, by_name in results.items()]
    columns = [[by_name[name].overlaps for by_name in results.values() if by_name[name].overlaps]
               for name in names]
    rows.append(["geometric mean",
                 *(f"{stats.geometric_mean(list(map(statistics.fmean, column))):.1f}"
                   for column in columns)])
    rows.append(["lowest run", *(f"{min(map(min, column)):.1f}" for column in columns)])
    return Table(f"JDK {jdk}: overlap with the exact call graph in percent, mean of the runs "
                 "(lowest-highest)", ["program", *names], rows)


def stability_table(jdk: str, results: Mapping[str, Mapping[str, Judged]],
                    names: Sequence[str]) -> Table:
    def text(stability: float | None) -> str:
        return "" if stability is None else f"{stability:.1f}"

    return Table(f"JDK {jdk}: stability in percent", ["program", *names],
                 [[workload, *(text(by_name[name].stability) for name in names)]
                  for workload, by_name in results.items()])


def _in_order(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _overlap(a: Path, b: Path) -> float:
    return Built().read("overlap", a, b)["overlap"]
