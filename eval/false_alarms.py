"""./yp eval false_alarms: what does `yp diff` list between recordings of one and the same run?"""

from __future__ import annotations

import argparse
import itertools
import shutil
import sqlite3
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Sequence

from eval import accuracy, measure
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.report import Table

CONFIGURATIONS = {"auto": "--probe auto", "bytecode": "--probe bytecode"}
# The edges of which one is given twice its calls have such a share of all calls.
_SHARES = (0.0007, 0.0014)
_PLANTED = 6  # of each kind, in each pair
_LEAST_IN_HALVES = 4  # recordings
_ALARMS_GOAL = 5.0  # percent of the disjoint pairs
_POWER_GOAL = 90.0

# What `yp diff --json` prints of two sides of recordings.
Diff = Callable[[Sequence[Path], Sequence[Path]], Mapping[str, Any]]
Sides = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass
class Found:
    """How many of how many."""

    found: int = 0
    of: int = 0

    def add(self, is_found: bool) -> None:
        self.found += is_found
        self.of += 1

    def __add__(self, other: Found) -> Found:
        return Found(self.found + other.found, self.of + other.of)

    def percent(self) -> float | None:
        return 100 * self.found / self.of if self.of else None

    def __str__(self) -> str:
        return f"{self.found} of {self.of}" if self.of else ""


@dataclass
class Result:
    """Of one program in one configuration."""

    samples: list[int] = field(default_factory=list)
    disjoint: Found = field(default_factory=Found)  # pairs that list anything
    pairs: Found = field(default_factory=Found)  # all pairs
    groups: Found = field(default_factory=Found)  # halves of the recordings against each other
    most: int = 0  # changes listed between two recordings
    listed: list[str] = field(default_factory=list)  # what was listed falsely
    # Edges with twice their calls that were found: of those that were sampled, and of those that
    # were inferred; in disjoint pairs, and between halves of the recordings.
    sampled: Found = field(default_factory=Found)
    sampled_in_groups: Found = field(default_factory=Found)
    inferred: Found = field(default_factory=Found)
    inferred_in_groups: Found = field(default_factory=Found)


@dataclass
class Results:
    by_configuration: dict[str, Result]


def disjoint_pairs(recordings: int) -> list[Sides]:
    """Each recording is in one of them: their results are independent."""
    return [((i,), (i + 1,)) for i in range(0, recordings - 1, 2)]


def all_pairs(recordings: int) -> list[Sides]:
    return [((a,), (b,)) for a, b in itertools.combinations(range(recordings), 2)]


def halves(recordings: int) -> list[Sides]:
    """Those that alternate, of four recordings or more: what drifts is in both."""
    if recordings < _LEAST_IN_HALVES:
        return []
    return [(tuple(range(0, recordings, 2)), tuple(range(1, recordings, 2)))]


def plant(profile: Path, edge: Mapping[str, Any], target: Path) -> None:
    """The profile as if the edge had been called, and sampled, twice as often."""
    shutil.copyfile(profile, target)
    with sqlite3.connect(target) as database:
        changed = database.execute(
            """UPDATE edges SET calls = 2 * calls, uncorrected = 2 * uncorrected, low = 2 * low,
                   high = 2 * high, variance = 2 * variance, samples = 2 * samples
               WHERE bci = ? AND callee = (SELECT id FROM methods WHERE full_name = ?)
                 AND coalesce((SELECT full_name FROM methods WHERE id = caller), '(root)') = ?""",
            (edge["bci"], edge["callee"], edge["caller"])).rowcount
    database.close()
    if changed != 1:
        raise measure.Failed(f"{edge['callee']} is {changed} edges of {profile}")


def inlined_callees(profile: Path) -> set[str]:
    """Methods of which at least one call in a thousand was inlined: see core/graph/diff.cc."""
    with sqlite3.connect(f"file:{profile}?mode=ro", uri=True) as database:
        rows = database.execute(
            """SELECT callee FROM named_edges GROUP BY callee
               HAVING sum(CASE WHEN flags & 16 THEN calls ELSE 0 END) > 0.001 * sum(calls)""")
        return {callee for callee, in rows}


