"""One profile of several: their edges added up by caller, call site and callee, by SQL."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

# What speaks of one run alone is not merged.
_OF_ONE_RUN = ("ticks", "window_samples", "windows", "threads", "contexts", "stack_samples",
               "stack_groups", "drops", "test_edges", "tests")


@dataclass(frozen=True)
class Size:
    methods: int
    edges: int


def size_of(profile: Path) -> Size:
    with contextlib.closing(sqlite3.connect(f"file:{profile}?mode=ro", uri=True)) as database:
        return Size(*database.execute("SELECT (SELECT count(*) FROM methods), "
                                      "(SELECT count(*) FROM edges)").fetchone())


def _add(database: sqlite3.Connection, other: Path) -> None:
    database.execute("ATTACH ? AS other", (f"file:{other}?mode=ro",))
    database.executescript("""
        INSERT OR IGNORE INTO methods(full_name, class_name, name, descriptor, source_file, flags)
          SELECT full_name, class_name, name, descriptor, source_file, flags FROM other.methods;
        CREATE TEMP TABLE ids AS SELECT o.id AS theirs, m.id AS ours
          FROM other.methods AS o JOIN main.methods AS m ON m.full_name = o.full_name;
        CREATE UNIQUE INDEX temp.by_theirs ON ids(theirs);
        INSERT OR IGNORE INTO lines SELECT ids.ours, bci, line
          FROM other.lines JOIN ids ON ids.theirs = method;
        INSERT INTO edges(caller, bci, line, callee, samples, calls, uncorrected, low, high,
                          variance, flags, share_low, share_high, replicates, counted)
          SELECT a.ours, bci, line, b.ours, samples, calls, uncorrected, low, high, variance, flags,
                 0, 0, '', counted
          FROM other.edges LEFT JOIN ids AS a ON a.theirs = caller JOIN ids AS b ON b.theirs = callee;
        DROP TABLE ids;""")
    database.commit()
    database.execute("DETACH other")


def merge(profiles: Sequence[Path], merged: Path) -> Size:
    """Of profiles of one kind; exact ones have no intervals that could not be added up."""
    shutil.copyfile(profiles[0], merged)
    with contextlib.closing(sqlite3.connect(f"file:{merged}", uri=True)) as database:
        for table in _OF_ONE_RUN:
            database.execute(f"DELETE FROM {table}")
        for other in profiles[1:]:
            _add(database, other)
        database.executescript("""
            CREATE TEMP TABLE sums AS
              SELECT caller, bci, max(line) AS line, callee, sum(samples) AS samples,
                     sum(calls) AS calls, sum(uncorrected) AS uncorrected, sum(low) AS low,
                     sum(high) AS high, sum(variance) AS variance, max(flags) AS flags,
                     sum(counted) AS counted
              FROM edges GROUP BY caller, bci, callee;
            DELETE FROM edges;
            INSERT INTO edges(caller, bci, line, callee, samples, calls, uncorrected, low, high,
                              variance, flags, share_low, share_high, replicates, counted)
              SELECT caller, bci, line, callee, samples, sums.calls, uncorrected, low, high, variance,
                     flags, low / total, high / total, '', counted
              FROM sums, (SELECT sum(calls) AS total FROM sums);""")
        database.commit()
        database.execute("VACUUM")
    return size_of(merged)
