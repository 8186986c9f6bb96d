#!/usr/bin/env python3
"""The torture test: programs.Torture does everything at once that makes a profiler's life hard, on
each JDK, under each collector, with each agent configuration, in VMs that are made hard to live in.
What it computes must be the same as without the agent; and nothing may crash, hang, say anything or
leave a recording that is cut off or empty.

    python3 -m hotspot.integration.torture                          # the whole matrix once
    python3 -m hotspot.integration.torture --short                  # a small part of it
    python3 -m hotspot.integration.torture --seconds-total 7200     # again and again, other seeds

Exit code 1 on any failure, and when it was interrupted. What a failed run left (hs_err files,
output, stacks, its command line) is kept, and said where.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import itertools
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator, Sequence

from eval import jdks, published, report
from eval.measure import Failed, note
from eval.progress import Progress
from hotspot.integration import jvm, programs
from hotspot.integration.torture_run import Case, Result, Tools, Verdict, checksums, run
from hotspot.integration.torture_variants import COLLECTORS, VARIANTS, has_collector

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
# Every probe; the ones on compiled entries all along, and in ticks as a budget allows. And whole
# stacks, by signals and at sampled calls.
OPTIONS = (
    "probe=patch,mode=cbs,policy=countdown,interval=101,budget_ppm=0,scope=all;"
    "probe=barrier,mode=cbs,policy=countdown,interval=101,budget_ppm=0,scope=all;"
    "mode=cbs;"
    "probe=patch,mode=cbs,policy=countdown,budget_ppm=20000,scope=all;"
    "probe=barrier,mode=cbs,policy=cbs,budget_ppm=20000,scope=all;"
    "mode=cbs,policy=countdown,interval=101,budget_ppm=0;"
    "probe=none,mode=timer,stacks=hpm,event_period=500000,scope=all;"
    "probe=patch,mode=cbs,policy=countdown,interval=1009,budget_ppm=0,scope=all,context=tree,"
    "stack_every=1;"
    "mode=exact,context=tree;"
    "mode=edges,scope=all"
)
NO_AGENT = "none"
_OUTPUTS = ("--json", "--keep", "--publish", "--section")
ROUNDS = 30  # Five to twenty seconds on two cores (2026-11).
SHORT_ROUNDS = 6
# For the short form: one collector for each of these variants, and all collectors.
SHORT = (("plain", "G1"), ("attach", "Z"), ("code-cache", "Serial"), ("constant-gc", "Shenandoah"),
         ("jfr", "Parallel"), ("deoptimize", "Z"))


class Reference:
    """What the program prints without the agent, in a plain VM. That no collector or variant
    changes it is checked by running with --options none."""

    def __init__(self, tools: Tools, folder: Path, limit_seconds: float):
        self._tools = tools
        self._folder = folder
        self._limit_seconds = limit_seconds
        self._lock = threading.Lock()
        self._known: dict[tuple[int, int, int], dict[str, str]] = {}

    def of(self, case: Case) -> dict[str, str]:
        key = (case.jdk.major, case.seed, case.rounds)
        with self._lock:
            if key not in self._known:
                self._known[key] = self._find(case)
            return self._known[key]

    def _find(self, case: Case) -> dict[str, str]:
        plain = Case(case.jdk, "Serial", None, "plain", VARIANTS["plain"], case.seed, case.rounds,
                     case.threads)
        folder = Path(tempfile.mkdtemp(prefix="without-agent-", dir=self._folder))
        # Nothing is expected yet, so that any result is a wrong one.
        result = run(plain, self._tools, folder, {}, self._limit_seconds)
        expected = checksums((folder / "stdout").read_text("utf-8"))
        if not expected or not result.detail.startswith("other results"):
            raise Failed(f"without the agent, {plain}: {result.verdict.value}: {result.detail}; "
                         f"see {folder}")
        shutil.rmtree(folder)
        return expected


@dataclass
class Tally:
    runs: int = 0
    seconds: float = 0.0
    samples: int = 0
    recordings: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    drops: Counter[str] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        self.runs += 1
        self.seconds += result.seconds
        self.samples += result.samples
        self.recordings += result.recordings
        self.verdicts[result.verdict] += 1
        self.drops.update(result.drops)

    def cells(self) -> list[str]:
        bad = [v for v in Verdict if v not in (Verdict.OK, Verdict.CRASH, Verdict.WRONG)]
        others = [f"{self.verdicts[v]} {v.value}" for v in bad if self.verdicts[v]]
        drops = [f"{reason} {count:,}" for reason, count in sorted(self.drops.items())]
        return [f"{self.runs}", f"{self.seconds / 60:.1f}", f"{self.verdicts[Verdict.CRASH]}",
                f"{self.verdicts[Verdict.WRONG]}", ", ".join(others) or "0",
                f"{self.recordings:,}", f"{self.samples:,}", ", ".join(drops) or "0"]


HEADER = ["runs", "minutes", "crashes", "wrong results", "other failures", "recordings", "samples",
          "drops"]


class Log:
    """All results, and their sums."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.results: list[tuple[Case, Result]] = []

    def add(self, case: Case, result: Result) -> None:
        with self._lock:
            self.results.append((case, result))

    @property
    def failures(self) -> list[str]:
        return [f"{case}: {result.verdict.value}: {result.detail}"
                for case, result in self.results if result.verdict is not Verdict.OK]

    def table(self, title: str, name: str, key: Callable[[Case], str]) -> report.Table:
        tallies: dict[str, Tally] = {}
        for case, result in sorted(self.results, key=lambda entry: key(entry[0])):
            tallies.setdefault(key(case), Tally()).add(result)
        total = Tally()
        for _, result in self.results:
            total.add(result)
        tallies["all"] = total
        return report.Table(title, [name, *HEADER],
                            [[row, *tally.cells()] for row, tally in tallies.items()])

    def tables(self) -> list[report.Table]:
        return [self.table("By JDK, collector and configuration", "JDK",
                           lambda case: f"{case.jdk.major} {case.collector} "
                                        f"{case.options or 'no agent'}"),
                self.table("By variant of the VM", "variant", lambda case: case.variant_name)]

    def to_json(self) -> list[dict[str, object]]:
        return [{"jdk": case.jdk.version, "collector": case.collector, "options": case.options,
                 "variant": case.variant_name, "seed": case.seed, "rounds": case.rounds,
                 "verdict": result.verdict.value, "detail": result.detail,
                 "seconds": round(result.seconds, 2), "samples": result.samples,
                 "recordings": result.recordings, "drops": dict(result.drops)}
                for case, result in self.results]


