"""Recordings in a JVM that is already running, one after the other."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

from eval import jdks
from hotspot.integration import attaching, expected_calls, jvm, programs
from hotspot.integration.bytecode import class_files
from hotspot.integration.jvm import JvmTestCase, Recording, on_each_jdk

ROUNDS = 30000


class Served:
    """programs.Served, or another that runs until its input ends, in a process."""

    def __init__(self, jdk: jdks.Jdk, program: str = "Served", classes: str = "classes") -> None:
        self.jdk = jdk
        # A JDK that warns of agents that are loaded later does so of any agent.
        flags = ["-XX:+EnableDynamicAgentLoading"] if jdk.major >= 21 else []
        self.process = subprocess.Popen(
            jvm.command(jdk, f"programs.{program}", jvm=flags, classes=classes),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def work(self) -> str:
        self.process.stdin.write(f"{ROUNDS}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def agent(self, options: str, *, force: bool = True) -> str:
        if force and "spool=" in options and jvm.may_crash_when_rewritten(self.jdk):
            options += ",force=true"
        return attaching.jcmd(self.process.pid, "JVMTI.agent_load", str(jvm.AGENT), f'"{options}"')

    def end(self) -> tuple[int, str, str]:
        stdout, stderr = self.process.communicate(timeout=jvm.TIMEOUT_SECONDS)
        return self.process.returncode, stdout, stderr


class AttachTest(JvmTestCase):
    def serve(self, jdk: jdks.Jdk, *program: str) -> Served:
        served = Served(jdk, *program)
        self.addCleanup(served.process.wait)
        self.addCleanup(served.process.kill)
        return served

    def check_counts(self, spool: Path, program: str = "Served", classes: str = "classes") -> None:
        recording = Recording(spool)
        self.assertTrue(recording.info["complete"])
        source = programs.FOLDER / classes.replace("classes", "java") / "programs"
        problems = expected_calls.differences(recording.edges,
                                              expected_calls.read(source / f"{program}.java"),
                                              class_files(jvm.PROGRAMS / classes))
        self.assertEqual([], problems, "\n" + "\n".join(problems))

    @on_each_jdk()
    def test_three_rounds_each_count_exactly_what_is_called_in_them(self, jdk):
        served = self.serve(jdk)
        answer = served.work()
        for _ in range(3):
            spool = self.new_spool()
            served.agent(f"spool={spool},mode=exact")
            self.assertEqual(answer, served.work())
            served.agent("command=stop")
            self.assertEqual(answer, served.work())  # Not recorded.
            self.check_counts(spool)
        self.assertEqual((0, "", ""), served.end())

    @on_each_jdk()
    def test_sampling_and_counting_take_turns(self, jdk):
        served = self.serve(jdk)
        answer = served.work()
        sampled = "mode=cbs,policy=countdown,interval=100,budget_ppm=0,trivial=include"
        for options in (sampled, "mode=exact", sampled, "mode=exact"):
            spool = self.new_spool()
            served.agent(f"spool={spool},{options}")
            self.assertEqual(answer, served.work())
            served.agent("command=stop")
            if options == "mode=exact":
                self.check_counts(spool)
            else:
                samples = Recording(spool).info["samples"]
                # 90,001 calls.
                self.assertTrue(600 < samples < 1200, samples)
        self.assertEqual((0, "", ""), served.end())

    @on_each_jdk(since=17)
    def test_edges_are_found_again_in_each_recording(self, jdk):
        served = self.serve(jdk)
        answer = served.work()
        found = []
        for mode in ("exact", "edges", "exact", "edges"):
            spool = self.new_spool()
            served.agent(f"spool={spool},mode={mode}")
            self.assertEqual(answer, served.work())
            served.agent("command=stop")
            found.append({(edge.caller, edge.bci, edge.callee)
                          for edge in Recording(spool).edges})
        self.assertTrue(found[0])
        self.assertEqual([found[0]] * 3, found[1:])
        self.assertEqual((0, "", ""), served.end())

    @on_each_jdk()
    def test_edges_that_are_found_while_the_probe_is_put_in_are_there(self, jdk):
        spools = self.new_spool(), self.new_spool()
        endless = self.serve(jdk, "Endless")
        for spool in spools:
            endless.agent(f"spool={spool},mode=edges")
            # On a busy machine nothing may have run since then.
            self.assertEqual("went on\n", endless.work())
            endless.agent("command=stop")
        self.assertEqual((0, "", ""), endless.end())
        for spool in spools:
            self.assertEqual({"programs.Endless$One.next(I)I", "programs.Endless$Two.next(I)I",
                              "programs.Endless.step(Lprograms/Endless$Next;I)I"},
                             {edge.callee for edge in Recording(spool).edges})

    @on_each_jdk(since=17)
    def test_counting_after_edges_has_the_same_edges(self, jdk):
        found, counted = self.new_spool(), self.new_spool()
        endless = self.serve(jdk, "Endless")
        for spool, mode in ((found, "edges"), (counted, "exact")):
            endless.agent(f"spool={spool},mode={mode}")
            # Two call sites of step, and what it calls.
            jvm.wait_until(lambda spool=spool: len(Recording(spool).edges) >= 4)
            endless.agent("command=stop")
        self.assertEqual((0, "", ""), endless.end())
        edges = [{(edge.caller, edge.bci, edge.callee) for edge in Recording(spool).edges}
                 for spool in (found, counted)]
        self.assertEqual(edges[0], edges[1])

    @on_each_jdk(since=21)
    def test_counting_after_sampling_on_virtual_threads(self, jdk):
        program = ("VirtuallyServed", "classes21")
        served = self.serve(jdk, *program)
        answer = served.work()
        for options in ("mode=cbs,policy=countdown,interval=100,budget_ppm=0", "mode=exact"):
            spool = self.new_spool()
            served.agent(f"spool={spool},{options}")
            self.assertEqual(answer, served.work())
            served.agent("command=stop")
        self.check_counts(spool, *program)
        self.assertEqual((0, "", ""), served.end())

    @on_each_jdk(since=17)
    def test_a_recording_ends_by_itself_after_its_duration(self, jdk):
        served = self.serve(jdk)
        answer = served.work()
        for _ in range(2):
            spool = self.new_spool()
            served.agent(f"spool={spool},mode=exact,duration_ms=4000")
            self.assertEqual(answer, served.work())
            jvm.wait_until(lambda: Recording(spool).info["complete"])
            self.assertEqual(answer, served.work())
            self.check_counts(spool)
        self.assertEqual((0, "", ""), served.end())

    @on_each_jdk(until=11)
    def test_an_old_jdk_that_may_crash_is_not_rewritten_while_it_runs(self, jdk):
        if not jvm.may_crash_when_rewritten(jdk):
            self.skipTest(f"JDK {jdk.version} does not crash")
        served = self.serve(jdk)
        answer = served.work()
        for mode in ("exact", "edges", "cbs,probe=bytecode"):
            spool = self.new_spool()
            self.assertNotIn("return code: 0",
                             served.agent(f"spool={spool},mode={mode}", force=False))
            self.assertEqual(answer, served.work())
        code, stdout, stderr = served.end()
        self.assertEqual((0, ""), (code, stdout))
        self.assertRegex(stderr, r"^(yieldpoint: a JDK 11 as old as this one may crash [^\n]*\n){3}$")

    @on_each_jdk()
    def test_a_second_recording_at_the_same_time_is_refused(self, jdk):
        served = self.serve(jdk)
        answer = served.work()
        first, second = self.new_spool(), self.new_spool()
        served.agent(f"spool={first},mode=exact")
        reply = served.agent(f"spool={second},mode=exact")
        self.assertNotIn("return code: 0", reply)
        self.assertFalse(second.exists())
        self.assertEqual(answer, served.work())
        served.agent("command=stop")
        self.check_counts(first)
        code, stdout, stderr = served.end()
        self.assertEqual((0, ""), (code, stdout))
        self.assertRegex(stderr, r"^yieldpoint: a recording is under way [^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
