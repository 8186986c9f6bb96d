"""What yp_manual writes, used by those it is for: bash, zsh and a formatter of manual pages.

The environment variable YP_MANUAL has the path of yp_manual.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_yp
printf '%s\\n' "${COMPREPLY[@]}"
"""


def without_steps_back(shown):
    """What a terminal shows where a backspace makes the next character replace the one before."""
    return re.sub(rb".\x08", b"", shown)


class ShellsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run([os.environ["YP_MANUAL"], cls.folder], check=True)
        for name in ("app.yp", "old.yp-spool", "notes.txt", "with blank.yp"):
            (cls.folder / name).touch()

    def bash(self, *words):
        script = self.folder / "bash-completion" / "completions" / "yp"
        done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", script, *words], check=True,
                              capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(self.bash("yp", "se"), ["serve", "selfcheck"])
        self.assertEqual(self.bash("yp", "run", "--mod"), ["--mode"])
        self.assertEqual(self.bash("yp", "--v"), ["--version"])

    def test_bash_completes_values(self):
        self.assertEqual(self.bash("yp", "run", "--mode", "ex"), ["exact"])
        self.assertEqual(self.bash("yp", "run", "--mode", "=", "e"), ["exact", "edges"])
        self.assertEqual(self.bash("yp", "run", "--mode", "="),
                         ["exact", "cbs", "timer", "patching", "edges"])

    def test_bash_completes_profiles(self):
        self.assertEqual(sorted(self.bash("yp", "top", "")),
                         ["app.yp", "bash-completion", "man", "old.yp-spool", "with blank.yp", "zsh"])
        self.assertEqual(self.bash("yp", "top", "w"), ["with blank.yp"])

    def test_bash_leaves_the_users_command_alone(self):
        self.assertIn("bash", self.bash("yp", "run", "--", "bas"))
        self.assertEqual(self.bash("yp", "run", "--", "cat", "notes"), ["notes.txt"])
        self.assertEqual(self.bash("yp", "diff", "old.yp", "--", "a"), ["app.yp"])

    def zsh(self, keys, expected):
        """Types into an interactive zsh until it shows what is expected."""
        environment = dict(os.environ, TERM="dumb", ZDOTDIR=str(self.folder), PS1="ready> ")
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
        shown = b""

        def wait_for(text):
            nonlocal shown
            end = time.monotonic() + 60
            while text not in without_steps_back(shown) and time.monotonic() < end:
                if select.select([terminal], [], [], 1)[0]:
                    try:
                        shown += os.read(terminal, 4096)
                    except OSError:
                        break
            self.assertIn(text, without_steps_back(shown))

        try:
            setup = (f"fpath=({self.folder}/zsh/vendor-completions $fpath); autoload -Uz compinit; "
                     f"compinit -u -d {self.folder}/dump; "
                     "echo all' 'set\n")
            os.write(terminal, setup.encode())
            wait_for(b"all set")
            os.write(terminal, keys.encode())
            wait_for(expected.encode())
        finally:
            os.close(terminal)
            os.waitpid(pid, 0)

    def test_zsh_completes_commands_options_and_values(self):
        self.zsh("yp self\t", "yp selfcheck")
        self.zsh("yp run --mo\tex\t", "yp run --mode=exact")
        self.zsh("yp top ap\t", "yp top app.yp")
        self.zsh("yp diff old.yp -- ap\t", "yp diff old.yp -- app.yp")
        self.zsh("yp run -- cat notes\t", "yp run -- cat notes.txt")

    def test_manual_pages_are_well_formed(self):
        pages = sorted((self.folder / "man" / "man1").iterdir())
        self.assertGreater(len(pages), 10)
        checked = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], capture_output=True,
                                 text=True)
        # They have no date: what is written is the same on every day.
        problems = [line for line in checked.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(problems, [])


if __name__ == "__main__":
    unittest.main()