def matrix(found: Sequence[jdks.Jdk], collectors: Sequence[str], options: Sequence[str | None],
           variants: Sequence[str], rounds: int, seed: int) -> list[Case]:
    """One pass over everything, in an order that the seed decides: a pass that is cut short has
    been everywhere."""
    cases = []
    for jdk in found:
        for collector in collectors:
            if not has_collector(jdk, collector):
                note(f"SKIPPED: JDK {jdk.version} has no {collector} collector")
                continue
            cases += [make_case(jdk, collector, agent, name, rounds, seed)
                      for agent in options if fits(jdk, collector, agent)
                      for name in variants if VARIANTS[name].is_for(jdk)]
    random.Random(seed).shuffle(cases)
    return cases


def short(found: Sequence[jdks.Jdk], options: Sequence[str | None], rounds: int,
          seed: int) -> list[Case]:
    """Each of SHORT on each JDK, with one of the configurations in turn."""
    cases = []
    for j, jdk in enumerate(found):
        for i, (name, collector) in enumerate(SHORT):
            turn = [*options[(i + j) % len(options):], *options]
            fitting = [agent for agent in turn if fits(jdk, collector, agent)]
            if VARIANTS[name].is_for(jdk) and has_collector(jdk, collector) and fitting:
                cases.append(make_case(jdk, collector, fitting[0], name, rounds, seed))
    return cases


