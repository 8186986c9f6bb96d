"""Compiles the Java programs of this folder: python3 -m hotspot.integration.programs OUT.

OUT/classes holds java/ (for JDK 11 and later), OUT/classes17 java17/ (for JDK 17 and later),
OUT/classes21 java21/ (for JDK 21 and later; it needs such a JDK's compiler), OUT/redefined the second versions of classes that a program redefines,
OUT/redefiner.jar an agent written in Java, OUT/classes_tests java_tests/, which tell of their tests, and
OUT/junit java_junit/, where JUnit is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Sequence

from eval import jdks

FOLDER = Path(__file__).resolve().parent
OLDEST = 17


def oldest_jdk() -> jdks.Jdk:
    """A JDK that compiles for JDK 11 and 17."""
    found = [jdk for jdk in jdks.discover() if jdk.major >= OLDEST]
    if not found:
        raise SystemExit(f"no JDK {OLDEST} or later with a compiler is installed")
    return min(found, key=lambda jdk: jdk.major)


# Debian's junit4 and junit5: the console's launcher has the platform and Jupiter in itself there or
# beside it.
_JUNIT = ("junit4", "hamcrest-core", "hamcrest", "junit-jupiter-api", "junit-jupiter-engine",
          "junit-jupiter-params", "junit-platform-commons", "junit-platform-console",
          "junit-platform-engine", "junit-platform-launcher", "junit-platform-reporting",
          "junit-vintage-engine", "opentest4j", "opentest4j-reporting-events", "apiguardian-api",
          "picocli", "univocity-parsers")


def junit_jars() -> list[Path]:
    """Those of JUnit 4 and 5, which need each other; none where one of both is not installed."""
    folder = Path("/usr/share/java")
    jars = [folder / f"{name}.jar" for name in _JUNIT]
    found = [jar for jar in jars if jar.exists()]
    names = {jar.stem for jar in found}
    return found if {"junit4", "junit-jupiter-api", "junit-platform-console"} <= names else []


def _javac(jdk: jdks.Jdk, release: int, source: Path, target: Path, class_path: str = "",
           more: Sequence[Path] = ()) -> None:
    sources = sorted(str(path) for path in [*source.rglob("*.java"), *more])
    subprocess.run([jdk.javac, "-nowarn", "-Xlint:-options", "-g:lines,source", "--release",
                    str(release), "-cp", class_path or str(target), "-d", target, *sources],
                   check=True)


def build(out: Path) -> None:
    jdk = oldest_jdk()
    _javac(jdk, 11, FOLDER / "java", out / "classes")
    _javac(jdk, 17, FOLDER / "java17", out / "classes17", str(out / "classes"))
    _javac(jdk, 11, FOLDER / "java_redefined", out / "redefined", str(out / "classes"))
    _javac(jdk, 11, FOLDER / "java_tests", out / "classes_tests",
           more=[FOLDER.parent / "junit" / "java" / "yieldpoint" / "Tests.java"])
    if junit_jars():
        _javac(jdk, 11, FOLDER / "java_junit", out / "junit",
               ":".join(str(jar) for jar in junit_jars()))
    newer = [jdk for jdk in jdks.discover() if jdk.major >= 21]
    if newer:
        _javac(newer[0], 21, FOLDER / "java21", out / "classes21", str(out / "classes"))
    with tempfile.NamedTemporaryFile("w", suffix=".mf") as manifest:
        manifest.write("Premain-Class: agents.Redefiner\nCan-Redefine-Classes: true\n"
                       "Can-Retransform-Classes: true\n")
        manifest.flush()
        subprocess.run([jdk.home / "bin" / "jar", "cfm", out / "redefiner.jar", manifest.name,
                        "-C", out / "classes", "agents"], check=True)


def main() -> None:
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    build(out)


if __name__ == "__main__":
    main()
