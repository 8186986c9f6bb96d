"""A loose bound on what counting costs; the evaluation measures it.

Two increments for each call of a recursion that does nothing else cost two to
four times the recursion, by what the processor and the JIT make of both. What
is to fail here is another order of magnitude: a call into the agent for each
event costs tens of times the recursion.
"""

from __future__ import annotations

import statistics
import unittest

from hotspot.integration.jvm import JvmTestCase, Recording, on_each_jdk

N = "40"
CALLS = 331_160_281  # Half a second.
PAIRS = 3
BOUND = 8.0
# By how much what the agent measures of a call before the program starts may be off here, where the
# program does what the agent does to measure. A machine under load makes either longer.
TOLD_WITHIN = 3.0
NEARLY_ALL = 0.95  # Of the program's CPU time: the factor is not known (cli/counting_cost.cc).


class CostTest(JvmTestCase):
    @on_each_jdk(since=17)
    def test_exact_counting_of_a_recursion_that_does_nothing_but_call(self, jdk):
        ratios, told = [], []
        for _ in range(PAIRS):
            plain = self.run_java(jdk, "programs.Fib", N)
            spool = self.new_spool()
            exact = self.run_java(jdk, "programs.Fib", N, agent=f"spool={spool},mode=exact")
            self.assertEqual(plain.stdout, exact.stdout)
            ratios.append(exact.cost.cpu_seconds / plain.cost.cpu_seconds)
            counting = Recording(spool).info["counting"]
            took_ns = 1e9 * (exact.cost.cpu_seconds - plain.cost.cpu_seconds)
            told.append(counting["added_ns_per_call"] * CALLS / took_ns)
            # Where a call was measured as longer than it is, counting may seem to take nearly all.
            if counting["counting_ns"] > NEARLY_ALL * counting["program_cpu_ns"]:
                self.assertIsNone(counting["factor"])
            else:
                self.assertGreater(counting["factor"], 1)
        self.assertLess(statistics.median(ratios), BOUND, ratios)
        self.assertGreater(statistics.median(told), 1 / TOLD_WITHIN, told)
        self.assertLess(statistics.median(told), TOLD_WITHIN, told)

    @on_each_jdk(since=17)
    def test_what_a_counted_call_costs_is_told_in_each_mode_that_counts(self, jdk):
        for options in ("mode=exact", "mode=exact,context=tree", "mode=edges"):
            with self.subTest(options):
                recording = self.record(jdk, "programs.Fib", "10", options=options)
                counting = recording.info["counting"]
                self.assertGreater(counting["plain_ns_per_call"], 0)
                self.assertGreaterEqual(counting["added_ns_per_call"], 0)
                self.assertLess(counting["added_ns_per_call"], 1000)
                methods = {name for edge in recording.edges for name in (edge.caller, edge.callee)}
                self.assertFalse([name for name in methods if "YieldpointProbe" in name],
                                 "of measuring nothing is told")


if __name__ == "__main__":
    unittest.main()
