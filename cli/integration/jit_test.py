"""yp run --jit and yp amortize on real JVMs."""

import contextlib
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys

from support import JDKS, TIMEOUT_S, has_module, main


class Jit:
    ROUNDS = 200_000_000

    # Calls are counted down all the time: a number of N samples is off by 1 / sqrt(N), however few
    # ticks a busy machine would have left, and however little of them the program was running.
    ALL_THE_TIME = ("--budget", "0")

    def record(self, *command, options=()):
        result = self.yp("run", "--jit", "--seed", "1", *options, "-o", self.profile, "--", *command)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def compiler_recorded(self):
        """The profile is that of a compiler's run, which is made once for all tests that read it."""
        command, recorded = self.compiler(), self.classes / "compiler.yp"
        if not recorded.exists():
            self.record(*command)
            self.profile.rename(recorded)
        self.profile = recorded

    def query(self, sql):
        with contextlib.closing(sqlite3.connect(self.profile)) as profile:
            return profile.execute(sql).fetchall()

    def samples_by_level(self):
        """Stacks by the level of the code that they ended in; None where it is not known."""
        return dict(self.query("SELECT CASE WHEN compile_id IS NULL THEN NULL ELSE level END, "
                               "sum(samples) FROM code_samples GROUP BY 1"))

    def test_what_is_only_interpreted_runs_in_no_compilation(self):
        self.record(*self.loop(1_000_000, options=["-Xint"]))
        levels = self.samples_by_level()
        self.assertGreater(levels[0], 100)
        self.assertEqual({0}, set(levels) - {None})
        self.assertLess(levels.get(None, 0), 0.05 * levels[0])

    def test_what_the_first_compiler_alone_made_runs_at_level_1(self):
        self.record(*self.loop(self.ROUNDS, options=["-XX:TieredStopAtLevel=1"]))
        levels = self.samples_by_level()
        self.assertLessEqual({0, 1}, set(levels))
        self.assertLessEqual(set(levels), {None, 0, 1})
        self.assertGreater(levels[1], 0.8 * sum(levels.values()))

    def test_says_which_module_a_runtime_lacks(self):
        options = []
        if has_module(JDKS[self.major], "jdk.jfr"):
            options = ["--limit-modules", "java.base"]
        result = self.record(*self.loop(self.ROUNDS, options=options))
        lines = [line for line in result.stderr.splitlines() if "jlink --add-modules jdk.jfr" in line]
        self.assertTrue(lines, result.stderr)
        self.assertGreater(self.samples_by_level()[4], 0, "stacks need no module")
        plan = self.yp("plan", self.profile, "--json")
        self.assertEqual(0, plan.returncode, plan.stderr)
        self.assertIn("jlink --add-modules jdk.jfr", plan.stdout)

    def test_inlined_frames_are_those_of_their_callers_code(self):
        self.record(*self.loop(self.ROUNDS, options=["-XX:CompileCommand=quiet",
                                                     "-XX:CompileCommand=dontinline,Loop::middle"]))
        calls = self.query(
            "SELECT caller.name, callee.name, inner.inlined, inner.compile_id = outer.compile_id, "
            "sum(inner.samples) FROM code_contexts AS inner "
            "JOIN code_contexts AS outer ON outer.id = inner.parent "
            "JOIN methods AS caller ON caller.id = outer.method "
            "JOIN methods AS callee ON callee.id = inner.method "
            "WHERE inner.level = 4 GROUP BY 1, 2, 3, 4")
        ways = {(caller, callee): (inlined, same) for caller, callee, inlined, same, samples
                in calls if samples}
        self.assertEqual((0, 0), ways[("rounds", "middle")])
        self.assertNotIn(("middle", "leaf"), {way for way, (inlined, _) in ways.items()
                                              if not inlined})
        unknown, total = self.query("SELECT sum(samples * (compile_id IS NULL)), sum(samples) "
                                    "FROM code_contexts")[0]
        self.assertLess(unknown, 0.05 * total)

    def test_whole_stacks_are_labelled(self):
        # Thousands of methods, natives and the VM's own work among them.
        self.compiler_recorded()
        unknown, total = self.query("SELECT sum(compile_id IS NULL), count(*) FROM code_contexts")[0]
        self.assertGreater(total, 1000)
        self.assertLess(unknown, 0.1 * total)
        # Each compilation that was executed is known, at its level.
        strange = self.query(
            "SELECT DISTINCT s.compile_id FROM code_samples AS s JOIN compilations AS c "
            "ON c.compile_id = s.compile_id AND c.osr = s.osr WHERE c.level != s.level")
        self.assertEqual([], strange)
        known, executed = self.query(
            "SELECT sum(EXISTS(SELECT 1 FROM compilations AS c WHERE c.compile_id = s.compile_id "
            "AND c.osr = s.osr)), count(*) FROM (SELECT DISTINCT compile_id, osr FROM code_samples "
            "WHERE compile_id > 0) AS s")[0]
        self.assertGreater(known, 0.98 * executed)

    def test_each_compilation_is_of_the_method_that_was_found_in_it(self):
        self.compiler_recorded()
        # Where the two walks of a stack disagree, only the innermost frame is labelled, and whether
        # it is inlined is not known; what calls it then has no label.
        labelled = self.query(
            "SELECT m.full_name = j.full_name, outer.compile_id IS NOT NULL "
            "FROM code_contexts AS inner JOIN code_contexts AS outer ON outer.id = inner.parent "
            "JOIN methods AS m ON m.id = inner.method JOIN compilations AS c "
            "ON c.compile_id = inner.compile_id AND c.osr = inner.osr AND c.succeeded "
            "JOIN jit_methods AS j ON j.id = c.method WHERE NOT inner.inlined")
        whole = [is_same for is_same, is_whole in labelled if is_whole]
        self.assertGreater(len(whole), 1000)
        self.assertGreater(len(whole), 0.97 * len(labelled))
        # Glue that Java's stack traces hide stands for what it calls.
        self.assertGreater(sum(whole), 0.99 * len(whole))

    def test_compilations_have_cpu_time_also_when_processors_are_busy(self):
        # All of it shares one processor with another program: the compilers wait most of the time.
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(processors)})
        self.addCleanup(os.sched_setaffinity, 0, processors)
        other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        try:
            self.record(*self.compiler())
        finally:
            other.kill()
            other.wait()
        count, known, took_ns, cpu_ns, beyond = self.query(
            "SELECT count(*), count(cpu_ns), sum(end_ns - start_ns), sum(cpu_ns), "
            "sum(cpu_ns > end_ns - start_ns) FROM compilations WHERE start_ns IS NOT NULL")[0]
        self.assertGreater(count, 100)
        self.assertEqual((count, 0), (known, beyond))
        self.assertLess(cpu_ns, 0.8 * took_ns)
        program_ns = int(self.query(
            "SELECT value FROM config WHERE key = 'cost.program_cpu_ns'")[0][0])
        self.assertLess(cpu_ns, program_ns)
        # Signals come each millisecond of CPU time, and find compilers at work, too: those whose
        # threads there were from the beginning.
        stacks = self.query("SELECT total FROM drops WHERE reason = 'in_compiler'")[0][0]
        self.assertGreater(cpu_ns / 1e6, 0.85 * stacks)

    def test_a_plan_names_the_calls_that_c2_refused(self):
        self.require_module("jdk.jfr")
        self.record(self.java, "-cp", str(self.classes), "Inlining", "20000",
                    options=self.ALL_THE_TIME)
        result = self.yp("plan", self.profile, "--json")
        self.assertEqual(0, result.returncode, result.stderr)
        plan = json.loads(result.stdout)
        # Both calls are made 20 million times.
        large = [row for row in plan["missed"] if row["callee"] == "Inlining.large(I)I"]
        self.assertEqual(["hot method too big"], [row["reason"] for row in large], plan["missed"])
        self.assertGreater(large[0]["bytes_at_least"], 325)
        self.assertFalse(large[0]["oracle_inlines"])
        site = next(row for row in plan["spread"] if row["caller"].startswith("Inlining.work("))
        parts = {target["callee"].split(".")[0]: target["part"] for target in site["targets"]}
        self.assertEqual({f"Inlining${name}" for name in ("Square", "Line", "Point", "Empty")},
                         set(parts))
        self.assertLess(max(parts.values()), 0.4)
        self.assertIn("Inlining.large", self.yp("plan", self.profile).stdout)

    def test_recompilations_are_judged(self):
        self.require_module("jdk.jfr")
        self.record(*self.loop(self.ROUNDS, options=["-XX:CompileCommand=quiet",
                                                     "-XX:CompileCommand=dontinline,Loop::middle"]))
        shown = self.yp("amortize", self.profile)
        self.assertEqual(0, shown.returncode, shown.stderr)
        self.assertRegex(shown.stdout, r"\d+ paid off( \(.*\))?, \d+ did not( \(.*\))?, [\d,]+ undecided")
        rows = json.loads(self.yp("amortize", self.profile, "--json", "--method",
                                  "Loop.middle*").stdout)
        # Which version calls went to before depends on the compilers' queues.
        last = max(rows, key=lambda row: row["start_ms"])
        self.assertEqual(4, last["to"])
        self.assertEqual({"app"}, {row["loader"] for row in rows})
        self.assertNotEqual("did not", last["verdict"], rows)
        if last["calls_after"] is not None:
            # Six deviations: less than one in a million, also where few ticks tell how wide they are.
            width = (last["calls_after_high"] / last["calls_after"]) ** 3
            self.assertLess(0.5 * self.ROUNDS, last["calls_after"] * width)
            self.assertLess(last["calls_after"] / width, self.ROUNDS)
            self.assertLessEqual(last["low_ms"], last["gain_ms"])

    def test_tells_what_other_ways_would_have_saved(self):
        self.compiler_recorded()

        def what_if(*options):
            shown = self.yp("amortize", self.profile, "--what-if", "--json", *options)
            self.assertEqual(0, shown.returncode, shown.stderr)
            return json.loads(shown.stdout)
        each = what_if()
        better = what_if("--better", "level-1")
        self.assertGreater(len(better), 10)
        self.assertEqual([row["method"] for row in each if row["level_1_ms"]["low"] > 0],
                         [row["method"] for row in better])
        together, = what_if("--better", "level-1", "--together")
        self.assertEqual(len(better), together["methods"])
        for key in ("time_ms", "compile_ms"):
            self.assertAlmostEqual(sum(row[key] for row in better), together[key], delta=1e-3)
        saved = together["level_1_ms"]
        self.assertLess(saved["low"], saved["value"])
        self.assertLess(0, saved["value"])
        self.assertLess(saved["value"], together["compile_ms"])
        self.assertLessEqual(0, together["c2_busy"])
        self.assertLessEqual(together["c2_busy"], 1)
        for wrong, said in ((["--what-if", "--better", "sometimes"], "never, level-1, no-c1 or at-once"),
                            (["--better", "never"], "--better requires --what-if"),
                            (["--together"], "--together requires --what-if")):
            refused = self.yp("amortize", self.profile, *wrong)
            self.assertEqual(2, refused.returncode, wrong)
            self.assertIn(said, refused.stderr)

    def test_a_jvm_that_is_killed_leaves_what_was_recorded(self):
        self.require_module("jdk.jfr")
        ready = self.directory / "ready"
        process = self.start([self.yp_path, "run", "--jit", "-o", self.profile, "--", "sh", "-c",
                              '"$@" & echo $! >pid; wait $!', "sh",
                              *self.loop(2 * self.ROUNDS, "forever", ready)])
        self.wait_for(ready.exists, "the rounds")

        def is_written():  # The flight recorder writes once a second.
            spool, = self.spools()
            config = json.loads(self.yp("info", spool, "--json").stdout)["config"]
            chunks = pathlib.Path(config["jit.repository"]).glob("*.jfr")
            shown = [self.yp("amortize", chunk, "--json") for chunk in chunks]
            return any(len(json.loads(each.stdout)) > 10 for each in shown if each.returncode == 0)
        self.wait_for(is_written, "the compilations")
        os.kill(int((self.directory / "pid").read_text()), signal.SIGKILL)
        _, said = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(128 + signal.SIGKILL, process.returncode, said)
        self.assertGreater(self.query("SELECT count(*) FROM compilations")[0][0], 10)
        self.assertGreater(self.query("SELECT sum(samples) FROM code_samples")[0][0], 100)
        shown = self.yp("amortize", self.profile)
        self.assertEqual(0, shown.returncode, shown.stderr)
        self.assertIn("not known: ", shown.stdout)
        self.assertRegex(shown.stdout, "recompilations: ")

    def test_knows_the_code_that_was_there_before_it_attached(self):
        self.require_module("jdk.jfr")
        ready = self.directory / "ready"
        process = self.start(self.loop(self.ROUNDS, "forever", ready))
        self.wait_for(ready.exists, "the rounds")
        attached = self.yp("attach", process.pid, "--jit", "-d", "3s", "-o", self.profile)
        self.assertEqual(0, attached.returncode, attached.stderr)
        earlier = dict(self.query(
            "SELECT j.full_name, max(c.level) FROM compilations AS c "
            "JOIN jit_methods AS j ON j.id = c.method WHERE c.start_ns IS NULL GROUP BY 1"))
        # JDK 17's flight recorder instruments classes when it begins, and the VM then gives all its
        # compiled code up; what it compiled again meanwhile differs from run to run.
        self.assertGreater(len(earlier), 10)
        if self.major != 17:
            self.assertEqual(4, earlier.get("Loop.middle(I)I"), earlier)
        unknown = self.query(
            "SELECT count(*) FROM code_samples AS s WHERE s.compile_id > 0 AND NOT EXISTS("
            "SELECT 1 FROM compilations AS c WHERE c.compile_id = s.compile_id)")[0][0]
        self.assertEqual(0, unknown)

    def test_methods_of_one_name_in_two_loaders_are_two(self):
        self.require_module("jdk.jfr")
        rounds = 20_000_000
        self.record(self.java, "-XX:CompileCommand=quiet",
                    "-XX:CompileCommand=dontinline,TwoLoaders$Work::applyAsLong",
                    "-cp", self.classes, "TwoLoaders", rounds, options=self.ALL_THE_TIME)
        rows = json.loads(self.yp("amortize", self.profile, "--json", "--method",
                                  "TwoLoaders$Work.applyAsLong*").stdout)
        self.assertEqual({"first", "second"}, {row["loader"] for row in rows})
        for loader in ("first", "second"):
            calls = sum(row["calls_after"] or 0 for row in rows if row["loader"] == loader)
            # Nobody has the other's. 20,000 samples: a deviation of 0.7 %. What was called before the
            # probe came is told by stacks, 1,500 of each loader: 3 %. Six of these together are less
            # than the bounds allow: a chance of 1e-8.
            self.assertLess(0.8 * rounds, calls)
            self.assertLess(calls, 1.2 * rounds)
        self.assertEqual(len(rows), len({row["compile_id"] for row in rows}))

    def test_says_what_it_does_not_go_with(self):
        for options in (["--mechanism", "polling"], ["--mode", "exact"], ["--probe", "bytecode"]):
            result = self.yp("run", "--jit", *options, "--", *self.loop(1))
            self.assertEqual(2, result.returncode)
            self.assert_one_line(result.stderr, "--jit")


if __name__ == "__main__":
    main(Jit, since=11)
