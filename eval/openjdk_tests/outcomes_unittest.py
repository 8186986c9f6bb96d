import tempfile
import unittest
from pathlib import Path

from eval.openjdk_tests import outcomes
from eval.openjdk_tests.outcomes import Cause, Causes

TEXT = """
[[cause]]
text = "refused"
output = "does not know the collector"
applies = false

[[cause]]
text = "asks for C2"
source = "TieredStopAtLevel"
applies = false

[[cause]]
text = "known"
tests = ["t/Known.java"]
"""


def read(text: str) -> Causes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "causes.toml"
        file.write_text(text, "utf-8")
        return Causes.read(file)


class CausesOfDifferences(unittest.TestCase):
    def test_are_the_tests_own_first_then_what_it_printed_then_its_source(self):
        causes = read(TEXT)
        printed, source = "yp: the compiler does not know the collector", "-XX:TieredStopAtLevel=1"
        self.assertEqual(Cause("known", True), causes.of("t/Known.java", printed, source))
        self.assertEqual(Cause("refused", False), causes.of("t/A.java", printed, source))
        self.assertEqual(Cause("asks for C2", False), causes.of("t/A.java", "", source))
        self.assertEqual(outcomes.NO_CAUSE, causes.of("t/A.java", "", ""))

    def test_of_no_tests_are_an_error(self):
        with self.assertRaises(outcomes.CausesError):
            read('[[cause]]\ntext = "of what?"\n')

    def test_that_come_with_the_experiment_are_well_formed(self):
        self.assertTrue(Causes.read().by_output)


class Judgement(unittest.TestCase):
    def judged(self, passed: set[str], again: set[str] = frozenset(), applies: bool = True
               ) -> outcomes.Outcome:
        return outcomes.judge({"a", "b"}, {"a": "Failed. x", "b": "Passed. y", "c": "Passed. z"},
                              passed, set(again), lambda test: Cause(f"why {test}", applies))

    def test_counts_what_stock_hotspot_passed_alone(self):
        self.assertEqual(2, self.judged({"a", "b", "c"}).passed)

    def test_tells_what_passed_at_the_second_run_from_what_differs(self):
        self.assertEqual({"a": "Failed. x"}, self.judged({"b"}, {"a"}).passed_again)
        self.assertEqual({"a": "why a"}, self.judged({"b"}).differ)

    def test_does_not_count_what_cannot_apply_as_a_difference(self):
        outcome = self.judged({"b"}, applies=False)
        self.assertEqual(({}, {"a": "why a"}), (outcome.differ, outcome.cannot_apply))


if __name__ == "__main__":
    unittest.main()
