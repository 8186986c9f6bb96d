"""Yieldpoints in real JVMs: numbers of calls that are known, and what recording must not change.

From the environment: as compiler_test.
"""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path
from typing import Sequence

from compiler.integration.programs import (EAGER, STRESS, WAIT, CompilerTest,
                                           generated_program)
from eval import jdks

THREADS, CALLS = 3, 20_000
# Of Calls.java: callers whose call is counted, and the callee.
COUNTED = {
    "Calls.callStatic": "Calls.plus", "Calls.callLocked": "Calls.locked",
    "Calls.callVirtual": "Calls$Derived.value", "Calls.callFixed": "Calls$Base.fixed",
    "Calls.callInterface": "Calls$Square.area", "Calls.callMany": "Calls.many",
    "Calls.construct": "Calls$Derived.<init>", "Calls.callDepth": "Calls.depth",
    "Calls.callLose": "Calls.lose",
}
RECORDINGS = (("exhaustive",), ("cbs", "--tick", "1ms", "--stride", "3", "--delay", "0"),
              ("countdown", "--interval", "7"))
INTERVAL = 101


def name(method: str) -> str:
    return method.split("(")[0]


class YieldpointTest(CompilerTest):
    def record(self, profiler: Sequence[str], *java: object, options: Sequence[str] = ()
               ) -> tuple[subprocess.CompletedProcess[str], Path]:
        profile = self.classes / "recorded.yp"
        profile.unlink(missing_ok=True)
        result = self.aos(*java, options=["--profiler", *profiler, "-q", "-o", str(profile),
                                          *options])
        return result, profile


