"""How tests run programs with the compiler, and with how little heap."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Sequence

from eval import jdks

CLI = Path(os.environ.get("YP_CLI", ""))
GENERATE = Path(os.environ.get("YP_GENERATE", ""))
FOLDER = Path(__file__).resolve().parent
VERSIONS = (17, 25)
TIMEOUT_SECONDS = 240.0
MEMORY = ("-Xmx160m", "-Xms32m", "-Xss1m", "-XX:-UsePerfData")
COLLECTORS = ("Serial", "Parallel", "G1")
# Methods are compiled after few calls, so that much of a short run is compiled code. The program does
# not wait for it (-XX:-BackgroundCompilation): HotSpot looks at a JVMCI compiler ten times a second.
EAGER = ("-XX:Tier4InvocationThreshold=20", "-XX:Tier4MinInvocationThreshold=5",
         "-XX:Tier4CompileThreshold=30", "-XX:Tier4BackEdgeThreshold=200")
# A young generation that is collected all the time, and a heap that is verified each time.
STRESS = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC", "-Xmn3m")


def run(argv: Sequence[object]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in argv], capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS)


def compile_java(sources: Sequence[Path], place: Path, jdk: int = 17, release: int = 11) -> None:
    subprocess.run([jdks.find(jdk).javac, "-nowarn", "-Xlint:none", "--release", str(release), "-d",
                    place, *sources], check=True, capture_output=True)


class CompilerTest(unittest.TestCase):
    """With a folder for classes, and the JDKs that there are."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.classes = Path(folder.name)
        cls.jdks = [jdk for jdk in map(jdks.find, VERSIONS) if jdk]

    def java(self, jdk: jdks.Jdk, *arguments: object) -> list[object]:
        return [jdk.java, *MEMORY, *arguments]

    def aos(self, *java: object, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        return run([CLI, "aos", *options, "--", *java])