def fits(jdk: jdks.Jdk, collector: str, options: str | None) -> bool:
    """Whether the JVM has what the probe needs: entry barriers came with JDK 20, but for collectors
    that move objects while the program runs, and mode edges rewrites classes while they run."""
    if "mode=edges" in (options or "") and jvm.may_crash_when_rewritten(jdk):
        return False
    return ("probe=barrier" not in (options or "") or jdk.major >= 20
            or collector in ("Z", "Shenandoah"))


def make_case(jdk: jdks.Jdk, collector: str, options: str | None, variant: str, rounds: int,
              seed: int) -> Case:
    share = VARIANTS[variant].share
    return Case(jdk, collector, options, variant, VARIANTS[variant], seed,
                max(1, round(rounds * share)))


def run_all(cases: Iterator[Case], tools: Tools, folder: Path, limit_seconds: float, jobs: int,
            log: Log, tell: Callable[[str], None]) -> None:
    """Ends when the cases do, or after the runs under way when it is interrupted. A folder of a run
    that failed is kept."""
    reference = Reference(tools, folder, limit_seconds)
    lock = threading.Lock()
    numbers = itertools.count(1)
    stopping = threading.Event()

    def work() -> None:
        while not stopping.is_set():
            with lock:
                case = next(cases, None)
                number = next(numbers)
            if case is None:
                return
            slug = re.sub(r"[^\w=]+", "-", f"{number:05}-{case.jdk.major}-{case.collector}-"
                                           f"{case.variant_name}-{case.options}")
            place = folder / slug
            place.mkdir()
            result = run(case, tools, place, reference.of(case), limit_seconds)
            log.add(case, result)
            what = f"{case}: {result.verdict.value}"
            if result.verdict is Verdict.OK:
                shutil.rmtree(place)
                tell(f"{what}, {result.seconds:.0f} s, {result.samples:,} samples")
            else:
                tell(f"FAILED: {what}: {result.detail}; see {place}")

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        workers = [pool.submit(work) for _ in range(jobs)]
        try:
            for worker in workers:
                worker.result()
        finally:
            stopping.set()


def until(deadline: float, passes: Callable[[int], Sequence[Case]], seed: int,
          clock: Callable[[], float] = time.monotonic) -> Iterator[Case]:
    """Pass after pass, each with the next seed, while there is time."""
    while True:
        for case in passes(seed):
            if clock() >= deadline:
                return
            yield case
        seed += 1


def time_left(deadline: float) -> Callable[[str], None]:
    return lambda what: note(f"{what}; {max(0.0, deadline - time.monotonic()) / 60:.0f} min left")


def found_jdks(majors: Sequence[int]) -> list[jdks.Jdk]:
    found = []
    for major in majors:
        jdk = jdks.find(major, with_compiler=False)
        if jdk is None:
            note(f"SKIPPED: JDK {major} is not installed")
        else:
            found.append(jdk)
    return found


