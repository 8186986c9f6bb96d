import unittest
from pathlib import Path

from eval import ctb, interleave
from eval.jdks import Jdk

JDK = Jdk(Path("/j"), 17, "17.0.9")


def edge(caller: str, callee: str, bci: int = 0) -> dict:
    return {"caller": caller, "bci": bci, "callee": callee}


class CallersOfMethods(unittest.TestCase):
    def test_are_methods_and_not_call_sites(self):
        callers = ctb.Callers.of([edge("a.A.m()V", "a.B.n()V", bci) for bci in range(5)],
                                 {"library": 0, "program": 1})
        self.assertEqual([0, 1, 0, 0, 0], callers.program)

    def test_fall_into_the_rows_of_the_paper(self):
        edges = [edge(f"a.A.m{i}()V", f"a.B.of{number}()V")
                 for number in (1, 2, 3, 4, 7, 8, 100) for i in range(number)]
        callers = ctb.Callers.of(edges, {"library": 0, "program": 10})
        self.assertEqual([3, 1, 2, 2, 2], callers.program)

    def test_of_the_jdks_methods_stand_apart_with_those_that_nobody_calls(self):
        callers = ctb.Callers.of([edge("a.A.m()V", "java.util.ArrayList.size()I")],
                                 {"library": 20, "program": 30})
        self.assertEqual([19, 1, 0, 0, 0], callers.library)
        self.assertEqual([30, 0, 0, 0, 0], callers.program)

    def test_are_shown_beside_the_papers_own_shares(self):
        callers = ctb.Callers([10, 5, 3, 1, 1], [0, 1, 0, 0, 3])
        table = ctb.callers_table(JDK, {"fop": callers, "h2": callers})
        self.assertEqual(["0", "2,214 (69.1 %)", "507 (19.3 %)", "20 (50.0 %)", "0 (0.0 %)"],
                         table.rows[0])
        self.assertEqual(["8-", "358", "411", "2", "6"], table.rows[4])
        self.assertEqual(["methods", "3,205", "2,624", "40", "8"], table.rows[5])


class Calls(unittest.TestCase):
    def test_have_what_each_configuration_adds_to_the_baseline_of_its_round(self):
        taken = {interleave.BASE: [{"vtable": 6.0}, {"vtable": 7.0}, {"vtable": 9.0}],
                 "N = 2": [{"vtable": 6.5}, {"vtable": 7.5}, {"vtable": 9.5}],
                 interleave.CONTROL: [{"vtable": 6.0}, {"vtable": 7.0}, {"vtable": 9.0}]}
        table = ctb.dispatch_table(JDK, taken)
        self.assertEqual([["vtable", "7.00", "+0.50 [+0.50, +0.50]", "+0.00 [+0.00, +0.00]"]],
                         table.rows)


if __name__ == "__main__":
    unittest.main()
