"""One run of the torture test, and what became of it."""

from __future__ import annotations

import contextlib
import enum
import json
import os
import random
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator, Mapping, Sequence
from urllib.parse import quote

from eval.jdks import Jdk
from hotspot.integration import attaching, jvm
from hotspot.integration.torture_variants import Variant

_CHECKSUM = re.compile(r"([a-z]+) ([0-9a-f]{16})")
_REPORT = "# A fatal error has been detected"
# The shell's numbers for signals that a broken program dies of; a JVM aborts after its report.
_DEADLY = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP,
           signal.SIGFPE)
_STACKS_SECONDS = 30.0
_END_SECONDS = 2.0  # A VM that shuts down answers no more.


class Verdict(enum.Enum):
    OK = "ok"
    CRASH = "crash"
    HANG = "hang"
    WRONG = "wrong result"
    NOISE = "unexpected output"
    RECORDING = "bad recording"


@dataclass(frozen=True)
class Tools:
    agent: Path
    yp: Path
    programs: Path  # What programs.py has made.


@dataclass(frozen=True)
class Case:
    """`options`: the agent's without the spool, or None for no agent."""

    jdk: Jdk
    collector: str
    options: str | None
    variant_name: str
    variant: Variant
    seed: int
    rounds: int
    threads: int = 6

    def __str__(self) -> str:
        return (f"JDK {self.jdk.major} {self.collector} {self.variant_name} "
                f"{self.options or 'no agent'}, seed {self.seed}, {self.rounds} rounds")


@dataclass(frozen=True)
class Result:
    verdict: Verdict
    detail: str = ""
    seconds: float = 0.0
    samples: int = 0
    recordings: int = 0
    drops: Mapping[str, int] = field(default_factory=dict)


def checksums(stdout: str) -> dict[str, str]:
    """By stressor."""
    matches = (_CHECKSUM.fullmatch(line) for line in stdout.splitlines())
    return {match[1]: match[2] for match in matches if match}


def command(case: Case, tools: Tools, spool: Path | None) -> list[str]:
    """`spool`: of an agent that is there from the start."""
    classes = ["classes", *(f"classes{since}" for since in (17, 21) if case.jdk.major >= since)]
    agents = [f"-javaagent:{tools.programs / 'redefiner.jar'}"]
    if spool is not None:
        agents.insert(0, f"-agentpath:{tools.agent}=spool={quote(str(spool))},{case.options}")
    return [str(case.jdk.java), "-XX:-UsePerfData", "-XX:-CreateCoredumpOnCrash",
            *case.variant.jvm_options(case.jdk, case.collector), *agents, "-cp",
            os.pathsep.join(str(tools.programs / folder) for folder in classes),
            "programs.Torture", str(case.seed), str(case.rounds), str(case.threads),
            str(case.variant.collect_every_millis)]


