"""Numbers of calls of programs whose threads pause, as a service's do: Bursty counts its calls
itself, and prints how many there were."""

import contextlib
import json
import math
import os
import re
import signal
import sqlite3
import sys
import time

from support import JDKS, TIMEOUT_S, main

SECONDS = 4  # of a sampled run
TOLERANCE = 0.15  # of printed numbers, in runs of 10 s or less
WIDER = 2.5  # than 95 % intervals
ORDER = 30  # The factor by half of an interval of what is known within an order of magnitude.
RATES_DIFFER = 1.5  # of ticks, at most: the standard deviation by the mean
# Of intervals, beyond chance: rewritten code that is counted for a few milliseconds now and then runs
# cold, and is slower by more than what was measured of it warm.
INTERVAL_TOLERANCE = {"default": 0.02, "bytecode": 0.12}
# Compiled by themselves: the numbers are those of sampled entries, with nothing inferred.
APART = ["-XX:CompileCommand=quiet",
         *(f"-XX:CompileCommand=dontinline,Bursty.{name}" for name in ("request", "outer", "work"))]
PROBES = {"default": (), "bytecode": ("--probe", "bytecode")}
WORK = "Bursty.work(I)I"
BUSY = f"import time\nend = time.monotonic() + {TIMEOUT_S}\nwhile time.monotonic() < end: pass"


