"""Checks recordings of programs.Busy by a processor's counters: tools/pmu_in_qemu makes them.

usage: pmu_check.py YP SPOOL...
"""

import json
import math
import subprocess
import sys

LEAST_STACKS = 200


def run(yp, *arguments):
    return json.loads(subprocess.run([yp, *arguments, "--json"], capture_output=True, text=True,
                                     check=True).stdout)


def stacks_below(node, method):
    """Those of all contexts below the method."""
    here = node["method"].split("(")[0].endswith("." + method)
    return node["total"] if here else sum(stacks_below(child, method) for child in node["children"])


def check(yp, spool):
    """What is wrong with it, in words; empty: nothing."""
    config = run(yp, "info", spool)["config"]
    tree = run(yp, "tree", spool, "--min", "0")
    heavy, light = (stacks_below(tree, method) for method in ("heavy", "light"))
    stacks = heavy + light
    event = config.get("stacks.event", "nothing")
    print(f"{event}: {stacks:.0f} stacks in the program's two methods, "
          f"{100 * heavy / max(stacks, 1):.1f} % of them in the one with 75 % of the work")
    if config.get("stacks.trigger") != "hpm" or event not in spool:
        return f"{event} by {config.get('stacks.trigger')} was recorded"
    if stacks < LEAST_STACKS:
        return f"less than {LEAST_STACKS} stacks"
    # Five standard deviations.
    if abs(heavy / stacks - 0.75) > max(0.02, 5 * math.sqrt(0.75 * 0.25 / stacks)):
        return "the shares are wrong"
    return ""


def main():
    yp, *spools = sys.argv[1:]
    problems = [f"{spool}: {problem}" for spool in spools if (problem := check(yp, spool))]
    print("\n".join(problems) or "right")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
