"""Python's metrics are those of `yp overlap`: of the build in YP_CLI, or else the release build.
Skipped where there is none."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from eval import agreement, call_graphs
from eval import tiny_profile_for_test as tiny
from eval.built import Built

_YP = Path(os.environ.get("YP_CLI", Built().yp))


def random_edges(generator, sampled):
    """Of few methods and sites, so that many are in both graphs."""
    names = [f"p.A.m{i}()V" for i in range(12)]
    edges = {}
    for _ in range(150):
        key = (generator.choice([None, *names]), generator.randrange(3), generator.choice(names))
        calls = float(generator.randrange(2, 40) ** 2)  # No fewer than samples.
        # Exact calls need no correction.
        uncorrected = calls + generator.randrange(500) if sampled else calls
        edges[key] = (*key, 3 if sampled else 0, calls, uncorrected)
    return list(edges.values())


@unittest.skipUnless(_YP.is_file(), "yp is not built")
class Agreement(unittest.TestCase):
    def test_of_random_profiles(self):
        generator = random.Random(5)
        trivial = [f"p.A.m{i}()V" for i in range(4)]
        for with_trivial in ("include", "exclude"):
            with tempfile.TemporaryDirectory() as folder:
                exact = tiny.write(Path(folder) / "exact.yp", trivial=trivial,
                                   edges=random_edges(generator, False))
                path = tiny.write(Path(folder) / "sampled.yp", trivial=trivial,
                                  edges=random_edges(generator, True),
                                  config={"trivial": with_trivial})
                sampled = call_graphs.read(path)
                told = json.loads(subprocess.check_output(
                    [_YP, "overlap", "--json", exact, path], stderr=subprocess.DEVNULL))
                self.assertAlmostEqual(
                    told["overlap"],
                    call_graphs.accuracy(exact, sampled, call_graphs.corrected), 6)
                a, b = (call_graphs.weights(graph, call_graphs.corrected, with_trivial == "include")
                        for graph in (call_graphs.read(exact), sampled))
                self.assertAlmostEqual(told["common_presence"],
                                       agreement.common_presence(a, b), 6)
                for row in told["top_presence"]:
                    self.assertAlmostEqual(
                        row["presence"], agreement.top_presence(a, b, row["top_percent"]), 6)


if __name__ == "__main__":
    unittest.main()
