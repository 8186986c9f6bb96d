"""Mode edges with tests: what each of them reaches, marked by natives, by JUnit and by yp mark."""

from __future__ import annotations

import json
import subprocess
import unittest
from pathlib import Path

from eval import jdks
from hotspot.integration import jvm, programs
from hotspot.integration.attach_test import Served
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

OF_EACH = {"main", "run"}  # The program's main is a caller in each.
SHAPES = {"squares", "measure", "Square.<init>", "Square.area", "helper"}
ROUND_SHAPES = {"circles", "measure", "Circle.<init>", "Circle.area", "helper"}
KNOWN = {
    "squares": OF_EACH | SHAPES,
    "circles": OF_EACH | ROUND_SHAPES,
    "both": OF_EACH | (SHAPES | ROUND_SHAPES | {"both"}) - {"squares", "circles"},
    "lambdas": OF_EACH | {"lambdas", "lambda$lambdas", "helper"},
    "sorting": OF_EACH | {"sorting", "Key.<init>", "Key.compareTo"},
    "reflection": OF_EACH | {"reflection", "helper"},
    "nothing": OF_EACH,
}


def short(method: str) -> str:
    """"Square.area" of programs.Marked$Square.area()I, without the number of a lambda."""
    name = method.split("(")[0].removeprefix("programs.Marked").lstrip(".$")
    return name.rsplit("$", 1)[0] if name.startswith("lambda$") else name


class MarkedTestCase(JvmTestCase):
    """Reads what tests reached."""

    def methods_by_test(self, spool: Path) -> dict[str, set[str]]:
        """The methods of each test, which `yp tests --method` tells of."""
        found: dict[str, set[str]] = {test["test"]: set() for test in self.rows(spool).values()}
        for row in self.yp("tests", spool, "--method", "*", "--json"):
            found[row["test"]].add(row["method"])
        return found

    def rows(self, spool: Path) -> dict[str, dict]:
        return {test["test"]: test for test in self.yp("tests", spool, "--json")}

    def yp(self, *arguments) -> list[dict]:
        result = subprocess.run([jvm.CLI, *map(str, arguments)], capture_output=True, text=True,
                                timeout=jvm.TIMEOUT_SECONDS)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)


