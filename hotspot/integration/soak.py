#!/usr/bin/env python3
"""Does the agent leak? Runs a program that allocates, loads classes and starts threads all the time,
without the agent and under each mode, and fits a line to its memory use after the warm-up. Memory is
read when the program has just collected its garbage and is quiet: in between, the metaspace of
loaders that are gone grows for seconds until the VM collects it.

    python3 -m hotspot.integration.soak [--seconds 600] [--json]

Exit code 1 when memory grows under a mode. The slope counts as growth when it is above the tolerance
by two of its standard errors.

One growth is the VM's own and taken off: JDK 17, for one, never frees the ids that JVMTI's
GetStackTrace makes for the methods of a class that is unloaded later, some 150 bytes for each class
loader. Native memory tracking tells how many there are.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Sequence

from eval import jdks
from eval.measure import note
from hotspot.integration import attaching, jvm, programs

ROOT = Path(__file__).resolve().parents[2]
MODES = {
    "no agent": None,
    "exact": "mode=exact",
    "cbs": "mode=cbs",
    "timer": "mode=timer",
    "countdown": "mode=cbs,policy=countdown,budget_ppm=0",
}
# All that the JVM itself lets grow for a while is bounded or taken at once.
FLAGS = ("-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:-UsePerfData",
         "-XX:MetaspaceSize=16m", "-XX:MaxMetaspaceSize=40m", "-XX:ReservedCodeCacheSize=24m",
         "-XX:CICompilerCount=2", "-XX:-UseDynamicNumberOfCompilerThreads",
         "-XX:NativeMemoryTracking=detail")
ROUNDS = 40  # As many readings.
WARM_UP_ROUNDS = 20
METHOD_ID_SITE = "Method::make_jmethod_id("
_MALLOC_SITE = re.compile(r"\(malloc=(\d+)KB type=.*? #(\d+)\)")
# Before each block that the VM allocates: its tracking's header, malloc's own; malloc rounds up.
MALLOC_HEADERS = 16 + 8
MALLOC_GRAIN = 16


@dataclass(frozen=True)
class Fit:
    slope: float
    standard_error: float


@dataclass(frozen=True)
class Result:
    mode: str
    seconds: float
    start_mb: float  # At the end of the warm-up.
    end_mb: float
    kb_per_second: float
    standard_error: float
    method_ids_kb_per_second: float  # The VM's own; not in kb_per_second.
    spool_mb: float
    grows: bool


def fit_line(x: Sequence[float], y: Sequence[float]) -> Fit:
    """Ordinary least squares; at least three points, not all at one x."""
    n = len(x)
    mean_x, mean_y = sum(x) / n, sum(y) / n
    square = sum((a - mean_x) ** 2 for a in x)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / square
    residual = sum((b - mean_y - slope * (a - mean_x)) ** 2 for a, b in zip(x, y))
    return Fit(slope, math.sqrt(residual / (n - 2) / square))


def rss_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ProcessLookupError(pid)


def method_ids_kb(report: str) -> float:
    """What method ids take, by the report of "jcmd PID VM.native_memory detail": paragraphs of a
    call stack and "(malloc=333KB type=Internal #5318)"."""
    total = 0
    for site in report.split("\n\n"):
        malloc = _MALLOC_SITE.search(site)
        if METHOD_ID_SITE in site and malloc:
            kb, blocks = int(malloc[1]), int(malloc[2])
            block = kb * 1024 / blocks + MALLOC_HEADERS
            total += blocks * math.ceil(block / MALLOC_GRAIN) * MALLOC_GRAIN
    return total / 1024


def soak(jdk: jdks.Jdk, agent: Path, classes: Path, mode: str, seconds: int,
         tolerance_kb_per_second: float) -> Result:
    with tempfile.TemporaryDirectory(prefix="yp-soak-") as folder:
        spool = Path(folder) / "soak.spool"
        options = MODES[mode]
        agents = [] if options is None else [f"-agentpath:{agent}=spool={spool},{options}"]
        # One malloc arena: else their number grows with the threads for a long time.
        process = subprocess.Popen(
            [jdk.java, *FLAGS, *agents, "-cp", classes, "programs.Churn"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env={**os.environ, "MALLOC_ARENA_MAX": "1"}, text=True)
        times: list[float] = []
        memory: list[float] = []
        id_times: list[float] = []
        ids: list[float] = []
        start = time.monotonic()
        for number in range(1, ROUNDS + 1):
            print(round(1000 * seconds / ROUNDS), file=process.stdin, flush=True)
            answer = process.stdout.readline()
            if answer != "true\n":
                raise RuntimeError(f"{mode}: the program ended with {process.wait()}: {answer}")
            if number >= WARM_UP_ROUNDS:
                times.append(time.monotonic() - start)
                memory.append(rss_kb(process.pid))
            if number in (WARM_UP_ROUNDS, ROUNDS):
                id_times.append(time.monotonic())
                ids.append(method_ids_kb(attaching.jcmd(process.pid, "VM.native_memory", "detail")))
        process.communicate(timeout=300)
        if process.returncode != 0:
            raise RuntimeError(f"{mode}: the program ended with {process.returncode}")
        fit = fit_line(times, memory)
        method_ids = (ids[1] - ids[0]) / (id_times[1] - id_times[0])
        slope = fit.slope - method_ids
        grows = slope - 2 * fit.standard_error > tolerance_kb_per_second
        size = spool.stat().st_size / 1e6 if options else 0.0
        return Result(mode, seconds, memory[0] / 1024, memory[-1] / 1024, slope,
                      fit.standard_error, method_ids, size, grows)


def table(results: Sequence[Result]) -> str:
    lines = [f"{'mode':10} {'after warm-up':>14} {'at the end':>11} {'slope, kB/s':>21} "
             f"{'method ids':>15} {'spool':>9}"]
    for r in results:
        lines.append(f"{r.mode:10} {r.start_mb:11.1f} MB {r.end_mb:8.1f} MB "
                     f"{r.kb_per_second:+10.2f} +- {2 * r.standard_error:7.2f} "
                     f"{r.method_ids_kb_per_second:+10.2f} kB/s "
                     f"{r.spool_mb:6.1f} MB{'  GROWS' if r.grows else ''}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600, help="for each mode (600)")
    parser.add_argument("--mode", action="append", choices=list(MODES), help="default: all")
    parser.add_argument("--jdk", type=int, default=17, help="major version (17)")
    parser.add_argument("--agent", type=Path, default=os.environ.get(
        "YP_AGENT", ROOT / "build" / "release" / "hotspot" / "libyieldpoint.so"))
    parser.add_argument("--tolerance", type=float, default=5.0,
                        help="kB of resident memory per second that are no growth yet (5)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    jdk = jdks.find(arguments.jdk, with_compiler=False)
    if jdk is None:
        parser.error(f"JDK {arguments.jdk} is not installed")
    if not arguments.agent.exists():
        parser.error(f"{arguments.agent} does not exist; ./yp test builds it")
    results = []
    with tempfile.TemporaryDirectory(prefix="yp-soak-") as folder:
        out = jvm.PROGRAMS
        if not (out / "classes").is_dir():
            out = Path(folder)
            programs.build(out)
        for mode in arguments.mode or MODES:
            note(f"soak: {mode}, {arguments.seconds} s")
            results.append(soak(jdk, arguments.agent, out / "classes", mode, arguments.seconds,
                                arguments.tolerance))
    print(json.dumps([asdict(result) for result in results]) if arguments.json else table(results))
    return 1 if any(result.grows for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
