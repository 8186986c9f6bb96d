import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from eval.jdks import Jdk
from eval.openjdk_tests import jdk_folder

TELLS = '#!/bin/sh\nprintf "%s\\n" "$0" "$@"\n'
# yp, which starts what is behind --.
PASSES_ON = '#!/bin/sh\necho "yp $1 $2"\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'


def executable(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return file


class JavaOfTheFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        self.java = executable(root / "real jdk" / "bin" / "java", TELLS)
        executable(root / "real jdk" / "bin" / "javac", TELLS)
        (root / "real jdk" / "release").write_text("of the real one", encoding="utf-8")
        yp = executable(root / "yp", PASSES_ON)
        self.made = jdk_folder.make(root / "made", Jdk(root / "real jdk", 17, "17.0.9"), yp,
                                    ["--inline=static"])

    def said(self, *arguments: str) -> list[str]:
        return subprocess.run([self.made.home / "bin" / "java", *arguments], check=True,
                              capture_output=True, text=True).stdout.splitlines()

    def test_is_yp_aos_with_its_options_on_the_real_one(self):
        first, java, log, *rest = self.said("-cp", "a b", "", "$Main")
        self.assertEqual("yp aos --inline=static", first)
        self.assertEqual(str(self.java), java)
        self.assertEqual(f"-Xlog:jit+compilation=debug:file={self.made.logs}/%p.log", log)
        self.assertEqual([*jdk_folder.EAGER, "-cp", "a b", "", "$Main"], rest)

    def test_has_thresholds_behind_those_of_yp_aos(self):
        executable(self.made.home.parent.parent / "yp", '#!/bin/sh\n'
                   'while [ "$1" != -- ]; do shift; done\nshift\njava=$1\nshift\n'
                   'exec "$java" -XX:Tier4InvocationThreshold=400 "$@"\n')
        thresholds = [word for word in self.said("Main") if "Tier4InvocationThreshold" in word]
        self.assertEqual(jdk_folder.EAGER[0], thresholds[-1])

    def test_waits_for_the_compiler_where_all_is_to_be_compiled(self):
        self.assertEqual(["-ea", "-Xbatch", "Main"], self.said("-ea", "-Xcomp", "Main")[-3:])

    def test_is_the_real_one_where_nothing_is_compiled_and_for_the_choice_of_tests(self):
        for word in ("-Xint", "com.sun.javatest.regtest.agent.GetJDKProperties"):
            self.assertEqual([str(self.java), "-ea", word, "x"], self.said("-ea", word, "x"))

    def test_ends_when_yp_is_killed(self):
        executable(self.java, "#!/bin/sh\necho $$\nexec sleep 60\n")
        yp = executable(self.made.home.parent.parent / "yp",
                        '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\n"$@"\nexit\n')
        running = subprocess.Popen([self.made.home / "bin" / "java"], stdout=subprocess.PIPE, text=True)
        assert running.stdout
        java = os.pidfd_open(int(running.stdout.readline()))
        self.addCleanup(os.close, java)
        self.assertTrue(yp.exists())
        running.kill()
        running.communicate(timeout=30)  # The java holds the pipe open until it ends.

    def test_stands_in_a_folder_with_all_else_of_the_real_one(self):
        self.assertEqual("of the real one", (self.made.home / "release").read_text("utf-8"))
        self.assertEqual(self.java.parent / "javac", (self.made.home / "bin" / "javac").resolve())


class Compilations(unittest.TestCase):
    def test_are_those_of_the_highest_level_that_are_of_bytecode(self):
        with tempfile.TemporaryDirectory() as folder:
            logs = Path(folder)
            (logs / "1.log").write_text(
                "[0.026s][debug][jit,compilation]    1     n 0       java.lang.A::b(L)L (native)   (static)\n"
                "[0.027s][debug][jit,compilation]    4     n 4       java.lang.A::b(L)L (native)   (static)\n"
                "[0.057s][debug][jit,compilation]   18       4       java.lang.S::equals (36 bytes)\n"
                "[0.058s][debug][jit,compilation]   19 %  b  4       java.lang.S::loop @ 12 (36 bytes)\n"
                "[0.058s][debug][jit,compilation]   20       1       java.lang.S::c1 (4 bytes)\n", "utf-8")
            (logs / "3.log").write_text(
                "[0.691s][debug][jit,compilation]  303 %  b        compiler.T::loop @ 13 (48 bytes)\n"
                "[0.692s][debug][jit,compilation]  304     n       java.lang.A::b(L)L (native)\n", "utf-8")
            (logs / "2.log").write_text("", "utf-8")
            self.assertEqual((2, 3), jdk_folder.compilations(logs))


if __name__ == "__main__":
    unittest.main()
