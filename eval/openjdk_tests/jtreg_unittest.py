import tempfile
import unittest
from pathlib import Path

from eval.measure import Failed
from eval.openjdk_tests.jtreg import Harness, Results

SUMMARY = """\
compiler/a/Passes.java       Passed. Execution successful
compiler/a/Parts.java#id0    Failed. Execution failed: `main' threw exception: x.Y
compiler/a/NotChosen.java    Not run. Test running...
compiler/a/Slow.java         Error. Program `/j/bin/java' timed out (timeout set to 120000ms, elapsed time including timeout handling was 130000ms).
compiler/b/Breaks.java       Error. Use -nativepath to specify the location of native code
"""


class ResultsOfARun(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        for place, text in (("report/text/summary.txt", SUMMARY),
                            ("work/compiler/a/Passes.jtr", "all is well"),
                            ("work/compiler/a/Parts_id0.jtr", "x.Y was thrown")):
            (self.work / place).parent.mkdir(parents=True, exist_ok=True)
            (self.work / place).write_text(text, "utf-8")
        self.results = Results.read(self.work, Path("hotspot/jtreg"))

    def test_have_each_test_that_ran_by_its_place(self):
        self.assertEqual(
            ["hotspot/jtreg/compiler/a/Passes.java", "hotspot/jtreg/compiler/a/Parts.java#id0",
             "hotspot/jtreg/compiler/a/Slow.java", "hotspot/jtreg/compiler/b/Breaks.java"], list(self.results.statuses))
        self.assertEqual({"hotspot/jtreg/compiler/a/Passes.java"}, self.results.passed())
        self.assertEqual({"hotspot/jtreg/compiler/a/Slow.java"}, self.results.timed_out())

    def test_have_what_a_test_printed(self):
        self.assertEqual("x.Y was thrown",
                         self.results.output("hotspot/jtreg/compiler/a/Parts.java#id0"))
        self.assertEqual("", self.results.output("hotspot/jtreg/compiler/b/Breaks.java"))


class Suites(unittest.TestCase):
    def test_have_tests_by_pattern_and_parts_of_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve() / "test" / "a"
            place.mkdir(parents=True)
            for name in ("B.java", "A.java", "c.sh"):
                (place / name).write_text("/* @test */")
            (place / "Shared.java").touch()
            harness = Harness(Path(folder).resolve())
            self.assertEqual(["a/A.java", "a/B.java"], harness._present("a/*.java"))
            self.assertEqual(["a/A.java#id0"], harness._present("a/A.java#id0"))
            self.assertEqual([], harness._present("a/D.java"))

    def test_are_found_above_a_place(self):
        with tempfile.TemporaryDirectory() as folder:
            suite = Path(folder).resolve() / "test" / "hotspot" / "jtreg"
            (suite / "compiler").mkdir(parents=True)
            (suite / "TEST.ROOT").touch()
            harness = Harness(Path(folder).resolve())
            self.assertEqual(suite, harness.suite_of("hotspot/jtreg/compiler/a"))
            with self.assertRaises(Failed):
                harness.suite_of("hotspot")

    def test_without_any_of_the_places_are_a_failure(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(Failed):
            Harness(Path(folder)).run(["hotspot/a"], Path(folder), None, Path(folder) / "work")


if __name__ == "__main__":
    unittest.main()
