import random
import unittest
from pathlib import Path

from eval import numbers
from eval.jdks import Jdk
from eval.measure import Failed

_JDK = Jdk(Path("/j"), 17, "17.0.9")


def row(callee, calls, low, high, flags=("sampled",), **more):
    return {"caller": "a.A.main()V", "bci": 1, "callee": callee, "calls": calls, "low": low,
            "high": high, "flags": list(flags), **more}


def exact_rows(**calls):
    return [row(callee, value, value, value, ("exact",)) for callee, value in calls.items()]


def judged(exact, rows, config=None, counts=None):
    return numbers.judge(numbers.read_edges(exact), numbers.read_edges(rows),
                         {"samples": 9, "config": config or {}}, counts)


class ReadEdges(unittest.TestCase):
    def test_shares_are_those_that_are_printed(self):
        edge, = numbers.read_edges([row("f", 50, 20, 90, share_low=0.4, share_high=1.0)]).values()
        self.assertEqual((0.4, 1.0), (edge.share_low, edge.share_high))

    def test_where_there_are_none_they_are_numbers_over_the_total(self):
        edges = numbers.read_edges([row("f", 50, 20, 80), row("g", 150, 100, 190)])
        self.assertEqual([(0.1, 0.4), (0.5, 0.95)],
                         [(edge.share_low, edge.share_high) for edge in edges.values()])

    def test_edges_of_one_name_are_added_up(self):
        edge, = numbers.read_edges([row("f", 100, 70, 130), row("f", 100, 60, 140)]).values()
        self.assertEqual((200, 150, 250), (edge.calls, edge.low, edge.high))
        self.assertAlmostEqual(0.75, edge.share_low)
        self.assertAlmostEqual(1.25, edge.share_high)

    def test_what_has_no_interval_makes_none_of_a_sum(self):
        edge, = numbers.read_edges([row("f", 100, 70, 130), row("f", 9, 5, None, ("no-interval",))
                                    ]).values()
        self.assertEqual((109, False), (edge.calls, edge.has_interval))
        self.assertEqual(float("inf"), edge.high)

    def test_methods_that_are_left_out_are_in_no_total(self):
        edges = numbers.read_edges([row("f", 50, 20, 80), row("t", 150, 100, 190)], {"t"})
        self.assertEqual([(50, 0.4)], [(edge.calls, edge.share_low) for edge in edges.values()])


