import unittest

from eval import edges

A, B, C, D = (("caller", bci, "callee") for bci in range(4))


class EdgesTest(unittest.TestCase):
    def test_what_both_exact_runs_have_must_be_found(self):
        result = edges.compare({A, B, C}, {A, B}, {A, C})
        self.assertEqual([B], result.missed)
        self.assertEqual([], result.extra)
        self.assertEqual((3, 1, 2), (result.exact, result.differ, result.found))

    def test_what_neither_has_must_not(self):
        result = edges.compare({A, B}, {A, C}, {A, D})
        self.assertEqual([], result.missed)
        self.assertEqual([D], result.extra)


if __name__ == "__main__":
    unittest.main()
