"""The sampling modes: what they sample was called, and in proportion."""

from __future__ import annotations

import math
import unittest
from typing import Sequence

from eval import jdks
from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

FALSE_ALARM = 1e-6  # Of each comparison; a test has up to 50.
ROUNDS = 40_000_000


def chi_square_tail(statistic: float, degrees: int) -> float:
    """P(X > statistic) for an even number of degrees of freedom: a Poisson sum."""
    half = statistic / 2
    return math.exp(-half) * sum(half**k / math.factorial(k) for k in range(degrees // 2))


def equal_shares_p(samples: list[int]) -> float:
    expected = sum(samples) / len(samples)
    statistic = sum((n - expected) ** 2 / expected for n in samples)
    return chi_square_tail(statistic, len(samples) - 1)


class ChiSquareTest(unittest.TestCase):
    def test_the_tail_has_the_values_of_the_tables(self):
        self.assertAlmostEqual(0.05, chi_square_tail(12.592, 6), places=4)
        self.assertAlmostEqual(0.001, chi_square_tail(22.458, 6), places=5)

    def test_a_sampler_that_prefers_one_site_by_a_third_is_found_out(self):
        self.assertLess(equal_shares_p([1333] + [1000] * 6), FALSE_ALARM)


class SamplingTest(JvmTestCase):
    def check(self, jdk: jdks.Jdk, options: str, least_samples: int, least_overlap: float,
              equal_sites: bool, jvm_options: Sequence[str] = (), rounds: int = ROUNDS) -> None:
        kernel = "programs.Kernel", str(rounds)
        exact = self.record(jdk, *kernel)
        sampled = self.record(jdk, *kernel, options=options + ",trivial=include,seed=20261121",
                              jvm=jvm_options)
        called = {(edge.caller, edge.bci, edge.callee) for edge in exact.edges}
        seen = {(edge.caller, edge.bci, edge.callee) for edge in sampled.edges}
        self.assertLessEqual(seen, called)

        samples = sum(edge.samples for edge in sampled.edges)
        self.assertGreaterEqual(samples, least_samples)
        self.assertLess(sum(sampled.other_drops.values()), 0.01 * samples, sampled.drops)
        self.assertLess(sampled.late, 0.5 * samples)
        if equal_sites:
            at_sites = [edge.samples for edge in sampled.edges if ".equal(" in edge.callee]
            self.assertEqual(7, len(at_sites))
            self.assertGreater(equal_shares_p(at_sites), FALSE_ALARM, at_sites)
        self.assertGreater(jvm.overlap_percent(exact, sampled), least_overlap)

    @on_each_jdk(since=17)
    def test_counter_based(self, jdk):
        self.check(jdk, "mode=cbs,tick_ns=2000000,stride=31,samples=64", 500, 80, True)

    @on_each_jdk(since=17)
    def test_counter_based_where_the_check_has_a_frame_of_its_own(self, jdk):
        # So it is for all code of C1, and here there is no other.
        self.check(jdk, "mode=cbs,tick_ns=2000000,stride=31,samples=64", 500, 80, True,
                   ["-XX:TieredStopAtLevel=1", "-XX:-Inline"], rounds=ROUNDS // 8)

    @on_each_jdk(since=17)
    def test_countdown(self, jdk):
        self.check(jdk, "mode=cbs,policy=countdown,interval=10007,budget_ppm=0", 5000, 90, True)

    @on_each_jdk(since=17)
    def test_timer(self, jdk):
        # One sample a tick lands where the time goes, which says little about calls.
        self.check(jdk, "mode=timer,tick_ns=1000000", 20, 0, False)


if __name__ == "__main__":
    unittest.main()
