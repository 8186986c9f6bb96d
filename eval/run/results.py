"""What a results folder's recordings say: the plan's reports, told again from the same recordings
with the same result."""

from __future__ import annotations

import importlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from eval import audit, report
from eval.jdks import Jdk
from eval.measure import note
from eval.recording import Recording
from eval.run.folder import Folder, Run
from eval.run.origin import Origin
from eval.run.plan import Plan
from eval.section import Plot, Section


@dataclass(frozen=True)
class Results:
    plan: Plan
    origin: Origin
    runs: Sequence[Run]  # their profiles relative to the folder
    sections: Mapping[str, Section]  # by report
    failures: Sequence[str]
    notes: Sequence[str]

    def warnings(self) -> list[str]:
        """Of the machine."""
        machine = self.origin.machine
        load = audit.load_warning([run.load for run in self.runs], int(machine["CPUs"]))
        return [*audit.warnings(machine), *([load] if load else [])]

    def to_json(self) -> dict[str, Any]:
        return {**self.origin.to_json(), "plan": self.plan.to_json(),
                "warnings": self.warnings(), "failures": list(self.failures),
                "notes": list(self.notes),
                "runs": [run.to_json() for run in self.runs],
                "reports": {name: _section(name, section)
                            for name, section in self.sections.items()}}

    def reports(self) -> dict[str, report.Report]:
        """As the experiments' tables, for a terminal and for Markdown. The failures are in each."""
        machine = self.origin.machine
        facts = (f"{machine['CPU']}, {machine['CPUs']} CPUs, {machine['memory']}, "
                 f"{machine['kernel']}")
        jdks = [Jdk(Path(), int(major), version) for major, version in self.origin.jdks.items()]
        return {name: report.Report(
            name, f"{section.title}. {section.question}", self.origin.command, jdks,
            self.origin.date, facts, self.origin.commit, section.tables,
            notes=[*section.notes, *self.notes], failures=list(self.failures))
            for name, section in self.sections.items()}


def plot_file(name: str, plot: Plot) -> str:
    return f"{name}-{plot.name}.svg"


def _section(name: str, section: Section) -> dict[str, Any]:
    return {"title": section.title, "question": section.question, "paper": section.paper,
            "tables": [asdict(table) for table in section.tables],
            "plots": [{"title": plot.title, "file": plot_file(name, plot)}
                      for plot in section.plots],
            "notes": section.notes}


def tell(plan: Plan, origin: Origin, folder: Folder) -> Results:
    """Programs of which a run failed are in no table. A report that fails costs itself only."""
    runs = folder.runs()
    failed = folder.failures()
    failures = [str(failure) for failure in failed]
    left_out = {(failure.workload, failure.jdk) for failure in failed}
    recordings = [run.recording for run in runs
                  if (run.recording.workload, run.recording.jdk) not in left_out]
    references = {key: path for key, path in folder.references().items() if key not in left_out}
    sections = {}
    for name in plan.reports:
        try:
            sections[name] = _reported(name, recordings, references)
        except Exception as error:  # whatever is wrong with it, the others are still told
            failures.append(f"report {name}: {type(error).__name__}: {error}")
            note(f"FAILED: {failures[-1]}")
    expected = (len(plan.workloads) * len(origin.jdks) * len(plan.all_configurations) * plan.runs)
    notes = list(origin.skipped)
    if len(runs) < expected:
        notes.append(f"{len(runs)} of {expected} runs are there")
    return Results(plan, origin, [Run(folder.relative(run.recording), run.load, run.date)
                                  for run in runs], sections, failures, notes)


def _reported(name: str, recordings: Sequence[Recording],
              references: Mapping[tuple[str, str], Path]) -> Section:
    if not recordings:
        raise ValueError("there are no recordings")
    return importlib.import_module(f"eval.papers.{name}").report(recordings, references)
