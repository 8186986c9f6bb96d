"""What the experiments' command lines have in common."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence, TypeVar

from eval import jdks, measure, published, report
from eval.built import Built
from eval.jdks import Jdk
from eval.progress import Progress
from eval.workloads import manifest, prepare
from eval.workloads.manifest import Workload

Result = TypeVar("Result")  # of one workload
First = TypeVar("First")
Second = TypeVar("Second")

_OUTPUTS = ("--json", "--publish", "--section")


def found_jdks(majors: Sequence[int] | None) -> list[Jdk]:
    found = []
    for major in majors or (17, 25):
        jdk = jdks.find(major)
        if jdk is None:
            measure.note(f"SKIPPED: no JDK {major} in JAVA_HOME or /usr/lib/jvm")
        else:
            found.append(jdk)
    return found


def add_jdks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jdk", type=int, action="append", metavar="MAJOR",
                        help="a JDK's major version, may be repeated (default: 17 and 25)")


def add_names(parser: argparse.ArgumentParser, known: Sequence[str]) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help=f"of {', '.join(known)}; tuned, the twelve batch programs that "
                             "are not held out, or held-out, those that are (default: tuned)")


def chosen(parser: argparse.ArgumentParser, names: Sequence[str],
           workloads: Mapping[str, Workload]) -> list[Workload]:
    """Each once. Where none is named, the tuned ones. Ends the program when a name is unknown."""
    sets = manifest.sets(workloads)
    wanted = manifest.expanded(names or ["tuned"], sets)
    unknown = sorted(set(wanted) - set(workloads))
    if unknown:
        parser.error(f"no such workload: {', '.join(unknown)} "
                     f"(there are {', '.join([*sets, *workloads])})")
    return [workloads[name] for name in dict.fromkeys(wanted)]


def named_configuration(text: str) -> tuple[str, str]:
    """NAME:OPTIONS. The options may be empty and hold colons."""
    name, colon, options = text.partition(":")
    if not name or not colon:
        raise argparse.ArgumentTypeError(f"{text}: write NAME:OPTIONS")
    return name, options


def split_configuration(options: str) -> tuple[list[str], list[str]]:
    """The options of a configuration, and those of the JVM, with -- between them."""
    words = shlex.split(options)
    if "--" not in words:
        return words, []
    end = words.index("--")
    return words[:end], words[end + 1:]


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _exit(number: int, frame: object) -> None:
    """As an exception, so that it ends the measured command and removes temporary files, too."""
    sys.exit(128 + number)


class Experiment:
    """Parses, collects failures and writes results.

    A failed run costs its group of runs (a workload on a JDK), never the others: what was measured
    is reported, the failure beside it, and the exit code is 1."""

    def __init__(self, name: str, question: str, rounds: int | None = None):
        self.name = name
        self.question = question
        self._default_configurations: Mapping[str, str] = {}
        self.parser = argparse.ArgumentParser(prog=f"yp eval {name}", description=question)
        add_jdks(self.parser)
        if rounds:
            self.parser.add_argument("--rounds", type=positive, default=rounds, metavar="N",
                                     help="each runs every configuration once (default: "
                                          "%(default)s; of fewer than 7 no interval is right)")
        self.parser.add_argument("--build", type=lambda folder: Built(Path(folder).resolve()),
                                 default=Built(), metavar="FOLDER",
                                 help="a build of Yieldpoint (default: build/release)")
        self.parser.add_argument("--json", type=Path, metavar="FILE",
                                 help="write every measurement, as soon as a program is done with")
        published.add_options(self.parser, name)

    def add_workloads(self, iterations: int | None) -> None:
        """`iterations` is the default; None: the experiment decides how many."""
        add_names(self.parser, list(manifest.load()))
        if iterations:
            self.parser.add_argument("--iterations", type=positive, default=iterations, metavar="N",
                                     help="of the program, in one JVM (default: %(default)s)")

    def add_configurations(self, defaults: Mapping[str, str], example: str, options: str) -> None:
        listed = ", ".join(f"{name}:{value}" for name, value in defaults.items())
        self.parser.add_argument(
            "--config", type=named_configuration, action="append", metavar="NAME:OPTIONS",
            default=[], help=f"a configuration by {options}, such as \"{example}\", may be "
                             f"repeated; takes the place of the defaults ({listed})")
        self._default_configurations = defaults

    def add_runs(self) -> None:
        """Of each configuration, and how long the exact run is that they are judged by."""
        self.parser.add_argument("--runs", type=positive, default=3, metavar="N",
                                 help="of each configuration (default: %(default)s)")
        self.parser.add_argument("--reference-iterations", type=positive, metavar="N",
                                 help="of the exact run, which takes several times as long; with "
                                      "fewer, set-up and warm-up weigh more in it (default: as "
                                      "many as --iterations)")

    def run(self, measure_jdk: Callable[[argparse.Namespace, Jdk, Run], None],
            steps: Callable[[argparse.Namespace], int]) -> int:
        """Calls `measure_jdk` for each JDK; `steps` says how many runs that takes at most."""
        signal.signal(signal.SIGTERM, _exit)
        arguments = self._parse()
        found = found_jdks(arguments.jdk)
        command = report.command_line(self.name, sys.argv[1:], _OUTPUTS)
        results = report.Report(self.name, self.question, command, found)
        run = Run(results, Progress(steps(arguments) * len(found)), arguments.json)
        for jdk in found:
            measure_jdk(arguments, jdk, run)
            published.publish_as_asked(results, arguments)
        print(results.text(), end="")
        return 1 if results.failures or not found else 0

    def _parse(self) -> argparse.Namespace:
        arguments = self.parser.parse_args()
        missing = arguments.build.missing()
        if missing:
            self.parser.error(f"--build: {missing[0]} is not there")
        if hasattr(arguments, "config"):
            arguments.configurations = dict(arguments.config) or dict(self._default_configurations)
            if len(dict(arguments.config)) < len(arguments.config):
                self.parser.error("--config: two configurations have the same name")
        if hasattr(arguments, "names"):
            arguments.workloads = chosen(self.parser, arguments.names, manifest.load())
            prepare.prepare(arguments.workloads)
        return arguments


def apart(results: Mapping[str, tuple[First, Second]]) -> tuple[dict[str, First], dict[str, Second]]:
    """Two results of each workload, by the workload each."""
    return ({name: first for name, (first, _) in results.items()},
            {name: second for name, (_, second) in results.items()})


class Run:
    """A run of an experiment: where its results go and how far it is."""

    def __init__(self, results: report.Report, progress: Progress, json_file: Path | None = None):
        self.report = results
        self.progress = progress
        self._json_file = json_file

    @contextlib.contextmanager
    def group(self, title: str, steps: int) -> Iterator[None]:
        """Takes note of a failure within, which ends the group, and saves the measurements."""
        left = self.progress.left - steps
        try:
            yield
        except (measure.Failed, subprocess.TimeoutExpired) as error:
            self.report.failures.append(f"{title}: {error}")
            measure.note(f"FAILED: {title}: {error}")
            self.progress.leave_out(self.progress.left - left)
        if self._json_file:
            self.report.save_json(self._json_file)

    def by_workload(self, jdk: Jdk, workloads: Sequence[Workload], steps: int,
                    measure_one: Callable[[Workload, Path], Result],
                    to_json: Callable[[Any], object] = asdict) -> dict[str, Result]:
        """What `measure_one(workload, temporary folder)` gives of each that did not fail: a group
        each, whose result is kept among the JDK's measurements at once, as `to_json` of it: of a
        dataclass, its fields."""
        results: dict[str, Result] = {}
        data: dict[str, object] = {}
        self.report.data[jdk.version] = data
        for workload in workloads:
            with (self.group(f"{workload.name} on JDK {jdk.version}", steps),
                  tempfile.TemporaryDirectory(prefix="yp-eval-") as folder):
                results[workload.name] = measure_one(workload, Path(folder))
                data[workload.name] = to_json(results[workload.name])
        return results

    def goal(self, text: str, is_met: bool, reached: str) -> None:
        self.report.goals.append(report.Goal(text, is_met, reached))
