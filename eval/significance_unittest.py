import unittest
from pathlib import Path

from eval import significance
from eval.built import Built
from eval.measure import Failed

# Student, 1908: see t_test/t_test_unittest.cc.
_FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
_SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


@unittest.skipUnless((Built.release().folder / "eval/t_test/yp-t-test").is_file(), "not built")
class TheProgram(unittest.TestCase):
    def test_is_asked_for_the_test_that_is_meant(self):
        paired = significance.paired_t_test(_FIRST, _SECOND)
        welch = significance.welch_t_test(_FIRST, _SECOND)
        self.assertAlmostEqual(0.002833, paired.p, 6)
        self.assertAlmostEqual(0.07939, welch.p, 5)
        self.assertEqual((9.0, -1.58), (paired.degrees_of_freedom, round(paired.difference, 9)))

    def test_is_that_of_the_release_build_where_the_build_in_use_has_none(self):
        self.addCleanup(Built().use)
        Built(Path("/nowhere")).use()
        self.assertAlmostEqual(0.002833, significance.paired_t_test(_FIRST, _SECOND).p, 6)

    def test_says_what_it_does_not_take(self):
        with self.assertRaisesRegex(Failed, "^yp-t-test: "):
            significance.welch_t_test([1.0, 2.0, 1e308 * 10], [1.0, 2.0])


class NoTest(unittest.TestCase):
    def test_is_made_of_what_has_no_variance(self):
        for test, a, b in ((significance.paired_t_test, [1.0], [2.0]),
                           (significance.paired_t_test, [1.0, 2.0], [2.0, 3.0]),
                           (significance.welch_t_test, [1.0], [2.0, 3.0]),
                           (significance.welch_t_test, [1.0, 1.0], [2.0, 2.0])):
            self.assertIsNone(test(a, b))

    def test_pairs_must_pair_up(self):
        with self.assertRaises(ValueError):
            significance.paired_t_test([1.0, 2.0], [1.0])


if __name__ == "__main__":
    unittest.main()
