"""How tests run programs with the compiler, and with how little heap.

python3 -m compiler.integration.programs OUT compiles the programs once for all of them, and what the
generated classes run in.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Iterator, Sequence

from eval import jdks

CLI = Path(os.environ.get("YP_CLI", ""))
GENERATE = Path(os.environ.get("YP_GENERATE", ""))
PROGRAMS = Path(os.environ.get("YP_PROGRAMS", ""))
FOLDER = Path(__file__).resolve().parent
VERSIONS = (17, 25)
TIMEOUT_SECONDS = 240.0
MEMORY = ("-Xmx160m", "-Xms32m", "-Xss1m", "-XX:-UsePerfData")
COLLECTORS = ("Serial", "Parallel", "G1")
# Whether tests try each collector on each JDK, as a stress run does; else each of both once.
ALL_PAIRS = bool(os.environ.get("YP_ALL_PAIRS"))
# Methods are compiled after few calls, so that much of a short run is compiled code. The program does
# not wait for it (-XX:-BackgroundCompilation): HotSpot looks at a JVMCI compiler ten times a second.
EAGER = ("-XX:Tier4InvocationThreshold=20", "-XX:Tier4MinInvocationThreshold=5",
         "-XX:Tier4CompileThreshold=30", "-XX:Tier4BackEdgeThreshold=200")
# Unloading and Loaders wait until some of their methods are compiled.
WAIT = "-Dwait=true"
# A young generation that is collected all the time, and verified each time: what compiled code can
# harm, which is half of the work.
STRESS = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC",
          "-XX:VerifySubSet=threads,heap,codecache,jni_handles", "-Xmn3m")


def run(argv: Sequence[object]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in argv], capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS)


@functools.lru_cache(maxsize=None)
def _run_once(argv: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return run(argv)


def compile_programs(out: Path) -> None:
    jdk17, jdk25 = map(jdks.find, VERSIONS)
    if not (jdk17 or jdk25):
        raise SystemExit("no JDK 17 or 25 with a compiler is installed")

    def compile_java(jdk: jdks.Jdk, sources: Sequence[Path], *options: str) -> None:
        subprocess.run([jdk.javac, "-nowarn", "-Xlint:none", *options, "-d", out, *sources], check=True)

    # It uses a package of the JDK's own, which --release hides.
    internal = FOLDER / "java" / "ReservedStack.java"
    sources = [*(FOLDER / "java").glob("*.java"), *(FOLDER.parent / "differential" / "java").rglob("*.java")]
    compile_java(jdk17 or jdk25, sorted(set(sources) - {internal}), "--release", "11")
    compile_java(jdk17 or jdk25, [internal], "--source", "11", "--target", "11", "--add-exports",
                 "java.base/jdk.internal.vm.annotation=ALL-UNNAMED")
    if jdk25:
        compile_java(jdk25, sorted((FOLDER / "java25").glob("*.java")), "--release", "25", "-cp", out)


def generated_program(place: Path, seeds: str) -> tuple[object, ...]:
    """Runs the methods of generated classes, "FIRST:COUNT" unless YP_SEEDS says others; made in that
    folder of compiled programs."""
    first, count = map(int, os.environ.get("YP_SEEDS", seeds).split(":"))
    print(f"seeds {first} to {first + count - 1}; others: YP_SEEDS=FIRST:COUNT", flush=True)
    subprocess.run([GENERATE, str(first), str(count), place], check=True)
    names = [f"yieldpoint.generated.G{seed}" for seed in range(first, first + count)]
    return ("-cp", place, "yieldpoint.generated.Differential", 3, 100, *names)


def redefining_agent(classes: Path, jdk: jdks.Jdk) -> Path:
    """Of Redefining.java; made in that folder of compiled programs."""
    manifest = classes / "manifest"
    manifest.write_text("Premain-Class: Redefining\nCan-Redefine-Classes: true\n")
    agent = classes / "redefining.jar"
    subprocess.run([jdk.java.parent / "jar", "cfm", agent, manifest, "-C", classes,
                    "Redefining.class"], check=True, capture_output=True)
    return agent


class CompilerTest(unittest.TestCase):
    """With a folder of the compiled programs, to which a test may add, and the JDKs that there are."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.classes = Path(folder.name) / "classes"
        shutil.copytree(PROGRAMS, cls.classes)
        cls.jdks = [jdk for jdk in map(jdks.find, VERSIONS) if jdk]

    def pairs(self, collectors: Sequence[str] = COLLECTORS) -> Iterator[tuple[jdks.Jdk, str]]:
        """JDKs with the option that chooses a collector: each of both at least once."""
        options = [f"-XX:+Use{collector}GC" for collector in collectors]
        if ALL_PAIRS:
            return itertools.product(self.jdks, options)
        newest_first = self.jdks[::-1]
        return itertools.islice(zip(itertools.cycle(newest_first), itertools.cycle(options)),
                                max(len(newest_first), len(options)))

    def java(self, jdk: jdks.Jdk, *arguments: object) -> list[object]:
        return [jdk.java, *MEMORY, *arguments]

    def interpreted(self, jdk: jdks.Jdk, *program: object) -> subprocess.CompletedProcess[str]:
        """What the interpreter makes of a program, whose classes do not change meanwhile: it runs
        once."""
        return _run_once(tuple(map(str, self.java(jdk, "-Xint", *program))))

    def aos(self, *java: object, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        # Programs read of compiled methods what is said of them.
        said = ["--verbose"] if WAIT in java and "--verbose" not in options else []
        return run([CLI, "aos", *said, *options, "--", *java])

    def edges(self, profile: Path) -> list[dict]:
        result = run([CLI, "edges", profile, "--json"])
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def refuse(self, *options: str) -> str:
        """What yp aos says of options that it does not take."""
        result = self.aos(self.jdks[0].java, "-version", options=options)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def virtual_threads(self) -> tuple[jdks.Jdk, tuple[object, ...]]:
        """The JDK that has them, and the program."""
        jdk = jdks.find(25)
        if jdk is None:
            self.skipTest("no JDK 25")
        return jdk, ("-cp", self.classes, "VirtualThreads")


if __name__ == "__main__":
    compile_programs(Path(sys.argv[1]))
