"""Makes a workload ready: Debian packages, inputs and classes, under build/workloads.

Every folder is made beside its place and renamed into it, with a stamp that names what it was made
from; a changed package or source makes it anew. Concurrent calls wait for each other.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Callable, Iterator, Sequence

from eval import jdks
from eval.workloads.manifest import FOLDER, Workload, package_versions

ROOT = FOLDER.parent.parent
BUILD = ROOT / "build" / "workloads"
DATA = BUILD / "data"

_JDK_SOURCES = Path("/usr/lib/jvm/openjdk-17/lib/src.zip")
_JDK_PACKAGES = tuple(f"java.base/java/{name}/"
                      for name in ("util", "lang", "io", "text", "time", "net", "nio"))
_ASM = "java.base/jdk/internal/org/objectweb/asm/"
_CHECKSTYLE = Path("/usr/share/java/checkstyle.jar")
_GRAMMARS = "com/puppycrawl/tools/checkstyle/grammar/"
_COMPILER = "openjdk-17-jdk-headless"


def prepare(workloads: Sequence[Workload]) -> None:
    """Idempotent; takes milliseconds when everything is there."""
    packages = sorted({package for workload in workloads for package in workload.packages})
    subprocess.run([ROOT / "tools" / "install_packages", _COMPILER, *packages], check=True)
    with _locked(BUILD / ".lock"):
        _make(DATA / "bench.py", _digest([FOLDER / "inputs" / "bench.py"]),
              lambda place: shutil.copyfile(FOLDER / "inputs" / "bench.py", place))
        for workload in workloads:
            for name in workload.inputs:
                package, build = _INPUTS[name]
                _make(DATA / name, package_versions([package]), build)
            _make(classes_of(workload),
                  f"{_digest((FOLDER / 'java').rglob('*.java'))} {_versions(workload)}",
                  lambda place, workload=workload: _compile(workload, place))


def classes_of(workload: Workload) -> Path:
    return BUILD / "classes" / workload.name


def jdk17() -> jdks.Jdk:
    """Compiles the drivers and is what the ecj workload compiles against."""
    jdk = jdks.find(17)
    if jdk is None:
        raise RuntimeError(f"no JDK 17 found, though {_COMPILER} is installed")
    return jdk


def _versions(workload: Workload) -> str:
    return package_versions([*workload.packages, _COMPILER])


def _compile(workload: Workload, place: Path) -> None:
    """For Java 11, so that every JDK runs the same bytecode."""
    place.mkdir()
    sources = FOLDER / "java"
    subprocess.run(
        [jdk17().javac, "-nowarn", "-proc:none", "--release", "11", "-encoding", "UTF-8",
         "-implicit:class", "-sourcepath", sources, "-cp", ":".join(workload.class_path()),
         "-d", place, sources / "wl" / "Harness.java",
         sources / "wl" / f"{workload.class_name}.java"], check=True)


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


def _make(place: Path, made_from: str, build: Callable[[Path], object]) -> None:
    stamp = place.with_name(f".{place.name}.stamp")
    if place.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == made_from:
        return
    unfinished = place.with_name(f".{place.name}.new")
    stamp.unlink(missing_ok=True)
    for old in (unfinished, place):
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    build(unfinished)
    unfinished.rename(place)
    stamp.write_text(made_from, encoding="utf-8")


def _digest(files: Iterator[Path] | Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
