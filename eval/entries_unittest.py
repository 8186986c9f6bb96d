import random
import unittest
from pathlib import Path

from eval import entries, stats
from eval.compilation_log import CompilationLog
from eval.jdks import Jdk

_JDK = Jdk(Path("/j"), 17, "17.0.9")
_AB, _AC, _BC = ("a", 1, "b"), ("a", 5, "c"), ("b", 3, "c")


def log(inlined=(), by_c2=(), into_glue=(), compiled=("b", "c")):
    return CompilationLog(frozenset(inlined), frozenset(by_c2), frozenset(into_glue), frozenset(),
                          frozenset(compiled), 1)


def edge(key, calls, samples=0):
    return {"caller": key[0], "bci": key[1], "callee": key[2], "calls": calls, "samples": samples}


class Overlap(unittest.TestCase):
    def test_is_the_sum_of_the_smaller_shares(self):
        self.assertAlmostEqual(100, entries.overlap({_AB: 1, _AC: 3}, {_AB: 10, _AC: 30}))
        self.assertAlmostEqual(75, entries.overlap({_AB: 1, _AC: 1}, {_AB: 1, _AC: 3}))
        self.assertAlmostEqual(50, entries.overlap({_AB: 1, _AC: 1}, {_AB: 1, _BC: 1}))
        self.assertEqual(0, entries.overlap({_AB: 1}, {}))

    def test_restricted_leaves_inlined_edges_out_of_both(self):
        exact = {_AB: 900, _AC: 50, _BC: 50}
        judged = entries.judge(
            exact, [edge(_AB, 7, 7), edge(_AC, 30, 3), edge(_BC, 10, 1)],
            {"samples": 11, "drops": {}}, log(inlined=[_AB], compiled=["b"]))
        self.assertAlmostEqual(75, judged.overlap)
        self.assertEqual(4, judged.samples)
        self.assertAlmostEqual(10, judged.held)
        self.assertAlmostEqual(100, judged.held_by_c2)
        self.assertAlmostEqual(100, judged.uncompiled)
        self.assertEqual(2, judged.edges)

    def test_weights_and_samples_are_judged_apart(self):
        judged = entries.judge({_AB: 1, _AC: 1}, [edge(_AB, 3, 5), edge(_AC, 1, 5)],
                               {"samples": 10, "drops": {}}, log())
        self.assertAlmostEqual(75, judged.overlap)
        self.assertAlmostEqual(100, judged.overlap_of_samples)

    def test_samples_that_could_not_be_told_are_told_by_reason(self):
        judged = entries.judge({_AB: 1}, [edge(_AB, 1, 1)], {"samples": 96, "drops": {
            "callee_unknown": 1, "no_debug_info": 3, "ring_full": 50}}, log())
        self.assertEqual({"callee_unknown": 1.0, "caller_unknown": 0.0, "no_debug_info": 3.0},
                         judged.unresolved)
        self.assertEqual(4.0, judged.all_unresolved)

    def test_what_chance_allows_is_what_drawn_samples_overlap(self):
        graph = {("a", bci, "b"): 1.0 / (bci + 1) for bci in range(200)}
        edges, weights = list(graph), list(graph.values())
        generator = random.Random(1)
        drawn = []
        for _ in range(40):
            counts = {}
            for key in generator.choices(edges, weights, k=1000):
                counts[key] = counts.get(key, 0) + 1
            drawn.append(entries.overlap(graph, counts))
        self.assertAlmostEqual(sum(drawn) / len(drawn), stats.overlap_by_chance(graph.values(), 1000),
                               delta=0.5)

    def test_chance_at_its_ends(self):
        self.assertEqual(0, stats.overlap_by_chance([1], 0))
        self.assertAlmostEqual(100, stats.overlap_by_chance([4], 3))
        self.assertAlmostEqual(50, stats.overlap_by_chance([4, 4], 1))


class Tables(unittest.TestCase):
    def test_have_each_program_and_the_geometric_means(self):
        results = {name: entries.Result(1000, 3, {"patch": entries.judge(
            {_AB: 1, _AC: 1}, [edge(_AB, calls, 1), edge(_AC, 1, 1)],
            {"samples": 2, "drops": {}}, log())}) for name, calls in (("fop", 1), ("h2", 3))}
        table = entries.overlap_table(_JDK, results, "patch")
        self.assertEqual(["fop", "1,000", "100.0", "100.0", "2", "0.00", "2", "75.0", "100.0",
                          "100.0", "0.00", "0.00", "0.00"], table.rows[0])
        self.assertEqual(["75.0", "100.0", "86.6"], table.rows[2][7:10])

    def test_only_barriers_of_old_jdks_need_a_collector(self):
        barrier = "mode=cbs,probe=barrier"
        self.assertEqual("-XX:+UseZGC", entries.collector(barrier, _JDK))
        self.assertIsNone(entries.collector(barrier, Jdk(Path("/j"), 25, "25")))
        self.assertIsNone(entries.collector("mode=cbs,probe=patch", _JDK))


if __name__ == "__main__":
    unittest.main()
