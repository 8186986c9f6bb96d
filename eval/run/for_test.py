"""What the tests of this folder share: a plan, an origin and recordings that nothing recorded."""

from __future__ import annotations

from pathlib import Path

from eval.recording import Recording
from eval.run.origin import Origin
from eval.run.plan import Plan

JDK = "17.0.9"
MACHINE = {"CPU": "A CPU", "CPUs": "8", "memory": "32 GiB", "kernel": "Linux 6.1",
           "virtualisation": "none", "governor": "powersave", "frequency range": "1.00-2.00 GHz",
           "turbo": "off", "SMT": "off", "CPU limit": "none", "memory limit": "none",
           "transparent hugepages": "madvise", "ASLR": "off", "sched_autogroup": "off",
           "PMU": "yes", "perf_event_paranoid": "1"}


def a_plan(**fields) -> Plan:
    return Plan(**{"name": "p", "question": "Q?", "workloads": ("fop", "h2"),
                   "configurations": {"default": "--tick 4ms"}, "reports": ("made_up",),
                   "jdks": (17,), "runs": 2, "iterations": 4, **fields})


def an_origin(plan: Plan, **fields) -> Origin:
    return Origin(**{"plan": plan.to_json(), "plan_digest": plan.digest(), "build": "b1",
                     "commit": "c1", "jdks": {"17": JDK}, "skipped": [],
                     "command": "./yp eval run p", "date": "2030-01-02 03:04:05 UTC",
                     "machine": MACHINE, **fields})


def a_recording(workload: str, configuration: str, run: int, **fields) -> Recording:
    return Recording(**{"workload": workload, "jdk": JDK, "configuration": configuration,
                        "run": run, "cpu_seconds": 1.0, "wall_seconds": 1.0,
                        "iterations_ms": (400, 200, 200, 200), "warm_up": 1,
                        "iterations_cpu_ms": (600, 200, 200, 200), **fields})


def write_profile(path: Path) -> Path:
    path.write_bytes(b"a profile")
    return path
