"""Arnold and Grove (CGO 2005), Table 1: the benchmarks.

The paper's columns, for a small and a large input: running time in seconds on a production build,
methods executed, kilobytes of bytecode executed. Ours: time of the unprofiled program, and from the
exact profile methods executed, call edges and calls. The paper has neither edges nor calls; a
profile does not say how long methods are.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from eval.papers.parts import runs as of_runs
from eval.papers.parts.arnold_grove_numbers import TABLE_1
from eval.papers.parts.runs import References, Runs
from eval.profile_file import ROOT, ProfileFile
from eval.recording import BASE, Recording
from eval.report import Table
from eval.section import Section

_PLAN = "arnold-grove"
_HEADER = ["program", "CPU, s", "iterations", "an iteration, s", "methods executed", "call edges",
           "of them met once", "calls"]


@dataclass(frozen=True)
class Size:
    """Of an exact call graph."""

    methods: int
    edges: int
    once: int  # edges called once
    calls: float


def report(recordings: Sequence[Recording], references: References) -> Section:
    runs = Runs(recordings)
    tables = [_table(runs, references, jdk) for jdk in runs.jdks]
    return Section(
        "Programs", "How large are the programs and their call graphs?",
        "Arnold and Grove, CGO 2005, Table 1", [*tables, _papers()], [],
        [*of_runs.missing(runs, [BASE], _PLAN), *of_runs.missing_references(runs, references),
         "Executed is what was called, or called something, in the exact run: of the classes that "
         "it was told to observe (`scope`), so that methods of the JDK are missing by default. "
         "The paper's numbers seem to have methods of libraries in them.",
         "The exact run may have had fewer iterations than the timed one.",
         "The paper gives each benchmark two inputs; ours have one, and their length is a matter "
         "of iterations. It does not count edges or calls; profiles do not know the size of "
         "bytecode."])


def size(exact: Path) -> Size:
    edges = [edge for edge in ProfileFile(exact).edges() if edge.calls > 0]
    methods = {name for edge in edges for name in (edge.caller, edge.callee)} - {ROOT}
    return Size(len(methods), len(edges), sum(edge.calls == 1 for edge in edges),
                sum(edge.calls for edge in edges))


def _table(runs: Runs, references: References, jdk: str) -> Table:
    return Table(f"JDK {jdk}: the programs, without a profiler", _HEADER,
                 [[workload, *_times(runs.of(jdk, workload, BASE)),
                   *_sizes(references.get((workload, jdk)))] for workload in runs.workloads])


def _times(base: Sequence[Recording]) -> list[str]:
    if not base:
        return ["-", "-", "-"]
    warm = [ms for run in base for ms in run.iterations_ms[run.warm_up:] or run.iterations_ms[-1:]]
    return [f"{statistics.median(run.cpu_seconds for run in base):.2f}",
            f"{len(base[0].iterations_ms)}",
            f"{statistics.median(warm) / 1000:.3f}" if warm else "-"]


def _sizes(exact: Path | None) -> list[str]:
    if exact is None:
        return ["-"] * 4
    of = size(exact)
    return [f"{of.methods:,}", f"{of.edges:,}", f"{of.once:,}", f"{of.calls:,.0f}"]


def _papers() -> Table:
    return Table("The paper's benchmarks, small / large input",
                 ["benchmark", "time, s", "methods executed", "size, KB"],
                 [[name, f"{small[0]:.2f} / {large[0]:.2f}", f"{small[1]:,} / {large[1]:,}",
                   f"{small[2]} / {large[2]}"] for name, (small, large) in TABLE_1.items()])
