"""Buytaert et al. (OOPSLA 2007): how triggers and sampling mechanisms compare.

Table 3 of the paper has, by benchmark and mechanism, S, the method samples taken, P, the methods
proposed to the recompilation model, and C, the recompilations; Figure 2 speed by sampling interval,
Figure 6 the overhead of taking samples by interval, Figure 8 the presence of the top N percent of
methods (unweighted accuracy), Figure 9 the overlap of method profiles with a detailed one (weighted
accuracy), Figure 10 their stability. Ours are the same but for P and C: our samples start no
compiler.
"""

from __future__ import annotations

import statistics
from typing import Mapping, Sequence

from eval.papers.parts import buytaert_accuracy, buytaert_intervals
from eval.papers.parts import runs as of_runs
from eval.papers.parts.methods import MECHANISMS, REFERENCE, samples
from eval.papers.parts.part import Part
from eval.papers.parts.runs import References, Runs
from eval.profile_file import ProfileFile, has_trivial
from eval.recording import BASE, Recording
from eval.report import Table
from eval.section import Section

_PLAN = "buytaert"
# Table 3, average of S. The paper's default, nanosleep-polling every 20 ms, takes 344.
_PAPER_SAMPLES = {"nanosleep-polling": 1232, "setitimer-polling": 1453,
                  "setitimer-immediate": 1249, "hpm-immediate": 2066}


def report(recordings: Sequence[Recording], references: References) -> Section:
    """The reference is a recording named "reference", not the exact profile: what is judged is
    where time is spent."""
    del references
    runs = Runs(recordings)
    told = Part(notes=of_runs.missing(runs, [BASE, REFERENCE, *MECHANISMS], _PLAN))
    for jdk in runs.jdks:
        names = [name for name in MECHANISMS if name in runs.configurations]
        if names:
            told.tables.append(_samples_table(runs, jdk, names))
        told.add(buytaert_intervals.tell(runs, jdk))
        told.add(buytaert_accuracy.tell(runs, jdk))
        told.notes += _unlike(runs, jdk)
    return Section(
        "Triggers and mechanisms",
        "Which sampling mechanism finds the methods that take the time, and at what cost?",
        "Buytaert et al., OOPSLA 2007, Table 3 and Figures 2, 6, 8, 9 and 10", told.tables,
        told.plots, [*told.notes, *_DIFFERENCES])


_DIFFERENCES = [
    "S of Table 3 only: no compiler is driven by our samples, so that there are no proposed "
    "methods (P) and no recompilations (C), and Figures 2 and 6 show cost alone. Where the "
    "paper's programs become faster by better samples (5.7 % with hpm-immediate), ours cannot: "
    "what is saved against polling every 20 ms is a difference of costs.",
    "The paper's overhead in Figure 6 is against that polling with all samples thrown away; ours "
    "is against the program without an agent.",
    "Polling counts the method that is entered at the thread's next call, immediate the method "
    "that the signal finds running. The paper's polling points are also in loops and at returns; "
    "ours are at calls only, which is worse for methods that loop without calling.",
    "Weighted and unweighted accuracy as in section 5.2.3: the profiles of all runs are averaged, "
    "then compared with the reference's. The paper has 30 runs and a reference with a sample "
    "every 10,000 cycles (5 µs). Of a single run it is less; the table has both.",
    "The reference is itself by signals, of the same trigger as hpm-immediate: what signals "
    "cannot see is missing from both. Drops say how much that is.",
    "Stability as in section 5.2.4: the mean overlap of all pairs of runs.",
]


def _samples_table(runs: Runs, jdk: str, names: Sequence[str]) -> Table:
    measured = {(workload, name): [_counts(each) for each in runs.of(jdk, workload, name)
                                   if each.profile]
                for workload in runs.workloads for name in names}
    rows = [[workload, *(_cell(measured[workload, name]) for name in names)]
            for workload in runs.workloads]
    rows.append(["average", *(_cell([each for workload in runs.workloads
                                     for each in measured[workload, name]]) for name in names)])
    rows.append(["the paper's average of S", *(f"{_PAPER_SAMPLES[name]:,}" for name in names)])
    return Table(f"JDK {jdk}: method samples taken in a run (S) / in a second of CPU time / "
                 "methods sampled / dropped, means of the runs", ["program", *names], rows)


def _counts(recording: Recording) -> tuple[float, float, float, float]:
    taken = samples(recording.profile, recording.configuration)
    total = sum(taken.values())
    return (total, total / recording.cpu_seconds if recording.cpu_seconds > 0 else 0.0,
            len(taken), sum(ProfileFile(recording.profile).drops().values()))


def _cell(counts: Sequence[tuple[float, float, float, float]]) -> str:
    if not counts:
        return "-"
    return " / ".join(f"{statistics.fmean(values):,.0f}" for values in zip(*counts))


def _unlike(runs: Runs, jdk: str) -> list[str]:
    """Whether polling was told to observe other methods than the reference has."""
    notes = []
    for name in MECHANISMS[:2]:
        config = _first_config(runs, jdk, name)
        if config is None:
            continue
        if config.get("scope") != "all":
            notes.append(f"JDK {jdk}: {name} observes the program's own methods only, signals "
                         "find those of the JDK as well: record it with `--scope all`.")
        if not has_trivial(config):
            notes.append(f"JDK {jdk}: {name} leaves out trivial methods: record it with "
                         "`--trivial include`.")
    return notes


def _first_config(runs: Runs, jdk: str, name: str) -> Mapping[str, str] | None:
    for workload in runs.workloads:
        for profile in runs.profiles(jdk, workload, name):
            return ProfileFile(profile).config()
    return None
