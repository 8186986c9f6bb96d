"""./yp eval entries: how right are probes on compiled entries, of the calls that run an entry?

Such a probe sees no inlined call. The reference is an exact run by the bytecode probe, which sees
every call whatever the compilers do; of it and of the sampled graph only those edges are compared
that no compilation inlined in the sampled run, by that run's compilation log.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from eval import compilation_log, stats
from eval.agreement import overlap
from eval.built import Built, Recording
from eval.compilation_log import CompilationLog, Edge
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

# The same filter for all: what is trivial is seen at entries whatever the filter says.
_FILTER = "trivial=include"
_EXACT = "mode=exact,probe=bytecode"
_CONFIGURATIONS = {
    "patch": "mode=cbs,policy=countdown,probe=patch",
    "patch continuous": "mode=cbs,policy=countdown,probe=patch,budget_ppm=0,interval=10007",
    "patch windows": "mode=cbs,policy=cbs,probe=patch",
    "barrier": "mode=cbs,policy=countdown,probe=barrier",
}
_ZGC = "-XX:+UseZGC"
_FIRST_WITH_BARRIERS = 21  # JDKs from there on have entry barriers with every collector.
# Drops of samples whose edge could not be told.
_UNRESOLVED = ("callee_unknown", "caller_unknown", "no_debug_info")
_MEAN_GOAL = 95.0
_UNRESOLVED_GOAL = 1.0

Graph = Mapping[Edge, float]  # calls by edge


@dataclass(frozen=True)
class Judged:
    """A sampled graph against the exact one, both without what was inlined in the sampled run."""

    overlap: float
    overlap_of_samples: float  # the same with every sample of equal weight
    # Of as many independent samples of the exact graph, each call equally likely: expected.
    overlap_by_chance: float
    samples: int
    held: float  # percent of all exact calls that are not inlined: those compared
    held_by_c2: float  # the same if what C1 alone inlined were kept
    uncompiled: float  # percent of the calls compared whose callee never had compiled code
    edges: int  # compared, of the exact graph
    unresolved: Mapping[str, float]  # percent of the samples, by reason
    drops: Mapping[str, int]
    unknown_log_elements: Mapping[str, int]

    @property
    def all_unresolved(self) -> float:
        return sum(self.unresolved.values())


@dataclass(frozen=True)
class Result:
    """A program's exact graph and how the configurations' runs compare with it."""

    calls: float
    edges: int
    runs: Mapping[str, Judged]


def graph_of(edges: Sequence[Mapping[str, Any]], weight: str = "calls") -> dict[Edge, float]:
    """From what `yp edges` prints."""
    graph: dict[Edge, float] = {}
    for edge in edges:
        key = (edge["caller"], edge["bci"], edge["callee"])
        graph[key] = graph.get(key, 0.0) + edge[weight]
    return graph


def restricted(graph: Graph, log: CompilationLog) -> dict[Edge, float]:
    return {edge: calls for edge, calls in graph.items() if not log.is_inlined(edge)}


def judge(exact: Graph, edges: Sequence[Mapping[str, Any]], info: Mapping[str, Any],
          log: CompilationLog) -> Judged:
    """From the exact graph, and the sampled run's `yp edges`, `yp info` and compilation log."""
    truth = restricted(exact, log)
    calls, total = sum(truth.values()), sum(exact.values())
    counts = restricted(graph_of(edges, "samples"), log)
    samples = round(sum(counts.values()))
    of_c2 = sum(count for edge, count in exact.items() if edge not in log.inlined_by_c2)
    uncompiled = sum(count for edge, count in truth.items() if edge[2] not in log.compiled)
    drops = info["drops"]
    taken = info["samples"] + sum(drops.get(reason, 0) for reason in _UNRESOLVED)
    return Judged(
        overlap(truth, restricted(graph_of(edges), log)), overlap(truth, counts),
        stats.overlap_by_chance(truth.values(), samples),
        samples, _percent(calls, total), _percent(of_c2, total), _percent(uncompiled, calls),
        len(truth), {reason: _percent(drops.get(reason, 0), taken) for reason in _UNRESOLVED},
        drops, log.unknown)


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def overlap_table(jdk: Jdk, results: Mapping[str, Result], name: str) -> Table:
    rows = []
    for workload, result in results.items():
        run = result.runs[name]
        rows.append([workload, f"{result.calls:,.0f}", f"{run.held_by_c2:.1f}", f"{run.held:.1f}",
                     f"{run.edges:,}", f"{run.uncompiled:.2f}", f"{run.samples:,}",
                     f"{run.overlap_by_chance:.1f}", f"{run.overlap_of_samples:.1f}",
                     f"{run.overlap:.1f}",
                     *(f"{run.unresolved[reason]:.2f}" for reason in _UNRESOLVED)])
    runs = [result.runs[name] for result in results.values()]
    rows.append(["geometric mean", *[""] * 6,
                 f"{stats.geometric_mean([run.overlap_by_chance for run in runs]):.1f}",
                 f"{stats.geometric_mean([run.overlap_of_samples for run in runs]):.1f}",
                 f"{stats.geometric_mean([run.overlap for run in runs]):.1f}", "", "", ""])
    return Table(
        f"JDK {jdk.version}, {name}: overlap in percent with the exact graph of the calls that "
        "were not inlined",
        ["program", "calls", "% not inlined by C2", "% compared", "edges compared",
         "% of them never compiled", "samples", "by chance", "unweighted", "overlap",
         *(f"% {reason.replace('_', ' ')}" for reason in _UNRESOLVED)], rows)