class TestsTest(MarkedTestCase):
    def mark(self, jdk: jdks.Jdk, rounds: int, *flags: str) -> Path:
        force = ",force=true" if jvm.may_crash_when_rewritten(jdk) else ""
        return self.record(jdk, "programs.Marked", str(rounds), classes="classes_tests", jvm=flags,
                           options=f"mode=edges,include=programs.Marked*{force}").spool

    def check_marked(self, spool: Path) -> None:
        found = {test: {short(method) for method in methods}
                 for test, methods in self.methods_by_test(spool).items()}
        side_by_side = {test: found.pop(test) for test in ("left", "right")}
        self.assertEqual(KNOWN, found)
        for test, methods in side_by_side.items():
            self.assertLessEqual(SHAPES | ROUND_SHAPES, methods, test)

    @on_each_jdk()
    def test_each_reaches_what_it_calls_and_nothing_else(self, jdk):
        spool = self.mark(jdk, 1)
        self.check_marked(spool)
        tests = self.rows(spool)
        for name in KNOWN:
            self.assertEqual((1, 0), (tests[name]["runs"], tests[name]["edges_shared"]), name)
        self.assertGreater(tests["left"]["edges_shared"], 0)
        self.assertEqual(0, tests["squares"]["methods_only"], "the tests side by side reach it, too")
        self.assertEqual(4, tests["sorting"]["methods_only"], "with a bridge to compareTo")
        # Both edges to and from Key's methods, and that to sorting, but none that all have.
        self.assertLess(tests["sorting"]["edges_only"], tests["sorting"]["edges"])
        never = {short(row["method"]) for row in self.yp("tests", spool, "--unreached", "--json")}
        self.assertIn("never", never)
        self.assertEqual(set(), never & set.union(*KNOWN.values()))
        unexecuted = {(short(row["caller"]), short(row["callee"]))
                      for row in self.yp("tests", spool, "--unexecuted", "--json")}
        self.assertEqual({("main", "never")}, unexecuted)

    @on_each_jdk()
    def test_what_is_reached_again_in_later_runs_is_the_same(self, jdk):
        spool = self.mark(jdk, 40)
        self.check_marked(spool)
        self.assertEqual(40, self.rows(spool)["both"]["runs"])

    @on_each_jdk(since=17)
    def test_with_every_method_compiled_before_it_runs(self, jdk):
        self.check_marked(self.mark(jdk, 3, "-Xcomp"))

    @on_each_jdk(since=17)
    def test_each_run_by_itself_has_the_edges_of_all_runs(self, jdk):
        """Of forty runs each has the same: nothing is lost as time goes on."""
        spool = self.mark(jdk, 40)
        edges: dict[str, set[frozenset]] = {}
        for test in self.runs(spool):
            edges.setdefault(test["name"], set()).add(frozenset(test["edges"]))
        for name in KNOWN:
            self.assertEqual(1, len(edges[name]), name)

    def runs(self, spool: Path) -> list[dict]:
        """Each run of a test, from LCOV: the lines that it reached."""
        exported = subprocess.run([jvm.CLI, "export", spool, "-f", "lcov", "-o", "-"], check=True,
                                  capture_output=True, text=True)
        runs = []
        for line in exported.stdout.splitlines():
            key, _, value = line.partition(":")
            if key == "TN":
                runs.append({"name": value, "edges": []})
            elif key in ("DA", "FNDA"):
                runs[-1]["edges"].append(line)
        return [run for run in runs if run["name"]]

    @on_each_jdk()
    def test_without_an_agent_nothing_happens(self, jdk):
        outcome = self.run_java(jdk, "programs.Marked", "1", classes="classes_tests")
        self.assertEqual((0, ""), (outcome.exit_code, outcome.stderr))

    @on_each_jdk(since=17)
    def test_other_modes_have_the_times_of_tests(self, jdk):
        recording = self.record(jdk, "programs.Marked", "2", classes="classes_tests",
                                options="mode=exact,include=programs.Marked*")
        tests = self.rows(recording.spool)
        self.assertEqual(set(KNOWN) | {"left", "right"}, set(tests))
        self.assertEqual({0}, {test["edges"] for test in tests.values()})
        self.assertTrue(all(test["duration_ns"] >= 0 for test in tests.values()))

    @on_each_jdk(since=17)
    def test_yp_mark_says_what_begins(self, jdk):
        served = Served(jdk)
        self.addCleanup(served.process.wait)
        self.addCleanup(served.process.kill)
        spool = self.new_spool()
        served.agent(f"spool={spool},mode=edges,include=programs.Served*")
        pid = str(served.process.pid)
        first = "login, wrong password = 50 % \"né\""
        subprocess.run([jvm.CLI, "mark", pid, first], check=True, capture_output=True)
        served.work()
        subprocess.run([jvm.CLI, "mark", pid, "second"], check=True, capture_output=True)
        subprocess.run([jvm.CLI, "mark", pid, "--end"], check=True, capture_output=True)
        served.work()
        refused = subprocess.run([jvm.CLI, "mark", pid], capture_output=True, text=True)
        self.assertEqual(2, refused.returncode)
        served.agent("command=stop")
        ended = subprocess.run([jvm.CLI, "mark", pid, "third"], capture_output=True, text=True)
        self.assertEqual(2, ended.returncode)
        self.assertIn("no recording is under way", ended.stderr)
        found = self.methods_by_test(spool)
        self.assertEqual([first, "second"], list(found))
        self.assertEqual({"main", "work", "twice", "leaf"},
                         {method.split("(")[0].rsplit(".", 1)[1] for method in found[first]})
        self.assertEqual(set(), found["second"])


