"""./yp eval levels: how fast is code of each level of the project's own compiler, beside HotSpot's
interpreter and compilers, and what does it cost to compile?"""

from __future__ import annotations

import argparse
import re
import shlex
import statistics
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Mapping

from eval import interleave, overhead, stats
from eval.built import Built
from eval.experiment import Experiment, Run, apart
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost, Failed
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload
from eval.yieldpoints import cost_table, warm_cost

_C1 = "C1"
_C2 = "C2"
_INTERPRETER = "interpreter"
# HotSpot's own, by options of the JVM.
_HOTSPOT = {_C1: ("-XX:TieredStopAtLevel=1",), _C2: (), _INTERPRETER: ("-Xint",)}
# It needs no warm-up, and takes its time.
_INTERPRETED_ITERATIONS = 1
_BASE = "BASE"
_OPT2 = "OPT2"
_PROFILER = "--profiler"
_OWN = {_BASE: "", "OPT1": "--inline static", _OPT2: "--optimize --inline static",
        "adaptive": f"--adaptive {_PROFILER} cbs --inline online"}
_MOST_OF_C1 = 2.5
_LEAST_OF_INTERPRETER = 8.0
_MOST_US_PER_BYTE = 2.0
# OPT2's code: of all programs, of half of them, and of each kernel.
_OPT2_MOST_OF_C1 = 1.0
_OPT2_MOST_OF_C2 = 1.5
_OPT2_MOST_OF_C2_KERNELS = 1.3
# What --train writes of each level, the configuration by which it is measured, and its name there.
_TRAINED = {_BASE: "kTrainedBase", "OPT1": "kTrainedOpt1", _OPT2: "kTrainedOpt2"}
_TRAINING = """#ifndef YP_COMPILER_AOS_TRAINED_LEVELS_H_
#define YP_COMPILER_AOS_TRAINED_LEVELS_H_

namespace yp::compiler {{

// Made by a command; not to be edited:
//
//     {command}
//
// {origin}
struct TrainedLevel {{
  double compile_bytes_per_ms;  // Of bytecode, installation included; CPU time.
  double speedup;               // To BASE, of warm code.
}};
{levels}

}}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_TRAINED_LEVELS_H_
"""
_STATISTICS = re.compile(r"yieldpoint: (\d+) bytes of bytecode, (\d+) of code, (\d+) ms of CPU time "
                         r"\((\d+) to translate, (\d+) to install\)")


@dataclass(frozen=True)
class Compiled:
    """What one run has compiled: bytes of bytecode and of machine code, ms of compiling."""

    bytecode: int
    code: int
    ms: int
    translating_ms: int
    installing_ms: int

    @staticmethod
    def read(stderr: str) -> Compiled:
        found = _STATISTICS.search(stderr)
        if found is None:
            raise Failed("yp aos --statistics did not say what was compiled")
        return Compiled(*map(int, found.groups()))

    @property
    def us_per_byte(self) -> float:
        return self.ms * 1000 / self.bytecode


