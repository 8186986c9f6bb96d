import tempfile
import unittest
import zipfile
from pathlib import Path

from eval.advise import DEFAULTS, comparable, judge, packed, training


class JudgeTest(unittest.TestCase):
    MEASURED = {DEFAULTS: [10.0, 11.0, 10.0, 12.0, 10.0, 11.0, 10.0],
                "c1": [7.0, 7.7, 7.1, 8.4, 7.0, 7.6, 7.0],
                "aot": [7.1, 7.6, 7.0, 8.5, 6.9, 7.7, 7.1],
                "late": [12.0, 13.4, 12.0, 14.3, 12.1, 13.2, 12.0]}

    def test_the_best_is_right(self):
        verdict = judge(self.MEASURED, "c1")
        self.assertEqual("c1", verdict.best)
        self.assertTrue(verdict.is_best)
        self.assertFalse(verdict.loses)
        self.assertAlmostEqual(0.7, verdict.recommended.value)

    def test_what_cannot_be_told_from_the_best_is_right(self):
        self.assertTrue(judge(self.MEASURED, "aot").is_best)

    def test_defaults_are_wrong_where_something_is_better(self):
        verdict = judge(self.MEASURED, DEFAULTS)
        self.assertFalse(verdict.is_best)
        self.assertFalse(verdict.loses)

    def test_what_loses_is_told(self):
        self.assertTrue(judge(self.MEASURED, "late").loses)

    def test_defaults_are_right_where_nothing_is_better(self):
        kept = {name: self.MEASURED[name] for name in (DEFAULTS, "late")}
        self.assertTrue(judge(kept, DEFAULTS).is_best)


class TrainingTest(unittest.TestCase):
    def test_makes_the_file_that_the_options_name(self):
        self.assertEqual((Path("/k/app.aot"), ["-XX:AOTCacheOutput=/k/app.aot"]),
                         training(["-XX:AOTCache=/k/app.aot", "-XX:TieredStopAtLevel=1"]))
        self.assertEqual((Path("a.jsa"), ["-Xbatch", "-XX:ArchiveClassesAtExit=a.jsa"]),
                         training(["-XX:SharedArchiveFile=a.jsa"]))
        self.assertIsNone(training(["-XX:TieredStopAtLevel=1"]))


class ComparableTest(unittest.TestCase):
    def test_has_what_the_budget_left_out_but_not_what_cannot_run(self):
        def candidate(name, state, reason=""):
            return {"name": name, "flags": ["-" + name], "state": state, "reason": reason}
        self.assertEqual({"a": ["-a"], "b": ["-b"], "c": ["-c"]}, comparable(
            [candidate("a", "measured"), candidate("b", "dropped", "slower than a"),
             candidate("c", "not tried", "the budget has no time for it"),
             candidate("d", "not tried", "needs JDK 25 or later"),
             candidate("e", "failed", "ended with exit code 1")]))


class PackedTest(unittest.TestCase):
    def test_has_the_classes_by_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            classes = Path(folder) / "classes"
            (classes / "wl").mkdir(parents=True)
            (classes / "wl" / "A.class").write_bytes(b"class")
            (classes / "stamp").write_text("no class")
            with zipfile.ZipFile(packed(classes, Path(folder) / "a.jar")) as jar:
                self.assertEqual(["wl/A.class"], jar.namelist())


if __name__ == "__main__":
    unittest.main()
