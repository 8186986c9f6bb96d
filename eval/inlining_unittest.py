import argparse
import unittest
from pathlib import Path
from unittest import mock

from eval import inlining, interleave
from eval.jdks import Jdk
from eval.measure import Cost

JDK = Jdk(Path("/j"), 17, "17.0.9")


class Inlining(unittest.TestCase):
    def setUp(self):
        self.arguments = argparse.Namespace(
            build=mock.Mock(), iterations=4, rounds=3, optimize=False,
            configurations={"exact": "--profiler exhaustive", "cbs": "--profiler cbs"})
        self.workload = mock.Mock()
        self.workload.name = "fop"

    def test_is_compared_with_none_by_the_profiles_that_were_recorded(self):
        options = []

        def with_compiler(build, workload, jdk, iterations, how, profile):
            options.append(how)
            cost = 2.0 if how == "--inline none" else 1.5
            return Cost(cost, cost)

        with mock.patch.object(inlining, "with_compiler", with_compiler):
            comparison = inlining.measure_workload(
                self.workload, JDK, self.arguments, mock.Mock(),
                {"exact": Path("/p/exact.yp"), "cbs": Path("/p/cbs.yp")})
        self.assertEqual(3 * 5, len(options))
        self.assertEqual(3, options.count("--inline '/p/exact.yp'"))
        self.assertEqual(6, options.count("--inline none"), "the control as well")
        self.assertAlmostEqual(0.75, comparison.cpu("static").value)
        self.assertAlmostEqual(1, comparison.cpu(interleave.CONTROL).value)

    def test_at_opt2_all_runs_are(self):
        self.arguments.optimize = True
        with mock.patch.object(inlining, "with_compiler", return_value=Cost(1, 1)) as run:
            inlining.measure_workload(self.workload, JDK, self.arguments, mock.Mock(), {})
        self.assertEqual({"--optimize --inline none", "--optimize --inline static"},
                         {call.args[4] for call in run.call_args_list})

    def test_profiles_are_recorded_once_and_judged_by_another_run(self):
        recorded = []

        def with_compiler(build, workload, jdk, iterations, how, profile):
            recorded.append((how, profile.name))
            return Cost(1, 1)

        self.arguments.build.read = mock.Mock(
            side_effect=lambda what, *paths: {"overlap": 90.0} if what == "overlap"
            else {"samples": 7})
        with mock.patch.object(inlining, "with_compiler", with_compiler), \
                mock.patch.object(inlining, "whole", lambda info: info):
            profiles, worth = inlining.record(self.workload, JDK, self.arguments, mock.Mock(),
                                              Path("/p"))
        self.assertEqual([("--profiler exhaustive", "all-calls.yp"),
                          ("--profiler exhaustive", "exact.yp"), ("--profiler cbs", "cbs.yp")],
                         recorded)
        self.assertEqual({"exact", "cbs"}, set(profiles))
        self.assertEqual([["fop", "exact", "7", "90.0"], ["fop", "cbs", "7", "90.0"]],
                         inlining.profile_table(JDK, {"fop": worth}).rows)

    def test_has_as_many_steps_as_runs(self):
        self.assertEqual(1 + 2 + 5 * 3, inlining.steps_of_workload(self.arguments))


if __name__ == "__main__":
    unittest.main()
