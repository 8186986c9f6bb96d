import unittest
import xml.etree.ElementTree as ElementTree

from eval.papers import buytaert
from eval.papers.parts import methods
from eval.papers.parts.recordings_for_test import ReportTest

# Sections 5.2.3 and 5.2.4 of the paper: the vectors x, y and z, over methods a, b and c.
_X, _Y, _Z = {"a": 5, "b": 1, "c": 4}, {"a": 6, "c": 3}, {"a": 5, "b": 2, "c": 3}
_MS = 1_000_000


class Names(unittest.TestCase):
    def test_say_the_mechanism_with_and_without_an_interval(self):
        names = ["base", "hpm-immediate", "hpm-immediate-1ms", "setitimer-immediate"]
        self.assertEqual(["hpm-immediate", "hpm-immediate-1ms"],
                         methods.of_mechanism(names, "hpm-immediate"))

    def test_say_how_methods_are_sampled(self):
        self.assertEqual([False, True, True, True],
                         [methods.is_immediate(name) for name in (
                             "setitimer-polling", "hpm-immediate-1ms", "setitimer-immediate",
                             "reference")])


class Intervals(unittest.TestCase):
    def test_are_those_of_the_trigger_in_use(self):
        for config, milliseconds in (
                ({"tick_ns": "4000000", "trigger": "nanosleep"}, 4),
                ({"stacks.trigger": "setitimer", "stacks.interval_ns": "500000"}, 0.5),
                ({"stacks.trigger": "hpm", "stacks.event": "cpu-clock", "stacks.period": "200000"},
                 0.2),
                ({"stacks.trigger": "hpm", "stacks.event": "cycles", "stacks.period": "9"}, None)):
            self.assertEqual(milliseconds, methods.interval_ms(config), config)


class Comparison(unittest.TestCase):
    def test_averages_the_runs_before_it_compares(self):
        compared = methods.compare({"a": 2, "b": 2}, [{"a": 3}, {"b": 3}], [50, 100])
        self.assertEqual(100, compared.weighted)
        self.assertEqual(50, compared.weighted_of_a_run)
        self.assertEqual({50: 100, 100: 100}, compared.presence)
        self.assertEqual({50: 50, 100: 50}, compared.presence_of_a_run)


