import unittest
from pathlib import Path

from eval import convergence
from eval.jdks import Jdk

_JDK = Jdk(Path("/j"), 17, "17.0.9")


def result(*overlaps: tuple[float, float]) -> convergence.Result:
    """The overlaps after one and two seconds of each configuration, "a", "b" and so on."""
    return convergence.Result(10, 5, {
        name: [convergence.Point(1.0, one, 100), convergence.Point(2.0, two, 2000)]
        for name, (one, two) in zip("abc", overlaps)})


class ConvergenceTable(unittest.TestCase):
    def test_has_a_row_for_each_program_and_configuration_and_their_means(self):
        results = {"fop": result((40.0, 80.0), (0.0, 10.0)),
                   "h2": result((90.0, 20.0), (5.0, 10.0))}
        table = convergence.table(_JDK, results, [1.0, 2.0])
        self.assertEqual(["program", "configuration", "1 s", "2 s"], table.header)
        self.assertEqual([["fop", "a", "40.0 (100)", "80.0 (2,000)"],
                          ["fop", "b", "0.0 (100)", "10.0 (2,000)"],
                          ["h2", "a", "90.0 (100)", "20.0 (2,000)"],
                          ["h2", "b", "5.0 (100)", "10.0 (2,000)"],
                          ["geometric mean", "a", "60.0", "40.0"],
                          ["geometric mean", "b", "0.0", "10.0"]], table.rows)


if __name__ == "__main__":
    unittest.main()
