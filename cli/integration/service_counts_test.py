"""Numbers of calls of programs whose threads pause, as a service's do: Bursty counts its calls
itself, and prints how many there were."""

import contextlib
import json
import os
import re
import signal
import sys
import time

from support import TIMEOUT_S, main

SECONDS = 6  # of a sampled run
TOLERANCE = 0.15  # of printed numbers, in runs of 10 s or less
INTERVAL_TOLERANCE = 0.02
# Compiled by themselves: the numbers are those of sampled entries, with nothing inferred.
APART = ["-XX:CompileCommand=quiet",
         *(f"-XX:CompileCommand=dontinline,Bursty.{name}" for name in ("request", "outer", "work"))]
DEFAULT = ()
BYTECODE = ("--probe", "bytecode")
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
        """Calls and the ends of their intervals as yp prints them, added up by callee."""
        result = self.yp("edges", self.profile, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        printed = {}
        for edge in json.loads(result.stdout):
            sums = printed.setdefault(edge["callee"], [0, 0, 0])
            for i, name in enumerate(("calls", "low", "high")):
                sums[i] += edge[name]
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

    def assert_numbers(self, output):
        """Printed calls of outer and work are right, and so are all intervals. An interval may be
        off by some percent: that of work, 5 of 6 calls, is a few percent wide, so that chance
        makes it miss by that much once in 10,000 times. Those of outer and request are wider, and
        may be twice as wide, for as rare a false alarm."""
        printed = self.printed()
        wrong = []
        for method, truth in self.counts(output).items():
            calls, low, high = printed.get(method, (0, 0, 0))
            below, above = ((0, 0) if method == "Bursty.work(I)I"
                            else (calls - low, high - calls))
            if not (low - below <= (1 + INTERVAL_TOLERANCE) * truth
                    and high + above >= (1 - INTERVAL_TOLERANCE) * truth):
                wrong.append(f"{method} was called {truth:,} times, and the interval is "
                             f"{low:,.0f} to {high:,.0f}")
            if method != "Bursty.request(I)I" and abs(calls - truth) > TOLERANCE * truth:
                wrong.append(f"{method} was called {truth:,} times, and {calls:,.0f} are printed "
                             f"({calls / truth:.3f} of them)")
        if wrong:
            self.fail("\n".join(wrong))

    def sample(self, *groups, meanwhile=None, java_options=APART):
        """Runs with each probe; `meanwhile(pid of the JVM)` is called when it has begun."""
        for options in (DEFAULT, BYTECODE):
            with self.subTest(groups=groups, options=options):
                process = self.start([self.yp_path, *self.bursty(
                    SECONDS, *groups, options=options, java_options=java_options)])
                pid = int(process.stdout.readline().split()[1])
                if meanwhile:
                    meanwhile(pid)
                output = process.stdout.read()
                self.assertEqual(process.wait(TIMEOUT_S), 0, process.stderr.read())
                self.assert_numbers(output)

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
        self.sample("threads=8,pause=1000", java_options=())

    def test_threads_that_pause_for_a_millisecond(self):
        self.sample("threads=8,pause=1000")

    def test_threads_that_pause_for_five_milliseconds(self):
        self.sample("threads=8,pause=5000")

    def test_threads_that_pause_in_all_ways(self):
        self.sample(*(f"threads=2,burst=3,pause=2000,by={by}"
                      for by in ("park", "sleep", "lock", "io")))

    def test_two_hundred_threads_that_are_mostly_idle(self):
        self.sample("threads=200,pause=50000")

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
