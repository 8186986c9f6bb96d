"""What goes wrong in or around the program: the program goes on, and what was recorded is there."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

from eval import jdks
from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, Recording, in_turn, on_each_jdk

COLLECTORS = ("Serial", "Parallel", "G1", "Z", "Shenandoah")
LEAF = "programs.Ends.leaf(I)I"
CALLS = 100_000
ABANDONED_CALLS = 10_000_000


class FaultsTest(JvmTestCase):
    def leaf_calls(self, spool: Path) -> float:
        return sum(edge.calls for edge in Recording(spool).edges if edge.callee == LEAF)

    def check_end(self, jdk: jdks.Jdk, how: str, exit_code: int, calls: int = CALLS) -> None:
        recording = self.record(jdk, "programs.Ends", how, exit_code=exit_code)
        self.assertEqual(calls, self.leaf_calls(recording.spool))
        self.assertTrue(recording.info["complete"])

    @on_each_jdk()
    def test_system_exit(self, jdk):
        self.check_end(jdk, "exit", 7)

    @on_each_jdk()
    def test_runtime_halt(self, jdk):
        self.check_end(jdk, "halt", 8)

    @on_each_jdk()
    def test_an_uncaught_exception(self, jdk):
        self.check_end(jdk, "throw", 1)

    @on_each_jdk()
    def test_the_program_runs_out_of_memory(self, jdk):
        self.check_end(jdk, "memory", 0, 2 * CALLS)

    @on_each_jdk()
    def test_the_program_starts_another_process(self, jdk):
        self.check_end(jdk, "fork", 0)

    @on_each_jdk()
    def test_a_native_thread_ends_without_detaching_and_its_stack_is_unmapped(self, jdk):
        recording = self.record_attaching(
            jdk, "abandon", 2 * sum(range(3, ABANDONED_CALLS + 3)),
            "mode=cbs,policy=countdown,probe=patch,interval=101,budget_ppm=0,open_permille=500,"
            "open_ns=1000000")
        self.assertTrue(recording.info["complete"])
        self.assertGreater(recording.info["windows"], 100)

    @on_each_jdk()
    def test_kill_9_leaves_what_was_flushed(self, jdk):
        spool = self.new_spool()
        arguments = jvm.command(jdk, "programs.Ends", "wait", agent=f"spool={spool},mode=exact")
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            jvm.wait_until(lambda: spool.exists() and self.leaf_calls(spool) == CALLS)
            process.kill()
        info = Recording(spool).info
        self.assertFalse(info["complete"])
        self.assertEqual("", info["damage"])
        self.assertEqual(CALLS, self.leaf_calls(spool))

    @on_each_jdk()
    def test_a_spool_that_cannot_be_written(self, jdk):
        plain = self.run_java(jdk, "programs.Ends", "none")
        observed = self.run_java(jdk, "programs.Ends", "none",
                                 agent="spool=/nowhere/at/all.spool,mode=exact")
        self.assertEqual((0, plain.stdout), (observed.exit_code, observed.stdout))
        self.assertRegex(observed.stderr, r"^yieldpoint: [^\n]*/nowhere/at/all\.spool[^\n]*\n$")

    @on_each_jdk()
    def test_a_full_disk(self, jdk):
        plain = self.run_java(jdk, "programs.Ends", "none")
        observed = self.run_java(jdk, "programs.Ends", "none", agent="spool=/dev/full,mode=exact")
        self.assertEqual((0, plain.stdout), (observed.exit_code, observed.stdout))
        self.assertRegex(observed.stderr,
                         r"^yieldpoint: [^\n]*no space left on the device[^\n]*\n$")

    @on_each_jdk()
    def test_a_disk_that_gets_full(self, jdk):
        spool = self.new_spool()
        arguments = jvm.command(jdk, "programs.Churn", jvm=["-XX:-UsePerfData"],
                                agent=f"spool={spool},mode=cbs,tick_ns=1000000")
        limited = ["sh", "-c", 'ulimit -f 32; exec "$@"', "sh", *arguments]
        with subprocess.Popen(limited, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            print(60_000, file=process.stdin, flush=True)
            self.assertRegex(process.stderr.readline(),
                             r"^yieldpoint: [^\n]*recording has stopped, the program goes on")
            jvm.wait_until(lambda: jvm.threads(process.pid).isdisjoint({"yp-drain", "yp-trigger"}))
            self.assertIsNone(process.poll())
            process.kill()
            self.assertEqual("", process.stderr.read())
        info = Recording(spool).info
        self.assertFalse(info["complete"])
        self.assertGreater(info["samples"], 0)

    @on_each_jdk()
    def test_wrong_options(self, jdk):
        plain = self.run_java(jdk, "programs.Ends", "none")
        observed = self.run_java(jdk, "programs.Ends", "none", agent="mode=sometimes")
        self.assertEqual((0, plain.stdout), (observed.exit_code, observed.stdout))
        self.assertRegex(observed.stderr, r"^yieldpoint: [^\n]*mode takes[^\n]*\n$")

    @on_each_jdk()
    def test_the_same_agent_twice(self, jdk):
        plain = self.run_java(jdk, "programs.Ends", "none")
        first, second = self.new_spool(), self.new_spool()
        observed = self.run_java(jdk, "programs.Ends", "none", agent=f"spool={second},mode=exact",
                                 jvm=[f"-agentpath:{jvm.AGENT}=spool={first},mode=exact"])
        self.assertEqual((0, plain.stdout), (observed.exit_code, observed.stdout))
        recorded = [spool for spool in (first, second) if spool.exists()]
        self.assertEqual([CALLS], [self.leaf_calls(spool) for spool in recorded])

    def check_flags(self, jdk: jdks.Jdk, *flags: str) -> None:
        for options in ("mode=exact",
                        "mode=cbs,policy=countdown,interval=100,budget_ppm=0,trivial=include"):
            recording = self.record(jdk, "programs.Ends", "memory", options=options, jvm=flags)
            if options == "mode=exact":
                self.assertEqual(2 * CALLS, self.leaf_calls(recording.spool))
            else:
                self.assertGreater(recording.info["samples"], 2 * CALLS / 100 * 0.8)

    @on_each_jdk()
    def test_every_collector(self, jdk):
        for collector in COLLECTORS:
            flag = f"-XX:+Use{collector}GC"
            probe = subprocess.run([jdk.java, flag, "-version"], capture_output=True)
            if probe.returncode != 0:
                continue  # This build of the JDK does not have it.
            with self.subTest(collector=collector):
                self.check_flags(jdk, "-XX:-UseSerialGC", flag)

    @on_each_jdk()
    def test_a_tiny_code_cache(self, jdk):
        recording = self.record(jdk, "programs.Collections", options="mode=exact,scope=all",
                                jvm=["-XX:ReservedCodeCacheSize=4m", "-XX:-SegmentedCodeCache"])
        self.assertTrue(recording.info["complete"])

    @on_each_jdk(module="jdk.jfr")
    def test_flight_recorder_beside(self, jdk):
        recording_file = self.folder / "beside.jfr"
        spool = self.new_spool()
        plain = self.run_java(jdk, "programs.Ends", "none")
        observed = self.run_java(
            jdk, "programs.Ends", "none", agent=f"spool={spool},mode=exact",
            jvm=[f"-XX:StartFlightRecording=filename={recording_file},settings=profile",
                 "-Xlog:disable", "-Xlog:all=error:stderr"])
        self.assertEqual((0, ""), (observed.exit_code, observed.stderr))
        self.assertTrue(observed.stdout.endswith(plain.stdout))
        self.assertEqual(CALLS, self.leaf_calls(spool))
        self.assertGreater(recording_file.stat().st_size, 0)

    @on_each_jdk(until=23)
    def test_a_security_manager_of_the_programs_own(self, jdk):
        for options in ("mode=exact", "mode=edges", "mode=exact,context=tree",
                        "probe=bytecode,mode=cbs,tick_ns=1000000"):
            with self.subTest(options=options):
                recording = self.record(jdk, "programs.Managed", options=f"{options},force=true",
                                        jvm=["-Djava.security.manager=programs.Managed"])
                self.assertTrue(recording.info["complete"])

    @on_each_jdk()
    def test_checked_jni_has_nothing_to_say(self, jdk):
        for mode in ("exact", "cbs,tick_ns=1000000"):
            recording = self.record(jdk, "programs.Threads", options=f"mode={mode}",
                                    jvm=["-Xcheck:jni"])
            self.assertTrue(recording.info["complete"])

    @on_each_jdk()
    def test_the_whole_jdk_is_observed(self, jdk):
        modes = ("exact", "cbs,tick_ns=1000000", "timer,tick_ns=1000000",
                 "cbs,policy=countdown,interval=1000,budget_ppm=0")
        for program, mode in {("Ends", "exact"), *in_turn(jdk, ("Collections", "Ends"), modes)}:
            with self.subTest(mode=mode, program=program):
                recording = self.record(jdk, f"programs.{program}", "none",
                                        options=f"mode={mode},scope=all")
                self.assertTrue(recording.info["complete"])
                if mode == "exact" and program == "Ends":
                    self.assertEqual(CALLS, self.leaf_calls(recording.spool))


if __name__ == "__main__":
    unittest.main()
