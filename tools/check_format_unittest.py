import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

_SCRIPT = Path(__file__).with_name("check_format")


@unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
class CheckFormatTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.git("init", "-q")
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("part/README.md", "# part\nWhat it is.\n\n```\n#include <vector>\n```\n")
        self.write("part/CMakeLists.txt", "# Of the part.\nyp_library(part SOURCES a.cc)\n")
        self.write("part/a.cc", "int a;\n")
        (self.root / "tools").mkdir()
        shutil.copy(_SCRIPT, self.root / "tools")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.root, check=True)

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.git("add", path)

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.root / "tools" / "check_format", *arguments],
                              capture_output=True, text=True)

    def test_is_content_with_what_is_formatted(self) -> None:
        self.assertEqual(self.check().returncode, 0, self.check().stderr)

    def test_finds_and_fixes_cpp_files(self) -> None:
        self.write("part/a.cc", "int  a ;\n")
        self.assertNotEqual(self.check().returncode, 0)
        self.assertEqual(self.check("--fix").returncode, 0)
        self.assertEqual((self.root / "part/a.cc").read_text(), "int a;\n")

    def test_formats_cpp_files_only(self) -> None:
        before = {path: path.read_bytes() for path in self.root.glob("part/[RC]*")}
        self.check("--fix")
        self.assertEqual({path: path.read_bytes() for path in before}, before)

    def test_finds_what_clang_format_made_of_other_files(self) -> None:
        for name in ("README.md", "CMakeLists.txt"):
            with self.subTest(name):
                path = self.root / "part" / name
                text = path.read_text()
                subprocess.run(["clang-format", "-i", path], check=True)
                checked = self.check()
                self.assertNotEqual(checked.returncode, 0)
                self.assertIn(f"part/{name}:1: #", checked.stderr)
                path.write_text(text)


if __name__ == "__main__":
    unittest.main()
