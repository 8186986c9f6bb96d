"""Writes what an evaluation found into its results folder, and as Markdown where it is wanted."""

from __future__ import annotations

from pathlib import Path

from eval import published
from eval.run.folder import to_text, write
from eval.run.page import page
from eval.run.results import Results, plot_file

PAGE = "index.html"


def save(results: Results, folder: Path) -> None:
    """Plots of an earlier time that are no more are removed."""
    plots = {plot_file(name, plot): plot.svg()
             for name, section in results.sections.items() for plot in section.plots}
    for old in folder.glob("*.svg"):
        if old.name not in plots:
            old.unlink()
    for file, svg in plots.items():
        write(folder / file, svg)
    write(folder / "results.json", to_text(results.to_json()))
    write(folder / PAGE, page(results))


def publish(results: Results, docs: Path, section: str) -> None:
    """Each report as SECTION-REPORT."""
    for name, report in results.reports().items():
        published.publish(report, f"{section}-{name}", docs)
