"""./yp eval adaptive: by which samples of methods does the project's own compiler optimize best?"""

from __future__ import annotations

import argparse
import shlex
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Mapping

from eval import interleave, overhead
from eval.built import Built, whole
from eval.experiment import Experiment, Run
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload
from eval.yieldpoints import cost_table, warm_cost

# Buytaert et al. (OOPSLA 2007) compare with Jikes RVM's default: a thread that sleeps for 20 ms, and
# yieldpoints that take the sample.
_DEFAULT = "nanosleep-polling-20ms"
_HPM = "hpm-immediate"
_SAMPLERS = {
    _DEFAULT: "--tick 20ms", "nanosleep-polling": "--tick 4ms",
    "setitimer-polling": "--trigger setitimer --tick 4ms",
    "setitimer-immediate": "--mechanism immediate --trigger setitimer --tick 4ms",
    _HPM: "--mechanism immediate --trigger hpm --tick 4ms",
    "hpm-immediate-20ms": "--mechanism immediate --trigger hpm --tick 20ms"}
# Calls are not what is compared: one is sampled in a tick, and inlining does not depend on it.
_SYSTEM = "--adaptive --profiler timer --optimize --inline static"


@dataclass(frozen=True)
class Activity:
    """What one run's controller did: the paper's S, P and C, and signals outside of methods."""

    samples: int
    proposals: int
    recompilations: int
    outside: int | None  # None: polling.

    @staticmethod
    def read(info: Mapping[str, Any]) -> Activity:
        config = whole(dict(info))["config"]
        outside = config.get("adaptive.outside")
        return Activity(*(int(config[f"adaptive.{name}"])
                          for name in ("samples", "proposals", "recompilations")),
                        None if outside is None else int(outside))


@dataclass(frozen=True)
class OneRun:
    """All iterations, the first included: one run, as the paper has it; and the last half."""

    all: Cost
    warm: Cost
    activity: Activity


def run_adaptive(built: Built, workload: Workload, jdk: Jdk, iterations: int,
                 options: str) -> OneRun:
    with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
        profile = Path(folder) / "run.yp"
        prefix = [str(built.yp), "aos", *shlex.split(_SYSTEM), *shlex.split(options), "-q", "-o",
                  str(profile), "--"]
        output = runner.run(workload, jdk, iterations, prefix=prefix).output
        activity = Activity.read(built.read("info", profile))
    return OneRun(Cost(sum(output.iterations_cpu_ms) / 1000, sum(output.iterations_ms) / 1000),
                  warm_cost(output), activity)


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace, run: Run
                     ) -> dict[str, list[OneRun]]:
    """The runs of each configuration and of the A/A control, by rounds."""
    configurations: dict[str, interleave.Configuration[OneRun]] = {
        name: lambda round_, options=options: run_adaptive(
            arguments.build, workload, jdk, arguments.iterations, options)
        for name, options in arguments.configurations.items()}
    return interleave.samples(configurations, baseline_of(arguments), arguments.rounds,
                              run.progress, f"{workload.name} on JDK {jdk.major}",
                              lambda one: str(one.all))


def baseline_of(arguments: argparse.Namespace) -> str:
    return next(iter(arguments.configurations))


def activity_table(jdk: Jdk, runs: Mapping[str, Mapping[str, list[OneRun]]]) -> Table:
    rows = []
    for workload, by_name in runs.items():
        for name, ones in by_name.items():
            if name == interleave.CONTROL:
                continue
            activities = [one.activity for one in ones]
            outside = [each.outside for each in activities if each.outside is not None]
            rows.append([workload, name, *(
                f"{statistics.median(column):,.0f}" for column in (
                    [each.samples for each in activities],
                    [each.proposals for each in activities],
                    [each.recompilations for each in activities])),
                f"{statistics.median(outside):,.0f}" if outside else ""])
    return Table(f"JDK {jdk.version}: what the controller did in a run, medians",
                 ["program", "configuration", "samples (S)", "proposals (P)", "recompilations (C)",
                  "signals outside of methods"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    runs = run.by_workload(
        jdk, arguments.workloads, steps_of_workload(arguments),
        lambda workload, _: measure_workload(workload, jdk, arguments, run),
        lambda by_name: {name: [asdict(one) for one in ones] for name, ones in by_name.items()})
    if not runs:
        return
    base = baseline_of(arguments)
    names = [interleave.CONTROL, *(name for name in arguments.configurations if name != base)]
    for title, part in (("all iterations of one run", "all"), ("warm iterations", "warm")):
        comparisons = {
            workload: Comparison(base, {name: [getattr(one, part) for one in ones]
                                        for name, ones in by_name.items()})
            for workload, by_name in runs.items()}
        run.report.tables.append(cost_table(jdk, comparisons, names, base, base, title))
        if part == "all" and _HPM in names:
            add_goal(jdk, comparisons, run)
    run.report.tables.append(activity_table(jdk, runs))


def add_goal(jdk: Jdk, comparisons: Mapping[str, Comparison], run: Run) -> None:
    """As in the paper: one run is faster with immediate samples."""
    reached = overhead.mean(comparisons, _HPM)
    run.goal(f"a run takes less with {_HPM} than with {next(iter(comparisons.values())).baseline} "
             f"on JDK {jdk.major}", reached.high < 1, f"{reached} over {len(comparisons)} programs")


def steps_of_workload(arguments: argparse.Namespace) -> int:
    return interleave.steps(arguments.configurations, arguments.rounds)


def main() -> int:
    experiment = Experiment(
        "adaptive", "By which samples of methods is a program optimized best while it runs?",
        rounds=7)
    experiment.add_workloads(iterations=5)
    experiment.add_configurations(_SAMPLERS, "slow:--tick 100ms",
                                  f"options of yp aos {_SYSTEM}; the first is the baseline")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * steps_of_workload(arguments))


if __name__ == "__main__":
    sys.exit(main())
