"""./yp eval steady: what does a recording cost a program that has been running for a while?"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import queue
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Callable, Iterator, Mapping, Sequence

from eval import interleave, overhead, stats
from eval.built import Built, whole
from eval.experiment import Experiment, Run, apart, positive
from eval.jdks import Jdk
from eval.measure import Failed
from eval.report import Table
from eval.workloads import runner
from eval.workloads.manifest import Workload

# One iteration after another until it is killed.
_ENDLESS = 1_000_000
_ITERATION = re.compile(r"^ITER \S+ \d+ \d+ ms ([0-9a-f]{16})$")
_ATTACH_SECONDS = 1.0
_DETACH_SECONDS = 120.0


@dataclass(frozen=True)
class Block:
    """Iterations in a row with the same recording or none."""

    name: str
    cpu_seconds: float  # Of the process, in an iteration, on average.
    iterations: int


def neighbour_ratios(blocks: Sequence[Block], name: str, base: str) -> list[float]:
    """Each block of `name` to the geometric mean of the nearest `base` blocks before and after it,
    which takes out what gets steadily faster or slower. Without one on both sides there is none.

    Of `base` itself: each block to its neighbours of the same name, the A/A control."""
    ratios = []
    for i, block in enumerate(blocks):
        before = [b for b in blocks[:i] if b.name == base]
        after = [b for b in blocks[i + 1:] if b.name == base]
        if block.name == name and before and after:
            around = math.sqrt(before[-1].cpu_seconds * after[0].cpu_seconds)
            ratios.append(block.cpu_seconds / around)
    return ratios


@dataclass(frozen=True)
class _End:
    """Of an iteration."""

    cpu_seconds: float
    checksum: str


class Program:
    """A workload that iterates for ever, read line by line.

    Its CPU time is that of the whole process, user and system, all threads."""

    def __init__(self, workload: Workload, jdk: Jdk, stderr: IO[bytes]):
        self._expected = runner.expected_checksum(workload, jdk)
        java = runner.command(workload, jdk, _ENDLESS)
        self._process = subprocess.Popen(java.argv, cwd=java.cwd, env=java.env, text=True,
                                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=stderr, start_new_session=True)
        # Linux's clock of another process: CPUCLOCK_SCHED, as clock_getcpuclockid(3) makes it.
        self._clock = (~self._process.pid << 3) | 2
        # An iteration's end is read when it comes, whatever else goes on here.
        self._ends: queue.SimpleQueue[_End | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # It was killed meanwhile, and has no clock any more.
            for line in self._process.stdout:
                if found := _ITERATION.match(line.strip()):
                    self._ends.put(_End(time.clock_gettime(self._clock), found[1]))
        self._ends.put(None)

    def _next_end(self) -> float:
        """The process's CPU time so far, in seconds, at the end of an iteration."""
        end = self._ends.get()
        if end is None:
            raise Failed(f"the program ended with exit code {self._process.wait()}")
        if end.checksum != self._expected:
            raise Failed(f"checksum {end.checksum}, expected {self._expected}")
        return end.cpu_seconds

    def block(self, name: str, seconds: float) -> Block:
        """Iterations for at least so long, and two. What runs already is not one of them."""
        while not self._ends.empty():
            self._next_end()
        first = last = self._next_end()
        end = time.monotonic() + seconds
        iterations = 0
        while iterations < 2 or time.monotonic() < end:
            last = self._next_end()
            iterations += 1
        return Block(name, (last - first) / iterations, iterations)

    def kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()


@contextlib.contextmanager
def recording(built: Built, pid: int, options: Sequence[str], folder: Path,
              add: Callable[[Mapping[str, Any]], None]) -> Iterator[None]:
    """Attached to the process meanwhile, by `yp attach`; `add` gets the recording's `yp info`."""
    profile = folder / "steady.yp"
    command = [built.yp, "attach", str(pid), "-o", profile, "--quiet", *options]
    with tempfile.TemporaryFile() as stderr:
        attach = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)
        try:
            time.sleep(_ATTACH_SECONDS)
            yield
            attach.send_signal(signal.SIGINT)
            attach.wait(_DETACH_SECONDS)
        except BaseException:
            attach.kill()
            attach.wait()
            raise
        if attach.returncode != 0 or not profile.exists():
            stderr.seek(0)
            raise Failed(f"yp attach: exit code {attach.returncode}: "
                         f"{stderr.read().decode('utf-8', 'replace')[-1000:]}")
    add(whole(built.read("info", profile)))
    profile.unlink()


