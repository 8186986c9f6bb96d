"""./yp eval yieldpoints: what do the yieldpoints of the project's own compiler cost real programs?"""

from __future__ import annotations

import argparse
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Mapping

from eval import interleave, made, measure, overhead, stats
from eval.built import Built, whole
from eval.experiment import Experiment, Run, apart
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost
from eval.progress import Progress
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload, parts

_UNARMED = "unarmed"
_UNARMED_GOAL = 1.03
_SAMPLE_GOAL_NS = 60.0
_ENOUGH_SAMPLES = 100
# A program of known calls, which needs to be told when it is compiled.
_PROGRAMS = made.ROOT / "compiler" / "integration" / "java"
_CALLS = (_PROGRAMS / "Calls.java", _PROGRAMS / "Compiled.java")
_EAGER = ("-XX:Tier4InvocationThreshold=20", "-XX:Tier4MinInvocationThreshold=5",
          "-XX:Tier4CompileThreshold=30", "-XX:Tier4BackEdgeThreshold=200")
_ROUNDS_OF_CALLS = 8_000_000  # Of some 30 calls.
_MANY, _FEW = 31, 1_000_000  # Calls for a sample.
# The longest time between ticks that there is: none falls into a short run.
_CONFIGURATIONS = {_UNARMED: "--profiler timer --tick 10s", "timer": "--profiler timer",
                   "cbs": "--profiler cbs", "countdown": "--profiler countdown"}
_EXHAUSTIVE = "--profiler exhaustive"


@dataclass
class Sampled:
    """Of each run that took some samples."""

    samples: list[int] = field(default_factory=list)
    overlap: list[float] = field(default_factory=list)  # percent, with all calls
    ns_per_sample: list[float] = field(default_factory=list)
    counted_call_ps: list[int] = field(default_factory=list)

    def add(self, info: Mapping[str, Any], overlap: float) -> None:
        if info["samples"] < _ENOUGH_SAMPLES:
            return
        self.samples.append(info["samples"])
        self.overlap.append(overlap)
        self.ns_per_sample.append(int(info["config"]["cost.slow_path_ns"]) / info["samples"])
        self.counted_call_ps.append(int(info["config"]["armed_call_ps"]))


def warm_cost(output: runner.Output) -> Cost:
    """Of the last half of the iterations, in which little is compiled: CPU time of the process."""
    warm = len(output.iterations_ms) // 2
    return Cost(sum(output.iterations_cpu_ms[warm:]) / 1000,
                sum(output.iterations_ms[warm:]) / 1000)


def with_compiler(built: Built, workload: Workload, jdk: Jdk, iterations: int, options: str,
                  profile: Path | None) -> Cost:
    """What the program costs with the compiler and those options of `yp aos`, which write the
    profile if there is one."""
    recording = ["-q", "-o", str(profile)] if profile else []
    prefix = [str(built.yp), "aos", *shlex.split(options), *recording, "--"]
    return warm_cost(runner.run(workload, jdk, iterations, prefix=prefix).output)


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace, run: Run,
                     folder: Path) -> tuple[Comparison, dict[str, Sampled]]:
    """With profiles in the folder; the one of all calls is made once."""
    def run_with(options: str, profile: Path | None = None) -> Cost:
        return with_compiler(arguments.build, workload, jdk, arguments.iterations, options, profile)

    def sample(options: str, sampled: Sampled) -> Cost:
        profile = folder / "sampled.yp"
        cost = run_with(options, profile)
        overlap = arguments.build.read("overlap", exhaustive, profile)["overlap"]
        sampled.add(whole(arguments.build.read("info", profile)), overlap)
        return cost

    exhaustive = folder / "exhaustive.yp"
    cost = run_with(_EXHAUSTIVE, exhaustive)
    whole(arguments.build.read("info", exhaustive))
    run.progress.done(f"{workload.name} on JDK {jdk.major}, all calls: {cost}")
    sampled = {name: Sampled() for name in arguments.configurations}
    configurations: dict[str, interleave.Configuration[Cost]] = {
        interleave.BASE: lambda round_: run_with("")}
    for name, options in arguments.configurations.items():
        configurations[name] = lambda round_, name=name, options=options: sample(
            options, sampled[name])
    return interleave.compare(configurations, interleave.BASE, arguments.rounds,
                              f"{workload.name} on JDK {jdk.major}", run.progress), sampled


def compile_calls(jdk: Jdk, folder: Path) -> None:
    subprocess.run([jdk.javac, "-nowarn", "-Xlint:none", "--release", "11", "-d", folder, *_CALLS],
                   check=True, capture_output=True)


