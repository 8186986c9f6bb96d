"""Tests of the agent on aarch64, in a JDK that qemu runs: tools/test_aarch64 calls this.

Those of x86-64 that need no probe on compiled entries, and do not measure; without --all, some for
each way to see calls.
"""

from __future__ import annotations

import importlib
import sys
import unittest
from typing import Iterator

from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

SOME = (
    "exact_test.ExactTest.test_every_kind_of_dispatch",
    "exact_test.ExactTest.test_reflection_method_handles_and_proxies",
    "edges_test.EdgesTest.test_every_kind_of_dispatch",
    "contexts_test.ContextsTest.test_every_call_counts_in_its_context",
    "attach_test.AttachTest.test_sampling_and_counting_take_turns",
)
ALL = ("exact_test.ExactTest", "edges_test.EdgesTest", "contexts_test.ContextsTest",
       "attach_test.AttachTest")
# One starts a JVM by itself, in a program of this machine's. The other has the right edges, but also
# wants six calls to have got probes of their own meanwhile: under qemu it were four.
NOT_HERE = ("test_a_native_thread_that_attaches_again_and_again",
            "test_calls_that_get_probes_of_their_own")


class Aarch64Test(JvmTestCase):
    @on_each_jdk()
    def test_entry_probes_are_refused_in_one_line(self, jdk):
        why = r"[^\n]* x86-64 alone[^\n]*"
        for probe, said in (("patch", f"patched entries {why}; nothing is recorded"),
                            ("barrier", f"the entry barrier {why}; nothing is recorded"),
                            ("auto", f"patched entries {why}")):
            with self.subTest(probe=probe):
                outcome = self.run_java(
                    jdk, "programs.Ends", "none",
                    agent=f"spool={self.new_spool()},mode=cbs,policy=countdown,probe={probe}")
                self.assertEqual(0, outcome.exit_code)
                self.assertRegex(outcome.stderr, f"^yieldpoint: {said}\n$")

    @on_each_jdk()
    def test_compilations_are_recorded(self, jdk):
        spool = self.new_spool()
        outcome = self.run_java(jdk, "programs.Compiled", "100",
                                agent=f"spool={spool},mode=exact,jit=yes")
        self.assertEqual((0, "begin\nend\n", "done\n"),
                         (outcome.exit_code, outcome.stdout, outcome.stderr))
        compiled = {row["method"] for row in jvm.read("amortize",
                                                      spool.with_name(spool.name + ".jfr"))}
        self.assertIn("programs.Compiled.sum(Lprograms/Compiled$Shape;I)I", compiled)

    @on_each_jdk()
    def test_sampled_calls_have_their_callers(self, jdk):
        recording = self.record(jdk, "programs.Fib", "25", options="mode=cbs,policy=countdown,"
                                "probe=bytecode,interval=101,budget_ppm=0")
        recursive = [edge for edge in recording.edges
                     if ".fib(" in edge.caller and ".fib(" in edge.callee]
        self.assertEqual(2, len(recursive))
        self.assertGreater(sum(edge.samples for edge in recursive), 500)


def _tests(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _tests(test)
        elif test.id().rpartition(".")[2] not in NOT_HERE:
            yield test


def main() -> int:
    jvm.VERSIONS = (17,)
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(_tests(loader.loadTestsFromTestCase(Aarch64Test)))
    for name in ALL if "--all" in sys.argv[1:] else SOME:
        module, rest = name.split(".", 1)
        suite.addTests(_tests(loader.loadTestsFromName(
            rest, importlib.import_module(f"hotspot.integration.{module}"))))
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
