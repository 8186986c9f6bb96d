"""Runs a command and says what it cost."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Sequence


class Failed(Exception):
    """A run that must not count: the program failed, or was not profiled as it should have been."""


@dataclass(frozen=True)
class Cost:
    """CPU is user and system time of the process and of all descendants that it waited for."""

    cpu_seconds: float
    wall_seconds: float

    def __str__(self) -> str:
        return f"CPU {self.cpu_seconds:.2f} s, wall {self.wall_seconds:.2f} s"


@dataclass(frozen=True)
class Outcome:
    cost: Cost
    exit_code: int  # as the shell has it: 128 + N when signal N ended the process
    stdout: str
    stderr: str
    peak_bytes: int = 0  # resident, of the largest of the processes


def run(argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None,
        timeout_seconds: float = 900.0) -> Outcome:
    """Runs to the end, or kills at the time limit and raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        start = time.monotonic()
        process = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                   stdout=stdout, stderr=stderr, start_new_session=True)
        status, usage = _wait(process, timeout_seconds)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # Popen must not wait again
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        texts = []
        for stream in (stdout, stderr):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
        return Outcome(Cost(usage.ru_utime + usage.ru_stime, wall), code, *texts,
                       peak_bytes=1024 * usage.ru_maxrss)


def succeed(argv: Sequence[str], cwd: Path | None = None) -> Outcome:
    """`run`, or Failed with the end of what it printed unless it exits with 0."""
    outcome = run(argv, cwd)
    if outcome.exit_code != 0:
        raise Failed(f"exit code {outcome.exit_code}\n"
                     f"{outcome.stdout[-1000:]}{outcome.stderr[-1000:]}")
    return outcome


def _wait(process: subprocess.Popen[bytes], limit: float):
    """wait4 with a time limit. Whatever else ends the wait ends the command, too: it has a session
    of its own, which a terminal's Ctrl-C does not reach."""
    ended = os.pidfd_open(process.pid)
    try:
        if not select.select([ended], [], [], limit)[0]:
            raise subprocess.TimeoutExpired(process.args, limit)
    except BaseException:
        os.killpg(process.pid, 9)
        os.wait4(process.pid, 0)
        process.returncode = -9
        raise
    finally:
        os.close(ended)
    _, status, usage = os.wait4(process.pid, 0)
    return status, usage


def note(message: str) -> None:
    """Progress and warnings go to stderr; stdout is for results."""
    print(message, file=sys.stderr, flush=True)
