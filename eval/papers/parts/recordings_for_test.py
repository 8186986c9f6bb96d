"""Recordings of a few numbers and tiny profiles for the tests of reports."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from eval import tiny_profile_for_test as tiny
from eval.recording import Recording

JDK = "17.0.1"


class ReportTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self._profiles = 0

    def profile(self, **rows: object) -> Path:
        self._profiles += 1
        return tiny.write(self.folder / f"{self._profiles}.yp", **rows)

    def recording(self, configuration: str, cpu_seconds: float = 1.0, *, workload: str = "fop",
                  run: int = 0, jdk: str = JDK, profile: Path | None = None,
                  **fields: object) -> Recording:
        return Recording(workload, jdk, configuration, run, cpu_seconds, cpu_seconds,
                         profile=profile, **fields)

    def table(self, section, title: str):
        """The only table whose title has these words."""
        table, = [table for table in section.tables if title in table.title]
        return table

    def row(self, table, first: str) -> list[str]:
        row, = [row for row in table.rows if row[0] == first]
        return list(row[1:])

    def assert_says(self, section, words: str) -> None:
        self.assertTrue(any(words in note for note in section.notes), section.notes)
