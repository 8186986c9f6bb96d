"""Runs a prepared workload and holds its result against the expected checksum."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Mapping, Sequence

from eval import made, measure
from eval.jdks import Jdk
from eval.workloads import prepare
from eval.workloads.manifest import Workload, package_versions

_REFERENCES = prepare.BUILD / "checksums.json"


class WorkloadError(measure.Failed):
    """The program failed, or its result is not what an unprofiled run gives."""


@dataclass(frozen=True)
class Command:
    argv: list[str]
    cwd: Path
    env: Mapping[str, str]


@dataclass(frozen=True)
class Output:
    """What the harness prints: milliseconds of set-up and iterations, the checksum, and more."""

    setup_ms: int
    iterations_ms: list[int]
    checksum: str
    iterations_cpu_ms: list[int] = field(default_factory=list)  # of the process, all threads
    # CPU nanoseconds and calls of methods that the workload times itself, callees included.
    method_times: dict[str, tuple[int, int]] = field(default_factory=dict)
    # How often methods ran that count themselves, set-up included.
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    output: Output
    cost: measure.Cost
    stderr: str


def command(workload: Workload, jdk: Jdk, iterations: int = 1, jvm_options: Sequence[str] = (),
            gc: str = "-XX:+UseSerialGC", heap: Sequence[str] = ("-Xms1g", "-Xmx1g")) -> Command:
    """The Java command of a prepared workload; `jvm_options` come first."""
    class_path = ":".join([str(prepare.classes_of(workload)), *workload.class_path()])
    argv = [
        str(jdk.java), *jvm_options, gc, *heap, "-Xss8m", "-Djava.awt.headless=true",
        "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8", f"-Dwl.jdk17={made.jdk17().home}",
        f"-Dwl.python={sys.executable}", *workload.jvm_options,
        "-cp", class_path, "wl.Harness", workload.class_name, str(iterations), str(prepare.DATA),
    ]
    return Command(argv, prepare.BUILD, dict(os.environ))


def run(workload: Workload, jdk: Jdk, iterations: int = 1, prefix: Sequence[str] = (),
        jvm_options: Sequence[str] = (), **options: object) -> Run:
    """Runs a prepared workload, behind `prefix` (for example yp run -o P --), and verifies it.

    Raises WorkloadError when it fails or its checksum is not the expected one."""
    expected = expected_checksum(workload, jdk)
    result = _run(workload, jdk, iterations, prefix, jvm_options, **options)
    if result.output.checksum != expected:
        raise WorkloadError(f"{workload.name} on JDK {jdk.version}: checksum "
                            f"{result.output.checksum}, expected {expected}: the result changed")
    return result


def expected_checksum(workload: Workload, jdk: Jdk) -> str:
    """The manifest's checksum for the installed packages, else that of an unprofiled run here.

    Such a run is made once for these package versions on this JDK and remembered in the build
    folder."""
    versions = package_versions(workload.packages)
    if versions in workload.checksums:
        return workload.checksums[versions]
    key = f"{workload.name} on JDK {jdk.version}: {versions}"
    known = json.loads(_REFERENCES.read_text("utf-8")) if _REFERENCES.exists() else {}
    if key not in known:
        measure.note(f"workloads.json has no checksum for {versions}; "
                     f"running {workload.name} unprofiled to establish it")
        known[key] = _run(workload, jdk, iterations=1).output.checksum
        measure.note(f"reference checksum of {workload.name}: {known[key]}")
        _REFERENCES.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    return known[key]


def _run(workload: Workload, jdk: Jdk, iterations: int, prefix: Sequence[str] = (),
         jvm_options: Sequence[str] = (), **options: object) -> Run:
    java = command(workload, jdk, iterations, jvm_options, **options)
    outcome = measure.run([*prefix, *java.argv], java.cwd, java.env)
    if outcome.exit_code != 0:
        reason = "iterations differ" if outcome.exit_code == 3 else f"exit code {outcome.exit_code}"
        raise WorkloadError(f"{workload.name} on JDK {jdk.version}: {reason}\n"
                            f"{outcome.stdout[-2000:]}{outcome.stderr[-2000:]}")
    return Run(parse(outcome.stdout, iterations), outcome.cost, outcome.stderr)


def parse(stdout: str, iterations: int) -> Output:
    """Reads the harness's lines among whatever else the program printed."""
    setup = re.findall(r"^SETUP \S+ (\d+) ms$", stdout, re.MULTILINE)
    iteration = re.findall(r"^ITER \S+ \d+ (\d+) ms [0-9a-f]{16}$", stdout, re.MULTILINE)
    cpu = re.findall(r"^CPU \S+ \d+ (\d+) ms$", stdout, re.MULTILINE)
    checksum = re.findall(r"^CHECKSUM \S+ ([0-9a-f]{16})$", stdout, re.MULTILINE)
    if (len(setup), len(iteration), len(cpu), len(checksum)) != (1, iterations, iterations, 1):
        raise WorkloadError(f"incomplete output:\n{stdout[-2000:]}")
    times = re.findall(r"^TIME (\S+) (\d+) ns (\d+) calls$", stdout, re.MULTILINE)
    counts = re.findall(r"^COUNT (\S+) (\d+) calls$", stdout, re.MULTILINE)
    return Output(int(setup[0]), [int(ms) for ms in iteration], checksum[0],
                  [int(ms) for ms in cpu],
                  {method: (int(ns), int(calls)) for method, ns, calls in times},
                  {method: int(calls) for method, calls in counts})
