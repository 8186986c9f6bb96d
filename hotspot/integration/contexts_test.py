"""Calling contexts of calls: all of them, counted (exact mode), or those that are sampled."""

from __future__ import annotations

import collections
import math
import unittest
from typing import Sequence

from eval import jdks
from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, on_each_jdk
from hotspot.integration.stacks_test import ALL_DEBUG_INFO, contexts

OPTIONS = "mode=exact,context=tree"

EXPECTED = {
    ("main",): 1,
    ("main", "first"): 3,
    ("main", "first", "leaf"): 6,
    ("main", "first", "middle"): 3,
    ("main", "first", "middle", "leaf"): 30,
    ("main", "second"): 5,
    ("main", "second", "middle"): 5,
    ("main", "second", "middle", "leaf"): 50,
    **{("main", *["down"] * depth): 1 for depth in range(1, 6)},
    **{("main", *["down"] * depth, "leaf"): 1 for depth in range(1, 6)},
    ("main", "catches"): 7,
    ("main", "catches", "leaf"): 7,
    **{("main", "catches", *["throwsDeeply"] * depth): 7 for depth in range(1, 5)},
    ("main", "leaf"): 1,
    ("main", "sorts"): 1,
    ("main", "sorts", "compare"): 7,  # From within the JDK, one after the other.
    ("main", "sorts", "compare", "leaf"): 7,
    ("inThread",): 1,
    ("inThread", "second"): 1,
    ("inThread", "second", "middle"): 1,
    ("inThread", "second", "middle", "leaf"): 10,
}

# In the order of calls, with equal shares but for the work below heavy, which is called twice.
SHARES = {
    ("main", "heavy"): 1 / 7,
    ("main", "heavy", "work"): 2 / 7,
    ("main", "heavy", "between"): 1 / 7,
    ("main", "heavy", "between", "work"): 1 / 7,
    ("main", "light"): 1 / 7,
    ("main", "light", "work"): 1 / 7,
}
STACK_EVERY = 2
SAMPLED = f"mode=cbs,policy=countdown,seed=20261123,context=tree,trivial=include,stack_every={STACK_EVERY}"
# With all debug information a return address is not all that the VM knows of a compiled method.
NO_INLINING = ("-XX:CompileCommand=quiet",
               "-XX:CompileCommand=dontinline,programs.ContextShares::*", *ALL_DEBUG_INFO)


def calls_by_callee(recording: jvm.Recording) -> dict[str, float]:
    calls: dict[str, float] = collections.Counter()
    for edge in recording.edges:
        calls[edge.callee] += edge.calls
    return dict(calls)


class ContextsTest(JvmTestCase):
    @on_each_jdk()
    def test_every_call_counts_in_its_context(self, jdk):
        recording = self.record(jdk, "programs.Contexts", options=OPTIONS)
        self.assertEqual(EXPECTED, contexts(recording))
        self.assertEqual("calls", recording.info["config"]["contexts"])

    @on_each_jdk()
    def test_call_sites_are_told_apart(self, jdk):
        recording = self.record(jdk, "programs.Contexts", options=OPTIONS)
        leaves = [edge.calls for edge in recording.edges
                  if edge.caller.endswith("first()V") and edge.callee.endswith("leaf()V")]
        self.assertEqual([3, 3], leaves)

    @on_each_jdk()
    def test_methods_are_called_as_often_as_exact_mode_says(self, jdk):
        for program in ("Recursion", "Dispatch", "Exceptions", "Threads", "Lambdas"):
            with self.subTest(program):
                by_edge = self.record(jdk, f"programs.{program}", options="mode=exact")
                by_context = self.record(jdk, f"programs.{program}", options=OPTIONS)
                self.assertEqual(calls_by_callee(by_edge), calls_by_callee(by_context))


class SampledContextsTest(JvmTestCase):
    def check(self, jdk: jdks.Jdk, options: str, rounds: int, interval: int,
              flags: Sequence[str] = ()) -> None:
        recording = self.record(jdk, "programs.ContextShares", str(rounds), jvm=flags,
                                options=f"{SAMPLED},interval={interval},{options}")
        found = contexts(recording)
        total = sum(found.values())
        samples = recording.info["samples"]
        self.assertGreater(samples, 0.5 * 7 * rounds / interval, recording.drops)
        # A context whose call site is none of an edge's has no calls.
        self.assertAlmostEqual(1, total / sum(edge.calls for edge in recording.edges), delta=0.01)
        for context, share in SHARES.items():
            # Five standard deviations of independent samples: one false alarm in a million.
            spread = 5 * math.sqrt(share * (1 - share) / (samples / STACK_EVERY))
            self.assertAlmostEqual(share, found.get(context, 0) / total, delta=spread,
                                   msg=f"{context} of {found}")
        self.assertEqual("sampled_calls", recording.info["config"]["contexts"])

    @on_each_jdk()
    def test_sampled_calls_bring_their_whole_stack(self, jdk):
        self.check(jdk, "probe=bytecode,budget_ppm=0", rounds=2_000_000, interval=1009)

    @on_each_jdk()
    def test_at_compiled_entries_too(self, jdk):
        # A second at least: methods are patched some time after the start.
        self.check(jdk, "probe=patch,budget_ppm=0", rounds=200_000_000, interval=50_021,
                   flags=NO_INLINING)


if __name__ == "__main__":
    unittest.main()
