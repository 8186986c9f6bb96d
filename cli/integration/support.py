"""What the integration tests share: finding JDKs, building the test programs, running yp."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# A guard against what hangs: machines with other work on them are slow.
TIMEOUT_S = 400


def _major(home):
    """The feature release of a JDK, or None for what is none."""
    try:
        release = (home / "release").read_text()
    except OSError:
        return None
    found = re.search(r'JAVA_VERSION="(\d+)', release)
    if not found or not (home / "lib/server/libjvm.so").exists():
        return None
    return int(found.group(1))


def find_jdks():
    """Home directories of HotSpot JDKs by feature release; some have no compiler."""
    candidates = [pathlib.Path(p) for p in os.environ.get("YP_TEST_JDKS", "").split(":") if p]
    candidates += sorted(pathlib.Path("/usr/lib/jvm").glob("*"))
    jdks = {}
    for home in candidates:
        major = _major(home)
        if major is not None and (home / "bin/java").exists():
            jdks.setdefault(major, home)
    return jdks


TESTED = (11, 17, 25)
JDKS = find_jdks()
# That compiles the programs.
OLDEST = next((JDKS[major] for major in sorted(JDKS) if (JDKS[major] / "bin/javac").exists()), None)


def build_programs(directory):
    """Compiles testdata/ for the oldest JDK, and packs the rewriting agent."""
    sources = [str(p) for p in sorted((HERE / "testdata").glob("*.java"))]
    subprocess.run([OLDEST / "bin/javac", "--release", "11", "-g", "-Xlint:-options", "-d",
                    directory, *sources], check=True)
    manifest = directory / "manifest"
    manifest.write_text("Premain-Class: RewritingAgent\nCan-Retransform-Classes: true\n")
    subprocess.run([OLDEST / "bin/jar", "cfm", directory / "agent.jar", manifest, "-C", directory,
                    "RewritingAgent.class"], check=True)


def provide_programs(directory):
    """Copies what ctest has built for all tests; builds where one is run by itself."""
    built = os.environ.get("YP_TEST_CLASSES")
    if built and pathlib.Path(built).is_dir():
        shutil.copytree(built, directory, dirs_exist_ok=True)
    else:
        build_programs(directory)


def has_module(home, module):
    """Whether a run time that was made for a purpose has that module of the JDK's."""
    modules = re.search(r'MODULES="([^"]*)"', (home / "release").read_text())
    return modules is not None and module in modules.group(1).split()


class JvmTest(unittest.TestCase):
    """A directory of its own for each test; yp and the programs at hand."""

    major = None  # Subclasses name the feature release.

    @classmethod
    def setUpClass(cls):
        if cls.major not in JDKS:
            raise unittest.SkipTest(
                f"NOT TESTED: there is no JDK {cls.major} here (see YP_TEST_JDKS)")
        cls.java = str(JDKS[cls.major] / "bin/java")
        cls.yp_path = os.environ["YP_PROGRAM"]
        cls._classes = tempfile.TemporaryDirectory(prefix="yp-classes-")
        cls.classes = pathlib.Path(cls._classes.name)
        provide_programs(cls.classes)

    @classmethod
    def tearDownClass(cls):
        if hasattr(cls, "_classes"):
            cls._classes.cleanup()

    def setUp(self):
        self._directory = tempfile.TemporaryDirectory(prefix="yp-it-")
        self.directory = pathlib.Path(self._directory.name)
        self.addCleanup(self._directory.cleanup)
        self.profile = self.directory / "p.yp"

    def loop(self, *arguments, options=()):
        """The command that runs Loop."""
        return [self.java, *options, "-cp", str(self.classes), "Loop", *map(str, arguments)]

    def require_module(self, module):
        if not has_module(JDKS[self.major], module):
            self.skipTest(f"NOT TESTED: this JDK {self.major} has no {module}")

    def compiler(self):
        """The command that compiles some Java: a program of thousands of methods."""
        self.require_module("jdk.compiler")
        sources = sorted((ROOT / "hotspot" / "integration" / "java").rglob("*.java"))
        return [self.java, "-m", "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-nowarn",
                "-d", self.directory / "compiled", *sources]

    def yp(self, *arguments, **kwargs):
        """Runs yp to its end."""
        return subprocess.run([self.yp_path, *map(str, arguments)], cwd=self.directory, text=True,
                              capture_output=True, timeout=TIMEOUT_S, check=False, **kwargs)

    def start(self, command, **kwargs):
        """Starts a command in a process group of its own; ended with the test at the latest."""
        process = subprocess.Popen(list(map(str, command)), cwd=self.directory, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, **kwargs)
        self.addCleanup(self._end, process)
        return process

    @staticmethod
    def _end(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()

    def wait_for(self, condition, what):
        """Polls until the condition holds."""
        deadline = time.monotonic() + TIMEOUT_S
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"waited in vain for {what}")
            time.sleep(0.02)

    def run_loop(self, *arguments, yp_options=(), java_options=(), **kwargs):
        """yp run on Loop, exact, into self.profile."""
        return self.yp("run", "--mode", "exact", *yp_options, "-o", self.profile, "--",
                       *self.loop(*arguments, options=java_options), **kwargs)

    def edges(self, profile=None):
        """The calls of each (caller's name, callee's name) of a profile or spool."""
        result = self.yp("edges", profile or self.profile, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        calls = {}
        for edge in json.loads(result.stdout):
            key = tuple(edge[end].split("(")[0].split(".")[-1] for end in ("caller", "callee"))
            calls[key] = calls.get(key, 0) + edge["calls"]
        return calls

    def assert_exact_counts(self, rounds, profile=None):
        edges = self.edges(profile)
        self.assertEqual(edges.get(("middle", "leaf")), 10 * rounds)
        self.assertEqual(edges.get(("rounds", "middle")), rounds)

    def assert_one_line(self, text, *words):
        """Exactly one line of yp's own, with these words."""
        lines = [line for line in text.splitlines() if line.startswith("yp: ")]
        self.assertEqual(len(lines), 1, text)
        for word in words:
            self.assertIn(word, lines[0])

    def spools(self):
        return sorted(self.directory.glob("*.yp-spool"))


def main(*tests, since=17):
    """Makes a class per JDK of each mix-in, from that version on, and runs them."""
    module = sys.modules["__main__"]
    if not JDKS:
        print("NOT TESTED: no JDK under /usr/lib/jvm", file=sys.stderr)
    for test in tests:
        for major in sorted(m for m in {*TESTED, *JDKS} if m >= since):
            name = f"{test.__name__}OnJdk{major}"
            setattr(module, name, type(name, (test, JvmTest), {"major": major,
                                                               "__module__": "__main__"}))
    unittest.main(verbosity=2)



