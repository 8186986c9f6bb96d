"""./yp eval startup: what does profiling add before a program's own work begins?"""

from __future__ import annotations

import argparse
import functools
import re
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Callable, Mapping, Sequence

from eval import interleave, made, measure
from eval.built import Built
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.measure import Cost
from eval.report import Table

_BASE = "java"
_AGENTS = {"agent": "mode=cbs", "agent, all classes": "mode=cbs,scope=all"}
_YP = "./yp run"
_GOAL_MS = 1000


@dataclass(frozen=True)
class Start:
    """A run of Hello: what it cost, and the wall time until its main method began."""

    cost: Cost
    began_ms: float

    def cpu_ms(self) -> float:
        return self.cost.cpu_seconds * 1000

    def wall_ms(self) -> float:
        return self.cost.wall_seconds * 1000

    def __str__(self) -> str:
        return f"{self.cost}, main after {self.began_ms:.0f} ms"


_COLUMNS: Mapping[str, Callable[[Start], float]] = {
    "CPU": Start.cpu_ms,
    "wall": Start.wall_ms,
    "until main": lambda start: start.began_ms,
}


def parse(stdout: str, cost: Cost, started_ms: float) -> Start:
    began = re.search(r"^BEGAN (\d+)$", stdout, re.MULTILINE)
    if not began:
        raise measure.Failed(f"incomplete output:\n{stdout[-2000:]}")
    return Start(cost, int(began[1]) - started_ms)


def table(jdk: Jdk, taken: Mapping[str, Sequence[Start]]) -> Table:
    rows = []
    for name in taken:
        base = [f"{statistics.median(map(value, taken[_BASE])):.0f}" for value in _COLUMNS.values()]
        rows.append([name, *(base if name == _BASE else
                             [interleave.added(taken, name, _BASE, value).text("+.1f")
                              for value in _COLUMNS.values()])])
    return Table(f"JDK {jdk.version}: milliseconds of a program that prints one line, and what is "
                 "added to them", ["started by", *_COLUMNS], rows)


@dataclass(frozen=True)
class Program:
    jdk: Jdk
    classes: Path
    built: Built

    def _start(self, *jvm_options: str, prefix: Sequence[str] = ()) -> tuple[Start, str]:
        argv = [*prefix, str(self.jdk.java), *jvm_options, "-cp", str(self.classes), "Hello"]
        started_ms = time.time() * 1000
        outcome = measure.succeed(argv, self.classes)
        return parse(outcome.stdout, outcome.cost, started_ms), outcome.stderr

    def base(self, round_: int) -> Start:
        return self._start()[0]

    def with_agent(self, options: str, round_: int) -> Start:
        with self.built.recording(options) as recording:
            start, stderr = self._start(recording.jvm_option)
            recording.info(stderr)
            return start

    def with_yp(self, round_: int) -> Start:
        """Through the script, as a user would: it looks whether the build is up to date."""
        with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
            return self._start(prefix=[str(self.built.entry), "run", "-q", "-o",
                                       f"{folder}/hello.yp", "--"])[0]

    def configurations(self) -> dict[str, interleave.Configuration[Start]]:
        return {_BASE: self.base,
                **{name: functools.partial(self.with_agent, options)
                   for name, options in _AGENTS.items()},
                _YP: self.with_yp}


def measure_jdk(classes: Callable[[], Path], arguments: argparse.Namespace, jdk: Jdk,
                run: Run) -> None:
    with run.group(f"JDK {jdk.version}", _steps(arguments)):
        program = Program(jdk, classes(), arguments.build)
        program.with_yp(0)  # builds, if anything has changed
        taken = interleave.samples(program.configurations(), _BASE, arguments.rounds, run.progress,
                                   f"JDK {jdk.major}")
        run.report.data[jdk.version] = {name: [asdict(start) for start in starts]
                                        for name, starts in taken.items()}
        run.report.tables.append(table(jdk, taken))
        own = interleave.added(taken, _YP, _BASE, _COLUMNS["until main"])
        run.goal(f"./yp run adds less than {_GOAL_MS} ms before the program's start on JDK "
                 f"{jdk.major}", own.value < _GOAL_MS, f"{own.text('+.0f')} ms, the agent's included")


def _steps(arguments: argparse.Namespace) -> int:
    return (len(_AGENTS) + 3) * arguments.rounds


def main() -> int:
    experiment = Experiment(
        "startup", "How much later does a program begin and end when it is profiled?", rounds=21)
    sources = Path(__file__).resolve().parent / "java"
    classes = functools.cache(lambda: made.program("startup", sources, ["Hello.java"]))
    return experiment.run(functools.partial(measure_jdk, classes), _steps)


if __name__ == "__main__":
    sys.exit(main())
