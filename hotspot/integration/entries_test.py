"""The probes on compiled entries: what they sample is uniform over calls, and they leave no trace.

No call may be inlined where counts are compared, as inlined ones run no entry."""

from __future__ import annotations

import os
import subprocess
import unittest
from collections import defaultdict
from typing import Sequence

from eval import jdks
from hotspot.integration import attaching, jvm
from hotspot.integration.jvm import Edge, JvmTestCase, Recording, in_turn, on_each_jdk
from hotspot.integration.sampling_test import FALSE_ALARM, equal_shares_p

NO_INLINING = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,programs.Periods::leaf")
CALLS = 1_000_000
ROUNDS = 60
PERIODS = (2, 3, 7, 16, 64)
LOOPS = len(PERIODS)
# Calls before the methods are compiled, and found: the walk comes ten times a second.
MISSED_SHARE = 0.6
LEAST_COMPILED = 50
CODE_BYTES = os.environ.get("YP_CODE_BYTES", "")

CONTINUOUS = "mode=cbs,policy=countdown,budget_ppm=0"
SAMPLED = {
    "continuous": f"{CONTINUOUS},interval=1009",
    "an interval that is a period": f"{CONTINUOUS},interval=64",
    "a third of the time": f"{CONTINUOUS},interval=101,open_permille=333,open_ns=5000000",
    "within a budget": "mode=cbs,policy=countdown,interval=101,budget_ppm=200000,open_ns=5000000",
    "windows": "mode=cbs,policy=cbs,budget_ppm=0,tick_ns=10000000,stride=31,samples=64",
}


def by_period(edges: Sequence[Edge]) -> dict[int, list[Edge]]:
    periods = defaultdict(list)
    for edge in edges:
        if ".leaf(" in edge.callee and ".period" in edge.caller:
            periods[int(edge.caller.split(".period")[1].split("(")[0])].append(edge)
    return periods


# Each loop lasts for many ticks, where there are some: a window comes every 10 ms, however fast the
# machine is.
ROUNDS_OF = {"a third of the time": ROUNDS, "within a budget": ROUNDS, "windows": 2 * ROUNDS}
ROUNDS_WITHOUT_TICKS = ROUNDS // 3

# Which probes there are: JDK 17 has entry barriers only for collectors that need them, 11 none.
PROBES = {11: {"patch": ()},
          17: {"patch": (), "barrier": ("-XX:-UseSerialGC", "-XX:+UseZGC")},
          25: {"patch": (), "barrier": ()}}


