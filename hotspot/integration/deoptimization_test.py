"""Arming the probe must not deoptimise the program: its branch is never an untaken one."""

from __future__ import annotations

import re
import unittest

from eval import jdks
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

PROBE = "java.lang.YieldpointProbe"
ROUNDS = "4000000"
# Each root is compiled on its own, so that each has a check of its own; and in the foreground, so
# that a busy machine's compilers are done before the program's rare branch is taken.
FLAGS = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,programs.Roots::r*",
         "-XX:-BackgroundCompilation",
         "-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation")


_TRAP = re.compile(r"<uncommon_trap thread='\d+' reason='unstable_if'.*?</uncommon_trap>",
                   re.DOTALL)
_FRAME = re.compile(r"<jvms [^>]*method='(\S+ \S+) ")


def unstable_ifs(log: str) -> list[list[str]]:
    """For each unstable_if trap that was sprung: the methods inlined into each other around it,
    innermost first, as "java.lang.YieldpointProbe check". A trap that was sprung names its thread
    in the log; those that the compilers only plan do not."""
    return [_FRAME.findall(trap) for trap in _TRAP.findall(log)]


_TASK = re.compile(r"<task (.*?)>(.*?)</task>", re.DOTALL)
_INLINING = re.compile(r"<call method='(\d+)'[^>]*/>\n<(inline_[^/]*)/>")


def inlinings_of_the_check(log: str) -> dict[str, set[str]]:
    """For each compiler, c1 and c2: how it decided about calls of the check."""
    outcomes: dict[str, set[str]] = {"c1": set(), "c2": set()}
    for head, body in _TASK.findall(log):
        # Only tasks of C1 have a level. Numbers of methods are the task's own.
        compiler = "c1" if " level='" in head else "c2"
        holders = re.findall(f"<klass id='(\\d+)' name='{re.escape(PROBE)}'", body)
        checks = {method for method, holder in
                  re.findall(r"<method id='(\d+)' holder='(\d+)' name='check'", body)
                  if holder in holders}
        outcomes[compiler] |= {outcome for method, outcome in _INLINING.findall(body)
                               if method in checks}
    return outcomes


class DeoptimizationTest(JvmTestCase):
    def log(self, jdk: jdks.Jdk, options: str) -> str:
        log = self.folder / "compilation.log"
        spool = self.new_spool()
        outcome = self.run_java(jdk, "programs.Roots", ROUNDS, agent=f"spool={spool},{options}",
                                jvm=[*FLAGS, f"-XX:LogFile={log}"])
        self.assertEqual(0, outcome.exit_code, outcome.stderr)
        text = log.read_text(encoding="utf-8", errors="replace")
        compiled = [line for line in text.splitlines()
                    if line.startswith("<nmethod ") and "programs.Roots root" in line
                    and "level='4'" in line]
        self.assertGreaterEqual(len(compiled), 20, "the roots were not compiled")
        return text

    def traps(self, jdk: jdks.Jdk, options: str) -> list[list[str]]:
        return unstable_ifs(self.log(jdk, options))

    def check(self, traps: list[list[str]]) -> None:
        # The program's own pruned branch shows that the log is read rightly.
        self.assertTrue([t for t in traps if "programs.Roots rarely" in t], traps)
        # The innermost frame is where the trap is, the outermost whose compiled code it undoes. The
        # priming springs traps too, but in the probe's own code, once and before the program.
        ours = [t for t in traps if PROBE in t[0] and PROBE not in t[-1]]
        self.assertEqual([], ours)
        self.assertLessEqual(len([t for t in traps if PROBE in t[-1]]), 6, traps)

    @on_each_jdk()
    def test_sampling_springs_no_trap_at_the_check(self, jdk):
        for options in ("mode=cbs,tick_ns=2000000", "mode=cbs,policy=countdown", "mode=timer"):
            with self.subTest(options=options):
                self.check(self.traps(jdk, options))

    @on_each_jdk()
    def test_exact_counting_springs_no_trap_at_the_probe(self, jdk):
        self.check(self.traps(jdk, "mode=exact"))

    @on_each_jdk(since=17)
    def test_the_check_is_inlined_by_c2_only(self, jdk):
        # In C1's profiled code, all threads would count in the check's one profile.
        # On JDK 11 they do: its C1 inlines whatever the annotation says.
        log = self.log(jdk, "mode=cbs")
        outcomes = inlinings_of_the_check(log)
        self.assertEqual({"inline_fail reason='callee uses too much stack'"}, outcomes["c1"])
        self.assertEqual({"inline_success"}, {outcome.split()[0] for outcome in outcomes["c2"]})


class LogTest(unittest.TestCase):
    def test_a_trap_at_an_inlined_check_is_seen_and_a_planned_one_is_not(self):
        log = """\
<uncommon_trap bci='4' reason='unstable_if' action='reinterpret'/>
<uncommon_trap thread='71' reason='unstable_if' action='reinterpret' compiler='c2'>
<jvms bci='9' method='java.lang.YieldpointProbe check (I)V' bytes='19'/>
<jvms bci='3' method='programs.Roots root7 (I)I' bytes='38'/>
</uncommon_trap>
<uncommon_trap thread='71' reason='null_check' action='maybe_recompile'>
<jvms bci='1' method='programs.Roots root8 (I)I' bytes='38'/>
</uncommon_trap>
"""
        self.assertEqual([["java.lang.YieldpointProbe check", "programs.Roots root7"]],
                         unstable_ifs(log))


if __name__ == "__main__":
    unittest.main()
