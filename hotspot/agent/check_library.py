"""Checks what the agent's library shows to the JVM that loads it, and what it asks for.

A visible symbol of ours may meet one of the same name in the program's process, and a library that
we need may be missing there or come in another version.

usage: check_library.py LIBRARY
"""

import re
import subprocess
import sys

VISIBLE = {
    "Agent_OnLoad",
    "Agent_OnAttach",
    "Java_java_lang_YieldpointProbe_controlAddress",
    "Java_java_lang_YieldpointProbe_tableAddress",
    "Java_java_lang_YieldpointProbe_sample",
    "Java_java_lang_YieldpointProbe_count",
    "Java_java_lang_YieldpointProbe_discoveryAddress",
    "Java_java_lang_YieldpointProbe_reached",
    "Java_java_lang_YieldpointProbe_received",
    "Java_java_lang_YieldpointProbe_discovered",
    "Java_java_lang_YieldpointProbe_reflect",
    "Java_java_lang_YieldpointProbe_contextAddress",
    "Java_java_lang_YieldpointProbe_newContext",
    "Java_yieldpoint_Tests_begin",
    "Java_yieldpoint_Tests_end",
    "Java_yieldpoint_Tests_prepare",
    "Java_yieldpoint_Tests_rest",
}
NEEDED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def problems(library):
    lines = output_of("nm", "-D", "--defined-only", library).splitlines()
    symbols = {line.split()[-1].split("@")[0] for line in lines}
    for name in sorted(symbols - VISIBLE):
        yield f"{name} is visible; hide it or add it to the list"
    for name in sorted(VISIBLE - symbols):
        yield f"{name} is not visible; the JVM looks for it"
    dynamic = output_of("readelf", "-d", library)
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))
    if not needed:
        yield "readelf tells of no needed library, not even libc"
    for name in sorted(needed - NEEDED):
        yield f"{name} is needed; a JVM's process may not have it"
    if re.search(r"\((RPATH|RUNPATH|TEXTREL)\)", dynamic):
        yield "the dynamic section holds a run path or text relocations"


def main():
    found = list(problems(sys.argv[1]))
    for problem in found:
        print(f"{sys.argv[1]}: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
