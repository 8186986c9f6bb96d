"""./yp eval workloads: lists, prepares and runs the evaluation's programs."""

from __future__ import annotations

import argparse
import sys

from eval import jdks, measure
from eval.workloads import manifest, prepare, runner


def _arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="yp eval workloads", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is")
    for name, text in (("prepare", "install packages, make inputs and classes"),
                       ("run", "run and verify checksums, without a profiler"),
                       ("command", "print the Java command")):
        command = commands.add_parser(name, help=text)
        command.add_argument("names", nargs="*", metavar="NAME", default=names,
                             help="default: all")
        if name != "prepare":
            command.add_argument("--jdk", type=int, action="append",
                                 help="JDK's major version, may be repeated (default: 17 and 25)")
            command.add_argument("--iterations", type=int, default=1)
    arguments = parser.parse_args()
    unknown = sorted(set(getattr(arguments, "names", [])) - set(names))
    if unknown:
        parser.error(f"no such workload: {', '.join(unknown)} (there are {', '.join(names)})")
    return arguments


def _found_jdks(majors: list[int]) -> list[jdks.Jdk]:
    found = []
    for major in majors:
        jdk = jdks.find(major)
        if jdk is None:
            measure.note(f"SKIPPED: no JDK {major} in JAVA_HOME or /usr/lib/jvm")
        else:
            found.append(jdk)
    return found


def main() -> int:
    workloads = manifest.load()
    arguments = _arguments(list(workloads))
    if arguments.command == "list":
        for workload in workloads.values():
            print(f"{workload.name:11} {workload.domain:18} threads: {workload.threads}")
        return 0

    chosen = [workloads[name] for name in arguments.names]
    prepare.prepare(chosen)
    if arguments.command == "prepare":
        return 0

    failed = False
    found = _found_jdks(arguments.jdk or [17, 25])
    for jdk in found:
        for workload in chosen:
            if arguments.command == "command":
                print(*runner.command(workload, jdk, arguments.iterations).argv)
                continue
            try:
                run = runner.run(workload, jdk, arguments.iterations)
                print(f"{workload.name:11} JDK {jdk.version:10} CPU {run.cost.cpu_seconds:6.2f} s  "
                      f"wall {run.cost.wall_seconds:6.2f} s  {run.output.checksum}", flush=True)
            except runner.WorkloadError as error:
                failed = True
                measure.note(f"FAILED: {error}")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