def calls_cost(built: Built, jdk: Jdk, classes: Path, interval: int) -> tuple[float, int]:
    """CPU time in seconds of a program that does nothing but call, without the drain's, and how
    many of its calls were sampled, those included for which there was no room."""
    profile = classes / "calls.yp"
    measure.succeed([str(built.yp), "aos", "--verbose", "--profiler", "countdown", "--interval",
                     str(interval), "-q", "-o", str(profile), "--", str(jdk.java), *_EAGER,
                     "-XX:+UseSerialGC", "-Xmx200m", "-cp", str(classes), "Calls", "1",
                     str(_ROUNDS_OF_CALLS)])
    info = whole(built.read("info", profile))
    cpu_ns = int(info["config"]["cost.program_cpu_ns"]) - int(
        info["config"]["cost.drain_cpu_ns"])
    return cpu_ns / 1e9, info["samples"] + sum(info["drops"].values())


def sample_cost(built: Built, jdk: Jdk, rounds: int, progress: Progress) -> stats.Interval:
    """ns of CPU time for a sample: a program with many of them beside itself with few."""
    costs = []
    with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
        compile_calls(jdk, Path(folder))
        for index in range(rounds):
            runs = {interval: calls_cost(built, jdk, Path(folder), interval)
                    for interval in stats.round_order([_MANY, _FEW], index)}
            (many_seconds, many), (few_seconds, few) = runs[_MANY], runs[_FEW]
            costs.append((many_seconds - few_seconds) * 1e9 / (many - few))
            progress.done(f"samples on JDK {jdk.major}: round {index + 1} of {rounds}, "
                          f"{costs[-1]:.0f} ns")
    return stats.median(costs)


def cost_table(jdk: Jdk, comparisons: Mapping[str, Comparison], names: list[str],
               ratio_to: str = "BASE without yieldpoints", baseline: str = "base",
               of: str = "warm iterations") -> Table:
    rows = []
    for workload, comparison in comparisons.items():
        seconds = statistics.median(
            cost.cpu_seconds for cost in comparison.costs[comparison.baseline])
        rows.append([workload, f"{seconds:.2f}", *(str(comparison.cpu(name)) for name in names)])
    rows += [[f"geometric mean{part}", "",
              *(str(overhead.mean(programs, name)) for name in names)]
             for part, programs in parts(comparisons).items()]
    return Table(f"JDK {jdk.version}: CPU time of {of}, ratio to {ratio_to}",
                 ["program", f"{baseline}, s", *names], rows)


def sample_table(jdk: Jdk, name: str, sampled: Mapping[str, Sampled]) -> Table | None:
    """Nothing when no run took samples."""
    rows = [[workload, f"{statistics.median(runs.samples):,.0f}",
             f"{statistics.median(runs.overlap):.1f}",
             f"{statistics.median(runs.ns_per_sample):.0f}",
             f"{statistics.median(runs.counted_call_ps) / 1000:.2f}"]
            for workload, runs in sampled.items() if runs.samples]
    if not rows:
        return None
    return Table(f"JDK {jdk.version}, {name}: by the recording's own measure",
                 ["program", "samples", "% overlap with all calls", "ns for a sample",
                  "ns for a call that is counted down"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, steps_of_workload(arguments),
        lambda workload, folder: measure_workload(workload, jdk, arguments, run, folder),
        lambda result: {**result[0].to_json(), "sampled": {
            name: asdict(runs) for name, runs in result[1].items()}})
    with run.group(f"samples on JDK {jdk.major}", arguments.rounds):
        cost = sample_cost(arguments.build, jdk, arguments.rounds, run.progress)
        run.goal(f"a sample at most {_SAMPLE_GOAL_NS:.0f} ns on JDK {jdk.major}",
                 cost.value <= _SAMPLE_GOAL_NS,
                 f"{cost.text('.0f')} ns of CPU time, in a program that does nothing but call")
    if not results:
        return
    comparisons, sampled = apart(results)
    run.report.tables.append(
        cost_table(jdk, comparisons, [interleave.CONTROL, *arguments.configurations]))
    for name in arguments.configurations:
        by_workload = {workload: runs[name] for workload, runs in sampled.items()}
        if table := sample_table(jdk, name, by_workload):
            run.report.tables.append(table)
    if _UNARMED in arguments.configurations:
        reached = overhead.mean(comparisons, _UNARMED)
        run.goal(f"un-armed at most {_UNARMED_GOAL} on JDK {jdk.major}",
                 reached.value <= _UNARMED_GOAL, f"{reached} over {len(comparisons)} programs")


def steps_of_workload(arguments: argparse.Namespace) -> int:
    return 1 + interleave.steps([interleave.BASE, *arguments.configurations], arguments.rounds)


def main() -> int:
    experiment = Experiment(
        "yieldpoints", "What do yieldpoints cost code of the project's own compiler?", rounds=9)
    experiment.add_workloads(iterations=6)
    experiment.add_configurations(_CONFIGURATIONS, "dense:--profiler cbs --stride 3",
                                  "options of yp aos, with --profiler")
    return experiment.run(
        measure_jdk, lambda arguments: len(arguments.workloads) * steps_of_workload(arguments) +
        arguments.rounds)


if __name__ == "__main__":
    sys.exit(main())
