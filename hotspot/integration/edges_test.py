"""Mode edges finds the same call edges as exact mode counts, no more and no fewer."""

from __future__ import annotations

import unittest
from typing import Sequence

from eval import jdks
from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, Recording, on_each_jdk


def edges_of(recording: Recording) -> set[tuple[str, int, str]]:
    return {(edge.caller, edge.bci, edge.callee) for edge in recording.edges}


class EdgesTest(JvmTestCase):
    def check(self, jdk: jdks.Jdk, program: str, *arguments: str, options: str = "",
              flags: Sequence[str] = (), observed_flags: Sequence[str] = (),
              classes: str = "classes") -> Recording:
        """`observed_flags`: of the JVM in which edges are found, besides."""
        main = f"programs.{program}"
        exact = self.record(jdk, main, *arguments, options=f"mode=exact{options}", jvm=flags,
                            classes=classes)
        if jvm.may_crash_when_rewritten(jdk):
            options += ",force=true"
        found = self.record(jdk, main, *arguments, options=f"mode=edges{options}", jvm=flags,
                            observed_jvm=observed_flags, classes=classes)
        self.assertTrue(edges_of(exact))
        self.assertEqual((set(), set()), (edges_of(exact) - edges_of(found),
                                          edges_of(found) - edges_of(exact)))
        self.assertEqual({None}, {edge.calls for edge in found.edges}, "they are not counted")
        self.assertTrue(found.info["complete"])
        lost = {reason for reason in found.drops if not reason.startswith("method left")}
        self.assertEqual(set(), lost)
        return found

    @on_each_jdk()
    def test_recursion(self, jdk):
        self.check(jdk, "Recursion")

    @on_each_jdk()
    def test_every_kind_of_dispatch(self, jdk):
        self.check(jdk, "Dispatch")

    @on_each_jdk()
    def test_lambdas_and_method_references_also_when_the_jdk_calls_them(self, jdk):
        self.check(jdk, "Lambdas")

    @on_each_jdk(since=17)
    def test_exceptions(self, jdk):
        self.check(jdk, "Exceptions")

    @on_each_jdk(since=17)
    def test_several_threads_and_thousands_of_short_ones(self, jdk):
        self.check(jdk, "Threads")

    @on_each_jdk()
    def test_reflection_method_handles_and_proxies(self, jdk):
        self.check(jdk, "Reflection")

    @on_each_jdk()
    def test_classes_in_several_loaders_that_are_unloaded(self, jdk):
        self.check(jdk, "Loaders")

    @on_each_jdk(since=17)
    def test_hidden_classes_are_callers_but_no_callees(self, jdk):
        self.check(jdk, "HiddenClasses", classes="classes17")

    @on_each_jdk()
    def test_callees_that_come_late_and_calls_that_other_code_gets_in_between(self, jdk):
        self.check(jdk, "Discovered")

    @on_each_jdk(since=17)
    def test_with_every_method_compiled_before_it_runs(self, jdk):
        self.check(jdk, "Discovered", flags=["-Xcomp"])

    @on_each_jdk()
    def test_calls_that_get_probes_of_their_own(self, jdk):
        other_headers = ["-XX:+UseCompactObjectHeaders"] if jdk.major >= 25 else []
        for flags in (other_headers, ["-XX:TieredStopAtLevel=1"]):
            # For so long that the calls are worth probes of their own.
            found = self.check(jdk, "Receivers", flags=flags, observed_flags=["-Dwarm.ms=2500"])
            # write(I)V, write([CII)V, flush, area, and the JDK's of the buffer, hashCode and equals.
            self.assertGreaterEqual(int(found.info["config"]["edges.receiver_calls"]), 6)

    @on_each_jdk(since=21)
    def test_ten_thousand_virtual_threads(self, jdk):
        self.check(jdk, "VirtualThreads", classes="classes21")

    @on_each_jdk(since=17)
    def test_an_excluded_class_in_the_middle_is_a_caller_but_no_callee(self, jdk):
        self.check(jdk, "Filtered", options=",exclude=*.Filtered$Middle")

    @on_each_jdk(since=17)
    def test_only_included_classes_are_callees(self, jdk):
        self.check(jdk, "Filtered", options=",include=*$Last,exclude=nothing.*")


if __name__ == "__main__":
    unittest.main(verbosity=2)
