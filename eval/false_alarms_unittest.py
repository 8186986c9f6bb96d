import tempfile
import unittest
from pathlib import Path

from eval import false_alarms, tiny_profile_for_test
from eval.false_alarms import Found
from eval.jdks import Jdk
from eval.profile_file import ProfileFile

_EDGES = [("A.main()V", 3, "A.f()V", 100, 1000.0), ("A.main()V", 7, "A.g()V", 9, 90.0)]


def change(caller, bci, callee, before=0.001, after=0.001, tested=True):
    return {"caller": caller, "bci": bci, "callee": callee, "before": before, "after": after,
            "tested": tested}


class FalseAlarmsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.profiles = [tiny_profile_for_test.write(self.folder / f"{i}.yp", edges=_EDGES,
                                                     version=6) for i in range(5)]

    def test_none_of_none_is_no_percentage(self):
        self.assertEqual(50, Found(1, 2).percent())
        self.assertIsNone(Found().percent())

    def test_each_recording_is_in_one_disjoint_pair_at_most(self):
        self.assertEqual([((0,), (1,)), ((2,), (3,))], false_alarms.disjoint_pairs(5))
        self.assertEqual(10, len(false_alarms.all_pairs(5)))
        self.assertEqual([((0, 2, 4), (1, 3))], false_alarms.halves(5))
        self.assertEqual([], false_alarms.halves(3))

    def test_planting_doubles_one_edge(self):
        target = self.folder / "planted.yp"
        false_alarms.plant(self.profiles[0], change("A.main()V", 7, "A.g()V"), target)
        self.assertEqual([(100, 1000.0), (18, 180.0)],
                         [(edge.samples, edge.calls) for edge in ProfileFile(target).edges()])
        with self.assertRaises(false_alarms.measure.Failed):
            false_alarms.plant(self.profiles[0], change("A.main()V", 8, "A.g()V"), target)

    def test_candidates_have_about_one_call_in_a_thousand_in_both(self):
        changes = [change("A.main()V", 3, "A.f()V"), change("A.main()V", 7, "A.g()V"),
                   change("A.main()V", 8, "A.h()V", before=0.01),
                   change("A.main()V", 9, "A.i()V", after=0),
                   change("A.main()V", 9, "A.j()V", tested=False)]
        self.assertEqual(changes[:1], false_alarms.candidates(changes, {"A.g()V"}, False))
        self.assertEqual(changes[1:2], false_alarms.candidates(changes, {"A.g()V"}, True))

    def test_what_is_listed_is_counted(self):
        edge = change("A.main()V", 3, "A.f()V")

        def listed(before, after):
            # The third recording differs from all; what was planted is always found.
            is_odd = self.profiles[2] in [*before, *after] and len(before) == 1
            is_planted = any("planted" in path.name for path in after)
            changes = [edge] if is_odd or is_planted else []
            return {"significant": len(changes), "changes": changes}

        result = false_alarms.judge(self.profiles, listed,
                                    lambda before, after: {"changes": [edge]}, self.folder)
        self.assertEqual(Found(1, 2), result.disjoint)
        self.assertEqual(Found(4, 10), result.pairs)
        self.assertEqual(Found(0, 1), result.groups)
        self.assertEqual(Found(2, 2), result.sampled)
        self.assertEqual(Found(1, 1), result.sampled_in_groups)
        self.assertEqual(Found(0, 0), result.inferred)
        result.samples = [10, 20]
        rows = false_alarms.table(Jdk(Path("/jdk"), 17, "17.0.1"), "auto", {"fop": result}).rows
        self.assertEqual(["all", "", "", "1 of 2", "4 of 10", "1", "0 of 1", "2 of 2", "1 of 1",
                          "", ""], rows[-1])


if __name__ == "__main__":
    unittest.main()
