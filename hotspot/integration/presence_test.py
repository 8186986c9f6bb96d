"""Nobody who looks at the program's threads and output sees the agent."""

from __future__ import annotations

import re
import subprocess
import time
import unittest

from eval import jdks
from hotspot.integration import attaching, jvm
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

OURS = re.compile(r"yieldpoint|yp-", re.IGNORECASE)
PROBE = "java.lang.YieldpointProbe"
# The probe's class is one of java.base. In a thread dump its methods are frames of a thread that is
# being sampled, and what a compiler's thread compiles (there with "::" before the method's name).
EXPECTED_IN_A_DUMP = re.compile(
    rf"at (java\.base\S*/)?{re.escape(PROBE)}\.|Compiling: .* {re.escape(PROBE)}::")


class PresenceTest(JvmTestCase):
    def seen(self, jdk: jdks.Jdk, options: str | None) -> tuple[set[str], set[str]]:
        agent = None if options is None else f"spool={self.new_spool()},{options}"
        outcome = self.run_java(jdk, "programs.Stacks", "700", agent=agent)
        self.assertEqual((0, ""), (outcome.exit_code, outcome.stderr))
        lines = [line.partition(" ") for line in outcome.stdout.splitlines()]
        self.assertEqual({"thread", "class"}, {kind for kind, _, _ in lines})
        return ({name for kind, _, name in lines if kind == "thread"},
                {name for kind, _, name in lines if kind == "class"})

    def check_stack_traces(self, jdk: jdks.Jdk, options: str) -> None:
        plain_threads, plain_classes = self.seen(jdk, None)
        threads, classes = self.seen(jdk, options)
        self.assertIn("worker", plain_threads)
        self.assertEqual(set(), threads - plain_threads)
        # What else of the JDK and the program happens to be on a stack differs from run to run.
        new = {name for name in classes - plain_classes
               if OURS.search(name) or not name.startswith(("java.", "jdk.", "sun.", "programs."))}
        self.assertLessEqual(new, {PROBE})

    @on_each_jdk(since=17)
    def test_stack_traces_while_sampling(self, jdk):
        self.check_stack_traces(jdk, "mode=cbs,tick_ns=1000000")

    @on_each_jdk(since=17)
    def test_stack_traces_while_counting(self, jdk):
        self.check_stack_traces(jdk, "mode=exact")

    def check_thread_dump(self, jdk: jdks.Jdk, options: str) -> None:
        arguments = jvm.command(jdk, "programs.Stacks", "-",
                                agent=f"spool={self.new_spool()},{options}")
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            # The VM answers before the program has begun.
            deadline = time.monotonic() + jvm.TIMEOUT_SECONDS
            while '"worker"' not in attaching.jcmd(process.pid, "Thread.print"):
                self.assertLess(time.monotonic(), deadline, "the worker has not started")
            for _ in range(3):
                dump = attaching.jcmd(process.pid, "Thread.print")
                self.assertIn('"worker"', dump)
                ours = [line.strip() for line in dump.splitlines() if OURS.search(line)]
                self.assertEqual([], [line for line in ours if not EXPECTED_IN_A_DUMP.match(line)])
            _, stderr = process.communicate(timeout=jvm.TIMEOUT_SECONDS)
        self.assertEqual((0, ""), (process.returncode, stderr))

    @on_each_jdk(since=17)
    def test_thread_dumps_while_sampling(self, jdk):
        self.check_thread_dump(jdk, "mode=cbs,tick_ns=1000000")

    @on_each_jdk(since=17)
    def test_thread_dumps_while_counting(self, jdk):
        self.check_thread_dump(jdk, "mode=exact")


if __name__ == "__main__":
    unittest.main()
