"""Arming the probe must not deoptimise the program: its branch is never an untaken one."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Iterator

from eval import jdks
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

ROUNDS = "400000"
# Each root is compiled on its own, so that each has a check of its own.
FLAGS = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,programs.Roots::root*",
         "-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation")


def unstable_ifs(log: Path) -> Iterator[list[str]]:
    """For each unstable_if trap that was sprung: the methods inlined into each other around it,
    innermost first, as "java.lang.YieldpointProbe check". The log holds an uncommon_trap element
    with a thread for a trap that was sprung; the compilers' plans have none."""
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.startswith("<uncommon_trap ") or "thread=" not in line:
            continue
        if "reason='unstable_if'" not in line:
            continue
        frames = ElementTree.fromstring(line if line.endswith("/>") else line + "</uncommon_trap>")
        yield [" ".join(jvms.get("method", "").split()[:2]) for jvms in frames.iter("jvms")]


class DeoptimizationTest(JvmTestCase):
    def traps(self, jdk: jdks.Jdk, options: str) -> list[list[str]]:
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
        return list(unstable_ifs(log))

    def check(self, jdk: jdks.Jdk, options: str) -> None:
        traps = self.traps(jdk, options)
        # The program's own pruned branch shows that the log is read rightly.
        self.assertTrue([t for t in traps if "programs.Roots rarely" in t], traps)
        ours = [t for t in traps if any("YieldpointProbe" in method for method in t)]
        self.assertEqual([], ours)

    @on_each_jdk()
    def test_sampling_springs_no_trap_at_the_check(self, jdk):
        self.check(jdk, "mode=cbs,tick_ns=2000000")

    @on_each_jdk()
    def test_exact_counting_springs_no_trap_at_the_probe(self, jdk):
        self.check(jdk, "mode=exact")


if __name__ == "__main__":
    unittest.main()