class Judge(unittest.TestCase):
    EXACT = exact_rows(f=6000, g=3000, h=999.5, rare=0.5)

    def test_total_and_edges_that_are_missing(self):
        one = judged(self.EXACT, [row("f", 5000, 1, 9000), row("rare", 0, 0, 9)])
        self.assertEqual(0.5, one.ratio)
        self.assertEqual((3, 2), (one.edges, one.missing))
        self.assertAlmostEqual(39.995, one.missing_calls)

    def test_numbers_and_shares_are_told_apart_and_so_are_sides(self):
        one = judged(self.EXACT, [row("f", 600, 500, 700), row("g", 300, 200, 5000),
                                  row("h", 2000, 1500, 2500)])
        self.assertEqual(numbers.Held(3, below=1, above=1), one.numbers)  # h, f
        # 500 / 2900 to 700 / 2900 against 0.6, 0.07 to 1.72 against 0.3, 0.52 to 0.86 against 0.1.
        self.assertEqual(numbers.Held(3, below=1, above=1), one.shares)
        self.assertAlmostEqual(100 / 3, one.numbers.percent())
        right_shares = judged(self.EXACT, [row("f", 600, 500, 700), row("g", 300, 200, 400),
                                           row("h", 100, 50, 150)])
        self.assertEqual((0.0, 100.0), (right_shares.numbers.percent(),
                                        right_shares.shares.percent()))

    def test_what_has_no_interval_is_in_no_part(self):
        one = judged(self.EXACT, [row("f", 600, 500, None, ("sampled", "no-interval"))])
        self.assertEqual((1, 0, None, None), (one.without_interval, one.numbers.intervals,
                                              one.numbers.percent(), one.numbers_width))

    def test_ends_belong_to_the_interval(self):
        one = judged(self.EXACT, [row("f", 6500, 6000, 7000), row("g", 2500, 2000, 3000)])
        self.assertEqual(numbers.Held(2, 0, 0), one.numbers)

    def test_width_is_half_the_interval_of_what_is_printed(self):
        self.assertAlmostEqual(25.0, judged(self.EXACT, [row("f", 200, 150, 250)]).numbers_width)

    def test_cost_stands_beside_the_budget(self):
        config = {"cost.program_cpu_ns": "1000", "cost.drain_cpu_ns": "20", "budget_ppm": "5000"}
        one = judged(self.EXACT, self.EXACT, config)
        self.assertEqual((2.0, 0.5), (one.cost, one.budget))
        self.assertEqual((None, None), (judged(self.EXACT, self.EXACT).cost,
                                        judged(self.EXACT, self.EXACT).budget))

    def test_printed_calls_are_held_against_those_that_the_program_counts(self):
        rows = [row("f", 30, 1, 99), row("f", 10, 1, 99)]
        rows[1]["bci"] = 7
        self.assertEqual({"f": 0.5, "g": 0.0},
                         judged(self.EXACT, rows, counts={"f": 80, "g": 3, "never": 0}).counted)

    def test_profiles_without_calls_fail(self):
        with self.assertRaises(Failed):
            judged(self.EXACT, [])

    def test_honest_intervals_hold_95_percent_and_those_half_as_wide_do_not(self):
        """2,000 estimates, normal around the truth. Of honest intervals between 93.5 and 96.5 %
        hold it (3 standard errors of 0.49 %); of those half as wide 67 %."""
        generator = random.Random(7)
        exact = exact_rows(**{f"m{i}": 1000 for i in range(2000)})
        estimates = [generator.gauss(1000, 50) for _ in exact]

        def held(z):
            return judged(exact, [row(each["callee"], value, value - 50 * z, value + 50 * z)
                                  for each, value in zip(exact, estimates)]).numbers.percent()

        self.assertTrue(93.5 <= held(1.96) <= 96.5, held(1.96))
        self.assertLess(held(0.98), 75.0)


class Tables(unittest.TestCase):
    def setUp(self):
        exact = exact_rows(f=100)
        runs = [judged(exact, [row("f", calls, 90, 300)], {"budget_ppm": "5000"}, {"f": 100})
                for calls in (50, 200)]
        self.results = {"fop": numbers.Result(100, 1, {"default": runs})}

    def test_half_and_twice_are_both_off_by_two(self):
        self.assertAlmostEqual(2.0, numbers.mean_factor([0.5, 2.0]))
        self.assertAlmostEqual(4.0, numbers.worst_factor([0.5, 0.25, 3.9]))
        self.assertEqual(1.0, numbers.mean_factor([1.0]))

    def test_totals_have_each_program_then_mean_and_worst(self):
        self.assertEqual([["fop", "100", "1.250 (0.500-2.000)"],
                          ["off by a factor of, geometric mean", "", "2.000"],
                          ["off by a factor of, worst", "", "2.000"]],
                         numbers.totals_table(_JDK, self.results, ["default"]).rows)

    def test_totals_and_costs_have_the_mean_of_each_set_where_there_are_both(self):
        results = {**self.results, "groovy": self.results["fop"]}
        self.assertEqual(["off by a factor of, geometric mean",
                          "off by a factor of, geometric mean, tuned",
                          "off by a factor of, geometric mean, held-out",
                          "off by a factor of, worst"],
                         [row[0] for row in
                          numbers.totals_table(_JDK, results, ["default"]).rows[2:]])
        self.assertEqual(["mean of the programs", "mean of the programs, tuned",
                          "mean of the programs, held-out"],
                         [row[0] for row in
                          numbers.cost_table(_JDK, results, ["default"]).rows[2:]])

    def test_what_no_run_has_is_a_dash(self):
        program, mean = numbers.cost_table(_JDK, self.results, ["default"]).rows
        self.assertEqual(["fop", "default", "1", "0.0", "0.00", "9", "-", "0.50"], program)
        self.assertEqual(["mean of the programs", "default", ""], mean[:3])
        self.assertEqual(program[3:], mean[3:])

    def test_methods_that_count_themselves_have_a_row_each(self):
        self.assertEqual([["fop", "f", "1.250 (0.500-2.000)"]],
                         numbers.counted_table(_JDK, self.results, ["default"]).rows)


if __name__ == "__main__":
    unittest.main()
