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


if __name__ == "__main__":
    unittest.main()