def _one_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = text.split(",")
        if unknown := set(names) - set(known):
            raise argparse.ArgumentTypeError(
                f"no {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        return names

    return parse


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    form = result.add_mutually_exclusive_group()
    form.add_argument("--seconds-total", type=float, metavar="N",
                      help="pass after pass over the matrix for so long, with new seeds")
    form.add_argument("--short", action="store_true", help="a small part of the matrix, once")
    result.add_argument("--jdk", type=int, action="append", metavar="MAJOR",
                        help="may be repeated (17 and 25)")
    result.add_argument("--gc", type=_one_of(COLLECTORS), default=list(COLLECTORS),
                        metavar="NAME,...", help=f"of {', '.join(COLLECTORS)} (all)")
    result.add_argument("--variants", type=_one_of(list(VARIANTS)), default=list(VARIANTS),
                        metavar="NAME,...", help="of " + "; ".join(
                            f"{name}: {variant.what}" for name, variant in VARIANTS.items())
                        + " (all)")
    result.add_argument("--options", default=OPTIONS, metavar="OPTIONS;...",
                        help="of the agent, without the spool, separated by semicolons; "
                             f"\"{NO_AGENT}\": no agent (\"{OPTIONS}\")")
    result.add_argument("--rounds", type=int,
                        help=f"of the program ({ROUNDS}; {SHORT_ROUNDS} with --short)")
    result.add_argument("--seed", type=int, default=1, help="of the first pass (1)")
    result.add_argument("--jobs", type=int, default=1, help="runs at the same time (1)")
    result.add_argument("--limit", type=float, default=300.0, metavar="SECONDS",
                        help="a run that takes longer hangs (300)")
    result.add_argument("--agent", type=Path, default=os.environ.get(
        "YP_AGENT", BUILD / "hotspot" / "libyieldpoint.so"))
    result.add_argument("--yp", type=Path, default=os.environ.get("YP_CLI", BUILD / "cli" / "yp"))
    result.add_argument("--keep", type=Path, metavar="FOLDER",
                        help="where to keep what failed runs left (a new temporary folder)")
    result.add_argument("--json", type=Path, metavar="FILE", help="every run")
    published.add_options(result, "torture")
    return result


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    for file in (arguments.agent, arguments.yp):
        if not file.exists():
            parser().error(f"{file} does not exist; ./yp test builds it")
    found = found_jdks(arguments.jdk or (17, 25))
    options = [None if text == NO_AGENT else text for text in arguments.options.split(";")]
    rounds = arguments.rounds or (SHORT_ROUNDS if arguments.short else ROUNDS)
    log = Log()
    summary = report.Report(
        "torture", "Does anything crash, hang or compute something else under the agent?",
        report.command_line("hotspot.integration.torture", argv or sys.argv[1:], _OUTPUTS,
                            program=("python3", "-m")), found)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    signal.signal(signal.SIGTERM, _stop)
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="yp-torture-", dir=arguments.keep)).resolve()
    interrupted = False
    try:
        tools = Tools(arguments.agent.resolve(), arguments.yp.resolve(),
                      _programs(folder).resolve())
        one_pass = ((lambda seed: short(found, options, rounds, seed)) if arguments.short else
                    (lambda seed: matrix(found, arguments.gc, options, arguments.variants, rounds,
                                         seed)))
        if arguments.seconds_total:
            deadline = time.monotonic() + arguments.seconds_total
            cases = until(deadline, one_pass, arguments.seed)
            tell = time_left(deadline)
        else:
            listed = one_pass(arguments.seed)
            cases, tell = iter(listed), Progress(len(listed)).done
        run_all(cases, tools, folder, arguments.limit, arguments.jobs, log, tell)
    except KeyboardInterrupt:
        interrupted = True
        summary.notes.append("Interrupted.")
    except Failed as error:
        summary.failures.append(str(error))
    summary.tables = log.tables()
    summary.failures += log.failures
    summary.data = {"runs": log.to_json()}
    if not summary.failures:
        shutil.rmtree(folder)
    else:
        summary.notes.append(f"What failed runs left is in {folder}")
    if arguments.json:
        summary.save_json(arguments.json)
    published.publish_as_asked(summary, arguments)
    print(summary.text(), end="")
    return 1 if summary.failures or interrupted or not log.results else 0


def _programs(folder: Path) -> Path:
    """Those that YP_PROGRAMS says are there; else they are compiled."""
    given = os.environ.get("YP_PROGRAMS")
    if given:
        return Path(given)
    out = folder / "programs"
    out.mkdir()
    programs.build(out)
    return out


if __name__ == "__main__":
    sys.exit(main())
