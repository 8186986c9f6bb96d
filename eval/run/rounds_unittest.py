import functools
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

from eval import measure
from eval.built import Built
from eval.jdks import Jdk
from eval.progress import Progress
from eval.run import rounds
from eval.run.folder import Folder
from eval.run.for_test import JDK, a_plan, an_origin, write_profile
from eval.workloads import runner
from eval.workloads.manifest import Workload

_JDK = Jdk(Path("/jdk"), 17, JDK)
_INFO = {"complete": True, "damage": "", "profile": "p", "calls": 1, "edges": 1,
         "config": {"cost.program_cpu_ns": "1000", "cost.drain_cpu_ns": "5"}}


class Interrupted(Exception):
    pass


class Rounds(unittest.TestCase):
    """The programs are made up: `self.ran` has each by workload, and its command's prefix."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        self.folder = Folder(root / "results")
        self.shared = root / "references"
        self.ran = []
        self.fail = {}  # what the run of this number raises
        self.info = dict(_INFO)
        self.enterContext(mock.patch.object(runner, "run", self.fake_run))
        self.enterContext(mock.patch.object(Built, "read", lambda *arguments: self.info))
        self.enterContext(mock.patch.object(measure, "note", lambda message: None))
        self.enterContext(mock.patch.object(
            rounds, "Progress", functools.partial(Progress, log=lambda message: None)))
        self.plan = a_plan(runs=4)
        self.folder.root.mkdir()
        self.folder.begin(an_origin(self.plan), fresh=False)

    def fake_run(self, workload, jdk, iterations, prefix=(), jvm_options=(), gc=""):
        self.ran.append((workload.name, list(prefix), iterations, list(jvm_options), gc))
        if len(self.ran) in self.fail:
            raise self.fail[len(self.ran)]
        if prefix:
            write_profile(Path(prefix[prefix.index("-o") + 1]))
        output = runner.Output(1, [400, 200, 200, 200], "c", [500, 210, 200, 200])
        return runner.Run(output, measure.Cost(2.0, 1.0), "")

    def measure(self, plan=None):
        bench = rounds.Bench(plan or self.plan, Built(Path("/b")), self.folder, self.shared)
        workloads = [Workload(name, name, "", "1", [], []) for name in self.plan.workloads]
        rounds.measure_all(bench, workloads, [_JDK])

    def recorded(self):
        return [run.recording for run in self.folder.runs()]

    def test_each_program_runs_exactly_once_and_then_in_each_configuration_each_round(self):
        self.measure()
        self.assertEqual(2 * (1 + 4 * 3), len(self.ran))
        self.assertEqual({(workload, name): 4 for workload in ("fop", "h2")
                          for name in ("base", "default", "control")},
                         Counter((each.workload, each.configuration) for each in self.recorded()))
        self.assertEqual({("fop", JDK), ("h2", JDK)}, set(self.folder.references()))

    def test_the_order_changes_from_round_to_round(self):
        first = {rounds.missing(self.plan, Workload("fop", "", "", "", [], []), _JDK,
                                self.folder)[3 * index][1] for index in range(4)}
        self.assertEqual({"base", "default", "control"}, first)

    def test_a_recording_has_what_was_measured(self):
        self.measure()
        by_name = {each.configuration: each for each in self.recorded()
                   if (each.workload, each.run) == ("fop", 3)}
        base, default = by_name["base"], by_name["default"]
        self.assertEqual((2.0, 1.0, (400, 200, 200, 200), (500, 210, 200, 200), 1, None, None),
                         (base.cpu_seconds, base.wall_seconds, base.iterations_ms,
                          base.iterations_cpu_ms, base.warm_up, base.profile,
                          base.own_cost_percent))
        self.assertEqual((True, 0.5), (default.profile.is_file(), default.own_cost_percent))

    def test_only_configurations_are_profiled_and_all_have_the_plans_collector(self):
        plan = a_plan(runs=1, gc="G1", configurations={"x": "--tick 4ms -- -Xint"})
        self.measure(plan)
        options = [(prefix[prefix.index("-o") + 2:], jvm) if prefix else None
                   for name, prefix, iterations, jvm, gc in self.ran if name == "fop"]
        self.assertEqual([(["--mode", "exact", "--"], [])], options[:1])
        self.assertCountEqual([None, (["--tick", "4ms", "--"], ["-Xint"]), None], options[1:])
        self.assertEqual({"-XX:+UseG1GC"}, {gc for *_, gc in self.ran})

    def test_what_was_interrupted_goes_on_where_it_was(self):
        for at in (1, 5, 9):
            self.fail = {at: Interrupted()}
            with self.assertRaises(Interrupted):
                self.measure()
        self.fail = {}
        before = len(self.ran)
        finished = len(self.folder.runs()) + len(self.folder.references())
        self.measure()
        self.assertEqual(2 * (1 + 4 * 3), len(self.ran) - before + finished)
        self.assertEqual(2 * 4 * 3, len(self.folder.runs()))
        self.measure()
        self.assertEqual(2 * (1 + 4 * 3), len(self.ran) - before + finished)

    def test_a_failure_costs_the_rest_of_its_program_and_is_tried_again_the_next_time(self):
        self.fail = {4: measure.Failed("exit code 1")}
        self.measure()
        failed = self.ran[3][0]
        self.assertEqual([(failed, "exit code 1")],
                         [(each.workload, each.error) for each in self.folder.failures()])
        self.assertEqual({"fop": 12, "h2": 12, failed: 2},
                         Counter(each.workload for each in self.recorded()))
        self.fail = {}
        self.measure()
        self.assertEqual([], self.folder.failures())
        self.assertEqual(24, len(self.folder.runs()))

    def test_a_damaged_profile_is_a_failure(self):
        self.measure(a_plan(runs=1))
        self.info["damage"] = "a frame is broken"
        self.measure(a_plan(runs=2))
        self.assertEqual(2, len(self.folder.failures()))
        self.assertFalse(any(each.profile and each.run == 2 for each in self.recorded()))

    def test_exact_profiles_are_shared_by_evaluations_and_a_damaged_one_is_not_kept(self):
        self.info["complete"] = False
        self.measure()
        self.assertEqual([], list(self.shared.iterdir()))
        self.info["complete"] = True
        self.measure()
        exact = sum("exact" in prefix for _, prefix, *_ in self.ran)
        self.folder.begin(an_origin(self.plan), fresh=True)
        self.measure()
        self.assertEqual(exact, sum("exact" in prefix for _, prefix, *_ in self.ran))


class Order(unittest.TestCase):
    def test_of_programs_depends_on_the_seed_alone(self):
        def order(seed):
            return [each.name for each in rounds.shuffled(
                [Workload(name, "", "", "", [], []) for name in "abcdef"], seed)]

        self.assertEqual(order(1), order(1))
        self.assertNotEqual(order(1), order(2))
        self.assertEqual(sorted(order(1)), sorted(order(2)))


if __name__ == "__main__":
    unittest.main()
