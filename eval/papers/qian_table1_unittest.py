import unittest
from collections import Counter

from eval.papers import qian_table1
from eval.papers.parts.recordings_for_test import JDK, ReportTest

_A, _B, _C, _ADD = "p.A.a()V", "p.A.b()V", "p.A.c()V", "java.util.List.add(Ljava/lang/Object;)Z"


class Counts(ReportTest):
    def setUp(self):
        super().setUp()
        self.exact = self.profile(edges=[
            (None, -1, _B, 0, 1), (_A, 0, _B, 0, 5), (_A, 9, _B, 0, 5),  # _B: the root and _A
            (_A, 3, _C, 0, 5), (_A, 3, _ADD, 0, 1), (_B, 3, _C, 0, 0)])

    def test_callers_are_methods_not_sites_and_the_root_is_one(self):
        counts = qian_table1.callers(self.exact)
        self.assertEqual({0: 1, 1: 1, 2: 1}, counts[False])  # _A, _C, _B
        self.assertEqual({1: 1}, counts[True])

    def test_sites_by_number_of_callees(self):
        self.assertEqual({1: 2, 2: 1}, qian_table1.callees(self.exact))

    def test_the_report_has_the_programs_and_the_papers_numbers(self):
        section = qian_table1.report([self.recording("base")], {("fop", JDK): self.exact})
        table = self.table(section, "by number of callers")
        self.assertEqual(["1 (100.0 %)", "1 (66.7 %)", "291 (78.2 %)", "815 (50.4 %)"],
                         self.row(table, "1"))
        self.assertEqual(["1", "3", "3,205", "2,624"], self.row(table, "total"))
        self.assertEqual(["2", "50.0", "100.0", "100.0", "2"],
                         self.row(self.table(section, "own methods"), "fop"))
        self.assertEqual(["3", "66.7", "33.3", "0.0", "2"],
                         self.row(self.table(section, "call sites"), "fop"))

    def test_without_an_exact_profile_it_says_so(self):
        self.assert_says(qian_table1.report([], {}), "No exact profile")


class Rows(unittest.TestCase):
    def test_are_cumulative(self):
        self.assertEqual([(1, 10.0), (2, 30.0), (3, 60.0), (2, 80.0), (2, 100.0)],
                         qian_table1.rows(Counter({0: 1, 1: 2, 2: 1, 3: 2, 7: 2, 8: 1, 90: 1})))

    def test_of_nothing_are_empty(self):
        self.assertEqual([(0, 0.0)] * 5, qian_table1.rows(Counter()))


if __name__ == "__main__":
    unittest.main()
