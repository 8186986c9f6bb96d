"""How far two sets of weights agree: of call edges, of methods, of anything with a name.

The same metrics as core/graph/overlap.h and core/graph/accuracy.h, for what has no command of its
own. A weight of 0 counts as absent. Everything is in percent.
"""

from __future__ import annotations

import itertools
import math
import statistics
from typing import Hashable, Iterable, Mapping, Sequence

Weights = Mapping[Hashable, float]


def overlap(a: Weights, b: Weights) -> float:
    """The sum over common keys of the smaller share: Arnold and Grove (CGO 2005), section 6.2, and
    the weighted metric of Buytaert et al. (OOPSLA 2007), section 5.2.3. 0 when one is empty."""
    total_a, total_b = sum(a.values()), sum(b.values())
    if total_a <= 0 or total_b <= 0:
        return 0.0
    return min(100.0, 100 * math.fsum(min(a[key] / total_a, b[key] / total_b)
                                      for key in a.keys() & b.keys()))


def common_presence(a: Weights, b: Weights) -> float:
    """The keys in both, of all keys in either: the unweighted metric of Buytaert et al., section
    5.2.3."""
    in_a, in_b = _present(a), _present(b)
    either = in_a | in_b
    return 100 * len(in_a & in_b) / len(either) if either else 0.0


def top_presence(reference: Weights, sampled: Weights, top_percent: float) -> float:
    """How many of the reference's top `top_percent` by weight are in `sampled` at all: Buytaert et
    al., Figure 8. Rounded up to whole keys; where keys of equal weight share the last place, the
    mean over all ways to choose among them. 0 for an empty reference."""
    weights = sorted((weight for weight in reference.values() if weight > 0), reverse=True)
    if not weights:
        return 0.0
    # The small term keeps 20 % of 5 keys at 1, whatever the division rounds to.
    top = max(1, math.ceil(top_percent / 100 * len(weights) - 1e-9))
    last = weights[top - 1]
    found = {key for key in reference if sampled.get(key, 0) > 0}
    above = [key for key, weight in reference.items() if weight > last]
    tied = [key for key, weight in reference.items() if weight == last]
    found_of_tied = sum(key in found for key in tied) / len(tied)
    in_top = sum(key in found for key in above) + (top - len(above)) * found_of_tied
    return 100 * in_top / top


def stability(runs: Sequence[Weights]) -> float | None:
    """The mean overlap of all pairs of runs: Buytaert et al., section 5.2.4. None of fewer than
    two runs."""
    pairs = [overlap(a, b) for a, b in itertools.combinations(runs, 2)]
    return statistics.fmean(pairs) if pairs else None


def merged(runs: Iterable[Weights]) -> dict[Hashable, float]:
    """The weights of several runs added up, which is their average but for a factor."""
    total: dict[Hashable, float] = {}
    for run in runs:
        for key, weight in run.items():
            total[key] = total.get(key, 0.0) + weight
    return total


def _present(weights: Weights) -> set[Hashable]:
    return {key for key, weight in weights.items() if weight > 0}
