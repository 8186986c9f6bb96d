import unittest

from eval.plots.scale import Axis, Linear, Log, power


def labels(scale):
    return [label for _, label in scale.ticks()]


class LinearScales(unittest.TestCase):
    def test_ticks_are_round_numbers_within_the_ends(self):
        self.assertEqual(["0", "20", "40", "60", "80", "100"], labels(Linear(0, 100)))
        self.assertEqual(["-0.2", "0.0", "0.2", "0.4"], labels(Linear(-0.31, 0.52)))
        self.assertEqual(["0", "50,000", "100,000"], labels(Linear(0, 120_000, most=3)))

    def test_values_stand_between_the_ends_in_proportion(self):
        scale = Linear(10, 30)
        self.assertEqual([0, 0.25, 1], [scale.place(value) for value in (10, 15, 30)])
        self.assertEqual([0, 1], [scale.place(value) for value in (-5, 99)], "put at the ends")


class LogScales(unittest.TestCase):
    def test_equal_factors_are_equal_distances(self):
        scale = Log(0.1, 1000)
        for value, place in ((0.1, 0), (1, 0.25), (10, 0.5), (1000, 1), (0, 0), (-3, 0)):
            self.assertAlmostEqual(place, scale.place(value), msg=str(value))

    def test_ticks_are_powers_of_ten(self):
        self.assertEqual(["0.1", "1", "10", "100", "1,000"], labels(Log(0.1, 1000)))

    def test_few_decades_have_ticks_between(self):
        self.assertEqual(["2", "5", "10", "20"], labels(Log(1.5, 30)))

    def test_of_many_decades_not_every_one_has_a_tick(self):
        self.assertEqual(["10⁻⁶", "0.001", "1", "1,000", "10⁶", "10⁹", "10¹²"],
                         labels(Log(1e-6, 1e12)))

    def test_powers_are_plain_where_that_is_short(self):
        self.assertEqual(["0.001", "0.02", "1", "50,000", "10⁵", "2·10⁻⁴"],
                         [power(x) for x in (1e-3, 0.02, 1, 5e4, 1e5, 2e-4)])


class Axes(unittest.TestCase):
    def test_of_values_near_zero_begins_there(self):
        self.assertEqual(0, Axis("x").scale([3, 10]).low)

    def test_of_values_far_from_zero_does_not(self):
        self.assertGreater(Axis("x").scale([98, 100]).low, 97)

    def test_no_values_and_one_value_have_a_scale(self):
        for axis in (Axis("x"), Axis("x", log=True)):
            for values in ([], [0], [7], [7, 7], [-2]):
                scale = axis.scale(values)
                self.assertTrue(scale.ticks(), (axis, values))
                if values and (values[0] > 0 or not axis.log):
                    self.assertAlmostEqual(0.5, scale.place(values[0]), msg=str((axis, values)))

    def test_leaves_out_what_has_no_place(self):
        scale = Axis("x", log=True).scale([0, -1, float("inf"), float("nan"), 10, 1000])
        self.assertEqual((10, 1000), (scale.low, scale.high))

    def test_given_ends_stand(self):
        scale = Axis("x", low=0, high=100).scale([40, 60])
        self.assertEqual((0, 100), (scale.low, scale.high))


if __name__ == "__main__":
    unittest.main()
