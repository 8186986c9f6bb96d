"""yp advise on real JVMs: what it tries, what it says, and what it leaves behind.

Which candidate is the fastest is a matter of the machine; only what sleeps less, by a property, is
faster for certain.
"""

import json
import os
import pathlib
import shlex
import signal
import unittest
import zipfile

import support


class Advising(support.JvmTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.directory / "tmp"
        self.temporary.mkdir()
        self.environment = dict(os.environ, TMPDIR=str(self.temporary))
        self.environment.pop("JAVA_TOOL_OPTIONS", None)

    def adjustable(self, *options, arguments=()):
        return [self.java, "-XX:+UseSerialGC", *options, "-cp", str(self.classes), "Adjustable",
                *arguments]

    def advise(self, *arguments):
        result = self.yp("advise", *arguments, env=self.environment)
        self.assertEqual(list(self.temporary.iterdir()), [], "temporary files are left")
        return result

    def advice(self, *arguments):
        """The JSON, and its candidates by name."""
        result = self.advise("--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        advice = json.loads(result.stdout)
        return advice, {c["name"]: c for c in advice["candidates"]}

    def processes_with(self, text):
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if text.encode() in (folder / "cmdline").read_bytes():
                    found.append(folder.name)
            except OSError:
                pass
        return found

    def test_recommends_what_is_faster_for_certain(self):
        advice, candidates = self.advice("--candidates", "c1", "--try", "-Dsleep=0", "--try",
                                         "-Dsleep=3000", "--", *self.adjustable("-Dsleep2=1"))
        self.assertEqual(advice["recommendation"], "-Dsleep=0")
        self.assertEqual(advice["flags"], ["-Dsleep=0"])
        self.assertGreater(advice["low"], 0)
        self.assertLessEqual(advice["low"], advice["gain"])
        self.assertLessEqual(advice["gain"], advice["high"])
        self.assertLess(advice["high"], 100)
        self.assertEqual(advice["compared"], "output and exit code")
        self.assertEqual(advice["metric"], "wall")
        self.assertEqual(advice["warnings"], [])
        self.assertEqual(candidates["-Dsleep=3000"]["state"], "dropped")
        self.assertEqual(shlex.split(advice["commands"][0]),
                         [self.java, "-Dsleep=0", *self.adjustable("-Dsleep2=1")[1:]])
        for candidate in candidates.values():
            self.assertGreaterEqual(candidate["runs"], 4)
            self.assertGreater(candidate["wall_s"], 0)
            self.assertGreater(candidate["peak_bytes"], 1 << 20)
            ratio = candidate["cpu_ratio"]
            self.assertLess(ratio["low"], ratio["high"])

    def test_never_recommends_another_result(self):
        # AppCDS needs --keep: nothing is left in the trial, which then ends.
        advice, candidates = self.advice(
            "--candidates", "appcds", "--try", "-Dsleep=0 -Dtext=other", "--try",
            "-Dsleep=0 -Dcode=7", "--", *self.adjustable())
        self.assertEqual(advice["recommendation"], "defaults")
        other = candidates["-Dsleep=0 -Dtext=other"]
        self.assertEqual((other["state"], other["reason"]),
                         ("failed", "printed something else than the defaults"))
        failed = candidates["-Dsleep=0 -Dcode=7"]
        self.assertEqual(failed["state"], "failed")
        self.assertIn("exit code 7", failed["reason"])
        self.assertEqual(len([w for w in advice["warnings"] if " is out: " in w]), 2)

    def test_says_that_output_differs_anyway(self):
        advice, _ = self.advice("--candidates", "c1", "--try", "-Dsleep=0", "--",
                                *self.adjustable(arguments=["now"]))
        self.assertEqual(advice["recommendation"], "-Dsleep=0")
        self.assertEqual(advice["compared"], "exit code")
        self.assertIn("only exit codes", " ".join(advice["warnings"]))

    def test_tries_all_that_this_jdk_has(self):
        # Archives take no folders of classes.
        with zipfile.ZipFile(self.directory / "program.jar", "w") as jar:
            jar.write(self.classes / "Adjustable.class", "Adjustable.class")
        # What sleeps less is better than all of them, so that the trial ends soon.
        advice, candidates = self.advice("--keep", self.directory / "kept", "--try", "-Dsleep=0",
                                         "--", self.java, "-cp", "program.jar", "Adjustable")
        measured = {name for name, c in candidates.items() if c["runs"] >= 4}
        self.assertEqual(measured, self.expected | {"-Dsleep=0"}, candidates)
        self.assertEqual(advice["recommendation"], "-Dsleep=0")
        self.assertEqual(advice["files"], [])
        self.assertFalse((self.directory / "kept").exists())

    def test_says_why_there_is_no_archive(self):
        _, candidates = self.advice("--candidates", "aot,appcds", "--keep", self.directory / "kept",
                                    "--", *self.adjustable("-Dsleep=0"))
        failed = [c for c in candidates.values() if c["state"] == "failed"]
        self.assertEqual(len(failed), 1, candidates)
        self.assertIn("Cannot have non-empty directory in paths", failed[0]["reason"])

    def test_contradicts_no_option_of_the_command(self):
        _, candidates = self.advice("--candidates", "c1,late-c2", "--", *self.adjustable(
            "-Dsleep=0", "-XX:TieredStopAtLevel=3"))
        for candidate in candidates.values():
            self.assertEqual((candidate["state"], candidate["reason"]),
                             ("not tried", "the command has -XX:TieredStopAtLevel=3"))

    def test_gives_scripts_options_through_the_environment(self):
        script = self.directory / "start"
        script.write_text(f"#!/bin/sh\nexec {shlex.join(self.adjustable())}\n")
        script.chmod(0o755)
        self.environment["JAVA_TOOL_OPTIONS"] = "-Dcode=3"
        advice, candidates = self.advice("--try", "-Dsleep=0", "--candidates",
                                         "c1,aot,appcds", "--", script)
        self.assertEqual(advice["recommendation"], "-Dsleep=0")
        self.assertEqual(advice["commands"], [f"JAVA_TOOL_OPTIONS='-Dcode=3 -Dsleep=0' {script}"])
        for name in ("aot", "appcds"):
            self.assertEqual(candidates[name]["state"], "not tried")
        self.assertEqual(len(advice["warnings"]), 2, advice["warnings"])
        self.assertIn("no java launcher", advice["warnings"][0])
        self.assertIn("exit code 3", advice["warnings"][1])

    def test_says_it_in_words(self):
        result = self.advise("--candidates", "c1", "--try", "-Dsleep=0", "--", *self.adjustable())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("A/A control", result.stdout)
        self.assertIn("Recommended: -Dsleep=0. It saves ", result.stdout)
        self.assertIn(f"\n  {self.java} -Dsleep=0 ", result.stdout)

    def test_stops_everything_at_an_interrupt(self):
        ready = self.directory / "ready"
        process = self.start([self.yp_path, "advise", "--keep", self.directory / "kept", "--",
                              *self.loop(1000, "forever", ready)], env=self.environment)
        self.wait_for(ready.exists, "the program's loop")
        os.kill(process.pid, signal.SIGINT)
        stdout, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, stdout), (128 + signal.SIGINT, ""))
        self.assertEqual(self.processes_with(str(ready)), [])
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertFalse((self.directory / "kept").exists())

    def test_refuses_what_does_not_end(self):
        ready = self.directory / "ready"
        result = self.advise("--budget", "3s", "--", *self.loop(1000, "forever", ready))
        self.assertEqual(result.returncode, 2)
        self.assertIn("did not end within the budget of 3 s", result.stderr)
        self.assertEqual(self.processes_with(str(ready)), [])

    def test_refuses_what_is_wrong_in_one_line(self):
        for arguments, text in ((["--budget", "10"], "--budget"), (["--for", "speed"], "--for"),
                                (["--candidates", "c3"], "there are"),
                                (["--try", "UseZGC"], "no option"),
                                (["--keep", self.java], "cannot make the folder")):
            result = self.advise(*arguments, "--", *self.adjustable())
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(text, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


class AdvisingOn17(Advising):
    major = 17
    expected = {"c1", "appcds-c1", "appcds", "late-c2"}


class AdvisingOn25(Advising):
    major = 25
    expected = {"aot-late-c2", "c1", "aot", "late-c2", "aot-c1"}


del Advising

if __name__ == "__main__":
    unittest.main()
