"""What a test program says about its own calls.

A program's source says it on the line of the call, in the order of the call sites on that line:

    return fib(n - 1) + fib(n - 2); //> Recursion.fib 100, Recursion.fib 100

and for callers outside of the program anywhere, as globs (`|` between alternatives), together:

    //< Worker.run java.lang.Thread.run 4

A method is its class without the package and its name; with its descriptor where that matters. What
is not said must not be there: `differences` compares all edges.
"""

from __future__ import annotations

import fnmatch
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable

from hotspot.integration.bytecode import ClassFiles
from hotspot.integration.jvm import Edge

_OUTGOING = re.compile(r"//> (.*)$")
_INCOMING = re.compile(r"//< (\S+) (\S+) (\d+)\s*$")
_PACKAGE = "programs."


@dataclass
class ExpectedCalls:
    source: str
    # By line: callee and number of calls, in the order of the call sites.
    outgoing: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    # Callee, globs for the caller, number of calls.
    incoming: list[tuple[str, str, int]] = field(default_factory=list)


def read(path: Path) -> ExpectedCalls:
    expected = ExpectedCalls(path.stem)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := _INCOMING.search(line):
            expected.incoming.append((match[1], match[2], int(match[3])))
        elif match := _OUTGOING.search(line):
            calls = [item.split() for item in match[1].split(", ")]
            expected.outgoing[number] = [(callee, int(count)) for callee, count in calls]
    return expected


def _short(method: str) -> str:
    """programs.Outer$Inner.name(I)V as Inner.name(I)V; Outer$1.name stays Outer$1.name."""
    name, paren, descriptor = method.removeprefix(_PACKAGE).partition("(")
    class_name, _, method_name = name.rpartition(".")
    outer, _, inner = class_name.rpartition("$")
    if inner.isdigit():
        inner = outer.rpartition("$")[2] + "$" + inner
    return f"{inner}.{method_name}{paren}{descriptor}"


def _is(glob: str, method: str) -> bool:
    if "(" not in glob:
        method = method.partition("(")[0]
    return fnmatch.fnmatchcase(method, glob)


def _by_name(calls: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(calls, key=lambda call: call[0])


def differences(edges: Iterable[Edge], expected: ExpectedCalls, classes: ClassFiles) -> list[str]:
    """Everything in which the recorded edges and the expected calls differ, one line each."""
    problems: list[str] = []
    by_line: dict[int, list[Edge]] = defaultdict(list)
    outside: list[Edge] = []
    for edge in edges:
        if classes.source_of(edge.caller) != expected.source:
            outside.append(edge)
            continue
        problems += classes.problems_of_site(edge)
        by_line[edge.line].append(edge)

    for line in sorted(expected.outgoing.keys() | by_line.keys()):
        wanted = expected.outgoing.get(line, [])
        found = sorted(by_line[line], key=lambda edge: (edge.bci, edge.callee))
        # A polymorphic site has several callees at one index: there the order is not said.
        got = _by_name([(_short(edge.callee), int(edge.calls)) for edge in found])
        want = _by_name(wanted)
        if len(got) != len(want) or not all(
                _is(name, method) and count == calls
                for (name, count), (method, calls) in zip(want, got)):
            problems.append(f"line {line}: expected {wanted}, recorded "
                            f"{[(edge.bci, _short(edge.callee), edge.calls) for edge in found]}")

    for callee, globs, count in expected.incoming:
        alternatives = globs.split("|")
        matching = [edge for edge in outside if _is(callee, _short(edge.callee))
                    and any(_is(glob, edge.caller) for glob in alternatives)]
        outside = [edge for edge in outside if edge not in matching]
        calls = sum(edge.calls for edge in matching)
        if calls != count:
            problems.append(f"{callee} from {globs}: expected {count}, recorded {calls} from "
                            f"{sorted({edge.caller for edge in matching})}")
    problems += [f"not expected: {edge}" for edge in outside]
    return problems
