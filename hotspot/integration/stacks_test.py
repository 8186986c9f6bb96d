"""The mechanism immediate: signals find threads where they are."""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
import unittest
from pathlib import Path

from eval import jdks
from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, Recording, on_each_jdk

ALL_DEBUG_INFO = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints")
ALONE = "mode=timer,probe=none,stack_interval_ns=1000000,event_period=1000000"


def contexts(recording: Recording, *options: str) -> dict[tuple[str, ...], float]:
    """Samples by context; a method by its name alone."""
    result = subprocess.run([jvm.CLI, "tree", recording.spool, "--json", "--min", "0", *options],
                            capture_output=True, text=True, check=True,
                            timeout=jvm.TIMEOUT_SECONDS)
    found: dict[tuple[str, ...], float] = {}

    def visit(node: dict, above: tuple[str, ...]) -> None:
        name = node["method"].split("(")[0].rsplit(".", 1)[-1]
        chain = above + (name,) if name else above
        if node["self"]:
            found[chain] = found.get(chain, 0) + node["self"]
        for child in node["children"]:
            visit(child, chain)

    visit(json.loads(result.stdout), ())
    return found


def busy(jdk: jdks.Jdk) -> tuple[str, str]:
    """Some two seconds: the compilers of later JDKs make the loop several times as fast."""
    return "programs.Busy", "20000" if jdk.major <= 17 else "200000"


class StacksTest(JvmTestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="yp-integration-")
        cls.addClassCleanup(folder.cleanup)
        cls.kept = Path(folder.name)

    def recorded_alone(self, jdk: jdks.Jdk) -> Recording:
        """By the kernel's clock of each thread, without a probe: recorded once for all tests."""
        kept = self.kept / f"{jdk.major}.spool"
        if not kept.exists():
            self.record_busy(jdk, ALONE + ",stacks=hpm").spool.rename(kept)
        return Recording(kept)

    def check_shares(self, recording: Recording, least_samples: int) -> None:
        found = contexts(recording)
        total = sum(found.values())
        self.assertGreater(total, least_samples)
        heavy = found.get(("main", "heavy", "work"), 0)
        light = found.get(("main", "light", "work"), 0)
        self.assertGreater(heavy + light, 0.9 * total, found)
        # Five standard deviations: one false alarm in a million, however few a busy machine leaves.
        spread = 5 * math.sqrt(0.75 * 0.25 / (heavy + light))
        self.assertAlmostEqual(0.75, heavy / (heavy + light), delta=max(0.15, spread), msg=found)
        # Who waits takes no CPU time, but for falling asleep and waking up.
        waits = sum(samples for chain, samples in found.items() if "sleep" in chain)
        self.assertLess(waits, 0.05 * total, found)

    def record_busy(self, jdk: jdks.Jdk, options: str) -> Recording:
        return self.record(jdk, *busy(jdk), options=options, jvm=ALL_DEBUG_INFO)

    @on_each_jdk()
    def test_the_kernels_clock_of_each_thread(self, jdk):
        recording = self.recorded_alone(jdk)
        self.assertEqual("hpm", recording.info["config"]["stacks.trigger"])
        self.assertEqual("cpu-clock", recording.info["config"]["stacks.event"])
        self.check_shares(recording, 500)

    @on_each_jdk()
    def test_the_interval_timer(self, jdk):
        recording = self.record_busy(jdk, ALONE + ",stacks=setitimer")
        self.assertEqual("setitimer", recording.info["config"]["stacks.trigger"])
        self.check_shares(recording, 50)

    @on_each_jdk()
    def test_time_in_the_compilers_is_told_apart(self, jdk):
        recording = self.record(jdk, "programs.Busy", "1000", jvm=["-Xcomp", *ALL_DEBUG_INFO],
                                options=ALONE + ",stacks=hpm,event_period=500000")
        drops = recording.drops
        self.assertGreater(drops["in_compiler"], 100)
        self.assertLess(drops.get("vm_not_walkable", 0) + drops.get("no_java_frame", 0),
                        drops["in_compiler"])

    @on_each_jdk()
    def test_without_a_probe_stacks_are_read_as_calls(self, jdk):
        recording = self.recorded_alone(jdk)
        self.assertEqual([], [edge for edge in recording.edges
                              if not edge.callee.startswith("programs.")])
        calls = {edge.callee.split("(")[0]: edge.calls for edge in recording.edges}
        self.assertGreater(calls["programs.Busy.work"], 0.9 * sum(calls.values()))

    @on_each_jdk()
    def test_stacks_beside_calls(self, jdk):
        for probe in ("patch", "bytecode"):
            with self.subTest(probe=probe):
                recording = self.record_busy(
                    jdk, f"mode=cbs,probe={probe},budget_ppm=0,interval=101,policy=countdown,"
                         "stacks=hpm,event_period=1000000")
                self.check_shares(recording, 500)
                callees = {edge.callee.split("(")[0] for edge in recording.edges}
                self.assertIn("programs.Busy.heavy", callees)

    @on_each_jdk()
    def test_stacks_have_their_threads_and_times(self, jdk):
        recording = self.recorded_alone(jdk)
        all_of_them, half_ns = contexts(recording), recording.info["duration_ns"] // 2
        # The kernel knows the main thread by the program's name.
        of_main = contexts(recording, "--thread", "java")
        self.assertGreater(sum(of_main.values()), 0.9 * sum(all_of_them.values()), of_main)
        halves = [contexts(recording, *options) for options in
                  (("--to", f"{half_ns}ns"), ("--from", f"{half_ns}ns"))]
        for context, samples in all_of_them.items():
            self.assertEqual(samples, sum(half.get(context, 0) for half in halves), context)

    @on_each_jdk()
    def test_hardware_that_is_not_there_is_told_of_and_replaced(self, jdk):
        # A raw event of a PMU type that no machine has.
        spool = self.new_spool()
        outcome = self.run_java(
            jdk, *busy(jdk), jvm=ALL_DEBUG_INFO,
            agent=f"spool={spool},{ALONE},stacks=hpm,event=no-such,event_type=4000000000")
        self.assertEqual(0, outcome.exit_code)
        self.assertIn("the event no-such is not to be had", outcome.stderr)
        self.assertIn("cpu-clock takes its place", outcome.stderr)
        self.assertEqual(1, outcome.stderr.count("\n"), outcome.stderr)
        recording = Recording(spool)
        self.assertEqual("cpu-clock", recording.info["config"]["stacks.event"])
        self.check_shares(recording, 500)


if __name__ == "__main__":
    unittest.main()
