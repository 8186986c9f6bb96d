"""./yp eval amortize: are the verdicts on recompilations right?

Each program is recorded with --jit, and its recompilations are judged. The truth comes from other
runs of the same program: of all its code pinned to the level before (-XX:TieredStopAtLevel=3, or
-Xint), where a version that soon gave way in the judged run takes all the time, and of the program
as it was judged, again and again, for the calls and the time of the version after.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import sqlite3
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Sequence

from eval.built import Built
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.measure import Failed
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

Call = tuple[str, int, str]  # caller, bytecode, callee
_GOAL = 90.0
_Z = 1.96
_DECIDED = ("paid off", "did not")
_INTERPRETED, _PROFILED = 0, 3
_PINS = {_INTERPRETED: "-Xint", _PROFILED: "-XX:TieredStopAtLevel=3"}


@dataclass(frozen=True)
class Count:
    """A number, and its standard deviation."""

    value: float
    deviation: float = 0.0


@dataclass
class Frames:
    """The stacks of a recording as a tree, by the level of the code that executes each frame."""

    unit_ms: float  # what a stack is worth
    parents: list[int] = field(default_factory=list)
    frames: list[tuple[str, int, int | None]] = field(default_factory=list)  # method, bci, level
    samples: list[float] = field(default_factory=list)

    def add(self, parent: int, method: str, bci: int, level: int | None, samples: float) -> int:
        self.parents.append(parent)
        self.frames.append((method, bci, level))
        self.samples.append(samples)
        return len(self.parents) - 1

    def index(self) -> None:
        self._children: dict[int, list[int]] = defaultdict(list)
        self._places: dict[tuple[str, int | None], list[int]] = defaultdict(list)
        for node, parent in enumerate(self.parents):
            self._children[parent].append(node)
            method, _, level = self.frames[node]
            self._places[method, level].append(node)

    def samples_of(self, method: str, level: int, calls: set[Call]) -> float:
        """Those that ended in the method at that level, or below it along these calls."""
        total = 0.0
        pending = list(self._places[method, level])
        own = set(pending)
        while pending:
            node = pending.pop()
            total += self.samples[node]
            caller = self.frames[node][0]
            for child in self._children[node]:
                callee, bci, _ = self.frames[child]
                if child not in own and (caller, bci, callee) in calls:
                    pending.append(child)
        return total


@dataclass(frozen=True)
class Pinned:
    """A run with all code at one level: what a call of a method takes there."""

    level: int
    frames: Frames
    calls: Mapping[str, float]

    def of_call(self, method: str, inlined: set[Call]) -> Count | None:
        """In milliseconds, with what it calls by `inlined`; None where it was not called."""
        calls = self.calls.get(method, 0.0)
        if calls <= 0:
            return None
        samples = self.frames.samples_of(method, self.level, inlined)
        scale = self.frames.unit_ms / calls
        return Count(samples * scale, math.sqrt(samples + 1) * scale)


@dataclass(frozen=True)
class Checked:
    """A decided recompilation beside the truth."""

    method: str
    levels: tuple[int, int]
    verdict: str
    gain_ms: float
    true_ms: float | None  # None: below an upper limit that is negative
    truth: str  # "paid off", "did not", "undecided"


@dataclass(frozen=True)
class Result:
    recompilations: int
    decided: int
    checked: list[Checked]

    def count(self, verdict: str, truth: str) -> int:
        return sum(c.verdict == verdict and c.truth == truth for c in self.checked)

    @property
    def agreed(self) -> int:
        return sum(c.verdict == c.truth for c in self.checked)

    @property
    def told(self) -> int:
        """Those of which the truth is known."""
        return sum(c.truth in _DECIDED for c in self.checked)


@contextlib.contextmanager
def _opened(profile: Path) -> Any:
    with contextlib.closing(sqlite3.connect(f"file:{profile}?mode=ro", uri=True)) as database:
        yield database


def frames_of(profile: Path) -> Frames:
    with _opened(profile) as database:
        period = database.execute("SELECT value FROM config WHERE key = 'stacks.period'").fetchone()
        if period is None:
            raise Failed(f"{profile.name} has no stacks")
        frames = Frames(float(period[0]) / 1e6)
        ids: dict[int | None, int] = {None: -1}
        for id_, parent, bci, method, level, samples in database.execute(
                "SELECT c.id, c.parent, c.bci, m.full_name, "
                "CASE WHEN c.compile_id IS NULL THEN NULL ELSE c.level END, c.samples "
                "FROM code_contexts AS c JOIN methods AS m ON m.id = c.method ORDER BY c.id"):
            ids[id_] = frames.add(ids[parent], method, bci, level, samples)
    frames.index()
    return frames


def counted(profile: Path) -> dict[str, float]:
    """The calls that the VM counted of methods compiled with a profile."""
    with _opened(profile) as database:
        return dict(database.execute(
            "SELECT m.full_name, max(c.invocations) FROM code_counts AS c "
            "JOIN methods AS m ON m.id = c.method GROUP BY c.method"))


def inlined_by(profile: Path) -> dict[int, set[Call]]:
    """By compile id."""
    found: dict[int, set[Call]] = defaultdict(set)
    with _opened(profile) as database:
        for compile_id, caller, bci, callee in database.execute(
                "SELECT i.compile_id, a.full_name, i.bci, b.full_name FROM inlinings AS i "
                "JOIN jit_methods AS a ON a.id = i.caller JOIN jit_methods AS b ON b.id = i.callee "
                "WHERE i.succeeded"):
            found[compile_id].add((caller, bci, callee))
    return found


Row = Mapping[str, Any]  # of `yp amortize --json`


def after_of(rows: Iterable[Row], method: str, level: int) -> tuple[float, float] | None:
    """The calls and the milliseconds of a method's versions at one level; None where it has none,
    or calls of one are not known."""
    calls = time_ms = 0.0
    found = False
    for row in rows:
        if row["method"] != method or row["to"] != level:
            continue
        if row["calls_after"] is None:
            return None
        calls += row["calls_after"]
        time_ms += row["calls_after"] * row["after_ns"] / 1e6
        found = True
    return (calls, time_ms) if found else None


def mean(values: Sequence[float]) -> Count:
    """Of runs, and how far it may be off."""
    if len(values) < 2:
        return Count(values[0], values[0])
    return Count(statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)))


def truth_of(compile_ms: float, before: Count, calls: Count, after_ms: Count) -> tuple[float, str]:
    """The gain in milliseconds and the verdict. `before`: of a call; `after_ms`: of all."""
    gain = calls.value * before.value - after_ms.value - compile_ms
    deviation = math.hypot(calls.value * before.deviation, calls.deviation * before.value,
                           after_ms.deviation)
    if abs(gain) <= _Z * deviation:
        return gain, "undecided"
    return gain, "paid off" if gain > 0 else "did not"


def check(row: Row, inlined: set[Call], pinned: Pinned,
          again: Sequence[Sequence[Row]]) -> Checked | None:
    """None where there is no truth: what was not called there, or compiled again elsewhere."""
    before = pinned.of_call(row["method"], inlined)
    if before is None:
        return None
    levels = (row["from"], row["to"])
    others = [after_of(rows, row["method"], row["to"]) for rows in again]
    known = [other for other in others if other is not None]
    if len(known) >= 2:
        gain, verdict = truth_of(row["compile_ms"], before, mean([calls for calls, _ in known]),
                                 mean([time_ms for _, time_ms in known]))
        return Checked(row["method"], levels, row["verdict"], row["gain_ms"], gain, verdict)
    # As if all its calls had gone to the new version, and taken no time there.
    most = pinned.calls[row["method"]] * (before.value + _Z * before.deviation)
    if most < row["compile_ms"]:
        return Checked(row["method"], levels, row["verdict"], row["gain_ms"], None, "did not")
    return None


@dataclass(frozen=True)
class Recorder:
    built: Built
    workload: Workload
    jdk: Jdk
    folder: Path
    iterations: int

    def record(self, name: str, options: Sequence[str] = ("--jit",),
               jvm_options: Sequence[str] = (), iterations: int | None = None) -> Path:
        return self.record_output(name, options, jvm_options, iterations)[0]

    def record_output(self, name: str, options: Sequence[str] = ("--jit",),
                      jvm_options: Sequence[str] = (),
                      iterations: int | None = None) -> tuple[Path, runner.Output]:
        profile = self.folder / f"{name}.yp"
        profile.unlink(missing_ok=True)
        prefix = [str(self.built.yp), "run", "-q", "-o", str(profile), *options, "--"]
        result = runner.run(self.workload, self.jdk, iterations or self.iterations, prefix=prefix,
                            jvm_options=jvm_options)
        if not profile.is_file():
            raise Failed(f"{self.workload.name}: no profile: {result.stderr[-1000:]}")
        return profile, result.output

    def judged(self, name: str) -> tuple[Path, list[Row]]:
        profile = self.record(name)
        return profile, self.built.read("amortize", profile)

    def profiled(self) -> Pinned:
        profile = self.record("pinned-3", jvm_options=[_PINS[_PROFILED]])
        return Pinned(_PROFILED, frames_of(profile), counted(profile))

    def interpreted(self) -> Pinned:
        """Of one iteration, which takes long enough."""
        exact = self.record("exact", ["--mode", "exact", "--scope", "all", "--trivial", "include"],
                            iterations=1)
        calls = {row["method"]: float(row["calls"]) for row in self.built.read("top", exact)}
        profile = self.record("pinned-0", jvm_options=[_PINS[_INTERPRETED]], iterations=1)
        return Pinned(_INTERPRETED, frames_of(profile), calls)


def measure_workload(recorder: Recorder, again: int, run: Run) -> Result:
    title = f"{recorder.workload.name} on JDK {recorder.jdk.major}"
    profile, rows = recorder.judged("judged")
    decided = [row for row in rows if row["verdict"] in _DECIDED]
    run.progress.done(f"{title}: {len(decided):,} of {len(rows):,} recompilations are decided")
    inlined = inlined_by(profile)
    others = []
    for i in range(again):
        others.append(recorder.judged(f"again-{i}")[1])
        run.progress.done(f"{title}: judged again")
    pins: dict[int, Pinned] = {}
    makers: Mapping[int, Callable[[], Pinned]] = {_PROFILED: recorder.profiled,
                                                  _INTERPRETED: recorder.interpreted}
    for level, make in makers.items():
        pins[level] = make()
        run.progress.done(f"{title}: all code at level {level}")
    checked = []
    for row in decided:
        if row["from"] in pins:
            found = check(row, inlined.get(row["compile_id"], set()), pins[row["from"]], others)
            if found:
                checked.append(found)
    return Result(len(rows), len(decided), checked)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else ""


def table(jdk: Jdk, results: Mapping[str, Result]) -> Table:
    def row_of(name: str, of: Sequence[Result]) -> list[str]:
        def total(value: Callable[[Result], int]) -> int:
            return sum(value(result) for result in of)
        told, agreed = total(lambda r: r.told), total(lambda r: r.agreed)
        return [name, f"{total(lambda r: r.recompilations):,}", f"{total(lambda r: r.decided):,}",
                f"{total(lambda r: len(r.checked)):,}", f"{told:,}",
                *(f"{total(lambda r, v=v, t=t: r.count(v, t)):,}"  # type: ignore[misc]
                  for v in _DECIDED for t in _DECIDED), _percent(agreed, told)]
    rows = [row_of(name, [result]) for name, result in results.items()]
    rows.append(row_of("all", list(results.values())))
    return Table(
        f"JDK {jdk.version}: verdicts on recompilations beside the truth by pinned runs",
        ["program", "recompilations", "decided", "checked", "truth known", "paid off, and did",
         "paid off, but did not", "did not, but paid off", "did not, and did not", "% agree"], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    results = run.by_workload(
        jdk, arguments.workloads, _steps(arguments),
        lambda workload, folder: measure_workload(
            Recorder(arguments.build, workload, jdk, folder, arguments.iterations),
            arguments.again, run))
    if not results:
        return
    run.report.tables.append(table(jdk, results))
    told = sum(result.told for result in results.values())
    agreed = sum(result.agreed for result in results.values())
    run.goal(f"at least {_GOAL:.0f} % of the decided recompilations whose truth is known agree with "
             f"it, on JDK {jdk.major}", told > 0 and 100 * agreed >= _GOAL * told,
             f"{_percent(agreed, told)} % of {told:,}")


def _steps(arguments: argparse.Namespace) -> int:
    return 1 + arguments.again + len(_PINS)


def main() -> int:
    experiment = Experiment("amortize", "Are the verdicts on recompilations right?")
    experiment.add_workloads(iterations=20)
    experiment.parser.add_argument("--again", type=positive, default=3, metavar="N",
                                   help="runs for the calls and the time of the versions after "
                                        "(default: %(default)s; 2 at least)")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
