"""Finds the JDKs of this machine."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable

_INSTALLED = Path("/usr/lib/jvm")


@dataclass(frozen=True)
class Jdk:
    home: Path
    major: int
    version: str

    @property
    def java(self) -> Path:
        return self.home / "bin" / "java"

    @property
    def javac(self) -> Path:
        return self.home / "bin" / "javac"


    @property
    def has_compiler(self) -> bool:
        return self.javac.exists()

    @property
    def update(self) -> int:
        """Of 11.0.4: 4."""
        numbers = re.findall(r"\d+", self.version)
        return int(numbers[2]) if len(numbers) > 2 else 0

    @property
    def modules(self) -> frozenset[str]:
        """What it consists of; a run time that was made for a purpose lacks some."""
        release = (self.home / "release").read_text(encoding="utf-8")
        found = re.search(r'^MODULES="([^"]*)"', release, re.MULTILINE)
        return frozenset(found[1].split()) if found else frozenset()


def read(home: Path) -> Jdk | None:
    """What is at `home`, with or without a compiler, or None: no `release` file, no `java`."""
    try:
        release = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    match = re.search(r'^JAVA_VERSION="(?:1\.)?((\d+)[^"]*)"', release, re.MULTILINE)
    if match is None or not (home / "bin" / "java").exists():
        return None
    return Jdk(home, int(match[2]), match[1])


def discover(homes: Iterable[Path] | None = None, *, with_compiler: bool = True) -> list[Jdk]:
    """Every JDK once: JAVA_HOME first, then those of YP_TEST_JDKS (a list like $PATH) and under
    /usr/lib/jvm by version. `with_compiler`: those alone that have one."""
    if homes is None:
        java_home = os.environ.get("JAVA_HOME")
        homes = [Path(java_home)] if java_home else []
        homes += [Path(home) for home in os.environ.get("YP_TEST_JDKS", "").split(":") if home]
        homes += sorted(_INSTALLED.iterdir()) if _INSTALLED.is_dir() else []
    found: dict[Path, Jdk] = {}
    for home in homes:
        jdk = read(home.resolve())
        if jdk is not None and (jdk.has_compiler or not with_compiler):
            found.setdefault(jdk.home, jdk)
    first, *rest = [*found.values()] or [None]
    return [jdk for jdk in (first, *sorted(rest, key=lambda jdk: jdk.major)) if jdk]


def find(major: int, *, with_compiler: bool = True) -> Jdk | None:
    return next((jdk for jdk in discover(with_compiler=with_compiler) if jdk.major == major), None)
