import argparse
import unittest
from pathlib import Path
from unittest import mock

from eval import adaptive, interleave
from eval.adaptive import Activity
from eval.experiment import Run
from eval.jdks import Jdk
from eval.measure import Cost, Failed
from eval.workloads import runner

JDK = Jdk(Path("/j"), 17, "17.0.9")
POLLING, SIGNALS = "polling", "signals"


def info(**config: str) -> dict[str, object]:
    return {"profile": "run.yp", "complete": True, "damage": "", "config": {
        "adaptive.samples": "90", "adaptive.proposals": "80", "adaptive.recompilations": "70",
        **config}}


class Adaptive(unittest.TestCase):
    def setUp(self):
        self.workload = mock.Mock()
        self.workload.name = "fop"
        self.build = mock.Mock(yp="yp")
        self.build.read = lambda command, profile: info()
        self.arguments = argparse.Namespace(
            build=self.build, iterations=4, rounds=2, workloads=[self.workload],
            configurations={POLLING: "--tick 20ms", SIGNALS: "--mechanism immediate"})

    def run_with(self, cpu_ms):
        """Of each command's prefix, the CPU ms of its four iterations."""
        commands = []

        def run(workload, jdk, iterations, prefix=()):
            commands.append(tuple(prefix))
            times = cpu_ms(prefix)
            return runner.Run(runner.Output(0, times, "0", times), Cost(1, 1), "")

        with mock.patch.object(runner, "run", run):
            taken = adaptive.measure_workload(self.workload, JDK, self.arguments, mock.Mock())
        return taken, commands

    def test_reads_what_the_controller_did(self):
        self.assertEqual(Activity(90, 80, 70, None), Activity.read(info()))
        self.assertEqual(Activity(90, 80, 70, 5), Activity.read(info(**{"adaptive.outside": "5"})))
        with self.assertRaises(Failed):
            Activity.read({**info(), "complete": False})

    def test_one_run_is_all_iterations_and_the_last_half_is_warm(self):
        taken, commands = self.run_with(
            lambda prefix: [800, 400, 50, 50] if "immediate" in prefix else [900, 900, 100, 100])
        self.assertEqual(2 * 3, len(commands), "each, and the first once more as the control")
        self.assertTrue(all("--adaptive" in command for command in commands))
        self.assertEqual({POLLING, SIGNALS, interleave.CONTROL}, set(taken))
        self.assertAlmostEqual(2.0, taken[POLLING][0].all.cpu_seconds)
        self.assertAlmostEqual(1.3, taken[SIGNALS][1].all.cpu_seconds)
        self.assertAlmostEqual(0.1, taken[SIGNALS][1].warm.cpu_seconds)

    def test_tables_compare_with_the_first_configuration(self):
        report = mock.Mock(tables=[], data={})
        run = Run(report, mock.Mock(left=0))
        taken, _ = self.run_with(
            lambda prefix: [400] * 4 if "immediate" in prefix else [800] * 4)
        with mock.patch.object(adaptive, "measure_workload", return_value=taken):
            adaptive.measure_jdk(self.arguments, JDK, run)
        all_iterations, warm, activity = report.tables
        self.assertIn("all iterations of one run, ratio to polling", all_iterations.title)
        self.assertIn("0.500", all_iterations.rows[0][-1])
        self.assertIn("0.500", warm.rows[0][-1])
        self.assertEqual([["fop", name, "90", "80", "70", ""] for name in (POLLING, SIGNALS)],
                         activity.rows, "without the control")

    def test_has_as_many_steps_as_runs(self):
        self.assertEqual(2 * 3, adaptive.steps_of_workload(self.arguments))


if __name__ == "__main__":
    unittest.main()