def run_hotspot(workload: Workload, jdk: Jdk, iterations: int, name: str) -> Cost:
    """CPU seconds of the warm half of the iterations; of as many interpreted ones."""
    interpreted = min(iterations, _INTERPRETED_ITERATIONS)
    run_of = interpreted if name == _INTERPRETER else iterations
    output = runner.run(workload, jdk, run_of, jvm_options=_HOTSPOT[name]).output
    return _times(warm_cost(output), (iterations - iterations // 2) / (run_of - run_of // 2))


def hotspot_of(arguments: argparse.Namespace) -> list[str]:
    return [name for name in _HOTSPOT if arguments.interpreter or name != _INTERPRETER]


def _times(cost: Cost, factor: float) -> Cost:
    return Cost(cost.cpu_seconds * factor, cost.wall_seconds * factor)


def run_own(built: Built, workload: Workload, jdk: Jdk, iterations: int, options: str,
            compiled: list[Compiled]) -> Cost:
    with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
        recording = ["-q", "-o", f"{folder}/calls.yp"] if _PROFILER in options else []
        prefix = [str(built.yp), "aos", "--statistics", *shlex.split(options), *recording, "--"]
        ended = runner.run(workload, jdk, iterations, prefix=prefix)
    compiled.append(Compiled.read(ended.stderr))
    return warm_cost(ended.output)


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace, run: Run
                     ) -> tuple[Comparison, dict[str, list[Compiled]]]:
    """Each level beside C1's code; and what our own levels have compiled, a run each."""
    compiled: dict[str, list[Compiled]] = {name: [] for name in arguments.configurations}
    configurations: dict[str, interleave.Configuration[Cost]] = {}
    for name in hotspot_of(arguments):
        configurations[name] = lambda round_, name=name: run_hotspot(
            workload, jdk, arguments.iterations, name)
    for name, options in arguments.configurations.items():
        own = partial(run_own, arguments.build, workload, jdk, arguments.iterations, options,
                      compiled[name])
        configurations[name] = lambda round_, own=own: own()
    return interleave.compare(configurations, _C1, arguments.rounds,
                              f"{workload.name} on JDK {jdk.major}", run.progress), compiled


def compile_table(jdk: Jdk, compiled: Mapping[str, Mapping[str, list[Compiled]]]) -> Table:
    rows = []
    for workload, by_name in compiled.items():
        for name, runs in by_name.items():
            columns = ([each.bytecode for each in runs], [each.code for each in runs],
                       [each.translating_ms for each in runs],
                       [each.installing_ms for each in runs])
            rows.append([workload, name,
                         *(f"{statistics.median(column):,.0f}" for column in columns),
                         f"{statistics.median(each.us_per_byte for each in runs):.2f}"])
    return Table(f"JDK {jdk.version}: what is compiled in a run, medians",
                 ["program", "level", "bytes of bytecode", "of machine code", "ms to translate",
                  "ms to install", "us for a byte of bytecode"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, steps_of_workload(arguments),
        lambda workload, _: measure_workload(workload, jdk, arguments, run),
        lambda result: {**result[0].to_json(), "compiled": {
            name: [vars(each) for each in runs] for name, runs in result[1].items()}})
    if not results:
        return
    comparisons, compiled = apart(results)
    others = [name for name in hotspot_of(arguments) if name != _C1]
    run.report.tables.append(cost_table(
        jdk, comparisons, [interleave.CONTROL, *others, *arguments.configurations], "C1's code",
        _C1))
    run.report.tables.append(compile_table(jdk, compiled))
    if arguments.train and set(_TRAINED) <= set(arguments.configurations):
        report = run.report
        arguments.train.write_text(training_text(
            trained(comparisons, compiled), report.command,
            f"{report.date}; {report.machine}; JDK {jdk.version}; commit {report.commit}; "
            f"{', '.join(comparisons)}."))
    if _BASE in arguments.configurations:
        add_base_goals(jdk, comparisons, [each for of_workload in compiled.values()
                                          for each in of_workload[_BASE]], run)
    if _OPT2 in arguments.configurations:
        run.report.tables.append(c2_table(jdk, comparisons))
        kernels = {each.name for each in arguments.workloads if each.kernel}
        add_opt2_goals(jdk, *({name: each for name, each in comparisons.items()
                               if (name in kernels) == of_kernels}
                              for of_kernels in (False, True)), run)


def trained(comparisons: Mapping[str, Comparison],
            compiled: Mapping[str, Mapping[str, list[Compiled]]]) -> dict[str, tuple[float, float]]:
    """Of each level that --train writes: bytes of bytecode compiled in a ms, and its speed-up to BASE;
    geometric means of the programs."""
    base = overhead.mean(comparisons, _BASE).value
    levels = {}
    for name in _TRAINED:
        rates = [statistics.median(1000 / each.us_per_byte for each in by_name[name])
                 for by_name in compiled.values()]
        levels[name] = (statistics.geometric_mean(rates),
                        base / overhead.mean(comparisons, name).value)
    return levels


def training_text(levels: Mapping[str, tuple[float, float]], command: str, origin: str) -> str:
    """The header that compiler/aos includes."""
    rows = [f"inline constexpr TrainedLevel {_TRAINED[name]} = {{{rate:.0f}, {speedup:.3g}}};"
            for name, (rate, speedup) in levels.items()]
    words = "\n//         ".join(textwrap.wrap(command, 84, break_on_hyphens=False))
    return _TRAINING.format(command=words, levels="\n".join(rows),
                            origin="\n".join(textwrap.wrap(origin, 96)).replace("\n", "\n// "))


def c2_table(jdk: Jdk, comparisons: Mapping[str, Comparison]) -> Table:
    return Table(f"JDK {jdk.version}: CPU time of warm iterations, {_OPT2}'s ratio to {_C2}'s",
                 ["program", f"{_OPT2} to {_C2}"],
                 [[name, str(each.cpu(_OPT2, _C2))] for name, each in comparisons.items()])


def add_opt2_goals(jdk: Jdk, programs: Mapping[str, Comparison], kernels: Mapping[str, Comparison],
                   run: Run) -> None:
    if programs:
        to_c1 = overhead.mean(programs, _OPT2)
        run.goal(f"{_OPT2} takes at most as long as C1's code on JDK {jdk.major}",
                 to_c1.value <= _OPT2_MOST_OF_C1, f"{to_c1} over {len(programs)} programs")
        near = [name for name, each in programs.items()
                if each.cpu(_OPT2, _C2).value <= _OPT2_MOST_OF_C2]
        run.goal(f"{_OPT2} takes at most {_OPT2_MOST_OF_C2} times as long as {_C2}'s code in half "
                 f"of the programs on JDK {jdk.major}", 2 * len(near) >= len(programs),
                 f"{len(near)} of {len(programs)}")
    if kernels:
        slowest = max(kernels, key=lambda name: kernels[name].cpu(_OPT2, _C2).value)
        to_c2 = kernels[slowest].cpu(_OPT2, _C2)
        run.goal(f"{_OPT2} takes at most {_OPT2_MOST_OF_C2_KERNELS} times as long as {_C2}'s code "
                 f"in each kernel on JDK {jdk.major}", to_c2.value <= _OPT2_MOST_OF_C2_KERNELS,
                 f"at most {to_c2} ({slowest}) in {len(kernels)} kernels")


def add_base_goals(jdk: Jdk, comparisons: Mapping[str, Comparison], compiled: list[Compiled],
                   run: Run) -> None:
    base = overhead.mean(comparisons, _BASE)
    run.goal(f"BASE takes at most {_MOST_OF_C1} times as long as C1's code on JDK {jdk.major}",
             base.value <= _MOST_OF_C1, f"{base} over {len(comparisons)} programs")
    if all(_INTERPRETER in each.costs for each in comparisons.values()):
        faster = overhead.mean(comparisons, _INTERPRETER).value / base.value
        run.goal(f"BASE is at least {_LEAST_OF_INTERPRETER:.0f} times as fast as the interpreter "
                 f"on JDK {jdk.major}", faster >= _LEAST_OF_INTERPRETER, f"{faster:.1f} times")
    cost = stats.median([each.us_per_byte for each in compiled])
    run.goal(f"compiling at BASE takes at most {_MOST_US_PER_BYTE:.0f} us for a byte of bytecode "
             f"on JDK {jdk.major}", cost.value <= _MOST_US_PER_BYTE, f"{cost.text('.2f')} us")


def steps_of_workload(arguments: argparse.Namespace) -> int:
    return interleave.steps([*hotspot_of(arguments), *arguments.configurations], arguments.rounds)


def main() -> int:
    experiment = Experiment(
        "levels", "How fast is code of each level, and what does it cost to compile?", rounds=7)
    experiment.add_workloads(iterations=20)
    experiment.add_configurations(_OWN, "OPT1:--inline static", "options of yp aos")
    experiment.parser.add_argument(
        "--no-interpreter", dest="interpreter", action="store_false",
        help="leave out the interpreter, which takes as long as all other runs together")
    experiment.parser.add_argument(
        "--train", type=Path, metavar="FILE",
        help="write the rates of compilation and the speed-ups that the adaptive system goes by, "
             "such as compiler/aos/trained_levels.h; of the last JDK")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * steps_of_workload(arguments))


if __name__ == "__main__":
    sys.exit(main())
