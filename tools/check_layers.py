#!/usr/bin/env python3
"""Checks that dependencies between folders point in one direction.

    base <- {core, classfile};  core <- format <- server <- cli;  base <- ui <- cli
    {core, format/spool} <- recorder: what takes samples in any process, and knows no VM.
    hotspot and compiler are hosts: they use base, core, classfile, format/spool and recorder, never
    each other. Within hotspot each room uses those below it; in compiler:
    {x64, bytecode} <- install <- runtime <- {baseline, aos, ctb} <- bridge; memory <- bridge;
    bytecode <- inline <- baseline; {inline, install} <- ir <- opt <- backend <- bridge;
    {baseline, runtime} <- backend.

Both ways of depending count: #include "folder/file.h" in sources and targets named in
CMakeLists.txt. The agent's part depends on the C++ standard library and the system only.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Iterable, Mapping

# What every room of a host may use.
_LIBRARIES = ("base", "core", "classfile", "format/spool", "recorder")


def _rooms(*rows: tuple[str, str]) -> dict[str, tuple[str, ...]]:
    """ALLOWED for the rooms of hotspot: the name of each, and which rooms it uses directly."""
    return {f"hotspot/{name}": (*_LIBRARIES, *(f"hotspot/{used}" for used in uses.split()))
            for name, uses in rows}


# A folder may use itself and what is listed, each with all folders below. The longest match counts.
ALLOWED: dict[str, tuple[str, ...]] = {
    "base": (),
    "core": ("base",),
    "classfile": ("base",),
    "format/spool": ("base", "core"),
    "format": ("base", "core"),
    "server": ("base", "core", "format"),
    "ui": ("base",),
    "cli": ("base", "core", "format", "server", "ui"),
    "recorder": ("base", "core", "format/spool"),
    **_rooms(
        ("support", ""),
        ("arch", ""),
        ("vmstructs", "arch"),
        ("graph", "vmstructs"),
        ("threads", ""),
        ("stacks", "support vmstructs graph threads"),
        ("discovery", "graph threads"),
        ("profiles", "vmstructs graph"),
        ("jit", "support vmstructs threads"),
        ("walk", "support arch vmstructs graph stacks"),
        ("probes", "support arch vmstructs graph threads discovery walk"),
        ("recording", "support arch vmstructs graph threads stacks discovery profiles jit walk probes"),
        ("agent", "support arch vmstructs graph threads stacks discovery profiles jit walk probes "
                  "recording"),
    ),
    "hotspot": (*_LIBRARIES, "hotspot"),  # Its tests in real JVMs.
    "compiler/memory": (),
    "compiler/x64": (),
    "compiler/bytecode": ("base", "classfile"),
    "compiler/install": ("base", "compiler/bytecode"),
    "compiler/runtime": ("base", "compiler/bytecode", "compiler/install", "compiler/x64"),
    "compiler/inline": ("base", "classfile", "core", "compiler/bytecode"),
    "compiler/baseline": ("base", "classfile", "compiler/bytecode", "compiler/inline",
                          "compiler/install", "compiler/runtime", "compiler/x64"),
    "compiler/ir": ("base", "classfile", "compiler/bytecode", "compiler/inline", "compiler/install"),
    "compiler/opt": ("base", "compiler/bytecode", "compiler/install", "compiler/ir"),
    "compiler/backend": ("base", "compiler/baseline", "compiler/bytecode", "compiler/inline",
                         "compiler/install", "compiler/ir", "compiler/opt", "compiler/runtime",
                         "compiler/x64"),
    "compiler/aos": (*_LIBRARIES, "compiler/runtime"),
    "compiler/ctb": ("base", "core", "recorder", "compiler/bytecode", "compiler/install",
                     "compiler/runtime", "compiler/x64"),
    "compiler/differential": ("base", "classfile"),
    "compiler": _LIBRARIES,
}

# Linked into the user's JVM: no library that the user's program might bring in another version.
IN_JVM = ("base", "core/adaptive", "core/options", "core/sampling", "classfile", "format/spool", "recorder",
          "hotspot", "compiler")
_TEST_FILE = re.compile(r"_(unittest|fuzzer|benchmark|for_test|test_util)\.(h|cc)$")
THIRD_PARTY = re.compile(r"(CLI|fmt|nlohmann|boost|google|sqlite3\.h|zlib\.h|zconf\.h)(/|$)")

# Whoever needs what one processor's folder has goes through hotspot/arch/arch.h.
_OF_ONE_PROCESSOR = re.compile(r"hotspot/arch/\w+/")
_MAY_NAME_PROCESSORS = re.compile(r"^hotspot/arch/|_unittest\.cc$")

_INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
_COMMAND = re.compile(r"\b(\w+)\s*\(([^()]*)\)")
_DEFINES = {"yp_library", "yp_test", "yp_benchmark", "yp_fuzzer", "add_library", "add_executable"}
_LINKS = _DEFINES | {"target_link_libraries"}


def owner(path: str, folders: Iterable[str]) -> str | None:
    """The longest of `folders` that `path` is or lies in."""
    inside = [f for f in folders if path == f or path.startswith(f + "/")]
    return max(inside, key=len, default=None)


def may_use(user: str, used: str) -> bool:
    """Whether the file or folder `user` may depend on `used`; both relative to the root."""
    layer, used_layer = owner(user, ALLOWED), owner(used, ALLOWED)
    if layer is None or used_layer is None or layer == used_layer:
        return True
    return owner(used, (layer, *ALLOWED[layer])) is not None


def check_includes(path: str, text: str) -> list[str]:
    problems = []
    in_jvm = owner(path, IN_JVM) and not _TEST_FILE.search(path)
    for bracket, included in _INCLUDE.findall(text):
        if bracket == '"' and not may_use(path, included):
            problems.append(f"{path}: must not include {included}")
        if _OF_ONE_PROCESSOR.match(included) and not _MAY_NAME_PROCESSORS.search(path):
            problems.append(f"{path}: must include hotspot/arch/arch.h, not {included}")
        if in_jvm and THIRD_PARTY.match(included):
            problems.append(f"{path}: part of the agent, must not include <{included}>")
    return problems


def commands(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a CMakeLists.txt with their arguments, comments left out."""
    text = re.sub(r"#.*", "", text)
    return [(name.lower(), arguments.split()) for name, arguments in _COMMAND.findall(text)]


def check_targets(lists: Mapping[str, str]) -> list[str]:
    """`lists`: text of each CMakeLists.txt by its folder."""
    parsed = {folder: commands(text) for folder, text in lists.items()}
    home = {arguments[0]: folder for folder, all_commands in parsed.items()
            for name, arguments in all_commands if name in _DEFINES and arguments}
    return [f"{folder}/CMakeLists.txt: {arguments[0]} must not link {used} of {home[used]}"
            for folder, all_commands in parsed.items()
            for name, arguments in all_commands if name in _LINKS
            for used in arguments[1:] if used in home and not may_use(folder, home[used])]


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    tracked = subprocess.run(["git", "ls-files", "*.h", "*.cc", "*/CMakeLists.txt"], cwd=root,
                             check=True, capture_output=True, text=True).stdout.splitlines()
    text = {path: (root / path).read_text(encoding="utf-8") for path in tracked}
    lists = {str(Path(path).parent): text.pop(path) for path in tracked
             if path.endswith("CMakeLists.txt")}
    problems = check_targets(lists)
    for path, source in text.items():
        problems += check_includes(path, source)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"layers: {len(text)} sources, {len(lists)} folders, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
