import tempfile
import unittest
from pathlib import Path

from eval import papers
from eval.run import plan as plans
from eval.run.plan import Known, PlanError
from eval.workloads import manifest

_KNOWN = Known(["fop", "h2", "latency"], {"tuned": ["fop", "h2"]}, ["accuracy", "overhead"])
_GOOD = '''
name = "p"
question = "Q?"
jdks = [17]
workloads = ["h2", "latency"]
runs = 2
iterations = 5
reference_iterations = 4
gc = "G1"
seed = 7
reports = ["overhead"]
[[configuration]]
name = "default"
[[configuration]]
name = "slow"
options = "--tick 4ms --seed {seed} -- -XX:+UseStringDeduplication"
'''


class Plans(unittest.TestCase):
    def test_say_what_runs(self):
        plan = plans.parse(_GOOD, _KNOWN)
        self.assertEqual((("h2", "latency"), (17,), 2, 5, 4, "G1", ("overhead",)),
                         (plan.workloads, plan.jdks, plan.runs, plan.iterations,
                          plan.exact_iterations, plan.gc, plan.reports))
        self.assertEqual(["base", "default", "slow", "control"], plan.all_configurations)

    def test_the_name_of_a_set_stands_for_its_programs(self):
        def workloads(text):
            return plans.parse(_GOOD.replace('["h2", "latency"]', text), _KNOWN).workloads

        self.assertEqual(("fop", "h2"), workloads('["tuned"]'))
        self.assertEqual(("latency", "fop", "h2"), workloads('["latency", "tuned"]'))
        with self.assertRaisesRegex(PlanError, "'fop' is there twice"):
            workloads('["fop", "tuned"]')

    def test_each_run_has_another_seed(self):
        plan = plans.parse(_GOOD, _KNOWN)
        self.assertEqual(["--tick 4ms --seed 8 -- -XX:+UseStringDeduplication",
                          "--tick 4ms --seed 9 -- -XX:+UseStringDeduplication"],
                         [plan.options("slow", run) for run in (1, 2)])

    def test_are_the_same_when_they_record_the_same(self):
        plan = plans.parse(_GOOD, _KNOWN)
        for before, after, same in (("Q?", "Another?", True),
                                    ('["overhead"]', '["accuracy"]', True),
                                    ("runs = 2", "# a word\nruns   = 2", True),
                                    ("runs = 2", "runs = 3", False),
                                    ("4ms", "5ms", False)):
            other = plans.parse(_GOOD.replace(before, after), _KNOWN)
            self.assertEqual(same, plan.digest() == other.digest(), after)

    def test_come_back_from_json(self):
        plan = plans.parse(_GOOD, _KNOWN)
        self.assertEqual(plan, plans.Plan.from_json(plan.to_json()))


class Mistakes(unittest.TestCase):
    def test_are_told_in_one_line_with_what_to_do(self):
        for before, after, words in (
                ("runs = 2", "rounds = 2", "the plan has no key 'rounds'; there are .*runs"),
                ("runs = 2", "runs = 0", "runs is 0; write a whole number from 1"),
                ("runs = 2", "runs = true", "runs is True; write a whole number"),
                ("seed = 7", "seed = -1", "seed is -1; write a whole number from 0"),
                ('"p"', '"a/b"', "name is 'a/b', .*take letters"),
                ('"p"', "5", "name is not there or no text; write name ="),
                ('name = "p"', "", "name is not there"),
                ('"h2",', '"h3",', "no such workload: 'h3'; there are tuned, fop, h2"),
                ("[17]", "17", r"jdks is not there or no list; write jdks = \[17, 25\]"),
                ("[17]", "[17, 17]", "jdks: 17 is there twice"),
                ("[17]", '["17"]', "write jdks"),
                ('"G1"', '"CMS"', "no such gc: 'CMS'; there are Serial"),
                ('["overhead"]', '["costs"]', "no such report: 'costs'; there are accuracy"),
                ('["overhead"]', "[]", "reports is not there or no list"),
                ('"slow"', '"default"', "configurations: 'default' is there twice"),
                ('"slow"', '"base"', "'base' is always there; take another name"),
                ('"slow"', '"two words"', "take letters, digits"),
                ("options =", "option =", "configuration 'slow' has no key 'option'"),
                ("--tick 4ms", "--include 'a", "No closing quotation; close the quotes")):
            with self.subTest(after):
                self.assertIn(before, _GOOD)
                with self.assertRaisesRegex(PlanError, words) as raised:
                    plans.parse(_GOOD.replace(before, after, 1), _KNOWN)
                self.assertNotIn("\n", str(raised.exception))

    def test_name_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mine.toml"
            for text, words in (("runs =", "mine.toml: not TOML"),
                                (_GOOD.replace("runs", "rounds"), "mine.toml: the plan has no")):
                file.write_text(text)
                with self.assertRaisesRegex(PlanError, words):
                    plans.load(file, _KNOWN)

    def test_in_the_plans_name_are_told_with_the_names_there_are(self):
        with self.assertRaisesRegex(PlanError, "lee, quick"):
            plans.find("slow")


class Shipped(unittest.TestCase):
    def test_plans_are_right_and_named_as_their_files(self):
        workloads = manifest.load()
        reports = [path.stem for path in Path(papers.__path__[0]).glob("*.py")]
        known = Known(list(workloads), manifest.sets(workloads), reports)
        found = {path: plans.load(path, known) for path in plans.PLANS.glob("*.toml")}
        self.assertLessEqual({"quick", "full"}, {path.stem for path in found})
        for path, plan in found.items():
            self.assertEqual(path.stem, plan.name)
        self.assertEqual(3, len(plans.load(plans.find("quick"), known).workloads))


if __name__ == "__main__":
    unittest.main()
