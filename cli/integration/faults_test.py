"""Bad input and faults: one clear line, the program's own exit code, and nothing recorded is lost."""

import json
import os
import resource
import subprocess
import unittest

from support import main


def limit_file_size(size_bytes):
    """For preexec_fn: no file may grow beyond this, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes))


class Faults:
    def test_refuses_a_place_it_cannot_write_before_the_program_starts(self):
        started = self.directory / "started"
        command = ["touch", started]
        for place, words in [(self.directory / "none/p.yp", "no directory"),
                             (self.directory, "is a directory"),
                             ("/proc/p.yp", "cannot write"),
                             ("/dev/full", "no regular file")]:
            result = self.yp("run", "-o", place, "--", *command)
            self.assertEqual(result.returncode, 2)
            self.assert_one_line(result.stderr, words)
        for options in (["--no-such-option"], ["--mode", "exact", "--stride", "3"],
                        ["--interval", "5", "--policy", "cbs"], ["--mode", "quick"]):
            result = self.yp("run", *options, "--", *command)
            self.assertEqual(result.returncode, 2)
            self.assert_one_line(result.stderr, options[0] if options[0] != "--mode" else "--")
        self.assertFalse(started.exists())

    def test_keeps_the_spool_when_the_disk_is_full_for_the_profile(self):
        result = self.run_loop(1000, "exit", 7, yp_options=["--quiet"],
                               java_options=["-XX:-UsePerfData"],
                               preexec_fn=limit_file_size(16 * 1024))
        self.assertEqual(result.returncode, 7)
        self.assertEqual(len(self.spools()), 1, result.stderr)
        self.assert_one_line(result.stderr, str(self.spools()[0]))
        self.assertFalse(self.profile.exists())
        self.assert_exact_counts(1000, self.spools()[0])

    def test_runs_the_program_when_the_disk_is_full_for_the_spool(self):
        plain = subprocess.run(self.loop(1000), capture_output=True, text=True, check=True)
        result = self.run_loop(1000, "exit", 7, java_options=["-XX:-UsePerfData"],
                               preexec_fn=limit_file_size(8))
        self.assertEqual(result.returncode, 7)
        self.assertEqual(result.stdout, plain.stdout)
        told = [line for line in result.stderr.splitlines() if line.startswith("yieldpoint: ")]
        self.assertEqual(len(told), 1, result.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "NOT TESTED: mounting a small disk takes root")
    def test_survives_a_disk_without_room(self):
        disk = self.directory / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "yp", disk],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest(f"NOT TESTED: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.profile = disk / "p.yp"
        result = self.run_loop(1000, "exit", 7, yp_options=["--quiet"])
        self.assertEqual(result.returncode, 7)
        self.assertFalse(self.profile.exists())
        spool, = disk.glob("*.yp-spool")
        self.assert_one_line(result.stderr, str(spool))
        self.assert_exact_counts(1000, spool)

    def test_passes_the_exit_code_on_whatever_streams_are_closed(self):
        command = [self.yp_path, "run", "--mode", "exact", "-o", self.profile, "--",
                   *self.loop(1000, "exit", 7)]
        for streams in ("2>&-", "2>/dev/full", "0<&- 1>&-", "1>/dev/full", "0<&- 1>&- 2>&-"):
            result = subprocess.run(["sh", "-c", f'exec {streams}; "$@"', "sh",
                                     *map(str, command)], cwd=self.directory, check=False,
                                    capture_output=True)
            self.assertEqual(result.returncode, 7, streams)
            info = json.loads(self.yp("info", self.profile, "--json").stdout)
            self.assertEqual(("", True), (info["damage"], info["complete"]), streams)
            self.assert_exact_counts(1000)
            self.profile.unlink()

    def test_saves_the_profile_when_nobody_reads_what_it_says(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        result = subprocess.run([self.yp_path, "run", "--mode", "exact", "-o", self.profile, "--",
                                 *self.loop(1000, "exit", 7)], cwd=self.directory, check=False,
                                stdout=subprocess.PIPE, stderr=write_end)
        os.close(write_end)
        self.assertEqual(result.returncode, 7)
        self.assert_exact_counts(1000)

    def test_reads_a_truncated_spool_as_far_as_it_goes(self):
        self.run_loop(1000, "halt", 0, java_options=["-XX:-UsePerfData"],
                      preexec_fn=limit_file_size(16 * 1024))
        spool, = self.spools()
        content = spool.read_bytes()
        readable = 0
        for size in range(0, len(content), max(1, len(content) // 20)):
            spool.write_bytes(content[:size])
            result = self.yp("edges", spool, "--json")
            self.assertIn(result.returncode, (0, 2), f"{size} bytes: {result.stderr}")
            readable += result.returncode == 0
            if result.returncode == 2:
                self.assert_one_line(result.stderr, spool.name)
        self.assertGreater(readable, 0)

    def test_refuses_a_damaged_profile(self):
        self.run_loop(1000)
        content = bytearray(self.profile.read_bytes())
        for damaged in (content[:100], content[:len(content) // 2],
                        content[:16] + bytes(200) + content[216:]):
            self.profile.write_bytes(damaged)
            result = self.yp("top", self.profile)
            self.assertEqual(result.returncode, 2)
            self.assert_one_line(result.stderr, str(self.profile))

    def test_says_that_stdout_is_full(self):
        self.run_loop(1000)
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([self.yp_path, "edges", self.profile], stdout=full,
                                    stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assert_one_line(result.stderr, "stdout")


if __name__ == "__main__":
    main(Faults)
