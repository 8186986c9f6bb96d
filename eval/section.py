"""What a report of an evaluation consists of.

A report is a module of eval/papers with a function

    report(recordings: Sequence[Recording], references: Mapping[tuple[str, str], Path]) -> Section

References are the exact profiles by workload and JDK version. The same arguments give the same
section, so that an evaluation can be told again from what it recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from eval.report import Table


class Plot(Protocol):
    name: str  # of its file
    title: str

    def svg(self) -> str:
        """A whole SVG document."""


@dataclass
class Section:
    title: str
    question: str
    paper: str  # whose table or figure it is; empty for our own
    tables: list[Table] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
