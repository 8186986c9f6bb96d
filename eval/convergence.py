"""./yp eval convergence: how soon is a sampled call graph near the exact one?

Each program is recorded for half a second to half a minute from the JVM's start, each time in a new
JVM, which then is ended as by Ctrl-C. The reference is the exact graph of a whole run: what the
program does in its first second is compared with what it does all the time. Or it is attached to
later, and the seconds begin then.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Iterator, Mapping, Sequence

from eval import accuracy, measure, stats
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_ENDLESS = 100_000  # iterations
_START_SECONDS = 1.5  # of the JVM and the agent, at most; the recording has ended then
_END_SECONDS = 60.0
_MAX_SECONDS = 3600.0


@dataclass(frozen=True)
class Point:
    seconds: float
    overlap: float  # percent
    samples: int


@dataclass(frozen=True)
class Result:
    """A program's exact graph and what each configuration had of it, by seconds."""

    calls: int
    edges: int
    points: Mapping[str, Sequence[Point]]


def table(jdk: Jdk, results: Mapping[str, Result], seconds: Sequence[float]) -> Table:
    """Per program and configuration a row, and the geometric means."""
    rows = [[workload, name, *(_cell(point) for point in points)]
            for workload, result in results.items() for name, points in result.points.items()]
    for name in next(iter(results.values())).points:
        rows.append(["geometric mean", name, *(
            f"{stats.geometric_mean([r.points[name][i].overlap for r in results.values()]):.1f}"
            for i in range(len(seconds)))])
    return Table(f"JDK {jdk.version}: overlap with the exact call graph in percent (samples), "
                 "after so many seconds", ["program", "configuration", *(f"{s:g} s" for s in seconds)],
                 rows)


def _cell(point: Point) -> str:
    return f"{point.overlap:.1f} ({point.samples:,})"


@contextlib.contextmanager
def _started(argv: Sequence[str], java: runner.Command,
             stderr: int | IO[bytes] = subprocess.PIPE) -> Iterator[subprocess.Popen]:
    """A process group of its own, which is gone afterwards."""
    with subprocess.Popen(argv, cwd=java.cwd, env=java.env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=stderr, text=True,
                          start_new_session=True) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Recorder:
    arguments: argparse.Namespace
    workload: Workload
    jdk: Jdk
    folder: Path

    def exact(self) -> Path:
        whole_run = accuracy.Recorder(self.arguments.build, self.workload, self.jdk,
                                      accuracy.COLLECTORS[0], self.folder)
        return accuracy.reference_profile(whole_run, self.arguments.iterations,
                                          self.arguments.references)

    def of_seconds(self, seconds: float, options: str) -> Path:
        """A recording of so many seconds. Raises measure.Failed when there is none."""
        profile = self.folder / "first.yp"
        java = runner.command(self.workload, self.jdk, _ENDLESS)
        options = f"--duration {round(1000 * seconds)}ms {options}"
        if self.arguments.attach_after:
            error = self._attached(java, profile, options)
        else:
            profile.unlink(missing_ok=True)
            prefix = [str(self.arguments.build.yp), "run", "-q", "-o", str(profile),
                      *shlex.split(options), "--"]
            with _started([*prefix, *java.argv], java) as process:
                time.sleep(seconds + _START_SECONDS)
                os.killpg(process.pid, signal.SIGINT)
                _, error = process.communicate(timeout=_END_SECONDS)
        if not profile.is_file():
            raise measure.Failed(f"{self.workload.name}: no profile of {seconds:g} s: "
                                 f"{error[-1000:]}")
        return profile

    def _attached(self, java: runner.Command, profile: Path, options: str) -> str:
        """What `yp attach` has to say."""
        profile.unlink(missing_ok=True)
        with tempfile.TemporaryFile() as stderr, _started(java.argv, java, stderr) as process:
            time.sleep(self.arguments.attach_after)
            attach = measure.run([str(self.arguments.build.yp), "attach", str(process.pid), "-q",
                                  "-o", str(profile), *shlex.split(options)],
                                 timeout_seconds=_MAX_SECONDS + _END_SECONDS)
            stderr.seek(0)
            said = attach.stderr + stderr.read().decode("utf-8", "replace")
        if attach.exit_code != 0:
            raise measure.Failed(f"{self.workload.name}: yp attach failed: {said[-1000:]}")
        return said

    def point(self, exact: Path, seconds: float, options: str) -> Point:
        profile = self.of_seconds(seconds, options)
        read = self.arguments.build.read
        samples = read("info", profile)["samples"]
        overlap = read("overlap", exact, profile)["overlap"] if samples else 0.0
        return Point(seconds, overlap, samples)


def measure_workload(recorder: Recorder, run: Run) -> Result:
    arguments, title = recorder.arguments, f"{recorder.workload.name} on JDK {recorder.jdk.major}"
    exact = recorder.exact()
    info = arguments.build.read("info", exact)
    run.progress.done(f"{title}: exact, {info['calls']:,} calls over {info['edges']:,} edges")
    points: dict[str, list[Point]] = {name: [] for name in arguments.configurations}
    for seconds in arguments.seconds:
        for name, options in arguments.configurations.items():
            points[name].append(recorder.point(exact, seconds, options))
            run.progress.done(f"{title}: {name}, {seconds:g} s, overlap "
                              f"{points[name][-1].overlap:.1f} %")
    return Result(info["calls"], info["edges"], points)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, _steps(arguments),
        lambda workload, folder: measure_workload(Recorder(arguments, workload, jdk, folder), run))
    if results:
        run.report.tables.append(table(jdk, results, arguments.seconds))


def _steps(arguments: argparse.Namespace) -> int:
    return 1 + len(arguments.seconds) * len(arguments.configurations)


def _positive_seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= _MAX_SECONDS:
        raise ValueError(text)
    return seconds


def main() -> int:
    experiment = Experiment("convergence", "How soon is a sampled call graph near the exact one?")
    experiment.add_workloads(iterations=15)
    experiment.add_configurations(accuracy.CONFIGURATIONS, "denser:--interval 499 --budget 2",
                                  "the options of yp run")
    experiment.parser.add_argument("--seconds", type=_positive_seconds, nargs="+",
                                   default=list(_SECONDS), metavar="S",
                                   help="how long to record (default: "
                                        f"{' '.join(f'{s:g}' for s in _SECONDS)})")
    accuracy.add_references(experiment)
    experiment.parser.add_argument("--attach-after", type=_positive_seconds, metavar="S",
                                   help="begin to record by yp attach, when the program has run "
                                        "for S seconds")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
