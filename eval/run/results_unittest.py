import json
import re
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock
from xml.dom import minidom

from eval.report import Table
from eval.run import check, output, page, results
from eval.run.folder import Failure, Folder, Run
from eval.run.for_test import JDK, a_plan, a_recording, an_origin, write_profile
from eval.section import Section

_SVG = ('<?xml version="1.0" encoding="utf-8"?>\n<!-- a plot -->\n'
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Points</title></svg>\n')


class Plot:
    name = "points"
    title = "Points & lines"

    def svg(self):
        return _SVG


def made_up(recordings, references):
    """A report that says what it was given."""
    rows = [[f"{each.workload} <{each.configuration}>", str(each.run)] for each in recordings]
    return Section("Made up", "How many?", "Nobody, 2030", [Table("Runs", ["run", "number"], rows)],
                   [Plot()], [f"{len(references)} exact profiles"])


def broken(recordings, references):
    raise KeyError("no such thing")


class WithResults(unittest.TestCase):
    """A folder with two runs of two programs in three configurations."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "results"
        self.root.mkdir()
        self.folder = Folder(self.root)
        for name in (made_up, broken):
            module = types.ModuleType(f"eval.papers.{name.__name__}")
            module.report = name
            self.enterContext(mock.patch.dict(sys.modules, {module.__name__: module}))
        self.enterContext(mock.patch.object(results, "note", lambda message: None))
        self.plan = a_plan()
        self.folder.begin(an_origin(self.plan), fresh=False)
        for workload in ("fop", "h2"):
            shared = write_profile(self.root.parent / "shared.yp")
            self.folder.keep_reference(workload, JDK, shared)
            for run in (1, 2):
                for name in self.plan.all_configurations:
                    profile = (write_profile(self.folder.profile(workload, JDK, name, run))
                               if name == "default" else None)
                    self.folder.save(Run(a_recording(workload, name, run, profile=profile),
                                         0.5 * run, "2030-01-02 03:04:05 UTC"))

    def tell(self, **fields):
        return results.tell(a_plan(**fields), self.folder.origin(), self.folder)

    def saved(self, **fields):
        output.save(self.tell(**fields), self.root)
        return {path.name: path.read_bytes() for path in self.root.iterdir()
                if path.suffix in (".json", ".html", ".svg")}


class Told(WithResults):
    def test_the_same_recordings_give_the_same_bytes_wherever_the_folder_is(self):
        first = self.saved()
        self.assertLessEqual({"results.json", "index.html", "made_up-points.svg"}, set(first))
        self.assertEqual(first, self.saved())
        self.root = self.root.rename(self.root.parent / "moved")
        self.folder = Folder(self.root)
        self.assertEqual(first, self.saved())

    def test_another_recording_gives_others(self):
        first = self.saved()
        self.folder.save(Run(a_recording("fop", "base", 1, cpu_seconds=9.0), 0.5, "2030"))
        self.assertNotEqual(first["results.json"], self.saved()["results.json"])

    def test_json_has_everything(self):
        saved = json.loads(self.saved()["results.json"])
        self.assertEqual(12, len(saved["runs"]))
        self.assertEqual("runs/fop-17.0.9-default-1.yp", saved["runs"][4]["recording"]["profile"])
        self.assertEqual([400, 200, 200, 200], saved["runs"][0]["recording"]["iterations_ms"])
        self.assertEqual(("A CPU", "c1", "b1", 2, []), (
            saved["machine"]["CPU"], saved["commit"], saved["build"], saved["plan"]["runs"],
            saved["failures"]))
        report = saved["reports"]["made_up"]
        self.assertEqual(["fop <base>", "1"], report["tables"][0]["rows"][0])
        self.assertEqual([{"title": "Points & lines", "file": "made_up-points.svg"}],
                         report["plots"])
        self.assertTrue(any("powersave" in sentence for sentence in saved["warnings"]))

    def test_a_program_that_failed_is_in_no_table_and_its_failure_comes_first(self):
        self.folder.save_failure(Failure("fop", JDK, "exit code 1\n<output>"))
        told = self.tell()
        self.assertEqual({"h2 <base>", "h2 <control>", "h2 <default>"},
                         {row[0] for row in told.sections["made_up"].tables[0].rows})
        self.assertEqual(["1 exact profiles"], told.sections["made_up"].notes)
        text = page.page(told)
        self.assertLess(text.index("fop on JDK 17.0.9: exit code 1\n&lt;output&gt;"),
                        text.index("Made up"))

    def test_a_report_that_fails_costs_itself_only(self):
        told = self.tell(reports=("broken", "made_up"))
        self.assertEqual((["made_up"], ["report broken: KeyError: 'no such thing'"]),
                         (list(told.sections), told.failures))

    def test_runs_that_are_not_there_are_told(self):
        self.assertEqual([], self.tell().notes)
        self.assertEqual(["12 of 18 runs are there"], self.tell(runs=3).notes)

    def test_plots_of_an_earlier_report_are_removed(self):
        self.saved()
        self.assertNotIn("made_up-points.svg", self.saved(reports=("broken",)))

    def test_each_report_is_published(self):
        docs = self.root.parent / "docs"
        for _ in range(2):
            output.publish(self.tell(), docs, "p")
        text = (docs / "results" / "p-made_up.md").read_text()
        self.assertEqual(1, text.count("<!-- begin: p-made_up -->"))
        self.assertIn("| fop <base> | 1 |", text)
        self.assertIn("    ./yp eval run p\n\n2030-01-02 03:04:05 UTC; A CPU, 8 CPUs, 32 GiB, "
                      "Linux 6.1; JDK 17.0.9; commit c1.", text)


class Page(WithResults):
    def test_needs_nothing_from_anywhere(self):
        text = self.saved()["index.html"].decode()
        self.assertNotRegex(text, r"\b(src|href|srcset|data)\s*=|@import|url\(")
        self.assertIn("default-src 'none'", text)
        self.assertEqual({"http://www.w3.org/2000/svg"}, set(re.findall(r"https?://[^\"]+", text)))

    def test_is_well_formed_and_has_the_plots_within(self):
        text = self.saved()["index.html"].decode()
        body = text[text.index("<body>"):text.index("<script>")] + "</body>"
        document = minidom.parseString(body)
        self.assertEqual(1, len(document.getElementsByTagName("svg")))
        cells = [cell.firstChild.data for cell in document.getElementsByTagName("td")]
        self.assertIn("fop <default>", cells)

    def test_says_what_made_it_and_what_disturbs(self):
        text = self.saved()["index.html"].decode()
        for words in ("./yp eval run p", "2030-01-02 03:04:05 UTC", "governor is powersave",
                      "A CPU", "--tick 4ms", "load 0.5 to 1.0", "prefers-color-scheme: dark"):
            self.assertIn(words, text)


class Check(WithResults):
    def test_passes_what_is_complete(self):
        self.saved()
        self.assertEqual([], check.problems(self.root))

    def test_finds_what_is_not_there(self):
        for words, fields, spoil in (
                ("failed: report broken", {"reports": ("broken", "made_up")}, None),
                ("no report broken", {"reports": ("broken", "made_up")}, None),
                ("12 runs, not 18", {"runs": 3}, None),
                ("made_up-points.svg is not there", {}, "made_up-points.svg"),
                ("index.html", {}, "index.html"),
                ("results.json", {}, "results.json")):
            with self.subTest(words):
                self.saved(**fields)
                if spoil:
                    (self.root / spoil).unlink()
                found = check.problems(self.root)
                self.assertTrue(any(words in problem for problem in found), found)

    def test_finds_a_report_without_rows_and_a_page_without_the_report(self):
        self.saved()
        file, shown = self.root / "results.json", self.root / "index.html"
        saved = json.loads(file.read_text())
        saved["reports"]["made_up"]["tables"][0]["rows"] = []
        file.write_text(json.dumps(saved))
        shown.write_text(shown.read_text().replace('id="made_up"', ""))
        self.assertEqual(["results.json: report made_up has no table with rows",
                          "index.html: no report made_up"], check.problems(self.root))


class Inline(unittest.TestCase):
    def test_leaves_out_what_may_only_begin_a_file(self):
        self.assertTrue(page.inline(_SVG).startswith("<svg "))
        self.assertEqual("<svg/>", page.inline('<!DOCTYPE svg PUBLIC "x">\n<svg/>'))


if __name__ == "__main__":
    unittest.main()
