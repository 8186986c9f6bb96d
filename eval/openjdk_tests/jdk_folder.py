"""A JDK whose `java` is `yp aos`: all else in it is a link to the real one."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from eval.jdks import Jdk

# Methods are compiled after few calls: most of a short test is compiled code.
EAGER = ("-XX:Tier4InvocationThreshold=20", "-XX:Tier4MinInvocationThreshold=5",
         "-XX:Tier4CompileThreshold=30", "-XX:Tier4BackEdgeThreshold=200")
# By which jtreg asks a JVM what it is, before it chooses tests by @requires.
_ASKS = "com.sun.javatest.regtest.agent.GetJDKProperties"
_COMPILATION = re.compile(r"\]\s+\d+ (?P<flags>[^\d.:]*?)\s+(?:(?P<level>\d)\s+)?[^\s:]+::")


@dataclass(frozen=True)
class JdkFolder:
    """`home` is what jtreg gets. Each JVM that `home/bin/java` starts writes what it compiles to a
    file of `logs`."""

    home: Path
    logs: Path


def make(folder: Path, jdk: Jdk, yp: Path, options: Sequence[str]) -> JdkFolder:
    """In the folder, unless it is there. `options` are those of yp aos.

    There are two scripts. `home/bin/java` starts `yp aos` on a second one, which starts the real java,
    so that the JVM ends when yp is killed, as jtreg does at a time limit. The real java is started at
    once with -Xint, which leaves nothing to compile, and to answer what jtreg asks the JVM about
    itself: so it chooses the same tests as for stock HotSpot. -Xcomp, which yp aos refuses, becomes
    -Xbatch: methods are compiled early anyway, and here the program waits for it."""
    made = JdkFolder(folder / "jdk", folder / "compilations")
    if made.logs.exists():
        return made
    made.logs.mkdir(parents=True)
    for place in (made.home, folder / "real"):
        (place / "bin").mkdir(parents=True)
        for entry in jdk.home.iterdir():
            if entry.name != "bin":
                (place / entry.name).symlink_to(entry)
    for entry in (jdk.home / "bin").iterdir():
        if entry.name != "java":
            (made.home / "bin" / entry.name).symlink_to(entry)
    real = folder / "real" / "bin" / "java"
    log = f"-Xlog:jit+compilation=debug:file={made.logs}/%p.log"
    _script(real, f'exec setpriv --pdeathsig KILL {_words(jdk.java, log)} "$@"')
    _script(made.home / "bin" / "java",
            f'case " $* " in *" {_ASKS} "* | *" -Xint "*) exec {_words(jdk.java)} "$@" ;; esac\n'
            'for word; do\n'
            '  shift\n'
            '  if [ "$word" = -Xcomp ]; then set -- "$@" -Xbatch; else set -- "$@" "$word"; fi\n'
            'done\n'
            f'exec {_words(yp, "aos", *options, "--", real, *EAGER)} "$@"')
    return made


def compilations(logs: Path) -> tuple[int, int]:
    """How many JVMs have compiled something at HotSpot's highest level, which is the compiler's, and
    how many methods."""
    counts = [sum(1 for line in _lines(file) if _is_highest(line)) for file in logs.glob("*.log*")]
    return sum(1 for count in counts if count), sum(counts)


def _is_highest(line: str) -> bool:
    """A line is the number of the compilation, perhaps flags, its level where there are several, and
    the method. Those of native methods (flag n) are no compilations."""
    found = _COMPILATION.search(line)
    return found is not None and "n" not in found["flags"] and found["level"] in (None, "4")


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8", "replace").splitlines()


def _words(*words: object) -> str:
    return shlex.join(map(str, words))


def _script(file: Path, text: str) -> None:
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)
