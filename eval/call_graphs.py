"""Weights of call edges, from profiles, and how right they are."""

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


def accuracy(exact: Path, sampled: CallGraph, weight: Weight) -> float:
    """The overlap with the exact profile in percent, call sites told apart. Calls of trivial
    methods are left out where only one of the two has them, as `yp overlap` does."""
    same = _exact(exact).trivial == sampled.trivial
    return agreement.overlap(_exact_weights(exact, same), weights(sampled, weight, same))


def weights(graph: CallGraph, weight: Weight, trivial: bool = True) -> dict[Hashable, float]:
    """By edge; without the calls of trivial methods unless `trivial`."""
    total: dict[Hashable, float] = {}
    for edge in graph.edges:
        if trivial or not edge.callee_is_trivial:
            total[edge.key] = total.get(edge.key, 0.0) + weight(edge)
    return total


# References are large, and each is compared with many recordings.
@functools.lru_cache(maxsize=2)
def _exact(profile: Path) -> CallGraph:
    return read(profile)


@functools.lru_cache(maxsize=2)
def _exact_weights(profile: Path, trivial: bool) -> dict[Hashable, float]:
    return weights(_exact(profile), corrected, trivial)
