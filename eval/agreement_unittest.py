import unittest

from eval import agreement

# The examples of Buytaert et al. (OOPSLA 2007), sections 5.2.3 and 5.2.4.
_X = {"a": 5, "b": 0, "c": 2}
_Y = {"a": 30, "b": 4, "c": 0}
_RUNS = [{"a": 5, "b": 1, "c": 4}, {"a": 6, "b": 0, "c": 3}, {"a": 5, "b": 2, "c": 3}]


class ThePapersExamples(unittest.TestCase):
    def test_unweighted(self):
        self.assertAlmostEqual(100 / 3, agreement.common_presence(_X, _Y))

    def test_weighted(self):
        self.assertAlmostEqual(100 * 5 / 7, agreement.overlap(_X, _Y))

    def test_stability(self):
        # 0.83, 0.9 and 0.8 as the paper rounds them.
        self.assertAlmostEqual(100 * (5 / 6 + 0.9 + 0.8) / 3, agreement.stability(_RUNS))


class Overlap(unittest.TestCase):
    def test_is_100_for_proportional_weights_and_0_without_a_common_key(self):
        self.assertAlmostEqual(100, agreement.overlap({1: 1, 2: 3}, {1: 10, 2: 30}))
        self.assertEqual(0, agreement.overlap({1: 1}, {2: 1}))

    def test_of_an_empty_graph_is_0(self):
        for a, b in (({}, {}), ({1: 1}, {}), ({}, {1: 1}), ({1: 0}, {1: 1})):
            self.assertEqual(0, agreement.overlap(a, b))


class TopPresence(unittest.TestCase):
    def test_counts_the_heaviest_keys_only(self):
        reference = {i: 100 - i for i in range(10)}
        self.assertEqual(50, agreement.top_presence(reference, {0: 1, 9: 1}, 20))
        self.assertEqual(20, agreement.top_presence(reference, {0: 1, 9: 1}, 100))

    def test_is_of_one_key_at_least_and_rounds_up(self):
        reference = {1: 3, 2: 2, 3: 1}
        self.assertEqual(100, agreement.top_presence(reference, {1: 1}, 1))
        self.assertEqual(50, agreement.top_presence(reference, {1: 1}, 34))

    def test_of_equal_weights_is_the_mean_over_the_choices(self):
        # The top half is "a" and one of the four others, of which one was found.
        reference = {"a": 9, "b": 1, "c": 1, "d": 1}
        self.assertAlmostEqual(100 * (1 + 1 / 3) / 2,
                               agreement.top_presence(reference, {"a": 1, "c": 2}, 50))

    def test_weights_of_0_are_absent(self):
        self.assertEqual(0, agreement.top_presence({1: 5}, {1: 0}, 100))
        self.assertEqual(100, agreement.top_presence({1: 5, 2: 0}, {1: 1}, 100))
        self.assertEqual(0, agreement.top_presence({}, {1: 1}, 10))


class Runs(unittest.TestCase):
    def test_merge_by_adding_up(self):
        self.assertEqual({"a": 3, "b": 1, "c": 1},
                         agreement.merged([{"a": 1, "b": 1}, {"a": 2, "c": 1}]))

    def test_one_run_has_no_stability(self):
        self.assertIsNone(agreement.stability([{"a": 1}]))


if __name__ == "__main__":
    unittest.main()