@unittest.skipUnless(programs.junit_jars(), "NOT TESTED: JUnit is not installed (tools/packages.txt)")
class JUnitTest(MarkedTestCase):
    """The listener with the real JUnit."""

    OF_CART = {"Cart.<init>", "CartTest.<init>", "CartTest.makeCart"}
    KNOWN = {
        "CartTest.adds()": OF_CART | {"CartTest.adds", "Cart.add", "Cart.check", "Cart.items"},
        "CartTest.refusesLessThanNothing()": OF_CART | {
            "CartTest.refusesLessThanNothing", "CartTest.lambda$refusesLessThanNothing", "Cart.add",
            "Cart.check", "Cart.refusal"},
        "CartTest.clears(int)[1]": OF_CART | {"CartTest.clears", "Cart.clear"},
        "CartTest.clears(int)[2]": OF_CART | {"CartTest.clears", "Cart.add", "Cart.check",
                                              "Cart.clear"},
        "CartTest.fails()": OF_CART | {"CartTest.fails", "Cart.clear"},
        "CartTest$WhenEmpty.hasNoItems()": OF_CART | {
            "CartTest$WhenEmpty.<init>", "CartTest$WhenEmpty.hasNoItems", "Cart.items"},
    }
    OLD = {
        "OldCartTest.adds()": {"OldCartTest.<init>", "OldCartTest.adds", "Cart.<init>", "Cart.add",
                               "Cart.check", "Cart.items"},
        "OldCartTest.clears()": {"OldCartTest.<init>", "OldCartTest.clears", "Cart.<init>",
                                 "Cart.clear"},
    }

    def run_suite(self, jdk: jdks.Jdk, options: str, *arguments: str) -> dict[str, set[str]]:
        spool = self.new_spool()
        force = ",force=true" if jvm.may_crash_when_rewritten(jdk) else ""
        path = ":".join(map(str, [jvm.PROGRAMS / "junit", *programs.junit_jars(), *self.more_path]))
        outcome = subprocess.run(
            [jdk.java, *jvm.SMALL,
             f"-agentpath:{jvm.AGENT}=spool={spool},mode=edges,include=shop.*{options}{force}",
             "-cp", path, *arguments],
            capture_output=True, text=True, timeout=jvm.TIMEOUT_SECONDS)
        self.output = outcome.stdout + outcome.stderr
        found = self.methods_by_test(spool)
        return {test.removeprefix("shop."): {self.short(method) for method in methods}
                for test, methods in found.items()}

    @staticmethod
    def short(method: str) -> str:
        name = method.split("(")[0].removeprefix("shop.")
        head, _, last = name.rpartition(".")
        return f"{head}.{last.rsplit('$', 1)[0]}" if last.startswith("lambda$") else name

    more_path: tuple[Path, ...] = ()

    @on_each_jdk()
    def test_the_platform_finds_the_listener_that_the_agent_brings(self, jdk):
        found = self.run_suite(jdk, ",tests=yes", "org.junit.platform.console.ConsoleLauncher",
                               "--disable-banner", "--details=none", "--select-package=shop",
                               "--include-classname=.*Test")
        self.assertEqual(self.KNOWN | self.OLD, found, self.output)

    @on_each_jdk(since=17)
    def test_the_listener_is_found_on_the_class_path_as_well(self, jdk):
        self.more_path = (jvm.AGENT.parent / "yieldpoint-junit.jar",)
        found = self.run_suite(jdk, "", "org.junit.platform.console.ConsoleLauncher",
                               "--disable-banner", "--details=none", "--select-class=shop.CartTest")
        self.assertEqual(self.KNOWN, found, self.output)

    @on_each_jdk(since=17)
    def test_junit_4_with_its_own_runner(self, jdk):
        self.more_path = (jvm.AGENT.parent / "yieldpoint-junit.jar",)
        found = self.run_suite(jdk, "", "yieldpoint.JUnit4", "shop.OldCartTest")
        self.assertEqual(self.OLD, found, self.output)
        self.assertIn("2 tests, 0 failures", self.output)

    @on_each_jdk(since=17)
    def test_a_program_without_junit_runs_with_the_listener_on_its_class_path(self, jdk):
        self.record(jdk, "programs.Recursion", options="mode=edges,tests=yes")


if __name__ == "__main__":
    unittest.main(verbosity=2)
