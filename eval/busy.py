"""Processes that do nothing but compute, beside what is measured."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import Iterator

_LIMIT_SECONDS = 3600

# Ends when the process that started it has ended, however that came about, and at the time limit.
_PROGRAM = """
import os, sys, time
parent, end = int(sys.argv[1]), time.monotonic() + float(sys.argv[2])
while os.getppid() == parent and time.monotonic() < end:
    for _ in range(1_000_000):
        pass
"""


@contextlib.contextmanager
def busy(count: int, limit_seconds: float = _LIMIT_SECONDS) -> Iterator[list[int]]:
    """So many processes, by id, each of which takes what it gets of a processor; they end with the
    block."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(count):
            processes.append(subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, str(os.getpid()), str(limit_seconds)],
                stdin=subprocess.DEVNULL))
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
