"""./yp eval correction: what does it bring to correct the bias of windows at equal times?

Each recording is weighted in every way that `yp overlap --correct` knows: what differs between the
columns is the correction alone. Beside them stands what as many samples would overlap by chance if
every call had been as likely to be one of them: no correction can bring more.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Sequence

from eval import accuracy, stats
from eval.entries import graph_of
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.report import Table

CORRECTIONS = ("none", "density", "density+latency", "shrunk")
CONFIGURATIONS = {"windows": "--policy cbs --trivial include",
                  "short windows": "--probe bytecode --trivial include --stride 7 --samples 32",
                  "one call": "--mode timer --trivial include"}
_DEFAULT = "shrunk"
_MOST_LOST = 1.0  # points, by the default on any program


@dataclass(frozen=True)
class Judged:
    """A recording against the exact one, by correction; in percent."""

    overlap: Mapping[str, float]
    by_chance: float
    samples: int


@dataclass(frozen=True)
class Result:
    runs: Mapping[str, Sequence[Judged]]  # by configuration

    def overlap(self, name: str, correction: str) -> float:
        return statistics.fmean(run.overlap[correction] for run in self.runs[name])

    def by_chance(self, name: str) -> float:
        return statistics.fmean(run.by_chance for run in self.runs[name])

    def gain(self, name: str, correction: str) -> float:
        """In points, over none."""
        return self.overlap(name, correction) - self.overlap(name, CORRECTIONS[0])


def table(jdk: Jdk, results: Mapping[str, Result], name: str) -> Table:
    rows = [[workload, f"{statistics.fmean(run.samples for run in result.runs[name]):,.0f}",
             *(f"{result.overlap(name, correction):.1f}" for correction in CORRECTIONS),
             *(f"{result.gain(name, correction):+.1f}" for correction in CORRECTIONS[1:]),
             f"{result.by_chance(name):.1f}"]
            for workload, result in results.items()]
    means = {correction: stats.geometric_mean([result.overlap(name, correction)
                                               for result in results.values()])
             for correction in CORRECTIONS}
    chance = stats.geometric_mean([result.by_chance(name) for result in results.values()])
    rows.append(["geometric mean", "", *(f"{mean:.1f}" for mean in means.values()),
                 *(f"{means[correction] - means[CORRECTIONS[0]]:+.1f}"
                   for correction in CORRECTIONS[1:]), f"{chance:.1f}"])
    return Table(f"JDK {jdk.version}, {name}: overlap with the exact call graph in percent by "
                 "correction, means of the runs; points gained over none; and what as many samples "
                 "that are uniform over all calls would overlap by chance",
                 ["program", "samples", *CORRECTIONS,
                  *(f"{correction}: gain" for correction in CORRECTIONS[1:]), "by chance"], rows)


def measure_workload(recorder: accuracy.Recorder, arguments: argparse.Namespace,
                     run: Run) -> Result:
    exact = accuracy.reference_profile(
        recorder, arguments.reference_iterations or arguments.iterations, arguments.references)
    read = recorder.built.read
    graph = graph_of(read("edges", exact))
    run.progress.done(f"{recorder.title}: exact, {sum(graph.values()):,.0f} calls")

    def judge(profile: Path) -> Judged:
        overlaps = {correction: read("overlap", exact, profile, "--correct", correction)["overlap"]
                    for correction in CORRECTIONS}
        samples = recorder.info(profile)["samples"]
        return Judged(overlaps, stats.overlap_by_chance(graph.values(), samples), samples)

    return Result(accuracy.judge_runs(
        recorder, arguments, run, judge,
        lambda one: ", ".join(f"{text} {overlap:.1f} %" for text, overlap in one.overlap.items())))


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
        losses = {workload: -result.gain(name, _DEFAULT) for workload, result in results.items()}
        worst = max(losses, key=lambda workload: losses[workload])
        run.goal(f"{_DEFAULT}, the default, loses no more than {_MOST_LOST:.0f} point on any program "
                 f"with {name} on JDK {jdk.major}", losses[worst] <= _MOST_LOST,
                 f"at worst {-losses[worst]:+.1f}, {worst}")


def main() -> int:
    experiment = Experiment(
        "correction", "What does it bring to correct the bias of windows at equal times?")
    experiment.add_workloads(iterations=5)
    experiment.add_configurations(CONFIGURATIONS,
                                  "long windows:--policy cbs --stride 127 --samples 512",
                                  "the options of yp run, with windows")
    experiment.add_runs()
    accuracy.add_references(experiment)
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * accuracy.steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
