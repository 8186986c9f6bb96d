import unittest

from eval.method_times import compare


class CompareTest(unittest.TestCase):
    MEASURED = {"a.A.hot()V": (900_000_000, 10), "a.A.rare()V": (4_000_000, 1),
                "a.A.gone()V": (50_000_000, 3)}

    def test_time_is_that_of_the_stacks_with_the_method_on_them(self):
        hot, = compare(self.MEASURED, {"a.A.hot()V": 990, "a.A.rare()V": 4}, 1000, 1.0)
        self.assertEqual("a.A.hot()V", hot.method)
        self.assertAlmostEqual(10.0, hot.error)
        self.assertAlmostEqual(0.99, hot.share)

    def test_what_was_never_seen_and_what_is_rare_are_left_out(self):
        self.assertEqual([], compare(self.MEASURED, {"a.A.rare()V": 9}, 1000, 1.0))

    def test_fewer_stacks_leave_more_to_chance(self):
        few, = compare(self.MEASURED, {"a.A.hot()V": 100}, 100, 9.0)
        many, = compare(self.MEASURED, {"a.A.hot()V": 10_000}, 10_000, 0.09)
        self.assertAlmostEqual(10 * many.chance, few.chance)


if __name__ == "__main__":
    unittest.main()
