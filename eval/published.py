"""The published results: docs/results.md, a row for each claim, and docs/results/, a file for each
experiment with its tables (NAME.md) and its claims (NAME.json), from which the rows come.

`python3 -m eval.published` checks that docs/results.md has these rows, and says which claims are
older than the code that they speak of; `--write` writes it anew.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterable, Mapping, Sequence

from eval import made
from eval.report import Report, with_section

DOCS = made.ROOT / "docs"
_FOLDER = "results"
_SAMPLING = ("core/graph", "core/inference", "core/sampling", "format/profile", "hotspot", "recorder")
# The code that an experiment's claims speak of: when it changes, they are of older code.
_SPEAKS_OF: Mapping[str, Sequence[str]] = {
    "adaptive": ("compiler", "core/adaptive"),
    "advise": ("core/advice", "cli/advise"),
    "amortize": ("core/amortize", "format/profile", "hotspot/jit", "hotspot/recording"),
    "correction": ("core/sampling",),
    "edges": ("hotspot/discovery", "hotspot/probes/bytecode", "classfile"),
    "false_alarms": ("core/graph", "format/profile"),
    "hotspot.integration.torture": ("hotspot", "recorder"),
    "inlining": ("compiler", "core/adaptive"),
    "kernel": ("hotspot/probes", "recorder"),
    "levels": ("compiler",),
    "memory": ("hotspot", "recorder"),
    "method_times": ("core/amortize", "hotspot/stacks"),
    "openjdk_tests": ("compiler",),
    "overhead": ("hotspot", "recorder"),
    "page": ("ui", "format/page"),
    "startup": ("cli", "hotspot/agent"),
    "steady": ("hotspot", "recorder"),
    "what_if": ("core/amortize",),
    "yieldpoints": ("compiler", "recorder"),
}
_INTRODUCTION = """# Results

What was measured, a row for each claim. Each links to its tables, which stand below the command that made them, with date, machine, JDK and commit. [eval/README.md](../eval/README.md) says how to read the tables and how they are measured; [its programs](../eval/workloads/README.md) are real ones from Debian packages. Ratios are within a round, in brackets their 95 % bootstrap interval; *A/A control* is the unprofiled program against itself.

An experiment writes its file in `docs/results` with `--publish docs`, and this page anew; `python3 -m eval.published` says which claims are older than the code that they speak of. What was measured of a commit before 9ae1544 (2026-11-25) is of a time when numbers of calls came from the durations of windows, and `--probe bytecode` sampled in windows unless told otherwise.
"""
_OF_JDK = re.compile(r"^JDK (?P<first>\d+)[\d.]*: |,? (?:on )?JDK (?P<later>\d+)[\d.]*")


def add_options(parser: argparse.ArgumentParser, section: str | None) -> None:
    parser.add_argument("--publish", type=Path, metavar="FOLDER",
                        help="write tables and claims into FOLDER/results, and FOLDER/results.md "
                             "anew; docs is what the repository publishes")
    parser.add_argument("--section", default=section, metavar="NAME",
                        help="another name for the files" + (f" (default: {section})" if section else ""))


def publish_as_asked(report: Report, arguments: argparse.Namespace) -> None:
    if arguments.publish:
        publish(report, arguments.section, arguments.publish)


def publish(report: Report, section: str, docs: Path) -> None:
    """The tables into docs/results/SECTION.md, where words that people wrote below them stay; the
    claims into SECTION.json; and docs/results.md anew."""
    folder = docs / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{section}.md"
    old = file.read_text("utf-8") if file.exists() else ""
    file.write_text(with_section(old, section, report.markdown(section)), "utf-8")
    claims = {"section": section, "experiment": report.name, "question": report.question,
              "date": report.date, "commit": report.commit,
              "jdks": [jdk.version for jdk in report.jdks],
              "claims": [{"goal": goal.text, "met": goal.is_met, "reached": goal.reached}
                         for goal in report.goals]}
    text = json.dumps(claims, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{section}.json").write_text(text, "utf-8")
    (docs / "results.md").write_text(overview(load(docs)), "utf-8")


def load(docs: Path = DOCS) -> list[dict]:
    """What was published, by section."""
    return [json.loads(file.read_text("utf-8")) for file in sorted((docs / _FOLDER).glob("*.json"))]


def overview(published: Iterable[dict]) -> str:
    """docs/results.md."""
    rows, without = [], []
    for each in published:
        link = f"[{each['section']}]({_FOLDER}/{each['section']}.md)"
        day = each["date"].split()[0]
        if not each["claims"]:
            without.append(f"- {link}: {each['question']} {day}.")
        for claim in each["claims"]:
            named = [first or later for first, later in _OF_JDK.findall(claim["goal"])]
            jdk = ", ".join(named or [version.split(".")[0] for version in each["jdks"]])
            goal = _OF_JDK.sub("", claim["goal"]) if named else claim["goal"]
            cells = [goal, claim["reached"], "met" if claim["met"] else "**missed**", jdk, day,
                     each["commit"], link]
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    table = ["| goal | reached | | JDK | date | commit | tables |", "|---|---|---|---|---|---|---|", *rows]
    return "\n".join([_INTRODUCTION, *table, "", "Measured without a goal:", "", *without]) + "\n"


def newer_commits(each: Mapping, root: Path = made.ROOT) -> int | None:
    """How many commits have changed the code that a section speaks of since it was measured. None
    where its commit is not known."""
    commit = re.sub(r"-dirty$", "", each["commit"])
    paths = _SPEAKS_OF.get(each["experiment"], _SAMPLING)
    listed = subprocess.run(["git", "log", "--format=%h", f"{commit}..HEAD", "--", *paths],
                            cwd=root, capture_output=True, text=True, check=False)
    return len(listed.stdout.split()) if listed.returncode == 0 else None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m eval.published", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/results.md anew")
    options = parser.parse_args(arguments)
    published = load()
    page = DOCS / "results.md"
    if options.write:
        page.write_text(overview(published), "utf-8")
    elif page.read_text("utf-8") != overview(published):
        print("docs/results.md does not have the claims of docs/results/*.json: "
              "python3 -m eval.published --write", file=sys.stderr)
        return 1
    print("\n".join(ages(published)))
    return 0


def ages(published: Iterable[dict], root: Path = made.ROOT) -> list[str]:
    """Which claims are older than the code that they speak of, a line for each file of them."""
    lines, claims, older = [], 0, 0
    for each in published:
        claims += len(each["claims"])
        newer = newer_commits(each, root)
        if newer == 0 or not each["claims"]:
            continue
        older += len(each["claims"])
        what = f"{each['section']}: {len(each['claims'])} claims of commit {each['commit']}"
        lines.append(f"{what}, which is not here" if newer is None else
                     f"{what}; {newer} later commits change the code that they speak of")
    return [*lines, f"{older} of {claims} claims are older than the code that they speak of"]


if __name__ == "__main__":
    sys.exit(main())
