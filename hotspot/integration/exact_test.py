"""Exact mode counts every call, at its call site, to the last one."""

from __future__ import annotations

import unittest
from typing import Iterable, Sequence

from eval import jdks
from hotspot.integration import expected_calls, jvm, programs
from hotspot.integration.bytecode import class_files
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

class ExactTest(JvmTestCase):
    def check(self, jdk: jdks.Jdk, program: str, *arguments: str, options: str = "mode=exact",
              flags: Sequence[str] = (), folder: str = "classes") -> None:
        recording = self.record(jdk, f"programs.{program}", *arguments, options=options, jvm=flags,
                                classes=folder)
        source = programs.FOLDER / folder.replace("classes", "java") / "programs"
        self.compare(recording.edges, program, source, class_files(jvm.PROGRAMS / folder))
        self.assertTrue(recording.info["complete"])
        self.check_drops(recording.drops)

    def compare(self, edges: Iterable[jvm.Edge], program: str, source, classes) -> None:
        expected = expected_calls.read(source / f"{program}.java")
        problems = expected_calls.differences(edges, expected, classes)
        self.assertEqual([], problems, "\n" + "\n".join(problems))

    def check_drops(self, drops: dict[str, int]) -> None:
        # Methods without code have no probe to lose.
        lost = {reason: n for reason, n in drops.items() if not reason.startswith("method left")}
        self.assertEqual({}, lost)

    @on_each_jdk()
    def test_recursion(self, jdk):
        self.check(jdk, "Recursion")

    @on_each_jdk()
    def test_every_kind_of_dispatch(self, jdk):
        self.check(jdk, "Dispatch")

    @on_each_jdk()
    def test_lambdas_and_method_references_also_when_the_jdk_calls_them(self, jdk):
        self.check(jdk, "Lambdas")

    @on_each_jdk()
    def test_exceptions(self, jdk):
        self.check(jdk, "Exceptions")

    @on_each_jdk()
    def test_several_threads_and_thousands_of_short_ones(self, jdk):
        self.check(jdk, "Threads")

    @on_each_jdk()
    def test_a_native_thread_that_attaches_again_and_again(self, jdk):
        recording = self.record_attaching(jdk, "again", 3 * sum(x + 3 for x in range(1000)),
                                          "mode=exact")
        self.assertEqual([("(root)", "programs.Ends.leaf(I)I", 3000)],
                         [(edge.caller, edge.callee, edge.calls) for edge in recording.edges])
        self.check_drops(recording.drops)

    @on_each_jdk()
    def test_reflection_method_handles_and_proxies(self, jdk):
        self.check(jdk, "Reflection")

    @on_each_jdk()
    def test_classes_in_several_loaders_that_are_unloaded(self, jdk):
        self.check(jdk, "Loaders")

    @on_each_jdk(since=17)
    def test_hidden_classes_are_callers_but_no_callees(self, jdk):
        self.check(jdk, "HiddenClasses", folder="classes17")

    @on_each_jdk(since=17)
    def test_records(self, jdk):
        self.check(jdk, "Records", folder="classes17")

    @on_each_jdk(since=21)
    def test_ten_thousand_virtual_threads(self, jdk):
        self.check(jdk, "VirtualThreads", folder="classes21")

    @on_each_jdk(since=21)
    def test_virtual_threads_on_a_single_carrier(self, jdk):
        self.check(jdk, "VirtualThreads", folder="classes21",
                   flags=["-Djdk.virtualThreadScheduler.parallelism=1"])

    @on_each_jdk()
    def test_an_excluded_class_in_the_middle_is_a_caller_but_no_callee(self, jdk):
        self.check(jdk, "Filtered", options="mode=exact,exclude=*.Filtered$Middle")

    @on_each_jdk()
    def test_only_included_classes_are_callees(self, jdk):
        recording = self.record(jdk, "programs.Filtered",
                                options="mode=exact,include=*$Last,exclude=nothing.*")
        counts = {(edge.caller.rpartition("(")[0], edge.callee.partition("(")[0]): edge.calls
                  for edge in recording.edges}
        self.assertEqual({
            ("programs.Filtered.run", "programs.Filtered$Last.step"): 60000,
            ("programs.Filtered$Middle.step", "programs.Filtered$Last.step"): 60000,
            ("programs.Filtered$Middle.step", "programs.Filtered$Last.fixed"): 60000,
            ("programs.Filtered.main", "programs.Filtered$Last.<init>"): 1,
        }, counts)

    @on_each_jdk()
    def test_trivial_methods_can_be_left_out(self, jdk):
        recording = self.record(jdk, "programs.Dispatch", options="mode=exact,trivial=exclude")
        counts = {}
        for edge in recording.edges:
            callee = edge.callee.partition("(")[0]
            counts[callee] = counts.get(callee, 0) + edge.calls
        # Getters of a field or a constant are trivial; what calls or calculates is not.
        self.assertNotIn("programs.Dispatch$C.sides", counts)
        self.assertNotIn("programs.Dispatch.outer", counts)
        self.assertEqual(260000, counts["programs.Dispatch$B.sides"])
        self.assertEqual(360000, counts["programs.Dispatch$Shape.describe"])
        self.assertEqual(60000, counts["programs.Dispatch.manyArguments"])

    @on_each_jdk()
    def test_running_out_of_stack(self, jdk):
        plain = self.run_java(jdk, "programs.Overflow")
        spool = self.new_spool()
        observed = self.run_java(jdk, "programs.Overflow", agent=f"spool={spool},mode=exact")
        self.assertEqual((0, plain.stdout), (observed.exit_code, observed.stdout))
        entries = int(observed.stderr)
        descend = steady = 0
        for edge in jvm.Recording(spool).edges:
            if ".descend(" in edge.callee:
                descend += edge.calls
            elif ".steady(" in edge.callee:
                self.assertEqual("programs.Overflow.main([Ljava/lang/String;)V", edge.caller)
                steady += edge.calls
        self.assertEqual(20000, steady)
        # The call that finds no stack for its body may have been counted before.
        self.assertGreaterEqual(descend, entries)
        self.assertLessEqual(descend, entries + 20)

    def check_redefinition(self, jdk: jdks.Jdk, redefiner_options: str) -> None:
        new_class = jvm.PROGRAMS / "redefined" / "programs" / "Subject.class"
        recording = self.record(
            jdk, "programs.Redefined", str(new_class),
            "retransform" if jdk.major >= 21 else "keep", options="mode=exact,exclude=agents.*",
            jvm=[f"-javaagent:{jvm.PROGRAMS / 'redefiner.jar'}={redefiner_options}"])
        old, new = (class_files(jvm.PROGRAMS / folder) for folder in ("classes", "redefined"))
        run, many = "programs.Subject.run(I)I", "programs.Subject.many()I"
        one, two = "programs.Subject.one(I)I", "programs.Subject.two(I)I"
        [old_one] = old.calls_of(run)
        [new_two, new_one] = new.calls_of(run)
        [in_many] = old.calls_of(many)
        inside = {(edge.caller, edge.bci, edge.callee): edge.calls for edge in recording.edges
                  if ".Subject." in edge.caller}
        self.assertEqual({(run, old_one, one): 50000, (run, new_two, two): 70000,
                          (run, new_one, one): 70000, (many, in_many, one): 23456}, inside)
        outside = sorted(edge.calls for edge in recording.edges
                         if ".Redefined.main(" in edge.caller)
        self.assertEqual([1, 30000, 40000, 50000], outside)
        self.check_drops(recording.drops)

    @on_each_jdk()
    def test_redefined_classes_beside_an_agent_that_rewrites_first(self, jdk):
        self.check_redefinition(jdk, "")

    @on_each_jdk()
    def test_redefined_classes_beside_an_agent_that_retransforms(self, jdk):
        self.check_redefinition(jdk, "retransforms")

    @on_each_jdk()
    def test_interpreted_only(self, jdk):
        self.check(jdk, "Exceptions", flags=["-Xint"])

    @on_each_jdk()
    def test_first_compiler_only(self, jdk):
        self.check(jdk, "Dispatch", flags=["-XX:TieredStopAtLevel=1"])

    @on_each_jdk()
    def test_c2_only(self, jdk):
        self.check(jdk, "Lambdas", flags=["-XX:-TieredCompilation"])


if __name__ == "__main__":
    unittest.main()
