import argparse
import unittest
from pathlib import Path
from unittest import mock

from eval import interleave, levels, made
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.levels import Compiled
from eval.measure import Cost, Failed
from eval.workloads import runner

JDK = Jdk(Path("/j"), 17, "17.0.9")
STDERR = """yieldpoint: compiled 2942 methods (11 entries on the stack), refused 0
yieldpoint: 150000 bytes of bytecode, 2609779 of code, 600 ms of CPU time (250 to translate, 350 to install)
"""


def ended(iterations: int, cpu_ms: int) -> runner.Run:
    return runner.Run(runner.Output(0, [cpu_ms] * iterations, "0", [cpu_ms] * iterations),
                      Cost(1, 1), STDERR)


class Levels(unittest.TestCase):
    def setUp(self):
        self.workload = mock.Mock()
        self.workload.name = "fop"
        self.arguments = argparse.Namespace(build=mock.Mock(yp="yp"), iterations=6, rounds=2,
                                            interpreter=True,
                                            configurations={"BASE": "", "OPT1": "--inline static"})

    def test_reads_what_a_run_has_compiled(self):
        compiled = Compiled.read(STDERR)
        self.assertEqual(Compiled(150000, 2609779, 600, 250, 350), compiled)
        self.assertAlmostEqual(4.0, compiled.us_per_byte)
        with self.assertRaises(Failed):
            Compiled.read("yieldpoint: nothing")

    def test_compares_warm_iterations_with_those_of_c1(self):
        commands = []

        def run(workload, jdk, iterations, prefix=(), jvm_options=()):
            commands.append((iterations, tuple(prefix), tuple(jvm_options)))
            slow = "-Xint" in jvm_options
            return ended(iterations, 1000 if slow else 200 if prefix else 100)

        with mock.patch.object(runner, "run", run):
            comparison, compiled = levels.measure_workload(self.workload, JDK, self.arguments,
                                                           mock.Mock())
        self.assertEqual(2 * 6, len(commands), "each level, and C1 once more as the control")
        self.assertIn((6, ("yp", "aos", "--statistics", "--inline", "static", "--"), ()), commands)
        self.assertIn((1, (), ("-Xint",)), commands)
        self.assertAlmostEqual(1, comparison.cpu(interleave.CONTROL).value)
        self.assertAlmostEqual(2, comparison.cpu("BASE").value)
        self.assertAlmostEqual(10, comparison.cpu("interpreter").value,
                               msg="one interpreted iteration stands for three")
        self.assertEqual({"BASE": 2, "OPT1": 2}, {name: len(of) for name, of in compiled.items()})

    def test_goals_are_those_of_base(self):
        def comparison(base: float, interpreter: float | None) -> Comparison:
            costs = {"C1": 1.0, interleave.CONTROL: 1.0, "BASE": base}
            if interpreter:
                costs["interpreter"] = interpreter
            return Comparison("C1", {name: [Cost(each, each)] * 2 for name, each in costs.items()})

        def met(base: float, interpreter: float | None, ms: int) -> list[bool]:
            run = mock.Mock()
            levels.add_base_goals(JDK, {"fop": comparison(base, interpreter)},
                                  [Compiled(1000, 9000, ms, 1, 1)], run)
            return [call.args[1] for call in run.goal.call_args_list]

        self.assertEqual([True, True, True], met(2.4, 24, 2))
        self.assertEqual([False, True, True], met(2.6, 24, 2))
        self.assertEqual([True, False, True], met(2.4, 18, 2))
        self.assertEqual([True, True, False], met(2.4, 24, 3))
        self.assertEqual([True, True], met(2.4, None, 2), "without the interpreter")

    def test_goals_of_opt2_compare_with_c1_and_c2(self):
        def comparison(opt2: float, c2: float) -> Comparison:
            costs = {"C1": 1.0, interleave.CONTROL: 1.0, "C2": c2, "OPT2": opt2}
            return Comparison("C1", {name: [Cost(each, each)] * 2 for name, each in costs.items()})

        def met(programs: list[Comparison], kernels: list[Comparison]) -> list[bool]:
            run = mock.Mock()
            levels.add_opt2_goals(JDK, dict(zip("abcd", programs)), dict(zip("wxyz", kernels)), run)
            return [call.args[1] for call in run.goal.call_args_list]

        near, far = comparison(0.99, 0.7), comparison(0.99, 0.6)
        self.assertEqual([True, True], met([near, far], []))
        self.assertEqual([True, False], met([near, far, far], []))
        self.assertEqual([False, True], met([near, comparison(1.1, 1.0)], []))
        self.assertEqual([True], met([], [comparison(0.9, 0.7)]))
        self.assertEqual([False], met([], [comparison(0.9, 0.7), comparison(0.95, 0.7)]))

    def test_training_writes_what_the_compiler_includes(self):
        def costs(**seconds: float) -> Comparison:
            by_name = {"C1": 1.0, interleave.CONTROL: 1.0, **seconds}
            return Comparison("C1", {name: [Cost(each, each)] * 2
                                     for name, each in by_name.items()})

        def compiled(ms: int) -> list[Compiled]:
            return [Compiled(1000, 9000, ms, 1, 1)]

        of_levels = levels.trained(
            {"fop": costs(BASE=4, OPT1=4, OPT2=2), "h2": costs(BASE=4, OPT1=1, OPT2=0.5)},
            {"fop": {"BASE": compiled(4), "OPT1": compiled(10), "OPT2": compiled(20)},
             "h2": {"BASE": compiled(16), "OPT1": compiled(10), "OPT2": compiled(20)}})
        for name, (rate, speedup) in {"BASE": (125, 1), "OPT1": (100, 2), "OPT2": (50, 4)}.items():
            self.assertAlmostEqual(rate, of_levels[name][0], msg=name)
            self.assertAlmostEqual(speedup, of_levels[name][1], msg=name)
        header = levels.training_text(of_levels, "./yp eval levels" + " jython" * 20,
                                      "today; a machine " * 9)
        self.assertIn("inline constexpr TrainedLevel kTrainedOpt2 = {50, 4};\n", header)
        self.assertIn("//     ./yp eval levels jython", header)
        self.assertLessEqual(max(map(len, header.splitlines())), 100)
        kept = made.ROOT / "compiler" / "aos" / "trained_levels.h"
        self.assertEqual([line.split(" = ")[0] for line in header.splitlines()
                          if line.startswith("inline")],
                         [line.split(" = ")[0] for line in kept.read_text().splitlines()
                          if line.startswith("inline")])

    def test_has_as_many_steps_as_runs(self):
        self.assertEqual(2 * 6, levels.steps_of_workload(self.arguments))
        self.arguments.interpreter = False
        self.assertEqual(2 * 5, levels.steps_of_workload(self.arguments))


if __name__ == "__main__":
    unittest.main()
