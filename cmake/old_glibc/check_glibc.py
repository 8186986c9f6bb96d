"""Checks which glibc a program or library needs, and that it needs no other library.

usage: check_glibc.py FILE NEWEST

NEWEST is the newest version of glibc whose symbols it may need, such as 2.17.
"""

import re
import subprocess
import sys

# Parts of glibc, of any version.
NEEDED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1"}


def order(version):
    return [int(part) for part in version.split(".")]


def problems(readelf, newest):
    """`readelf`: what readelf --dynamic --version-info --wide says of the file."""
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", readelf))
    if not needed:
        yield "readelf tells of no needed library, not even libc"
    for name in sorted(needed - NEEDED):
        yield f"{name} is needed; link it in"
    section = re.search(r"Version needs section.*", readelf, re.DOTALL)
    versions = set(re.findall(r"Name: (\S+)\s+Flags", section[0])) if section else set()
    if not versions:
        yield "readelf tells of no symbol versions"
    for name in sorted(versions):
        match = re.fullmatch(r"GLIBC_([\d.]+)", name)
        if not match:
            yield f"symbols of version {name} are needed"
        elif order(match[1]) > order(newest):
            yield f"symbols of version {name} are needed; glibc {newest} is to do"
    if re.search(r"\((RPATH|RUNPATH)\)", readelf):
        yield "it holds a run path"


def main():
    path, newest = sys.argv[1:]
    readelf = subprocess.run(["readelf", "--dynamic", "--version-info", "--wide", path], check=True,
                             capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    found = list(problems(readelf.stdout, newest))
    for problem in found:
        print(f"{path}: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
