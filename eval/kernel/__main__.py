"""./yp eval kernel: what does profiling add to a call?"""

from __future__ import annotations

import argparse
import functools
import re
import statistics
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Callable, Mapping, Sequence

from eval import interleave, made, measure, stats
from eval.built import CBS, EXACT, UNARMED, Recording
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.measure import Cost
from eval.report import Table

_BASE = "base"
_EXACT = "exact"
_GOAL = 3.0

# The same calls, once inlined as the compilers like and once not at all.
_VARIANTS: Mapping[str, Sequence[str]] = {
    "inlined": [],
    "not inlined": ["-XX:CompileCommand=quiet",
                    "-XX:CompileCommand=dontinline,kernel.Targets*::*"],
}


@dataclass(frozen=True)
class Kernel:
    """What a run of the program printed and cost."""

    parts: Mapping[str, float]  # ns per call, warm
    calls: int  # to Targets, in the whole run
    checksum: str
    cost: Cost

    def ns_per_call(self) -> float:
        return statistics.fmean(self.parts.values())

    def __str__(self) -> str:
        return f"{self.ns_per_call():.2f} ns per call, {self.cost}"


def parse(stdout: str, cost: Cost) -> Kernel:
    parts = {name: float(ns) for name, ns in
             re.findall(r"^PART (.+): \d+ calls, ([\d.]+) ns$", stdout, re.MULTILINE)}
    calls = re.search(r"^CALLS (\d+)$", stdout, re.MULTILINE)
    checksum = re.search(r"^CHECKSUM ([0-9a-f]{16})$", stdout, re.MULTILINE)
    if not parts or not calls or not checksum:
        raise measure.Failed(f"incomplete output:\n{stdout[-2000:]}")
    return Kernel(parts, int(calls[1]), checksum[1], cost)


def counted_calls(edges: Sequence[Mapping]) -> int:
    """The calls to Targets, from what `yp edges` prints."""
    return sum(edge["calls"] for edge in edges if edge["callee"].startswith("kernel.Targets"))


def check(kernel: Kernel, recording: Recording, stderr: str) -> None:
    """A complete recording, and to the last call when it is an exact one."""
    recording.info(stderr)
    if recording.options == EXACT:
        counted = counted_calls(recording.built.read("edges", recording.spool))
        if counted != kernel.calls:
            raise measure.Failed(f"{counted} calls were counted of {kernel.calls}")


@dataclass(frozen=True)
class Program:
    jdk: Jdk
    classes: Path
    arguments: argparse.Namespace
    jvm_options: Sequence[str]

    def run(self, *agent: str) -> tuple[Kernel, str]:
        """What it printed, and its stderr."""
        outcome = measure.succeed(
            [str(self.jdk.java), *agent, *self.jvm_options, "-XX:+UseSerialGC", "-Xms256m",
             "-Xmx256m", "-cp", str(self.classes), "kernel.Kernel", str(self.arguments.batches),
             str(self.arguments.calls)], self.classes)
        return parse(outcome.stdout, outcome.cost), outcome.stderr

    def base(self, round_: int) -> Kernel:
        return self.run()[0]

    def profiled(self, options: str, round_: int) -> Kernel:
        with self.arguments.build.recording(options) as recording:
            kernel, stderr = self.run(recording.jvm_option)
            check(kernel, recording, stderr)
            return kernel


def table(title: str, taken: Mapping[str, Sequence[Kernel]]) -> Table:
    """A row for each part, then for their mean and for the process as a whole."""
    names = [name for name in taken if name != _BASE]

    def row(label: str, unit: str, value: Callable[[Kernel], float]) -> list[str]:
        base = statistics.median(map(value, taken[_BASE]))
        return [label, f"{base:.2f} {unit}", *(str(ratio(taken, name, value)) for name in names)]

    rows = [row(part, "ns", lambda kernel, part=part: kernel.parts[part])
            for part in taken[_BASE][0].parts]
    rows.append(row("mean of the parts", "ns", Kernel.ns_per_call))
    rows.append(row("process CPU, start-up included", "s", _cpu))
    return Table(title, ["calls", "base", *names], rows)


def ratio(taken: Mapping[str, Sequence[Kernel]], name: str,
          value: Callable[[Kernel], float]) -> stats.Interval:
    return stats.median_ratio(list(map(value, taken[name])), list(map(value, taken[_BASE])))


def _cpu(kernel: Kernel) -> float:
    return kernel.cost.cpu_seconds


def require_one_checksum(taken: Mapping[str, Sequence[Kernel]]) -> None:
    checksums = {kernel.checksum for kernels in taken.values() for kernel in kernels}
    if len(checksums) != 1:
        raise measure.Failed(f"the result changed: {', '.join(sorted(checksums))}")


def measure_jdk(classes: Callable[[], Path], arguments: argparse.Namespace, jdk: Jdk,
                run: Run) -> None:
    data: dict[str, object] = {}
    run.report.data[jdk.version] = data
    for variant, jvm_options in _VARIANTS.items():
        title = f"JDK {jdk.version}, {variant}"
        with run.group(title, interleave.steps(_names(arguments), arguments.rounds)):
            program = Program(jdk, classes(), arguments, jvm_options)
            configurations: dict[str, interleave.Configuration[Kernel]] = {
                _BASE: program.base,
                **{name: functools.partial(program.profiled, options)
                   for name, options in arguments.configurations.items()}}
            taken = interleave.samples(configurations, _BASE, arguments.rounds, run.progress,
                                       title)
            require_one_checksum(taken)
            data[variant] = {name: [asdict(kernel) for kernel in kernels]
                             for name, kernels in taken.items()}
            run.report.tables.append(table(
                f"{title}: ns per call, and ratios to the unprofiled program", taken))
            if _EXACT in taken:
                warm = ratio(taken, _EXACT, Kernel.ns_per_call)
                run.goal(f"exact mode takes at most {_GOAL:g} times as long on {title}",
                         warm.value <= _GOAL, f"{warm} once warm, {ratio(taken, _EXACT, _cpu)} of "
                                              "the process's CPU time")


def _names(arguments: argparse.Namespace) -> list[str]:
    return [_BASE, *arguments.configurations]


def main() -> int:
    experiment = Experiment(
        "kernel", "How much longer does a program take that does nothing but call?", rounds=9)
    experiment.add_configurations({"unarmed": UNARMED, "cbs": CBS, _EXACT: EXACT},
                                  "no getters:mode=exact,trivial=exclude", "the agent's options")
    experiment.parser.add_argument("--batches", type=positive, default=40, metavar="N",
                                   help="half of them warm up (default: %(default)s)")
    experiment.parser.add_argument("--calls", type=positive, default=2_000_000, metavar="N",
                                   help="per part and batch (default: %(default)s)")
    sources = Path(__file__).resolve().parent / "java"
    classes = functools.cache(lambda: made.program("kernel", sources, ["kernel/Kernel.java"]))
    return experiment.run(
        functools.partial(measure_jdk, classes),
        lambda arguments: len(_VARIANTS) * interleave.steps(_names(arguments), arguments.rounds))


if __name__ == "__main__":
    sys.exit(main())
