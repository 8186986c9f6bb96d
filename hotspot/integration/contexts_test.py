"""Exact mode by context: every call is counted in the chain of calls that led to it."""

from __future__ import annotations

import collections
import unittest

from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, on_each_jdk
from hotspot.integration.stacks_test import contexts

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


if __name__ == "__main__":
    unittest.main()