def measure_workload(workload: Workload, jdk: Jdk, arguments: argparse.Namespace, run: Run,
                     recorded: Mapping[str, overhead.Recorded]) -> list[Block]:
    """Blocks without a recording, and between any two of them one with each configuration in
    turn."""
    names = list(arguments.configurations)
    with tempfile.TemporaryDirectory(prefix="yp-steady-") as folder, \
            tempfile.TemporaryFile() as stderr:
        program = Program(workload, jdk, stderr)
        try:
            program.block("warm-up", arguments.warmup)
            blocks = [program.block(interleave.BASE, arguments.seconds)]
            for index in range(arguments.rounds):
                for name in stats.round_order(names, index):
                    options = shlex.split(arguments.configurations[name])
                    with recording(arguments.build, program.pid, options, Path(folder),
                                   recorded[name].add):
                        blocks.append(program.block(name, arguments.seconds))
                    blocks.append(program.block(interleave.BASE, arguments.seconds))
                    run.progress.done(f"{workload.name} on JDK {jdk.major}: round {index + 1} of "
                                      f"{arguments.rounds}, {name}: "
                                      f"{blocks[-2].cpu_seconds:.3f} s an iteration, "
                                      f"{blocks[-1].cpu_seconds:.3f} s without")
        finally:
            program.kill()
    return blocks


def table(jdk: Jdk, measured: Mapping[str, Sequence[Block]], names: Sequence[str]) -> Table:
    """A row for each workload and one for their geometric mean."""
    columns = [interleave.BASE, *names]
    ratios = {name: {workload: neighbour_ratios(blocks, name, interleave.BASE)
                     for workload, blocks in measured.items()} for name in columns}
    rows = []
    for workload, blocks in measured.items():
        base = [block.cpu_seconds for block in blocks if block.name == interleave.BASE]
        rows.append([workload, f"{statistics.median(base):.3f}",
                     *(str(stats.median(ratios[name][workload])) for name in columns)])
    rows.append(["geometric mean", "",
                 *(str(stats.geometric_mean_ratio(ratios[name])) for name in columns)])
    return Table(f"JDK {jdk.version}: process CPU time of an iteration, ratio to those before and "
                 "after without a recording",
                 ["program", "base, s", interleave.CONTROL, *names], rows)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    def measure_one(workload: Workload, _: Path) -> tuple[
            list[Block], dict[str, overhead.Recorded]]:
        recorded = {name: overhead.Recorded() for name in arguments.configurations}
        return measure_workload(workload, jdk, arguments, run, recorded), recorded

    results = run.by_workload(
        jdk, arguments.workloads, steps_of_workload(arguments), measure_one,
        lambda result: {"blocks": [asdict(block) for block in result[0]],
                        "recorded": overhead.to_json(result[1])})
    if not results:
        return
    measured, recorded = apart(results)
    run.report.tables.append(table(jdk, measured, list(arguments.configurations)))
    run.report.tables.extend(overhead.source_tables(jdk, arguments.configurations, recorded))


def steps_of_workload(arguments: argparse.Namespace) -> int:
    return arguments.rounds * len(arguments.configurations)


def main() -> int:
    experiment = Experiment(
        "steady", "What does a recording cost a program that has been running for a while?",
        rounds=8)
    experiment.add_workloads(iterations=None)
    experiment.parser.add_argument("--warmup", type=positive, default=15, metavar="SECONDS",
                                   help="before the first block (default: %(default)s)")
    experiment.parser.add_argument("--seconds", type=positive, default=4, metavar="SECONDS",
                                   help="of a block, at least (default: %(default)s)")
    experiment.add_configurations(
        {"patch": "--probe patch --policy countdown"},
        "barrier:--probe barrier --policy countdown", "the options of yp attach")
    return experiment.run(
        measure_jdk, lambda arguments: len(arguments.workloads) * steps_of_workload(arguments))


if __name__ == "__main__":
    sys.exit(main())
