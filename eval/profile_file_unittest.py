import sqlite3
import tempfile
import unittest
from pathlib import Path

from eval import tiny_profile_for_test as tiny
from eval.profile_file import Edge, ProfileError, ProfileFile, Window


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def profile(self, **rows):
        return ProfileFile(tiny.write(self.folder / "a profile?.yp", **rows))


class Reading(WithFolder):
    def test_edges_go_by_names_and_roots_have_one(self):
        profile = self.profile(
            edges=[(None, -1, "p.A.main()V", 1, 1.0),
                   ("p.A.main()V", 7, "p.A.get()I", 4, 90.5, 80)],
            trivial=["p.A.get()I"])
        self.assertEqual([Edge("(root)", -1, "p.A.main()V", 1, 1.0, 1.0, False),
                          Edge("p.A.main()V", 7, "p.A.get()I", 4, 90.5, 80, True)],
                         profile.edges())
        self.assertEqual(("p.A.main()V", 7, "p.A.get()I"), profile.edges()[1].key)
        self.assertEqual({"p.A.main()V": "p.A", "p.A.get()I": "p.A"}, profile.methods())

    def test_windows_come_in_order_of_time_with_their_threads_names(self):
        profile = self.profile(windows=[(2, 50, 1, 10, 9, 3), (1, 40, 0, 0, 8, 1),
                                        (3, 60, 5, 4, 3, 2),
                                        (9, 70, 0, 0, 0, 0)],
                               threads={1: "main", 2: "worker", 3: "worker"})
        self.assertEqual([Window("main", 40, 0, 0, 8, 1), Window("worker", 50, 1, 10, 9, 3),
                          Window("worker", 60, 5, 4, 3, 2), Window("thread 9", 70, 0, 0, 0, 0)],
                         profile.windows())

    def test_methods_found_by_signals_count_where_they_ran_themselves(self):
        profile = self.profile(contexts=[(1, None, -1, "A.a()V", 2), (2, 1, 0, "A.b()V", 3),
                                         (3, 2, 0, "A.a()V", 4), (4, 1, 5, "A.get()I", 0)])
        self.assertEqual({"A.a()V": 6, "A.b()V": 3}, profile.self_samples())

    def test_methods_found_by_polling_count_where_they_were_entered(self):
        profile = self.profile(edges=[("A.a()V", 1, "A.b()V", 2, 500), (None, -1, "A.a()V", 0, 1),
                                      ("A.a()V", 7, "A.b()V", 1, 1)])
        self.assertEqual({"A.b()V": 3}, profile.entry_samples())

    def test_config_and_drops(self):
        profile = self.profile(config={"mode": "timer"}, drops={"collecting": 2})
        self.assertEqual({"mode": "timer"}, profile.config())
        self.assertEqual({"collecting": 2}, profile.drops())

    def test_version_1_has_no_contexts(self):
        profile = self.profile(version=1, edges=[("A.a()V", 0, "A.b()V", 1, 1)])
        self.assertEqual({}, profile.self_samples())
        self.assertEqual(1, len(profile.edges()))

    def test_reading_changes_nothing(self):
        profile = self.profile(edges=[("A.a()V", 0, "A.b()V", 1, 1)])
        before = profile.path.read_bytes()
        profile.edges(), profile.windows(), profile.self_samples()
        self.assertEqual(before, profile.path.read_bytes())
        self.assertEqual([profile.path], list(self.folder.iterdir()))


class Density(unittest.TestCase):
    def test_is_that_of_the_gaps_between_calls(self):
        self.assertEqual(0.1, Window("main", 0, 0, 100, 0, 11).density)

    def test_of_one_call_or_of_no_time_is_not_known(self):
        self.assertIsNone(Window("main", 0, 0, 100, 0, 1).density)
        self.assertIsNone(Window("main", 0, 0, 0, 0, 5).density)


class NotProfiles(WithFolder):
    def test_a_missing_file_is_said_and_not_made(self):
        with self.assertRaisesRegex(ProfileError, "missing.yp"):
            ProfileFile(self.folder / "missing.yp").edges()
        self.assertEqual([], list(self.folder.iterdir()))

    def test_other_files_and_other_versions_are_refused(self):
        text = self.folder / "text.yp"
        text.write_text("no database at all, but long enough to be one" * 40)
        other = self.folder / "other.yp"
        sqlite3.connect(other).execute("CREATE TABLE t(x)").connection.close()
        newer = tiny.write(self.folder / "newer.yp", version=tiny.VERSION + 1)
        for path in (text, other, newer):
            with self.assertRaises(ProfileError, msg=path.name):
                ProfileFile(path).edges()


if __name__ == "__main__":
    unittest.main()
