#!/usr/bin/env python3
"""not_tested.py LOG...: what tests of ctest's logs (Testing/Temporary/LastTest.log) have skipped, a
line for each reason of a test. Understands Python's unittest, GoogleTest, node --test and ctest."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

_BEGIN = re.compile(r"^\d+/\d+ Test: (?P<test>\S+)$")
_NOT_RUN = re.compile(r"^Test not run\b|^Unable to find executable|^Could not find executable")
_REASONS = (
    # unittest: "test_a (module.Class.test_a) ... skipped 'why'", also of subtests and whole classes.
    re.compile(r"\bskipped (?P<quote>['\"])(?P<why>.*)(?P=quote)$"),
    # What a test says of one of several JDKs, or of a part that is not there.
    re.compile(r"(?:^|\.\.\. )(?P<why>(?:SKIPPED|NOT TESTED)\b.*)$"),
    # node --test: "ok 3 - name # SKIP why".
    re.compile(r"^\s*ok \d+ .*# SKIP ?(?P<why>.*)$"),
)
# GoogleTest tells the place, then the reason in lines of its own until the test ends.
_SKIPPED_AT = re.compile(r"^\S+:\d+: Skipped$")
_SKIPPED = re.compile(r"^\[  SKIPPED \] (?P<name>\S+) \(\d+ ms\)$")
# The same reason for many tests is one.
_NAME = re.compile(r": [\w.]+\.test_\w+$")


def skips(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(test, reason) for each that was skipped."""
    test = ""
    place = why = None
    for line in lines:
        line = line.rstrip("\n")
        if begin := _BEGIN.match(line):
            test = begin["test"]
            place = why = None
        elif _NOT_RUN.match(line):
            yield test, line
        elif _SKIPPED_AT.match(line):
            place, why = line, []
        elif _SKIPPED.match(line):
            yield test, next((each for each in why or [] if each.strip()), place or "no reason told")
            place = why = None
        elif why is not None:
            why.append(line)
        else:
            for pattern in _REASONS:
                if found := pattern.search(line):
                    yield test, _NAME.sub("", found["why"]) or "no reason told"
                    break


def summary(lines: Iterable[str]) -> list[str]:
    """A line for each test and reason, in their order."""
    return [f"{test}: {reason}" + (f" ({times} times)" if times > 1 else "")
            for (test, reason), times in Counter(skips(lines)).items()]


def main() -> None:
    told = [line for path in sys.argv[1:]
            for line in summary(Path(path).read_text(errors="replace").splitlines())]
    print("\n".join(told) if told else "nothing was skipped")


if __name__ == "__main__":
    main()
