import unittest
from pathlib import Path

from eval.papers import accuracy
from eval.recording import Recording


def recordings(workload, configuration, runs, jdk="17.0.9"):
    return [Recording(workload, jdk, configuration, run, 1.0, 1.0,
                      profile=Path(f"{workload}-{configuration}-{run}.yp"))
            for run in range(1, runs + 1)]


def overlap(a, b):
    """Of made-up profiles: by the number of the run where one is exact, else 90 or 80."""
    run = int(b.stem[-1])
    if a.stem.startswith("exact"):
        return 90.0 + run if "default" in b.stem else 10.0 * run
    return 90.0 if "default" in b.stem else 80.0


class Accuracy(unittest.TestCase):
    def setUp(self):
        self.base = [Recording("fop", "17.0.9", "base", 1, 1.0, 1.0)]
        self.recordings = [*self.base, *recordings("fop", "default", 3),
                           *recordings("fop", "timer", 2), *recordings("h2", "default", 1),
                           *recordings("h2", "timer", 1)]
        self.references = {(name, "17.0.9"): Path("exact.yp") for name in ("fop", "h2")}

    def told(self, given=None):
        return accuracy.told(self.recordings if given is None else given, self.references, overlap)

    def test_table_has_the_runs_of_each_program_then_mean_and_lowest(self):
        table = self.told().tables[0]
        self.assertEqual(["program", "default", "timer"], table.header)
        self.assertEqual([["fop", "92.0 (91.0-93.0)", "15.0 (10.0-20.0)"],
                          ["h2", "91.0", "10.0"],
                          ["geometric mean", "91.5", "12.2"],
                          ["lowest run", "91.0", "10.0"]], table.rows)

    def test_stability_is_the_mean_over_pairs_of_runs_and_of_one_run_there_is_none(self):
        self.assertEqual([["fop", "90.0", "80.0"], ["h2", "", ""]], self.told().tables[1].rows)
        self.assertEqual(1, len(self.told(recordings("h2", "default", 1)).tables))

    def test_all_pairs_of_runs_are_compared_once(self):
        pairs = []
        accuracy.judged([Path("1"), Path("2"), Path("3")], Path("exact"),
                        lambda a, b: pairs.append((a.stem, b.stem)) or 50.0)
        self.assertEqual([("1", "2"), ("1", "3"), ("2", "3")],
                         [pair for pair in pairs if pair[0] != "exact"])

    def test_each_jdk_has_its_tables(self):
        self.references[("fop", "25")] = Path("exact.yp")
        tables = self.told([*self.recordings, *recordings("fop", "default", 1, "25")]).tables
        self.assertEqual(["JDK 17.0.9", "JDK 17.0.9", "JDK 25"],
                         [table.title.split(":")[0] for table in tables])

    def test_a_program_without_an_exact_profile_is_told(self):
        del self.references[("h2", "17.0.9")]
        section = self.told()
        self.assertNotIn("h2", [row[0] for row in section.tables[0].rows])
        self.assertIn("h2 on JDK 17.0.9 has no exact profile.", section.notes)

    def test_a_configuration_without_runs_of_a_program_leaves_its_place_empty(self):
        table = self.told([*recordings("fop", "default", 1), *recordings("h2", "timer", 1)])
        self.assertEqual([["fop", "91.0", ""], ["h2", "", "10.0"]], table.tables[0].rows[:2])

    def test_without_profiles_there_are_no_tables(self):
        self.assertEqual([], self.told(self.base).tables)


if __name__ == "__main__":
    unittest.main()
