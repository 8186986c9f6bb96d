import unittest
from pathlib import Path

from eval import interleave, overhead
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost


def comparison(**cpu_seconds):
    return Comparison("base", {name.replace("control", interleave.CONTROL):
                               [Cost(value, 2 * value) for value in values]
                               for name, values in cpu_seconds.items()})


class Table(unittest.TestCase):
    def test_has_ratios_of_each_program_and_their_geometric_mean(self):
        comparisons = {
            "fop": comparison(base=[1.0, 2.0, 4.0], cbs=[1.1, 2.2, 4.4], control=[1.0, 2.0, 4.0]),
            "h2": comparison(base=[8.0] * 3, cbs=[8.0] * 3, control=[8.0] * 3),
        }
        table = overhead.table(Jdk(Path("/j"), 17, "17.0.9"), comparisons,
                               [interleave.CONTROL, "cbs"])
        self.assertEqual(["program", "base, s", "A/A control", "cbs"], table.header)
        self.assertEqual(["fop", "2.00", "1.000 [1.000, 1.000]", "1.100 [1.100, 1.100]"],
                         table.rows[0])
        self.assertEqual(["geometric mean", "", "1.000 [1.000, 1.000]", "1.049 [1.049, 1.049]"],
                         table.rows[2])


if __name__ == "__main__":
    unittest.main()
