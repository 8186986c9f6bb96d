import unittest
import xml.etree.ElementTree as ElementTree
from unittest import mock

from eval.measure import Failed
from eval.papers import lee
from eval.papers.parts import lee_numbers, lee_windows
from eval.papers.parts.recordings_for_test import JDK, ReportTest
from eval.profile_file import Window

_US = 1000
_THREADS = {1: "main", 2: "worker", 3: "rare"}


def window(thread, start_us=0, latency_us=0, duration_us=10, calls=11):
    return (thread, start_us * _US, latency_us * _US, duration_us * _US, 0, calls)


def fake_overlap(correction, exact, sampled):
    """By correction, and a point more for each run."""
    return ({"none": 60.0, "density": 70.0, "density+latency": 75.0,
             "shrunk": 71.0}[correction]
            + int(sampled.stem) % 10)


class Report(ReportTest):
    def setUp(self):
        super().setUp()
        self.recordings = []
        for run in range(3):
            windows = [window(1, start_us=i, latency_us=latency, calls=1 + 10 * 2 ** i)
                       for i, latency in enumerate((1, 2, 3, 94))]
            profile = self.profile(windows=windows, threads=_THREADS)
            self.recordings += [
                self.recording("base", 10.0, run=run), self.recording("control", 10.1, run=run),
                self.recording("timer", 10.2, run=run, profile=profile),
                self.recording("bytecode-2x8", 10.5, run=run, profile=profile)]
        self.references = {("fop", JDK): self.profile()}

    def report(self, overlap=fake_overlap):
        return lee.report(self.recordings, self.references, overlap)

    def test_latency_has_its_four_numbers_and_the_papers_in_microseconds(self):
        table = self.table(self.report(), "Table I")
        # The paper's fop: 771, 41,918,081, 3,270 and 311,546 cycles of 2.4 GHz.
        self.assertEqual(["1.00", "94.00", "2.50", "25.00", "0.32", "17,466", "1.36", "130"],
                         self.row(table, "fop"))

    def test_density_is_of_calls_in_a_microsecond(self):
        # 1, 2, 4 and 8; the 5th percentile is 1.15, the 95th 7.4.
        self.assertEqual(["1", "4", "1.15", "3", "7.4", "6"],
                         self.row(self.table(self.report(), "call density"), "fop"))

    def test_accuracy_is_by_correction_with_the_papers_averages(self):
        table = self.table(self.report(), "by correction")
        for row in ("fop", "average"):
            self.assertEqual(["62.0", "72.0", "77.0", "73.0"], self.row(table, row))
        self.assertEqual(["61", "71", "72", "-"], self.row(table, "the paper's average"))

    def test_other_samplers_have_their_averages(self):
        profile = self.profile(windows=[window(1)], threads=_THREADS)
        self.recordings.append(self.recording("delayed-2x8", 10.5, run=1, profile=profile))
        table = self.table(self.report(), "other samplers")
        self.assertEqual([["delayed-2x8"]], [row[:1] for row in table.rows])
        self.assertEqual(4, len(self.row(table, "delayed-2x8")))

    def test_a_correction_that_makes_it_worse_is_said(self):
        section = self.report(lambda correction, *_: {"none": 60, "density": 70.0,
                                                      "density+latency": 69.5,
                                                      "shrunk": 50.0}[correction])
        self.assertEqual(1, sum("is worse than" in note for note in section.notes))
        self.assert_says(section, "correcting by density+latency is worse than density, in points, "
                                  "for fop (-0.5)")

    def test_overhead_is_of_both_samplers_beside_the_control(self):
        table = self.table(self.report(), "CPU time added")
        self.assertEqual(["program", "control", "1 sample a tick", "bytecode-2x8"],
                         list(table.header))
        self.assertEqual(["+1.0 [+1.0, +1.0]", "+2.0 [+2.0, +2.0]", "+5.0 [+5.0, +5.0]"],
                         self.row(table, "average"))

    def test_plots_can_be_drawn_and_a_dot_stands_for_each_window(self):
        plots = {plot.name: ElementTree.fromstring(plot.svg()) for plot in self.report().plots}
        self.assertEqual({f"lee-{name}-{JDK}" for name in ("density-one", "latency", "accuracy",
                                                           "overhead")}, set(plots))
        dots = list(plots[f"lee-density-one-{JDK}"].iter("{http://www.w3.org/2000/svg}circle"))
        self.assertEqual(4, len(dots))

    def test_of_a_yp_that_does_not_know_corrections_the_rest_is_told(self):
        section = self.report(mock.Mock(side_effect=Failed("no such option: --correct")))
        self.assert_says(section, "no accuracy by correction (Figure 7): no such option")
        self.table(section, "Table I")

    def test_another_configuration_stands_in_and_that_is_said(self):
        for name, said in (("bytecode-7x16", "`bytecode-7x16` stands in its place"),
                           ("timer", "the plan `lee` makes them")):
            recordings = [self.recording(name, profile=self.profile(windows=[window(1)]))]
            section = lee.report(recordings, {}, fake_overlap)
            self.assert_says(section, "named `bytecode-2x8`")
            self.assert_says(section, said)

    def test_without_recordings_it_says_what_it_needs(self):
        section = lee.report([], {}, fake_overlap)
        self.assertEqual(([], []), (section.tables, section.plots))
        self.assert_says(section, "named `bytecode-2x8`: the plan `lee` makes them")


class Threads(ReportTest):
    def test_main_comes_first_then_those_with_the_most_windows(self):
        windows = [Window(name, i, 0, 10, 0, 5)
                   for i, name in enumerate(["worker"] * 60 + ["main"] * 38 + ["rare"] * 2)]
        self.assertEqual(["main", "worker"], lee_windows.busy(windows))

    def test_programs_of_several_are_told_apart_from_those_of_one(self):
        recordings = [
            self.recording("bytecode-2x8", workload=workload, profile=self.profile(
                windows=[window(thread, i) for i, thread in enumerate(threads)],
                threads=_THREADS))
            for workload, threads in (("fop", [1] * 30 + [3]), ("h2", [1, 2, 2, 2]))]
        names = [plot.name for plot in lee.report(recordings, {}, fake_overlap).plots]
        self.assertEqual([f"lee-density-one-{JDK}", f"lee-density-several-{JDK}"], names[:2])


class Thinning(unittest.TestCase):
    def test_keeps_every_so_many(self):
        points = [(float(i), 1.0) for i in range(10)]
        self.assertEqual(points, lee_windows.thinned(points, 10))
        self.assertEqual([0, 3, 6, 9], [x for x, _ in lee_windows.thinned(points, 4)])
        self.assertEqual([], lee_windows.thinned([], 4))


class ThePapersNumbers(unittest.TestCase):
    def test_are_there_for_each_program_that_is_the_same(self):
        for name in lee_numbers.SAME.values():
            self.assertEqual(4, len(lee_numbers.TABLE_1[name]))
        self.assertAlmostEqual(1.0, lee_numbers.microseconds(2400))


if __name__ == "__main__":
    unittest.main()
