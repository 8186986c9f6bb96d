"""python3 -m eval.run.check FOLDER: has an evaluation reported on all that its plan asks for?"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from eval.run.output import PAGE


def problems(folder: Path) -> list[str]:
    """One line each."""
    try:
        results = json.loads((folder / "results.json").read_text("utf-8"))
        page = (folder / PAGE).read_text("utf-8")
    except (OSError, ValueError) as error:
        return [str(error)]
    found = [f"failed: {failure}" for failure in results["failures"]]
    plan = results["plan"]
    for name in plan["reports"]:
        report = results["reports"].get(name)
        if report is None:
            found.append(f"results.json: no report {name}")
            continue
        if not any(table["rows"] for table in report["tables"]):
            found.append(f"results.json: report {name} has no table with rows")
        found += [f"{plot['file']} is not there" for plot in report["plots"]
                  if not (folder / plot["file"]).is_file()]
        if f'<h2 id="{name}">' not in page:
            found.append(f"{PAGE}: no report {name}")
    runs = (len(plan["workloads"]) * len(results["jdks"]) * (len(plan["configurations"]) + 2)
            * plan["runs"])
    if len(results["runs"]) != runs:
        found.append(f"results.json: {len(results['runs'])} runs, not {runs}")
    return found


def main() -> int:
    found = problems(Path(sys.argv[1]))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
