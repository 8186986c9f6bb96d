import unittest
from pathlib import Path

from eval import convergence, measure
from eval.jdks import Jdk
from eval.workloads import runner

_JDK = Jdk(Path("/j"), 17, "17.0.9")


def result(*overlaps: tuple[float, float]) -> convergence.Result:
    """The overlaps after one and two seconds of each configuration, "a", "b" and so on."""
    return convergence.Result({
        name: [convergence.Point(1.1, one, 100), convergence.Point(2.9, two, 2000)]
        for name, (one, two) in zip("abc", overlaps)})


class ConvergenceTable(unittest.TestCase):
    def test_has_a_row_for_each_program_and_configuration_and_their_means(self):
        results = {"fop": result((40.0, 80.0), (0.0, 10.0)),
                   "h2": result((90.0, 20.0), (5.0, 10.0))}
        table = convergence.table(_JDK, results, [1.0, 2.0])
        self.assertEqual(["program", "configuration", "1 s", "2 s"], table.header)
        self.assertEqual([["fop", "a", "40.0 (100)", "80.0 (2,000; 2.9 s)"],
                          ["fop", "b", "0.0 (100)", "10.0 (2,000; 2.9 s)"],
                          ["h2", "a", "90.0 (100)", "20.0 (2,000; 2.9 s)"],
                          ["h2", "b", "5.0 (100)", "10.0 (2,000; 2.9 s)"],
                          ["geometric mean", "a", "60.0", "40.0"],
                          ["lowest", "a", "40.0", "20.0"],
                          ["geometric mean", "b", "0.0", "10.0"],
                          ["lowest", "b", "0.0", "10.0"]], table.rows)

    def test_has_the_means_of_each_set_where_there_are_both(self):
        results = {"fop": result((40.0, 80.0)), "groovy": result((90.0, 20.0))}
        self.assertEqual([["geometric mean", "a", "60.0", "40.0"],
                          ["geometric mean, tuned", "a", "40.0", "80.0"],
                          ["geometric mean, held-out", "a", "90.0", "20.0"],
                          ["lowest", "a", "40.0", "20.0"]],
                         convergence.table(_JDK, results, [1.0, 2.0]).rows[2:])


class SamePoint(unittest.TestCase):
    def test_an_iteration_ends_that_long_after_the_jvms_start(self):
        output = runner.Output(200, [1000, 500, 300], "0")
        # Half a second is neither set-up nor iterations: the JVM's start.
        run = runner.Run(output, measure.Cost(3.0, 2.5), "")
        for expected, end in zip([1.7, 2.2, 2.5], convergence.iteration_ends(run), strict=True):
            self.assertAlmostEqual(expected, end)

    def test_is_the_end_that_is_nearest_as_a_factor(self):
        self.assertEqual(1, convergence.nearest([2.0, 3.0, 4.0], 0.5))
        self.assertEqual(2, convergence.nearest([2.0, 3.0, 4.5], 3.6))
        self.assertEqual(3, convergence.nearest([2.0, 3.0, 4.5], 3.7), "the root of 3 * 4.5")
        self.assertEqual(3, convergence.nearest([2.0, 3.0, 4.5], 30))


if __name__ == "__main__":
    unittest.main()
