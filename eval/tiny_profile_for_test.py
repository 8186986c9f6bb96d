"""Makes profiles of a few rows for tests, with the schema as docs/formats.md has it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Mapping, Sequence

from eval import made
from eval.profile_file import NEWEST_VERSION

VERSION = NEWEST_VERSION


def _schema() -> str:
    """The statements that make the tables and the view: those of the version's fixture."""
    fixture = made.ROOT / "format" / "profile" / "testdata" / f"v{VERSION}.profile"
    with contextlib.closing(sqlite3.connect(f"file:{fixture}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        return ";".join(sql for sql, in rows) + ";"


def write(path: Path, *, config: Mapping[str, str] | None = None,
          edges: Sequence[tuple] = (), windows: Sequence[tuple] = (),
          contexts: Sequence[tuple] = (), threads: Mapping[int, str] | None = None,
          trivial: Sequence[str] = (), drops: Mapping[str, int] | None = None,
          version: int = VERSION) -> Path:
    """edges: (caller or None, bci, callee, samples, calls[, uncorrected]); windows: (thread,
    start_ns, latency_ns, duration_ns, interval_ns, calls); contexts: (id, parent, bci, method,
    samples). Methods are full names, `Class.name()V`."""
    database = sqlite3.connect(path)
    database.executescript(f"PRAGMA synchronous = OFF; BEGIN; {_schema()} COMMIT;")
    database.execute("PRAGMA application_id = 0x596c6470")
    database.execute(f"PRAGMA user_version = {version:d}")
    names = [name for caller, _, callee, *_ in edges for name in (caller, callee) if name]
    names += [context[3] for context in contexts]
    ids = {name: number for number, name in enumerate(dict.fromkeys(names))}
    for name, number in ids.items():
        before, _, descriptor = name.partition("(")
        class_name, _, simple_name = before.rpartition(".")
        database.execute("INSERT INTO methods VALUES (?, ?, ?, ?, ?, '', ?)",
                         (number, name, class_name, simple_name, f"({descriptor}",
                          16 if name in trivial else 0))
    total = sum(calls for _, _, _, _, calls, *_ in edges)
    for number, (caller, bci, callee, samples, calls, *rest) in enumerate(edges):
        share = calls / total if total else 0
        database.execute("INSERT INTO edges(id, caller, bci, line, callee, samples, calls, "
                         "uncorrected, low, high, share_low, share_high, variance, flags, "
                         "replicates, counted) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, 2, '', 0)",
                         (number, None if caller is None else ids[caller], bci, ids[callee],
                          samples, calls, rest[0] if rest else calls, calls, calls, share, share))
    for number, (thread, *numbers) in enumerate(windows):
        database.execute("INSERT INTO windows VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 1, 0)",
                         (number, number, thread, *numbers))
    for number, parent, bci, method, samples in contexts:
        database.execute("INSERT INTO contexts VALUES (?, ?, ?, ?, ?)",
                         (number, parent, bci, ids[method], samples))
    if version < 9:
        for table, column in (("windows", "weight"), ("edges", "counted")):
            database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    if version < 8:
        database.execute("ALTER TABLE windows DROP COLUMN steps")
    if version < 3:
        database.execute("ALTER TABLE windows DROP COLUMN near_calls")
    if version < 2:
        database.execute("DROP TABLE contexts")
    meta = {"schema_version": version, "complete": 1, "damage": "", "duration_ns": 0,
            "agent_cpu_ns": 0}
    for table, rows in (("meta", meta), ("config", config), ("threads", threads), ("drops", drops)):
        columns = "(id, name)" if table == "threads" else ""
        database.executemany(f"INSERT INTO {table}{columns} VALUES (?, ?)", (rows or {}).items())
    database.commit()
    database.close()
    return path
