"""Numbers of calls of programs whose threads pause, as a service's do: Bursty counts its calls
itself, and prints how many there were."""

import json
import re

from support import main


class Programs:
    """Runs Bursty under yp."""

    def bursty(self, seconds, *groups, options=()):
        """yp run on Bursty."""
        return ["run", "-q", *options, "-o", self.profile, "--", self.java, "-cp",
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


main(Exactly)
