"""Caller-indexed code targets in real JVMs: which edges they find, and what they must not change.

From the environment: as compiler_test.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path
from typing import Sequence

from compiler.integration.programs import (CLI, COLLECTORS, EAGER, STRESS, WAIT, CompilerTest,
                                           generated_program, redefining_agent, run)
from eval import jdks

INLINED = (0, 1, 2, 4)
# They are interpreted when their calls are made, or wait for what others are.
NOT_COMPARED = re.compile(r"Edges\.(main|names?|rounds|lambda\$main\$\d+)[(]")


class TargetsTest(CompilerTest):
    def record(self, inlined: int, *java: object, options: Sequence[str] = ()
               ) -> tuple[subprocess.CompletedProcess[str], Path]:
        profile = self.classes / f"recorded{inlined}.yp"
        profile.unlink(missing_ok=True)
        result = self.aos(*java, options=["--mode", "edges", "--ctb", str(inlined), "-q", "-o",
                                          str(profile), *options])
        return result, profile

    def same(self, program: Sequence[object], jdk: jdks.Jdk, *options: str, code: int = 0,
             inlined: Sequence[int] = (0, 2)) -> None:
        """With what the interpreter prints."""
        expected = self.interpreted(jdk, *program)
        self.assertEqual(expected.returncode, code, expected.stderr)
        for number in inlined:
            with self.subTest(jdk=jdk.version, options=options, inlined=number):
                ours, profile = self.record(number, *self.java(jdk, *options, *EAGER, *program))
                self.assertEqual(ours.stdout, expected.stdout, ours.stderr)
                self.assertEqual(ours.returncode, code, ours.stderr)
                self.assertTrue(profile.exists(), ours.stderr)
                self.assertGreater(len(self.edges(profile)), 0)


class FoundEdges(TargetsTest):
    """Of methods that all run compiled code in the end: those that exact mode counts."""

    def compared(self, profile: Path) -> set[tuple[str, int, str]]:
        found = set()
        for edge in self.edges(profile):
            caller, callee = edge["caller"], edge["callee"]
            is_ours = caller.startswith("Edges") and callee.startswith("Edges")
            if is_ours and not NOT_COMPARED.match(caller):
                found.add((caller, edge["bci"], callee))
        return found

    def exact(self, jdk: jdks.Jdk) -> set[tuple[str, int, str]]:
        profile = self.classes / "exact.yp"
        result = run([CLI, "run", "--mode", "exact", "--trivial", "include", "-q", "-o", profile,
                      "--", *self.java(jdk, "-cp", self.classes, "Edges")])
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.compared(profile)

    def test_are_those_of_exact_mode(self) -> None:
        for jdk in self.jdks:
            exact = self.exact(jdk)
            self.assertGreater(len(exact), 70)
            for inlined, collector in zip(INLINED, (*COLLECTORS, "Serial")):
                with self.subTest(jdk=jdk.version, inlined=inlined, collector=collector):
                    result, profile = self.record(
                        inlined, *self.java(jdk, f"-XX:+Use{collector}GC", *EAGER, "-cp",
                                            self.classes, "Edges", "wait"),
                        options=["--verbose"])
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertEqual(self.compared(profile), exact)

    def test_are_those_of_exact_mode_while_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            with self.subTest(jdk=jdk.version, collector=collector):
                result, profile = self.record(
                    2, *self.java(jdk, f"-XX:+Use{collector}GC", *EAGER, *STRESS, "-cp",
                                  self.classes, "Edges", "wait"), options=["--verbose"])
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.compared(profile), self.exact(jdk))


class SameResults(TargetsTest):
    """A program does what it does without code targets."""

    def test_with_each_collector(self) -> None:
        for jdk, collector in self.pairs():
            self.same(("-cp", self.classes, "Features", 7), jdk, collector, code=7)

    def test_when_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("G1", "Serial")):
            self.same(("-cp", self.classes, "Features", 7), jdk, f"-XX:+Use{collector}GC", *STRESS,
                      code=7, inlined=(1,))

    def test_when_classes_are_unloaded(self) -> None:
        for jdk in self.jdks:
            self.same(("-cp", self.classes, "Unloading", self.classes), jdk, WAIT)
        for jdk, collector in self.pairs():
            self.same(("-cp", self.classes, "Loaders"), jdk, collector, WAIT)

    def test_when_classes_are_redefined(self) -> None:
        for jdk in self.jdks:
            agent = redefining_agent(self.classes, jdk)
            self.same((f"-javaagent:{agent}", "-cp", self.classes, "Redefining"), jdk)
            callees = {edge["callee"].split("(")[0]
                       for edge in self.edges(self.classes / "recorded2.yp")
                       if edge["caller"].startswith("Redefining.call(")}
            self.assertEqual(callees, {f"Redefining$Subject.{name}"
                                       for name in ("value", "other", "fixed")})

    def test_with_virtual_threads(self) -> None:
        jdk, program = self.virtual_threads()
        self.same(program, jdk, "-XX:+UseG1GC", "-Xmn4m")

    def test_of_generated_methods(self) -> None:
        program = generated_program(self.classes, "301:4")
        for jdk in self.jdks:
            self.same(program, jdk, "-XX:+UseSerialGC", inlined=INLINED)


class Options(TargetsTest):
    def test_that_have_no_effect_are_refused(self) -> None:
        self.assertIn("needs --mode edges", self.refuse("--ctb", "2"))
        self.assertIn("works only with --mode edges", self.refuse("--profiler", "cbs", "--ctb", "2"))
        self.assertIn("not both", self.refuse("--mode", "edges", "--profiler", "cbs"))
        self.assertIn("only mode is edges", self.refuse("--mode", "exact"))

    def test_without_compressed_class_pointers_the_program_runs_unrecorded(self) -> None:
        jdk = self.jdks[0]
        result, profile = self.record(2, *self.java(
            jdk, "-XX:-UseCompressedClassPointers", *EAGER, "-cp", self.classes, "Features", 7))
        self.assertEqual(result.returncode, 7)
        self.assertIn("leave out -XX:-UseCompressedClassPointers", result.stderr)


if __name__ == "__main__":
    unittest.main()
