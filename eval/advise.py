"""./yp eval advise: is what yp advise recommends the best, and does it ever do harm?

Each program is advised on at a short and at a long run. Then all candidates that yp advise tried run
beside the defaults, in rotated order and without being dropped, in runs of their own; what they take
there is the truth that the recommendation is held against.
"""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from eval import interleave, measure, stats
from eval.built import Built
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.measure import Cost, Failed
from eval.report import Table
from eval.workloads import prepare, runner
from eval.workloads.manifest import Workload

DEFAULTS = "defaults"

# What makes the file that an option names: as the command that yp advise prints.
_TRAINING = {"-XX:AOTCache=": ["-XX:AOTCacheOutput="],
             "-XX:SharedArchiveFile=": ["-Xbatch", "-XX:ArchiveClassesAtExit="]}

# A loss of so much is never to be recommended.
LARGEST_LOSS = 1.01


@dataclass(frozen=True)
class Verdict:
    """The recommendation among what was measured of all; ratios to the defaults."""

    recommended: stats.Interval
    best: str
    best_ratio: stats.Interval
    is_best: bool  # or not to be told from it
    loses: bool  # more than 1 %, for certain


@dataclass(frozen=True)
class Case:
    length: str  # short or long
    iterations: int
    seconds: float  # of a run by the defaults, median
    recommendation: str
    gain: stats.Interval  # in percent, as yp advise has it
    verdict: Verdict
    control: stats.Interval
    advice: Mapping[str, Any]
    measured: Mapping[str, Sequence[float]]  # seconds by candidate and round


def judge(measured: Mapping[str, Sequence[float]], recommended: str) -> Verdict:
    """`measured` has the defaults and every candidate, round by round."""
    ratios = {name: stats.median_ratio(taken, measured[DEFAULTS])
              for name, taken in measured.items()}
    best = min(ratios, key=lambda name: ratios[name].value)
    own = ratios[recommended]
    over_best = stats.median_ratio(measured[recommended], measured[best])
    return Verdict(own, best, ratios[best], recommended == best or over_best.low <= 1,
                   own.low > LARGEST_LOSS)


def training(options: Sequence[str]) -> tuple[Path, list[str]] | None:
    """The file that the options name and the options that make it; None: they need none."""
    for option in options:
        for use, make in _TRAINING.items():
            if option.startswith(use):
                path = option[len(use):]
                return Path(path), [*make[:-1], make[-1] + path]
    return None


def packed(classes: Path, jar: Path) -> Path:
    """A folder of classes as a jar: archives take no folders."""
    with zipfile.ZipFile(jar, "w") as archive:
        for file in sorted(classes.rglob("*.class")):
            archive.write(file, file.relative_to(classes))
    return jar


class Program:
    """A workload whose class path is of jars alone, at some length."""

    def __init__(self, workload: Workload, jdk: Jdk, iterations: int, folder: Path):
        self.workload, self.jdk, self.iterations = workload, jdk, iterations
        self._jar = packed(prepare.classes_of(workload), folder / "workload.jar")

    def argv(self, options: Sequence[str] = ()) -> list[str]:
        command = runner.command(self.workload, self.jdk, self.iterations, options)
        classes = str(prepare.classes_of(self.workload))
        return [word.replace(classes, str(self._jar)) for word in command.argv]

    def run(self, options: Sequence[str] = ()) -> Cost:
        """Raises WorkloadError when the result is not the program's."""
        outcome = measure.run(self.argv(options), prepare.BUILD)
        if outcome.exit_code != 0:
            raise runner.WorkloadError(f"{self.workload.name}: exit code {outcome.exit_code}\n"
                                       f"{outcome.stdout[-1000:]}{outcome.stderr[-1000:]}")
        checksum = runner.parse(outcome.stdout, self.iterations).checksum
        expected = runner.expected_checksum(self.workload, self.jdk)
        if checksum != expected:
            raise runner.WorkloadError(f"{self.workload.name}: checksum {checksum}, "
                                       f"expected {expected}")
        return outcome.cost


def advise(built: Built, program: Program, budget: str, metric: str, keep: Path) -> Any:
    """The object of `yp advise --json`."""
    command = [str(built.yp), "advise", "--json", "--budget", budget, "--for", metric, "--keep",
               str(keep), "--", *program.argv()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=prepare.BUILD)
    try:
        stdout, _ = process.communicate()
    except BaseException:
        process.send_signal(signal.SIGINT)  # It ends the program and removes its files.
        process.wait()
        raise
    if process.returncode != 0:
        raise Failed(f"yp advise failed with exit code {process.returncode}")
    return json.loads(stdout)


def comparable(candidates: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[str]]:
    """The options of those that ran, and of those that only the budget left out."""
    return {each["name"]: each["flags"] for each in candidates
            if each["state"] in ("measured", "dropped") or "budget" in each["reason"]}


def _seconds(cost: Cost, metric: str) -> float:
    return cost.wall_seconds if metric == "wall" else cost.cpu_seconds


