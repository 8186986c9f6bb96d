"""./yp eval method_times: is the time that the stacks tell of a method the time that it took?

Kernels that time some of their methods themselves, in CPU time, run with --jit: what the stacks of
the same run tell stands beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping

from eval.amortize import Recorder
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.measure import Failed
from eval.report import Table
from eval.workloads.manifest import Workload

_GOAL = 10.0  # percent
_LEAST_SHARE = 0.01  # of the run
_Z = 1.96


@dataclass(frozen=True)
class Timed:
    """A method of one run: its time by the program's own clock and by the stacks."""

    method: str
    share: float  # of all stacks
    measured_ms: float
    estimated_ms: float
    samples: int

    @property
    def error(self) -> float:
        """In percent of what was measured."""
        return 100 * (self.estimated_ms / self.measured_ms - 1)

    @property
    def chance(self) -> float:
        """How far the estimate may be off by the number of its stacks alone (95 %), in percent."""
        return 100 * _Z / math.sqrt(self.samples)


@dataclass(frozen=True)
class Result:
    """Of one program."""

    methods: list[Timed]


def compare(measured: Mapping[str, tuple[int, int]], samples: Mapping[str, int], total: int,
            unit_ms: float) -> list[Timed]:
    """Those with a hundredth of the run. `samples`: stacks with the method on them, of `total`;
    each stands for `unit_ms`."""
    found = []
    for method, (time_ns, _) in measured.items():
        own = samples.get(method, 0)
        if time_ns > 0 and own >= max(1, _LEAST_SHARE * total):
            found.append(Timed(method, own / total, time_ns / 1e6, own * unit_ms, own))
    return found


def unit_ms(profile: Path, samples: int) -> float:
    """Equation 4 of Zimmer and Diehl: the time between two stacks, that of taking one off."""
    with contextlib.closing(sqlite3.connect(f"file:{profile}?mode=ro", uri=True)) as database:
        config = dict(database.execute("SELECT key, value FROM config"))
    if "stacks.period" not in config or samples <= 0:
        raise Failed(f"{profile.name} has no stacks")
    return (float(config["stacks.period"]) - float(config.get("cost.stacks_ns", 0)) / samples) / 1e6


def measure_workload(recorder: Recorder, runs: int, run: Run) -> Result:
    title = f"{recorder.workload.name} on JDK {recorder.jdk.major}"
    found = []
    for i in range(runs):
        profile, output = recorder.record_output(f"timed-{i}")
        if not output.method_times:
            raise Failed(f"{recorder.workload.name} does not time its methods")
        rows = recorder.built.read("top", profile, "--by", "total")
        samples = {row["method"]: int(row["total_samples"]) for row in rows}
        total = sum(int(row["self_samples"]) for row in rows)
        found += compare(output.method_times, samples, total, unit_ms(profile, total))
        run.progress.done(title)
    return Result(found)


def table(jdk: Jdk, results: Mapping[str, Result]) -> Table:
    rows = [[name, one.method.split("(", maxsplit=1)[0], f"{100 * one.share:.1f}",
             f"{one.measured_ms:,.0f}", f"{one.estimated_ms:,.0f}", f"{one.error:+.1f}",
             f"{one.chance:.1f}"]
            for name, of in results.items() for one in of.methods]
    return Table(f"JDK {jdk.version}: CPU time of methods with a hundredth of the run or more, "
                 "callees included",
                 ["program", "method", "% of the run", "measured ms", "estimated ms", "% off",
                  "% by chance"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    def measure_one(workload: Workload, folder: Path) -> Result:
        recorder = Recorder(arguments.build, workload, jdk, folder, arguments.iterations)
        return measure_workload(recorder, arguments.runs, run)
    results = run.by_workload(jdk, arguments.workloads, arguments.runs, measure_one)
    if not results:
        return
    run.report.tables.append(table(jdk, results))
    all_methods = [one for of in results.values() for one in of.methods]
    within = sum(abs(one.error) <= _GOAL for one in all_methods)
    by_chance = sum(_GOAL < abs(one.error) <= _GOAL + one.chance for one in all_methods)
    run.goal(f"each is within {_GOAL:.0f} % of what was measured, chance aside, on JDK {jdk.major}",
             bool(all_methods) and within + by_chance == len(all_methods),
             f"{within} of {len(all_methods)} within, {by_chance} more by what their stacks leave "
             "to chance")


def main() -> int:
    experiment = Experiment("method_times",
                            "Is the time that the stacks tell of a method the time that it took?")
    experiment.add_workloads(iterations=20)
    experiment.parser.add_argument("--runs", type=positive, default=3, metavar="N",
                                   help="of each program (default: %(default)s)")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * arguments.runs)


if __name__ == "__main__":
    sys.exit(main())