class Report(ReportTest):
    def immediate(self, samples, interval_ms=4):
        rows = [(i, None, -1, f"p.A.{name}()V", count)
                for i, (name, count) in enumerate(samples.items(), 1)]
        return self.profile(contexts=rows, drops={"collecting": 2}, config={
            "stacks.trigger": "hpm", "stacks.event": "cpu-clock",
            "stacks.period": str(interval_ms * _MS)})

    def polling(self, samples):
        rows = [(None, -1, f"p.A.{name}()V", count, count) for name, count in samples.items()]
        windows = [(0, i, 0, 0, (i + 1) * _MS, 1) for i in range(4)]
        return self.profile(edges=rows, windows=windows, threads={0: "main"}, config={
            "tick_ns": str(4 * _MS), "trigger": "nanosleep", "scope": "app",
            "trivial": "exclude"})

    def report(self):
        recordings = [self.recording("base", 2.0, run=run) for run in range(3)]
        for run, samples in enumerate((_X, _Y, _Z)):
            recordings += [
                self.recording("hpm-immediate", 2.2, run=run, profile=self.immediate(samples)),
                self.recording("hpm-immediate-1ms", 2.4, run=run, own_cost_percent=1.5,
                               profile=self.immediate(samples, 1)),
                self.recording("nanosleep-polling", 2.1, run=run,
                               profile=self.polling({"a": 1, "d": 3}))]
        recordings.append(self.recording("reference", profile=self.immediate(
            {"a": 160, "b": 30, "c": 100, "e": 10})))
        return buytaert.report(recordings, {})

    def test_stability_is_that_of_the_papers_example(self):
        # (5/6 + 9/10 + 8/10) / 3
        row = self.row(self.table(self.report(), "stability"), "fop")
        self.assertEqual(["100.0", "84.4"], row)

    def test_weighted_accuracy_is_the_overlap_with_the_reference(self):
        # Together a 16, b 3, c 10 of 29 samples: all but e, 10 of 300, overlaps.
        cells = self.row(self.table(self.report(), "weighted accuracy (Figure 9)"), "fop")
        self.assertEqual("96.7", cells[1].split(" / ")[0])
        self.assertEqual("25.0 / 25.0", cells[0])  # a is 160 of 300, and 1 of 4

    def test_unweighted_accuracy_is_by_the_references_top_methods(self):
        table = self.table(self.report(), "unweighted accuracy")
        self.assertEqual(["100.0 / 100.0"] * 2, self.row(table, "top 20 %"))  # a
        self.assertEqual(["25.0 / 25.0", "75.0 / 66.7"], self.row(table, "top 100 %"))
        self.assertEqual(["57.4", "74.5"], self.row(table, "the paper's, top 20 %"))

    def test_samples_are_counted_by_run_second_and_method(self):
        table = self.table(self.report(), "method samples taken")
        # 10, 9 and 10 samples in 2.2 s each; 3, 2 and 3 methods; 2 dropped.
        self.assertEqual(["4 / 2 / 2 / 0", "10 / 4 / 3 / 2"], self.row(table, "fop"))

    def test_intervals_asked_for_and_kept_stand_beside_what_they_cost(self):
        table = self.table(self.report(), "interval asked for")
        self.assertEqual(["hpm-immediate-1ms", "hpm-immediate"],
                         [row[0] for row in table.rows][1:3], "by ascending interval")
        asked, realised, overhead, saved, own = self.row(table, "hpm-immediate-1ms")
        # 29 samples and 6 drops in 3 x 2.4 s.
        self.assertEqual(("1", f"{7200 / 35:.2f}", "-", "1.50"), (asked, realised, saved, own))
        self.assertEqual("+20.0 [+20.0, +20.0]", overhead)

    def test_what_is_saved_is_against_the_papers_default_of_the_same_run(self):
        recordings = [self.recording(name, cpu, run=run, profile=profile)
                      for run in range(2) for name, cpu, profile in (
                          ("base", 8.0, None),
                          ("nanosleep-polling-20ms", 10.0 * (run + 1), self.polling({"a": 1})),
                          ("hpm-immediate", 9.0 * (run + 1), self.immediate(_X)))]
        table = self.table(buytaert.report(recordings, {}), "interval asked for")
        self.assertEqual("+10.0", self.row(table, "hpm-immediate")[3])
        self.assertEqual("+0.0", self.row(table, "nanosleep-polling-20ms")[3])

    def test_where_we_are_less_accurate_than_the_paper_is_said(self):
        self.assert_says(self.report(), "nanosleep-polling (weighted: 25.0, the paper 59.3)")
        self.assertFalse([note for note in self.report().notes if "hpm-immediate (" in note])

    def test_says_how_polling_differs_and_what_is_missing(self):
        section = self.report()
        self.assert_says(section, "nanosleep-polling observes the program's own methods only")
        self.assert_says(section, "nanosleep-polling leaves out trivial methods")
        self.assert_says(section, "named `setitimer-polling`: the plan `buytaert` makes them")

    def test_plots_can_be_drawn(self):
        plots = self.report().plots
        self.assertEqual(6, len({plot.name for plot in plots}))
        for plot in plots:
            ElementTree.fromstring(plot.svg())

    def test_without_a_reference_there_is_still_a_stability(self):
        recordings = [self.recording("hpm-immediate", run=run, profile=self.immediate(_X))
                      for run in range(2)]
        section = buytaert.report(recordings, {})
        self.assertEqual(["100.0"], self.row(self.table(section, "stability"), "fop"))
        self.assert_says(section, "named `reference`")

    def test_without_recordings_it_says_what_it_needs(self):
        section = buytaert.report([], {})
        self.assertEqual(([], []), (section.tables, section.plots))
        self.assert_says(section, "named `base`")


if __name__ == "__main__":
    unittest.main()
