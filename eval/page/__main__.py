"""./yp eval page: how fast is the page of a very large profile?

Exact profiles of real programs, the JDK's classes included, are merged until there are 20,000
methods and 200,000 edges; yp report makes the page, and Chromium opens it, searches and lays out.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

from eval import experiment, jdks, made, measure, published
from eval.built import Built
from eval.measure import Failed
from eval.page.merge import Size, merge, size_of
from eval.report import Goal, Report, Table
from eval.workloads import manifest, prepare, runner

_ROOT = made.ROOT
_FOLDER = _ROOT / "build" / "page"
_ENOUGH = Size(methods=20_000, edges=200_000)
_MOST_BYTES = 8_000_000
# What is measured, what it may take in ms, and what it is.
_GOALS = (("graph_ms", 1000, "open: from the navigation's start to the first graph, painted"),
          ("search_ms", 50, "search: the slowest answer to a letter of a name, painted"),
          ("layout_ms", 300, "layout and drawing of a graph"),
          ("brush_ms", 100, "another part of the run: its calls, painted"),
          ("threads_ms", 100, "other threads: their calls, painted"))


@dataclass(frozen=True)
class Made:
    page: Path
    size: Size


def _run(command: list[str], cwd: Path | None = None) -> str:
    outcome = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if outcome.returncode != 0:
        raise Failed(f"{command[0]}: {outcome.stderr.strip()[-1000:]}")
    return outcome.stdout


def _record(built: Built, workload: manifest.Workload, jdk: jdks.Jdk, profile: Path,
            options: list[str], iterations: int) -> Path:
    if not profile.is_file():
        measure.note(f"recording {workload.name} on JDK {jdk.major}")
        prepare.prepare([workload])
        runner.run(workload, jdk, iterations,
                   prefix=[str(built.yp), "run", "-q", "-o", str(profile), *options, "--"])
    return profile


def large_page(built: Built, found: Sequence[jdks.Jdk]) -> Made:
    """Of as many programs as it takes, on one JDK and then on the next: its classes are others."""
    merged, larger = _FOLDER / "merged.yp", _FOLDER / "larger.yp"
    merged.unlink(missing_ok=True)
    options = ["--mode", "exact", "--scope", "all", "--trivial", "include"]
    real = [workload for workload in manifest.load().values()
            if not (workload.kernel or workload.bias or workload.service)]
    for number, (jdk, workload) in enumerate(itertools.product(found, real), start=1):
        name = f"exact-{workload.name}-{jdk.major}.yp"
        profile = _record(built, workload, jdk, _FOLDER / name, options, 1)
        size = merge([merged, profile] if merged.is_file() else [profile], larger)
        larger.replace(merged)
        measure.note(f"{number} recordings: {size.methods:,} methods, {size.edges:,} edges")
        if size.methods >= _ENOUGH.methods and size.edges >= _ENOUGH.edges:
            break
    page = _FOLDER / "merged.html"
    _run([str(built.yp), "report", str(merged), "-o", str(page)])
    return Made(page, size_of(merged))


def screenshots(built: Built, jdk: jdks.Jdk, folder: Path) -> None:
    """Those of the documentation: of one program with all that a page shows; source files of another,
    the JDK's own compiler, as JDKs have their sources with them, or can have."""
    workload = manifest.load()["ecj"]
    profile = _record(built, workload, jdk, _FOLDER / "pictured.yp", ["--jit", "--budget", "10"], 12)
    page = _FOLDER / "pictured.html"
    _run([str(built.yp), "report", str(profile), "-o", str(page)])
    pictures = ["node", "e2e/screenshots.mjs", str(page), str(folder.resolve())]
    archive = jdk.home / "lib" / "src.zip"
    if archive.is_file():
        pictures += ["--sources", str(_page_with_sources(built, jdk, archive))]
    else:
        measure.note(f"no picture of source files: {archive} is not there")
    print(_run(pictures, cwd=_ROOT / "ui"), end="")


def _page_with_sources(built: Built, jdk: jdks.Jdk, archive: Path) -> Path:
    """Of the program that README has for an example."""
    profile, page = _FOLDER / "sources.yp", _FOLDER / "sources.html"
    programs = sorted((_ROOT / "hotspot" / "integration" / "java").rglob("*.java"))
    _run([str(built.yp), "run", "-q", "--jit", "--budget", "5", "-o", str(profile), "--", str(jdk.java), "-m",
          "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-nowarn", "-d", str(_FOLDER / "classes"),
          *map(str, programs)])
    _run([str(built.yp), "report", str(profile), "--sources", str(archive), "-o", str(page)])
    return page


def table(large: Made, measured: dict[str, Any]) -> tuple[Table, list[Goal]]:
    rows = [["methods", f"{large.size.methods:,}", ""], ["edges", f"{large.size.edges:,}", ""],
            ["the page's size", f"{measured['bytes'] / 1e6:.2f} MB", f"{_MOST_BYTES / 1e6:.0f} MB"]]
    goals = [Goal(f"the page of such a profile has at most {_MOST_BYTES / 1e6:.0f} MB",
                  measured["bytes"] <= _MOST_BYTES, f"{measured['bytes'] / 1e6:.2f} MB")]
    for key, most, words in _GOALS:
        times = measured[key]
        if key == "layout_ms":
            words += f" of {measured['layout_nodes']} methods"
        reached = f"{times['median']:.0f} ms ({times['low']:.0f} to {times['high']:.0f})"
        rows.append([words, reached, f"{most} ms"])
        goals.append(Goal(f"{words}: at most {most} ms", times["median"] <= most, reached))
    return Table(f"a page of merged exact profiles in Chromium, medians of {measured['runs']} runs "
                 "(least to largest)", ["what", "measured", "goal"], rows), goals


def main() -> int:
    parser = argparse.ArgumentParser(prog="yp eval page",
                                     description="How fast is the page of a very large profile?")
    experiment.add_jdks(parser)
    parser.add_argument("--runs", type=experiment.positive, default=7, metavar="N")
    parser.add_argument("--build", type=lambda folder: Built(Path(folder).resolve()),
                        default=Built(), metavar="FOLDER")
    published.add_options(parser, "page")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER",
                        help="make the README's pictures instead")
    arguments = parser.parse_args()
    found = experiment.found_jdks(arguments.jdk)
    if not found:
        parser.error("there is no such JDK here")
    _FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        if arguments.screenshots:
            screenshots(arguments.build, found[0], arguments.screenshots)
            return 0
        large = large_page(arguments.build, found)
        measured = json.loads(_run(["node", "e2e/measure.mjs", str(large.page), "--runs",
                                    str(arguments.runs), "--json"], cwd=_ROOT / "ui"))
    except Failed as failure:
        print(f"yp eval page: {failure}", file=sys.stderr)
        return 1
    made_of, goals = table(large, measured)
    report = Report("page", "How fast is the page of a very large profile?",
                    f"./yp eval page --runs {arguments.runs}", found)
    report.tables.append(made_of)
    report.goals += goals
    print(report.text())
    published.publish_as_asked(report, arguments)
    return 0 if all(goal.is_met for goal in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
