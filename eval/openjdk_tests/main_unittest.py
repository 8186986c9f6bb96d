import unittest
from pathlib import Path

from eval.jdks import Jdk
from eval.openjdk_tests import __main__ as openjdk_tests
from eval.openjdk_tests.__main__ import Configured, Group
from eval.openjdk_tests.outcomes import UNEXPLAINED, Outcome
from eval.progress import Progress
from eval.experiment import Run
from eval.report import Report

JDK = Jdk(Path("/j"), 17, "17.0.9")
GROUPS = {
    "lang": Group({"lang/N.java": "Error. Use -nativepath"}, 12, 11, {"BASE": Configured(
        Outcome(8, {"lang/A.java": "Error."}, {"lang/B.java": "C2"}, {"lang/C.java": "slow"}), 3, 1500)}),
    "util": Group({}, 1000, 1000, {"BASE": Configured(Outcome(1000), 2, 20)})}


class Tables(unittest.TestCase):
    def test_have_a_row_for_each_group_and_their_sum(self):
        rows = openjdk_tests.pass_table(JDK, GROUPS, ["BASE"]).rows
        self.assertEqual(["lang", "12", "11", "8", "1", "1", "1"], rows[0])
        self.assertEqual(["all", "1,012", "1,011", "1,008", "1", "1", "1"], rows[2])

    def test_name_each_difference_and_its_cause(self):
        self.assertEqual([["lang/C.java", "BASE", "slow"]],
                         openjdk_tests.differences_table(JDK, GROUPS).rows)

    def test_count_why_tests_cannot_apply(self):
        self.assertEqual([["C2", "1"]], openjdk_tests.reasons_table(JDK, GROUPS, ["BASE"]).rows)

    def test_say_what_was_compiled(self):
        self.assertEqual(["lang", "3", "1,500"],
                         openjdk_tests.compiled_table(JDK, GROUPS, ["BASE"]).rows[0])

    def test_say_what_stock_hotspot_does_not_pass(self):
        self.assertEqual([["Error. Use -nativepath", "1"]], openjdk_tests.stock_table(JDK, GROUPS).rows)


class Goal(unittest.TestCase):
    def reached(self, *causes: str) -> bool:
        outcome = Outcome(differ={f"t/{i}.java": cause for i, cause in enumerate(causes)})
        run = Run(Report("openjdk_tests", "?", "./yp", [JDK]), Progress(1, log=lambda line: None))
        openjdk_tests.report_groups(
            JDK, {"lang": Group({}, 1, 1, {"BASE": Configured(outcome, 0, 0)})}, ["BASE"], run)
        return run.report.goals[0].is_met

    def test_is_that_no_difference_is_unexplained(self):
        self.assertTrue(self.reached())
        self.assertTrue(self.reached("slow"))
        self.assertFalse(self.reached("slow", UNEXPLAINED))


class Groups(unittest.TestCase):
    def test_that_come_with_the_experiment_have_tests_each_once(self):
        groups = openjdk_tests.load_groups()
        places = [place for group in groups.values() for place in group]
        self.assertEqual(len(set(places)), len(places))
        self.assertTrue(all(groups.values()))


if __name__ == "__main__":
    unittest.main()
