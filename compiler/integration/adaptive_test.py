"""The adaptive optimization system in real JVMs: methods are compiled again while they run.

From the environment: as compiler_test.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
import unittest
from contextlib import closing
from pathlib import Path

from compiler.integration.programs import (EAGER, STRESS, WAIT, CompilerTest,
                                           generated_program)
from eval import jdks

MILLIS = 700
BASE, AGAIN = 10, 11  # core/graph/code_level.h
OPT1 = AGAIN  # the one or the other is above BASE
OPT2 = 12
HOT = ("Phases$Sum.at(I)I", "Phases$Search.at(I)I")


class AdaptiveTest(CompilerTest):
    def record(self, *java: object, levels: str = "again", profiler: str = "cbs",
               options: tuple[str, ...] = ()) -> tuple[subprocess.CompletedProcess[str], Path]:
        profile = self.classes / "adaptive.yp"
        profile.unlink(missing_ok=True)
        result = self.aos(*java, options=["--adaptive", "--levels", levels, "--profiler", profiler,
                                          "--tick", "4ms", "-q", "--verbose", "-o", str(profile),
                                          *options])
        for failed in ("telling of a compilation:", "compiling again:"):
            self.assertNotIn(failed, result.stderr)
        return result, profile

    def phases(self, jdk: jdks.Jdk, *options: str) -> list[object]:
        return self.java(jdk, *options, *EAGER, "-cp", self.classes, "Phases", MILLIS)

    def levels(self, profile: Path) -> dict[str, list[int]]:
        """Of each method's compilations for calls, by their ends."""
        levels: dict[str, list[int]] = {}
        with closing(sqlite3.connect(profile)) as database:
            for name, level in database.execute(
                    "SELECT full_name, level FROM compilations JOIN jit_methods"
                    " ON jit_methods.id = method WHERE succeeded AND NOT osr ORDER BY end_ns"):
                levels.setdefault(name, []).append(level)
        return levels


    def said_of_samples(self) -> dict[str, str]:
        """What the profile says of the samples of methods."""
        with closing(sqlite3.connect(self.classes / "adaptive.yp")) as database:
            return dict(database.execute("SELECT key, value FROM config WHERE key LIKE 'adaptive.%'"))

    def decided(self, profile: Path) -> list[tuple[str, int, int, float]]:
        """Of each recompilation that was decided: method, from, to, expected gain in ns."""
        with closing(sqlite3.connect(profile)) as database:
            return database.execute(
                "SELECT full_name, level, best_level, past_ns - compile_ns - future_ns"
                " FROM decisions JOIN jit_methods ON jit_methods.id = method"
                " WHERE recompiles AND reason = 'a higher level costs less'").fetchall()


