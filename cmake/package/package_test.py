"""What a user installs, from the build folder that the environment variable YP_BUILD names."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["YP_BUILD"])
VERSION = os.environ["YP_VERSION"]
ARCHIVE = f"yieldpoint-{VERSION}-linux-x86_64"
OF_GLIBC = ("bin/yp", "lib/libyieldpoint.so", "lib/libyieldpoint_compiler.so")
OF_NO_LIBRARY = "lib/libyplaunch.so"
SHIPPED = OF_GLIBC + (OF_NO_LIBRARY,)
FILES = SHIPPED + (
    "lib/yieldpoint-compiler.jar",
    "lib/yieldpoint-junit.jar",
    "share/bash-completion/completions/yp", "share/zsh/vendor-completions/_yp",
    "share/man/man1/yp.1", "share/man/man1/yp-run.1", "share/doc/yieldpoint/copyright",
    "share/doc/yieldpoint/install.md", "share/doc/yieldpoint/licenses/libsqlite3-dev")


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def build_id(path):
    return re.search(r"Build ID: ([0-9a-f]{40})", output_of("readelf", "--notes", path))[1]


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "prefix"
        output_of("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.packages = cls.folder / "packages"
        output_of("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.packages)

    def test_all_is_there(self):
        for file in FILES:
            self.assertTrue((self.prefix / file).is_file(), file)

    def test_what_is_shipped_is_stripped_and_its_debug_information_is_beside(self):
        for file in SHIPPED:
            with self.subTest(file):
                sections = output_of("readelf", "--sections", "--wide", self.prefix / file)
                self.assertNotRegex(sections, r"\.debug_|\.symtab")
                identity = build_id(self.prefix / file)
                debug = (self.prefix / "lib" / "debug" / ".build-id" / identity[:2] /
                         f"{identity[2:]}.debug")
                self.assertEqual(build_id(debug), identity)
                self.assertRegex(output_of("readelf", "--sections", "--wide", debug), r"\.symtab")
        found = list((self.prefix / "lib" / "debug").rglob("*.debug"))
        self.assertEqual(len(found), len(SHIPPED))

    def test_nothing_newer_is_needed_than_is_said(self):
        for file in OF_GLIBC:
            subprocess.run([sys.executable, "-B", ROOT / "cmake" / "old_glibc" / "check_glibc.py",
                            self.prefix / file, os.environ["YP_GLIBC"]], check=True)
        self.assertNotIn("(NEEDED)", output_of("readelf", "--dynamic", self.prefix / OF_NO_LIBRARY))

    def test_archives_hold_what_is_installed(self):
        with tarfile.open(self.packages / f"{ARCHIVE}.tar.gz") as archive:
            names = set(archive.getnames())
            archive.extractall(self.folder)
        for file in FILES:
            self.assertIn(f"{ARCHIVE}/{file}", names)
            self.assertEqual((self.folder / ARCHIVE / file).read_bytes(),
                             (self.prefix / file).read_bytes(), file)
        with tarfile.open(self.packages / f"{ARCHIVE}-debug.tar.gz") as archive:
            debug = [name for name in archive.getnames() if name.endswith(".debug")]
        self.assertEqual(len(debug), len(SHIPPED))

    def test_debian_packages_hold_what_is_installed(self):
        package = self.packages / f"yieldpoint_{VERSION}_amd64.deb"
        output_of("dpkg-deb", "--extract", package, self.folder / "deb")
        for file in FILES:
            self.assertEqual((self.folder / "deb" / "usr" / file).read_bytes(),
                             (self.prefix / file).read_bytes(), file)
        self.assertEqual(output_of("dpkg-deb", "--field", package, "Depends").strip(),
                         f"libc6 (>= {os.environ['YP_GLIBC']})")
        debug = self.packages / f"yieldpoint-dbg_{VERSION}_amd64.deb"
        self.assertEqual(output_of("dpkg-deb", "--field", debug, "Depends").strip(),
                         f"yieldpoint (= {VERSION})")
        self.assertEqual(output_of("dpkg-deb", "--contents", debug).count(".debug\n"), len(SHIPPED))

    def test_a_program_is_profiled_from_where_it_was_moved_to(self):
        moved = self.folder / "moved"
        shutil.copytree(self.prefix, moved, ignore=shutil.ignore_patterns("debug"))
        (self.folder / "Program.java").write_text(
            "public class Program {\n"
            "  static int twice(int n) { return n < 2 ? n : twice(n - 1) + twice(n - 2); }\n"
            "  public static void main(String[] a) { System.out.println(twice(32)); }\n"
            "}\n")
        profile = self.folder / "program.yp"
        done = subprocess.run([moved / "bin" / "yp", "run", "-q", "--mode", "exact", "-o", profile,
                               "--", "java", "Program.java"], capture_output=True, text=True,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, "2178309\n"), done.stderr)
        methods = json.loads(output_of(moved / "bin" / "yp", "top", "--json", profile))
        calls = {method["method"]: method["calls"] for method in methods}
        self.assertEqual(calls["Program.twice(I)I"], 7049155)
        compiled = subprocess.run([moved / "bin" / "yp", "aos", "--", "java", "-version"],
                                  capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)


if __name__ == "__main__":
    unittest.main()
