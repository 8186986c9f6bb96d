"""Profiles of methods by the mechanism that took them (Buytaert et al., OOPSLA 2007).

A polling mechanism finds a thread at its next call, so that the sampled method is the one that is
entered; an immediate one finds it where it is, in the method that runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Hashable, Mapping, Sequence

from eval import agreement
from eval.papers.parts.runs import Runs
from eval.profile_file import ProfileFile
from eval.recording import Recording

# In the order of the paper's Table 3, trigger-mechanism.
MECHANISMS = ("nanosleep-polling", "setitimer-polling", "setitimer-immediate", "hpm-immediate")
REFERENCE = "reference"  # dense immediate sampling

Samples = Mapping[Hashable, float]


def is_immediate(configuration: str) -> bool:
    return configuration.startswith(REFERENCE) or "-immediate" in configuration


def of_mechanism(configurations: Sequence[str], mechanism: str) -> list[str]:
    """It and its variants: "hpm-immediate" and "hpm-immediate-1ms"."""
    return [name for name in configurations
            if name == mechanism or name.startswith((f"{mechanism}-", f"{mechanism} "))]


def samples(profile: Path, configuration: str) -> dict[Hashable, float]:
    """By method."""
    file = ProfileFile(profile)
    return dict(file.self_samples() if is_immediate(configuration) else file.entry_samples())


def by_run(runs: Runs, jdk: str, workload: str, configuration: str) -> list[dict[Hashable, float]]:
    return [samples(profile, configuration)
            for profile in runs.profiles(jdk, workload, configuration)]


@dataclass(frozen=True)
class Compared:
    """A mechanism's method profiles of one program against the reference's. Percent."""

    weighted: float  # of its runs' average profile
    weighted_of_a_run: float  # mean over the runs
    presence: Mapping[float, float]  # of the average profile, by the top so many percent
    presence_of_a_run: Mapping[float, float]


def compare(reference: Samples, sampled: Sequence[Samples], tops: Sequence[float]) -> Compared:
    """`sampled` by run, one at least. Section 5.2.3 averages the profiles of all runs before it
    compares them; what a single run gives is less."""
    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values)
    average = agreement.merged(sampled)
    return Compared(
        agreement.overlap(reference, average),
        mean([agreement.overlap(reference, each) for each in sampled]),
        {top: agreement.top_presence(reference, average, top) for top in tops},
        {top: mean([agreement.top_presence(reference, each, top) for each in sampled])
         for top in tops})


def interval_ms(config: Mapping[str, str]) -> float | None:
    """Milliseconds that were asked for from one sample to the next. None where the trigger counts
    other events than time."""
    if config.get("stacks.trigger") == "setitimer":
        return int(config["stacks.interval_ns"]) / 1e6
    if "stacks.trigger" in config:
        is_time = config.get("stacks.event", "cpu-clock") == "cpu-clock"
        return int(config["stacks.period"]) / 1e6 if is_time else None
    return int(config["tick_ns"]) / 1e6 if "tick_ns" in config else None


def asked_ms(recordings: Sequence[Recording]) -> float | None:
    """By the first recording with a profile."""
    profile = next((each.profile for each in recordings if each.profile), None)
    return interval_ms(ProfileFile(profile).config()) if profile else None
