import contextlib
import sqlite3
import tempfile
import unittest
from pathlib import Path

from eval import tiny_profile_for_test as tiny
from eval.page.merge import Size, merge

MAIN, WORK, LEAF = "a.Main.main()V", "a.Main.work()V", "b.Leaf.leaf()V"


class MergeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def edges(self, profile):
        with contextlib.closing(sqlite3.connect(profile)) as database:
            return set(database.execute("SELECT caller, bci, callee, calls FROM named_edges"))

    def test_edges_of_one_call_site_are_added_up_whatever_their_methods_numbers_are(self):
        first = tiny.write(self.folder / "1.yp", edges=[(None, -1, MAIN, 0, 1), (MAIN, 4, LEAF, 0, 5)])
        second = tiny.write(self.folder / "2.yp", edges=[(WORK, 7, LEAF, 0, 2), (MAIN, 4, LEAF, 0, 3),
                                                         (None, -1, MAIN, 0, 1)])
        merged = self.folder / "merged.yp"
        self.assertEqual(Size(methods=3, edges=3), merge([first, second], merged))
        self.assertEqual({("(root)", -1, MAIN, 2.0), (MAIN, 4, LEAF, 8.0), (WORK, 7, LEAF, 2.0)},
                         self.edges(merged))

    def test_what_is_merged_stays_what_it_was(self):
        first = tiny.write(self.folder / "1.yp", edges=[(MAIN, 4, LEAF, 0, 5)])
        before = first.read_bytes()
        merge([first, first], self.folder / "merged.yp")
        self.assertEqual(before, first.read_bytes())

    def test_what_speaks_of_one_run_is_left_out(self):
        first = tiny.write(self.folder / "1.yp", edges=[(MAIN, 4, LEAF, 1, 5)],
                           windows=[(1, 0, 0, 10, 100, 5)])
        merge([first], self.folder / "merged.yp")
        with contextlib.closing(sqlite3.connect(self.folder / "merged.yp")) as database:
            self.assertEqual(0, database.execute("SELECT count(*) FROM windows").fetchone()[0])


if __name__ == "__main__":
    unittest.main()
