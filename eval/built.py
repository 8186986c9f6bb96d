"""The built program and its agent, as the experiments use them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Mapping
from urllib.parse import quote

from eval import made
from eval.measure import Failed

# The agent's options by name. Un-armed: the first tick comes after the program's end.
UNARMED = "mode=cbs,tick_ns=3600000000000"
CBS = "mode=cbs"
EXACT = "mode=exact"


_RELEASE = made.ROOT / "build" / "release"
_in_use = _RELEASE


@dataclass(frozen=True)
class Built:
    """A build folder with the program and the agent: the one in use unless another is named."""

    folder: Path = field(default_factory=lambda: _in_use)

    @staticmethod
    def release() -> Built:
        return Built(_RELEASE)

    def use(self) -> None:
        """Makes this what Built() is, for reports, which get nothing but recordings."""
        global _in_use
        _in_use = self.folder

    @property
    def yp(self) -> Path:
        return self.folder / "cli" / "yp"

    @property
    def entry(self) -> Path:
        """What a user starts: the script where it starts this build's program."""
        return made.ROOT / "yp" if self.folder == _RELEASE else self.yp

    @property
    def agent(self) -> Path:
        return self.folder / "hotspot" / "libyieldpoint.so"

    def missing(self) -> list[Path]:
        return [path for path in (self.yp, self.agent) if not path.is_file()]

    def read(self, *arguments: str | Path) -> Any:
        """What `yp ARGUMENTS --json` prints. Raises Failed when it fails."""
        command = [self.yp, arguments[0], "--json", *arguments[1:]]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        if outcome.returncode != 0:
            raise Failed(f"yp {arguments[0]} failed: {outcome.stderr.strip()}")
        return json.loads(outcome.stdout)

    @contextlib.contextmanager
    def recording(self, options: str) -> Iterator[Recording]:
        """A recording by the agent alone, without yp: only the JVM is there to be measured."""
        with tempfile.TemporaryDirectory(prefix="yp-eval-") as folder:
            yield Recording(self, options, Path(folder) / "recording.yp-spool")


@dataclass(frozen=True)
class Recording:
    built: Built
    options: str  # of the agent, without the place to write to
    spool: Path

    @property
    def jvm_option(self) -> str:
        return f"-agentpath:{self.built.agent}=spool={quote(str(self.spool))},{self.options}"

    def info(self, stderr: str) -> dict[str, Any]:
        """`yp info` of what was recorded. Raises Failed when that is nothing or not all, since an
        agent that gave up would look cheap; `stderr` is the JVM's and says why."""
        if not self.spool.exists():
            raise Failed(f"the agent recorded nothing with {self.options}: {stderr[-1000:]}")
        return whole(self.built.read("info", self.spool))


# What the agent measures of itself, as the recording names it.
COST_SOURCES = {"observed_calls_ns": "counting calls", "slow_path_ns": "samples",
                "trigger_cpu_ns": "ticks", "drain_cpu_ns": "drain"}


def own_cost(info: Mapping[str, Any]) -> dict[str, float]:
    """The agent's own measure from `yp info`, by source, in percent of the process's CPU time;
    empty when it took none."""
    program = float(info["config"].get("cost.program_cpu_ns", 0))
    return {key: 100 * float(info["config"].get(f"cost.{key}", 0)) / program
            for key in COST_SOURCES} if program > 0 else {}


def whole(info: dict[str, Any]) -> dict[str, Any]:
    """Raises Failed unless the recording is complete and undamaged."""
    if not info["complete"] or info["damage"]:
        raise Failed(f"{info['profile']} was cut off or damaged: {info['damage']}")
    return info
