import tempfile
import unittest
from pathlib import Path
from unittest import mock

from eval import accuracy, measure
from eval.jdks import Jdk

_JDK = Jdk(Path("/j"), 17, "17.0.9")


def judged(overlap, presence=100.0):
    return accuracy.Judged(overlap, {1.0: 100.0, 10.0: presence}, 1000, {})


class References(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.recorded = []

    def recorder(self):
        def record(name, options, iterations):
            self.recorded.append((name, options, iterations))
            profile = self.folder / "new.yp"
            profile.touch()
            return profile

        def record_output(*arguments):
            return record(*arguments), mock.Mock(counts={})

        recorder = mock.Mock(jdk=_JDK, collector="G1", record_output=record_output)
        recorder.workload.name = "fop"
        return recorder

    def test_an_exact_profile_that_was_kept_is_not_recorded_again(self):
        kept = self.folder / "kept"
        for _ in range(2):
            profile = accuracy.reference_profile(self.recorder(), 5, kept)
            self.assertEqual((kept, True), (profile.parent, profile.is_file()))
        accuracy.reference_profile(self.recorder(), 6, kept)
        self.assertEqual([("exact", "--mode exact", 5), ("exact", "--mode exact", 6)],
                         self.recorded)

    def test_without_a_place_for_it_it_is_recorded(self):
        for _ in range(2):
            accuracy.reference_profile(self.recorder(), 5, None)
        self.assertEqual(2, len(self.recorded))


class Counts(unittest.TestCase):
    EDGES = [{"callee": "a.A.f()V", "calls": 3}, {"callee": "a.A.f()V", "calls": 4},
             {"callee": "a.A.g()V", "calls": 5}]

    def test_calls_that_the_program_counts_itself_are_those_of_the_exact_profile(self):
        accuracy.check_counts(self.EDGES, {"a.A.f()V": 7, "a.A.g()V": 5, "a.A.h()V": 0})

    def test_another_number_fails(self):
        for counts in ({"a.A.f()V": 8}, {"a.A.g()V": 4}, {"a.A.h()V": 1}):
            with self.assertRaises(measure.Failed):
                accuracy.check_counts(self.EDGES, counts)


class Overlap(unittest.TestCase):
    def setUp(self):
        self.results = {
            "fop": accuracy.Result(1234567, 890, {"cbs": [judged(80.0), judged(90.0, 95.0)]}),
            "h2": accuracy.Result(10, 5, {"cbs": [judged(95.0), judged(96.0)]}),
        }

    def test_a_programs_overlap_is_the_mean_of_its_runs_and_the_lowest_run_is_told(self):
        self.assertEqual(85.0, self.results["fop"].overlap("cbs"))
        self.assertEqual(80.0, accuracy.lowest_run(self.results, "cbs"))
        self.assertAlmostEqual((85.0 * 95.5) ** 0.5,
                               accuracy.mean_overlap(self.results, "cbs"))

    def test_table_has_each_program_then_mean_and_lowest_run(self):
        table = accuracy.overlap_table(_JDK, self.results, ["cbs"])
        self.assertEqual(["program", "calls", "edges", "cbs"], table.header)
        self.assertEqual([["fop", "1,234,567", "890", "85.0 (80.0-90.0)"],
                          ["h2", "10", "5", "95.5 (95.0-96.0)"],
                          ["geometric mean", "", "", "90.1"],
                          ["lowest run", "", "", "80.0"]], table.rows)

    def test_table_has_the_mean_of_each_set_where_there_are_both(self):
        results = {**self.results, "groovy": accuracy.Result(10, 5, {"cbs": [judged(60.0)]})}
        means = accuracy.overlap_table(_JDK, results, ["cbs"]).rows[3:]
        self.assertEqual([["geometric mean", "", "", "78.7"],
                          ["geometric mean, tuned", "", "", "90.1"],
                          ["geometric mean, held-out", "", "", "60.0"],
                          ["lowest run", "", "", "60.0"]], means)

    def test_presence_is_told_for_each_top(self):
        table = accuracy.presence_table(_JDK, self.results, ["cbs"])
        self.assertEqual(["fop", "100.0 / 97.5"], table.rows[0])

    def test_reads_what_yp_prints(self):
        rows = [{"top_percent": top, "presence": value}
                for top, value in ((1.0, 99.0), (10.0, 88.0), (100.0, 77.0))]
        run = accuracy.judge({"overlap": 91.5, "top_presence": rows},
                             {"samples": 7, "drops": {"no room": 2}, "config": {}})
        self.assertEqual(accuracy.Judged(91.5, {1.0: 99.0, 10.0: 88.0}, 7, {"no room": 2}), run)
        config = {"cost.program_cpu_ns": "1000", "cost.drain_cpu_ns": "20",
                  "cost.observed_calls_ns": "4", "cost.slow_path_ns": "5",
                  "cost.trigger_cpu_ns": "6", "cost.observed_calls": "1"}
        run = accuracy.judge({"overlap": 91.5, "top_presence": rows, "intervals": {"held": 93.5}},
                             {"samples": 7, "drops": {}, "config": config})
        self.assertEqual((93.5, 3.5, 2.0), (run.held, run.cost, run.reading))

    def test_cost_is_told_of_what_measures_its_own(self):
        runs = [accuracy.Judged(90.0, {}, samples, {}, held, 0.5, 0.2)
                for samples, held in ((1000, 92.0), (3000, 93.0))]
        results = {"fop": accuracy.Result(10, 5, {"default": runs, "cbs": [judged(95.0)]})}
        self.assertEqual([["fop", "default", "2,000", "92.5", "0.50", "0.20"]],
                         accuracy.cost_table(_JDK, results, ["default", "cbs"]).rows)


if __name__ == "__main__":
    unittest.main()
