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


def read(home: Path) -> Jdk | None:
    """The JDK at `home`, or None: no `release` file, or a JRE without a compiler."""
    try:
        release = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    match = re.search(r'^JAVA_VERSION="(?:1\.)?((\d+)[^"]*)"', release, re.MULTILINE)
    if match is None or not (home / "bin" / "javac").exists():
        return None
    return Jdk(home, int(match[2]), match[1])


def discover(homes: Iterable[Path] | None = None) -> list[Jdk]:
    """Every JDK once: JAVA_HOME first, then those under /usr/lib/jvm by version."""
    if homes is None:
        java_home = os.environ.get("JAVA_HOME")
        homes = [Path(java_home)] if java_home else []
        homes += sorted(_INSTALLED.iterdir()) if _INSTALLED.is_dir() else []
    found: dict[Path, Jdk] = {}
    for home in homes:
        jdk = read(home.resolve())
        if jdk is not None:
            found.setdefault(jdk.home, jdk)
    first, *rest = [*found.values()] or [None]
    return [jdk for jdk in (first, *sorted(rest, key=lambda jdk: jdk.major)) if jdk]


def find(major: int) -> Jdk | None:
    return next((jdk for jdk in discover() if jdk.major == major), None)
