"""Inlined calls in real JVMs: what programs print must not change, and what is inlined is known.

From the environment: as compiler_test.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path
from typing import Sequence

from compiler.integration.programs import (EAGER, STRESS, WAIT, CompilerTest,
                                           generated_program, redefining_agent)
from eval import jdks

# "all" inlines nearly everything that can be, in deep trees.
LEVELS = ("static", "all")
# What Inlining waits for: as long as it is called, it is compiled by itself in the end.
WAITED_FOR = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Inlining.pull",
              "-XX:CompileCommand=dontinline,Inlining.apply")


class InliningTest(CompilerTest):
    def inlined(self, how: str | Path, *java: object, options: Sequence[str] = ()
                ) -> subprocess.CompletedProcess[str]:
        return self.aos(*java, options=["--inline", str(how), "--statistics", *options])

    def count(self, result: subprocess.CompletedProcess[str], pattern: str) -> int:
        found = re.search(pattern, result.stderr)
        self.assertIsNotNone(found, result.stderr)
        return int(found.group(1))

    def same(self, program: Sequence[object], jdk: jdks.Jdk, *options: str, code: int = 0,
             how: Sequence[str | Path] = LEVELS, refused: str = r"refused [1-9]") -> None:
        """As in the interpreter; `refused` is what is not said of refused methods."""
        expected = self.interpreted(jdk, *program)
        self.assertEqual(expected.returncode, code, expected.stderr)
        for level in how:
            with self.subTest(jdk=jdk.version, options=options, inline=level):
                ours = self.inlined(level, *self.java(jdk, *options, *EAGER, *program))
                self.assertEqual(ours.stdout, expected.stdout, ours.stderr)
                self.assertEqual(ours.returncode, code, ours.stderr)
                self.assertGreater(self.count(ours, r"inlined (\d+) calls"), 20)
                self.assertNotRegex(ours.stderr, refused)
                self.assertNotIn("WARNING", ours.stderr)


class Programs(InliningTest):
    def test_do_what_they_do_in_the_interpreter_with_each_collector(self) -> None:
        for jdk, collector in self.pairs():
            self.same(("-cp", self.classes, "Inlining"), jdk, collector, code=7)

    def test_find_every_reference_while_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            for name, arguments in (("Inlining", ()), ("Features", (7,))):
                self.same(("-cp", self.classes, name, *arguments), jdk, f"-XX:+Use{collector}GC",
                          *STRESS, code=7)

    def test_do_so_with_whole_references_and_class_pointers(self) -> None:
        for jdk in self.jdks:
            self.same(("-cp", self.classes, "Inlining"), jdk, "-XX:+UseSerialGC",
                      "-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers", "-Xshare:off",
                      code=7)

    def test_have_all_features_that_others_have(self) -> None:
        for jdk in self.jdks:
            self.same(("-cp", self.classes, "Features", 7), jdk, code=7)

    def test_have_classes_that_go_with_their_loaders(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            self.same(("-cp", self.classes, "Unloading", self.classes), jdk, WAIT)
            profile = self.classes / f"loaders{jdk.version}.yp"
            recorded = self.aos(*self.java(jdk, *EAGER, WAIT, "-cp", self.classes, "Loaders"),
                                options=["--profiler", "exhaustive", "-q", "-o", str(profile)])
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
            self.same(("-cp", self.classes, "Loaders"), jdk, f"-XX:+Use{collector}GC", WAIT,
                      how=(*LEVELS, profile))

    def test_redefine_methods_that_are_inlined(self) -> None:
        for jdk in self.jdks:
            agent = redefining_agent(self.classes, jdk)
            # The VM takes no code that was begun before a class was redefined.
            self.same((f"-javaagent:{agent}", "-cp", self.classes, "Redefining"), jdk,
                      refused=r"refused [1-9]\d*: (?!the VM: Code installation failed: dependencies)")

    def test_that_have_virtual_threads_do_so(self) -> None:
        jdk, program = self.virtual_threads()
        self.same(program, jdk, "-XX:+UseG1GC", "-Xmn4m")


class Generated(InliningTest):
    def test_methods_give_equal_results_and_stack_traces(self) -> None:
        program = generated_program(self.classes, "1:6")
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            self.same(program, jdk, f"-XX:+Use{collector}GC")


class Profiles(InliningTest):
    """Weights that a recording has found decide."""

    def record(self, jdk: jdks.Jdk) -> Path:
        profile = self.classes / f"recorded{jdk.version}.yp"
        result = self.aos(*self.java(jdk, *EAGER, *WAITED_FOR, "-cp", self.classes, "Inlining",
                                     "wait"),
                          options=["--profiler", "exhaustive", "--verbose", "-q", "-o",
                                   str(profile)])
        self.assertEqual(result.returncode, 7, result.stderr)
        return profile

    def test_decide_and_change_no_result(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            profile = self.record(jdk)
            self.same(("-cp", self.classes, "Inlining"), jdk, f"-XX:+Use{collector}GC", *STRESS,
                      code=7, how=(profile,))

    def test_let_calls_be_inlined_behind_guards(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                profile = self.record(jdk)
                result = self.inlined(profile, *self.java(jdk, *EAGER, *WAITED_FOR, "-cp",
                                                          self.classes, "Inlining", "wait"),
                                      options=["--verbose"])
                self.assertEqual(result.returncode, 7, result.stderr)
                self.assertRegex(result.stderr, r"inlined \d+ calls, [1-9]\d* guarded")

    def test_that_are_none_are_refused_in_one_line(self) -> None:
        self.assertIn("--inline", self.refuse("--inline", str(self.classes / "nothing.yp")))
        self.assertIn("--mode edges", self.refuse("--inline", "static", "--mode", "edges"))


class Hierarchy(InliningTest):
    def test_calls_with_one_target_need_no_guard_until_a_class_is_loaded(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                result = self.inlined("static", *self.java(jdk, *EAGER, *WAITED_FOR, "-cp",
                                                           self.classes, "Inlining", "wait"),
                                      options=["--verbose"])
                self.assertEqual(result.returncode, 7, result.stderr)
                of_rule = [line for line in result.stderr.splitlines()
                           if "at Inlining.apply(" in line]
                self.assertIn("inlined Inlining$First.apply(int)int", of_rule[0])
                self.assertNotIn("guarded", of_rule[0])
                self.assertIn("several targets", of_rule[-1])


if __name__ == "__main__":
    unittest.main()
