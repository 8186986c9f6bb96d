import tempfile
import unittest
from pathlib import Path

from eval.run.folder import Failure, Folder, FolderError, Run
from eval.run.for_test import JDK, MACHINE, a_plan, a_recording, an_origin, write_profile


class Folders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.outside = Path(folder.name)
        self.folder = Folder(self.outside / "results")
        self.folder.root.mkdir()
        self.origin = an_origin(a_plan())

    def begun(self):
        self.folder.begin(self.origin, fresh=False)
        return self.folder

    def save(self, configuration, run=1):
        profile = write_profile(self.folder.profile("fop", JDK, configuration, run))
        recording = a_recording("fop", configuration, run, profile=profile)
        self.folder.save(Run(recording, 0.5, "2030"))
        return recording

    def test_give_back_what_was_saved(self):
        self.begun()
        recording = self.save("default")
        self.assertTrue(self.folder.has("fop", JDK, "default", 1))
        self.assertFalse(self.folder.has("fop", JDK, "default", 2))
        self.assertEqual([Run(recording, 0.5, "2030")], self.folder.runs())

    def test_may_be_moved(self):
        self.begun()
        self.save("default")
        moved = self.folder.root.rename(self.outside / "moved")
        profile = Folder(moved).runs()[0].recording.profile
        self.assertEqual((moved, True), (profile.parent.parent, profile.is_file()))

    def test_take_a_profile_without_its_file_for_unfinished(self):
        self.begun()
        write_profile(self.folder.profile("fop", JDK, "default", 1))
        self.assertFalse(self.folder.has("fop", JDK, "default", 1))
        self.assertEqual([], self.folder.runs())

    def test_go_on_from_the_same_and_keep_the_first_date_and_command(self):
        self.begun()
        self.save("default")
        later = an_origin(a_plan(), date="2031", command="again", commit="only the documents")
        self.assertEqual(self.origin, self.folder.begin(later, fresh=False))
        self.assertEqual(1, len(self.folder.runs()))

    def test_refuse_to_go_on_from_anything_else_unless_it_is_to_be_removed(self):
        for words, other in (
                ("another plan", an_origin(a_plan(runs=9))),
                ("another build of yp or its agent .of commit c1.", an_origin(a_plan(), build="b")),
                ("other JDKs .17.0.9.", an_origin(a_plan(), jdks={"17": "17.0.10"})),
                ("another machine", an_origin(a_plan(), machine={**MACHINE, "CPU": "B"}))):
            with self.subTest(words):
                self.folder.begin(self.origin, fresh=True)
                self.save("default")
                with self.assertRaisesRegex(FolderError, f"{words}.*--fresh"):
                    self.folder.begin(other, fresh=False)
                self.assertEqual(1, len(self.folder.runs()))
                self.assertEqual(other, self.folder.begin(other, fresh=True))
                self.assertEqual([], self.folder.runs())

    def test_are_not_made_of_a_folder_with_something_else_in_it(self):
        (self.folder.root / "thesis.txt").write_text("x")
        for fresh in (False, True):
            with self.assertRaisesRegex(FolderError, "not empty"):
                self.folder.begin(self.origin, fresh)

    def test_are_written_by_one_evaluation_at_a_time(self):
        with self.folder.locked():
            with self.assertRaisesRegex(FolderError, "another evaluation writes there"):
                with Folder(self.folder.root).locked():
                    pass
            self.begun()  # the lock's own file is nothing else

    def test_keep_failures_until_they_are_forgotten(self):
        self.begun()
        failure = Failure("fop", JDK, "exit code 1\noutput")
        self.folder.save_failure(failure)
        self.assertEqual([failure], self.folder.failures())
        self.folder.forget_failure("fop", JDK)
        self.folder.forget_failure("fop", JDK)
        self.assertEqual([], self.folder.failures())

    def test_keep_exact_profiles_after_the_shared_ones_are_gone(self):
        self.begun()
        shared = write_profile(self.outside / "shared.yp")
        self.folder.keep_reference("call-density", JDK, shared)
        shared.unlink()
        kept = self.folder.references()[("call-density", JDK)]
        self.assertEqual(b"a profile", kept.read_bytes())


if __name__ == "__main__":
    unittest.main()
