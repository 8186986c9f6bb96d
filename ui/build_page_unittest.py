"""The page's build, with programs that only claim to be node and npm."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD_PAGE = Path(__file__).parent / "build_page"
NODE = """case $1 in
  --version) echo {version} ;;
  *) [ "$1 $2" = "build.mjs --out" ] && {build} ;;
esac
"""
NPM = """echo "$*" >> npm-calls
{install}
"""


class BuildPage(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.ui, self.bin = self.folder / "ui", self.folder / "bin"
        self.ui.mkdir()
        self.bin.mkdir()
        shutil.copy(BUILD_PAGE, self.ui)
        (self.ui / "package-lock.json").write_text("{}")
        for name in ("bash", "cat", "cmp", "cp", "dirname", "mkdir", "mv", "realpath", "rm", "sh",
                     "timeout"):
            (self.bin / name).symlink_to(shutil.which(name))

    def program(self, name, text):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def tools(self, version="v18.20.4", build='printf page > "$3"', install="true"):
        self.program("node", NODE.format(version=version, build=build))
        self.program("npm", NPM.format(install=install))

    def build(self):
        """The page, and what was said."""
        out = self.folder / "page.html"
        done = subprocess.run([self.ui / "build_page", out], env={"PATH": str(self.bin)},
                              capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return out.read_text(), done.stderr

    def npm_calls(self):
        return (self.ui / "npm-calls").read_text().splitlines()

    def test_makes_the_page_and_says_nothing(self):
        self.tools()
        self.assertEqual(("page", ""), self.build())
        self.assertEqual(["ci --ignore-scripts --no-audit --no-fund"], self.npm_calls())

    def test_installs_again_only_when_the_lock_file_has_changed(self):
        self.tools()
        self.build()
        self.build()
        self.assertEqual(1, len(self.npm_calls()))
        (self.ui / "package-lock.json").write_text('{"a": 1}')
        self.build()
        self.assertEqual(2, len(self.npm_calls()))

    def test_without_npm_the_page_is_the_reason(self):
        page, said = self.build()
        self.assertEqual("!nodejs and npm were not found", page)
        self.assertIn("warning: yp report and yp serve will have no page", said)

    def test_an_old_node_is_refused(self):
        self.tools(version="v16.1.0")
        self.assertEqual("!nodejs is v16.1.0, and 18 or later is needed", self.build()[0])

    def test_a_failed_installation_is_tried_again(self):
        self.tools(install="exit 1")
        self.assertTrue(self.build()[0].startswith("!npm could not install"))
        self.tools()
        self.assertEqual("page", self.build()[0])

    def test_a_failed_build_leaves_no_half_page(self):
        for build in ('printf half > "$3" && false', "true"):
            self.tools(build=build)
            self.assertRegex(self.build()[0], "^!the UI")


if __name__ == "__main__":
    unittest.main()
