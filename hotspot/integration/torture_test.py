"""The torture command: does it see what it is there for? And in short, on real JVMs."""

from __future__ import annotations

import contextlib
import io
import unittest
from pathlib import Path
from typing import Mapping

from eval.jdks import Jdk
from hotspot.integration import jvm, torture
from hotspot.integration.jvm import JvmTestCase, on_each_jdk
from hotspot.integration.torture_run import Case, Result, Tools, Verdict, run
from hotspot.integration.torture_variants import VARIANTS

GOOD = {"one": "0123456789abcdef", "two": "fedcba9876543210"}
PRINT_GOOD = "; ".join(f"echo '{name} {checksum}'" for name, checksum in GOOD.items())
INFO = '{"mode": "cbs", "complete": true, "damage": "", "samples": 3, "drops": {"full": 2}}'


class DriverTest(JvmTestCase):
    """With scripts in the place of java and yp."""

    def script(self, path: str, text: str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    def judged(self, java: str, info: str = INFO, variant: str = "plain",
               expected: Mapping[str, str] = GOOD, limit_seconds: float = 60.0) -> Result:
        self.script("jdk/bin/java", java)
        yp = self.script("yp", f"echo '{info}'")
        place = self.folder / "run"
        place.mkdir()
        case = Case(Jdk(self.folder / "jdk", 25, "25"), "Serial", "mode=cbs", variant,
                    VARIANTS[variant], seed=1, rounds=1)
        return run(case, Tools(Path("agent"), yp, self.folder), place, expected, limit_seconds)

    def test_the_same_output_is_good(self):
        result = self.judged(PRINT_GOOD)
        self.assertEqual((Verdict.OK, "", 3, {"full": 2}),
                         (result.verdict, result.detail, result.samples, result.drops))

    def test_another_checksum_is_a_wrong_result(self):
        result = self.judged(PRINT_GOOD.replace("fed", "fad"))
        self.assertEqual((Verdict.WRONG, "other results: two"), (result.verdict, result.detail))

    def test_a_missing_line_is_a_wrong_result(self):
        result = self.judged(PRINT_GOOD.split(";", maxsplit=1)[0])
        self.assertEqual((Verdict.WRONG, "other results: two"), (result.verdict, result.detail))

    def test_an_exit_code_is_a_wrong_result(self):
        result = self.judged(f"{PRINT_GOOD}; echo because >&2; exit 3")
        self.assertEqual((Verdict.WRONG, "exit code 3: because\n"),
                         (result.verdict, result.detail))

    def test_a_signal_is_a_crash_even_after_good_output(self):
        result = self.judged(f"{PRINT_GOOD}; kill -SEGV $$")
        self.assertEqual((Verdict.CRASH, "ended by signal 11"), (result.verdict, result.detail))

    def test_a_crash_report_is_a_crash_with_its_frame(self):
        result = self.judged("printf '# A fatal error\\n# SIGSEGV at 0\\n# Problematic frame:\\n"
                             "# V libjvm.so\\n' > hs_err_pid7.log; kill -ABRT $$")
        self.assertEqual((Verdict.CRASH, "hs_err_pid7.log: # A fatal error # V libjvm.so"),
                         (result.verdict, result.detail))

    def test_a_program_that_does_not_end_hangs_and_its_stacks_are_kept(self):
        self.script("jdk/bin/jcmd", 'echo "stacks of $1"')
        self.script("jdk/bin/jhsdb", "exit 1")
        result = self.judged("echo $$ > pid; sleep 1000", limit_seconds=1.0)
        pid = (self.folder / "run" / "pid").read_text("ascii").strip()
        self.assertEqual(Verdict.HANG, result.verdict)
        self.assertEqual(f"stacks of {pid}\n",
                         (self.folder / "run" / "jstack").read_text("utf-8"))
        self.assertFalse(Path(f"/proc/{pid}").exists())

    def test_what_the_agent_says_is_unexpected(self):
        result = self.judged(f"{PRINT_GOOD}; echo 'yieldpoint: gives up' >&2")
        self.assertEqual((Verdict.NOISE, "yieldpoint: gives up"), (result.verdict, result.detail))

    def test_what_the_vm_says_of_its_full_code_cache_is_not(self):
        full = f"{PRINT_GOOD}; echo 'OpenJDK 64-Bit Server VM warning: CodeCache is full.'"
        self.assertEqual(Verdict.OK, self.judged(full, variant="code-cache").verdict)

    def test_a_recording_that_was_cut_off_is_bad(self):
        result = self.judged(PRINT_GOOD, INFO.replace("true", "false"))
        self.assertEqual((Verdict.RECORDING, "0.spool was cut off or damaged: "),
                         (result.verdict, result.detail))

    def test_an_empty_recording_is_bad(self):
        result = self.judged(PRINT_GOOD, INFO.replace("3", "0"))
        self.assertEqual((Verdict.RECORDING, "nothing was recorded"),
                         (result.verdict, result.detail))


class MatrixTest(unittest.TestCase):
    def test_time_ends_the_passes_and_each_has_another_seed(self):
        now = [0.0]
        passes = torture.until(3.5, lambda seed: [f"{seed}a", f"{seed}b"], 5, lambda: now[0])
        seen = []
        for case in passes:
            seen.append(case)
            now[0] += 1.0
        self.assertEqual(["5a", "5b", "6a", "6b"], seen)


class TortureTest(JvmTestCase):
    @on_each_jdk()
    def test_short(self, jdk):
        stdout = io.StringIO()
        with contextlib.redirect_stdout(stdout):
            code = torture.main(["--short", "--jdk", str(jdk.major), "--rounds", "2", "--agent",
                                 str(jvm.AGENT), "--yp", str(jvm.CLI)])
        self.assertEqual(0, code, stdout.getvalue())

    @on_each_jdk()
    def test_neither_collector_nor_variant_changes_what_is_computed(self, jdk):
        stdout = io.StringIO()
        with contextlib.redirect_stdout(stdout):
            code = torture.main(["--short", "--options", "none", "--jdk", str(jdk.major),
                                 "--rounds", "1", "--agent", str(jvm.AGENT), "--yp",
                                 str(jvm.CLI)])
        self.assertEqual(0, code, stdout.getvalue())


if __name__ == "__main__":
    unittest.main()