@contextlib.contextmanager
def _started(argv: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Ends it with what it has started, however this ends."""
    with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
        process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
                                   stderr=stderr, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _ends(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
        return True
    except subprocess.TimeoutExpired:
        return False


def _keep_stacks(jdk: Jdk, pid: int, folder: Path) -> None:
    """What its threads do: as the VM sees it, or from outside if the VM does not answer."""
    for name, argv in (("jstack", ["jcmd", str(pid), "Thread.print", "-l"]),
                       ("jhsdb", ["jhsdb", "jstack", "--mixed", "--pid", str(pid)])):
        with open(folder / name, "wb") as out, contextlib.suppress(OSError,
                                                                   subprocess.TimeoutExpired):
            subprocess.run([jdk.home / "bin" / argv[0], *argv[1:]], stdout=out, stderr=out,
                           stdin=subprocess.DEVNULL, timeout=_STACKS_SECONDS, check=False)


def _come_and_go(case: Case, tools: Tools, process: subprocess.Popen[bytes], folder: Path,
                 deadline: float) -> list[Path]:
    """Starts and stops recordings from when the program has started its threads until it ends. The
    first one that is refused in a program that goes on is the last: its reason is in a file."""
    pauses = random.Random(case.seed)
    spools: list[Path] = []
    while not _is_at_work(process.pid):
        if _ends(process, time.monotonic() + 0.02) or time.monotonic() > deadline:
            return spools
    while time.monotonic() < deadline:
        spool = folder / f"{len(spools)}.spool"
        for options, longest in ((f"spool={quote(str(spool))},{case.options}", 0.8),
                                 ("command=stop", 0.2)):
            try:
                attaching.load_agent(process.pid, tools.agent, options)
            except attaching.Refused as error:
                if not _ends(process, min(deadline, time.monotonic() + _END_SECONDS)):
                    (folder / "refused").write_text(f"{options}: {error}\n", encoding="utf-8")
                return spools
            if options != "command=stop":
                spools.append(spool)
            if _ends(process, time.monotonic() + pauses.uniform(0.01, longest)):
                return spools
    return spools


def _is_at_work(pid: int) -> bool:
    """Whether the program's threads have started. Before, the VM may still initialise itself."""
    try:
        return "torture-0" in jvm.threads(pid)
    except OSError:
        return False


def _recorded(tools: Tools, spools: Sequence[Path]) -> tuple[str, int, dict[str, int]]:
    """What is wrong with the recordings, the samples (calls or edges, if those were
    counted), the drops."""
    samples = 0
    drops: dict[str, int] = {}
    for spool in spools:
        outcome = subprocess.run([tools.yp, "info", spool, "--json"], capture_output=True,
                                 text=True, check=False)
        if outcome.returncode != 0:
            return f"{spool.name}: {outcome.stderr.strip()}", samples, drops
        info = json.loads(outcome.stdout)
        if info["damage"] or not info["complete"]:
            return f"{spool.name} was cut off or damaged: {info['damage']}", samples, drops
        counted = {"exact": "calls", "edges": "edges"}.get(info["mode"], "samples")
        samples += int(info[counted])
        for reason, count in info["drops"].items():
            drops[reason] = drops.get(reason, 0) + count
    return ("" if samples > 0 else "nothing was recorded"), samples, drops


def _crash(folder: Path, exit_code: int, stdout: str) -> str:
    """Why it is one, or nothing."""
    reports = sorted(path.name for path in folder.glob("hs_err*"))
    if reports or _REPORT in stdout:
        text = (folder / reports[0]).read_text("utf-8", "replace") if reports else stdout
        problem = [line for line in text.splitlines() if line.startswith("# ")
                   and _REPORT not in line]
        return f"{', '.join(reports)}: {' '.join(problem[:1])} {_frame(problem)}"
    if exit_code < 0 or exit_code - 128 in _DEADLY:
        return f"ended by signal {-exit_code if exit_code < 0 else exit_code - 128}"
    return ""


def _frame(problem: Sequence[str]) -> str:
    """The line after "Problematic frame:"."""
    lines = iter(problem)
    return next((next(lines, "") for line in lines if "Problematic frame" in line), "")


def _judge(case: Case, folder: Path, exit_code: int,
           expected: Mapping[str, str]) -> tuple[Verdict, str]:
    stdout = (folder / "stdout").read_text("utf-8", "replace")
    stderr = (folder / "stderr").read_text("utf-8", "replace")
    if crash := _crash(folder, exit_code, stdout):
        return Verdict.CRASH, crash
    if exit_code != 0:
        return Verdict.WRONG, f"exit code {exit_code}: {stderr[:300]}"
    seen = checksums(stdout)
    different = [name for name in sorted({*seen, *expected} - case.variant.uncompared)
                 if seen.get(name) != expected.get(name)]
    if different:
        return Verdict.WRONG, f"other results: {', '.join(different)}"
    noise = [line for line in (stdout + stderr).splitlines()
             if not _CHECKSUM.fullmatch(line) and not case.variant.is_noise(line)]
    return (Verdict.NOISE, noise[0]) if noise else (Verdict.OK, "")


def run(case: Case, tools: Tools, folder: Path, expected: Mapping[str, str],
        limit_seconds: float) -> Result:
    """In the folder, which holds everything that helps to understand a failure. `expected`: the
    checksums of a run without the agent."""
    observed = case.options is not None
    comes_and_goes = observed and case.variant.attaches
    spools = [folder / "0.spool"] if observed and not comes_and_goes else []
    argv = command(case, tools, *spools or [None])
    (folder / "command").write_text(f"{case}\n{' '.join(argv)}\n", encoding="utf-8")
    start = time.monotonic()
    deadline = start + limit_seconds
    with _started(argv, folder) as process:
        if comes_and_goes:
            spools = _come_and_go(case, tools, process, folder, deadline)
        if not _ends(process, deadline):
            _keep_stacks(case.jdk, process.pid, folder)
            return Result(Verdict.HANG, f"no end after {limit_seconds:.0f} s", limit_seconds)
        exit_code = process.returncode
    seconds = time.monotonic() - start
    verdict, detail = _judge(case, folder, exit_code, expected)
    if verdict is not Verdict.OK:
        return Result(verdict, detail, seconds, recordings=len(spools))
    if not observed:
        return Result(Verdict.OK, seconds=seconds)
    if (folder / "refused").exists():
        problem, samples, drops = (folder / "refused").read_text("utf-8").strip(), 0, {}
    else:
        problem, samples, drops = _recorded(tools, spools)
    return Result(Verdict.RECORDING if problem else Verdict.OK, problem, seconds, samples,
                  len(spools), drops)
