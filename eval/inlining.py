"""./yp eval inlining: what do inlined calls gain in code of the project's own compiler, by which
profile decides about them?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Mapping

from eval import interleave, overhead
from eval.built import whole
from eval.experiment import Experiment, Run, apart
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost
from eval.report import Table
from eval.workloads.manifest import Workload
from eval.yieldpoints import cost_table, with_compiler

_STATIC = "static"
_EXACT = "exact"
# The profiles that decide, each recorded once, at BASE: the paper's two and all calls.
_PROFILERS = {_EXACT: "--profiler exhaustive", "cbs": "--profiler cbs", "timer": "--profiler timer"}
_GOAL = 1 / 1.15  # Guarded inlining by the exact profile: at least 15 % faster.


def record(workload: Workload, jdk: Jdk, arguments: argparse.Namespace, run: Run, folder: Path
           ) -> tuple[dict[str, Path], dict[str, dict[str, float]]]:
    """The profiles by name, and what they are worth: samples, and % overlap with all calls."""
    profiles = {name: folder / f"{name}.yp" for name in arguments.configurations}
    worth: dict[str, dict[str, float]] = {}
    exact = folder / "all-calls.yp"
    for name, options in {"all calls": _PROFILERS[_EXACT], **arguments.configurations}.items():
        path = profiles.get(name, exact)
        cost = with_compiler(arguments.build, workload, jdk, arguments.iterations, options, path)
        info = whole(arguments.build.read("info", path))
        if name in profiles:
            overlap = arguments.build.read("overlap", exact, path)["overlap"]
            worth[name] = {"samples": info["samples"], "overlap": overlap}
        run.progress.done(f"{workload.name} on JDK {jdk.major}, profile {name}: {cost}")
    return profiles, worth


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace, run: Run,
                     profiles: Mapping[str, Path]) -> Comparison:
    """Without inlined calls beside each way of inlining them."""
    level = "--optimize " if arguments.optimize else ""

    def run_with(options: str) -> Cost:
        return with_compiler(arguments.build, workload, jdk, arguments.iterations, level + options,
                             None)

    configurations: dict[str, interleave.Configuration[Cost]] = {
        interleave.BASE: lambda round_: run_with("--inline none"),
        _STATIC: lambda round_: run_with("--inline static")}
    for name, path in profiles.items():
        configurations[name] = lambda round_, path=path: run_with(f"--inline '{path}'")
    return interleave.compare(configurations, interleave.BASE, arguments.rounds,
                              f"{workload.name} on JDK {jdk.major}", run.progress)


def profile_table(jdk: Jdk, worth: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Table:
    rows = [[workload, name, f"{profile['samples']:,.0f}", f"{profile['overlap']:.1f}"]
            for workload, profiles in worth.items() for name, profile in profiles.items()]
    return Table(f"JDK {jdk.version}: the profiles that decided",
                 ["program", "profile", "samples", "% overlap with another run's calls"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    def measure_one(workload: Workload, folder: Path) -> tuple[
            Comparison, dict[str, dict[str, float]]]:
        profiles, worth = record(workload, jdk, arguments, run, folder)
        return measure_workload(workload, jdk, arguments, run, profiles), worth

    results = run.by_workload(
        jdk, arguments.workloads, steps_of_workload(arguments), measure_one,
        lambda result: {**result[0].to_json(), "profiles": result[1]})
    if not results:
        return
    comparisons, worth = apart(results)
    run.report.tables.append(cost_table(
        jdk, comparisons, [interleave.CONTROL, _STATIC, *arguments.configurations],
        f"{'OPT2' if arguments.optimize else 'BASE'} without inlined calls"))
    run.report.tables.append(profile_table(jdk, worth))
    if _EXACT in arguments.configurations:
        reached = overhead.mean(comparisons, _EXACT)
        run.goal(f"by the exact profile at most {_GOAL:.2f} on JDK {jdk.major}",
                 reached.value <= _GOAL, f"{reached} over {len(comparisons)} programs")


def steps_of_workload(arguments: argparse.Namespace) -> int:
    names = [interleave.BASE, _STATIC, *arguments.configurations]
    return 1 + len(arguments.configurations) + interleave.steps(names, arguments.rounds)


def main() -> int:
    experiment = Experiment(
        "inlining", "What do inlined calls gain in code of the project's own compiler?", rounds=9)
    experiment.add_workloads(iterations=6)
    experiment.add_configurations(_PROFILERS, "dense:--profiler cbs --stride 3",
                                  "options of yp aos that record the profile that decides")
    experiment.parser.add_argument(
        "--optimize", action="store_true",
        help="compare at OPT2, not at OPT1 with BASE; the profiles are recorded at BASE")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * steps_of_workload(arguments))


if __name__ == "__main__":
    sys.exit(main())
