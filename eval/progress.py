"""Tells on stderr what was done and how long the rest will take."""

from __future__ import annotations

import time
from typing import Callable

from eval.measure import note


class Progress:
    """Time left is the mean time of a step so far, times the steps that are left."""

    def __init__(self, steps: int, clock: Callable[[], float] = time.monotonic,
                 log: Callable[[str], None] = note):
        self._left = steps
        self._done = 0
        self._clock = clock
        self._log = log
        self._start = clock()

    def done(self, what: str) -> None:
        self._done += 1
        self._left -= 1
        self._log(f"{what}; about {self._time_left()} left")

    def leave_out(self, steps: int) -> None:
        """Steps that will not be taken, because one before them failed."""
        self._left -= steps

    @property
    def left(self) -> int:
        return self._left

    def _time_left(self) -> str:
        seconds = (self._clock() - self._start) / self._done * self._left
        return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
