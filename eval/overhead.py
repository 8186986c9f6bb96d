"""./yp eval overhead: what does profiling cost real programs?"""

from __future__ import annotations

import argparse
import statistics
import sys
from typing import Callable, Mapping, Sequence

from eval import interleave, stats
from eval.built import CBS, UNARMED, Built
from eval.experiment import Experiment, Run
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

_BASE = "base"
_UNARMED = "unarmed"
_UNARMED_GOAL = 1.05


def profiled(built: Built, options: str, run: Callable[[str], runner.Run],
             samples: list[int]) -> Cost:
    """What `run` with this JVM option costs. Adds the number of samples that it gave."""
    with built.recording(options) as recording:
        result = run(recording.jvm_option)
        samples.append(recording.info(result.stderr)["samples"])
        return result.cost


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace,
                     run: Run) -> tuple[Comparison, dict[str, float]]:
    """The costs, and the median number of samples per run by configuration."""
    def java(*jvm_options: str) -> runner.Run:
        return runner.run(workload, jdk, arguments.iterations, jvm_options=jvm_options)

    samples: dict[str, list[int]] = {name: [] for name in arguments.configurations}
    configurations: dict[str, interleave.Configuration[Cost]] = {
        _BASE: lambda round_: java().cost}
    for name, options in arguments.configurations.items():
        configurations[name] = lambda round_, name=name, options=options: profiled(
            arguments.build, options, java, samples[name])
    comparison = interleave.compare(configurations, _BASE, arguments.rounds,
                                    f"{workload.name} on JDK {jdk.major}", run.progress)
    return comparison, {name: statistics.median(counts) for name, counts in samples.items()}


def table(jdk: Jdk, comparisons: Mapping[str, Comparison], names: Sequence[str]) -> Table:
    """A row for each workload and one for their geometric mean."""
    rows = []
    for workload, comparison in comparisons.items():
        base = statistics.median(cost.cpu_seconds for cost in comparison.costs[_BASE])
        rows.append([workload, f"{base:.2f}", *(str(comparison.cpu(name)) for name in names)])
    rows.append(["geometric mean", "", *(str(mean(comparisons, name)) for name in names)])
    return Table(f"JDK {jdk.version}: process CPU time, ratio to the unprofiled program",
                 ["program", "base, s", *names], rows)


def mean(comparisons: Mapping[str, Comparison], name: str) -> stats.Interval:
    return stats.geometric_mean_ratio(
        {workload: comparison.cpu_ratios(name) for workload, comparison in comparisons.items()})


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    comparisons: dict[str, Comparison] = {}
    data: dict[str, object] = {}
    run.report.data[jdk.version] = data
    for workload in arguments.workloads:
        with run.group(f"{workload.name} on JDK {jdk.version}",
                       interleave.steps([_BASE, *arguments.configurations], arguments.rounds)):
            comparison, samples = measure_workload(workload, jdk, arguments, run)
            comparisons[workload.name] = comparison
            data[workload.name] = {**comparison.to_json(), "samples": samples}
    if not comparisons:
        return
    names = [interleave.CONTROL, *arguments.configurations]
    run.report.tables.append(table(jdk, comparisons, names))
    if _UNARMED in arguments.configurations:
        reached = mean(comparisons, _UNARMED)
        run.goal(f"un-armed at most {_UNARMED_GOAL} on JDK {jdk.major}",
                 reached.value <= _UNARMED_GOAL, f"{reached} over {len(comparisons)} programs")


def main() -> int:
    experiment = Experiment(
        "overhead", "How much more CPU time does a program take when it is profiled?", rounds=9)
    experiment.add_workloads(iterations=5)
    experiment.add_configurations({_UNARMED: UNARMED, "cbs": CBS},
                                  "no getters:mode=cbs,trivial=exclude", "the agent's options")
    return experiment.run(
        measure_jdk, lambda arguments: len(arguments.workloads) * interleave.steps(
            [_BASE, *arguments.configurations], arguments.rounds))


if __name__ == "__main__":
    sys.exit(main())
