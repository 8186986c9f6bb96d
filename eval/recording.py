"""What an evaluation keeps of each run of a program: the unit of every table and plot."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Mapping

BASE = "base"  # the configuration without an agent
CONTROL = "control"  # the same again: what differs from BASE by chance (A/A)


@dataclass(frozen=True)
class Recording:
    """One run of a program in one configuration. Of a run without an agent there is no profile."""

    workload: str
    jdk: str  # its version, such as 17.0.21.1
    configuration: str
    run: int  # runs of one number were made together, one after the other
    cpu_seconds: float
    wall_seconds: float
    iterations_ms: tuple[int, ...] = ()
    warm_up: int = 0  # iterations until it was warm; as many as there are when it never was
    profile: Path | None = None
    own_cost_percent: float | None = None  # by the agent's own measure, of the process's CPU time
    iterations_cpu_ms: tuple[int, ...] = ()  # of the process, in steps of 10 ms

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "profile": str(self.profile) if self.profile else None}

    @staticmethod
    def from_json(fields: Mapping[str, Any]) -> Recording:
        recording = Recording(**fields)
        return replace(recording, iterations_ms=tuple(recording.iterations_ms),
                       iterations_cpu_ms=tuple(recording.iterations_cpu_ms),
                       profile=Path(fields["profile"]) if fields["profile"] else None)
