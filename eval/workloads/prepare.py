"""Makes a workload ready: Debian packages, inputs and classes, under build/workloads.

Concurrent calls wait for each other.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Callable, Sequence

from eval import jdks, made
from eval.workloads.manifest import FOLDER, Workload, package_versions

BUILD = made.ROOT / "build" / "workloads"
DATA = BUILD / "data"

_JDK_SOURCES = Path("/usr/lib/jvm/openjdk-17/lib/src.zip")
_JDK_PACKAGES = tuple(f"java.base/java/{name}/"
                      for name in ("util", "lang", "io", "text", "time", "net", "nio"))
_ASM = "java.base/jdk/internal/org/objectweb/asm/"
_CHECKSTYLE = Path("/usr/share/java/checkstyle.jar")
_GRAMMARS = "com/puppycrawl/tools/checkstyle/grammar/"


def prepare(workloads: Sequence[Workload]) -> None:
    """Idempotent; takes milliseconds when everything is there."""
    packages = sorted({package for workload in workloads for package in workload.packages})
    made.install(made.COMPILER, *packages)
    with made.locked(BUILD / ".lock"):
        for script in sorted((FOLDER / "inputs").glob("*.*")):
            made.make(DATA / script.name, made.digest([script]),
                      lambda place, script=script: shutil.copyfile(script, place))
        for workload in workloads:
            for name in workload.inputs:
                package, build = _INPUTS[name]
                made.make(DATA / name, package_versions([package]), build)
            made.make(classes_of(workload),
                      f"{made.digest((FOLDER / 'java').rglob('*.java'))} {_versions(workload)}",
                      lambda place, workload=workload: _compile(workload, place))


def classes_of(workload: Workload) -> Path:
    return BUILD / "classes" / workload.name


def _versions(workload: Workload) -> str:
    return package_versions([*workload.packages, made.COMPILER])


def _compile(workload: Workload, place: Path) -> None:
    sources = FOLDER / "java"
    made.compile_java(place, sources, ["wl/Harness.java", f"wl/{workload.class_name}.java"],
                      workload.class_path())


def _unzip(archive: Path, wanted: Callable[[str], str | None], place: Path) -> None:
    """Writes the members for which `wanted` gives a relative path."""
    with zipfile.ZipFile(archive) as file:
        for name in file.namelist():
            target = wanted(name)
            if target is not None:
                path = place / target
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.read(name))


def _make_jdksrc(place: Path) -> None:
    _unzip(_JDK_SOURCES,
           lambda name: name if name.startswith(_JDK_PACKAGES) and name.endswith(".java") else None,
           place)


def _make_asmsrc(place: Path) -> None:
    """The JDK's copy of ASM under a package name that a compiler accepts outside java.base."""
    _unzip(_JDK_SOURCES,
           lambda name: f"wlasm/{name[len(_ASM):]}"
           if name.startswith(_ASM) and name.endswith(".java") else None,
           place)
    for path in place.rglob("*.java"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("jdk.internal.org.objectweb.asm", "wlasm")
        path.write_text(text.replace("jdk/internal/org/objectweb/asm", "wlasm"), encoding="utf-8")


def _make_grammars(place: Path) -> None:
    _unzip(_CHECKSTYLE,
           lambda name: Path(name).name
           if name.startswith(_GRAMMARS) and name.endswith(".g4") else None,
           place)


_INPUTS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "jdksrc": ("openjdk-17-source", _make_jdksrc),
    "asmsrc": ("openjdk-17-source", _make_asmsrc),
    "grammars": ("checkstyle", _make_grammars),
}