def candidates(changes: Iterable[Mapping[str, Any]], inlined: set[str],
               is_inferred: bool) -> list[Mapping[str, Any]]:
    """Of all changes of a comparison, the edges that are given twice their calls."""
    chosen = [change for change in changes
              if _SHARES[0] <= change["before"] <= _SHARES[1] and change["after"] > 0
              and change["tested"] and (change["callee"] in inlined) == is_inferred]
    chosen.sort(key=lambda change: (change["caller"], change["bci"], change["callee"]))
    step = max(1, len(chosen) // _PLANTED)
    return chosen[::step][:_PLANTED]


def is_listed(changes: Iterable[Mapping[str, Any]], edge: Mapping[str, Any]) -> bool:
    key = ("caller", "bci", "callee")
    return any(all(change[part] == edge[part] for part in key) for change in changes)


def judge(profiles: Sequence[Path], diff: Diff, diff_all: Diff, folder: Path) -> Result:
    """`diff_all` lists every difference, chance or not."""
    result = Result()

    def of(sides: Sides) -> tuple[list[Path], list[Path]]:
        return [profiles[i] for i in sides[0]], [profiles[i] for i in sides[1]]

    for sides in all_pairs(len(profiles)):
        listed = diff(*of(sides))
        result.pairs.add(listed["significant"] > 0)
        if sides in disjoint_pairs(len(profiles)):
            result.disjoint.add(listed["significant"] > 0)
        result.most = max(result.most, listed["significant"])
        result.listed += [f"{change['caller']} -> {change['callee']}"
                          for change in listed["changes"]]
    for sides in halves(len(profiles)):
        result.groups.add(diff(*of(sides))["significant"] > 0)

    def planted(sides: Sides, is_inferred: bool) -> Found:
        before, after = of(sides)
        inlined = set().union(*(inlined_callees(profile) for profile in [*before, *after]))
        found = Found()
        for edge in candidates(diff_all(before, after)["changes"], inlined, is_inferred):
            changed = []
            try:
                for number, profile in enumerate(after):
                    target = folder / f"planted-{number}.yp"
                    plant(profile, edge, target)
                    changed.append(target)
            except measure.Failed:  # One of the recordings has it not.
                continue
            found.add(is_listed(diff(before, changed)["changes"], edge))
        return found

    for sides in disjoint_pairs(len(profiles)):
        result.sampled += planted(sides, False)
        result.inferred += planted(sides, True)
    for sides in halves(len(profiles)):
        result.sampled_in_groups += planted(sides, False)
        result.inferred_in_groups += planted(sides, True)
    return result


def table(jdk: Jdk, name: str, results: Mapping[str, Result]) -> Table:
    total = Result()
    rows = []
    for workload, result in results.items():
        rows.append([workload, str(len(result.samples)),
                     f"{sum(result.samples) / max(1, len(result.samples)):,.0f}", *_cells(result)])
        for each in ("disjoint", "pairs", "groups", "sampled", "sampled_in_groups", "inferred",
                     "inferred_in_groups"):
            setattr(total, each, getattr(total, each) + getattr(result, each))
        total.most = max(total.most, result.most)
    rows.append(["all", "", "", *_cells(total)])
    return Table(f"JDK {jdk.version}, {name}: comparisons of recordings of one run that list "
                 "anything, and edges of about 0.1 % of the calls that were found when they were "
                 "called twice as often",
                 ["program", "recordings", "samples", "disjoint pairs", "all pairs", "most changes",
                  "halves", "sampled", "sampled, halves", "inferred", "inferred, halves"], rows)


def _cells(result: Result) -> list[str]:
    return [str(result.disjoint), str(result.pairs), str(result.most), str(result.groups),
            str(result.sampled), str(result.sampled_in_groups), str(result.inferred),
            str(result.inferred_in_groups)]


def recorded(recorder: accuracy.Recorder, arguments: argparse.Namespace, run: Run,
             configurations: Mapping[str, str]) -> dict[str, list[Path]]:
    """By configuration; those that --recordings has already are not made again."""
    kept: dict[str, list[Path]] = {name: [] for name in configurations}
    for number in range(arguments.recordings_each):
        # Back and forth, so that none is always first.
        names = list(configurations) if number % 2 == 0 else list(configurations)[::-1]
        for name in names:
            place = arguments.recordings or recorder.folder
            place.mkdir(parents=True, exist_ok=True)
            target = place / f"{recorder.workload.name}-{recorder.jdk.major}-{name}-{number}.yp"
            if not target.is_file():
                shutil.move(recorder.record(name, configurations[name], arguments.iterations),
                            target)
            kept[name].append(target)
            run.progress.done(f"{recorder.title}: {name}, recording {number + 1}")
    return kept


def measure_workload(recorder: accuracy.Recorder, arguments: argparse.Namespace,
                     run: Run) -> Results:
    profiles = recorded(recorder, arguments, run, arguments.configurations)
    read = recorder.built.read

    def diff(before: Sequence[Path], after: Sequence[Path], *options: str) -> Mapping[str, Any]:
        return read("diff", *options, *before, "--", *after)

    results = {}
    for name, each in profiles.items():
        result = judge(each, diff, lambda before, after: diff(before, after, "--all"),
                       recorder.folder)
        result.samples = [recorder.info(profile)["samples"] for profile in each]
        results[name] = result
    return Results(results)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    steps = arguments.recordings_each * len(arguments.configurations)
    results = run.by_workload(
        jdk, arguments.workloads, steps,
        lambda workload, folder: measure_workload(
            accuracy.Recorder(arguments.build, workload, jdk, accuracy.COLLECTORS[0], folder),
            arguments, run))
    for name in arguments.configurations:
        of_programs = {workload: result.by_configuration[name] for workload, result in results.items()}
        if not of_programs:
            continue
        run.report.tables.append(table(jdk, name, of_programs))
        alarms = sum((result.disjoint for result in of_programs.values()), Found())
        rate = alarms.percent()
        run.goal(f"{name}, JDK {jdk.major}: at most {_ALARMS_GOAL:.0f} % of the disjoint pairs list "
                 "anything", rate is not None and rate <= _ALARMS_GOAL, str(alarms) or "there is none")
        _goal_of_power(run, f"{name}, JDK {jdk.major}",
                       [result.sampled for result in of_programs.values()])
        if arguments.recordings_each >= _LEAST_IN_HALVES:
            _goal_of_power(run, f"{name}, JDK {jdk.major}, between halves of the recordings",
                           [result.sampled_in_groups for result in of_programs.values()])


def _goal_of_power(run: Run, of: str, results: Iterable[Found]) -> None:
    power = sum(results, Found())
    found = power.percent()
    run.goal(f"{of}: nine of ten sampled edges of 0.1 % are found when they are called twice as "
             "often", found is not None and found >= _POWER_GOAL,
             str(power) or "none has calls enough for a test")


def main() -> int:
    experiment = Experiment(
        "false_alarms", "What does `yp diff` list between recordings of one and the same run?")
    experiment.add_workloads(iterations=20)
    experiment.add_configurations(CONFIGURATIONS, "denser:--budget 2", "the options of yp run")
    experiment.parser.add_argument("--recordings-each", type=positive, default=6, metavar="N",
                                   help="of each program in each configuration (default: "
                                        "%(default)s)")
    experiment.parser.add_argument("--recordings", type=lambda folder: Path(folder).resolve(),
                                   metavar="FOLDER",
                                   help="keep the recordings there, and take those that are there: "
                                        "for an evaluation in pieces, and for another build")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * arguments.recordings_each *
                          len(arguments.configurations))


if __name__ == "__main__":
    sys.exit(main())
