import subprocess
import sys
import unittest

from eval import measure

_BURN = "import time\nwhile time.process_time() < 0.3: pass"


class Run(unittest.TestCase):
    def test_counts_the_cpu_of_children_that_were_waited_for(self):
        parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {_BURN!r}])"
        cost = measure.run([sys.executable, "-c", parent]).cost
        self.assertGreaterEqual(cost.cpu_seconds, 0.3)
        self.assertGreaterEqual(cost.wall_seconds, 0.3)

    def test_keeps_output_apart_and_the_exit_code(self):
        outcome = measure.run(["sh", "-c", "echo out; echo err >&2; exit 7"])
        self.assertEqual(("out\n", "err\n", 7),
                         (outcome.stdout, outcome.stderr, outcome.exit_code))

    def test_gives_signals_as_the_shell_does(self):
        self.assertEqual(128 + 15, measure.run(["sh", "-c", "kill -TERM $$"]).exit_code)

    def test_ends_a_command_that_takes_too_long(self):
        with self.assertRaises(subprocess.TimeoutExpired):
            measure.run(["sleep", "60"], timeout_seconds=0.1)


if __name__ == "__main__":
    unittest.main()
