"""The programs' class files as javap shows them: the truth about call sites."""

from __future__ import annotations

import functools
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from hotspot.integration import programs
from hotspot.integration.jvm import Edge

_SOURCE = re.compile(r'^Compiled from "(.*)\.java"')
_CLASS = re.compile(r"^(?:[\w ]* )?(?:class|interface|enum) ([\w.$]+)")
_METHOD = re.compile(r"^  (?:.* )?([\w.$]+)\(.*\)(?: throws .*)?;$")
_STATIC_BLOCK = re.compile(r"^  static \{\};$")
_DESCRIPTOR = re.compile(r"^    descriptor: (\S+)$")
_INSTRUCTION = re.compile(r"^ +(\d+): ([a-z]\w*)")
_LINE = re.compile(r"^ +line (\d+): (\d+)$")
# What may run a method: the calls, and what initialises a class.
_CALLS = {"invokevirtual", "invokespecial", "invokestatic", "invokeinterface", "invokedynamic"}
_INITIALISES = {"new", "getstatic", "putstatic", "invokestatic"}


@dataclass
class _Method:
    instructions: dict[int, str] = field(default_factory=dict)
    lines: list[tuple[int, int]] = field(default_factory=list)  # (first bci, line)


class ClassFiles:
    """All classes in a folder."""

    def __init__(self, folder: Path) -> None:
        self._sources: dict[str, str] = {}
        self._methods: dict[str, _Method] = {}
        files = sorted(str(path) for path in folder.rglob("*.class"))
        jdk = programs.oldest_jdk()
        result = subprocess.run([jdk.home / "bin" / "javap", "-p", "-c", "-l", "-s", *files],
                                capture_output=True, text=True, check=True)
        self._parse(result.stdout)

    def _parse(self, text: str) -> None:
        source = class_name = name = ""
        method = _Method()
        for line in text.splitlines():
            if match := _SOURCE.match(line):
                source = match[1]
            elif match := _CLASS.match(line):
                class_name = match[1]
                self._sources[class_name] = source
            elif match := _METHOD.match(line):
                name = "<init>" if match[1] == class_name else match[1]
            elif _STATIC_BLOCK.match(line):
                name = "<clinit>"
            elif match := _DESCRIPTOR.match(line):
                method = _Method()
                self._methods[f"{class_name}.{name}{match[1]}"] = method
            elif match := _INSTRUCTION.match(line):
                method.instructions[int(match[1])] = match[2]
            elif match := _LINE.match(line):
                method.lines.append((int(match[2]), int(match[1])))

    def source_of(self, method: str) -> str | None:
        """The name of the source file, without its suffix, that a method comes from."""
        class_name = method.partition("(")[0].rpartition(".")[0]
        return self._sources.get(class_name)

    def problems_of_site(self, edge: Edge) -> list[str]:
        """Whether an edge's call site is one in the class file, at the line that it names."""
        method = self._methods.get(edge.caller)
        if method is None:
            return [f"no such method: {edge}"]
        allowed = _INITIALISES if ".<clinit>(" in edge.callee else _CALLS
        if method.instructions.get(edge.bci) not in allowed:
            return [f"no call there: {edge}"]
        line = max((entry for entry in method.lines if entry[0] <= edge.bci), default=(0, 0))[1]
        return [] if line == edge.line else [f"line {line} in the class file: {edge}"]

    def lines_of(self, method: str) -> list[tuple[int, int]]:
        """(first bci, line)."""
        return self._methods[method].lines

    def calls_of(self, method: str) -> list[int]:
        """The indices of the calls in a method's bytecode."""
        instructions = self._methods[method].instructions
        return [bci for bci, name in instructions.items() if name in _CALLS]


@functools.lru_cache(maxsize=None)
def class_files(folder: Path) -> ClassFiles:
    """Of a folder that does not change: read once."""
    return ClassFiles(folder)