def collector(options: str, jdk: Jdk) -> str | None:
    """The collector that a configuration needs there, None when any will do."""
    needs_barriers = "probe=barrier" in options.split(",")
    return _ZGC if needs_barriers and jdk.major < _FIRST_WITH_BARRIERS else None


@dataclass(frozen=True)
class Recorder:
    """Records a workload on a JDK by the agent alone."""

    built: Built
    workload: Workload
    jdk: Jdk
    iterations: int
    folder: Path
    filter: str

    def record(self, name: str, options: str,
               jvm_options: Sequence[str] = ()) -> tuple[Recording, dict[str, Any]]:
        """The recording with what `yp info` prints of it."""
        place = self.folder / f"{self.workload.name}-{self.jdk.major}-{name.replace(' ', '-')}"
        recording = Recording(self.built, f"{options},{self.filter}",
                              place.with_suffix(".yp-spool"))
        recording.spool.unlink(missing_ok=True)
        gc = collector(options, self.jdk)
        result = runner.run(self.workload, self.jdk, self.iterations,
                            jvm_options=[recording.jvm_option, *jvm_options],
                            **({"gc": gc} if gc else {}))
        return recording, recording.info(result.stderr)

    def edges(self, recording: Recording) -> list[dict[str, Any]]:
        return self.built.read("edges", recording.spool)

    def sampled(self, name: str, options: str, exact: Graph) -> Judged:
        file = self.folder / f"{self.workload.name}-{self.jdk.major}-{name.replace(' ', '-')}.log"
        recording, info = self.record(name, options,
                                      [*compilation_log.OPTIONS, f"-XX:LogFile={file}"])
        return judge(exact, self.edges(recording), info, compilation_log.read(file))


def measure_workload(recorder: Recorder, configurations: Mapping[str, str], run: Run) -> Result:
    title = f"{recorder.workload.name} on JDK {recorder.jdk.major}"
    exact = graph_of(recorder.edges(recorder.record("exact", _EXACT)[0]))
    run.progress.done(f"{title}: exact, {sum(exact.values()):,.0f} calls over {len(exact):,} edges")
    judged: dict[str, Judged] = {}
    for name, options in configurations.items():
        judged[name] = recorder.sampled(name, options, exact)
        run.progress.done(f"{title}: {name}, overlap {judged[name].overlap:.1f} % "
                          f"({judged[name].overlap_by_chance:.1f} % by chance)")
    return Result(sum(exact.values()), len(exact), judged)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    if arguments.recordings:
        arguments.recordings.mkdir(parents=True, exist_ok=True)
    results = run.by_workload(
        jdk, arguments.workloads, _steps(arguments),
        lambda workload, temporary: measure_workload(
            Recorder(arguments.build, workload, jdk, arguments.iterations,
                     arguments.recordings or temporary, f"{_FILTER},scope={arguments.scope}"),
            arguments.configurations, run))
    if not results:
        return
    for name, options in arguments.configurations.items():
        run.report.tables.append(overlap_table(jdk, results, name))
        _judge_goals(jdk, name, [result.runs[name] for result in results.values()], run)
        if collector(options, jdk):
            run.report.notes.append(f"{name} on JDK {jdk.major} ran with "
                                    f"{collector(options, jdk)}: there are no entry barriers "
                                    "without.")
    unknown = sorted({element for result in results.values() for judged in result.runs.values()
                      for element in judged.unknown_log_elements})
    if unknown:
        run.report.notes.append(f"JDK {jdk.version}: elements of compilation logs that are not "
                                f"known and were passed over: {', '.join(unknown)}.")


def _judge_goals(jdk: Jdk, name: str, judged: Sequence[Judged], run: Run) -> None:
    overlaps = [result.overlap for result in judged]
    run.goal(f"{name} overlaps by at least {_MEAN_GOAL:.0f} % in the geometric mean, of the calls "
             f"that were not inlined, on JDK {jdk.major}",
             stats.geometric_mean(overlaps) >= _MEAN_GOAL,
             f"{stats.geometric_mean(overlaps):.1f} % over {len(judged)} programs, the lowest "
             f"{min(overlaps):.1f} %")
    worst = max(result.all_unresolved for result in judged)
    run.goal(f"{name} leaves less than {_UNRESOLVED_GOAL:.0f} % of the samples unresolved on JDK "
             f"{jdk.major}", worst < _UNRESOLVED_GOAL, f"at most {worst:.2f} %")


def _steps(arguments: argparse.Namespace) -> int:
    return 1 + len(arguments.configurations)


def main() -> int:
    experiment = Experiment(
        "entries", "How right are probes on compiled entries, of the calls that are not inlined?")
    experiment.add_workloads(iterations=5)
    experiment.add_configurations(_CONFIGURATIONS, "denser:mode=cbs,probe=patch,budget_ppm=20000",
                                  "the agent's options")
    experiment.parser.add_argument("--scope", choices=("app", "all"), default="app",
                                   help="whose methods are observed (default: %(default)s)")
    experiment.parser.add_argument("--recordings", type=lambda folder: Path(folder).resolve(),
                                   metavar="FOLDER", help="keep recordings and logs there")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
