"""./yp eval convergence: how soon is a sampled call graph near the exact one?

What was recorded in the first half a second to half a minute from the JVM's start is compared with
the exact graph of that same time. Two runs are at the same point when they have finished as many
iterations: for each time that is asked for, both end with the iteration that ends nearest to it in
an unprofiled run. Or the program is attached to later, and recorded for so many seconds; then the
reference is a whole run.
"""

from __future__ import annotations

import argparse
import contextlib
import math
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
from eval.workloads.manifest import Workload, parts

_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_ENDLESS = 100_000  # iterations
_END_SECONDS = 60.0
_MAX_SECONDS = 3600.0


@dataclass(frozen=True)
class Point:
    seconds: float  # from the JVM's start, unprofiled; or as long as was recorded by yp attach
    overlap: float  # percent
    samples: int


@dataclass(frozen=True)
class Result:
    """What each configuration had of a program's exact graphs, by the times asked for."""

    points: Mapping[str, Sequence[Point]]


def table(jdk: Jdk, results: Mapping[str, Result], seconds: Sequence[float]) -> Table:
    """Per program and configuration a row, and the geometric means and lowest values."""
    rows = [[workload, name, *(_cell(point, asked) for point, asked in zip(points, seconds))]
            for workload, result in results.items() for name, points in result.points.items()]
    for name in next(iter(results.values())).points:
        rows += [[f"geometric mean{part}", name,
                  *(f"{stats.geometric_mean(column):.1f}" for column in _overlaps(programs, name))]
                 for part, programs in parts(results).items()]
        rows.append(["lowest", name,
                     *(f"{min(column):.1f}" for column in _overlaps(results, name))])
    return Table(f"JDK {jdk.version}: overlap with the exact call graph of the same time in percent "
                 "(samples), after about so many seconds; after how many where the nearest end of an "
                 "iteration is a fifth of it away",
                 ["program", "configuration", *(f"{s:g} s" for s in seconds)], rows)


def _overlaps(results: Mapping[str, Result], name: str) -> list[list[float]]:
    """Those of all programs, by the times asked for."""
    of_programs = [[point.overlap for point in result.points[name]] for result in results.values()]
    return [list(column) for column in zip(*of_programs)]


def _cell(point: Point, asked: float) -> str:
    is_near = abs(point.seconds - asked) < 0.2 * asked
    at = "" if is_near else f"; {point.seconds:.1f} s"
    return f"{point.overlap:.1f} ({point.samples:,}{at})"


def iteration_ends(run: runner.Run) -> list[float]:
    """In seconds since the JVM's start."""
    output = run.output
    own_ms = output.setup_ms + sum(output.iterations_ms)
    end = max(0.0, run.cost.wall_seconds - own_ms / 1000) + output.setup_ms / 1000
    ends = []
    for ms in output.iterations_ms:
        end += ms / 1000
        ends.append(end)
    return ends


def nearest(ends: Sequence[float], seconds: float) -> int:
    """The number of iterations whose end is nearest to that time, as a factor: at least 1."""
    return 1 + min(range(len(ends)), key=lambda i: abs(math.log(ends[i] / seconds)))


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

    def _whole(self) -> accuracy.Recorder:
        return accuracy.Recorder(self.arguments.build, self.workload, self.jdk,
                                 accuracy.COLLECTORS[0], self.folder)

    def exact(self, iterations: int) -> Path:
        return accuracy.reference_profile(self._whole(), iterations, self.arguments.references)

    def ends(self, seconds: float) -> list[float]:
        """Of so many iterations of an unprofiled run that the last one ends after that time."""
        iterations = 4
        while True:
            ends = iteration_ends(runner.run(self.workload, self.jdk, iterations))
            if ends[-1] >= seconds:
                return ends
            iterations = math.ceil(1.2 * iterations * seconds / ends[-1])

    def attached(self, seconds: float, options: str) -> Path:
        """A recording of so many seconds by yp attach. Raises measure.Failed when there is none."""
        profile = self.folder / "first.yp"
        java = runner.command(self.workload, self.jdk, _ENDLESS)
        error = self._attached(java, profile, f"--duration {round(1000 * seconds)}ms {options}")
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

    def point(self, exact: Path, seconds: float, profile: Path) -> Point:
        read = self.arguments.build.read
        return Point(seconds, read("overlap", exact, profile)["overlap"],
                     read("info", profile)["samples"])

    def after(self, iterations: int, seconds: float, options: str) -> Point:
        """Of so many iterations, which end then."""
        profile = self._whole().record("first", options, iterations)
        return self.point(self.exact(iterations), seconds, profile)


def measure_workload(recorder: Recorder, run: Run) -> Result:
    arguments, title = recorder.arguments, f"{recorder.workload.name} on JDK {recorder.jdk.major}"
    if arguments.attach_after:
        exact, ends = recorder.exact(arguments.iterations), []
    else:
        exact, ends = None, recorder.ends(max(arguments.seconds))
    run.progress.done(f"{title}: " + (f"{len(ends)} iterations in {ends[-1]:.1f} s" if ends
                                      else "exact"))
    points: dict[str, list[Point]] = {name: [] for name in arguments.configurations}
    known: dict[tuple[str, int], Point] = {}  # One iteration may be nearest to several times.
    for seconds in arguments.seconds:
        for name, options in arguments.configurations.items():
            if exact is not None:
                point = recorder.point(exact, seconds, recorder.attached(seconds, options))
            else:
                iterations = nearest(ends, seconds)
                if (name, iterations) not in known:
                    known[name, iterations] = recorder.after(iterations, ends[iterations - 1],
                                                             options)
                point = known[name, iterations]
            points[name].append(point)
            run.progress.done(f"{title}: {name}, {point.seconds:.1f} s, overlap "
                              f"{point.overlap:.1f} %")
    return Result(points)


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
    experiment.add_workloads(iterations=15)  # of the reference of --attach-after
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
