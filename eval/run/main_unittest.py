import contextlib
import io
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from eval import measure
from eval.built import Built
from eval.jdks import Jdk
from eval.papers import overhead
from eval.run import __main__ as command
from eval.run import origin, rounds
from eval.run.for_test import JDK, MACHINE, write_profile
from eval.workloads import prepare, runner

_PLAN = '''
name = "p"
question = "Q?"
jdks = [17, 25]
workloads = ["fop", "h2"]
runs = 3
iterations = 4
reports = ["accuracy", "overhead"]
[[configuration]]
name = "default"
'''
_INFO = {"complete": True, "damage": "", "profile": "p", "calls": 1, "edges": 1, "config": {}}


class Command(unittest.TestCase):
    """The command as a user gives it; only JDK 17 is there, and the programs are made up."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.plan = self.root / "p.toml"
        self.plan.write_text(_PLAN)
        self.ran = 0
        self.before = lambda: None  # called before each run
        self.noted = []
        self.addCleanup(Built().use)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        for place, name, value in (
                (command, "found_jdks", lambda majors: [Jdk(Path("/jdk"), 17, JDK)]),
                (prepare, "prepare", lambda workloads: None),
                (runner, "run", self.fake_run),
                (Built, "read", self.fake_read),
                (Built, "missing", lambda built: []),
                (origin, "digest", lambda built: "b1"),
                (origin.audit, "of_this_machine", lambda: MACHINE),
                (measure, "note", self.noted.append),
                (rounds, "Progress", mock.MagicMock()),
                (overhead, "paired_t_test", lambda a, b: None),
                (overhead, "welch_t_test", lambda a, b: None)):
            self.enterContext(mock.patch.object(place, name, value))

    def fake_run(self, workload, jdk, iterations, prefix=(), jvm_options=(), gc=""):
        self.ran += 1
        self.before()
        if prefix:
            write_profile(Path(prefix[prefix.index("-o") + 1]))
        times = [400, 200, 201, 199 + self.ran]
        return runner.Run(runner.Output(1, times, "c", times), measure.Cost(1 + self.ran, 1.0), "")

    @staticmethod
    def fake_read(built, name, *files):
        return {"overlap": 50.0 + len(files[1].stem)} if name == "overlap" else _INFO

    def run_it(self, *arguments):
        """The exit code."""
        argv = ["run", str(self.plan), "-o", str(self.root / "results"), "--references",
                str(self.root / "references"), *arguments]
        with mock.patch.object(sys, "argv", argv), contextlib.redirect_stdout(io.StringIO()):
            try:
                return command.main()
            except SystemExit as end:
                return end.code

    def outputs(self):
        return {path.name: path.read_bytes() for path in (self.root / "results").iterdir()
                if path.suffix in (".json", ".html")}

    def test_replay_gives_the_same_bytes_and_runs_nothing(self):
        self.assertEqual(0, self.run_it())
        first, ran = self.outputs(), self.ran
        self.assertEqual(2 * (1 + 3 * 3), ran)
        for name in ("results.json", "index.html"):
            (self.root / "results" / name).unlink()
        self.assertEqual(0, self.run_it("--replay"))
        self.assertEqual((first, ran), (self.outputs(), self.ran))
        self.assertIn(b"JDK 25 is not on this machine", first["results.json"])

    def test_replay_makes_reports_that_were_asked_for_later(self):
        self.plan.write_text(_PLAN.replace('"accuracy", ', ""))
        self.run_it()
        self.assertNotIn(b"stability", self.outputs()["index.html"])
        self.plan.write_text(_PLAN)
        ran = self.ran
        self.assertEqual(0, self.run_it("--replay"))
        self.assertIn(b"stability", self.outputs()["index.html"])
        self.assertEqual(ran, self.ran)

    def test_replay_of_nothing_says_so_and_leaves_nothing(self):
        self.assertEqual(2, self.run_it("--replay"))
        self.assertIn("nothing is recorded there", self.noted[-1])
        self.assertFalse((self.root / "results").exists())

    def test_what_a_signal_ends_goes_on_with_the_same_command(self):
        for number, code, at in ((signal.SIGTERM, 143, 4), (signal.SIGINT, 130, 9)):
            self.before = lambda number=number, at=at: (
                os.kill(os.getpid(), number) if self.ran == at else None)
            self.assertEqual(code, self.run_it())
            self.assertIn("the same command goes on", self.noted[-1])
        self.assertEqual(0, self.run_it())
        self.assertTrue(any("runs are there" in note for note in self.noted))
        self.assertEqual(2 * (1 + 3 * 3) + 2, self.ran)  # those that were ended ran again

    def test_another_plan_does_not_go_on_in_the_same_folder(self):
        self.run_it()
        ran = self.ran
        self.assertEqual(2, self.run_it("--runs", "4"))
        self.assertIn("has results of another plan; --fresh", self.noted[-1])
        self.assertEqual(ran, self.ran)
        self.assertEqual(0, self.run_it("--runs", "1", "--fresh"))
        self.assertEqual(ran + 2 * 3, self.ran)

    def test_a_failed_program_makes_the_exit_code_1_and_the_others_are_told(self):
        def fail():
            if self.ran == 3:
                raise measure.Failed("the result changed")

        self.before = fail
        self.assertEqual(1, self.run_it())
        self.assertIn(b"the result changed", self.outputs()["index.html"])
        self.assertIn(b"geometric mean", self.outputs()["index.html"])

    def test_mistakes_are_one_line_and_exit_code_2(self):
        self.plan.write_text(_PLAN.replace("runs", "rounds"))
        self.assertEqual(2, self.run_it())
        self.assertRegex(self.noted[-1], "^yp eval run: .*p.toml: the plan has no key 'rounds'.*$")
        self.assertEqual(2, self.run_it("--quick"))
        self.assertIn("name one plan, or --quick", self.noted[-1])
        self.assertEqual(0, self.ran)


if __name__ == "__main__":
    unittest.main()
