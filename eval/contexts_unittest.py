import unittest
from pathlib import Path

from eval import contexts
from eval.contexts import Judged, Result
from eval.jdks import Jdk


def judged(overlap: float, cost: float | None = 0.5) -> Judged:
    return Judged(overlap, {10.0: 100.0, 1.0: overlap}, 1000, 60.0, cost)


class ContextsTest(unittest.TestCase):
    def test_profiles_are_judged_by_what_yp_prints(self):
        comparison = {"overlap": 84.2, "hot_coverage": [
            {"of_heaviest_percent": 10, "contexts": 4, "coverage": 100.0},
            {"of_heaviest_percent": 1, "contexts": 40, "coverage": 97.5}]}
        info = {"samples": 7, "config": {"stack_every": "4"}}
        self.assertEqual(contexts.judge(comparison, info, [3, 3]),
                         Judged(84.2, {10.0: 100.0, 1.0: 97.5}, 7, 50.0, None))

    def test_the_table_has_a_row_for_each_program_and_their_geometric_mean(self):
        results = {"h2": Result(1234, {"sampled": [judged(80), judged(100)]}),
                   "fop": Result(5, {"sampled": [judged(40, None)]})}
        table = contexts.table(Jdk(Path("/jdk"), 17, "17.0.1"), results, "sampled")
        self.assertEqual(table.rows[0], ["h2", "1,234", "1,000", "90.0 (80.0-100.0)", "60.0", "100.0",
                                         "90.0", "0.50"])
        self.assertEqual(table.rows[1][-1], "")
        self.assertEqual(table.rows[-1][3], "60.0")
        self.assertEqual({len(row) for row in table.rows}, {len(table.header)})


if __name__ == "__main__":
    unittest.main()
