"""Qian and Hendren (2004), Table 1: how many callers methods have.

The paper's rows are 0, 1, 2 to 3, 4 to 7, and 8 or more callers, its columns methods of the Java
libraries and of the application (SPECjvm98, all benchmarks together), each with the cumulative
percentage. Ours are the same over all programs, by program, and the mirror image, which the paper
does not have: how many callees call sites have, that is how many of them are monomorphic.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterable, Sequence

from eval.papers.parts import runs as of_runs
from eval.papers.parts.runs import References, Runs
from eval.profile_file import ROOT, Edge, ProfileFile
from eval.recording import Recording
from eval.report import Table
from eval.section import Section

# Of each row the label, and the most callers.
ROWS = (("0", 0), ("1", 1), ("2-3", 3), ("4-7", 7), ("8-", None))
# The paper's: methods of Java libraries and of SPECjvm98.
_PAPER = {"0": (2214, 507), "1": (291, 815), "2-3": (172, 608), "4-7": (170, 283),
          "8-": (358, 411)}
_LIBRARIES = ("java.", "javax.", "jdk.", "sun.", "com.sun.")


def report(recordings: Sequence[Recording], references: References) -> Section:
    runs = Runs(recordings)
    tables = []
    for jdk in dict.fromkeys([*runs.jdks, *(jdk for _, jdk in references)]):
        profiles = {workload: path for (workload, of_jdk), path in references.items()
                    if of_jdk == jdk}
        if not profiles:
            continue
        counts = {workload: callers(path) for workload, path in profiles.items()}
        sites = {workload: callees(path) for workload, path in profiles.items()}
        tables += [distribution(jdk, counts.values()), _by_program(jdk, counts),
                   _sites(jdk, sites)]
    return Section(
        "Callers of methods", "How many callers does a method have, and a call site callees?",
        "Qian and Hendren, 2004, Table 1", tables, [],
        [*([] if references else ["No exact profile: every plan makes them."]),
         *of_runs.missing_references(runs, references),
         "A caller is a method, as in the paper, whose tables have an entry for each; calls from "
         "native code and the VM are one caller more.",
         "The paper counts all methods of loaded classes, so that most methods of the libraries "
         "have no caller. Profiles have only methods that were called or call: one without a "
         "caller was found on the stack. Compare the shares among methods that are called.",
         "Methods of the JDK are callees only in profiles that were recorded with `--scope all`."])


def callers(exact: Path) -> dict[bool, Counter[int]]:
    """How many methods have how many callers, by whether they are the libraries'."""
    file = ProfileFile(exact)
    called_by: dict[str, set[str]] = {method: set() for method in file.methods()}
    for edge in _executed(file.edges()):
        called_by[edge.callee].add(edge.caller)
    executed = {name for names in called_by.values() for name in names}
    counts: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for method, names in called_by.items():
        if names or method in executed:
            counts[is_library(method)][len(names)] += 1
    return counts


def callees(exact: Path) -> Counter[int]:
    """How many call sites have how many callees."""
    sites: dict[tuple[str, int], set[str]] = defaultdict(set)
    for edge in _executed(ProfileFile(exact).edges()):
        if edge.caller != ROOT and edge.bci >= 0:
            sites[edge.caller, edge.bci].add(edge.callee)
    return Counter(len(methods) for methods in sites.values())


def is_library(method: str) -> bool:
    return method.startswith(_LIBRARIES)


def rows(counts: Counter[int]) -> list[tuple[int, float]]:
    """For each of ROWS the number of methods and the cumulative percentage."""
    total = counts.total()
    result, below = [], -1
    for _, most in ROWS:
        number = sum(count for callers_, count in counts.items()
                     if callers_ > below and (most is None or callers_ <= most))
        below = most if most is not None else below
        cumulative = sum(count for callers_, count in counts.items()
                         if most is None or callers_ <= most)
        result.append((number, 100 * cumulative / total if total else 0.0))
    return result


def distribution(jdk: str, counts: Iterable[dict[bool, Counter[int]]]) -> Table:
    together: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for each in counts:
        for library, numbers in each.items():
            together[library] += numbers
    columns = [together[True], together[False],
               *(Counter({most if most is not None else 8: _PAPER[label][i]
                          for label, most in ROWS}) for i in range(2))]
    cells = [rows(column) for column in columns]
    table = [[label, *(f"{cell[i][0]:,} ({cell[i][1]:.1f} %)" for cell in cells)]
             for i, (label, _) in enumerate(ROWS)]
    table.append(["total", *(f"{column.total():,}" for column in columns)])
    return Table(f"JDK {jdk}: methods by number of callers, all programs (cumulative percent)",
                 ["callers", "libraries", "programs", "paper: Java libraries",
                  "paper: SPECjvm98"], table)


def _by_program(jdk: str, counts: dict[str, dict[bool, Counter[int]]]) -> Table:
    table = []
    for workload, by_library in counts.items():
        called = Counter({callers_: number for callers_, number in by_library[False].items()
                          if callers_ > 0})
        cumulative = [share for _, share in rows(called)][1:-1]
        table.append([workload, f"{called.total():,}", *(f"{share:.1f}" for share in cumulative),
                      f"{max(called, default=0):,}"])
    return Table(f"JDK {jdk}: the programs' own methods that were called, percent with so many "
                 "callers or fewer", ["program", "methods", "1", "3", "7", "most callers"], table)


def _sites(jdk: str, sites: dict[str, Counter[int]]) -> Table:
    table = []
    for workload, counts in sites.items():
        total = counts.total()
        more = total - counts[1] - counts[2]
        table.append([workload, f"{total:,}",
                      *(f"{100 * number / total if total else 0:.1f}"
                        for number in (counts[1], counts[2], more)), f"{max(counts, default=0):,}"])
    return Table(f"JDK {jdk}: call sites that ran, percent with 1, 2 and more callees",
                 ["program", "call sites", "monomorphic", "2 callees", "3 or more",
                  "most callees"], table)


def _executed(edges: Iterable[Edge]) -> list[Edge]:
    return [edge for edge in edges if edge.calls > 0]
