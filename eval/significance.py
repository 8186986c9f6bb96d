"""Student's t-tests, by the program yp-t-test (eval/t_test)."""

from __future__ import annotations

import json
import math
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from eval.built import Built
from eval.measure import Failed


@dataclass(frozen=True)
class TTest:
    """Of a difference of means, first minus second; `p` is two-sided, the interval of 95 %."""

    t: float
    degrees_of_freedom: float
    p: float
    difference: float
    low: float
    high: float


def paired_t_test(a: Sequence[float], b: Sequence[float]) -> TTest | None:
    """Of a[i] - b[i]. None of fewer than two pairs, or where all differences are equal."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    return _t_test("paired", a, b) if _varies(differences) else None


def welch_t_test(a: Sequence[float], b: Sequence[float]) -> TTest | None:
    """Of independent samples. None when one has fewer than two values, or none varies."""
    if min(len(a), len(b)) < 2 or not (_varies(a) or _varies(b)):
        return None
    return _t_test("welch", a, b)


def _varies(values: Sequence[float]) -> bool:
    return len(values) > 1 and not all(math.isclose(value, values[0], abs_tol=1e-300)
                                       for value in values)


def _t_test(name: str, a: Sequence[float], b: Sequence[float]) -> TTest:
    request = json.dumps({"test": name, "a": list(a), "b": list(b)})
    outcome = subprocess.run([_program()], input=request, capture_output=True, text=True,
                             check=False)
    if outcome.returncode != 0:
        raise Failed(outcome.stderr.strip() or f"yp-t-test: exit code {outcome.returncode}")
    return TTest(**json.loads(outcome.stdout))


def _program() -> Path:
    """That of the build which is evaluated, or of the release build: both compute the same."""
    for built in (Built(), Built.release()):
        program = built.folder / "eval" / "t_test" / "yp-t-test"
        if program.is_file():
            return program
    raise Failed(f"{program} is not there: build the target yp-t-test")
