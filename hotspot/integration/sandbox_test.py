"""Classes whose loader does not hand out the probe's class: the program runs as it does without."""

from __future__ import annotations

import unittest

from hotspot.integration.attach_test import ROUNDS, Served
from hotspot.integration.jvm import JvmTestCase, Recording, on_each_jdk

EVERY_CALL = ("mode=exact", "mode=exact,context=tree", "mode=edges")
SAMPLES = "mode=cbs,policy=countdown,interval=101,budget_ppm=0,probe=bytecode"
MAIN = "programs.Sandboxed"


class SandboxTest(JvmTestCase):
    def check(self, recording: Recording, rounds: int) -> None:
        self.assertEqual({"class_cannot_link": 1}, recording.drops)
        self.assertEqual("3", recording.info["config"]["probe.methods_left"])
        callees = {edge.callee.partition("(")[0] for edge in recording.edges}
        self.assertFalse([callee for callee in callees if "$Guest" in callee])
        calls = {edge.callee.partition("(")[0]: edge.calls for edge in recording.edges}
        if recording.info["config"]["mode"] == "exact":
            self.assertEqual(rounds, calls[f"{MAIN}.call"])
        self.assertIn(f"{MAIN}.work", calls)

    @on_each_jdk(since=17)
    def test_from_the_start(self, jdk):
        for options in EVERY_CALL:
            with self.subTest(options=options):
                self.check(self.record(jdk, MAIN, "1000", options=options), 1000)
        recording = self.record(jdk, MAIN, "1000000", options=SAMPLES)
        # Where the drain came late, those that found no room were counted.
        taken = recording.info["samples"] + recording.late
        self.assertGreater(taken, 5000)

    @on_each_jdk(since=17)
    def test_attached(self, jdk):
        for options in EVERY_CALL:
            with self.subTest(options=options):
                served = Served(jdk, "Sandboxed")
                self.addCleanup(served.process.wait)
                self.addCleanup(served.process.kill)
                spool = self.new_spool()
                served.agent(f"spool={spool},{options}")
                self.assertEqual("done\n", served.work())
                served.agent("command=stop")
                self.assertEqual("done\n", served.work())
                self.check(Recording(spool), ROUNDS)
                self.assertEqual((0, "", ""), served.end())


if __name__ == "__main__":
    unittest.main()
