"""What a profile's file says, for reports: read only, one query for each question.

The schema is docs/formats.md's. Ids belong to one file; here everything goes by names.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Mapping
from urllib.parse import quote

ROOT = "(root)"  # the caller of what no Java code calls
_APPLICATION_ID = 0x596C6470
_SCHEMA = (Path(__file__).parents[1] / "format" / "profile" / "schema.h").read_text("utf-8")
OLDEST_VERSION, NEWEST_VERSION = (  # Those that yp reads; it writes the newest.
    int(re.search(rf"{name} = (\d+);", _SCHEMA).group(1)) for name in ("kOldestSchemaVersion", "kSchemaVersion"))
_TRIVIAL = 16  # of a method's flags


class ProfileError(Exception):
    """The file is missing or no profile that can be read here."""


@dataclass(frozen=True)
class Edge:
    """All calls of one method from one call site."""

    caller: str
    bci: int
    callee: str
    samples: int
    calls: float
    uncorrected: float
    callee_is_trivial: bool

    @property
    def key(self) -> tuple[str, int, str]:
        """What it is called in any file."""
        return self.caller, self.bci, self.callee


@dataclass(frozen=True)
class Window:
    """One thread's sampling window. docs/formats.md says what is measured."""

    thread: str
    start_ns: int
    latency_ns: int
    duration_ns: int
    interval_ns: int
    calls: int

    @property
    def density(self) -> float | None:
        """Calls in a nanosecond: n of them span n - 1 gaps. None without a gap or a duration."""
        if self.calls < 2 or self.duration_ns <= 0:
            return None
        return (self.calls - 1) / self.duration_ns


@dataclass(frozen=True)
class ProfileFile:
    path: Path

    def config(self) -> dict[str, str]:
        with self._opened() as database:
            return dict(database.execute("SELECT key, value FROM config"))

    def drops(self) -> dict[str, int]:
        with self._opened() as database:
            return dict(database.execute("SELECT reason, total FROM drops"))

    def methods(self) -> dict[str, str]:
        """Full names with the class they are of."""
        with self._opened() as database:
            return dict(database.execute("SELECT full_name, class_name FROM methods"))

    def edges(self) -> list[Edge]:
        query = """
            SELECT coalesce(caller.full_name, ?), bci, callee.full_name, samples, calls,
                   uncorrected, callee.flags & ? != 0
            FROM edges LEFT JOIN methods AS caller ON caller.id = edges.caller
                       JOIN methods AS callee ON callee.id = edges.callee
            ORDER BY edges.id"""
        with self._opened() as database:
            return [Edge(*row[:-1], bool(row[-1]))
                    for row in database.execute(query, (ROOT, _TRIVIAL))]

    def windows(self) -> list[Window]:
        """In the order in which they began. Threads of one name are one here: programs make new
        ones of the same name in every iteration."""
        query = """
            SELECT coalesce(nullif(name, ''), 'thread ' || windows.thread), start_ns, latency_ns,
                   duration_ns, interval_ns, calls
            FROM windows LEFT JOIN threads ON threads.id = windows.thread
            ORDER BY start_ns, windows.id"""
        with self._opened() as database:
            return [Window(*row) for row in database.execute(query)]

    def self_samples(self) -> dict[str, float]:
        """How often signals found each method running, itself and not what it called. Profiles of
        version 1 do not know."""
        query = """
            SELECT full_name, sum(samples)
            FROM contexts JOIN methods ON methods.id = contexts.method
            GROUP BY methods.id HAVING sum(samples) > 0 ORDER BY methods.id"""
        with self._opened() as database:
            return dict(database.execute(query)) if _version(database) >= 2 else {}

    def context_weights(self) -> list[float]:
        """Of each context alone, in no order: calls, or stacks. Of version 1 none."""
        with self._opened() as database:
            if _version(database) < 2:
                return []
            return [weight for weight, in database.execute(
                "SELECT samples FROM contexts WHERE samples > 0")]

    def entry_samples(self) -> dict[str, int]:
        """How often a sampled call entered each method."""
        query = """
            SELECT full_name, sum(samples) FROM edges JOIN methods ON methods.id = edges.callee
            GROUP BY methods.id HAVING sum(samples) > 0 ORDER BY methods.id"""
        with self._opened() as database:
            return dict(database.execute(query))

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            database = sqlite3.connect(f"file:{quote(str(self.path))}?mode=ro", uri=True)
        except sqlite3.Error as error:
            raise ProfileError(f"{self.path}: {error}") from error
        try:
            application, = database.execute("PRAGMA application_id").fetchone()
            if application != _APPLICATION_ID or not OLDEST_VERSION <= _version(database) <= NEWEST_VERSION:
                raise ProfileError(f"{self.path}: not a profile of version "
                                   f"{OLDEST_VERSION} to {NEWEST_VERSION}")
            yield database
        except sqlite3.Error as error:
            raise ProfileError(f"{self.path}: {error}") from error
        finally:
            database.close()


def has_trivial(config: Mapping[str, str]) -> bool:
    """Whether calls of trivial methods were observed."""
    return config.get("trivial", "include") == "include"


def _version(database: sqlite3.Connection) -> int:
    return database.execute("PRAGMA user_version").fetchone()[0]
