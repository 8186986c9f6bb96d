"""./yp eval overhead: what does profiling cost real programs?"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import asdict, dataclass, field
from typing import Any, Callable, Iterable, Mapping, Sequence

from eval import interleave, stats
from eval.built import CBS, COST_SOURCES, UNARMED, Built, own_cost
from eval.experiment import Experiment, Run, apart, split_configuration
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload, parts

_UNARMED = "unarmed"
_NO_AGENT = "none"
_UNARMED_GOAL = 1.05


@dataclass
class Recorded:
    """What the runs of one program in one configuration recorded."""

    samples: list[int] = field(default_factory=list)
    # In percent of the process's CPU time, by source.
    own_measure: dict[str, list[float]] = field(default_factory=dict)

    def add(self, info: Mapping[str, Any]) -> None:
        self.samples.append(info["samples"])
        for key, share in own_cost(info).items():
            self.own_measure.setdefault(key, []).append(share)


def profiled(built: Built, options: str, run: Callable[..., runner.Run],
             recorded: Recorded) -> Cost:
    """What `run` with the options of a configuration costs. Adds what it recorded."""
    of_agent, of_jvm = split_configuration(options)
    if of_agent == [_NO_AGENT]:
        return run(*of_jvm).cost
    with built.recording(" ".join(of_agent)) as recording:
        result = run(recording.jvm_option, *of_jvm)
        recorded.add(recording.info(result.stderr))
        return result.cost


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace,
                     run: Run) -> tuple[Comparison, dict[str, Recorded]]:
    """The costs, and what was recorded by configuration."""
    def java(*jvm_options: str) -> runner.Run:
        return runner.run(workload, jdk, arguments.iterations, jvm_options=jvm_options)

    recorded = {name: Recorded() for name in arguments.configurations}
    configurations: dict[str, interleave.Configuration[Cost]] = {
        interleave.BASE: lambda round_: java().cost}
    for name, options in arguments.configurations.items():
        configurations[name] = lambda round_, name=name, options=options: profiled(
            arguments.build, options, java, recorded[name])
    comparison = interleave.compare(configurations, interleave.BASE, arguments.rounds,
                                    f"{workload.name} on JDK {jdk.major}", run.progress)
    return comparison, recorded


def table(jdk: Jdk, comparisons: Mapping[str, Comparison], names: Sequence[str]) -> Table:
    """A row for each workload and the geometric means."""
    rows = []
    for workload, comparison in comparisons.items():
        base = statistics.median(cost.cpu_seconds for cost in comparison.costs[interleave.BASE])
        rows.append([workload, f"{base:.2f}", *(str(comparison.cpu(name)) for name in names)])
    rows += [[f"geometric mean{part}", "", *(str(mean(programs, name)) for name in names)]
             for part, programs in parts(comparisons).items()]
    return Table(f"JDK {jdk.version}: process CPU time, ratio to the unprofiled program",
                 ["program", "base, s", *names], rows)


def source_table(jdk: Jdk, name: str, recorded: Mapping[str, Recorded]) -> Table | None:
    """A row for each workload. None when the agent did not measure itself."""
    rows = []
    for workload, runs in recorded.items():
        if runs.own_measure:
            shares = [statistics.median(runs.own_measure[key]) for key in COST_SOURCES]
            rows.append([workload, f"{statistics.median(runs.samples):,.0f}",
                         *(f"{share:.2f}" for share in shares), f"{sum(shares):.2f}"])
    if not rows:
        return None
    return Table(f"JDK {jdk.version}, {name}: the agent's own measure, percent of process CPU time",
                 ["program", "samples", *COST_SOURCES.values(), "all"], rows)


def source_tables(jdk: Jdk, names: Iterable[str],
                  recorded: Mapping[str, Mapping[str, Recorded]]) -> list[Table]:
    """One for each configuration in which the agent measured itself. `recorded` is by workload,
    and then by configuration."""
    tables = (source_table(jdk, name, {workload: runs[name] for workload, runs in recorded.items()})
              for name in names)
    return [table for table in tables if table]


def to_json(recorded: Mapping[str, Recorded]) -> dict[str, object]:
    return {name: asdict(runs) for name, runs in recorded.items()}


def mean(comparisons: Mapping[str, Comparison], name: str) -> stats.Interval:
    return stats.geometric_mean_ratio(
        {workload: comparison.cpu_ratios(name) for workload, comparison in comparisons.items()})


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, steps_of_workload(arguments),
        lambda workload, _: measure_workload(workload, jdk, arguments, run),
        lambda result: {**result[0].to_json(), "recorded": to_json(result[1])})
    if not results:
        return
    comparisons, recorded = apart(results)
    names = [interleave.CONTROL, *arguments.configurations]
    run.report.tables.append(table(jdk, comparisons, names))
    run.report.tables.extend(source_tables(jdk, arguments.configurations, recorded))
    if _UNARMED in arguments.configurations:
        reached = mean(comparisons, _UNARMED)
        run.goal(f"un-armed at most {_UNARMED_GOAL} on JDK {jdk.major}",
                 reached.value <= _UNARMED_GOAL, f"{reached} over {len(comparisons)} programs")


def steps_of_workload(arguments: argparse.Namespace) -> int:
    return interleave.steps([interleave.BASE, *arguments.configurations], arguments.rounds)


def main() -> int:
    experiment = Experiment(
        "overhead", "How much more CPU time does a program take when it is profiled?", rounds=9)
    experiment.add_workloads(iterations=5)
    experiment.add_configurations({_UNARMED: UNARMED, "cbs": CBS},
                                  "no getters:mode=cbs,trivial=exclude",
                                  f"the agent's options ({_NO_AGENT}: without it), then perhaps -- "
                                  "and options of the JVM")
    return experiment.run(
        measure_jdk, lambda arguments: len(arguments.workloads) * steps_of_workload(arguments))


if __name__ == "__main__":
    sys.exit(main())
