#ifndef YP_CORE_GRAPH_ACCURACY_H_
#define YP_CORE_GRAPH_ACCURACY_H_

#include <cstddef>
#include <optional>
#include <span>

#include "core/graph/dcg.h"

// How close a sampled graph comes to a reference, beyond overlap.h; all over one method table. An
// edge of weight 0 counts as absent.
namespace yp {

// How much of the reference's top edges the sampled graph has found, however often it saw them.
struct Presence {
  size_t edges = 0;       // How many edges the top has.
  double unweighted = 0;  // Percent of these edges that were found.
  double weighted = 0;    // Percent of their calls in the reference that fall on edges found.
};

// Buytaert et al. (OOPSLA 2007), section 5.2.3 and Figure 8, with edges for methods: the presence
// of the top N percent of the reference's edges by weight, rounded up to whole edges. Where the
// last place is shared by edges of equal weight, the result is the mean over all ways to choose
// among them. `top_percent` in (0, 100]. All zero for an empty reference.
Presence TopPresence(const DynamicCallGraph& reference, const DynamicCallGraph& sampled,
                     double top_percent);

// Buytaert et al., section 5.2.4: the mean overlap of all pairs of runs, in percent. Nothing for
// fewer than two runs.
std::optional<double> Stability(std::span<const DynamicCallGraph> runs);

struct HotEdges {
  size_t in_reference = 0;
  size_t in_both = 0;
};

// How many of the reference's hot edges are hot in the sampled graph too. Hot is an edge with more
// than `hot_share` of its graph's weight; 1 % is what Jikes RVM's inliner asked for (Arnold and
// Grove, section 5.1).
HotEdges HotEdgeCoverage(const DynamicCallGraph& reference, const DynamicCallGraph& sampled,
                         double hot_share = 0.01);

// Estimated shares of all calls with their intervals, over one method table with the reference. An
// edge that is in `value` is in `low` and `high` too.
struct Estimate {
  DynamicCallGraph value;
  DynamicCallGraph low;  // In the unit of `value`.
  DynamicCallGraph high;
};

// One edge per pair of methods, with the bytecode index kNoBci. Of a sum of independent estimates
// the squares of the distances between value and ends are added up (Zou and Donner, Statistics in
// Medicine 27, 2008).
Estimate CollapseCallSites(const Estimate& estimate);

// How many percent of the reference's edges with at least a share of `min_share` (0 to 1) of its
// weight have that share within the estimate's interval; those of the others are estimated as too
// small (or not at all), or as too large. Intervals are compared as shares of the estimate's total.
struct Coverage {
  size_t edges = 0;
  double held = 0;
  double missing = 0;  // Not estimated at all.
  double too_small = 0;
  double too_large = 0;
};
Coverage IntervalCoverage(const DynamicCallGraph& reference, const Estimate& estimate,
                          double min_share);

}  // namespace yp

#endif  // YP_CORE_GRAPH_ACCURACY_H_
