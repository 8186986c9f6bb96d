import unittest
from pathlib import Path

from eval.jdks import Jdk
from eval.measure import Cost, Failed
from eval.startup import __main__ as startup


class Output(unittest.TestCase):
    def test_says_how_long_after_the_command_main_began(self):
        start = startup.parse("BEGAN 1000250\n", Cost(0.1, 0.3), started_ms=1000000.0)
        self.assertEqual((250.0, 100.0, 300.0), (start.began_ms, start.cpu_ms(), start.wall_ms()))

    def test_without_that_line_is_refused(self):
        with self.assertRaises(Failed):
            startup.parse("hello\n", Cost(0.1, 0.3), started_ms=0.0)


class Table(unittest.TestCase):
    def test_has_what_is_added_to_the_plain_program(self):
        taken = {"java": [startup.Start(Cost(0.05, 0.1), 80.0)] * 3,
                 "./yp run": [startup.Start(Cost(0.075, 0.2), 120.0)] * 3}
        table = startup.table(Jdk(Path("/j"), 25, "25.0.3"), taken)
        self.assertEqual([["java", "50", "100", "80"],
                          ["./yp run", "+25.0 [+25.0, +25.0]", "+100.0 [+100.0, +100.0]",
                           "+40.0 [+40.0, +40.0]"]], table.rows)


if __name__ == "__main__":
    unittest.main()
