"""Plans: which programs run how often in which configurations on which JDKs, and what is reported.

A plan is a TOML file; eval/plans has those that come with the repository.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Collection, Mapping

from eval.accuracy import COLLECTORS
from eval.experiment import split_configuration
from eval.made import ROOT
from eval.recording import BASE, CONTROL
from eval.workloads.manifest import expanded

PLANS = ROOT / "eval" / "plans"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # also of files


class PlanError(Exception):
    """One line: the file, what is wrong and what to do."""


@dataclass(frozen=True)
class Plan:
    name: str
    question: str
    workloads: tuple[str, ...]
    configurations: Mapping[str, str]  # options of yp run, then perhaps -- and those of the JVM
    reports: tuple[str, ...]  # modules of eval/papers
    jdks: tuple[int, ...] = (17, 25)
    runs: int = 3  # of each configuration
    iterations: int = 10  # of the program, in each run
    reference_iterations: int = 0  # of the exact run; 0: as many as iterations
    gc: str = COLLECTORS[0]
    seed: int = 1  # of the order of runs; {seed} in options is this plus the number of the run

    @property
    def exact_iterations(self) -> int:
        return self.reference_iterations or self.iterations

    @property
    def all_configurations(self) -> list[str]:
        return [BASE, *self.configurations, CONTROL]

    def options(self, configuration: str, run: int) -> str:
        return self.configurations[configuration].replace("{seed}", str(self.seed + run))

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self)))  # lists, as when it is read again

    @staticmethod
    def from_json(fields: Mapping[str, Any]) -> Plan:
        return Plan(**{key: tuple(value) if isinstance(value, list) else value
                       for key, value in fields.items()})

    def digest(self) -> str:
        """Of what is recorded: not of how the file is written, nor of what is reported."""
        recorded = {key: value for key, value in self.to_json().items()
                    if key not in ("question", "reports")}
        return hashlib.sha256(json.dumps(recorded).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Known:
    """What a plan may name."""

    workloads: Collection[str]
    sets: Mapping[str, Collection[str]]  # what these names stand for
    reports: Collection[str]


def find(name: str) -> Path:
    """The file of this path, else the repository's plan of this name."""
    shipped = PLANS / f"{name}.toml"
    for path in (Path(name), shipped):
        if path.is_file():
            return path
    known = ", ".join(sorted(path.stem for path in PLANS.glob("*.toml")))
    raise PlanError(f"{name}: no such file or plan; plans of the repository are {known}")


def load(path: Path, known: Known) -> Plan:
    try:
        return parse(path.read_text("utf-8"), known)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: not TOML: {error}") from None
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None


def parse(text: str, known: Known) -> Plan:
    table = tomllib.loads(text)
    _only(table, {"name", "question", "jdks", "workloads", "runs", "iterations",
                  "reference_iterations", "gc", "seed", "configuration", "reports"}, "the plan")
    fields: dict[str, Any] = {
        "name": _name(_text(table, "name"), "name"),
        "question": _text(table, "question"),
        "workloads": _workloads(_list(table, "workloads", str), known),
        "configurations": _configurations(table.get("configuration", [])),
        "reports": _known(_list(table, "reports", str), known.reports, "report"),
    }
    if "jdks" in table:
        fields["jdks"] = _list(table, "jdks", int)
    for key, lowest in (("runs", 1), ("iterations", 1), ("reference_iterations", 1), ("seed", 0)):
        if key in table:
            fields[key] = _number(table, key, lowest)
    if "gc" in table:
        fields["gc"] = _text(table, "gc")
        _known([fields["gc"]], COLLECTORS, "gc")
    return Plan(**fields)


def _only(table: Mapping[str, Any], keys: Collection[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise PlanError(f"{where} has no key {key!r}; there are {', '.join(sorted(keys))}")


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise PlanError(f"{key} is not there or no text; write {key} = \"...\"")
    return value


def _number(table: Mapping[str, Any], key: str, lowest: int) -> int:
    value = table[key]
    if type(value) is not int or value < lowest:  # True is an int, too
        raise PlanError(f"{key} is {value!r}; write a whole number from {lowest}")
    return value


def _list(table: Mapping[str, Any], key: str, of: type) -> tuple[Any, ...]:
    values = table.get(key)
    if not isinstance(values, list) or not values or any(type(value) is not of for value in values):
        form = '["...", "..."]' if of is str else "[17, 25]"
        raise PlanError(f"{key} is not there or no list; write {key} = {form}")
    _different(values, key)
    return tuple(values)


def _different(values: Collection[Any], what: str) -> None:
    seen = set()
    for value in values:
        if value in seen:
            raise PlanError(f"{what}: {value!r} is there twice; leave one out")
        seen.add(value)


def _known(names: Collection[str], known: Collection[str], what: str) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise PlanError(f"no such {what}: {name!r}; there are {', '.join(known)}")
    return tuple(names)


def _workloads(names: Collection[str], known: Known) -> tuple[str, ...]:
    listed = expanded(names, known.sets)
    _different(listed, "workloads")
    return _known(listed, [*known.sets, *known.workloads], "workload")


def _configurations(tables: Any) -> dict[str, str]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise PlanError("configuration is no list of tables; write [[configuration]]")
    names = [_name(_text(table, "name"), "name of a configuration") for table in tables]
    _different(names, "configurations")
    configurations = {}
    for name, table in zip(names, tables):
        where = f"configuration {name!r}"
        _only(table, {"name", "options"}, where)
        if name in (BASE, CONTROL):
            raise PlanError(f"{where} is always there; take another name")
        options = table.get("options", "")
        if not isinstance(options, str):
            raise PlanError(f"{where}: options is no text; write options = \"...\"")
        try:
            split_configuration(options)
        except ValueError as error:
            raise PlanError(f"{where}: options {options!r}: {error}; close the quotes") from None
        configurations[name] = options
    return configurations


def _name(text: str, what: str) -> str:
    if not _NAME.fullmatch(text):
        raise PlanError(f"{what} is {text!r}, and files are named by it; take letters, digits, "
                        "., _ and -")
    return text
