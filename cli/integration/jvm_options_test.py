"""Options of the JVM's that change what yp may do with it, wherever they stand."""

import json
import os
import pathlib
import subprocess

from support import main


class JvmOptions:
    REFUSING = "-XX:ArchiveClassesAtExit"

    def script(self, text):
        path = self.directory / "launch.sh"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def test_a_launcher_script_reads_the_version_as_without_yp(self):
        script = self.script('v=$("$1" -version 2>&1 | head -n 1)\n'
                             'case $v in *version*) ;; *) echo "found: $v"; exit 1;; esac\n'
                             'exec "$@"\n')
        for own in (None, "-Dmine=1"):
            environment = dict(os.environ)
            environment.pop("JAVA_TOOL_OPTIONS", None)
            if own is not None:
                environment["JAVA_TOOL_OPTIONS"] = own
                script.write_text(script.read_text().replace("-n 1", "-n 2"))
            result = self.yp("run", "--mode", "exact", "-o", self.profile, "--", script,
                             *self.loop(1000, "exit", 7), env=environment)
            self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
            self.assert_exact_counts(1000)

    def packed(self, *options):
        """The command that runs Loop from a jar: archives are of nothing else."""
        jar = self.directory / "loop.jar"
        if not jar.exists():
            subprocess.run([pathlib.Path(self.java).parent / "jar", "cf", jar, "-C", self.classes,
                            "."], check=True)
        return [self.java, *options, "-cp", jar, "Loop", "1000", "exit", "7"]

    def check_unrecorded(self, result):
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assert_one_line(result.stderr, self.REFUSING, "takes no agents")
        self.assertFalse(self.profile.exists())

    def test_a_program_that_makes_an_archive_of_classes_runs_unrecorded(self):
        archive = f"{self.REFUSING}={self.directory}/a.jsa"
        (self.directory / "options").write_text(f"# with an archive\n{archive}\n")
        plain = subprocess.run(self.packed(), capture_output=True, text=True, check=False)
        for options, environment in (([archive], {}), (["@options"], {}),
                                     ([], {"JDK_JAVA_OPTIONS": archive}),
                                     ([], {"JAVA_TOOL_OPTIONS": archive}),
                                     ([], {"_JAVA_OPTIONS": archive})):
            result = self.yp("run", "--mode", "exact", "-o", self.profile, "--",
                             *self.packed(*options), env=dict(os.environ, **environment))
            self.check_unrecorded(result)
            self.assertEqual(result.stdout, plain.stdout)

    def test_also_when_a_script_starts_it(self):
        script = self.script('exec "$@"\n')
        archive = f"{self.REFUSING}={self.directory}/a.jsa"
        (self.directory / "options").write_text(f"-ea\n{archive}\n")
        for option in (archive, "@options"):
            result = self.yp("run", "--quiet", "-o", self.profile, "--", script,
                             *self.packed(option))
            self.assertEqual(result.returncode, 7, result.stderr)
            self.assertIn(f"with {self.REFUSING}", result.stderr)
            self.assertIn("nothing was recorded", result.stderr)

    def test_without_a_compiler_classes_are_rewritten(self):
        for option in ("-Xint", "-XX:TieredStopAtLevel=0"):
            result = self.yp("run", "-o", self.profile, "--",
                             *self.loop(3_000_000, options=[option]))
            self.assertEqual(result.returncode, 0, result.stderr)
            info = json.loads(self.yp("info", self.profile, "--json").stdout)
            self.assertEqual(info["config"]["probe"], "bytecode")
            self.assertGreater(info["samples"], 0)
            self.assertNotIn("--include", result.stderr)

    def test_says_why_patched_entries_see_nothing_without_a_compiler(self):
        result = self.yp("run", "--probe", "patch", "-o", self.profile, "--",
                         *self.loop(1000, "exit", 7, options=["-Xint"]))
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("compiles nothing", result.stderr)


if __name__ == "__main__":
    main(JvmOptions)
