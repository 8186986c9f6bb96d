"""A loose bound on what counting costs; the evaluation measures it.

Two increments for each call of a recursion that does nothing else cost two to
four times the recursion, by what the processor and the JIT make of both. What
is to fail here is another order of magnitude: a call into the agent for each
event costs tens of times the recursion.
"""

from __future__ import annotations

import statistics
import unittest

from hotspot.integration.jvm import JvmTestCase, on_each_jdk

N = "40"  # 331,160,281 calls; half a second.
PAIRS = 3
BOUND = 8.0


class CostTest(JvmTestCase):
    @on_each_jdk()
    def test_exact_counting_of_a_recursion_that_does_nothing_but_call(self, jdk):
        ratios = []
        for _ in range(PAIRS):
            plain = self.run_java(jdk, "programs.Fib", N)
            exact = self.run_java(jdk, "programs.Fib", N,
                                  agent=f"spool={self.new_spool()},mode=exact")
            self.assertEqual(plain.stdout, exact.stdout)
            ratios.append(exact.cost.cpu_seconds / plain.cost.cpu_seconds)
        self.assertLess(statistics.median(ratios), BOUND, ratios)


if __name__ == "__main__":
    unittest.main()
