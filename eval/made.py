"""What is made on this machine and kept under build/: folders of inputs and of compiled programs.

Every folder is made beside its place and renamed into it, with a stamp that names what it was made
from; when that has changed it is made anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Iterator, Sequence

from eval import jdks

ROOT = Path(__file__).resolve().parent.parent
COMPILER = "openjdk-17-jdk-headless"


def install(*packages: str) -> None:
    """Debian packages; those that are there cost milliseconds."""
    subprocess.run([ROOT / "tools" / "install_packages", *packages], check=True)


def jdk17() -> jdks.Jdk:
    """Compiles the evaluation's programs, and is what the ecj workload compiles against."""
    jdk = jdks.find(17)
    if jdk is None:
        raise RuntimeError(f"no JDK 17 found, though {COMPILER} is installed")
    return jdk


def compile_java(place: Path, sources: Path, files: Sequence[str],
                 class_path: Sequence[str] = ()) -> None:
    """Makes the folder `place`, with classes for Java 11 so that every JDK runs the same bytecode.

    `files` are relative to `sources`, where what they use is found, too."""
    place.mkdir()
    subprocess.run(
        [jdk17().javac, "-nowarn", "-proc:none", "--release", "11", "-encoding", "UTF-8",
         "-implicit:class", "-sourcepath", sources, "-cp", ":".join(class_path), "-d", place,
         *(sources / file for file in files)], check=True)


def program(name: str, sources: Path, files: Sequence[str]) -> Path:
    """The folder of classes of a program that needs nothing but the JDK."""
    install(COMPILER)
    folder = ROOT / "build" / "eval"
    with locked(folder / ".lock"):
        make(folder / name, f"{digest(sources.rglob('*.java'))} {jdk17().version}",
             lambda place: compile_java(place, sources, files))
    return folder / name


def make(place: Path, made_from: str, build: Callable[[Path], object]) -> None:
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


def digest(files: Iterator[Path] | Sequence[Path]) -> str:
    sha = hashlib.sha256()
    for path in sorted(files):
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
