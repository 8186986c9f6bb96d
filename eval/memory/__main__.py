"""./yp eval memory: how much memory does a recording of a program of very many methods take?"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Mapping, Sequence

from eval import interleave, made, measure, stats
from eval.built import Built, whole
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.measure import Cost
from eval.memory import program
from eval.report import Table

_BASE = "java"
# In half a minute the default samples few of the methods; the other one all of them.
_CONFIGURATIONS = {"default": "", "all methods": "--budget 100 --interval 101"}
_GOAL_MB = 100
_METHODS = 30_000
# In each of the program's passes: often enough for both compilers.
_ROUNDS_OF_PROGRAM = 3_000
# A heap that is resident from the start, and does not grow or shrink by chance.
_JVM_OPTIONS = ("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch")


@dataclass(frozen=True)
class Peak:
    """A run: its cost, and its largest resident size. The methods are those of its profile."""

    cost: Cost
    megabytes: float
    methods: int = 0

    def __str__(self) -> str:
        return f"{self.cost}, {self.megabytes:.0f} MB"


def added(taken: Mapping[str, Sequence[Peak]], name: str) -> stats.Interval:
    return interleave.added(taken, name, _BASE, lambda peak: peak.megabytes)


def table(jdk: Jdk, taken: Mapping[str, Sequence[Peak]]) -> Table:
    rows = [[name, _methods(peaks),
             f"{statistics.median(peak.megabytes for peak in peaks):.0f}",
             "" if name == _BASE else added(taken, name).text("+.1f")]
            for name, peaks in taken.items()]
    return Table(f"JDK {jdk.version}: largest resident size in MB of a program of {_METHODS:,} "
                 "methods, medians, and what is added to it",
                 ["started by", "methods recorded", "MB", "added"], rows)


def _methods(peaks: Sequence[Peak]) -> str:
    most = max(peak.methods for peak in peaks)
    return f"{most:,}" if most else ""


@dataclass(frozen=True)
class Program:
    jdk: Jdk
    classes: Path
    built: Built
    rounds: int

    def _argv(self) -> list[str]:
        return [str(self.jdk.java), *_JVM_OPTIONS, "-cp", str(self.classes), program.MAIN,
                str(self.rounds)]

    def _run(self, argv: Sequence[str]) -> measure.Outcome:
        outcome = measure.succeed(argv, self.classes)
        if f"SUM {program.checksum(_METHODS, self.rounds)}" not in outcome.stdout.splitlines():
            raise measure.Failed(f"a wrong result: {outcome.stdout[-200:]}")
        return outcome

    def base(self, round_: int) -> Peak:
        outcome = self._run(self._argv())
        return Peak(outcome.cost, outcome.peak_bytes / 1e6)

    def recorded(self, options: str, round_: int) -> Peak:
        """By `yp run`, which waits for the JVM: the larger of the two counts, and its own is less
        than the JVM's."""
        with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
            profile = Path(folder) / "many.yp"
            outcome = self._run([str(self.built.yp), "run", "-q", "-o", str(profile),
                                 *options.split(), "--", *self._argv()])
            info = whole(self.built.read("info", profile))
            return Peak(outcome.cost, outcome.peak_bytes / 1e6, info["methods"])


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    with run.group(f"JDK {jdk.version}", _steps(arguments)):
        java = Program(jdk, _classes(), arguments.build, arguments.program_rounds)
        configurations = {_BASE: java.base,
                          **{name: functools.partial(java.recorded, options)
                             for name, options in arguments.configurations.items()}}
        taken = interleave.samples(configurations, _BASE, arguments.rounds, run.progress,
                                   f"JDK {jdk.major}")
        run.report.data[jdk.version] = {name: [asdict(peak) for peak in peaks]
                                        for name, peaks in taken.items()}
        run.report.tables.append(table(jdk, taken))
        for name in arguments.configurations:
            own = added(taken, name)
            run.goal(f"{name} takes less than {_GOAL_MB} MB beside the JVM's own on JDK "
                     f"{jdk.major}", own.high < _GOAL_MB, f"{own.text('+.1f')} MB")


@functools.cache
def _classes() -> Path:
    with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
        sources = Path(folder)
        return made.program("memory", sources, program.write(sources, _METHODS))


def _steps(arguments: argparse.Namespace) -> int:
    return interleave.steps([_BASE, *arguments.configurations], arguments.rounds)


def main() -> int:
    experiment = Experiment(
        "memory", "How much memory does a recording take of a program of very many methods?",
        rounds=7)
    experiment.add_configurations(_CONFIGURATIONS, "patch:--probe patch", "the options of yp run")
    experiment.parser.add_argument("--program-rounds", type=positive,
                                   default=_ROUNDS_OF_PROGRAM, metavar="N",
                                   help="how often it calls its methods (default: %(default)s)")
    return experiment.run(measure_jdk, _steps)


if __name__ == "__main__":
    sys.exit(main())
