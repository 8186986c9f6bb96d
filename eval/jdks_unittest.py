import tempfile
import unittest
from pathlib import Path

from eval import jdks


class Discover(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def add(self, name, release, compiler=True):
        home = self.root / name
        (home / "bin").mkdir(parents=True)
        (home / "release").write_text(release, encoding="utf-8")
        (home / "bin" / "java").touch()
        if compiler:
            (home / "bin" / "javac").touch()
        return home

    def test_reads_the_version_from_the_release_file(self):
        home = self.add("a", 'IMPLEMENTOR="X"\nJAVA_VERSION="17.0.21.1"\nJAVA_VERSION_DATE="1"\n')
        self.assertEqual(jdks.Jdk(home, 17, "17.0.21.1"), jdks.read(home))

    def test_takes_the_second_number_of_an_old_version(self):
        self.assertEqual(8, jdks.read(self.add("a", 'JAVA_VERSION="1.8.0_392"\n')).major)

    def test_leaves_out_what_has_no_compiler_or_no_release_file(self):
        jre = self.add("jre", 'JAVA_VERSION="17.0.1"\n', compiler=False)
        self.assertEqual([], jdks.discover([jre, self.root]))
        self.assertEqual([jdks.Jdk(jre, 17, "17.0.1")],
                         jdks.discover([jre, self.root], with_compiler=False))
        (jre / "bin" / "java").unlink()
        self.assertEqual([], jdks.discover([jre], with_compiler=False))

    def test_lists_a_jdk_with_several_names_once_and_keeps_the_first_place(self):
        new = self.add("new", 'JAVA_VERSION="25.0.3"\n')
        old = self.add("old", 'JAVA_VERSION="11.0.2"\n')
        middle = self.add("middle", 'JAVA_VERSION="17.0.2"\n')
        (self.root / "default").symlink_to(new)
        found = jdks.discover([self.root / "default", new, middle, old])
        self.assertEqual([new, old, middle], [jdk.home for jdk in found])


if __name__ == "__main__":
    unittest.main()
