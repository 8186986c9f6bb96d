"""The results folder: what is recorded, run by run, so that an interrupted evaluation goes on.

    origin.json                    what it was made from
    runs/WORKLOAD-JDK-CONFIGURATION-RUN.json, .yp    a finished run and its profile
    runs/WORKLOAD-JDK.failed       why the runs of a program on a JDK ended
    references/WORKLOAD-JDK.yp     the exact profile
    results.json, index.html, *.svg    made from these

A run is finished when its JSON file is there, which is renamed into place behind its profile.
Paths within are relative: the folder may be moved.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Iterator

from eval.recording import Recording
from eval.run.origin import Origin

_LOCK = ".lock"


class FolderError(Exception):
    """One line: why the folder cannot be used and what to do."""


@dataclass(frozen=True)
class Run:
    recording: Recording
    load: float  # of the machine, just before
    date: str

    def to_json(self) -> dict[str, Any]:
        return {"recording": self.recording.to_json(), "load": self.load, "date": self.date}


@dataclass(frozen=True)
class Failure:
    workload: str
    jdk: str
    error: str

    def __str__(self) -> str:
        return f"{self.workload} on JDK {self.jdk}: {self.error}"


class Folder:
    def __init__(self, root: Path):
        self.root = root
        self._runs = root / "runs"
        self._references = root / "references"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Raises FolderError when another evaluation writes there."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / _LOCK).open("w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderError(f"{self.root}: another evaluation writes there; wait for it, or "
                                  "name another folder with -o") from None
            yield

    def begin(self, origin: Origin, fresh: bool) -> Origin:
        """The origin by which the folder goes on: that of the first time, or `origin`. Raises
        FolderError when there are results of something else and they are not to be removed."""
        before = self.origin()
        if before is None and any(path.name != _LOCK for path in self.root.iterdir()):
            raise FolderError(f"{self.root}: is no results folder, but not empty; name another "
                              "with -o")
        difference = before and origin.difference(before)
        if difference and not fresh:
            raise FolderError(f"{self.root}: has results of {difference}; --fresh removes them, -o "
                              "names another folder")
        if before and not difference and not fresh:
            return before
        for folder in (self._runs, self._references):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        write(self.root / "origin.json", to_text(origin.to_json()))
        return origin

    def origin(self) -> Origin | None:
        file = self.root / "origin.json"
        return Origin(**json.loads(file.read_text("utf-8"))) if file.is_file() else None

    def profile(self, workload: str, jdk: str, configuration: str, run: int) -> Path:
        return self._runs / f"{workload}-{jdk}-{configuration}-{run}.yp"

    def has(self, workload: str, jdk: str, configuration: str, run: int) -> bool:
        return self.profile(workload, jdk, configuration, run).with_suffix(".json").is_file()

    def save(self, run: Run) -> None:
        recording = run.recording
        file = self.profile(recording.workload, recording.jdk, recording.configuration,
                            recording.run).with_suffix(".json")
        inside = recording.profile and recording.profile.relative_to(self.root)
        write(file, to_text(replace(run, recording=replace(recording, profile=inside)).to_json()))

    def runs(self) -> list[Run]:
        """In the order of their names."""
        found = []
        for file in sorted(self._runs.glob("*.json")):
            fields = json.loads(file.read_text("utf-8"))
            recording = Recording.from_json(fields["recording"])
            if recording.profile:
                recording = replace(recording, profile=self.root / recording.profile)
            found.append(Run(recording, fields["load"], fields["date"]))
        return found

    def relative(self, recording: Recording) -> Recording:
        return replace(recording, profile=recording.profile
                       and recording.profile.relative_to(self.root))

    def reference(self, workload: str, jdk: str) -> Path:
        return self._references / f"{workload}-{jdk}.yp"

    def keep_reference(self, workload: str, jdk: str, shared: Path) -> None:
        """A second name of the shared file, or a copy on another file system."""
        kept = self.reference(workload, jdk)
        if kept.is_file():
            return
        unfinished = kept.with_suffix(".new")
        unfinished.unlink(missing_ok=True)
        try:
            os.link(shared, unfinished)
        except OSError:
            shutil.copyfile(shared, unfinished)
        unfinished.rename(kept)

    def references(self) -> dict[tuple[str, str], Path]:
        """By workload and JDK version."""
        return {tuple(file.stem.rsplit("-", 1)): file  # type: ignore[misc]
                for file in sorted(self._references.glob("*.yp"))}

    def save_failure(self, failure: Failure) -> None:
        write(self._failed(failure.workload, failure.jdk), to_text(vars(failure)))

    def forget_failure(self, workload: str, jdk: str) -> None:
        self._failed(workload, jdk).unlink(missing_ok=True)

    def failures(self) -> list[Failure]:
        return [Failure(**json.loads(file.read_text("utf-8")))
                for file in sorted(self._runs.glob("*.failed"))]

    def _failed(self, workload: str, jdk: str) -> Path:
        return self._runs / f"{workload}-{jdk}.failed"


def to_text(fields: Any) -> str:
    return json.dumps(fields, indent=1) + "\n"


def write(file: Path, text: str) -> None:
    """Whole or not at all, whatever happens meanwhile."""
    unfinished = file.with_name(f".{file.name}.new")
    with unfinished.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.rename(file)
