#ifndef YP_CORE_INFERENCE_INFER_H_
#define YP_CORE_INFERENCE_INFER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/dcg.h"
#include "core/inference/call_ratio.h"
#include "core/inference/inline_tree.h"
#include "core/inference/method_profiles.h"
#include "core/inference/root_scale.h"

// The weights of the call edges that compilers inlined: no probe on compiled entries sees them.
namespace yp {

// A call instruction that the compiler left in a root's code.
struct OutgoingSite {
  uint32_t node = 0;  // Index in the inline tree.
  int32_t bci = kNoBci;
  SampledCalls calls;  // Of all callees.
};

// A compilation and what was observed of it.
struct Root {
  InlineTree tree;  // Not empty.
  // Calls that entered it; nullopt where they cannot be observed: code that is entered by on-stack
  // replacement, and code without a probe.
  std::optional<SampledCalls> entries;
  // Each (node, bci) once. All of them should be here whose calls would have been observed, also
  // those of which no call was: without them, roots of few samples are taken for hotter than they
  // are.
  std::vector<OutgoingSite> outgoing;
};

struct InferenceOptions {
  double context_deviation = kContextDeviation;
  // Adds the calls that the compiler inlined without a trace (elided_calls.h). Needs all outgoing
  // sites of all roots.
  bool add_elided_calls = false;
};

struct InferredEdge {
  Edge edge;
  double calls = 0;     // Positive and finite; edges below 1e-9 are left out.
  double variance = 0;  // Of `calls`.
};

// The calls along the edges (method of the parent, bci, method of the node) of all inline trees.
// In a root that was entered f times, a node's calls are
//
//   f * product of the ratios on the path from the root to it
//
// The error of f is shared by all edges of a root; those of the ratios add up along a path, less
// what f, which comes from them in part, makes up for. Copies of an edge in one root err alike,
// roots err independently.
//
// Sorted by edge. The order of the roots does not matter, to the last bit. Roots of which nothing
// was observed add nothing.
std::vector<InferredEdge> InferEdges(std::span<const Root> roots, const MethodProfiles& profiles,
                                     const InferenceOptions& options = {});

struct Interval {
  double low = 0;
  double high = 0;
};
// The 95 % interval of a log-normal estimate: calls * exp(-+1.96 sqrt(log(1 + variance /
// calls^2))).
Interval Interval95(const InferredEdge& edge);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_INFER_H_
