"""A part of a section: what one of several figures of a paper gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from eval.report import Table
from eval.section import Plot


@dataclass
class Part:
    tables: list[Table] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Part) -> None:
        self.tables += other.tables
        self.plots += other.plots
        self.notes += other.notes
