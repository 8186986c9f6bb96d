import unittest
from pathlib import Path
from unittest import mock

from eval import interleave, yieldpoints
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost
from eval.workloads.runner import Output

JDK = Jdk(Path("/j"), 17, "17.0.9")


class Costs(unittest.TestCase):
    def test_are_those_of_the_last_half_of_the_iterations(self):
        output = Output(1, [900, 100, 20, 30], "c", [1000, 200, 40, 50])
        self.assertEqual(Cost(0.09, 0.05), yieldpoints.warm_cost(output))

    def test_of_each_program_and_their_mean_stand_beside_the_control(self):
        rounds = {"base": [1.0, 2.0, 4.0], interleave.CONTROL: [1.0, 2.0, 4.0],
                  "unarmed": [1.1, 2.2, 4.4]}
        comparison = Comparison("base", {name: [Cost(cpu, cpu) for cpu in values]
                                         for name, values in rounds.items()})
        table = yieldpoints.cost_table(JDK, {"fop": comparison}, [interleave.CONTROL, "unarmed"])
        self.assertEqual(["fop", "2.00", "1.000 [1.000, 1.000]", "1.100 [1.100, 1.100]"],
                         table.rows[0])
        self.assertEqual("geometric mean", table.rows[1][0])


class Samples(unittest.TestCase):
    def test_cost_the_difference_of_cpu_time_those_that_were_dropped_included(self):
        def calls_cost(built, jdk, classes, interval):
            return (2.0, 230) if interval > 100 else (2.4, 8_000_230)

        with mock.patch.object(yieldpoints, "compile_calls"), \
                mock.patch.object(yieldpoints, "calls_cost", calls_cost):
            cost = yieldpoints.sample_cost(None, JDK, 3, mock.Mock())
        self.assertAlmostEqual(50, cost.value)


    def test_that_are_few_say_nothing(self):
        sampled = yieldpoints.Sampled()
        sampled.add({"samples": 10, "config": {}}, 50.0)
        self.assertIsNone(yieldpoints.sample_table(JDK, "unarmed", {"fop": sampled}))

    def test_have_their_cost_by_the_recordings_own_measure(self):
        sampled = yieldpoints.Sampled()
        for ns in (40_000, 60_000, 90_000):
            sampled.add({"samples": 1000,
                         "config": {"cost.slow_path_ns": str(ns), "armed_call_ps": "470"}},
                        ns / 1000)
        table = yieldpoints.sample_table(JDK, "cbs", {"fop": sampled})
        self.assertEqual([["fop", "1,000", "60.0", "60", "0.47"]], table.rows)


if __name__ == "__main__":
    unittest.main()
