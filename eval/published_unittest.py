import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from eval import published
from eval.jdks import Jdk
from eval.report import Goal, Report, Table


def a_report(*goals, **fields):
    report = Report("overhead", "How much?", "./yp eval overhead", [Jdk(Path("/j"), 17, "17.0.9")],
                    date="2030-01-02 03:04 UTC", machine="a machine",
                    **{"commit": "abc", **fields})
    report.goals += goals
    report.tables.append(Table("Ratios", ["program", "base"], [["fop", "1.50"]]))
    return report


class Published(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.docs = Path(folder.name)

    def text(self, name):
        return (self.docs / name).read_text("utf-8")

    def rows(self):
        return [line for line in self.text("results.md").splitlines() if line.startswith("| ")][1:]

    def test_each_claim_is_a_row_that_leads_to_its_tables(self):
        published.publish(a_report(Goal("un-armed at most 1.05 on JDK 17", False, "1.09 [1.05, 1.13]"),
                                   Goal("JDK 25: a|b", True, "all")), "overhead-short", self.docs)
        self.assertEqual(
            ["| un-armed at most 1.05 | 1.09 [1.05, 1.13] | **missed** | 17 | 2030-01-02 | abc | "
             "[overhead-short](results/overhead-short.md) |",
             "| a\\|b | all | met | 25 | 2030-01-02 | abc | "
             "[overhead-short](results/overhead-short.md) |"], self.rows())
        self.assertIn("| fop | 1.50 |", self.text("results/overhead-short.md"))

    def test_what_people_wrote_below_the_tables_stays(self):
        published.publish(a_report(), "overhead", self.docs)
        file = self.docs / "results" / "overhead.md"
        file.write_text(file.read_text() + "\nWhat it means.\n")
        published.publish(a_report(commit="def"), "overhead", self.docs)
        text = self.text("results/overhead.md")
        self.assertTrue(text.endswith("\nWhat it means.\n"), text)
        self.assertIn("commit def.", text)
        self.assertNotIn("commit abc.", text)

    def test_what_has_no_goal_is_listed_by_its_question(self):
        published.publish(a_report(), "overhead", self.docs)
        self.assertEqual([], self.rows())
        self.assertIn("- [overhead](results/overhead.md): How much? 2030-01-02.", self.text("results.md"))

    def test_a_section_is_replaced_by_a_later_one_of_its_name(self):
        for reached in ("1.2", "1.1"):
            published.publish(a_report(Goal("fast", True, reached)), "overhead", self.docs)
        published.publish(a_report(Goal("small", True, "1 MB")), "memory", self.docs)
        self.assertEqual(["fast | 1.1", "small | 1 MB"],
                         sorted(" | ".join(row.split(" | ")[:2])[2:] for row in self.rows()))


class Ages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.git("init", "-q")
        self.first = self.commit("core/advice/a.cc")

    def git(self, *arguments):
        command = ["git", "-c", "user.name=n", "-c", "user.email=e@example", *arguments]
        return subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self, name):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.read_text() + "x" if file.exists() else "x")
        self.git("add", "-A")
        self.git("commit", "-qm", name)
        return self.git("rev-parse", "HEAD").strip()

    def ages(self, **fields):
        claim = {"section": "advise-17", "experiment": "advise", "claims": [{}, {}], **fields}
        return published.ages([claim], self.root)

    def test_later_commits_count_where_they_change_the_code_in_question(self):
        self.commit("README.md")
        self.assertEqual(["0 of 2 claims are older than the code that they speak of"],
                         self.ages(commit=self.first))
        self.commit("core/advice/a.cc")
        line, total = self.ages(commit=f"{self.first}-dirty")
        self.assertIn("; 1 later commits change the code", line)
        self.assertEqual("2 of 2 claims are older than the code that they speak of", total)

    def test_a_commit_that_is_not_here_is_old(self):
        self.assertIn("which is not here", self.ages(commit="0123456789")[0])


class Repository(unittest.TestCase):
    def test_the_page_has_the_claims_of_the_files(self):
        self.assertEqual(published.overview(published.load()),
                         (published.DOCS / "results.md").read_text("utf-8"))

    def test_experiments_speak_of_folders_that_are_there(self):
        for folders in (*published._SPEAKS_OF.values(), published._SAMPLING):
            for folder in folders:
                self.assertTrue((published.made.ROOT / folder).is_dir(), folder)

    def test_every_file_has_its_tables(self):
        for each in published.load():
            file = published.DOCS / "results" / f"{each['section']}.md"
            self.assertIn(each["question"], file.read_text("utf-8"), file)


if __name__ == "__main__":
    unittest.main()
