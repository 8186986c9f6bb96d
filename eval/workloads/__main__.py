"""./yp eval workloads: lists, prepares and runs the evaluation's programs."""

from __future__ import annotations

import argparse
import sys

from eval import experiment, measure
from eval.workloads import manifest, prepare, runner


def _parser(known: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="yp eval workloads", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is")
    for name, text in (("prepare", "install packages, make inputs and classes"),
                       ("run", "run and verify checksums, without a profiler"),
                       ("command", "print the Java command")):
        command = commands.add_parser(name, help=text)
        experiment.add_names(command, known)
        if name != "prepare":
            experiment.add_jdks(command)
            command.add_argument("--iterations", type=experiment.positive, default=1)
    return parser


def main() -> int:
    workloads = manifest.load()
    parser = _parser(list(workloads))
    arguments = parser.parse_args()
    if arguments.command == "list":
        for workload in workloads.values():
            why = ("; held out" if workload.held_out
                   else "; made to mislead samplers" if workload.bias
                   else "; a kernel whose methods' times are known" if workload.kernel
                   else "; a service whose calls are known" if workload.service else "")
            print(f"{workload.name:16} {workload.domain:32} threads: {workload.threads}{why}")
        return 0

    chosen = experiment.chosen(parser, arguments.names, workloads)
    prepare.prepare(chosen)
    if arguments.command == "prepare":
        return 0

    failed = False
    found = experiment.found_jdks(arguments.jdk)
    for jdk in found:
        for workload in chosen:
            if arguments.command == "command":
                print(*runner.command(workload, jdk, arguments.iterations).argv)
                continue
            try:
                run = runner.run(workload, jdk, arguments.iterations)
                print(f"{workload.name:16} JDK {jdk.version:10} CPU {run.cost.cpu_seconds:6.2f} s  "
                      f"wall {run.cost.wall_seconds:6.2f} s  {run.output.checksum}", flush=True)
            except runner.WorkloadError as error:
                failed = True
                measure.note(f"FAILED: {error}")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
