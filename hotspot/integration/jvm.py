"""Runs the test programs in real JVMs, with and without the agent, and reads what it recorded.

From the environment: YP_AGENT (the agent's library), YP_CLI (the program yp), YP_PROGRAMS (what
programs.py has made) and YP_ATTACHING (the program of native/).
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Sequence, TypeVar

from eval import jdks, measure

AGENT = Path(os.environ.get("YP_AGENT", ""))
CLI = Path(os.environ.get("YP_CLI", ""))
PROGRAMS = Path(os.environ.get("YP_PROGRAMS", ""))
ATTACHING = os.environ.get("YP_ATTACHING", "")
VERSIONS = (11, 17, 25)
SMALL = ("-Xmx160m", "-Xms32m", "-XX:+UseSerialGC", "-XX:-UsePerfData")
TIMEOUT_SECONDS = 240.0

One = TypeVar("One")
Other = TypeVar("Other")


@dataclass(frozen=True)
class Edge:
    """One edge as `yp edges --json` prints it."""

    caller: str
    bci: int
    line: int
    callee: str
    calls: float | None  # None: found, not counted
    samples: int = 0


@dataclass(frozen=True)
class Recording:
    spool: Path

    @functools.cached_property
    def edges(self) -> list[Edge]:
        names = Edge.__dataclass_fields__
        return [Edge(**{name: edge[name] for name in names}) for edge in read("edges", self.spool)]

    @functools.cached_property
    def info(self) -> dict:
        return read("info", self.spool)

    @property
    def drops(self) -> dict[str, int]:
        return dict(self.info["drops"])

    @property
    def late(self) -> int:
        """Samples that a full ring had no place for: on a busy machine the drain may be too slow for
        loops that do nothing but call."""
        return self.drops.get("ring_full", 0)

    @property
    def other_drops(self) -> dict[str, int]:
        """All but those."""
        return {reason: n for reason, n in self.drops.items() if reason != "ring_full"}


def read(command: str, *arguments: Path) -> object:
    """What yp prints of files."""
    result = subprocess.run([CLI, command, *arguments, "--json"], capture_output=True, text=True,
                            timeout=TIMEOUT_SECONDS)
    if result.returncode != 0:
        raise AssertionError(f"yp {command} failed: {result.stderr}")
    return json.loads(result.stdout)


def overlap_percent(a: Recording, b: Recording) -> float:
    return read("overlap", a.spool, b.spool)["overlap"]


def class_path(*folders: str) -> str:
    return os.pathsep.join(str(PROGRAMS / folder) for folder in folders)


def command(jdk: jdks.Jdk, main: str, *arguments: str, agent: str | None = None,
            jvm: Sequence[str] = (), classes: str = "classes") -> list[str]:
    """The command line; `agent`: the agent's options."""
    agents = [f"-agentpath:{AGENT}={agent}"] if agent is not None else []
    return [str(jdk.java), *SMALL, *jvm, *agents, "-cp", class_path(classes), main, *arguments]


