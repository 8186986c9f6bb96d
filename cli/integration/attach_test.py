"""yp attach to JVMs that run already."""

import json
import os
import signal
import subprocess
import unittest

from support import main


class Attaching:
    def start_loop(self, *options):
        """Loop, past its start."""
        ready = self.directory / "ready"
        process = self.start(self.loop(10, "forever", ready, options=options))
        self.wait_for(ready.exists, "the program's loop")
        return process

    def output_of(self, process):
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()

    def attach(self, process, *options):
        return self.yp("attach", process.pid, "-o", self.profile, "--json", *options, *self.force())

    def has_recorded_calls(self):
        return bool(self.spools()) and "leaf" in self.yp("edges", self.spools()[0]).stdout

    def force(self):
        """The run time of JDK 11 that is tested is too old for classes to be rewritten in it while
        it runs, but for a program like this."""
        return ["--force"] if self.major == 11 else []

    def test_records_for_a_while_and_lets_the_program_go_on(self):
        process = self.start_loop()
        result = self.attach(process, "-d", "1", "--mode", "exact")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertTrue(summary["complete"], result.stderr)
        edges = self.edges()
        self.assertGreater(edges[("rounds", "middle")], 1000)
        self.assertAlmostEqual(edges[("middle", "leaf")] / edges[("rounds", "middle")], 10,
                               delta=0.1)
        self.assertEqual(self.spools(), [])
        self.assertIsNone(process.poll())

    def test_refuses_at_once_what_an_argument_file_disables(self):
        for option, word in (("-XX:+DisableAttachMechanism",) * 2,
                             ("-XX:-EnableDynamicAgentLoading",) * 2):
            (self.directory / "options").write_text(option + "\n")
            process = self.start_loop("@" + str(self.directory / "options"))
            result = self.attach(process, "-d", "1")
            self.assertEqual(result.returncode, 2)
            self.assert_one_line(result.stderr, word)
            self.assertNotIn("Full thread dump", self.output_of(process)[0])
            (self.directory / "ready").unlink()

    def test_says_why_the_agent_refuses(self):
        process = self.start_loop("-XX:+UseSerialGC")
        result = self.attach(process, "-d", "1", "--mode", "cbs", "--probe", "barrier")
        if self.major >= 25:
            self.assertEqual(result.returncode, 0, result.stderr)
            return
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "barrier")
        self.assertNotIn("yieldpoint:", self.output_of(process)[1])

    def test_can_be_done_again_in_another_mode(self):
        process = self.start_loop()
        self.assertEqual(self.attach(process, "-d", "0.5", "--mode", "exact").returncode, 0)
        result = self.attach(process, "-d", "2", "--tick", "4ms")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["mode"], "cbs")
        self.assertGreater(summary["samples"], 0)

    def test_records_until_interrupted(self):
        process = self.start_loop()
        yp = self.start([self.yp_path, "attach", process.pid, "-o", self.profile, "--mode",
                         "exact", *self.force()])
        self.wait_for(self.has_recorded_calls, "recorded calls")
        os.kill(yp.pid, signal.SIGINT)
        _, stderr = yp.communicate(timeout=60)
        self.assertEqual(yp.returncode, 0, stderr)
        self.assertNotIn("cut off", stderr)
        self.assertGreater(self.edges()[("middle", "leaf")], 0)
        self.assertIsNone(process.poll())

    def test_takes_what_a_jvm_recorded_before_it_was_killed(self):
        process = self.start_loop()
        yp = self.start([self.yp_path, "attach", process.pid, "-o", self.profile, "--mode",
                         "exact", *self.force()])
        self.wait_for(self.has_recorded_calls, "recorded calls")
        process.kill()
        process.wait()
        _, stderr = yp.communicate(timeout=60)
        self.assertEqual(yp.returncode, 0, stderr)
        self.assertIn("cut off", stderr)
        self.assertGreater(self.edges()[("middle", "leaf")], 0)

    def test_sends_no_signal_where_attaching_is_disabled(self):
        process = self.start_loop("-XX:+DisableAttachMechanism")
        result = self.attach(process, "-d", "1")
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "-XX:+DisableAttachMechanism")
        stdout, _ = self.output_of(process)
        self.assertNotIn("thread dump", stdout)

    def test_prints_no_thread_dump_into_the_program(self):
        process = self.start_loop()
        self.assertEqual(self.attach(process, "-d", "0.2").returncode, 0)
        stdout, stderr = self.output_of(process)
        self.assertEqual(len(stdout.splitlines()), 1)
        self.assertNotIn("thread dump", stderr)

    def test_refuses_what_is_no_jvm(self):
        process = self.start(["sleep", "100"])
        result = self.attach(process, "-d", "1")
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "is no JVM")
        self.assertIsNone(process.poll())

    def test_refuses_a_process_that_has_ended(self):
        process = subprocess.Popen(["true"])
        process.wait()
        result = self.attach(process, "-d", "1")
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "no process")

    @unittest.skipUnless(os.geteuid() == 0, "NOT TESTED: another user's JVM takes root")
    def test_records_another_users_jvm_as_root(self):
        self.directory.chmod(0o777)
        self.classes.chmod(0o755)
        ready = self.directory / "ready"
        try:
            process = self.start(self.loop(10, "forever", ready), user=65534, group=65534)
        except PermissionError:
            self.skipTest(f"NOT TESTED: other users may not start this JDK {self.major}")
        self.wait_for(ready.exists, "the program's loop")
        result = self.attach(process, "-d", "0.5", "--mode", "exact")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(self.edges()[("middle", "leaf")], 0)


if __name__ == "__main__":
    main(Attaching, since=11)
