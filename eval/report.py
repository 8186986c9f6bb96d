"""What an experiment found, beside the command that found it: as text, Markdown and JSON."""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import shlex
import subprocess
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Sequence

from eval import made
from eval.jdks import Jdk


@dataclass(frozen=True)
class Table:
    """The first column is text, the others are numbers."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self) -> str:
        table = [self.header, *self.rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(self.header))]
        lines = [self.title]
        for first, *rest in table:
            cells = [f"{first:{widths[0]}}",
                     *(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:]))]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        rule = ["---", *["---:"] * (len(self.header) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in (self.header, rule, *self.rows)]
        return f"**{self.title}**\n\n" + "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Goal:
    """What was to be reached, and what was."""

    text: str
    is_met: bool
    reached: str

    def __str__(self) -> str:
        return f"Goal: {self.text}: {'met' if self.is_met else 'MISSED'} ({self.reached})."


@dataclass
class Report:
    name: str  # of the experiment, and of its section unless another is asked for
    question: str
    command: str
    jdks: Sequence[Jdk]
    date: str = field(default_factory=lambda: datetime.datetime.now(datetime.timezone.utc)
                      .strftime("%Y-%m-%d %H:%M UTC"))
    machine: str = field(default_factory=lambda: machine())
    commit: str = field(default_factory=lambda: commit())
    tables: list[Table] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    data: dict[str, object] = field(default_factory=dict)  # every measurement, by JDK version

    def origin(self) -> str:
        versions = ", ".join(jdk.version for jdk in self.jdks)
        return f"{self.date}; {self.machine}; JDK {versions}; commit {self.commit}"

    def text(self) -> str:
        lines = [*(f"FAILED: {failure}" for failure in self.failures),
                 *map(str, self.goals), *self.notes]
        return "\n".join([f"{self.question}\n{self.origin()}\n",
                          *(table.text() for table in self.tables), *lines]).rstrip() + "\n"

    def markdown(self, section: str) -> str:
        lines = [*(f"- **Failed**: {failure.splitlines()[0]}" for failure in self.failures),
                 *(f"- {note}" for note in (*self.goals, *self.notes))]
        parts = [f"## {section}", self.question, f"    {self.command}", self.origin() + ".",
                 *(table.markdown().rstrip() for table in self.tables)]
        return "\n\n".join([*parts, "\n".join(lines)] if lines else parts) + "\n"

    def to_json(self) -> dict[str, object]:
        return {"experiment": self.name, "command": self.command, "date": self.date,
                "machine": self.machine, "commit": self.commit,
                "jdks": [jdk.version for jdk in self.jdks], "notes": self.notes,
                "goals": [asdict(goal) for goal in self.goals],
                "failures": self.failures, "results": self.data}

    def save_json(self, file: Path) -> None:
        file.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")


def with_section(document: str, name: str, text: str) -> str:
    """The document with its section between `name`'s markers replaced, or added at the end."""
    begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
    section = f"{begin}\n{text.strip()}\n{end}"
    old = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if old.search(document):
        return old.sub(lambda match: section, document, count=1)
    return f"{document.rstrip()}\n\n{section}\n".lstrip()


def command_line(name: str, arguments: Sequence[str], outputs: Sequence[str],
                 program: Sequence[str] = ("./yp", "eval")) -> str:
    """The command without the options that say where the results go, each of which has a value."""
    kept = []
    skip = False
    for argument in arguments:
        is_output = argument.split("=")[0] in outputs
        if not skip and not is_output:
            kept.append(argument)
        skip = is_output and "=" not in argument
    return shlex.join([*program, name, *kept])


def machine() -> str:
    cpus = re.findall(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text("utf-8"),
                      re.MULTILINE)
    gib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return (f"{cpus[0] if cpus else platform.machine()}, {os.cpu_count()} CPUs, {gib:.0f} GiB, "
            f"Linux {platform.release()}, load {os.getloadavg()[0]:.1f} at the start")


def commit() -> str:
    described = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=10"],
                               cwd=made.ROOT, capture_output=True, text=True, check=False)
    return described.stdout.strip() or "unknown"
