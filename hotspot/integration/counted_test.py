"""What the VM has counted itself is in the graph, without a sample."""

from __future__ import annotations

import unittest

from hotspot.integration.inference_test import (ALL_DEBUG_INFO, EXPECTED, KEEP_STEP, SAMPLED,
                                                by_names)
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

STEPS = 2_000_000
# C1's code with full profiling is the only one: it counts all calls.
COUNTING = (*KEEP_STEP, "-XX:TieredStopAtLevel=3")
# Too rare for a sample.
RARELY = SAMPLED.replace("interval=499", "interval=16777216")


class CountedTest(JvmTestCase):
    @on_each_jdk()
    def test_code_that_counts_needs_no_sample(self, jdk):
        recording = self.record(jdk, "programs.Inlined", str(STEPS), options=RARELY, jvm=COUNTING)
        self.assertEqual("all", dict(recording.info["config"]).get("vm_counts"))
        calls = by_names(recording)
        for edge, rate in EXPECTED.items():
            self.assertAlmostEqual(rate, calls.get(edge, 0) / STEPS, delta=0.02 * rate, msg=edge)

    @on_each_jdk()
    def test_calls_of_classes_that_c1_did_not_know_are_counted(self, jdk):
        recording = self.record(jdk, "programs.Unloaded", str(STEPS), options=RARELY,
                                jvm=["-XX:TieredStopAtLevel=3", "-XX:-Inline"])
        calls = {edge.callee.split("(")[0].rsplit(".", 1)[-1]: edge.calls
                 for edge in recording.edges}
        # Not those of the first loop: before its code was there, main had no profile.
        for callee in ("<init>", "twice", "next"):
            self.assertAlmostEqual(1, calls.get(callee, 0) / STEPS, delta=0.02,
                                   msg=(callee, calls))

    @on_each_jdk()
    def test_samples_of_code_that_counts_are_not_added(self, jdk):
        calls = by_names(self.record(jdk, "programs.Inlined", str(STEPS), options=SAMPLED,
                                     jvm=COUNTING))
        for edge, rate in EXPECTED.items():
            self.assertAlmostEqual(rate, calls.get(edge, 0) / STEPS, delta=0.03 * rate, msg=edge)

    @on_each_jdk()
    def test_counts_and_samples_add_up(self, jdk):
        steps = 60 * STEPS  # Most of them in code that was found.
        calls = by_names(self.record(jdk, "programs.Inlined", str(steps), options=SAMPLED,
                                     jvm=[*KEEP_STEP, *ALL_DEBUG_INFO]))
        # New code is observed from the drain's next round on: less may be seen, never more.
        self.assertLess(calls["main", "step"] / steps, 1.02)
        for edge, rate in EXPECTED.items():
            share = calls.get(edge, 0) / calls["main", "step"]
            self.assertAlmostEqual(rate, share, delta=0.25 * rate, msg=edge)


if __name__ == "__main__":
    unittest.main()
