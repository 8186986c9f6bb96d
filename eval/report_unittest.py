import json
import tempfile
import unittest
from pathlib import Path

from eval import report
from eval.jdks import Jdk


def a_report(**fields):
    jdk = Jdk(Path("/j"), 17, "17.0.9")
    return report.Report("overhead", "How much?", "./yp eval overhead", [jdk],
                         date="2030-01-02", machine="a machine", commit="abc", **fields)


_TABLE = report.Table("Ratios", ["program", "base", "cbs"],
                      [["fop", "1.50", "1.02"], ["checkstyle", "10.25", "1.1"]])


class Tables(unittest.TestCase):
    def test_text_stands_in_columns_with_numbers_to_the_right(self):
        self.assertEqual("Ratios\n"
                         "program      base   cbs\n"
                         "fop          1.50  1.02\n"
                         "checkstyle  10.25   1.1\n", _TABLE.text())

    def test_markdown_stands_beside_command_date_machine_and_jdk(self):
        text = a_report(tables=[_TABLE], goals=[report.Goal("fast", True, "1.02")]).markdown("overhead, JDK 17")
        lines = text.splitlines()
        self.assertEqual("## overhead, JDK 17", lines[0])
        self.assertIn("    ./yp eval overhead", lines)
        self.assertIn("2030-01-02; a machine; JDK 17.0.9; commit abc.", lines)
        self.assertIn("| checkstyle | 10.25 | 1.1 |", lines)
        self.assertEqual("- Goal: fast: met (1.02).", lines[-1])

    def test_failures_come_first_and_in_one_line(self):
        text = a_report(failures=["fop: exit code 1\nlong output"], notes=["a note"]).markdown("x")
        self.assertTrue(text.endswith("- **Failed**: fop: exit code 1\n- a note\n"), text)


class Sections(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_new_section_goes_to_the_end_and_an_old_one_is_replaced_in_its_place(self):
        document = "# Results\n\nWords.\n"
        for name in ("a", "b"):
            document = report.with_section(document, name, f"old {name}")
        document = report.with_section(document, "a", r"new \1 a")
        self.assertEqual("# Results\n\nWords.\n\n"
                         "<!-- begin: a -->\nnew \\1 a\n<!-- end: a -->\n\n"
                         "<!-- begin: b -->\nold b\n<!-- end: b -->\n", document)

    def test_replacing_a_section_by_itself_changes_nothing(self):
        text = a_report(tables=[_TABLE]).markdown("overhead")
        first = report.with_section("", "overhead", text)
        self.assertEqual(first, report.with_section(first, "overhead", text))

    def test_json_has_every_measurement(self):
        file = self.folder / "results.json"
        a_report(data={"17.0.9": {"fop": [1.5]}}).save_json(file)
        saved = json.loads(file.read_text())
        self.assertEqual({"17.0.9": {"fop": [1.5]}}, saved["results"])
        self.assertEqual(["17.0.9"], saved["jdks"])


class CommandLine(unittest.TestCase):
    def test_leaves_out_where_the_results_went_and_nothing_else(self):
        arguments = ["fop", "--json", "a.json", "--rounds", "9", "--markdown=b.md", "--config",
                     "x:--stride 1", "--section", "s"]
        self.assertEqual("./yp eval accuracy fop --rounds 9 --config 'x:--stride 1'",
                         report.command_line("accuracy", arguments,
                                             ["--json", "--markdown", "--section"]))


if __name__ == "__main__":
    unittest.main()
