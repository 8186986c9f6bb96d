"""./yp eval openjdk_tests: do OpenJDK's own tests pass with the project's own compiler?"""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import shutil
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Sequence

from eval import made
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.openjdk_tests import jdk_folder, outcomes
from eval.openjdk_tests.jtreg import Harness, Results
from eval.openjdk_tests.outcomes import Causes, Outcome
from eval.report import Table

_GROUPS = Path(__file__).resolve().parent / "groups.toml"
_CONFIGURATIONS = {"BASE": "", "static": "--inline static"}
# It needs no newer JDK than the oldest that it tests.
_HARNESS = "jtreg7"


@dataclass(frozen=True)
class Configured:
    """What a configuration did to a group."""

    outcome: Outcome
    jvms: int
    compilations: int


@dataclass(frozen=True)
class Group:
    not_passed: Mapping[str, str]  # with stock HotSpot: what the harness says of each test
    selected: int
    stock: int  # passed
    configured: Mapping[str, Configured]


def load_groups(file: Path = _GROUPS) -> dict[str, list[str]]:
    return {name: group["tests"] for name, group in tomllib.loads(file.read_text("utf-8")).items()}


def run_group(harness: Harness, jdk: Jdk, places: Sequence[str], arguments: argparse.Namespace,
              causes: Causes, work: Path, run: Run) -> Group:
    def did(what: str, results: Results) -> None:
        run.progress.done(f"{work.name} on JDK {jdk.major}, {what}: {len(results.passed())} of "
                          f"{len(results.statuses)} tests passed")

    if arguments.again:
        shutil.rmtree(work, ignore_errors=True)
    stock = harness.run(places, jdk.home, jdk, work / "stock")
    did("stock", stock)
    configured = {}
    for name, options in arguments.configurations.items():
        folder = work / name.replace(" ", "-")
        tested = jdk_folder.make(folder, jdk, arguments.build.yp, shlex.split(options))
        results = harness.run(places, tested.home, jdk, folder / "first")
        did(name, results)
        configured[name] = judged(harness, jdk, stock, results, tested, causes, folder)
    not_passed = {test: status for test, status in stock.statuses.items()
                  if test not in stock.passed()}
    return Group(not_passed, len(stock.statuses), len(stock.passed()), configured)


def judged(harness: Harness, jdk: Jdk, stock: Results, results: Results,
           tested: jdk_folder.JdkFolder, causes: Causes, folder: Path) -> Configured:
    """What passed with stock HotSpot and not here runs once more, alone, unless it took too long."""
    again = stock.passed() - results.passed() - results.timed_out()
    alone = dataclasses.replace(harness, concurrency=1)
    second = alone.run(sorted(again), tested.home, jdk, folder / "second") if again else None

    def cause_of(test: str) -> outcomes.Cause:
        printed = (second or results).output(test) or results.output(test)
        source = (harness.test_folder() / test.partition("#")[0]).read_text("utf-8", "replace")
        return causes.of(test, printed, source)

    outcome = outcomes.judge(stock.passed(), results.statuses, results.passed(),
                             second.passed() if second else set(), cause_of)
    return Configured(outcome, *jdk_folder.compilations(tested.logs))


def pass_table(jdk: Jdk, groups: Mapping[str, Group], names: Sequence[str]) -> Table:
    """A test that cannot apply is no difference."""
    columns = ("passed", "at the second run", "cannot apply", "differ")
    rows = []
    for title, group in groups.items():
        row = [title, f"{group.selected:,}", f"{group.stock:,}"]
        for name in names:
            outcome = group.configured[name].outcome
            row += [f"{number:,}" for number in (outcome.passed, len(outcome.passed_again),
                                                 len(outcome.cannot_apply), len(outcome.differ))]
        rows.append(row)
    sums = ["all", *(f"{sum(int(row[i].replace(',', '')) for row in rows):,}"
                     for i in range(1, 3 + len(columns) * len(names)))]
    return Table(f"JDK {jdk.version}: tests of OpenJDK's that pass; those of stock HotSpot that do not "
                 "pass here ran once more",
                 ["group", "tests", "stock: passed",
                  *(f"{name}: {column}" for name in names for column in columns)], [*rows, sums])


def compiled_table(jdk: Jdk, groups: Mapping[str, Group], names: Sequence[str]) -> Table:
    rows = [[title, *(f"{number:,}" for name in names
                      for number in (group.configured[name].jvms, group.configured[name].compilations))]
            for title, group in groups.items()]
    return Table(f"JDK {jdk.version}: what was compiled meanwhile, in how many JVMs",
                 ["group", *(f"{name}: {column}" for name in names for column in ("JVMs", "methods"))],
                 rows)


