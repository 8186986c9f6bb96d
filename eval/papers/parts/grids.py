"""Counter-based samplers by name: a probe, a stride and samples per tick, as in `bytecode-7x16`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable

_NAME = re.compile(r"(?P<probe>[A-Za-z]\w*)[ -](?P<stride>\d+)x(?P<samples>\d+)")
_TIMER = "timer"  # one sample a tick, the first call after it


@dataclass(frozen=True, order=True)
class Cell:
    probe: str
    stride: int
    samples: int

    def __str__(self) -> str:
        return f"{self.probe} {self.stride}x{self.samples}"


def cell(configuration: str) -> Cell | None:
    """What the name says, if it is one of these."""
    parts = _NAME.fullmatch(configuration)
    return Cell(parts["probe"], int(parts["stride"]), int(parts["samples"])) if parts else None


def cells(configurations: Iterable[str]) -> dict[Cell, str]:
    """By probe, stride and samples, in this order, the configurations' names."""
    found = {of: name for name in configurations if (of := cell(name)) is not None}
    return dict(sorted(found.items()))


def find(configurations: Iterable[str], stride: int, samples: int,
         probe: str = "bytecode") -> str | None:
    return cells(configurations).get(Cell(probe, stride, samples))


def base_sampler(configurations: Iterable[str]) -> str | None:
    """The timer-based sampler, which is stride 1 and one sample (Arnold and Grove, section 6.2)."""
    names = list(configurations)
    return _TIMER if _TIMER in names else find(names, 1, 1)
