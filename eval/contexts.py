"""./yp eval contexts: how much of a program's exact calling-context tree does a sampled one have?"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import dataclass
from typing import Mapping, Sequence

from eval import accuracy, stats
from eval.built import own_cost
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.profile_file import ProfileFile
from eval.report import Table

_EXACT = "--mode exact --context tree"
_SAMPLED = "sampled"
CONFIGURATIONS = {_SAMPLED: "--context tree --budget 1"}
_HOT = (10.0, 1.0)  # percent of the heaviest context's weight
# The geometric mean of the overlap, and the cost of every program, in percent.
_OVERLAP_GOAL = 88.0
_COST_GOAL = 1.0


@dataclass(frozen=True)
class Judged:
    """A profile's contexts against the exact ones; in percent."""

    overlap: float
    coverage: Mapping[float, float]  # of hot contexts
    samples: int
    by_chance: float  # overlap of as many stacks, if they were of any of the calls and all there is
    cost: float | None  # of the program's CPU time, by the agent's own measure


@dataclass(frozen=True)
class Result:
    contexts: int
    runs: Mapping[str, Sequence[Judged]]  # by configuration

    def overlap(self, name: str) -> float:
        return statistics.fmean(run.overlap for run in self.runs[name])

    def coverage(self, name: str, hot: float) -> float:
        return statistics.fmean(run.coverage[hot] for run in self.runs[name])

    def by_chance(self, name: str) -> float:
        return statistics.fmean(run.by_chance for run in self.runs[name])

    def cost(self, name: str) -> float | None:
        costs = [run.cost for run in self.runs[name]]
        return None if None in costs else statistics.fmean(costs)


def judge(comparison: Mapping, info: Mapping, exact: Sequence[float]) -> Judged:
    """From what `yp overlap --contexts` and `yp info` print, and the exact contexts' calls."""
    coverage = {row["of_heaviest_percent"]: row["coverage"] for row in comparison["hot_coverage"]}
    cost = own_cost(info)
    return Judged(comparison["overlap"], {hot: coverage[hot] for hot in _HOT}, info["samples"],
                  stats.overlap_by_chance(
                      exact, info["samples"] // int(info["config"].get("stack_every", 1))),
                  sum(cost.values()) if cost else None)


def table(jdk: Jdk, results: Mapping[str, Result], name: str) -> Table:
    rows = []
    for workload, result in results.items():
        cost = result.cost(name)
        rows.append([workload, f"{result.contexts:,}",
                     f"{statistics.fmean(run.samples for run in result.runs[name]):,.0f}",
                     stats.mean_and_range([run.overlap for run in result.runs[name]]),
                     f"{result.by_chance(name):.1f}",
                     *(f"{result.coverage(name, hot):.1f}" for hot in _HOT),
                     "" if cost is None else f"{cost:.2f}"])
    rows.append(["geometric mean", "", "", f"{accuracy.mean_overlap(results, name):.1f}",
                 f"{stats.geometric_mean([each.by_chance(name) for each in results.values()]):.1f}",
                 *("" for _ in _HOT), ""])
    return Table(f"JDK {jdk.version}, {name}: overlap with the exact calling-context tree, hot "
                 "contexts found, and the agent's own measure of its CPU time, in percent, means of "
                 "the runs (lowest-highest)",
                 ["program", "contexts", "samples", "overlap", "by chance",
                  *(f"hot ({hot:.0f} %)" for hot in _HOT), "cost"], rows)


def measure_workload(recorder: accuracy.Recorder, arguments: argparse.Namespace,
                     run: Run) -> Result:
    exact = recorder.record("exact-contexts", _EXACT,
                            arguments.reference_iterations or arguments.iterations)
    contexts = recorder.info(exact)["contexts"]
    calls = ProfileFile(exact).context_weights()
    run.progress.done(f"{recorder.title}: exact, {contexts:,} contexts")
    return Result(contexts, accuracy.judge_runs(
        recorder, arguments, run,
        lambda profile: judge(recorder.built.read("overlap", exact, profile, "--contexts"),
                              recorder.info(profile), calls),
        lambda one: f"{one.overlap:.1f} %"))


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, accuracy.steps(arguments),
        lambda workload, folder: measure_workload(
            accuracy.Recorder(arguments.build, workload, jdk, accuracy.COLLECTORS[0], folder),
            arguments, run))
    if not results:
        return
    for name in arguments.configurations:
        run.report.tables.append(table(jdk, results, name))
    if _SAMPLED not in arguments.configurations:
        return
    mean = accuracy.mean_overlap(results, _SAMPLED)
    costs = {workload: result.cost(_SAMPLED) or 0 for workload, result in results.items()}
    worst = max(costs, key=lambda workload: costs[workload])
    run.goal(f"sampled contexts overlap by at least {_OVERLAP_GOAL:.0f} % in the geometric mean at "
             f"no more than {_COST_GOAL:.0f} % of any program's CPU time on JDK {jdk.major}",
             mean >= _OVERLAP_GOAL and costs[worst] <= _COST_GOAL,
             f"{mean:.1f} % over {len(results)} programs, at most {costs[worst]:.2f} % ({worst})")


def main() -> int:
    experiment = Experiment(
        "contexts", "How much of a program's exact calling-context tree does a sampled one have?")
    experiment.add_workloads(iterations=30)
    experiment.add_configurations(CONFIGURATIONS, "denser:--context tree --interval 499 --budget 2",
                                  "the options of yp run, with --context tree")
    experiment.add_runs()
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * accuracy.steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
