"""How a test ended with stock HotSpot and with the compiler, and why these differ."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Mapping

CAUSES = Path(__file__).resolve().parent / "causes.toml"
UNEXPLAINED = "not explained"


class CausesError(Exception):
    """Of the file of causes: what is wrong with it."""


@dataclass(frozen=True)
class Cause:
    """`applies` is false where the test is about something that the compiler is not."""

    text: str
    applies: bool


NO_CAUSE = Cause(UNEXPLAINED, True)


@dataclass(frozen=True)
class Causes:
    """Of tests that do not pass. The test's own cause counts first, then the first rule whose pattern
    is found in what it printed, then in its own source."""

    by_test: Mapping[str, Cause]
    by_output: list[tuple[re.Pattern[str], Cause]]
    by_source: list[tuple[re.Pattern[str], Cause]]

    @staticmethod
    def read(file: Path = CAUSES) -> Causes:
        declared = tomllib.loads(file.read_text("utf-8"))
        by_test: dict[str, Cause] = {}
        rules: dict[str, list[tuple[re.Pattern[str], Cause]]] = {"output": [], "source": []}
        for each in declared["cause"]:
            cause = Cause(each["text"], each.get("applies", True))
            if not {"tests", *rules} & set(each):
                raise CausesError(f"{file}: of which tests is this the cause: {cause.text}")
            for test in each.get("tests", ()):
                by_test[test] = cause
            for where, known in rules.items():
                if where in each:
                    known.append((re.compile(each[where]), cause))
        return Causes(by_test, rules["output"], rules["source"])

    def of(self, test: str, output: str, source: str) -> Cause:
        if test in self.by_test:
            return self.by_test[test]
        for rules, text in ((self.by_output, output), (self.by_source, source)):
            for pattern, cause in rules:
                if pattern.search(text):
                    return cause
        return NO_CAUSE


@dataclass
class Outcome:
    """Of a group's tests in one configuration beside stock HotSpot. Tests that stock HotSpot does not
    pass are judged by nothing."""

    passed: int = 0
    passed_again: dict[str, str] = field(default_factory=dict)  # not at first: what they ended with
    cannot_apply: dict[str, str] = field(default_factory=dict)  # and why
    differ: dict[str, str] = field(default_factory=dict)  # and why

    def to_json(self) -> dict[str, Any]:
        return {"passed": self.passed, "passed at the second run": self.passed_again,
                "cannot apply": self.cannot_apply, "differ": self.differ}


def judge(stock: set[str], first: Mapping[str, str], passed: set[str], passed_again: set[str],
          cause_of: Callable[[str], Cause]) -> Outcome:
    """`stock` passed with HotSpot's compilers; `first` says how tests ended here, `passed` which of
    them passed, and `passed_again` which others did when they ran once more."""
    outcome = Outcome(passed=len(stock & passed))
    for test in sorted(stock - passed):
        if test in passed_again:
            outcome.passed_again[test] = first.get(test, "")
            continue
        cause = cause_of(test)
        (outcome.differ if cause.applies else outcome.cannot_apply)[test] = cause.text
    return outcome