class Programs:
    """Runs Bursty under yp."""

    def bursty(self, seconds, *groups, options=(), java_options=()):
        """yp run on Bursty."""
        return ["run", "-q", *options, "-o", self.profile, "--", self.java, *java_options, "-cp",
                self.classes, "Bursty", seconds, *groups]

    def counts(self, text):
        """What the program has counted itself, by method."""
        counts = {method: int(calls)
                  for method, calls in re.findall(r"^COUNT (\S+) (\d+) calls$", text, re.MULTILINE)}
        expected = {f"Bursty.{name}(I)I" for name in ("request", "outer", "work")}
        self.assertEqual(set(counts), expected, text)
        return counts

    def printed(self):
        """Calls and the ends of their intervals as yp prints them, added up by callee; and whether
        there was too little to have an interval."""
        result = self.yp("edges", self.profile, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        printed = {}
        for edge in json.loads(result.stdout):
            sums = printed.setdefault(edge["callee"], [0, 0, 0, False])
            sums[3] |= "no-interval" in edge["flags"]
            for i, name in enumerate(("calls", "low", "high")):
                sums[i] += math.inf if edge[name] is None else edge[name]
        return printed


class Exactly(Programs):
    """Exact mode has every call, however threads live and wait."""

    def assert_exact(self, *groups):
        result = self.yp(*self.bursty(1, *groups, options=["--mode", "exact"]))
        self.assertEqual(result.returncode, 0, result.stderr)
        printed = self.printed()
        for method, calls in self.counts(result.stdout).items():
            self.assertGreater(calls, 0)
            self.assertEqual(printed[method][0], calls, method)

    def test_threads_that_pause_in_all_ways(self):
        self.assert_exact(*(f"threads=2,burst=2,pause=2000,by={by}"
                            for by in ("park", "sleep", "lock", "io")))

    def test_threads_that_live_for_milliseconds_beside_one_that_is_busy(self):
        self.assert_exact("threads=4,pause=500,life=3", "threads=1")

    def test_virtual_threads_where_the_jdk_has_them(self):
        self.assert_exact("threads=20,pause=2000,by=sleep,kind=virtual",
                          "threads=4,pause=500,life=3,kind=virtual")


class Sampled(Programs):
    """Printed numbers and their intervals, by the default probe and by that in bytecode."""

    def widest(self):
        """The factor by half of a 95 % interval, WIDER, in the logarithm, with Student's t."""
        with contextlib.closing(sqlite3.connect(self.profile)) as profile:
            (ticks,), = profile.execute("SELECT count(*) FROM ticks")
        if ticks < 2:
            return math.inf
        t = 1.96 * (1 + (1.96**2 + 1) / (4 * (ticks - 1)))
        return math.exp(WIDER * t * RATES_DIFFER / math.sqrt(ticks))

    def assert_numbers(self, output, tolerance, widest, widest_above=0):
        """What is printed is right. An interval has a chance of 0.95 to hold the number: one that is
        2.5 times as wide misses it once in a million times, which is the false alarm that is accepted
        here.
        What is printed of work, five calls in six, is near the number, or its interval says by how
        much it may be off, and is no wider than a factor of `widest` to each side; without that, than
        as many ticks leave it whose calls differ by RATES_DIFFER of their mean. Above it may be wider:
        by a factor of `widest_above`."""
        printed = self.printed()
        widest = widest or self.widest()
        wrong = []
        for method, truth in self.counts(output).items():
            if method not in printed:
                self.assertNotEqual(method, WORK)  # Of request there may be no sample.
                continue
            calls, low, high, is_open = printed[method]
            lowest, highest = (calls * (end / calls)**WIDER for end in (low, high))
            is_held = lowest <= (1 + tolerance) * truth and highest >= (1 - tolerance) * truth
            if not is_held:
                wrong.append(f"{method} was called {truth:,} times, and the interval is "
                             f"{low:,.0f} to {high:,.0f}")
            if method != WORK or is_open:
                continue
            allowed = max(TOLERANCE * truth, calls - lowest, highest - calls)
            is_wide = low < calls / widest or high > max(widest, widest_above) * calls
            if abs(calls - truth) > allowed or is_wide:
                wrong.append(f"{method} was called {truth:,} times, and {calls:,.0f} are printed "
                             f"({calls / truth:.3f} of them; {low:,.0f} to {high:,.0f})")
        if wrong:
            self.fail("\n".join(wrong))

    def sample(self, *groups, meanwhile=None, java_options=APART):
        """Runs with each probe; `meanwhile(pid of the JVM)` is called when it has begun. Rewritten
        classes are the same on all JDKs: they are tested on one."""
        for probe, options in PROBES.items():
            if probe == "bytecode" and self.major != 17:
                continue
            with self.subTest(groups=groups, probe=probe):
                process = self.start([self.yp_path, *self.bursty(
                    SECONDS, *groups, options=options, java_options=java_options)])
                pid = int(process.stdout.readline().split()[1])
                if meanwhile:
                    meanwhile(pid)
                output = process.stdout.read()
                self.assertEqual(process.wait(TIMEOUT_S), 0, process.stderr.read())
                is_inferred = probe == "default" and java_options is not APART  # Of one inlined loop.
                # What an armed call costs is not known well where classes are rewritten: on a busy
                # machine nearly all the time of a tick may be that of observing calls, so that there
                # may have been many more of them in the rest (estimate.cc, may_be_more).
                self.assert_numbers(output, INTERVAL_TOLERANCE[probe],
                                    ORDER if is_inferred else None,
                                    ORDER if probe == "bytecode" else 0)

    @staticmethod
    def stop_for_a_second(pid):
        time.sleep(SECONDS / 2)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(1)
        os.kill(pid, signal.SIGCONT)

    @contextlib.contextmanager
    def busy_processes(self, count):
        processes = [self.start([sys.executable, "-c", BUSY]) for _ in range(count)]
        try:
            yield
        finally:
            for process in processes:
                process.kill()

    def test_a_thread_that_never_pauses(self):
        self.sample("threads=1")

    def test_what_is_inlined(self):
        self.sample("threads=8,pause=200", java_options=())

    def test_threads_that_pause_for_a_millisecond(self):
        self.sample("threads=8,pause=1000")

    def test_threads_that_pause_for_five_milliseconds(self):
        self.sample("threads=8,pause=5000")

    def test_threads_that_pause_in_all_ways(self):
        self.sample(*(f"threads=2,burst=3,pause=2000,by={by}"
                      for by in ("park", "sleep", "lock", "io")))

    def test_two_hundred_threads_that_are_mostly_idle(self):
        self.sample("threads=200,pause=20000")

    def test_threads_that_live_for_milliseconds(self):
        self.sample("threads=8,pause=500,life=4")

    def test_threads_that_live_for_milliseconds_beside_one_that_is_busy(self):
        self.sample("threads=8,pause=500,life=4", "threads=1")

    def test_virtual_threads_where_the_jdk_has_them(self):
        self.sample("threads=100,pause=10000,by=sleep,kind=virtual")

    def test_a_process_that_is_stopped_for_a_second(self):
        self.sample("threads=8,pause=1000", meanwhile=self.stop_for_a_second)

    def test_a_machine_that_is_busy_with_something_else(self):
        with self.busy_processes(os.cpu_count() or 1):
            self.sample("threads=8,pause=1000")


main(Exactly, Sampled)