def measure_case(arguments: argparse.Namespace, program: Program, length: str, folder: Path,
                 run: Run) -> Case:
    title = f"{program.workload.name}, {length}, on JDK {program.jdk.major}"
    metric = arguments.metric
    advice = advise(arguments.build, program, arguments.budget, metric, folder / "kept")
    run.progress.done(f"{title}: {advice['recommendation']} saves {advice['gain']:.1f} % "
                      f"[{advice['low']:.1f}, {advice['high']:.1f}]")
    candidates = comparable(advice["candidates"])
    (folder / "kept").mkdir(exist_ok=True)
    for options in candidates.values():
        needed = training(options)
        if needed and not needed[0].exists():
            program.run(needed[1])

    configurations = {DEFAULTS: lambda _: program.run()}
    for name, options in candidates.items():
        configurations[name] = lambda _, options=options: program.run(options)  # type: ignore[misc]
    taken = interleave.samples(configurations, DEFAULTS, arguments.rounds, run.progress, title)
    measured = {name: [_seconds(cost, metric) for cost in costs] for name, costs in taken.items()}
    control = stats.median_ratio(measured.pop(interleave.CONTROL), measured[DEFAULTS])
    return Case(length, program.iterations, statistics.median(measured[DEFAULTS]),
                advice["recommendation"],
                stats.Interval(advice["gain"], advice["low"], advice["high"]),
                judge(measured, advice["recommendation"]), control, advice, measured)


@dataclass(frozen=True)
class Result:
    cases: Sequence[Case]


def measure_workload(arguments: argparse.Namespace, jdk: Jdk, workload: Workload, folder: Path,
                     run: Run) -> Result:
    cases = []
    for length, iterations in (("short", arguments.short), ("long", arguments.long)):
        if iterations:
            case = folder / length
            case.mkdir()
            cases.append(measure_case(arguments, Program(workload, jdk, iterations, case), length,
                                      case, run))
    return Result(cases)


def table(jdk: Jdk, metric: str, results: Mapping[str, Result]) -> Table:
    rows = [[f"{name}, {case.length}", str(case.iterations), f"{case.seconds:.1f}",
             f"{sum(1 for each in case.advice['candidates'] if each['runs'])} of "
             f"{len(case.measured) - 1}",
             case.recommendation, case.gain.text(".0f"), str(case.verdict.recommended),
             case.verdict.best, str(case.verdict.best_ratio), str(case.control),
             "loses" if case.verdict.loses else "yes" if case.verdict.is_best else "no"]
            for name, result in results.items() for case in result.cases]
    return Table(f"JDK {jdk.version}: {metric} time",
                 ["program", "iterations", "seconds", "tried", "recommended", "gain, %",
                  "its ratio in the long comparison [95 %]", "best there", "ratio [95 %]",
                  "A/A control", "best, or equal to it"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, _steps(arguments),
        lambda workload, folder: measure_workload(arguments, jdk, workload, folder, run))
    if not results:
        return
    run.report.tables.append(table(jdk, arguments.metric, results))
    cases = [case for result in results.values() for case in result.cases]
    right = sum(case.verdict.is_best for case in cases)
    run.goal(f"JDK {jdk.major}: the best or one equal to it, in 7 of 8 cases",
             8 * right >= 7 * len(cases), f"{right} of {len(cases)}")
    losses = sum(case.verdict.loses for case in cases)
    run.goal(f"JDK {jdk.major}: never what loses more than 1 %", losses == 0,
             f"{losses} of {len(cases)}")
    short = [case.verdict.recommended.value for case in cases if case.length == "short"]
    if short:
        goal = 20 if jdk.major < 25 else 30
        saved = 100 * (1 - stats.geometric_mean(short))
        run.goal(f"JDK {jdk.major}: {goal} % of the {arguments.metric} time saved on short runs, "
                 "geometric mean", saved >= goal,
                 f"{saved:.0f} %")


def _steps(arguments: argparse.Namespace) -> int:
    """At most: five candidates on each JDK."""
    lengths = sum(1 for iterations in (arguments.short, arguments.long) if iterations)
    return lengths * (1 + interleave.steps([DEFAULTS] * 6, arguments.rounds))


def main() -> int:
    experiment = Experiment("advise", "Is what yp advise recommends the best, and never harmful?",
                            rounds=7)
    experiment.add_workloads(iterations=None)
    parser = experiment.parser
    parser.add_argument("--short", type=int, default=1, metavar="N",
                        help="iterations of a short run; 0: none (default: %(default)s)")
    parser.add_argument("--long", type=int, default=20, metavar="N",
                        help="iterations of a long run; 0: none (default: %(default)s)")
    parser.add_argument("--budget", default="10m", metavar="TIME",
                        help="of yp advise, for each program and length (default: %(default)s)")
    parser.add_argument("--for", dest="metric", choices=("wall", "cpu"), default="wall",
                        help="what is to be saved, and compared (default: %(default)s)")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
