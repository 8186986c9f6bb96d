"""OPT2 in real JVMs: what programs print must not change.

From the environment: as compiler_test.
"""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from typing import Sequence

from compiler.integration.programs import (EAGER, STRESS, WAIT, CompilerTest, generated_program,
                                           redefining_agent)
from compiler.integration.yieldpoints_test import KnownCalls
from eval import jdks


class OptimizingTest(CompilerTest):
    def same(self, program: Sequence[object], jdk: jdks.Jdk, *options: str, inline: str = "static",
             code: int = 0) -> subprocess.CompletedProcess[str]:
        """As in the interpreter."""
        expected = self.interpreted(jdk, *program)
        self.assertEqual(expected.returncode, code, expected.stderr)
        ours = self.aos(*self.java(jdk, *options, *EAGER, *program),
                        options=["--optimize", "--inline", inline, "--statistics"])
        self.assertEqual(ours.stdout, expected.stdout, ours.stderr)
        self.assertEqual(ours.returncode, code, ours.stderr)
        self.assertNotIn("WARNING", ours.stderr)
        # Few methods are left to a lower level.
        compiled = int(re.search(r"compiled (\d+) methods", ours.stderr).group(1))
        refused = sum(map(int, re.findall(r"not optimized (\d+):", ours.stderr)))
        self.assertLess(refused, max(compiled // 50, 3), ours.stderr)
        return ours


class Programs(OptimizingTest):
    def test_find_every_reference_while_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            for name, arguments, inline in (("Inlining", (), "all"), ("Features", (7,), "static")):
                with self.subTest(jdk=jdk.version, program=name):
                    self.same(("-cp", self.classes, name, *arguments), jdk,
                              f"-XX:+Use{collector}GC", *STRESS, inline=inline, code=7)

    def test_do_what_they_do_in_the_interpreter_with_other_layouts(self) -> None:
        for jdk, options in zip(self.jdks, (
                ("-XX:+UseParallelGC", "-XX:HeapBaseMinAddress=40g", "-Xshare:off"),
                ("-XX:+UseSerialGC", "-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers",
                 "-Xshare:off"))):
            with self.subTest(jdk=jdk.version, options=options):
                self.same(("-cp", self.classes, "Features", 7), jdk, *options, inline="none", code=7)

    def test_go_on_where_what_is_checked_before_a_loop_is_wrong(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                ours = self.same(("-cp", self.classes, "Speculating"), jdk, "-XX:+UseSerialGC",
                                 inline="none")
                taken = int(re.search(r"traps taken:.* speculation (\d+)", ours.stderr).group(1))
                # Then the method is compiled without: not once for each of the wrong calls.
                self.assertGreater(taken, 0)
                self.assertLess(taken, 20)

    def test_find_what_the_iteration_before_has_stored(self) -> None:
        for jdk, *options in ((self.jdks[0], "-XX:+UseSerialGC", *STRESS),
                              (self.jdks[-1], "-XX:+UseG1GC", *STRESS),
                              (self.jdks[-1], "-XX:+UseParallelGC", "-XX:-UseCompressedOops")):
            with self.subTest(jdk=jdk.version, options=options):
                self.same(("-cp", self.classes, "Carrying"), jdk, *options)

    def test_store_in_vectors_what_they_store_one_by_one(self) -> None:
        for jdk, *options in ((self.jdks[0], "-XX:+UseSerialGC"),
                              (self.jdks[-1], "-XX:+UseG1GC", *STRESS),
                              (self.jdks[-1], "-XX:+UseParallelGC", "-XX:-UseCompressedOops")):
            with self.subTest(jdk=jdk.version, options=options):
                self.same(("-cp", self.classes, "Vectors"), jdk, *options)

    def test_enter_and_leave_monitors_whatever_locks_look_like(self) -> None:
        left = 0  # How often frames were left while they held a monitor.
        for jdk, *options in (
                (self.jdks[0], "-XX:+UseSerialGC", *STRESS), (self.jdks[0], "-XX:+UseHeavyMonitors"),
                (self.jdks[-1], "-XX:+UseG1GC", *STRESS), (self.jdks[-1], "-XX:+UseParallelGC"),
                *((jdk, "-XX:LockingMode=1") for jdk in self.jdks[1:])):
            with self.subTest(jdk=jdk.version, options=options):
                ours = self.same(("-cp", self.classes, "Monitors"), jdk, *options)
                taken = re.search(r"traps taken:.* bounds (\d+), division (\d+)", ours.stderr)
                left += sum(map(int, taken.groups()))
        self.assertGreater(left, 0)

    def test_call_methods_that_are_instructions(self) -> None:
        for jdk, options in zip(self.jdks, (("-XX:+UseSerialGC", *STRESS), ("-XX:+UseG1GC", *STRESS))):
            with self.subTest(jdk=jdk.version, options=options):
                self.same(("-cp", self.classes, "Intrinsics"), jdk, *options)
        self.same(("-cp", self.classes, "Intrinsics"), self.jdks[-1], "-XX:+UseParallelGC",
                  "-XX:-UseCompressedOops", inline="all")

    def test_call_functions_of_the_vm(self) -> None:
        for jdk, options in zip(self.jdks, (("-XX:+UseSerialGC", *STRESS), ("-XX:+UseG1GC", *STRESS))):
            with self.subTest(jdk=jdk.version, options=options):
                self.same(("-cp", self.classes, "Leaves"), jdk, *options)
        self.same(("-cp", self.classes, "Leaves"), self.jdks[-1], "-XX:+UseParallelGC",
                  "-XX:-UseCompressedOops", inline="all")

    def test_rely_on_classes_as_they_are_until_they_change(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            with self.subTest(jdk=jdk.version):
                self.same(("-cp", self.classes, "Bound"), jdk, f"-XX:+Use{collector}GC")

    def test_redefine_methods_and_unload_classes(self) -> None:
        jdk = self.jdks[0]
        agent = redefining_agent(self.classes, jdk)
        ours = self.same((f"-javaagent:{agent}", "-cp", self.classes, "Redefining"), jdk,
                         "-Dyieldpoint.compiler.verbose=true")
        # The VM allows nobody to inline a method of before: calls lead to that of now.
        old = re.findall(r"not inlined Redefining\$Subject.fixed.*: forbidden", ours.stderr)
        self.assertLessEqual(len(old), 1, ours.stderr)
        program = ("-cp", self.classes, "Unloading", self.classes)
        self.same(program, jdk, WAIT)

    def test_tell_an_agent_of_each_exception_and_stop_in_loops_by_way_of_handlers(self) -> None:
        agent = os.environ["YP_EXCEPTION_EVENTS"]
        self.same((f"-agentpath:{agent}", "-cp", self.classes, "ExceptionEvents", agent),
                  self.jdks[0])
        jdk = jdks.find(25)
        if jdk is not None:
            ours = self.aos(*self.java(jdk, *EAGER, "-cp", self.classes, "HandlerLoop"),
                            options=["--optimize", "--verbose"])
            self.assertEqual(ours.stdout, "stopped by the flag: true\n", ours.stderr)

    def test_that_have_virtual_threads_do_so(self) -> None:
        jdk, program = self.virtual_threads()
        self.same(program, jdk, "-XX:+UseG1GC", "-Xmn4m")


class Generated(OptimizingTest):
    def test_methods_give_equal_results_and_stack_traces(self) -> None:
        program = generated_program(self.classes, "1:6")
        for jdk, collector, inline in zip(self.jdks, ("Serial", "G1"), ("none", "all")):
            with self.subTest(jdk=jdk.version):
                self.same(program, jdk, f"-XX:+Use{collector}GC", inline=inline)


class Recorded(CompilerTest):
    def test_calls_are_counted_exactly(self) -> None:
        for jdk, inline in zip(self.jdks, ("static", "none")):
            with self.subTest(jdk=jdk.version):
                known = KnownCalls()
                known.classes, known.jdks = self.classes, self.jdks
                known.check(jdk, "-XX:+UseG1GC", inline=inline, also=("--optimize",))


if __name__ == "__main__":
    unittest.main()