class KnownCalls(YieldpointTest):
    """Exhaustive counts of call sites that run compiled code from their first call on."""

    def calls(self, jdk: jdks.Jdk, profiler: Sequence[str], *options: str, threads: int = THREADS,
              calls: int = CALLS, inline: str = "none", also: Sequence[str] = ()
              ) -> tuple[str, list[dict]]:
        program = self.java(jdk, *options, *EAGER, "-cp", self.classes, "Calls", threads, calls)
        result, profile = self.record(profiler, *program,
                                      options=["--verbose", "--inline", inline, *also])
        self.assertEqual(result.returncode, 0, result.stderr)
        if inline != "none":
            self.assertIn("inlined Calls.plus(int)int at Calls.callStatic(", result.stderr)
        return result.stdout, self.edges(profile)

    def counted(self, edges: list[dict]) -> dict[str, int]:
        """The calls of each kind: the first site in a caller's code is the counted one, the other
        one was for warming up."""
        sites: dict[str, list[tuple[int, int]]] = {}
        for edge in edges:
            caller = name(edge["caller"])
            if COUNTED.get(caller) == name(edge["callee"]):
                sites.setdefault(caller, []).append((edge["bci"], edge["calls"]))
        return {caller: min(of_caller)[1] for caller, of_caller in sites.items()}

    def check(self, jdk: jdks.Jdk, *options: str, threads: int = THREADS, calls: int = CALLS,
              inline: str = "none", also: Sequence[str] = ()) -> None:
        _, edges = self.calls(jdk, ("exhaustive",), *options, threads=threads, calls=calls,
                              inline=inline, also=also)
        self.assertEqual(self.counted(edges), dict.fromkeys(COUNTED, threads * calls))
        recursive = [edge["calls"] for edge in edges
                     if name(edge["caller"]) == name(edge["callee"]) == "Calls.depth"]
        self.assertGreaterEqual(recursive[0], 5 * threads * calls)

    def test_are_counted_exactly_with_each_collector(self) -> None:
        for jdk, collector in self.pairs():
            with self.subTest(jdk=jdk.version, collector=collector):
                self.check(jdk, collector)

    def test_are_counted_exactly_while_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            with self.subTest(jdk=jdk.version, collector=collector):
                self.check(jdk, f"-XX:+Use{collector}GC", *STRESS)

    def test_are_counted_exactly_where_they_are_inlined(self) -> None:
        for jdk, collector, inline in zip(self.jdks, ("Serial", "G1"), ("static", "all")):
            with self.subTest(jdk=jdk.version, inline=inline):
                self.check(jdk, f"-XX:+Use{collector}GC", inline=inline)

    def test_of_many_threads_that_come_and_go_are_counted_exactly(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                self.check(jdk, "-XX:+UseG1GC", threads=1000, calls=20)

    def test_are_estimated_by_a_countdown(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                _, edges = self.calls(jdk, ("countdown", "--interval", str(INTERVAL)))
                estimated = self.counted(edges)
                self.assertEqual(estimated.keys(), COUNTED.keys())
                # Each call is sampled by itself: one false alarm in 10^5 of these 18 numbers.
                deviation = (THREADS * CALLS * INTERVAL) ** 0.5
                for caller, calls in estimated.items():
                    self.assertLess(abs(calls - THREADS * CALLS), 5 * deviation, caller)

    def test_have_the_programs_result_however_they_are_recorded(self) -> None:
        for jdk in self.jdks:
            outputs = {self.calls(jdk, profiler)[0] for profiler in RECORDINGS}
            self.assertEqual(len(outputs), 1, outputs)


class Samples(YieldpointTest):
    """Of two calls that are made as often as each other."""

    def samples(self, jdk: jdks.Jdk, *profiler: str) -> tuple[int, int]:
        """Of the first and of the second one."""
        result, profile = self.record(profiler, *self.java(jdk, *EAGER, "-cp", self.classes,
                                                           "Figure1", 3000))
        self.assertEqual((result.returncode, result.stdout), (0, "done\n"), result.stderr)
        samples = {name(edge["callee"]): edge["samples"] for edge in self.edges(profile)
                   if name(edge["caller"]) == "Figure1.round"}
        return samples.get("Figure1.call1", 0), samples.get("Figure1.call2", 0)

    def test_of_windows_are_as_many_of_each(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                first, second = self.samples(jdk, "cbs", "--stride", "5", "--samples", "16",
                                             "--delay", "0")
                both = first + second
                self.assertGreater(both, 300)
                # Fair coins: one false alarm in 10^5.
                self.assertLess(abs(first - second) / both ** 0.5, 4.42, (first, second))

    def test_of_a_timer_are_of_what_is_called_behind_the_tick(self) -> None:
        """The test above would see a biased sampler."""
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                first, second = self.samples(jdk, "timer", "--tick", "2ms")
                both = first + second
                self.assertGreater(both, 100)
                self.assertGreater((first - second) / both ** 0.5, 4.42, (first, second))


class SameResults(YieldpointTest):
    """A program does what it does without being recorded."""

    def same(self, program: Sequence[object], jdk: jdks.Jdk, *options: str,
             code: int = 0) -> None:
        expected = self.interpreted(jdk, *program)
        self.assertEqual(expected.returncode, code, expected.stderr)
        for profiler in RECORDINGS:
            with self.subTest(jdk=jdk.version, options=options, profiler=profiler):
                ours, profile = self.record(profiler, *self.java(jdk, *options, *EAGER, *program))
                self.assertEqual(ours.stdout, expected.stdout, ours.stderr)
                self.assertEqual(ours.returncode, code, ours.stderr)
                self.assertTrue(profile.exists(), ours.stderr)
                self.assertGreater(len(self.edges(profile)), 0)

    def test_when_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("G1", "Serial")):
            self.same(("-cp", self.classes, "Features", 7), jdk, f"-XX:+Use{collector}GC", *STRESS,
                      code=7)

    def test_when_classes_are_unloaded(self) -> None:
        for jdk in self.jdks:
            self.same(("-cp", self.classes, "Unloading", self.classes), jdk, WAIT)

    def test_with_virtual_threads(self) -> None:
        jdk, program = self.virtual_threads()
        self.same(program, jdk, "-XX:+UseG1GC", "-Xmn4m")

    def test_of_generated_methods(self) -> None:
        program = generated_program(self.classes, "101:4")
        for jdk in self.jdks:
            self.same(program, jdk, "-XX:+UseSerialGC")


class Options(YieldpointTest):
    def test_that_have_no_effect_are_refused(self) -> None:
        self.assertIn("needs --profiler", self.refuse("--stride", "3"))
        self.assertIn("needs --profiler", self.refuse("-o", "x.yp"))
        self.assertIn("works only with --profiler cbs:",
                      self.refuse("--profiler", "timer", "--stride", "3"))
        self.assertIn("works only with --profiler cbs or --profiler timer:",
                      self.refuse("--profiler", "exhaustive", "--tick", "3ms"))
        self.assertIn("works only with --profiler countdown:",
                      self.refuse("--profiler", "cbs", "--interval", "9"))
        self.assertIn("needs --mechanism immediate",
                      self.refuse("--profiler", "cbs", "--trigger", "hpm"))
        self.assertIn("choose none, cbs, countdown, timer or exhaustive", self.refuse("--profiler", "x"))


if __name__ == "__main__":
    unittest.main()
