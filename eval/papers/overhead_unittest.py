import random
import unittest
from dataclasses import replace
from unittest import mock

from eval import stats
from eval.papers import overhead
from eval.recording import BASE, CONTROL, Recording


def a_run(configuration, run, cpu, warm_up=1, workload="fop"):
    """Three iterations after a first one that takes a second; `cpu` is that of the others."""
    return Recording(workload, "17.0.9", configuration, run, 1.0 + 3 * cpu / 1000, 2.0,
                     (500, 200, 200, 200), warm_up, iterations_cpu_ms=(1000, cpu, cpu, cpu))


def rounds(count, ratios, drift=1.1, noise=0.0, seed=1, workload="fop"):
    """Runs in which a configuration takes `ratios[name]` times the CPU time of BASE. From round to
    round the machine becomes slower."""
    generator = random.Random(seed)
    return [a_run(name, run, 200 * drift**run * ratio * (1 + generator.gauss(0, noise)),
                  workload=workload)
            for run in range(1, count + 1)
            for name, ratio in {BASE: 1.0, CONTROL: 1.0, **ratios}.items()]


class Overhead(unittest.TestCase):
    def setUp(self):
        self.enterContext(mock.patch.object(stats, "RESAMPLES", 400))
        # The program that computes p is tested on its own.
        self.p = {}
        for name in ("paired_t_test", "welch_t_test"):
            self.enterContext(mock.patch.object(overhead, name, self.t_test(name)))

    def t_test(self, name):
        def test(a, b):
            self.p[name] = (list(a), list(b))
            return mock.Mock(p=0.0123)

        return test

    def tables(self, recordings):
        return overhead.report(recordings, {}).tables

    def test_ratios_are_within_runs_so_that_drift_cancels(self):
        warm = self.tables(rounds(9, {"slow": 1.25}))[0]
        self.assertEqual(["program", "base, ms", "control", "slow"], warm.header)
        self.assertEqual(["1.000 [1.000, 1.000]", "1.250 [1.250, 1.250]"], warm.rows[0][2:])
        self.assertEqual(warm.rows[0][2:], warm.rows[1][2:])

    def test_only_iterations_in_which_both_are_warm_count(self):
        a = Recording("fop", "j", "x", 1, 1, 1, (1,) * 5, 1, iterations_cpu_ms=(9, 50, 20, 30, 40))
        b = Recording("fop", "j", BASE, 1, 1, 1, (1,) * 5, 3,
                      iterations_cpu_ms=(900, 800, 700, 10, 20))
        self.assertEqual((35, 15), overhead.warm_cpu(a, b))

    def test_of_a_run_that_never_is_warm_the_second_half_counts(self):
        a = Recording("fop", "j", "x", 1, 1, 1, (1,) * 4, 4, iterations_cpu_ms=(900, 500, 40, 20))
        b = Recording("fop", "j", BASE, 1, 1, 1, (1,) * 4, 0, iterations_cpu_ms=(90, 50, 20, 10))
        self.assertEqual((30, 15), overhead.warm_cpu(a, b))

    def test_start_and_warm_up_count_in_the_whole_run(self):
        whole = self.tables(rounds(9, {"slow": 2.0}, drift=1.0))[2]
        self.assertTrue(whole.rows[0][-1].startswith("1.375 "), whole.rows)  # 2.2 s to 1.6 s

    def test_an_effect_stands_out_of_the_noise_and_what_does_not_is_null(self):
        table = self.tables(rounds(15, {"slow": 1.2, "same": 1.0}, noise=0.02))[1]
        self.assertEqual(["slow", "same"], [row[1] for row in table.rows])
        self.assertRegex(table.rows[0][3], r"^\+(19|20|21)\.\d %$")
        self.assertEqual("null", table.rows[1][3])
        self.assertEqual(["0.012", "0.012"], table.rows[0][4:])

    def test_an_effect_as_small_as_the_controls_is_null_though_its_interval_excludes_1(self):
        steady = [1.02] * 9
        self.assertEqual("+2.0 %", overhead.effect(steady, [1.0] * 9))
        self.assertEqual("null", overhead.effect(steady, [0.97, 1.03] * 4 + [1.0]))
        self.assertEqual("null", overhead.effect([0.9, 1.3] * 4 + [1.2], [1.0] * 9))

    def test_of_programs_without_an_effect_few_seem_to_have_one(self):
        # Both conditions by chance: well below one in twenty of 60; more than 6 in 1 of 100.
        generator = random.Random(1)
        ratios = [[1 + generator.gauss(0, 0.04) for _ in range(9)] for _ in range(120)]
        effects = list(map(overhead.effect, ratios[:60], ratios[60:]))
        self.assertLessEqual(sum(effect != "null" for effect in effects), 6)

    def test_few_runs_have_no_effect_and_two_no_interval(self):
        self.assertEqual("too few runs", overhead.effect([1.5] * 6, [1.0] * 6))
        self.assertEqual("+50.0 %", overhead.effect([1.5] * 7, [1.0] * 7))
        self.assertEqual([["1.000", "1.500"]] * 2,
                         [row[2:] for row in self.tables(rounds(2, {"x": 1.5}))[0].rows])
        self.assertIn("JDK 17.0.9: of 2 runs no interval is right; it takes 7.",
                      overhead.report(rounds(2, {"x": 1.0}), {}).notes)

    def test_p_is_of_logarithms_of_the_same_runs(self):
        self.tables(rounds(3, {"x": 2.0}))
        for a, b in self.p.values():
            self.assertEqual([0.693] * 3, [round(x - y, 3) for x, y in zip(a, b)])

    def test_a_run_without_a_partner_does_not_count(self):
        runs = [run for run in rounds(4, {"x": 2.0}) if (run.configuration, run.run) != (BASE, 2)]
        self.assertEqual("3", self.tables(runs)[1].rows[0][2])

    def test_programs_are_averaged_geometrically(self):
        warm = self.tables([*rounds(3, {"x": 2.0}), *rounds(3, {"x": 0.5}, workload="h2")])[0]
        self.assertEqual("1.000 [1.000, 1.000]", warm.rows[-1][-1])

    def test_the_agents_own_measure_is_told_where_there_is_one(self):
        runs = [*rounds(3, {"x": 1.0, "timer": 1.0}), *rounds(3, {"timer": 1.0}, workload="h2")]
        self.assertEqual(4, len(self.tables(runs)))
        shares = {1: 0.5, 2: 9.0, 3: 0.7}
        runs = [replace(run, own_cost_percent=shares[run.run]) if run.configuration == "x" else run
                for run in runs]
        own = self.tables(runs)[3]
        self.assertEqual((["program", "x"], [["fop", "0.70"], ["h2", ""]]), (own.header, own.rows))

    def test_warm_up_is_told_and_how_many_runs_never_are_warm(self):
        runs = [a_run(BASE, 1, 200, 1), a_run(BASE, 2, 200, 3), a_run(BASE, 3, 200, 4),
                *(a_run(CONTROL, run, 200, 4) for run in (1, 2, 3)),
                *(a_run("x", run, 200, 2) for run in (1, 2, 3))]
        self.assertEqual(["fop", "2 (1 of 3 never)", "(3 of 3 never)", "2"],
                         self.tables(runs)[3].rows[0])


if __name__ == "__main__":
    unittest.main()
