"""Weights of call edges and of methods, from profiles, for eval/agreement.py."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Hashable, Sequence

from eval import agreement
from eval.profile_file import Edge, ProfileFile, has_trivial

Weight = Callable[[Edge], float]


def corrected(edge: Edge) -> float:
    """Calls as a profile tells them."""
    return edge.calls


def uncorrected(edge: Edge) -> float:
    """Every sample weighs the same: the samples as they were taken."""
    return edge.uncorrected


@dataclass(frozen=True)
class CallGraph:
    edges: Sequence[Edge]
    trivial: bool  # observed


def read(profile: Path) -> CallGraph:
    file = ProfileFile(profile)
    return CallGraph(file.edges(), has_trivial(file.config()))


@functools.lru_cache(maxsize=2)  # references are large, and read once for each of many recordings
def reference(profile: Path) -> CallGraph:
    return read(profile)


def accuracy(exact: CallGraph, sampled: CallGraph, weight: Weight) -> float:
    """The overlap with the exact graph in percent, call sites told apart. Calls of trivial methods
    are left out where only one of the two has them, as `yp overlap` does."""
    same = exact.trivial == sampled.trivial
    return agreement.overlap(_weights(exact.edges, corrected, same),
                             _weights(sampled.edges, weight, same))


def _weights(edges: Sequence[Edge], weight: Weight, trivial: bool) -> dict[Hashable, float]:
    weights: dict[Hashable, float] = {}
    for edge in edges:
        if trivial or not edge.callee_is_trivial:
            weights[edge.key] = weights.get(edge.key, 0.0) + weight(edge)
    return weights


def self_samples(profile: Path) -> dict[Hashable, float]:
    """How often each method was found running, itself and not what it called (immediate)."""
    samples: dict[Hashable, float] = {}
    for context in ProfileFile(profile).contexts():
        if context.samples > 0:
            samples[context.method] = samples.get(context.method, 0.0) + context.samples
    return samples


def entry_samples(profile: Path) -> dict[Hashable, float]:
    """How often each method was entered when a sample was taken (polling)."""
    samples: dict[Hashable, float] = {}
    for edge in ProfileFile(profile).edges():
        if edge.samples > 0:
            samples[edge.callee] = samples.get(edge.callee, 0.0) + edge.samples
    return samples
