"""./yp eval run PLAN: makes the runs that a plan declares, and reports on them."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType

from eval import measure, published, report
from eval.built import Built
from eval.experiment import found_jdks, positive
from eval.made import ROOT
from eval.run import origin, output, plan as plans, results, rounds
from eval.run.folder import Folder, FolderError
from eval.run.plan import Known, Plan, PlanError
from eval.workloads import manifest, prepare

_OUTPUTS = ("--publish", "--section", "-o", "--output")
_QUICK = "quick"


def _parser() -> argparse.ArgumentParser:
    known = ", ".join(sorted(path.stem for path in plans.PLANS.glob("*.toml")))
    parser = argparse.ArgumentParser(
        prog="yp eval run", description="Makes the runs that a plan declares, and reports on them. "
                                        "The same command goes on with what was interrupted.")
    parser.add_argument("plan", nargs="?", metavar="PLAN",
                        help=f"a TOML file, or of {known}: see eval/run/README.md")
    parser.add_argument("--quick", action="store_true", help="short for the plan quick")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER",
                        help="of the results (default: build/eval/NAME)")
    parser.add_argument("--fresh", action="store_true",
                        help="remove the results that are there and begin anew")
    parser.add_argument("--replay", action="store_true",
                        help="only report again on what is recorded")
    parser.add_argument("--runs", type=positive, metavar="N", help="instead of the plan's")
    parser.add_argument("--iterations", type=positive, metavar="N", help="instead of the plan's")
    parser.add_argument("--jdk", type=int, action="append", metavar="MAJOR",
                        help="instead of the plan's, may be repeated")
    parser.add_argument("--build", type=lambda folder: Built(Path(folder).resolve()),
                        default=Built(), metavar="FOLDER",
                        help="a build of Yieldpoint (default: build/release)")
    parser.add_argument("--references", type=Path, metavar="FOLDER",
                        default=ROOT / "build" / "references",
                        help="exact profiles, shared by evaluations (default: build/references)")
    published.add_options(parser, None)
    return parser


def _plan(arguments: argparse.Namespace) -> Plan:
    """Raises PlanError."""
    if arguments.quick == bool(arguments.plan):
        raise PlanError("name one plan, or --quick: ./yp eval run PLAN")
    workloads = manifest.load()
    reports = sorted(path.stem for path in (ROOT / "eval" / "papers").glob("*.py")
                     if path.stem != "__init__" and not path.stem.endswith("_unittest"))
    loaded = plans.load(plans.find(_QUICK if arguments.quick else arguments.plan), Known(
        list(workloads), manifest.sets(workloads), reports))
    changes = {"runs": arguments.runs, "iterations": arguments.iterations,
               "jdks": arguments.jdk and tuple(dict.fromkeys(arguments.jdk))}
    return replace(loaded, **{key: value for key, value in changes.items() if value})


def _record(plan: Plan, folder: Folder, arguments: argparse.Namespace) -> origin.Origin | None:
    """None when there is no JDK to run on."""
    jdks = found_jdks(plan.jdks)
    if not jdks:
        return None
    command = report.command_line("run", sys.argv[1:], _OUTPUTS)
    before = folder.origin()
    begun = folder.begin(origin.of(plan, arguments.build, jdks, command, rounds.now()),
                         arguments.fresh)
    if before == begun:
        measure.note(f"{folder.root}: {len(folder.runs())} runs are there from {begun.date}; goes "
                     "on with the rest")
    workloads = manifest.load()
    chosen = [workloads[name] for name in plan.workloads]
    prepare.prepare(chosen)
    bench = rounds.Bench(plan, arguments.build, folder, arguments.references.resolve())
    rounds.measure_all(bench, chosen, jdks)
    return begun


def _replayed(plan: Plan, folder: Folder, begun: origin.Origin) -> Plan:
    """What was recorded, with the question and the reports that the plan has now."""
    if begun.plan_digest != plan.digest():
        measure.note(f"{folder.root}: was recorded by another plan, which is reported on")
    return replace(Plan.from_json(begun.plan), question=plan.question, reports=plan.reports)


def _evaluate(arguments: argparse.Namespace) -> int:
    plan = _plan(arguments)
    missing = arguments.build.missing()
    if missing:
        raise PlanError(f"--build: {missing[0]} is not there; build it, or name another folder")
    arguments.build.use()
    folder = Folder((arguments.output or ROOT / "build" / "eval" / plan.name).resolve())
    begun = folder.origin()
    if arguments.replay and begun is None:
        raise FolderError(f"{folder.root}: nothing is recorded there; run the plan without "
                          "--replay first")
    with folder.locked():
        if arguments.replay and begun:
            plan = _replayed(plan, folder, begun)
        else:
            begun = _record(plan, folder, arguments)
        if begun is None:
            return 1
        told = results.tell(plan, begun, folder)
        output.save(told, folder.root)
    if arguments.publish:
        output.publish(told, arguments.publish, arguments.section or plan.name)
    for each in told.reports().values():
        print(each.text())
    measure.note(f"{folder.root / output.PAGE}")
    return 1 if told.failures else 0


def _end(number: int, frame: FrameType | None) -> None:
    """As an exception, so that it ends the measured program, too."""
    sys.exit(128 + number)


def main() -> int:
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _end)
    parser = _parser()
    arguments = parser.parse_args()
    try:
        return _evaluate(arguments)
    except (PlanError, FolderError) as error:
        measure.note(f"yp eval run: {error}")
        return 2
    except SystemExit:
        measure.note("yp eval run: ended early; the same command goes on")
        raise


if __name__ == "__main__":
    sys.exit(main())