def differences_table(jdk: Jdk, groups: Mapping[str, Group]) -> Table | None:
    rows = [[test, name, cause] for group in groups.values()
            for name, of_name in group.configured.items()
            for test, cause in of_name.outcome.differ.items()]
    return Table(f"JDK {jdk.version}: each difference", ["test", "configuration", "cause"],
                 rows) if rows else None


def reasons_table(jdk: Jdk, groups: Mapping[str, Group], names: Sequence[str]) -> Table | None:
    counted: Counter[tuple[str, str]] = Counter(
        (cause, name) for group in groups.values() for name in names
        for cause in group.configured[name].outcome.cannot_apply.values())
    reasons = sorted({cause for cause, _ in counted})
    return Table(f"JDK {jdk.version}: why tests cannot apply", ["reason", *names],
                 [[reason, *(f"{counted[reason, name]:,}" for name in names)]
                  for reason in reasons]) if reasons else None


def stock_table(jdk: Jdk, groups: Mapping[str, Group]) -> Table | None:
    counted = Counter(status for group in groups.values() for status in group.not_passed.values())
    return Table(f"JDK {jdk.version}: what stock HotSpot does not pass, by the harness's word",
                 ["word", "tests"],
                 [[status, f"{tests:,}"] for status, tests in counted.most_common()]) if counted else None


def report_groups(jdk: Jdk, groups: Mapping[str, Group], names: Sequence[str], run: Run) -> None:
    tables = (pass_table(jdk, groups, names), differences_table(jdk, groups),
              reasons_table(jdk, groups, names), stock_table(jdk, groups),
              compiled_table(jdk, groups, names))
    run.report.tables += [table for table in tables if table]
    for name in names:
        differ = [cause for group in groups.values()
                  for cause in group.configured[name].outcome.differ.values()]
        unexplained = differ.count(outcomes.UNEXPLAINED)
        run.goal(f"every difference is explained, {name}, JDK {jdk.major}", not unexplained,
                 f"{len(differ)} differences, {unexplained} of them not explained")


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    harness = Harness(arguments.sources, arguments.concurrency, arguments.timeout_factor)
    causes = Causes.read()
    groups: dict[str, Group] = {}
    work = arguments.work / str(jdk.major)
    for name in arguments.groups:
        with run.group(f"{name} on JDK {jdk.major}", 1 + len(arguments.configurations)):
            groups[name] = run_group(harness, jdk, load_groups()[name], arguments, causes,
                                     work / name, run)
    run.report.data[jdk.version] = {
        title: {"tests": group.selected, "stock": group.stock, "stock: not passed": group.not_passed,
                **{name: {**each.outcome.to_json(), "jvms": each.jvms, "compilations": each.compilations}
                   for name, each in group.configured.items()}}
        for title, group in groups.items()}
    if groups:
        report_groups(jdk, groups, list(arguments.configurations), run)


def main() -> int:
    experiment = Experiment(
        "openjdk_tests", "Do OpenJDK's own tests pass with the project's own compiler?")
    known = load_groups()
    parser = experiment.parser
    parser.add_argument("--sources", type=lambda folder: Path(folder).resolve(), required=True,
                        metavar="FOLDER", help="OpenJDK's sources, of the version that --jdk names")
    parser.add_argument("--groups", nargs="+", choices=list(known), default=list(known),
                        metavar="GROUP", help=f"of {', '.join(known)} (default: all)")
    parser.add_argument("--work", type=lambda folder: Path(folder).resolve(),
                        default=made.ROOT / "build" / "openjdk_tests", metavar="FOLDER",
                        help="where the harness writes, and finds what an earlier run has done "
                             "(default: build/openjdk_tests)")
    parser.add_argument("--again", action="store_true", help="run all tests anew")
    parser.add_argument("--concurrency", type=positive, default=2, metavar="N",
                        help="tests at a time (default: %(default)s)")
    parser.add_argument("--timeout-factor", type=float, default=1.0, metavar="F",
                        help="times the harness's own limits (default: %(default)s)")
    experiment.add_configurations(_CONFIGURATIONS, "profiled:--profiler countdown -o x.yp",
                                  "options of yp aos")
    made.install(_HARNESS)
    return experiment.run(measure_jdk, lambda arguments: len(arguments.groups) *
                          (1 + len(arguments.configurations)))


if __name__ == "__main__":
    sys.exit(main())
