import subprocess
import tempfile
import unittest
from pathlib import Path

from eval import interleave, made
from eval.jdks import Jdk
from eval.measure import Cost
from eval.memory import __main__ as memory
from eval.memory import program


class Program(unittest.TestCase):
    def test_has_the_methods_and_the_result_that_it_says(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = Path(folder)
            files = program.write(sources, 200)
            text = "".join((sources / name).read_text() for name in files if name != "Many.java")
            self.assertEqual(200, text.count("static int m"))
            made.compile_java(sources / "classes", sources, files)
            printed = subprocess.run(
                [made.jdk17().java, "-cp", sources / "classes", program.MAIN, "12000"],
                capture_output=True, text=True, check=True).stdout
        self.assertEqual(f"SUM {program.checksum(200, 12_000)}\n", printed)


class Table(unittest.TestCase):
    def test_has_what_a_recording_adds(self):
        taken = {"java": [memory.Peak(Cost(1, 1), 300.0)] * 3,
                 "default": [memory.Peak(Cost(1, 1), 340.0, 30_001)] * 3,
                 interleave.CONTROL: [memory.Peak(Cost(1, 1), 302.0)] * 3}
        table = memory.table(Jdk(Path("/j"), 25, "25.0.3"), taken)
        self.assertEqual(["java", "", "300", ""], table.rows[0])
        self.assertEqual(["default", "30,001", "340", "+40.0 [+40.0, +40.0]"], table.rows[1])
        self.assertEqual(["A/A control", "", "302", "+2.0 [+2.0, +2.0]"], table.rows[2])


if __name__ == "__main__":
    unittest.main()
