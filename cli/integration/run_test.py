"""yp run on real JVMs: ways to start, ways to end, and company."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import unittest

from support import main


class Starting:
    """How the command starts its JVM."""

    def test_methods_that_are_never_called_are_in_an_lcov_tracefile(self):
        # Mode edges rewrites classes that run, for which the tested JDK 11 is too old.
        force = ["--force"] if self.major == 11 else []
        for mode, calls in (("edges", 1), ("exact", 10_000)):
            result = self.yp("run", "-q", "--mode", mode, *force, "-o", self.profile, "--", self.java,
                             "-cp", str(self.classes), "Inlining", "10")
            self.assertEqual(0, result.returncode, result.stderr)
            result = self.yp("export", self.profile, "-f", "lcov", "-o", "-")
            self.assertEqual(0, result.returncode, result.stderr)
            called = dict(reversed(line.removeprefix("FNDA:").split(",", 1))
                          for line in result.stdout.splitlines() if line.startswith("FNDA:"))
            self.assertEqual(("0", str(calls)),
                             (called["Inlining.unused(int)"], called["Inlining.large(int)"]), mode)
            self.assertIn("SF:Inlining.java\n", result.stdout)

    def test_counts_every_call_and_leaves_the_programs_output_alone(self):
        plain = subprocess.run(self.loop(1000), capture_output=True, text=True, check=True)
        result = self.run_loop(1000)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, plain.stdout)
        self.assertIn("Loop.leaf", result.stderr)
        self.assertIn("wrote p.yp", result.stderr)
        self.assertIn("yp: exact mode counts every call: about", result.stderr)
        self.assertRegex(result.stderr, r"yp: counting took about .* calls, [0-9.]+ ns each[;)]")
        self.assert_exact_counts(1000)
        self.assertEqual(self.spools(), [])

    def test_says_what_counting_costs_while_the_program_runs(self):
        running = self.start([self.yp_path, "run", "--mode", "exact", "-o", self.profile, "--",
                              *self.loop(1000, "forever", self.directory / "done")])
        self.assertIn("yp: exact mode counts every call: about", running.stderr.readline())
        self.assertIsNone(running.poll())

    def test_is_quiet_when_told_so(self):
        self.assertEqual(self.run_loop(1000, yp_options=["--quiet"]).stderr, "")

    def test_prints_the_summary_as_json_behind_the_programs_output(self):
        result = self.run_loop(1000, yp_options=["--json"])
        summary = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual(summary["hottest"][0]["calls"], 10000)
        self.assertTrue(summary["complete"])

    def test_samples_the_entries_of_compiled_methods_by_default(self):
        result = self.yp("run", "-o", self.profile, "--", *self.compiler())
        self.assertEqual(result.returncode, 0, result.stderr)
        info = json.loads(self.yp("info", self.profile, "--json").stdout)
        self.assertEqual(("cbs", "patch"), (info["mode"], info["config"]["probe"]))
        self.assertGreater(info["samples"], 0)
        flags = {flag for edge in json.loads(self.yp("edges", self.profile, "--json").stdout)
                 for flag in edge["flags"]}
        self.assertLessEqual({"sampled", "inferred"}, flags)

    def test_samples_rewritten_classes_on_demand(self):
        result = self.yp("run", "--probe", "bytecode", "-o", self.profile, "--",
                         *self.loop(1_000_000_000))
        self.assertEqual(result.returncode, 0, result.stderr)
        info = json.loads(self.yp("info", self.profile, "--json").stdout)
        self.assertGreater(info["samples"], 0)
        self.assertGreater(self.edges()[("rounds", "middle")], 0)

    def test_has_the_kernel_count_between_windows(self):
        # ns of CPU time in the place of calls: that is to be had on every machine.
        result = self.yp("run", "--mode", "timer", "--call-counter", "task-clock", "-o",
                         self.profile, "--", *self.loop(1_000_000_000))
        self.assertEqual(result.returncode, 0, result.stderr)
        info = json.loads(self.yp("info", self.profile, "--json").stdout)
        self.assertEqual("task-clock", info["config"]["call_counter"])
        with contextlib.closing(sqlite3.connect(self.profile)) as profile:
            windows = profile.execute("SELECT near_calls, interval_ns, start_ns FROM windows "
                                      "WHERE near_calls > 0 ORDER BY start_ns").fetchall()
        self.assertGreater(len(windows), 20)
        # What the first interval has more is from before the thread had its counter.
        counted, cpu_ns = (sum(column) for column in list(zip(*windows[1:]))[:2])
        self.assertLess(0.9 * cpu_ns, counted)
        self.assertLess(counted, 1.1 * cpu_ns)

    def test_says_when_the_processor_does_not_count(self):
        result = self.yp("run", "--mode", "timer", "--call-counter", "r0fffff", "-o", self.profile,
                         "--", *self.loop(1000))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("calls are not counted by the processor", result.stderr)
        info = json.loads(self.yp("info", self.profile, "--json").stdout)
        self.assertTrue(info["config"]["call_counter"].startswith("none: "))

    def test_names_the_profile_by_the_time_when_no_name_is_given(self):
        result = self.yp("run", "--", *self.loop(1000))
        self.assertEqual(result.returncode, 0, result.stderr)
        profiles = list(self.directory.glob("yp-*-*.yp"))
        self.assertEqual(len(profiles), 1)
        self.assertIn(profiles[0].name, result.stderr)

    def test_profiles_a_jvm_that_a_script_starts(self):
        script = self.directory / "start.sh"
        script.write_text('#!/bin/sh\n"$@"\nexit 5\n')
        script.chmod(0o755)
        result = self.yp("run", "--mode", "exact", "-o", self.profile, "--", script,
                         *self.loop(1000))
        self.assertEqual(result.returncode, 5)
        self.assert_exact_counts(1000)

    def test_survives_paths_that_need_quoting(self):
        odd = self.directory / "a b,c=d;e%f'g\"h"
        odd.mkdir()
        self.profile = odd / "p q.yp"
        self.assertEqual(self.run_loop(1000).returncode, 0)
        self.assert_exact_counts(1000)
        self.profile.unlink()
        result = self.yp("run", "--mode", "exact", "-o", self.profile, "--", "sh", "-c", '"$@"',
                         "sh", *self.loop(1000))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_exact_counts(1000)

    def test_saves_a_profile_for_every_jvm(self):
        script = '"$0" -cp "$1" Loop 1000 && "$0" -cp "$1" Loop 3000'
        result = self.yp("run", "--mode", "exact", "-o", self.profile, "--", "sh", "-c", script,
                         self.java, self.classes)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_exact_counts(3000)
        others = list(self.directory.glob("p-*.yp"))
        self.assertEqual(len(others), 1)
        self.assert_exact_counts(1000, others[0])
        self.assertIn(others[0].name, result.stderr)
        self.assertRegex(result.stderr, r"a further JVM, pid \d+ \(Loop\), with")

    @unittest.skipUnless(shutil.which("ecj"), "NOT TESTED: ecj is not installed")
    def test_profiles_the_eclipse_compiler(self):
        source = self.directory / "A.java"
        source.write_text("class A { int f() { return 1; } }\n")
        environment = dict(os.environ, JAVA_HOME=str(pathlib.Path(self.java).parents[1]))
        result = self.yp("run", "-o", self.profile, "--", "ecj", "-source", "11", "-target", "11",
                         "-proc:none", "-d", self.directory, source, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.directory / "A.class").exists())
        info = json.loads(self.yp("info", self.profile, "--json").stdout)
        self.assertIn("eclipse", info["config"]["command"])

    @unittest.skipUnless(shutil.which("ant"), "NOT TESTED: ant is not installed")
    def test_profiles_ant(self):
        (self.directory / "build.xml").write_text('<project><echo message="built"/></project>')
        environment = dict(os.environ, JAVA_HOME=str(pathlib.Path(self.java).parents[1]))
        if subprocess.run(["ant"], cwd=self.directory, env=environment, check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("NOT TESTED: this ant does not run on this JDK")
        result = self.yp("run", "--mode", "exact", "-o", self.profile, "--", "ant",
                         env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("built", result.stdout)
        self.assertGreater(len(self.edges()), 10)

    def test_checks_itself_on_the_users_program(self):
        result = self.yp("selfcheck", "--json", "--probe", "bytecode", "--",
                         *self.loop(60_000_000, "exit", 3))
        self.assertEqual(result.returncode, 0, result.stderr)
        by_name = {c["configuration"]: c
                   for c in json.loads(result.stdout)["configurations"]}
        self.assertGreater(by_name["sampled"]["overlap"]["median"], 50)
        self.assertGreater(by_name["exact"]["cpu_ratio"]["median"], 0.5)
        for configuration in by_name.values():
            self.assertEqual(configuration["different_outputs"], 0)
            self.assertEqual(configuration["different_exit_codes"], 0)


class Ending:
    """How the program may end."""

    def test_passes_on_the_code_of_system_exit(self):
        self.assertEqual(self.run_loop(1000, "exit", 7).returncode, 7)
        self.assert_exact_counts(1000)

    def test_reads_what_was_recorded_before_halt(self):
        result = self.run_loop(1000, "halt", 9)
        self.assertEqual(result.returncode, 9)
        self.assert_exact_counts(1000)

    def test_reads_what_was_recorded_before_a_kill(self):
        ready = self.directory / "ready"
        script = '"$@" & child=$!; while [ ! -e ready ]; do sleep 0.05; done; sleep 1; ' \
                 'kill -9 $child; wait $child'
        result = self.yp("run", "--mode", "exact", "-o", self.profile, "--", "sh", "-c", script,
                         "sh", *self.loop(1000, "forever", ready))
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertIn("cut off", result.stderr)
        self.assertGreaterEqual(self.edges()[("middle", "leaf")], 10000)

    def _signalled(self, number, group):
        ready = self.directory / "ready"
        process = self.start([self.yp_path, "run", "--mode", "exact", "-o", self.profile, "--",
                              *self.loop(1000, "forever", ready)])
        self.wait_for(ready.exists, "the program's loop")
        if group:
            os.killpg(process.pid, number)
        else:
            os.kill(process.pid, number)
        _, stderr = process.communicate(timeout=60)
        self.assertIn("wrote p.yp", stderr)
        self.assertGreaterEqual(self.edges()[("middle", "leaf")], 10000)
        return process.returncode

    def test_writes_the_profile_after_an_interrupt(self):
        self.assertEqual(self._signalled(signal.SIGINT, group=True), 128 + signal.SIGINT)

    def test_hands_on_a_termination(self):
        self.assertEqual(self._signalled(signal.SIGTERM, group=False), 128 + signal.SIGTERM)

    def test_says_that_the_command_started_no_jvm(self):
        result = self.yp("run", "-o", self.profile, "--", "true")
        self.assertEqual(result.returncode, 0)
        self.assert_one_line(result.stderr, "true started no JVM")
        self.assertEqual(self.yp("run", "--", "sh", "-c", "exit 3").returncode, 3)

    def test_says_that_a_launcher_is_none(self):
        fake = self.directory / "java"
        fake.write_text("#!/bin/sh\necho not a JVM\n")
        fake.chmod(0o755)
        result = self.yp("run", "-o", self.profile, "--", fake, "Main")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout, "not a JVM\n")
        self.assert_one_line(result.stderr, "no JVM that took the agent", "HotSpot")

    def test_passes_on_that_the_jvm_did_not_start(self):
        result = self.yp("run", "-o", self.profile, "--", self.java, "-XX:NoSuchOption=1", "Main")
        self.assertEqual(result.returncode, 1)


class Company:
    """Beside other tools in the same JVM."""

    def test_works_beside_a_flight_recording(self):
        self.require_module("jdk.jfr")
        recording = self.directory / "r.jfr"
        result = self.run_loop(
            1000, java_options=[f"-XX:StartFlightRecording=filename={recording}"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_exact_counts(1000)
        self.assertGreater(recording.stat().st_size, 0)

    def test_leaves_flight_recordings_their_samples_of_cpu_time(self):
        if self.major < 25:
            self.skipTest("jdk.CPUTimeSample came with JDK 25")
        recording = self.directory / "r.jfr"
        events = "jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=5ms"
        for trigger in ("hpm", "setitimer"):
            result = self.yp(
                "run", "--mode", "timer", "--mechanism", "immediate", "--trigger", trigger, "-o",
                self.profile, "--", *self.loop(
                    300_000_000,
                    options=[f"-XX:StartFlightRecording:filename={recording},{events}"]))
            self.assertEqual(result.returncode, 0, result.stderr)
            summary = subprocess.run([pathlib.Path(self.java).parent / "jfr", "summary", recording],
                                     capture_output=True, text=True, check=True).stdout
            samples = re.search(r"jdk\.CPUTimeSample\s+(\d+)", summary)
            self.assertGreater(int(samples[1]), 10, trigger)
            info = json.loads(self.yp("info", self.profile, "--json").stdout)
            self.assertGreater(info["stacks"], 10, trigger)

    def test_works_beside_an_agent_that_rewrites_classes(self):
        result = self.run_loop(1000, java_options=[f"-javaagent:{self.classes}/agent.jar"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("rewritten!", result.stdout)
        self.assert_exact_counts(1000)


if __name__ == "__main__":
    main(Starting, Ending, Company, since=11)
