import unittest
from pathlib import Path

from eval import correction
from eval.correction import Judged, Result
from eval.jdks import Jdk


def judged(none: float, density: float, latency: float, by_chance: float = 99.0) -> Judged:
    return Judged({"none": none, "density": density, "density+latency": latency, "shrunk": density}, by_chance, 1000)


class CorrectionTest(unittest.TestCase):
    def test_a_gain_is_the_difference_of_the_runs_means(self):
        result = Result({"windows": [judged(80, 90, 91), judged(84, 90, 89)]})
        self.assertAlmostEqual(result.gain("windows", "density"), 8)
        self.assertAlmostEqual(result.gain("windows", "density+latency"), 8)
        self.assertAlmostEqual(result.gain("windows", "none"), 0)

    def test_the_table_has_a_row_for_each_program_and_their_geometric_mean(self):
        results = {"h2": Result({"windows": [judged(90, 80, 80, 100)]}),
                   "fop": Result({"windows": [judged(40, 45, 45, 81)]})}
        table = correction.table(Jdk(Path("/jdk"), 17, "17.0.1"), results, "windows")
        self.assertEqual(table.rows[0],
                         ["h2", "1,000", "90.0", "80.0", "80.0", "80.0", "-10.0", "-10.0", "-10.0",
                          "100.0"])
        # sqrt(90 * 40), sqrt(80 * 45), sqrt(100 * 81)
        self.assertEqual(table.rows[-1],
                         ["geometric mean", "", "60.0", "60.0", "60.0", "60.0", "+0.0", "+0.0", "+0.0",
                          "90.0"])
        self.assertEqual(len(table.header), len(table.rows[0]))


if __name__ == "__main__":
    unittest.main()
