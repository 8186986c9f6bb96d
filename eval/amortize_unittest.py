"""Tests of amortize and what_if on made-up runs."""

import json
import pathlib
import tempfile
import unittest

from eval import amortize, stats, what_if


class FramesTest(unittest.TestCase):
    def setUp(self):
        # m at level 3 calls leaf at 7, which is inlined there, and other at 9.
        self.frames = amortize.Frames(2.0)
        top = self.frames.add(-1, "m", -1, 3, 5)
        leaf = self.frames.add(top, "leaf", 7, 3, 11)
        self.frames.add(leaf, "deep", 1, 3, 100)
        self.frames.add(top, "other", 9, 3, 1000)
        self.frames.add(-1, "m", -1, 4, 10_000)
        self.frames.index()

    def test_samples_are_those_of_the_method_and_along_the_calls(self):
        self.assertEqual(5, self.frames.samples_of("m", 3, set()))
        self.assertEqual(16, self.frames.samples_of("m", 3, {("m", 7, "leaf")}))
        self.assertEqual(116, self.frames.samples_of(
            "m", 3, {("m", 7, "leaf"), ("leaf", 1, "deep")}))
        self.assertEqual(5, self.frames.samples_of("m", 3, {("leaf", 1, "deep")}))

    def test_a_call_takes_its_part_of_the_time(self):
        pinned = amortize.Pinned(3, self.frames, {"m": 8.0})
        self.assertEqual(5 * 2 / 8, pinned.of_call("m", set()).value)
        self.assertIsNone(pinned.of_call("leaf", set()))


class CheckTest(unittest.TestCase):
    def setUp(self):
        frames = amortize.Frames(1.0)
        frames.add(-1, "m", -1, 3, 1000)
        frames.index()
        self.pinned = amortize.Pinned(3, frames, {"m": 1000.0, "rare": 1.0})  # A millisecond each.
        self.row = {"method": "m", "from": 3, "to": 4, "compile_ms": 10.0, "verdict": "paid off",
                    "gain_ms": 90.0, "calls_after": 200.0, "after_ns": 0.5e6}

    def check(self, calls, compile_ms=10.0):
        again = [[{**self.row, "calls_after": each}] for each in calls]
        return amortize.check({**self.row, "compile_ms": compile_ms}, set(), self.pinned, again)

    def test_the_truth_is_by_the_calls_and_times_of_other_runs(self):
        checked = self.check([200.0, 200.0, 200.0])
        self.assertAlmostEqual(200 * 1 - 200 * 0.5 - 10, checked.true_ms)
        self.assertEqual("paid off", checked.truth)
        self.assertEqual("did not", self.check([200.0] * 3, compile_ms=150.0).truth)

    def test_what_differs_from_run_to_run_is_undecided(self):
        self.assertEqual("undecided", self.check([10.0, 400.0, 20.0], compile_ms=50.0).truth)

    def test_what_all_calls_could_not_pay_is_lost(self):
        self.assertIsNone(self.check([None, None, None]))
        lost = self.check([None, None, None], compile_ms=2000.0)
        self.assertEqual(("did not", None), (lost.truth, lost.true_ms))

    def test_agreement_is_counted_where_the_truth_is_known(self):
        def checked(verdict, truth):
            return amortize.Checked("m", (3, 4), verdict, 0.0, 0.0, truth)
        result = amortize.Result(9, 4, [checked("paid off", "paid off"),
                                        checked("paid off", "did not"),
                                        checked("did not", "did not"),
                                        checked("did not", "undecided")])
        self.assertEqual((3, 2), (result.told, result.agreed))


class WhatIfTest(unittest.TestCase):
    def row(self, method, time_ms, never, level_1):
        return {"method": method, "time_ms": time_ms,
                "never_ms": dict(zip(("value", "low", "high"), never)),
                "level_1_ms": dict(zip(("value", "low", "high"), level_1))}

    def test_asks_for_the_hottest_and_for_what_is_better(self):
        rows = [self.row("a.B.hot()V", 100, (-50, -60, -40), (-5, -9, 1)),
                self.row("a.B.cold(I)V", 1, (3, -1, 5), (4, 1, 7)),
                self.row("a.B.cool(I)V", 2, (3, -1, 5), (6, 2, 10))]
        together = {"methods": 2, **self.row("", 3, (0, 0, 0), (8, 5, 15))}
        with tempfile.TemporaryDirectory() as folder:
            told = what_if.foretell(rows, rows[1:], together, pathlib.Path(folder))
            never, level_1, better = told.values()
            self.assertEqual((1, -50, -60, -40),
                             (never.methods, never.value, never.low, never.high))
            self.assertEqual(-5, level_1.value)
            self.assertEqual((2, 8, 5, 15), (better.methods, better.value, better.low, better.high))
            file = better.options[-1].partition("=")[2]
            self.assertEqual([{"match": ["a/B.cold(I)V", "a/B.cool(I)V"], "c2": {"Exclude": True}}],
                             json.loads(pathlib.Path(file).read_text("utf-8")))

    def test_agrees_where_the_intervals_meet(self):
        told = what_if.Foretold(1, 10, 5, 15, [])
        self.assertTrue(what_if.Outcome(told, stats.Interval(17, 14, 20)).agrees)
        self.assertFalse(what_if.Outcome(told, stats.Interval(17, 16, 20)).agrees)


if __name__ == "__main__":
    unittest.main()
