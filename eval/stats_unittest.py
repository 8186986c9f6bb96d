import math
import random
import unittest
from collections import Counter

from eval import stats


class RoundOrder(unittest.TestCase):
    def test_no_item_is_always_first_and_every_pair_runs_in_both_orders(self):
        items = ["base", "exact", "cbs", "control"]
        rounds = [stats.round_order(items, i) for i in range(2 * len(items))]
        for place in range(len(items)):
            self.assertEqual({2}, set(Counter(order[place] for order in rounds).values()))
        before = Counter((a, b) for order in rounds for a, b in zip(order, order[1:]))
        for a, b in before:
            self.assertEqual(before[a, b], before[b, a], (a, b))

    def test_two_items_alternate(self):
        orders = [stats.round_order("AB", i) for i in range(4)]
        self.assertEqual({"A": 2, "B": 2}, Counter(order[0] for order in orders))


class MedianRatio(unittest.TestCase):
    def test_is_taken_within_rounds_so_that_drift_cancels(self):
        baseline = [1.0, 2.0, 4.0, 8.0, 16.0]
        interval = stats.median_ratio([1.1 * b for b in baseline], baseline)
        for value in (interval.value, interval.low, interval.high):
            self.assertAlmostEqual(1.1, value)

    def test_refuses_rounds_that_do_not_pair_up(self):
        with self.assertRaises(ValueError):
            stats.median_ratio([1.0, 2.0], [1.0])

    def test_interval_covers_the_true_ratio_about_as_often_as_it_says(self):
        # 200 experiments of 15 rounds. At a true coverage of 93 % (the percentile bootstrap of a
        # median is a little narrow) fewer than 170 happen with probability below 1e-4.
        generator = random.Random(1)
        covered = 0
        resamples, stats.RESAMPLES = stats.RESAMPLES, 400
        try:
            for _ in range(200):
                baseline = [math.exp(generator.gauss(0, 0.3)) for _ in range(15)]
                measured = [1.05 * b * math.exp(generator.gauss(0, 0.04)) for b in baseline]
                covered += not stats.median_ratio(measured, baseline).excludes(1.05)
        finally:
            stats.RESAMPLES = resamples
        self.assertGreaterEqual(covered, 170)
        self.assertLess(covered, 200, "an interval that always covers is too wide")

    def test_is_the_same_for_the_same_measurements(self):
        measured, baseline = [1.0, 1.3, 1.1, 0.9], [1.0, 1.0, 1.0, 1.0]
        self.assertEqual(stats.median_ratio(measured, baseline),
                         stats.median_ratio(measured, baseline))


class GeometricMeanRatio(unittest.TestCase):
    def test_weighs_a_halving_and_a_doubling_alike(self):
        interval = stats.geometric_mean_ratio({"a": [2.0] * 5, "b": [0.5] * 5})
        self.assertAlmostEqual(1.0, interval.value)
        self.assertFalse(interval.excludes(1.0))

    def test_noise_of_one_workload_widens_the_interval(self):
        quiet = stats.geometric_mean_ratio({"a": [1.05] * 9, "b": [1.05] * 9})
        noisy = stats.geometric_mean_ratio({"a": [1.05] * 9,
                                            "b": [0.8 + 0.0625 * i for i in range(9)]})
        self.assertLess(quiet.high - quiet.low, 1e-9)
        self.assertGreater(noisy.high - noisy.low, 0.05)
        self.assertTrue(quiet.excludes(1.0))
        self.assertFalse(noisy.excludes(1.0))


class MeanOfMedians(unittest.TestCase):
    def test_is_that_of_the_workloads_and_takes_negative_values(self):
        interval = stats.mean_of_medians({"a": [-1.0, -1.0, 50.0], "b": [3.0] * 3})
        self.assertAlmostEqual(1.0, interval.value)
        self.assertLessEqual(interval.low, 1.0)
        self.assertGreater(interval.high, 1.0)

    def test_of_equal_runs_has_no_width(self):
        interval = stats.mean_of_medians({"a": [2.0] * 4, "b": [4.0] * 4})
        self.assertEqual((3.0, 3.0, 3.0), (interval.value, interval.low, interval.high))


if __name__ == "__main__":
    unittest.main()