class Recompilation(AdaptiveTest):
    def check(self, jdk: jdks.Jdk, *java: str, level: int = AGAIN, levels: str = "again",
              profiler: str = "cbs", options: tuple[str, ...] = ()) -> str:
        """That hot methods come to the level above BASE; what yp aos says."""
        result, profile = self.record(*self.phases(jdk, *java), levels=levels, profiler=profiler,
                                      options=options)
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.splitlines():
            self.assertTrue(line.endswith(" 0"), "another result than before: " + line)
        compiled = self.levels(profile)
        for method in HOT:
            self.assertEqual(compiled[method][0], BASE, method)
            self.assertIn(level, compiled[method], method)
        decided = self.decided(profile)
        self.assertLessEqual(set(HOT), {method for method, *_ in decided})
        for method, before, after, gain_ns in decided:
            self.assertEqual((before, after), (0, level - BASE), method)
            self.assertGreater(gain_ns, 0, method)
        return result.stderr

    def check_generated(self, seeds: str, level: int = AGAIN, **how: object) -> None:
        """That generated methods do at the level what they do without the compiler."""
        program = generated_program(self.classes, seeds)
        for jdk, collector in self.pairs(("Serial", "G1")):
            with self.subTest(jdk=jdk.version, collector=collector):
                java = self.java(jdk, collector, *STRESS, *EAGER, *program)
                result, profile = self.record(*java, **how)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                reached = [each for each in self.levels(profile).values() if level in each]
                self.assertGreater(len(reached), 0)

    def test_hot_methods_are_compiled_again_with_each_collector(self) -> None:
        for jdk, collector in self.pairs():
            with self.subTest(jdk=jdk.version, collector=collector):
                self.check(jdk, collector)

    def test_hot_methods_are_compiled_at_opt1_with_what_they_call_in_them(self) -> None:
        for jdk, collector, how in zip(2 * self.jdks, ("Serial", "G1", "G1", "Serial"),
                                       ("static", "static", "online", "online")):
            with self.subTest(jdk=jdk.version, how=how):
                said = self.check(jdk, f"-XX:+Use{collector}GC", level=OPT1, levels="own",
                                  options=("--inline", how, "--statistics"))
                for method in HOT:
                    self.assertRegex(said, r"(?m)^yieldpoint: inlined Phases\.mix\(int\)int at "
                                     + re.escape(method.split("(")[0]))
                scramble = r"(?m)^yieldpoint: inlined Phases\.scramble\(int\)int at .*: fits its weight$"
                (self.assertRegex if how == "online" else self.assertNotRegex)(said, scramble)

    def test_hot_methods_are_compiled_at_opt2(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            with self.subTest(jdk=jdk.version):
                self.check(jdk, f"-XX:+Use{collector}GC", level=OPT2, levels="own",
                           options=("--optimize",))

    def test_generated_methods_do_at_opt1_what_they_do_without(self) -> None:
        self.check_generated("2:6", level=OPT1, levels="own", options=("--inline", "all"))

    def test_signals_sample_methods_where_they_find_them(self) -> None:
        for jdk, trigger, source in zip(self.jdks, ("setitimer", "hpm"), ("setitimer", "cpu-clock")):
            with self.subTest(jdk=jdk.version, trigger=trigger):
                self.check(jdk, "-XX:+UseG1GC",
                           options=("--mechanism", "immediate", "--trigger", trigger))
                said = self.said_of_samples()
                self.assertEqual(said["adaptive.mechanism"], "immediate")
                self.assertEqual(said["adaptive.trigger"], source)
                self.assertGreaterEqual(int(said["adaptive.samples"]),
                                        int(said["adaptive.recompilations"]))
                self.assertGreater(int(said["adaptive.outside"]), 0, "the VM's own threads")

    def test_one_sample_a_tick_is_enough(self) -> None:
        self.check(self.jdks[0], profiler="timer")

    def test_with_one_level_nothing_is_compiled_again(self) -> None:
        result, profile = self.record(*self.phases(self.jdks[0]), levels="own")
        self.assertEqual(result.returncode, 0, result.stderr)
        levels = self.levels(profile)
        self.assertIn(HOT[0], levels)
        self.assertEqual({level for each in levels.values() for level in each}, {BASE})
        self.assertEqual(self.decided(profile), [])

    def test_programs_do_what_they_do_without(self) -> None:
        self.check_generated("1:6")

    def test_classes_are_unloaded_meanwhile(self) -> None:
        for jdk in self.jdks:
            for program in (("Unloading", self.classes), ("Loaders",)):
                with self.subTest(jdk=jdk.version, program=program[0]):
                    java = self.java(jdk, "-XX:+UseSerialGC", *EAGER, WAIT, "-cp", self.classes,
                                     *program)
                    expected = self.interpreted(jdk, "-cp", self.classes, *program)
                    result, _ = self.record(*java)
                    self.assertEqual(result.returncode, 0, result.stdout)
                    self.assertEqual(result.stdout, expected.stdout)

    def test_with_virtual_threads(self) -> None:
        jdk, program = self.virtual_threads()
        expected = self.interpreted(jdk, *program)
        result, _ = self.record(*self.java(jdk, "-XX:+UseG1GC", *EAGER, *program))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(result.stdout, expected.stdout)


class Options(AdaptiveTest):
    def test_need_ticks(self) -> None:
        for options in (("--adaptive",), ("--adaptive", "--profiler", "countdown"),
                        ("--levels", "again", "--profiler", "cbs")):
            with self.subTest(options=options):
                self.assertRegex(self.refuse(*options), "needs|works only with")

    def test_levels_follow_from_inline_and_optimize(self) -> None:
        recording = ("--adaptive", "--profiler", "cbs", "--levels")
        self.assertIn("choose own or again", self.refuse(*recording, "opt1"))
        self.assertIn("needs --adaptive", self.refuse("--inline", "online"))
        self.assertIn("needs --adaptive",
                      self.refuse("--inline", "online", "--profiler", "cbs"))
        self.assertIn("leave --inline out", self.refuse(*recording, "again", "--inline", "static"))
        self.assertIn("leave --optimize out", self.refuse(*recording, "again", "--optimize"))
        self.assertIn("leave --optimize out", self.refuse("--optimize", "--mode", "edges"))


if __name__ == "__main__":
    unittest.main()
