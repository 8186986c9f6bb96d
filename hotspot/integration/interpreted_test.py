"""Calls that the interpreter executed in methods without a profile are in the graph."""

from __future__ import annotations

import unittest

from hotspot.integration.inference_test import SAMPLED
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

# Too rare for a sample.
RARELY = SAMPLED.replace("interval=499", "interval=16777216")

# Of programs.Seldom: caller, callee and number of calls, of all of the caller's sites together.
EXPECTED = {
    ("main", "<init>"): 4,  # Of Seldom, Square and Circle.
    ("main", "takeAll"): 3,
    ("main", "areaOf"): 3,
    ("main", "take"): 3,
    ("main", "work"): 1,
    ("takeAll", "twice"): 60,
    ("takeAll", "take"): 60,
    ("<clinit>", "twice"): 1,
    ("twice", "add"): 61,
    ("take", "add"): 63,
    ("areaOf", "area"): 3,
}
# Of a class: the VM calls its initializer. On later JDKs uses of static fields are not known.
INITIALIZED = ("main", "<clinit>")
LAST_JDK_WITH_INITIALIZERS = 21
# Each invocation comes to their sites, and nothing else calls what they call but such sites.
CERTAIN = {("main", "<init>"), ("main", "work"), ("main", "areaOf"), ("main", "take"), ("twice", "add"),
           ("areaOf", "area")}


def method(name: str) -> str:
    return name.split("(")[0].rsplit(".", 1)[-1]


class InterpretedTest(JvmTestCase):
    def seldom(self, jdk, options: str = RARELY, jvm=()):
        return self.record(jdk, "programs.Seldom", options=options, jvm=jvm)

    @on_each_jdk()
    def test_calls_that_were_executed_a_few_times_are_there(self, jdk):
        recording = self.seldom(jdk)
        config = dict(recording.info["config"])
        self.assertEqual("all", config.get("vm_counts"))
        self.assertEqual(0, float(config["interpreted_calls_untold_share"]))
        calls: dict[tuple[str, str], float] = {}
        for edge in recording.edges:
            if "programs.Seldom" not in edge.caller:
                continue
            key = method(edge.caller), method(edge.callee)
            calls[key] = calls.get(key, 0) + edge.calls
        initialized = [1.0] if jdk.major <= LAST_JDK_WITH_INITIALIZERS else []
        self.assertEqual(initialized, [calls.pop(edge) for edge in list(calls) if edge == INITIALIZED])
        self.assertLessEqual(set(calls), set(EXPECTED), "what was never executed")
        for edge, expected in EXPECTED.items():
            self.assertIn(edge, calls)
            if edge in CERTAIN:
                self.assertEqual(expected, calls[edge], edge)
            else:
                self.assertAlmostEqual(expected, calls[edge], delta=0.5 * expected, msg=edge)

    @on_each_jdk()
    def test_no_method_has_more_calls_than_it_counted(self, jdk):
        called: dict[str, float] = {}
        for edge in self.seldom(jdk).edges:
            callee = method(edge.callee)
            if "programs.Seldom" in edge.callee:
                called[callee] = called.get(callee, 0) + edge.calls
        self.assertLessEqual(called["add"], 124)
        self.assertLessEqual(called["take"], 63)
        self.assertLessEqual(called["twice"], 61)
        self.assertLessEqual(called["area"], 3)

    @on_each_jdk()
    def test_what_is_excluded_is_not_called(self, jdk):
        recording = self.seldom(jdk, options=RARELY + ",exclude=programs.Seldom$Square")
        callees = {edge.callee.rsplit("(")[0] for edge in recording.edges}
        self.assertFalse([name for name in callees if "Square" in name], callees)
        self.assertTrue([name for name in callees if name.endswith("Seldom.take")], callees)

    @on_each_jdk()
    def test_a_vm_that_compiles_nothing_and_counts_nothing_ends_well(self, jdk):
        recording = self.seldom(jdk, options=RARELY.replace("probe=patch", "probe=auto"),
                                jvm=["-Xint"])
        self.assertNotIn("interpreted_calls_untold_share", dict(recording.info["config"]))


if __name__ == "__main__":
    unittest.main()
