import unittest
from pathlib import Path

from eval.call_graphs import corrected
from eval.papers.parts import runs as of_runs
from eval.papers.parts.recordings_for_test import JDK, ReportTest
from eval.papers.parts.runs import Runs


class Order(ReportTest):
    def test_jdks_go_by_their_numbers_and_runs_by_theirs(self):
        runs = Runs([self.recording("x", 2.0, run=1, jdk="25.0.1+8"),
                     self.recording("x", 1.0, run=0, jdk="25.0.1+8"),
                     self.recording("base", jdk="8.0.402", workload="h2"),
                     self.recording("base", jdk="17.0.21.1")])
        self.assertEqual(["8.0.402", "17.0.21.1", "25.0.1+8"], runs.jdks)
        self.assertEqual(["fop", "h2"], runs.workloads)
        self.assertEqual(["x", "base"], sorted(runs.configurations, reverse=True))
        self.assertEqual([1.0, 2.0], [each.cpu_seconds for each in runs.of("25.0.1+8", "fop", "x")])
        self.assertEqual([], runs.of("8.0.402", "fop", "x"))


class Costs(ReportTest):
    def test_against_another_base_are_of_the_same_run_too(self):
        runs = Runs([self.recording("x", 9, run=0), self.recording("other", 10, run=0),
                     self.recording("base", 1, run=0), self.recording("x", 6, run=1)])
        self.assertEqual([-10], [round(each, 9)
                                 for each in runs.overheads(JDK, "fop", "x", "other")])

    def test_means_are_over_the_medians_of_those_that_were_measured(self):
        self.assertEqual(3, of_runs.mean_of_medians({"a": [1, 1, 90], "b": [5], "c": []}))
        self.assertIsNone(of_runs.mean_of_medians({"a": []}))


class Accuracies(ReportTest):
    def test_are_by_run_and_need_a_reference(self):
        edges = [("A.a()V", 0, "A.b()V", 3, 3)]
        exact, same = self.profile(edges=edges), self.profile(edges=edges)
        other = self.profile(edges=[("A.a()V", 7, "A.b()V", 3, 3)])
        runs = Runs([self.recording("x", run=0, profile=same), self.recording("x", run=2),
                     self.recording("x", run=1, profile=other)])
        self.assertEqual([[100, 0]], of_runs.accuracies(runs, {("fop", JDK): exact}, JDK, "fop",
                                                        "x", corrected))
        self.assertEqual([[]], of_runs.accuracies(runs, {}, JDK, "fop", "x", corrected))


class Missing(ReportTest):
    def test_configurations_are_said_with_their_plan(self):
        runs = Runs([self.recording("base")])
        self.assertEqual(["No recording of a configuration named `x`: the plan `p` makes them."],
                         of_runs.missing(runs, ["base", "x"], "p"))

    def test_references_are_said_by_program_and_jdk(self):
        runs = Runs([self.recording("base"), self.recording("base", workload="h2")])
        note, = of_runs.missing_references(runs, {("fop", JDK): Path("exact.yp")})
        self.assertIn(f"of h2 on JDK {JDK}.", note)
        self.assertEqual([], of_runs.missing_references(Runs([]), {}))


if __name__ == "__main__":
    unittest.main()
