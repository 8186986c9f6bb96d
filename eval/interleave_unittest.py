import unittest

from eval import interleave
from eval.measure import Cost
from eval.progress import Progress


class Compare(unittest.TestCase):
    def setUp(self):
        self.now = 0.0
        self.ran = []
        self.logged = []

    def configuration(self, name, factor):
        def run(round_index):
            self.ran.append((round_index, name))
            self.now += 10.0
            speed = 1.0 + round_index  # every round is slower than the last
            return Cost(cpu_seconds=factor * speed, wall_seconds=2.0 * factor * speed)
        return run

    def compare(self, rounds):
        configurations = {"base": self.configuration("base", 1.0),
                          "cbs": self.configuration("cbs", 1.25)}
        progress = Progress(interleave.steps(configurations, rounds), clock=lambda: self.now,
                            log=self.logged.append)
        return interleave.compare(configurations, "base", rounds, "fop", progress)

    def test_runs_each_configuration_once_per_round_and_the_baseline_twice(self):
        self.compare(rounds=6)
        for index in range(6):
            names = sorted(name for at, name in self.ran if at == index)
            self.assertEqual(["base", "base", "cbs"], names)

    def test_ratios_are_free_of_the_drift_between_rounds(self):
        comparison = self.compare(rounds=6)
        self.assertAlmostEqual(1.25, comparison.cpu("cbs").value)
        self.assertAlmostEqual(1.0, comparison.wall(interleave.CONTROL).high)
        self.assertEqual([1.25] * 6, comparison.cpu_ratios("cbs"))

    def test_tells_the_time_that_is_left(self):
        self.compare(rounds=2)
        self.assertEqual(6, len(self.logged))
        self.assertIn("fop: round 1 of 2", self.logged[0])
        self.assertTrue(self.logged[0].endswith("about 50 s left"), self.logged[0])
        self.assertTrue(self.logged[-1].endswith("about 0 s left"), self.logged[-1])

    def test_table_has_the_control_but_not_the_baseline(self):
        rows = [line.split("  ")[0] for line in self.compare(rounds=3).table().splitlines()[1:]]
        self.assertEqual(["cbs", interleave.CONTROL], [row.strip() for row in rows])


if __name__ == "__main__":
    unittest.main()
