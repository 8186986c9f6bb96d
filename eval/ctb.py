"""./yp eval ctb: what do caller-indexed code targets cost, and how many callers do methods have?"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping

from eval import interleave, made
from eval.built import Built, whole
from eval.experiment import Experiment, Run
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.report import Table
from eval.workloads.manifest import Workload
from eval.yieldpoints import cost_table, with_compiler

_GOAL_NS = 1.0
_CONFIGURATIONS = {f"N = {inlined}": f"--mode edges --ctb {inlined}" for inlined in (0, 1, 2, 4)}
_PROGRAMS = made.ROOT / "compiler" / "integration" / "java"
_DISPATCH = (_PROGRAMS / "Dispatch.java", _PROGRAMS / "Compiled.java")
# Methods are compiled after few calls, and not from the middle of a loop.
_EAGER = ("-XX:Tier4InvocationThreshold=20", "-XX:Tier4MinInvocationThreshold=5",
          "-XX:Tier4CompileThreshold=30", "-XX:Tier4BackEdgeThreshold=200000000")
_VTABLE = "vtable"  # Of Dispatch.java: by HotSpot's vtable, where nothing is recorded.
_LIBRARIES = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
# Table 1 of Qian's note on call graph construction in Jikes RVM (2004).
_ROWS = (("0", 0), ("1", 1), ("2-3", 3), ("4-7", 7), ("8-", None))
_PUBLISHED = {"library": (2214, 291, 172, 170, 358), "program": (507, 815, 608, 283, 411)}


@dataclass
class Callers:
    """Of the methods of one run: how many have so many callers, by the rows of Table 1."""

    library: list[int]
    program: list[int]

    @staticmethod
    def of(edges: Iterable[Mapping[str, Any]], loaded: Mapping[str, int]) -> Callers:
        """Callers are methods, not call sites; methods of `loaded` classes that are in no edge
        have none."""
        callers: dict[str, set[str]] = defaultdict(set)
        for edge in edges:
            callers[edge["callee"]].add(edge["caller"])
        counts = {"library": [0] * len(_ROWS), "program": [0] * len(_ROWS)}
        for callee, of_callee in callers.items():
            part = "library" if callee.startswith(_LIBRARIES) else "program"
            counts[part][row_of(len(of_callee))] += 1
        for part, rows in counts.items():
            rows[0] = max(0, loaded[part] - sum(rows))
        return Callers(**counts)


def row_of(callers: int) -> int:
    return next(i for i, (_, most) in enumerate(_ROWS) if most is None or callers <= most)


def cumulative(counts: Iterable[int]) -> list[str]:
    """Each number, and the share of it and those before it, as the paper prints them."""
    numbers = list(counts)
    total, so_far, cells = sum(numbers), 0, []
    for index, number in enumerate(numbers):
        so_far += number
        share = f" ({100 * so_far / total:.1f} %)" if total and index + 1 < len(numbers) else ""
        cells.append(f"{number:,}{share}")
    return cells


def callers_table(jdk: Jdk, callers: Mapping[str, Callers]) -> Table:
    columns = {"paper: libraries": _PUBLISHED["library"], "paper: SPECjvm98": _PUBLISHED["program"]}
    for part in ("library", "program"):
        of_part = [getattr(each, part) for each in callers.values()]
        columns[f"JDK {jdk.major}: {part}"] = [sum(row) for row in zip(*of_part)]
    cells = [cumulative(counts) for counts in columns.values()]
    rows = [[name, *(column[i] for column in cells)] for i, (name, _) in enumerate(_ROWS)]
    rows.append(["methods", *(f"{sum(counts):,}" for counts in columns.values())])
    return Table(f"JDK {jdk.version}: callers of methods, {len(callers)} programs added up "
                 "(Table 1 of the paper)", ["callers", *columns], rows)


def find_edges(built: Built, workload: Workload, jdk: Jdk, iterations: int, folder: Path
               ) -> tuple[Callers, dict[str, int]]:
    profile = folder / "edges.yp"
    with_compiler(built, workload, jdk, iterations, "--mode edges", profile)
    config = whole(built.read("info", profile))["config"]
    loaded = {part: int(config[f"loaded.{part}_methods"]) for part in ("library", "program")}
    numbers = {key.removeprefix("ctb."): int(value) for key, value in config.items()
               if key.startswith("ctb.") and value.isdigit()}
    edges = built.read("edges", profile)
    return Callers.of(edges, loaded), {**numbers, "edges": len(edges)}


def dispatch_ns(built: Built, jdk: Jdk, classes: Path, options: str) -> dict[str, float]:
    """CPU time of a call, by how HotSpot dispatches it where nothing is recorded."""
    recording = [*options.split(), "-q", "-o", str(classes / "d.yp")] if options else []
    output = subprocess.run(
        [built.yp, "aos", "--verbose", *recording, "--", jdk.java, *_EAGER, "-XX:+UseSerialGC",
         "-Xmx200m", "-cp", classes, "Dispatch"],
        check=True, capture_output=True, text=True, timeout=120).stdout
    return {name: float(ns) for name, ns in map(str.split, output.splitlines())}


def measure_dispatch(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
        classes = Path(folder)
        subprocess.run([jdk.javac, "-nowarn", "-Xlint:none", "--release", "11", "-d", classes,
                        *_DISPATCH], check=True, capture_output=True)
        configurations: dict[str, interleave.Configuration[dict[str, float]]] = {
            name: lambda round_, options=options: dispatch_ns(arguments.build, jdk, classes, options)
            for name, options in {interleave.BASE: "", **arguments.configurations}.items()}
        taken = interleave.samples(
            configurations, interleave.BASE, arguments.rounds, run.progress,
            f"calls on JDK {jdk.major}", lambda costs: f"{costs[_VTABLE]:.2f} ns")
    run.report.data[f"{jdk.version}: ns of a call"] = taken
    run.report.tables.append(dispatch_table(jdk, taken))
    for name in arguments.configurations:
        added = interleave.added(taken, name, interleave.BASE, lambda costs: costs[_VTABLE])
        run.goal(f"a call at most {_GOAL_NS:.0f} ns more than by vtable, {name}, JDK {jdk.major}",
                 added.value <= _GOAL_NS, f"{added.text('.2f')} ns")


def dispatch_table(jdk: Jdk, taken: Mapping[str, list[dict[str, float]]]) -> Table:
    names = [name for name in taken if name != interleave.BASE]
    rows = []
    for kind in taken[interleave.BASE][0]:
        base = statistics.median(costs[kind] for costs in taken[interleave.BASE])
        added = [interleave.added(taken, name, interleave.BASE, lambda costs, kind=kind: costs[kind])
                 for name in names]
        rows.append([kind, f"{base:.2f}", *(each.text("+.2f") for each in added)])
    return Table(f"JDK {jdk.version}: ns of CPU time for a call in a loop, and how much more with "
                 "code targets", ["dispatched by", "ns", *names], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    with run.group(f"calls on JDK {jdk.major}", steps_of_calls(arguments)):
        measure_dispatch(arguments, jdk, run)
    comparisons: dict[str, Comparison] = {}
    callers: dict[str, Callers] = {}
    numbers: dict[str, dict[str, int]] = {}
    for workload in arguments.workloads:
        with (run.group(f"{workload.name} on JDK {jdk.major}", steps_of_workload(arguments)),
              tempfile.TemporaryDirectory(prefix="yp-eval-") as folder):
            callers[workload.name], numbers[workload.name] = find_edges(
                arguments.build, workload, jdk, arguments.iterations, Path(folder))
            run.progress.done(f"{workload.name} on JDK {jdk.major}: "
                              f"{numbers[workload.name]['edges']:,} edges")
            if arguments.only_callers:
                continue
            comparisons[workload.name] = interleave.compare(
                {name: lambda round_, options=options: with_compiler(
                    arguments.build, workload, jdk, arguments.iterations, options,
                    Path(folder) / "e.yp" if options else None)
                 for name, options in {interleave.BASE: "", **arguments.configurations}.items()},
                interleave.BASE, arguments.rounds, f"{workload.name} on JDK {jdk.major}",
                run.progress)
    run.report.data[jdk.version] = {
        name: {"callers": asdict(callers[name]), "numbers": numbers[name],
               **(comparisons[name].to_json() if name in comparisons else {})} for name in callers}
    if comparisons:
        run.report.tables.append(cost_table(
            jdk, comparisons, [interleave.CONTROL, *arguments.configurations],
            "BASE without code targets"))
    if callers:
        run.report.tables += [callers_table(jdk, callers), numbers_table(jdk, numbers)]


def numbers_table(jdk: Jdk, numbers: Mapping[str, Mapping[str, int]]) -> Table:
    columns = {"edges": "edges", "calls": "numbered call sites", "classes": "classes called",
               "thunks": "thunks", "arrays": "arrays"}
    totals: Counter[str] = Counter()
    for of_program in numbers.values():
        totals.update(of_program)
    rows = [[name, *(f"{of_program[key]:,}" for key in columns)]
            for name, of_program in {**numbers, "all": totals}.items()]
    return Table(f"JDK {jdk.version}: what was found and made", ["program", *columns.values()], rows)


def steps_of_calls(arguments: argparse.Namespace) -> int:
    return interleave.steps([interleave.BASE, *arguments.configurations], arguments.rounds)


def steps_of_workload(arguments: argparse.Namespace) -> int:
    return 1 + (0 if arguments.only_callers else steps_of_calls(arguments))


def main() -> int:
    experiment = Experiment(
        "ctb", "What do caller-indexed code targets cost, and how many callers do methods have?",
        rounds=7)
    experiment.add_workloads(iterations=4)
    experiment.parser.add_argument("--only-callers", action="store_true",
                                   help="run each program once, without what it costs there")
    experiment.add_configurations(_CONFIGURATIONS, "N = 7:--mode edges --ctb 7",
                                  "options of yp aos")
    return experiment.run(
        measure_jdk, lambda arguments: steps_of_calls(arguments) +
        len(arguments.workloads) * steps_of_workload(arguments))


if __name__ == "__main__":
    sys.exit(main())