class JvmTestCase(unittest.TestCase):
    """Has a folder for the spools of each test."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="yp-integration-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self._spools = 0

    def new_spool(self) -> Path:
        self._spools += 1
        return self.folder / f"{self._spools}.spool"

    def run_java(self, jdk: jdks.Jdk, main: str, *arguments: str, agent: str | None = None,
                 jvm: Sequence[str] = (), classes: str = "classes") -> measure.Outcome:
        return measure.run(command(jdk, main, *arguments, agent=agent, jvm=jvm, classes=classes),
                           cwd=self.folder, timeout_seconds=TIMEOUT_SECONDS)

    def record(self, jdk: jdks.Jdk, main: str, *arguments: str, options: str = "mode=exact",
               jvm: Sequence[str] = (), observed_jvm: Sequence[str] = (),
               classes: str = "classes", exit_code: int = 0) -> Recording:
        """Runs the program without and with the agent: what it prints must be the same, whatever the
        VM compiles. `observed_jvm`: options of the JVM with the agent alone."""
        plain = _plain(jdk, main, arguments, tuple(filter(_matters_to_programs, jvm)), classes)
        spool = self.new_spool()
        observed = self.run_java(jdk, main, *arguments, agent=f"spool={spool},{options}",
                                 jvm=[*jvm, *observed_jvm], classes=classes)
        self.assertEqual((exit_code, plain.stdout, plain.stderr),
                         (observed.exit_code, observed.stdout, observed.stderr))
        return Recording(spool)

    def record_attaching(self, jdk: jdks.Jdk, how: str, expected: int,
                         options: str) -> Recording:
        """The program of native/attaching.cc, which prints the expected sum."""
        spool = self.new_spool()
        outcome = measure.run(
            [ATTACHING, str(jdk.home / "lib" / "server" / "libjvm.so"), how,
             f"-agentpath:{AGENT}=spool={spool},{options}",
             f"-Djava.class.path={class_path('classes')}"],
            cwd=self.folder, timeout_seconds=TIMEOUT_SECONDS)
        self.assertEqual((0, f"{expected}\n", ""),
                         (outcome.exit_code, outcome.stdout, outcome.stderr))
        return Recording(spool)


def _matters_to_programs(jvm_option: str) -> bool:
    """Not if it only says how the VM compiles and collects: then the program runs once for all."""
    return not jvm_option.startswith(("-Xcomp", "-Xbatch", "-Xint", "-XX:"))


@functools.lru_cache(maxsize=None)
def _plain(jdk: jdks.Jdk, main: str, arguments: tuple[str, ...], jvm: tuple[str, ...],
           classes: str) -> measure.Outcome:
    with tempfile.TemporaryDirectory(prefix="yp-integration-") as folder:
        return measure.run(command(jdk, main, *arguments, jvm=jvm, classes=classes),
                           cwd=Path(folder), timeout_seconds=TIMEOUT_SECONDS)


def in_turn(jdk: jdks.Jdk, first: Sequence[One], second: Sequence[Other]) -> list[tuple[One, Other]]:
    """Each of both at least once, so that the JDKs of VERSIONS try other pairs; all pairs where
    YP_ALL_PAIRS is set."""
    if os.environ.get("YP_ALL_PAIRS"):
        return list(itertools.product(first, second))
    begin = VERSIONS.index(jdk.major)
    return [(first[(begin + i) % len(first)], second[i % len(second)])
            for i in range(max(len(first), len(second)))]


def on_each_jdk(*, since: int = 0, until: int = 99, module: str = "java.base") -> Callable:
    """Runs a test method once for each JDK of VERSIONS, as its second argument, in a subtest. A JDK
    that is not installed, or is a run time without that module, is skipped and said on stderr."""

    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def run(self: JvmTestCase) -> None:
            missing = []
            for version in VERSIONS:
                if not since <= version <= until:
                    continue
                jdk = jdks.find(version, with_compiler=False)
                lack = ("is not installed" if jdk is None else
                        f"has no {module} here" if module not in jdk.modules else "")
                if lack:
                    missing.append(version)
                    print(f"SKIPPED on JDK {version}, which {lack}: {self.id()}", file=sys.stderr)
                    continue
                with self.subTest(jdk=version):
                    test(self, jdk)
            if len(missing) == len([v for v in VERSIONS if since <= v <= until]):
                self.skipTest(f"none of the JDKs {missing} is installed")

        return run

    return decorate


def may_crash_when_rewritten(jdk: jdks.Jdk) -> bool:
    """Whether the agent leaves classes whose methods are running as they are, without force: the VM
    crashes in java.lang.StackWalker, which most programs of the tests do not use."""
    return jdk.major == 11 and jdk.update < 4


def threads(pid: int) -> set[str]:
    """The names of a process's threads, as far as the kernel keeps them: 15 characters."""
    names = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            names.add((task / "comm").read_text(encoding="utf-8").rstrip("\n"))
        except (FileNotFoundError, ProcessLookupError):
            pass  # It has ended since it was listed.
    return names


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen in time")
        time.sleep(0.05)
