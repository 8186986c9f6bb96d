"""./yp eval edges: does mode edges find every call edge that runs?

The reference is two exact runs. A program with several threads, or with hash codes that differ from
run to run, does not take the same edges twice: what both took is what must be found, and what
neither took must not.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import AbstractSet

from eval.built import EXACT
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

_EDGES = "mode=edges"
_STEPS = 3

Edge = tuple[str, int, str]  # caller, bytecode index, callee


@dataclass(frozen=True)
class Result:
    exact: int
    differ: int  # between the two exact runs
    found: int
    missed: list[Edge]
    extra: list[Edge]


def compare(first: AbstractSet[Edge], second: AbstractSet[Edge],
            found: AbstractSet[Edge]) -> Result:
    """Of two exact runs, and what was found."""
    return Result(len(first), len(first ^ second), len(found), sorted((first & second) - found),
                  sorted(found - (first | second)))


def record(arguments: argparse.Namespace, workload: Workload, jdk: Jdk,
           options: str) -> frozenset[Edge]:
    with arguments.build.recording(f"{options},scope={arguments.scope}") as recording:
        result = runner.run(workload, jdk, arguments.iterations,
                            jvm_options=[recording.jvm_option])
        recording.info(result.stderr)
        return frozenset((edge["caller"], edge["bci"], edge["callee"])
                         for edge in arguments.build.read("edges", recording.spool))


def measure_workload(arguments: argparse.Namespace, workload: Workload, jdk: Jdk,
                     run: Run) -> Result:
    runs = []
    for options in (EXACT, _EDGES, EXACT):
        runs.append(record(arguments, workload, jdk, options))
        run.progress.done(f"{workload.name} on JDK {jdk.major}: {options}, {len(runs[-1]):,} edges")
    first, found, second = runs
    return compare(first, second, found)


def table(jdk: Jdk, results: dict[str, Result]) -> Table:
    rows = [[name, f"{result.exact:,}", f"{result.differ:,}", f"{result.found:,}",
             f"{len(result.missed):,}", f"{len(result.extra):,}"]
            for name, result in results.items()]
    return Table(f"JDK {jdk.version}: edges that mode edges found",
                 ["program", "exact mode's", "that an exact run has and another has not", "found",
                  "missed of what both have", "found that neither has"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, _STEPS,
        lambda workload, _: measure_workload(arguments, workload, jdk, run))
    if not results:
        return
    run.report.tables.append(table(jdk, results))
    missed = [(name, edge) for name, result in results.items() for edge in result.missed]
    run.goal(f"no edge is missed on JDK {jdk.major}", not missed,
             "; ".join(f"{name}: {caller} at {bci} to {callee}"
                       for name, (caller, bci, callee) in missed[:10]) or
             f"{sum(result.found for result in results.values()):,} edges of {len(results)} "
             "programs")


def main() -> int:
    experiment = Experiment("edges", "Does mode edges find every call edge that runs?")
    experiment.add_workloads(iterations=2)
    experiment.parser.add_argument("--scope", choices=("app", "all"), default="app",
                                   help="whose methods are observed (default: %(default)s)")
    return experiment.run(measure_jdk, lambda arguments: len(arguments.workloads) * _STEPS)


if __name__ == "__main__":
    sys.exit(main())
