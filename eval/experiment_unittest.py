import argparse
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from eval import experiment, measure, report
from eval.progress import Progress
from eval.workloads import manifest


class Configurations(unittest.TestCase):
    def test_options_may_be_empty_and_hold_colons(self):
        self.assertEqual(("cbs", ""), experiment.named_configuration("cbs:"))
        self.assertEqual(("a b", "--include x:y"),
                         experiment.named_configuration("a b:--include x:y"))

    def test_a_configuration_without_a_name_or_a_colon_is_refused(self):
        for text in ("--mode exact", ":--mode exact", ""):
            with self.assertRaises(argparse.ArgumentTypeError):
                experiment.named_configuration(text)

    def test_options_of_the_jvm_come_behind_two_dashes(self):
        self.assertEqual((["--budget", "2"], []), experiment.split_configuration("--budget 2"))
        self.assertEqual(([], ["-XX:-X", "-Da=b c"]),
                         experiment.split_configuration("-- -XX:-X '-Da=b c'"))


class Programs(unittest.TestCase):
    def setUp(self):
        self.workloads = manifest.load()
        self.parser = argparse.ArgumentParser()

    def names(self, *names):
        return [each.name for each in experiment.chosen(self.parser, names, self.workloads)]

    def test_are_the_tuned_ones_where_none_is_named(self):
        self.assertEqual(self.names("tuned"), self.names())
        self.assertIn("fop", self.names())
        self.assertNotIn("groovy", self.names())

    def test_that_are_named_twice_run_once(self):
        self.assertEqual(["groovy", "fop"], self.names("groovy", "fop", "groovy"))
        self.assertEqual(["fop", *(name for name in self.names() if name != "fop"),
                          *self.names("held-out")], self.names("fop", "tuned", "held-out"))

    def test_that_are_unknown_end_the_command(self):
        with (mock.patch.object(self.parser, "error", side_effect=SystemExit) as error,
              self.assertRaises(SystemExit)):
            self.names("tuned", "held")
        self.assertIn("no such workload: held (there are tuned, held-out, antlr4",
                      error.call_args.args[0])


class Groups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.json = Path(folder.name) / "results.json"
        self.logged = []
        self.enterContext(mock.patch.object(measure, "note", self.logged.append))
        self.progress = Progress(20, clock=lambda: 0.0, log=lambda text: None)
        self.results = report.Report("x", "", "", [], machine="", commit="")
        self.run_of_both = experiment.Run(self.results, self.progress, self.json)

    def test_a_failure_ends_its_group_and_not_the_next(self):
        with self.run_of_both.group("fop", 10):
            self.progress.done("base")
            raise measure.Failed("the result changed")
        with self.run_of_both.group("h2", 10):
            self.progress.done("base")
        self.assertEqual(["fop: the result changed"], self.results.failures)
        self.assertEqual(9, self.progress.left)
        self.assertEqual(["FAILED: fop: the result changed"], self.logged)

    def test_what_was_measured_is_saved_after_each_group(self):
        with self.run_of_both.group("fop", 10):
            self.results.data["17"] = [1.0]
        self.assertEqual({"17": [1.0]}, json.loads(self.json.read_text())["results"])

    def test_an_error_of_the_experiment_itself_is_no_failed_run(self):
        with self.assertRaises(KeyError):
            with self.run_of_both.group("fop", 10):
                raise KeyError("top_presence")


if __name__ == "__main__":
    unittest.main()
