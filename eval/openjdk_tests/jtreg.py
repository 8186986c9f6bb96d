"""Runs OpenJDK's test harness over a group of tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Sequence

from eval.jdks import Jdk
from eval.measure import Failed

# Of jtreg: some tests failed (2), or could not be run (3).
_RAN = (0, 2, 3)
_PASSED = "Passed."
# Of a test that was not selected: nobody has run it.
_NOT_RUN = "Not run."
_TIMED_OUT = " timed out"
_SECONDS_TO_ASK_WHY = 20  # of a test that takes too long


# In the folder of a run that came to its end.
_ENDED = "ended"


def has_results(work: Path) -> bool:
    return (work / _ENDED).exists()


@dataclass(frozen=True)
class Harness:
    sources: Path  # of the JDK: has the folder test
    concurrency: int = 2
    timeout_factor: float = 1.0

    def test_folder(self) -> Path:
        return self.sources / "test"

    def suite_of(self, place: str) -> Path:
        """The root of the suite that a place below the folder test is in."""
        folder = self.test_folder() / place
        while not (folder / "TEST.ROOT").exists():
            if folder == self.test_folder():
                raise Failed(f"{place}: no suite of {self.test_folder()} has it")
            folder = folder.parent
        return folder

    def run(self, places: Sequence[str], tested: Path, compiling: Jdk, work: Path) -> Results:
        """Tests or folders of them below the folder test, those that this version has, of one suite;
        * and ? in their names stand for any that fit.
        `tested` is the home of the JDK that runs them. Where `work` has the results, nothing runs."""
        present = [place for each in places for place in self._present(each)]
        if not present:
            raise Failed(f"{self.test_folder()} has none of {', '.join(places)}")
        suite = self.suite_of(present[0])
        if has_results(work):
            return Results.read(work, suite.relative_to(self.test_folder()))
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        argv = ["nice", "-n", "10", "jtreg", "-agentvm", "-automatic", "-ignore:quiet",
                f"-concurrency:{self.concurrency}", f"-timeoutFactor:{self.timeout_factor}",
                f"-timeoutHandlerTimeout:{_SECONDS_TO_ASK_WHY}", f"-jdk:{tested}",
                f"-compilejdk:{compiling.home}", f"-workDir:{work / 'work'}",
                f"-reportDir:{work / 'report'}", "-retain:fail,error", *self._excluded(suite),
                *(str(self.test_folder() / place) for place in present)]
        with (work / "jtreg.log").open("wb") as log:
            ended = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   env={**os.environ, "JT_JAVA": str(compiling.home)}, check=False)
        if ended.returncode not in _RAN:
            raise Failed(f"jtreg failed with exit code {ended.returncode}: see {work / 'jtreg.log'}")
        (work / _ENDED).touch()
        return Results.read(work, suite.relative_to(self.test_folder()))

    def _present(self, place: str) -> list[str]:
        """Among sources that a pattern fits are classes that tests share."""
        name, mark, part = place.partition("#")
        return [f"{found.relative_to(self.test_folder())}{mark}{part}"
                for found in sorted(self.test_folder().glob(name))
                if "*" not in name or found.is_dir() or "@test" in found.read_text("utf-8", "replace")]

    @staticmethod
    def _excluded(suite: Path) -> list[str]:
        """Tests that OpenJDK itself knows to fail."""
        problems = suite / "ProblemList.txt"
        return [f"-exclude:{problems}"] if problems.exists() else []


@dataclass
class Results:
    """Of each test that ran, by its place below the folder test: what the harness says of it."""

    suite: Path  # below the folder test
    work: Path
    statuses: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def read(work: Path, suite: Path) -> Results:
        results = Results(suite, work)
        summary = (work / "report" / "text" / "summary.txt").read_text("utf-8")
        for line in summary.splitlines():
            test, _, status = line.partition(" ")
            if status.strip() and not status.strip().startswith(_NOT_RUN):
                results.statuses[f"{suite / test}"] = status.strip()
        return results

    def passed(self) -> set[str]:
        return {test for test, status in self.statuses.items() if status.startswith(_PASSED)}

    def timed_out(self) -> set[str]:
        return {test for test, status in self.statuses.items() if _TIMED_OUT in status}

    def output(self, test: str) -> str:
        """What the test printed, of each of its actions, and how they ended; empty where it is not
        known."""
        name, _, part = test.partition("#")
        place = Path(name).relative_to(self.suite)
        file = self.work / "work" / place.with_name(f"{place.stem}{'_' * bool(part)}{part}.jtr")
        return file.read_text("utf-8", "replace") if file.exists() else ""
