import unittest
from pathlib import Path

from eval import steady
from eval.jdks import Jdk
from eval.steady import Block, neighbour_ratios


def blocks(*named):
    return [Block(name, cpu_seconds, 5) for name, cpu_seconds in named]


class NeighbourRatios(unittest.TestCase):
    def test_a_block_is_held_against_those_around_it(self):
        measured = blocks(("base", 2.0), ("patch", 2.2), ("base", 2.0), ("patch", 1.8),
                          ("base", 2.0))
        for expected, ratio in zip([1.1, 0.9], neighbour_ratios(measured, "patch", "base"),
                                   strict=True):
            self.assertAlmostEqual(expected, ratio)

    def test_a_program_that_gets_faster_does_not_look_like_an_effect(self):
        measured = blocks(*((("patch" if i % 2 else "base"), 8.0 * 0.9 ** i) for i in range(9)))
        for name, count in (("patch", 4), ("base", 3)):
            ratios = neighbour_ratios(measured, name, "base")
            self.assertEqual(count, len(ratios))
            for ratio in ratios:
                self.assertAlmostEqual(1.0, ratio)

    def test_other_configurations_are_passed_over(self):
        measured = blocks(("base", 1.0), ("a", 3.0), ("base", 4.0), ("b", 2.0), ("base", 1.0))
        self.assertEqual([1.5], neighbour_ratios(measured, "a", "base"))
        self.assertEqual([4.0], neighbour_ratios(measured, "base", "base"))

    def test_a_block_at_the_end_has_no_ratio(self):
        self.assertEqual([], neighbour_ratios(blocks(("base", 1.0), ("a", 1.0)), "a", "base"))


class Table(unittest.TestCase):
    def test_has_the_control_and_each_configuration(self):
        measured = {"fop": blocks(("base", 1.0), ("a", 1.1), ("base", 1.0), ("a", 1.1),
                                  ("base", 1.0))}
        table = steady.table(Jdk(Path("/j"), 17, "17.0.9"), measured, ["a"])
        self.assertEqual(["program", "base, s", "A/A control", "a"], table.header)
        self.assertEqual(["fop", "1.000", "1.000 [1.000, 1.000]", "1.100 [1.100, 1.100]"],
                         table.rows[0])
        self.assertEqual("geometric mean", table.rows[1][0])


if __name__ == "__main__":
    unittest.main()
