"""What the compilers do is recorded as the VM itself tells it, all of it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import unittest
from dataclasses import dataclass
from pathlib import Path

from eval import jdks
from hotspot.integration import jvm
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

# "    123   45 %   b  4       programs.Compiled::work @ 12 (80 bytes)", with nothing behind it.
LINE = re.compile(r"^\s*\d+\s+(?P<id>\d+)\s+(?P<flags>[%sb!n ]*?)\s+(?P<level>[0-4])\s+"
                  r"(?P<method>\S+)(?: @ (?P<bci>-?\d+))? \((?P<bytes>\d+) bytes\)\s*$")


SUM = "programs.Compiled.sum(Lprograms/Compiled$Shape;I)I"


@dataclass(frozen=True)
class Compilation:
    number: int
    level: int
    is_osr: bool
    method: str  # "programs.Compiled::work"


def without_address(name: str) -> str:
    """A hidden class's name ends in an address, which not all write alike."""
    return re.sub(r"[/+.]0x[0-9a-f]+(/\d+)?", "", name)


def printed(output: str) -> set[Compilation]:
    """By -XX:+PrintCompilation, while the program was at work."""
    # The program's lines may come in the middle of the VM's.
    lines = output[output.index("begin\n"):output.rindex("end\n")].splitlines()
    found = (LINE.match(line) for line in lines)
    return {Compilation(int(m["id"]), int(m["level"]), "%" in m["flags"],
                        without_address(m["method"]))
            for m in found if m and "n" not in m["flags"]}


def events(jdk: jdks.Jdk, recording: Path, name: str) -> list[dict]:
    """As the JDK's own tool reads them."""
    text = subprocess.run([jdk.home / "bin" / "jfr", "print", "--json", "--events", name, recording],
                          capture_output=True, text=True, check=True,
                          timeout=jvm.TIMEOUT_SECONDS).stdout
    return [event["values"] for event in json.loads(text)["recording"]["events"]]


def compiled_in(repository: Path) -> set[str]:
    """By what stands in its chunks: JDK 25's own tool wants those that were closed."""
    methods = set()
    for chunk in repository.rglob("*.jfr"):
        try:
            methods |= {row["method"] for row in jvm.read("amortize", chunk)}
        except AssertionError:
            pass  # There is nothing in it yet.
    return methods


def recorded(jdk: jdks.Jdk, recording: Path) -> set[Compilation]:
    return {Compilation(event["compileId"], event["compileLevel"], event["isOsr"],
                        without_address(event["method"]["type"]["name"]).replace("/", ".")
                        + "::" + event["method"]["name"])
            for event in events(jdk, recording, "jdk.Compilation")}


def recording_of(spool: Path) -> Path:
    return spool.with_name(spool.name + ".jfr")


class JitTest(JvmTestCase):
    @on_each_jdk(module="jdk.jfr")
    def test_every_compilation_is_recorded(self, jdk):
        spool = self.new_spool()
        outcome = self.run_java(jdk, "programs.Compiled", "1000", agent=f"spool={spool},jit=yes",
                                jvm=["-XX:+PrintCompilation"])
        self.assertEqual((0, "done\n"), (outcome.exit_code, outcome.stderr))
        of_vm = printed(outcome.stdout)
        self.assertGreater(len(of_vm), 10)
        self.assertLessEqual({3, 4}, {each.level for each in of_vm})
        self.assertTrue(any(each.is_osr for each in of_vm))
        self.assertEqual(set(), of_vm - recorded(jdk, recording_of(spool)))
        self.assertEqual("jfr", jvm.Recording(spool).info["config"]["jit"])

    @on_each_jdk(since=17)  # JDK 11 has no event of deoptimizations.
    def test_inlining_and_deoptimisations_are_recorded(self, jdk):
        spool = self.new_spool()
        # In step with the compilers: they have made `sum` when it meets a class that is new to it.
        self.run_java(jdk, "programs.Compiled", "500", agent=f"spool={spool},jit=yes",
                      jvm=["-Xbatch"])
        inlined = {(event["caller"]["name"], event["callee"]["name"], event["succeeded"])
                   for event in events(jdk, recording_of(spool), "jdk.CompilerInlining")
                   if event["caller"]["type"]["name"] == "programs/Compiled"}
        self.assertIn(("sum", "area", True), inlined)
        traps = [event for event in events(jdk, recording_of(spool), "jdk.Deoptimization")
                 if event["method"]["type"]["name"] == "programs/Compiled"]
        self.assertIn("sum", {event["method"]["name"] for event in traps})

    @on_each_jdk()
    def test_a_vm_without_flight_recorder_says_so_and_goes_on(self, jdk):
        spool = self.new_spool()
        outcome = self.run_java(jdk, "programs.Compiled", "100", agent=f"spool={spool},jit=yes",
                                jvm=["--limit-modules", "java.base"])
        self.assertEqual((0, "begin\nend\n"), (outcome.exit_code, outcome.stdout))
        said, done = outcome.stderr.splitlines()
        self.assertRegex(said, r"has no module jdk\.jfr: .*jlink --add-modules jdk\.jfr.*; goes on without")
        self.assertEqual("done", done)
        self.assertRegex(jvm.Recording(spool).info["config"]["jit"], "^none: ")

    @staticmethod
    def is_in(jdk: jdks.Jdk, recording: Path) -> bool:
        """Whether it has been written as a whole, with what was compiled."""
        try:
            return "programs.Compiled::sum" in {each.method for each in recorded(jdk, recording)}
        except subprocess.CalledProcessError:
            return False

    def wait_for_end(self, process: subprocess.Popen) -> None:
        self.assertEqual("done\n", process.stderr.readline())

    @on_each_jdk(module="jdk.jfr")
    def test_a_recording_that_ends_by_itself_is_complete(self, jdk):
        spool = self.new_spool()
        arguments = jvm.command(jdk, "programs.Compiled", "500", "endless",
                                agent=f"spool={spool},jit=yes,duration_ms=3000")
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            try:
                self.wait_for_end(process)
                jvm.wait_until(lambda: self.is_in(jdk, recording_of(spool)))
            finally:
                process.kill()

    @on_each_jdk(module="jdk.jfr")
    def test_of_a_vm_that_is_killed_the_repository_keeps_what_was(self, jdk):
        spool = self.new_spool()
        arguments = jvm.command(jdk, "programs.Compiled", "500", "endless",
                                agent=f"spool={spool},jit=yes",
                                jvm=[f"-XX:FlightRecorderOptions=repository={self.folder}/jfr"])
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            self.wait_for_end(process)
            # The flight recorder writes once a second.
            repository = self.folder / "jfr"
            jvm.wait_until(lambda: SUM in compiled_in(repository))
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=jvm.TIMEOUT_SECONDS)
        self.assertFalse(recording_of(spool).exists() and recording_of(spool).stat().st_size)
        repository = Path(jvm.Recording(spool).info["config"]["jit.repository"])
        self.assertIn(SUM, compiled_in(repository))

    @on_each_jdk(module="jdk.jfr")
    def test_the_program_is_not_disturbed(self, jdk):
        for halt in ([], ["halt"]):
            outcome = self.run_java(jdk, "programs.Compiled", "300", *halt,
                                    agent=f"spool={self.new_spool()},jit=yes")
            self.assertEqual((0, "begin\nend\n", "done\n"),
                             (outcome.exit_code, outcome.stdout, outcome.stderr))


if __name__ == "__main__":
    unittest.main()
