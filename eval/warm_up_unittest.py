import math
import random
import unittest
from collections import Counter

from eval.warm_up import warm_up

_SERIES = 300


def found(shape, count, noise, seed=1):
    """How often each number of iterations was found for series of this shape: `shape` is the time
    of an iteration without noise, in ms."""
    generator = random.Random(seed)
    return Counter(warm_up([shape(i) * math.exp(generator.gauss(0, noise)) for i in range(count)])
                   for _ in range(_SERIES))


class WarmUp(unittest.TestCase):
    def test_a_flat_series_is_warm_from_the_first_iteration(self):
        # 4 % are not, of this length and noise: more than 9 % of 300 by chance in 1 of 20,000.
        self.assertGreater(found(lambda i: 400, 30, 0.03)[0], 0.91 * _SERIES)

    def test_a_step_is_found_where_it_is_up_or_down(self):
        for before in (600, 270):
            with self.subTest(before):
                steps = found(lambda i: before if i < 10 else 400, 30, 0.03)
                self.assertGreater(steps[10], 0.9 * _SERIES)

    def test_an_exponential_approach_ends_where_it_is_as_near_as_noise_and_tolerance(self):
        # 1.5 exp(-i / 2) is 9 % at i = 5.6 and 1 % at i = 10.
        ends = found(lambda i: 400 * (1 + 1.5 * math.exp(-i / 2)), 40, 0.02)
        self.assertGreater(sum(ends[i] for i in range(5, 11)), 0.95 * _SERIES)
        self.assertEqual(0, sum(ends[i] for i in range(4)))

    def test_a_drift_of_which_no_end_is_seen_is_never_steady(self):
        self.assertEqual({40: _SERIES}, found(lambda i: 400 * 1.03**i, 40, 0.01))

    def test_a_step_in_the_last_quarter_is_never_steady(self):
        late = found(lambda i: 600 if i < 26 else 400, 30, 0.02)
        self.assertGreater(late[30], 0.95 * _SERIES)

    def test_lone_outliers_do_not_end_the_steady_state(self):
        self.assertGreater(
            found(lambda i: 700 if i in (12, 20, 29) else 400, 30, 0.01)[0], 0.95 * _SERIES)

    def test_equal_times_are_no_reason_to_divide_by_zero(self):
        self.assertEqual(0, warm_up([7] * 20))
        self.assertEqual(0, warm_up([0] * 20))
        self.assertEqual(1, warm_up([900] + [400] * 20))

    def test_of_too_few_iterations_nothing_is_said(self):
        for count in range(4):
            self.assertEqual(count, warm_up([400] * count))


if __name__ == "__main__":
    unittest.main()
