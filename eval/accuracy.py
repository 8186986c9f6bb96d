"""./yp eval accuracy: how much of the exact call graph does sampling see?

The reference is an exact run of the same program with the same filter; call sites are told apart.
A second exact run (--again) shows how far two runs of the program agree at all: with several
threads, or hash codes from addresses, not even exact graphs are equal.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Mapping, Protocol, Sequence, TypeVar

from eval import stats
from eval.built import Built, own_cost, whole
from eval.experiment import Experiment, Run, split_configuration
from eval.jdks import Jdk
from eval.measure import Failed
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload, parts
from eval.workloads.runner import Output

EXACT = "--mode exact"
_AGAIN = "exact again"
_DEFAULT = "default"
_CBS = "cbs"
# The classic ones are to see the same methods as the reference.
CONFIGURATIONS = {_DEFAULT: "", _CBS: "--policy cbs --trivial include",
                  "timer": "--mode timer --trivial include"}
_TOPS = (1.0, 10.0)  # percent of the reference's edges, the most called first
# Geometric mean over the programs, and each program's mean.
_GOALS = {_DEFAULT: (92.0, 85.0), _CBS: (85.0, 75.0)}
COLLECTORS = ("Serial", "G1", "Parallel", "Z", "Shenandoah")
_HELD = (90.0, 98.0)  # percent of the edges by their intervals, for every program


T = TypeVar("T")  # what is said of a profile


class HasOverlap(Protocol):
    def overlap(self, name: str) -> float:
        """Of a configuration, in percent, the mean of the runs."""


@dataclass(frozen=True)
class Judged:
    """A profile against the exact one. Percentages; `presence` by the top so many percent."""

    overlap: float
    presence: Mapping[float, float]
    samples: int
    drops: Mapping[str, int]
    held: float | None = None  # of the edges, by their intervals; None for exact profiles
    # Of the program's CPU time, by the agent's own measure; None where it takes none.
    cost: float | None = None
    reading: float | None = None  # the part of the agent's own thread: reading what was compiled


@dataclass(frozen=True)
class Result:
    """A program's exact graph and how the configurations' runs compare with it."""

    calls: int
    edges: int
    runs: Mapping[str, Sequence[Judged]]

    def overlap(self, name: str) -> float:
        return statistics.fmean(run.overlap for run in self.runs[name])

    def mean(self, name: str, of: Callable[[Judged], float | None]) -> float | None:
        values = [of(run) for run in self.runs[name]]
        return None if None in values else statistics.fmean(values)

    def presence(self, name: str, top: float) -> float:
        return statistics.fmean(run.presence[top] for run in self.runs[name])


def judge(comparison: Mapping, info: Mapping) -> Judged:
    """From what `yp overlap` and `yp info` print."""
    presence = {row["top_percent"]: row["presence"] for row in comparison["top_presence"]}
    cost = own_cost(info)
    return Judged(comparison["overlap"], {top: presence[top] for top in _TOPS}, info["samples"],
                  info["drops"], comparison.get("intervals", {}).get("held"),
                  sum(cost.values()) if cost else None, cost.get("drain_cpu_ns"))


def overlap_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    rows = [[workload, f"{result.calls:,}", f"{result.edges:,}",
             *(stats.mean_and_range([run.overlap for run in result.runs[name]]) for name in names)]
            for workload, result in results.items()]
    rows += [[f"geometric mean{part}", "", "",
              *(f"{mean_overlap(programs, name):.1f}" for name in names)]
             for part, programs in parts(results).items()]
    rows.append(["lowest run", "", "", *(f"{lowest_run(results, name):.1f}" for name in names)])
    return Table(f"JDK {jdk.version}: overlap with the exact call graph in percent, "
                 "mean of the runs (lowest-highest)",
                 ["program", "calls", "edges", *names], rows)


def presence_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    rows = [[workload, *(" / ".join(f"{result.presence(name, top):.1f}" for top in _TOPS)
                         for name in names)]
            for workload, result in results.items()]
    tops = " and ".join(f"{top:.0f} %" for top in _TOPS)
    return Table(f"JDK {jdk.version}: how many percent of the most called {tops} of the edges were "
                 "seen at all", ["program", *names], rows)


def cost_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    """Of the configurations with a cost of their own, which are those with intervals, too."""
    rows = []
    for workload, result in results.items():
        for name in names:
            held, cost, reading = (result.mean(name, of) for of in (
                lambda run: run.held, lambda run: run.cost, lambda run: run.reading))
            if held is None or cost is None or reading is None:
                continue
            samples = statistics.fmean(run.samples for run in result.runs[name])
            rows.append([workload, name, f"{samples:,.0f}", f"{held:.1f}", f"{cost:.2f}",
                         f"{reading:.2f}"])
    return Table(f"JDK {jdk.version}: samples, how many percent of the edges with 0.01 % of the "
                 "calls or more have their share in the 95 % interval, and the agent's own measure "
                 "of its CPU time in percent of the program's, means of the runs",
                 ["program", "configuration", "samples", "held", "cost", "of that its thread"],
                 rows)


def mean_overlap(results: Mapping[str, HasOverlap], name: str) -> float:
    return stats.geometric_mean([result.overlap(name) for result in results.values()])


def lowest_run(results: Mapping[str, Result], name: str) -> float:
    return min(run.overlap for result in results.values() for run in result.runs[name])


@dataclass(frozen=True)
class Recorder:
    """Records a workload on a JDK with `yp run`, as a user would, into `folder`."""

    built: Built
    workload: Workload
    jdk: Jdk
    collector: str
    folder: Path

    def record(self, name: str, options: str, iterations: int) -> Path:
        """`options` are those of yp run, then perhaps -- and those of the JVM."""
        return self.record_output(name, options, iterations)[0]

    def record_output(self, name: str, options: str, iterations: int) -> tuple[Path, Output]:
        """The profile, and what the program printed."""
        profile = self.folder / f"{self.workload.name}-{self.jdk.major}-{name}.yp"
        profile.unlink(missing_ok=True)
        of_yp, of_jvm = split_configuration(options)
        run = runner.run(self.workload, self.jdk, iterations,
                         prefix=[str(self.built.yp), "run", "-q", "-o", str(profile), *of_yp, "--"],
                         jvm_options=of_jvm, gc=f"-XX:+Use{self.collector}GC")
        return profile, run.output

    def info(self, profile: Path) -> dict:
        return whole(self.built.read("info", profile))

    @property
    def title(self) -> str:
        return f"{self.workload.name} on JDK {self.jdk.major}"


def add_references(experiment: Experiment) -> None:
    experiment.parser.add_argument("--references", type=lambda folder: Path(folder).resolve(),
                                   metavar="FOLDER",
                                   help="keep exact profiles there, and take those that are there: "
                                        "exact counts do not depend on the build")


def reference_profile(recorder: Recorder, iterations: int, folder: Path | None) -> Path:
    """The exact profile: recorded, or that which an earlier evaluation has left in `folder`.

    Raises Failed where a program that counts its calls itself has counted others."""
    if folder is None:
        return _record_reference(recorder, iterations)
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / (f"{recorder.workload.name}-{recorder.jdk.version}-{recorder.collector}-"
                     f"{iterations}.yp")
    if not kept.is_file():
        shutil.move(_record_reference(recorder, iterations), kept)
    return kept


def _record_reference(recorder: Recorder, iterations: int) -> Path:
    profile, output = recorder.record_output("exact", EXACT, iterations)
    if output.counts:
        check_counts(recorder.built.read("edges", profile), output.counts)
    return profile


def check_counts(edges: Sequence[Mapping], counts: Mapping[str, int]) -> None:
    """Raises Failed unless the calls of each method add up to what it has counted itself."""
    for method, counted in counts.items():
        calls = sum(edge["calls"] for edge in edges if edge["callee"] == method)
        if calls != counted:
            raise Failed(f"{method} was called {counted:,} times, and the exact profile has "
                         f"{calls:,} calls")


def judge_runs(recorder: Recorder, arguments: argparse.Namespace, run: Run,
               judge_one: Callable[[Path], T], tell: Callable[[T], str],
               before: Sequence[tuple[str, str, int, int]] = ()) -> dict[str, list[T]]:
    """Records every configuration `--runs` times, and judges each profile: by configuration.

    `tell` is what progress says of one. `before` has more to record: name, options, how many runs,
    and iterations."""
    judged: dict[str, list[T]] = {}
    for name, options, count, iterations in [
            *before, *((name, text, arguments.runs, arguments.iterations)
                       for name, text in arguments.configurations.items())]:
        judged[name] = []
        for index in range(count):
            profile = recorder.record(f"{name.replace('/', '-')}-{index + 1}", options, iterations)
            judged[name].append(judge_one(profile))
            run.progress.done(f"{recorder.title}: {name}, run {index + 1} of {count}, overlap "
                              f"{tell(judged[name][-1])}")
    return judged


def steps(arguments: argparse.Namespace) -> int:
    """Of a workload: its exact run, and what judge_runs records without `before`."""
    return 1 + arguments.runs * len(arguments.configurations)


def measure_workload(recorder: Recorder, arguments: argparse.Namespace, run: Run) -> Result:
    of_reference = arguments.reference_iterations or arguments.iterations
    exact = reference_profile(recorder, of_reference, arguments.references)
    reference = recorder.info(exact)
    run.progress.done(f"{recorder.title}: exact, {reference['calls']:,} calls over "
                      f"{reference['edges']:,} edges")
    judged = judge_runs(
        recorder, arguments, run,
        lambda profile: judge(recorder.built.read("overlap", exact, profile),
                              recorder.info(profile)),
        lambda one: f"{one.overlap:.1f} %",
        [(_AGAIN, EXACT, 1, of_reference)] if arguments.again else [])
    return Result(reference["calls"], reference["edges"], judged)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    if arguments.profiles:
        arguments.profiles.mkdir(parents=True, exist_ok=True)
    results = run.by_workload(
        jdk, arguments.workloads, _steps(arguments),
        lambda workload, folder: measure_workload(
            Recorder(arguments.build, workload, jdk, arguments.gc, arguments.profiles or folder),
            arguments, run))
    if not results:
        return
    names = [*([_AGAIN] if arguments.again else []), *arguments.configurations]
    run.report.tables += [overlap_table(jdk, results, names), presence_table(jdk, results, names)]
    costs = cost_table(jdk, results, list(arguments.configurations))
    if costs.rows:
        run.report.tables.append(costs)
    for name, (mean_goal, lowest_goal) in _GOALS.items():
        if name not in arguments.configurations:
            continue
        mean = mean_overlap(results, name)
        lowest = min(result.overlap(name) for result in results.values())
        run.goal(f"{name} overlaps by at least {mean_goal:.0f} % in the geometric mean and "
                 f"{lowest_goal:.0f} % for every program on JDK {jdk.major}",
                 mean >= mean_goal and lowest >= lowest_goal,
                 f"{mean:.1f} % over {len(results)} programs, the lowest {lowest:.1f} %")
    if _DEFAULT in arguments.configurations:
        held = {name: result.mean(_DEFAULT, lambda run: run.held)
                for name, result in results.items()}
        out = [name for name, share in held.items() if share is None
               or not _HELD[0] <= share <= _HELD[1]]
        run.goal(f"the intervals of default hold {_HELD[0]:.0f} to {_HELD[1]:.0f} % of the edges of "
                 f"every program on JDK {jdk.major}", not out,
                 f"not of {', '.join(out)}" if out else "of all")


def _steps(arguments: argparse.Namespace) -> int:
    return steps(arguments) + arguments.again


def main() -> int:
    experiment = Experiment(
        "accuracy", "How much of a program's exact call graph does a sampled one have?")
    experiment.add_workloads(iterations=5)
    experiment.add_configurations(
        CONFIGURATIONS,
        "denser:--interval 499 --budget 2",
        "the options of yp run, then perhaps -- and options of the JVM")
    experiment.parser.add_argument("--gc", choices=COLLECTORS, default=COLLECTORS[0],
                                   help="the JVM's collector (default: %(default)s)")
    experiment.add_runs()
    add_references(experiment)
    experiment.parser.add_argument("--again", action="store_true",
                                   help="record the reference twice, for what can be reached")
    experiment.parser.add_argument("--profiles", type=lambda folder: Path(folder).resolve(),
                                   metavar="FOLDER", help="keep the profiles there")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
