"""Calls that the JIT inlined are inferred: which there are, and how many."""

from __future__ import annotations

import unittest

from eval import jdks
from hotspot.integration.jvm import JvmTestCase, Recording, on_each_jdk

STEPS = 40_000_000
# step has an entry of its own; calls in main, which is entered once and compiled in its loop, too.
KEEP_STEP = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,programs.Inlined::step")
# Of programs.SeldomEntered: main is entered once, and what it inlines is not known. A compiler that
# is late may compile round without having compiled its loop for on-stack replacement. C2 compiles the
# loop after 200 rounds, not twenty: the calls of those that began before there was a profile are in
# it, and their invocations are not, so that twenty had an eighth too many calls each.
ROUNDS, LOOP = 2000, 3000
KEEP_ROUND = ("-Xbatch", "-XX:CompileCommand=quiet", "-XX:Tier4BackEdgeThreshold=600000",
              "-XX:CompileCommand=dontinline,programs.SeldomEntered::round",
              "-XX:CompileCommand=dontinline,programs.SeldomEntered::often")
ALL_DEBUG_INFO = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints")
SAMPLED = "mode=cbs,policy=countdown,probe=patch,budget_ppm=0,interval=499,infer=yes,seed=20261122"
# Calls for each step, of edges from programs.Inlined; what it samples or has seen inlined.
EXPECTED = {
    ("main", "step"): 1,
    ("step", "Rare.sides"): 0.02,
    ("step", "half"): 0.1,
    ("step", "loop"): 1,
    ("loop", "half"): 8.5,
    # Methods that the JIT may inline without a trace: they are known by the method profiles only.
    ("step", "Shape.sides"): 0.98,
    ("step", "Cell.set"): 2,
    ("step", "Cell.get"): 1,
    ("loop", "Cell.get"): 8.5,
}


def by_names(recording: Recording) -> dict[tuple[str, str], float]:
    def short(name: str) -> str:
        return name.split("(")[0].removeprefix("programs.Inlined").lstrip("$.")

    calls: dict[tuple[str, str], float] = {}
    for edge in recording.edges:
        key = (short(edge.caller), short(edge.callee))
        calls[key] = calls.get(key, 0) + edge.calls
    return calls


class InferenceTest(JvmTestCase):
    def sampled(self, jdk: jdks.Jdk, options: str = SAMPLED, jvm=ALL_DEBUG_INFO) -> Recording:
        return self.record(jdk, "programs.Inlined", str(STEPS), options=options,
                           jvm=[*KEEP_STEP, *jvm])

    @on_each_jdk()
    def test_inlined_calls_have_their_rates(self, jdk):
        exact = self.record(jdk, "programs.Inlined", str(STEPS // 20), jvm=KEEP_STEP)
        counted = by_names(exact)
        for edge, rate in EXPECTED.items():
            self.assertAlmostEqual(rate, counted[edge] / (STEPS // 20), delta=0.02 * rate, msg=edge)
        calls = by_names(self.sampled(jdk))
        for edge, rate in EXPECTED.items():
            share = calls.get(edge, 0) / calls["main", "step"]
            self.assertAlmostEqual(rate, share, delta=0.25 * rate, msg=edge)

    @on_each_jdk()
    def test_without_inference_they_are_missing(self, jdk):
        calls = by_names(self.sampled(jdk, SAMPLED.replace("infer=yes", "infer=no")))
        self.assertNotIn(("loop", "half"), calls)

    @on_each_jdk()
    def test_code_that_is_seldom_entered_is_counted_between_ticks(self, jdk):
        def calls_of_step(**options: str) -> float:
            spool = self.new_spool()
            told = ",".join(f"{key}={value}" for key, value in options.items())
            outcome = self.run_java(
                jdk, "programs.SeldomEntered", str(ROUNDS),
                agent=f"spool={spool},mode=cbs,policy=countdown,probe=patch,{told}",
                jvm=[*KEEP_ROUND, *ALL_DEBUG_INFO])
            self.assertEqual(0, outcome.exit_code, outcome.stderr)
            return sum(edge.calls for edge in Recording(spool).edges
                       if ".step(" in edge.callee)

        # How often a round calls is known by the profile of those that C1's code has executed.
        # Ticks see few of the 800 rounds in a second, and a sample stands for 100,000 calls.
        rare = {"interval": "99991", "budget_ppm": "50000", "seed": "20261128"}
        self.assertAlmostEqual(1, calls_of_step(**rare) / (ROUNDS * LOOP), delta=0.3)
        self.assertGreater(abs(1 - calls_of_step(**rare, count_entries="no") / (ROUNDS * LOOP)), 0.5)

    @on_each_jdk()
    def test_the_jit_s_usual_debug_information_tells_less_but_nothing_wrong(self, jdk):
        calls = by_names(self.sampled(jdk, jvm=()))
        for edge, rate in EXPECTED.items():
            self.assertLess(calls.get(edge, 0) / calls["main", "step"], 1.25 * rate, edge)


if __name__ == "__main__":
    unittest.main()
