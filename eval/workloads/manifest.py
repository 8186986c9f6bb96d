"""What workloads.json says: programs, what they need, and the checksums of their results."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Collection, Mapping, Sequence, TypeVar

FOLDER = Path(__file__).resolve().parent

Result = TypeVar("Result")  # of one workload


@dataclass(frozen=True)
class Workload:
    name: str
    class_name: str
    domain: str
    threads: str
    packages: Sequence[str]  # Debian packages; their versions decide the checksum
    jars: Sequence[str]  # names without .jar under /usr/share/java
    inputs: Sequence[str] = ()  # prepared folders that it reads
    jvm_options: Sequence[str] = ()
    held_out: bool = False  # nothing was ever tuned on it: only measured when it is named
    bias: bool = False  # made to mislead samplers: only measured when it is named
    kernel: bool = False  # made for methods whose times are known: only measured when it is named
    service: bool = False  # its threads wait most of the time: only measured when it is named
    checksums: Mapping[str, str] = field(default_factory=dict)  # by package versions

    @property
    def by_default(self) -> bool:
        return not (self.held_out or self.bias or self.kernel or self.service)

    def class_path(self) -> list[str]:
        return [f"/usr/share/java/{jar}.jar" for jar in self.jars]


def load(path: Path = FOLDER / "workloads.json") -> dict[str, Workload]:
    workloads = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        entry["class_name"] = entry.pop("class")
        workload = Workload(**entry)
        workloads[workload.name] = workload
    return workloads


def sets(workloads: Mapping[str, Workload]) -> dict[str, list[str]]:
    """The words that stand for all programs of a set wherever programs are named."""
    return {"tuned": [name for name, each in workloads.items() if each.by_default],
            "held-out": [name for name, each in workloads.items() if each.held_out]}


def expanded(names: Sequence[str], of: Mapping[str, Collection[str]]) -> list[str]:
    """With the programs of each of these sets in place of its name."""
    return [each for name in names for each in of.get(name, [name])]


def parts(results: Mapping[str, Result]) -> dict[str, Mapping[str, Result]]:
    """What means are taken over: all programs and, where there are some of each set, each of those.

    Keyed by the end of the mean's name: "", then ", tuned" and ", held-out"."""
    by_set = {f", {name}": {each: results[each] for each in programs if each in results}
              for name, programs in sets(load()).items()}
    return {"": results, **(by_set if all(by_set.values()) else {})}


def package_versions(packages: Sequence[str]) -> str:
    """The installed versions as a key of `checksums`, for example "fop 2.8-2, ecj 3.32.0".

    Raises subprocess.CalledProcessError when one is not installed."""
    if not packages:
        return ""
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f=${Package} ${Version}\\n", *packages],
        check=True, capture_output=True, text=True).stdout
    version = dict(line.split(" ", 1) for line in listed.splitlines())
    return ", ".join(f"{package} {version[package]}" for package in packages)
