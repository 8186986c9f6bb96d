import unittest

from eval.kernel import __main__ as kernel
from eval.measure import Cost, Failed

_STDOUT = ("PART static: 2000 calls, 0.5000 ns\nPART virtual, 2 receivers: 2000 calls, 1.5000 ns\n"
           "CALLS 8009\nCHECKSUM 00000000deadbeef\n")


class Output(unittest.TestCase):
    def test_has_the_time_of_each_part(self):
        run = kernel.parse(_STDOUT, Cost(1.0, 1.0))
        self.assertEqual({"static": 0.5, "virtual, 2 receivers": 1.5}, run.parts)
        self.assertEqual(1.0, run.ns_per_call())
        self.assertEqual((8009, "00000000deadbeef"), (run.calls, run.checksum))

    def test_that_stops_early_is_refused(self):
        for end in range(len(_STDOUT) - 1):
            with self.assertRaises(Failed):
                kernel.parse(_STDOUT[:end], Cost(1.0, 1.0))

    def test_counts_only_calls_to_the_targets(self):
        edges = [{"callee": "kernel.Targets.mix(I)I", "calls": 5},
                 {"callee": "kernel.Targets$Square.step(I)I", "calls": 2},
                 {"callee": "kernel.Kernel.statics()I", "calls": 1}]
        self.assertEqual(7, kernel.counted_calls(edges))

    def test_a_result_that_differs_in_one_run_is_a_failure(self):
        good = kernel.parse(_STDOUT, Cost(1.0, 1.0))
        bad = kernel.parse(_STDOUT.replace("beef", "beee"), Cost(1.0, 1.0))
        kernel.require_one_checksum({"base": [good], "cbs": [good, good]})
        with self.assertRaisesRegex(Failed, "deadbeee, .*deadbeef"):
            kernel.require_one_checksum({"base": [good], "cbs": [good, bad]})


class Table(unittest.TestCase):
    def test_has_each_part_and_their_mean(self):
        slow = _STDOUT.replace("0.5000", "1.0000").replace("1.5000", "3.0000")
        taken = {"base": [kernel.parse(_STDOUT, Cost(1.0, 1.0))] * 3,
                 "exact": [kernel.parse(slow, Cost(1.5, 1.5))] * 3}
        rows = {row[0]: row[1:] for row in kernel.table("t", taken).rows}
        self.assertEqual(["0.50 ns", "2.000 [2.000, 2.000]"], rows["static"])
        self.assertEqual(["1.00 ns", "2.000 [2.000, 2.000]"], rows["mean of the parts"])
        self.assertEqual(["1.00 s", "1.500 [1.500, 1.500]"],
                         rows["process CPU, start-up included"])


if __name__ == "__main__":
    unittest.main()
