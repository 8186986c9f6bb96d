import tempfile
import unittest
from pathlib import Path

from eval import call_graphs
from eval import tiny_profile_for_test as tiny
from eval.call_graphs import corrected, uncorrected

_A, _B, _GET = "A.a()V", "A.b()V", "A.get()I"


class Accuracy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def exact(self, edges):
        return tiny.write(self.folder / "exact.yp", edges=edges, trivial=[_GET])

    def sampled(self, edges, trivial="include"):
        path = self.folder / "sampled.yp"
        path.unlink(missing_ok=True)
        return call_graphs.read(tiny.write(path, edges=edges, trivial=[_GET],
                                           config={"trivial": trivial}))

    def test_tells_call_sites_apart(self):
        exact = self.exact([(_A, 1, _B, 0, 50), (_A, 2, _B, 0, 50)])
        sampled = self.sampled([(_A, 1, _B, 9, 900)])
        self.assertEqual(50, call_graphs.accuracy(exact, sampled, corrected))

    def test_is_of_the_samples_as_taken_or_of_the_calls_as_told(self):
        exact = self.exact([(_A, 1, _B, 0, 75), (None, -1, _A, 0, 25)])
        sampled = self.sampled([(_A, 1, _B, 1, 75, 50), (None, -1, _A, 1, 25, 50)])
        self.assertEqual(100, call_graphs.accuracy(exact, sampled, corrected))
        self.assertEqual(75, call_graphs.accuracy(exact, sampled, uncorrected))

    def test_leaves_out_trivial_methods_that_only_one_of_the_two_saw(self):
        both = [(_A, 1, _B, 5, 10), (_A, 2, _GET, 5, 90)]
        exact = self.exact(both)
        without = self.sampled(both[:1], trivial="exclude")
        self.assertEqual(100, call_graphs.accuracy(exact, without, corrected))
        lacks = self.sampled(both[:1])
        self.assertAlmostEqual(10, call_graphs.accuracy(exact, lacks, corrected))


class Methods(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "p.yp"

    def test_found_by_signals_count_by_the_method_that_ran(self):
        tiny.write(self.path, contexts=[(1, None, -1, _A, 2), (2, 1, 0, _B, 3), (3, 2, 0, _A, 4),
                                        (4, 1, 5, _GET, 0)])
        self.assertEqual({_A: 6, _B: 3}, call_graphs.self_samples(self.path))

    def test_found_by_polling_count_by_the_method_entered(self):
        tiny.write(self.path, edges=[(_A, 1, _B, 2, 500), (_A, 7, _B, 1, 1), (None, -1, _A, 0, 1)])
        self.assertEqual({_B: 3}, call_graphs.entry_samples(self.path))


if __name__ == "__main__":
    unittest.main()
