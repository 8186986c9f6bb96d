"""./yp eval what_if: does what yp amortize --what-if foretells come true?

Each program is recorded once with --jit. Then it runs as it was, and with directives to the
compilers that make what was asked true, in turns; what that saves of the process's CPU time stands
beside what was foretold.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from eval import interleave, stats
from eval.amortize import Recorder
from eval.experiment import Experiment, Run
from eval.jdks import Jdk
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

_NEVER = "hottest never compiled"
_LEVEL_1 = "hottest only at level 1"
_BETTER = "at level 1 what is better there"

Row = Mapping[str, Any]  # of `yp amortize --what-if --json`


@dataclass(frozen=True)
class Foretold:
    """CPU time that directives save, in milliseconds; negative: that they cost."""

    methods: int
    value: float
    low: float
    high: float
    options: Sequence[str]  # of the JVM


@dataclass(frozen=True)
class Outcome:
    foretold: Foretold
    measured: stats.Interval  # likewise

    @property
    def agrees(self) -> bool:
        """Whether the intervals have something in common."""
        return self.foretold.low <= self.measured.high and self.measured.low <= self.foretold.high


@dataclass(frozen=True)
class Result:
    queue: float  # the part of the judged run's last tenth in which C2 was at work
    control: stats.Interval  # milliseconds that the same program saves by chance
    outcomes: Mapping[str, Outcome]


def pattern(method: str) -> str:
    """As directives name it: "a.B.c(I)V" is "a/B.c(I)V"."""
    name, descriptor = method[:method.index("(")], method[method.index("("):]
    holder, _, simple = name.rpartition(".")
    return f"{holder.replace('.', '/')}.{simple}{descriptor}"


def excluded(methods: Sequence[str], file: Path, c1_too: bool) -> list[str]:
    """Options that keep methods from C2, or from both compilers; written to the file."""
    blocks: dict[str, Any] = {"match": [pattern(method) for method in methods],
                              "c2": {"Exclude": True}}
    if c1_too:
        blocks["c1"] = {"Exclude": True}
    file.write_text(json.dumps([blocks]), encoding="utf-8")
    return ["-XX:+UnlockDiagnosticVMOptions", f"-XX:CompilerDirectivesFile={file}"]


def foretell(rows: Sequence[Row], better: Sequence[Row], together: Row,
             folder: Path) -> dict[str, Foretold]:
    """rows: of all methods; better: of those better off at level 1; together: of these at once."""
    hottest = max(rows, key=lambda row: row["time_ms"])
    asked = {_NEVER: ([hottest], hottest["never_ms"]),
             _LEVEL_1: ([hottest], hottest["level_1_ms"]),
             _BETTER: (better, together["level_1_ms"])}
    return {name: Foretold(len(of), told["value"], told["low"], told["high"],
                           excluded([row["method"] for row in of],
                                    folder / f"{name.replace(' ', '-')}.json", name == _NEVER))
            for name, (of, told) in asked.items() if of}


def measure_workload(recorder: Recorder, rounds: int, run: Run) -> Result:
    workload, jdk = recorder.workload, recorder.jdk
    title = f"{workload.name} on JDK {jdk.major}"
    profile = recorder.record("judged")

    def read(*options: str) -> Any:
        return recorder.built.read("amortize", profile, "--what-if", *options)
    rows = read()
    better = ("--better", "level-1")
    together = read(*better, "--together")[0]
    foretold = foretell(rows, read(*better), together, recorder.folder)
    run.progress.done(f"{title}: {len(rows):,} methods")

    def cpu_ms(options: Sequence[str]) -> float:
        return 1000 * runner.run(workload, jdk, recorder.iterations,
                                 jvm_options=options).cost.cpu_seconds

    configurations = {interleave.BASE: lambda _: cpu_ms([])}
    for name, one in foretold.items():
        configurations[name] = lambda _, options=one.options: cpu_ms(options)  # type: ignore[misc]
    taken = interleave.samples(configurations, interleave.BASE, rounds, run.progress, title,
                               lambda ms: f"{ms:,.0f} ms of CPU time")

    def saved(name: str) -> stats.Interval:
        return interleave.added(taken, name, interleave.BASE, lambda ms: -ms)
    return Result(together["c2_busy"], saved(interleave.CONTROL),
                  {name: Outcome(one, saved(name)) for name, one in foretold.items()})


def _cell(value: float, low: float, high: float) -> str:
    return f"{value:,.0f} [{low:,.0f}, {high:,.0f}]"


def table(jdk: Jdk, results: Mapping[str, Result]) -> Table:
    rows = []
    for workload, result in results.items():
        control = result.control
        for name, outcome in result.outcomes.items():
            told, measured = outcome.foretold, outcome.measured
            rows.append([workload, f"{100 * result.queue:.0f} %", name, str(told.methods),
                         _cell(told.value, told.low, told.high),
                         _cell(measured.value, measured.low, measured.high),
                         _cell(control.value, control.low, control.high),
                         "yes" if outcome.agrees else "no"])
    return Table(f"JDK {jdk.version}: milliseconds of CPU time that are saved [95 %]",
                 ["program", "C2 at work in the end", "what if", "methods",
                  "foretold", "measured", "A/A control", "agree"],
                 rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    def measure_one(workload: Workload, folder: Path) -> Result:
        recorder = Recorder(arguments.build, workload, jdk, folder, arguments.iterations)
        return measure_workload(recorder, arguments.rounds, run)
    results = run.by_workload(jdk, arguments.workloads, _steps(arguments), measure_one)
    if results:
        run.report.tables.append(table(jdk, results))


def _steps(arguments: argparse.Namespace) -> int:
    return 1 + interleave.steps([interleave.BASE, _NEVER, _LEVEL_1, _BETTER], arguments.rounds)


def main() -> int:
    experiment = Experiment("what_if", "Does what yp amortize --what-if foretells come true?",
                            rounds=7)
    experiment.add_workloads(iterations=8)
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
