"""The compiler in real JVMs: yp aos, programs whose output must be HotSpot's, generated classes.

From the environment: YP_CLI (the program yp), YP_GENERATE (generate_classes), YP_EXCEPTION_EVENTS (an
agent) and, to try other generated classes than the tests' own, YP_SEEDS as FIRST:COUNT.
"""

from __future__ import annotations

import os
import re
import tempfile
import unittest
from pathlib import Path
from typing import Sequence

from compiler.integration.programs import (EAGER, STRESS, WAIT, CompilerTest,
                                           generated_program, run)
from eval import jdks


# Since JDK 20 Thread.stop does nothing.
NO_THREAD_STOP = 20


class Features(CompilerTest):
    """What no generated class has; see Features.java."""

    def features(self, jdk: jdks.Jdk, *options: str) -> list[object]:
        return self.java(jdk, *options, "-cp", self.classes, "Features", 7)

    def check(self, jdk: jdks.Jdk, *options: str, also: Sequence[str] = EAGER) -> None:
        expected = self.interpreted(jdk, "-cp", self.classes, "Features", 7)
        self.assertEqual(expected.returncode, 7, expected.stderr)
        ours = self.aos(*self.features(jdk, *options, *also), options=["--statistics"])
        self.assertEqual(ours.stdout, expected.stdout, ours.stderr)
        self.assertEqual(ours.returncode, 7, ours.stderr)
        self.assertRegex(ours.stderr, r"yieldpoint: compiled \d{2,} methods")
        self.assertNotRegex(ours.stderr, r"refused [1-9]")
        self.assertNotIn("WARNING", ours.stderr)

    def test_does_what_hotspot_does_with_each_collector(self) -> None:
        for jdk, collector in self.pairs():
            with self.subTest(jdk=jdk.version, collector=collector):
                self.check(jdk, collector)

    def test_finds_every_reference_when_collections_are_frequent(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            with self.subTest(jdk=jdk.version, collector=collector):
                self.check(jdk, f"-XX:+Use{collector}GC", also=(*EAGER, *STRESS))

    def test_does_so_with_whole_references_and_class_pointers(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                self.check(jdk, "-XX:+UseSerialGC", "-XX:-UseCompressedOops",
                           "-XX:-UseCompressedClassPointers", "-Xshare:off")

    def test_does_so_with_other_layouts_of_the_heap(self) -> None:
        for jdk in self.jdks:
            for options in (("-XX:HeapBaseMinAddress=40g",), ("-XX:ObjectAlignmentInBytes=16",),
                            ("-XX:-UseTLAB",)):
                with self.subTest(jdk=jdk.version, options=options):
                    self.check(jdk, "-XX:+UseG1GC", "-Xshare:off", *options)

    def test_leaves_each_monitor_whatever_locks_look_like(self) -> None:
        old, *newer = self.jdks
        self.check(old, "-XX:+UseSerialGC", "-XX:+UseHeavyMonitors")
        for jdk in newer:
            for options in (("-XX:LockingMode=0",), ("-XX:LockingMode=1",),
                            ("-XX:+UnlockDiagnosticVMOptions", "-XX:+UseObjectMonitorTable")):
                with self.subTest(jdk=jdk.version, options=options):
                    self.check(jdk, "-XX:+UseSerialGC", *options)

    def test_has_instructions_for_methods_that_are_native(self) -> None:
        program = ("-cp", self.classes, "Intrinsics")
        for jdk, collector in self.pairs():
            with self.subTest(jdk=jdk.version, collector=collector):
                ours = self.aos(*self.java(jdk, collector, *EAGER, *STRESS, *program))
                self.assertEqual(ours.stdout, self.interpreted(jdk, *program).stdout, ours.stderr)
                self.assertEqual(ours.returncode, 0, ours.stderr)

    def test_gives_what_functions_of_the_vm_give_to_the_last_bit(self) -> None:
        program = ("-cp", self.classes, "Leaves")
        for jdk, collector in self.pairs():
            for inline in ("none", "static"):
                with self.subTest(jdk=jdk.version, collector=collector, inline=inline):
                    ours = self.aos(*self.java(jdk, collector, *EAGER, *STRESS, *program),
                                    options=["--inline", inline, "--verbose"])
                    self.assertEqual(ours.stdout, self.interpreted(jdk, *program).stdout, ours.stderr)
                    self.assertEqual(ours.returncode, 0, ours.stderr)
                    for method in ("Leaves.several", "Leaves.sums", "java.util.zip.CRC32C.update"):
                        self.assertIn(f"yieldpoint: compiled {method}(", ours.stderr)

    def test_computes_as_the_interpreter_does_where_flags_have_it_otherwise(self) -> None:
        for jdk in self.jdks:
            for flag in ("-XX:-InlineNatives", "-XX:DisableIntrinsic=_dpow,_dsin", "-XX:-UseLibmIntrinsic"):
                with self.subTest(jdk=jdk.version, flag=flag):
                    program = ("-XX:+UnlockDiagnosticVMOptions", flag, "-cp", self.classes, "Leaves")
                    ours = self.aos(*self.java(jdk, *EAGER, *program))
                    self.assertEqual(ours.stdout, self.interpreted(jdk, *program).stdout, ours.stderr)
                    self.assertEqual(ours.returncode, 0, ours.stderr)

    def test_enters_and_leaves_monitors_as_hotspot_does(self) -> None:
        for jdk, collector in zip(self.jdks, ("Serial", "G1")):
            for inline in ("none", "static"):
                with self.subTest(jdk=jdk.version, inline=inline):
                    program = ("-cp", self.classes, "Monitors")
                    ours = self.aos(*self.java(jdk, f"-XX:+Use{collector}GC", *EAGER, *STRESS, *program),
                                    options=["--inline", inline])
                    self.assertEqual(ours.stdout, self.interpreted(jdk, *program).stdout, ours.stderr)
                    self.assertEqual(ours.returncode, 0, ours.stderr)

    def test_an_uncaught_exception_is_the_programs_own(self) -> None:
        result = self.aos(*self.java(self.jdks[0], "-cp", self.classes, "Features"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("IllegalStateException: uncaught", result.stderr)


class Programs(CompilerTest):
    def same(self, program: Sequence[object], jdk: jdks.Jdk, *options: str,
             tiers: str = "own") -> None:
        expected = run(self.java(jdk, *program))
        self.assertEqual(expected.returncode, 0, expected.stderr)
        ours = self.aos(*self.java(jdk, *options, *program), options=["--tiers", tiers])
        self.assertEqual(ours.stdout, expected.stdout, ours.stderr)
        self.assertEqual(ours.returncode, 0, ours.stderr)

    def test_virtual_threads_leave_their_carriers_and_come_back(self) -> None:
        jdk, program = self.virtual_threads()
        for options in (("-XX:+UseG1GC", "-Xmn4m"), ("-XX:+UseSerialGC", *STRESS)):
            with self.subTest(options=options):
                self.same(program, jdk, *options, *EAGER)

    def test_classes_go_with_their_loaders(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                self.same(("-cp", self.classes, "Unloading", self.classes), jdk, *EAGER, WAIT)

    def test_threads_are_stopped_while_they_allocate(self) -> None:
        for jdk in (jdk for jdk in self.jdks if jdk.major < NO_THREAD_STOP):
            with self.subTest(jdk=jdk.version):
                self.same(("-cp", self.classes, "Stopped"), jdk, "-XX:+UseSerialGC", "-Xmn2m", *EAGER)

    def test_a_full_heap_ends_no_process(self) -> None:
        program = ("-XX:+UseSerialGC", "-Xms24m", "-Xmx24m", "-cp", self.classes, "HeapFull")
        for jdk, when in zip(self.jdks, ((), ("at once",))):
            with self.subTest(jdk=jdk.version, when=when):
                expected = self.interpreted(jdk, *program, *when)
                ours = self.aos(*self.java(jdk, *EAGER, *program, *when), options=["--statistics"])
                self.assertEqual(ours.returncode, 0, ours.stdout + ours.stderr)
                # Where JVMCI itself has no memory, the VM says so.
                self.assertTrue(ours.stdout.endswith(expected.stdout), ours.stdout)
                # For other reasons methods would stay interpreted when there is memory again.
                self.assertNotRegex(ours.stderr, r"refused [1-9]\d*: (?!no memory)")

    def test_what_may_use_the_reserved_stack_is_not_cut_short(self) -> None:
        # The VM warns of each such overflow.
        java = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-RestrictReservedStack",
                "-XX:+DisplayVMOutputToStderr", "-cp", self.classes, "ReservedStack")
        for jdk in self.jdks:
            for inline in ("none", "static"):
                with self.subTest(jdk=jdk.version, inline=inline):
                    ours = self.aos(*self.java(jdk, *EAGER, *java), options=["--inline", inline])
                    self.assertEqual(ours.stdout, "cut short: 0\n", ours.stderr)

    def test_a_loop_by_way_of_a_handler_stops_for_a_collection(self) -> None:
        jdk = jdks.find(25)
        if jdk is None:
            self.skipTest("no JDK 25")
        ours = self.aos(*self.java(jdk, *EAGER, "-cp", self.classes, "HandlerLoop"),
                        options=["--verbose"])
        self.assertEqual(ours.stdout, "stopped by the flag: true\n", ours.stderr)
        self.assertIn("yieldpoint: compiled HandlerLoop$Made.run", ours.stderr)

    def test_an_agent_hears_of_each_exception(self) -> None:
        agent = os.environ["YP_EXCEPTION_EVENTS"]
        program = (f"-agentpath:{agent}", "-cp", self.classes, "ExceptionEvents", agent)
        for jdk in self.jdks:
            expected = self.interpreted(jdk, *program)
            self.assertRegex(expected.stdout, r"^\d+ 1200 1200 true$", expected.stderr)
            for inline in ("none", "static"):
                with self.subTest(jdk=jdk.version, inline=inline):
                    ours = self.aos(*self.java(jdk, *EAGER, *program), options=["--inline", inline])
                    self.assertEqual(ours.stdout, expected.stdout, ours.stderr)

    def test_works_above_hotspots_first_compiler(self) -> None:
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                self.same(("-cp", self.classes, "Unloading", self.classes), jdk, *EAGER, WAIT,
                          "-XX:Tier3InvocationThreshold=10", tiers="hotspot")


    def test_hotspots_first_compiler_compiles_the_java_part(self) -> None:
        compiled = re.compile(r"\s(?P<level>\d)\s+(?:jdk\.vm\.ci|yieldpoint\.compiler)\.\S+ .*bytes\)")
        for jdk in self.jdks:
            with self.subTest(jdk=jdk.version):
                ours = self.aos(*self.java(jdk, *EAGER, "-Xlog:jit+compilation=debug", "-cp", self.classes,
                                           "Features"))
                levels = [match["level"] for match in compiled.finditer(ours.stdout)]
                self.assertGreater(len(levels), 20, ours.stdout)
                # A few may be asked for before the compiler is there.
                self.assertLess(20 * (len(levels) - levels.count("1")), len(levels))


class Generated(CompilerTest):
    """Generated methods give equal results, exceptions and stack traces whoever executes them."""

    def test_interpreter_c2_and_ours_agree(self) -> None:
        program = generated_program(self.classes, "1:6")
        for jdk in self.jdks:
            interpreted = self.interpreted(jdk, *program)
            self.assertEqual(interpreted.returncode, 0, interpreted.stderr)
            with self.subTest(jdk=jdk.version, by="C2"):
                theirs = run(self.java(jdk, "-XX:-TieredCompilation", "-XX:CompileThreshold=30",
                                       "-XX:-OmitStackTraceInFastThrow",
                                       "-XX:-BackgroundCompilation", *program))
                self.assertEqual(theirs.stdout, interpreted.stdout)
        for jdk, collector in self.pairs(("Serial", "G1")):
            with self.subTest(jdk=jdk.version, by="BASE", collector=collector):
                ours = self.aos(*self.java(jdk, collector, *EAGER, *program))
                self.assertEqual(ours.returncode, 0, ours.stderr)
                self.assertEqual(ours.stdout, self.interpreted(jdk, *program).stdout)


class Refusals(CompilerTest):
    def refuse(self, *java: object) -> str:
        result = self.aos(*java)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def test_are_one_line_before_the_program_starts(self) -> None:
        java = self.jdks[0].java
        self.assertIn("ZGC", self.refuse(java, "-XX:+UseZGC", "-version"))
        self.assertIn("-Xint", self.refuse(java, "-Xint", "-version"))
        self.assertIn("java launcher", self.refuse("/bin/ls"))
        self.assertIn("cannot find", self.refuse("/nowhere/java"))

    def test_other_jdks_are_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            (home / "bin").mkdir()
            (home / "bin" / "java").touch(0o755)
            (home / "release").write_text('JAVA_VERSION="11.0.2"\nOS_ARCH="x86_64"\n')
            self.assertIn("this is JDK 11.0.2", self.refuse(home / "bin" / "java", "-version"))


if __name__ == "__main__":
    unittest.main()