class EntriesTest(JvmTestCase):
    def periods(self, jdk: jdks.Jdk, options: str, jvm_options: Sequence[str] = (),
                rounds: int = ROUNDS, calls: int = CALLS, steps: int = 1) -> Recording:
        return self.record(jdk, "programs.Periods", str(calls), str(rounds), str(steps),
                           options=f"{options},seed=20261121", jvm=[*NO_INLINING, *jvm_options])

    @on_each_jdk()
    def test_equal_call_sites_get_equal_shares_whatever_the_period(self, jdk):
        for probe, name in in_turn(jdk, list(PROBES[jdk.major]), list(SAMPLED)):
            with self.subTest(f"{probe}, {name}"):
                recording = self.periods(jdk, f"probe={probe},{SAMPLED[name]}",
                                         PROBES[jdk.major][probe],
                                         ROUNDS_OF.get(name, ROUNDS_WITHOUT_TICKS))
                self.assertEqual(probe, recording.info["config"]["probe"])
                self.assertEqual({}, recording.other_drops)
                periods = by_period(recording.edges)
                self.assertEqual(set(PERIODS), set(periods))
                for period, edges in periods.items():
                    samples = [edge.samples for edge in edges]
                    self.assertEqual(period, len(samples))
                    self.assertGreater(sum(samples), 5 * period)
                    if period % 2 == 1:  # The tail is that of an even number of degrees.
                        self.assertGreater(equal_shares_p(samples), FALSE_ALARM, samples)
                    else:
                        self.assertGreater(equal_shares_p(samples + [sum(samples) / period]),
                                           FALSE_ALARM, samples)

    @on_each_jdk()
    def test_every_call_is_counted_once_they_are_compiled(self, jdk):
        # A call takes 50 ns, so that few are made before its method is found.
        calls = CALLS // 10
        recording = self.periods(jdk, "mode=exact,probe=patch", calls=calls, steps=40)
        self.assertEqual({}, recording.drops)
        self.assertEqual("patch", recording.info["config"]["probe"])
        periods = by_period(recording.edges)
        self.assertEqual(set(PERIODS), set(periods))
        for period, edges in periods.items():
            counts = [edge.calls for edge in edges]
            whole = calls * ROUNDS // period
            self.assertLessEqual(max(counts), whole)
            self.assertGreater(min(counts), (1 - MISSED_SHARE) * whole)
            # A loop is found between two of its calls: its sites differ by a call or two.
            self.assertLessEqual(max(counts) - min(counts), 0.001 * whole, counts)

    @on_each_jdk()
    def test_what_cannot_be_used_is_told_in_one_line_and_the_program_runs(self, jdk):
        plain = self.run_java(jdk, "programs.Fib", "20")
        interpreter = ["-Xint"]  # Nothing is compiled, so that there are no entries.
        names = {"patch": "patched entries", "barrier": "the entry barrier"}
        for probe, used in (("patch", None), ("barrier", None), ("auto", "bytecode")):
            with self.subTest(probe):
                spool = self.new_spool()
                outcome = self.run_java(jdk, "programs.Fib", "20", jvm=interpreter,
                                        agent=f"spool={spool},mode=cbs,probe={probe}")
                self.assertEqual((plain.exit_code, plain.stdout),
                                 (outcome.exit_code, outcome.stdout))
                if used is None:
                    self.assertRegex(outcome.stderr,
                                     rf"^yieldpoint: {names[probe]} cannot be used: [^\n]*"
                                     r"compiles nothing[^\n]*nothing is recorded\n$")
                else:
                    self.assertEqual("", outcome.stderr)
                    self.assertEqual(used, Recording(spool).info["config"]["probe"])

    @on_each_jdk()
    def test_the_countdowns_interval_follows_the_probe(self, jdk):
        for probe, interval in (("auto", "1009"), ("bytecode", "251")):
            recording = self.record(jdk, "programs.Fib", "20",
                                    options=f"mode=cbs,policy=countdown,probe={probe}")
            self.assertEqual(interval, recording.info["config"]["interval"])

    @on_each_jdk()
    def test_a_listener_hears_the_first_calls_of_an_optimised_method(self, jdk):
        recording = self.periods(jdk, "mode=patching,probe=patch,samples=100")
        heard = [edge for edges in by_period(recording.edges).values() for edge in edges]
        # One listener for each compilation of leaf, of which there are few.
        self.assertIn(sum(edge.samples for edge in heard), (100, 200, 300))
        # All calls are judged by the speed of the first, which a listener can only slow down.
        whole = CALLS * ROUNDS * LOOPS
        self.assertLess(0.0005 * whole, sum(edge.calls for edge in heard))
        self.assertGreater(3 * whole, sum(edge.calls for edge in heard))

    @on_each_jdk()
    def test_after_a_recording_all_compiled_code_is_as_before(self, jdk):
        flags = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        # Compiled methods stay as they are: no C2 that replaces them, no counters.
        process = subprocess.Popen(
            jvm.command(jdk, "programs.CodeBytes", CODE_BYTES,
                        jvm=[*flags, "-XX:TieredStopAtLevel=1"]),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def ask(line: str) -> str:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        self.assertEqual("ready", process.stdout.readline().strip())
        spool = self.new_spool()

        def agent(options: str) -> None:
            attaching.jcmd(process.pid, "JVMTI.agent_load", str(jvm.AGENT), f'"{options}"')

        # First all that the test does once, so that the VM has linked every call that it makes.
        result = ask("work")
        for _ in range(2):
            ask("remember")
            ask("compare")
            agent(f"spool={spool},probe=patch,scope=all,mode=cbs")
            agent("command=stop")
        self.assertGreater(int(ask("remember")), LEAST_COMPILED)
        for options in (f"{CONTINUOUS},interval=10", "mode=exact",
                        f"{CONTINUOUS},interval=100,open_permille=500,open_ns=5000000"):
            agent(f"spool={spool},probe=patch,scope=all,{options}")
            self.assertEqual(result, ask("work"))
            if "open_permille" not in options:  # Open all the time.
                compiled, entries = map(int, ask("compare").split())
                self.assertGreater(entries, 0.8 * compiled)  # The test can see patches.
            agent("command=stop")
            compiled, entries = map(int, ask("compare").split())
            self.assertGreater(compiled, LEAST_COMPILED)
            self.assertEqual(0, entries)
            self.assertGreater(len(Recording(spool).edges), 10)
        process.communicate(timeout=jvm.TIMEOUT_SECONDS)  # Ends the input.
        self.assertEqual(0, process.returncode)


if __name__ == "__main__":
    unittest.main()
