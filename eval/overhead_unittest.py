import unittest
from pathlib import Path
from unittest import mock

from eval import interleave, overhead
from eval.interleave import Comparison
from eval.jdks import Jdk
from eval.measure import Cost


def comparison(**cpu_seconds):
    return Comparison("base", {name.replace("control", interleave.CONTROL):
                               [Cost(value, 2 * value) for value in values]
                               for name, values in cpu_seconds.items()})


class Table(unittest.TestCase):
    def test_has_ratios_of_each_program_and_their_geometric_mean(self):
        comparisons = {
            "fop": comparison(base=[1.0, 2.0, 4.0], cbs=[1.1, 2.2, 4.4], control=[1.0, 2.0, 4.0]),
            "h2": comparison(base=[8.0] * 3, cbs=[8.0] * 3, control=[8.0] * 3),
        }
        table = overhead.table(Jdk(Path("/j"), 17, "17.0.9"), comparisons,
                               [interleave.CONTROL, "cbs"])
        self.assertEqual(["program", "base, s", "A/A control", "cbs"], table.header)
        self.assertEqual(["fop", "2.00", "1.000 [1.000, 1.000]", "1.100 [1.100, 1.100]"],
                         table.rows[0])
        self.assertEqual(["geometric mean", "", "1.000 [1.000, 1.000]", "1.049 [1.049, 1.049]"],
                         table.rows[2])

    def test_has_the_mean_of_each_set_where_there_are_both(self):
        comparisons = {"fop": comparison(base=[1.0] * 3, cbs=[1.21] * 3),
                       "groovy": comparison(base=[8.0] * 3, cbs=[8.0] * 3)}
        table = overhead.table(Jdk(Path("/j"), 17, "17.0.9"), comparisons, ["cbs"])
        self.assertEqual([["geometric mean", "", "1.100 [1.100, 1.100]"],
                          ["geometric mean, tuned", "", "1.210 [1.210, 1.210]"],
                          ["geometric mean, held-out", "", "1.000 [1.000, 1.000]"]],
                         table.rows[2:])

    def test_what_the_agent_measured_of_itself_stands_by_source(self):
        def info(**costs):
            return {"samples": 10, "config": {f"cost.{key}": value for key, value in costs.items()}}

        recorded = overhead.Recorded()
        for drain in (1_000, 3_000, 2_000):
            recorded.add(info(program_cpu_ns="1000000", slow_path_ns="4000", drain_cpu_ns=drain))
        table = overhead.source_table(Jdk(Path("/j"), 17, "17.0.9"), "patch", {"fop": recorded})
        self.assertEqual(["program", "samples", "counting calls", "samples", "ticks", "drain",
                          "all"], table.header)
        self.assertEqual([["fop", "10", "0.00", "0.40", "0.00", "0.20", "0.60"]], table.rows)

    def test_the_sources_of_each_configuration_stand_in_a_table_of_their_own(self):
        measured, silent = overhead.Recorded(), overhead.Recorded()
        measured.add({"samples": 10, "config": {"cost.program_cpu_ns": 100}})
        tables = overhead.source_tables(
            Jdk(Path("/j"), 17, "17.0.9"), ["silent", "patch", "cbs"],
            {name: {"cbs": measured, "patch": measured, "silent": silent} for name in ("fop", "h2")})
        self.assertEqual(["patch", "cbs"], [table.title.split()[2].rstrip(":") for table in tables])
        self.assertEqual([["fop", "h2"]] * 2, [[row[0] for row in table.rows] for table in tables])

    def test_an_agent_that_does_not_measure_itself_has_no_sources(self):
        recorded = overhead.Recorded()
        recorded.add({"samples": 0, "config": {"mode": "cbs"}})
        self.assertIsNone(overhead.source_table(Jdk(Path("/j"), 17, "17.0.9"), "x",
                                                {"fop": recorded}))


class Configurations(unittest.TestCase):
    def test_options_of_the_jvm_come_behind_two_dashes_with_an_agent_or_without(self):
        started = []

        def run(*jvm_options):
            started.append(jvm_options)
            return mock.Mock(stderr="")

        built = mock.MagicMock()
        built.recording.return_value.__enter__.return_value = mock.Mock(
            jvm_option="-agentpath:a", **{"info.return_value": {"samples": 7, "config": {}}})
        recorded = overhead.Recorded()
        overhead.profiled(built, "none -- -XX:-X", run, recorded)
        built.recording.assert_not_called()
        self.assertEqual([], recorded.samples)
        overhead.profiled(built, "mode=cbs -- -XX:-X", run, recorded)
        built.recording.assert_called_once_with("mode=cbs")
        self.assertEqual([7], recorded.samples)
        self.assertEqual([("-XX:-X",), ("-agentpath:a", "-XX:-X")], started)


if __name__ == "__main__":
    unittest.main()
