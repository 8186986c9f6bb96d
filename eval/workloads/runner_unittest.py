import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from eval import measure
from eval.jdks import Jdk
from eval.workloads import runner
from eval.workloads.manifest import Workload

_GOOD = ("SETUP Fop 120 ms\nsomething else\nITER Fop 0 900 ms 000000002c9936a6\n"
         "CPU Fop 0 1500 ms\nITER Fop 1 400 ms 000000002c9936a6\nCPU Fop 1 420 ms\n"
         "CHECKSUM Fop 000000002c9936a6\n")
_JDK = Jdk(Path("/jdk"), 17, "17.0.9")


class Parse(unittest.TestCase):
    def test_reads_times_and_checksum_among_other_output(self):
        self.assertEqual(runner.Output(120, [900, 400], "000000002c9936a6", [1500, 420]),
                         runner.parse(_GOOD, 2))

    def test_reads_how_often_methods_ran_that_count_themselves(self):
        text = _GOOD.replace("CHECKSUM", "COUNT wl.A.f(I)V 12 calls\nCOUNT wl.A.g()J 0 calls\n"
                             "CHECKSUM", 1)
        self.assertEqual({"wl.A.f(I)V": 12, "wl.A.g()J": 0}, runner.parse(text, 2).counts)

    def test_refuses_output_that_stops_early(self):
        for end in range(len(_GOOD) - 1):
            with self.assertRaises(runner.WorkloadError):
                runner.parse(_GOOD[:end], 2)

    def test_refuses_another_number_of_iterations(self):
        with self.assertRaises(runner.WorkloadError):
            runner.parse(_GOOD, 3)

    def test_refuses_iterations_that_differ(self):
        with self.assertRaises(runner.WorkloadError):
            runner.parse(_GOOD.replace("CHECKSUM Fop 000000002c9936a6",
                                       "CHECKSUM Fop 000000002c9936a6 MISMATCH"), 2)


class Verification(unittest.TestCase):
    """A program that prints `self.checksums` one after the other, whatever it is asked to do."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.references = Path(folder.name) / "checksums.json"
        self.checksums = []
        for target, value in (("_REFERENCES", self.references),
                              ("package_versions", lambda packages: "fop 2"),
                              ("command", lambda *a, **k: runner.Command([], Path("."), {}))):
            self.enterContext(mock.patch.object(runner, target, value))
        self.enterContext(mock.patch.object(measure, "run", self.fake_run))
        self.enterContext(mock.patch.object(measure, "note", lambda message: None))

    def fake_run(self, argv, cwd, env):
        checksum = self.checksums.pop(0)
        text = f"SETUP Fop 1 ms\nITER Fop 0 1 ms {checksum}\nCPU Fop 0 1 ms\nCHECKSUM Fop {checksum}\n"
        return measure.Outcome(measure.Cost(1.0, 1.0), 0, text, "")

    def workload(self, checksums):
        return Workload("fop", "Fop", "layout", "1", ["fop"], [], checksums=checksums)

    def test_a_result_that_differs_from_the_manifest_fails(self):
        self.checksums = ["b" * 16]
        with self.assertRaisesRegex(runner.WorkloadError, "bbbb.*expected aaaa"):
            runner.run(self.workload({"fop 2": "a" * 16}), _JDK)

    def test_unknown_versions_are_measured_once_and_then_binding(self):
        workload = self.workload({"fop 1": "a" * 16})
        self.checksums = ["c" * 16, "c" * 16, "d" * 16]
        self.assertEqual("c" * 16, runner.run(workload, _JDK).output.checksum)
        self.assertEqual(["c" * 16], list(json.loads(self.references.read_text()).values()))
        with self.assertRaises(runner.WorkloadError):
            runner.run(workload, _JDK)
        self.assertEqual([], self.checksums)


if __name__ == "__main__":
    unittest.main()
