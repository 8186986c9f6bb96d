#ifndef YP_CORE_INFERENCE_INFER_H_
#define YP_CORE_INFERENCE_INFER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
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
  struct Callee {
    MethodId method{};
    SampledCalls calls;
  };

  uint32_t node = 0;  // Index in the inline tree.
  int32_t bci = kNoBci;
  // Of all callees; nullopt where calls cannot be observed.
  std::optional<SampledCalls> calls;
  std::vector<Callee> callees = {};  // Those that were observed: the same calls.
};

// A compilation and what was observed of it.
struct Root {
  InlineTree tree;  // Not empty.
  // Calls that entered it; nullopt where they cannot be observed: code that is entered by on-stack
  // replacement, and code without a probe.
  std::optional<SampledCalls> entries;
  // Each (node, bci) once. All of them should be here, also those of which no call was observed:
  // without them, roots of few samples are taken for hotter than they are, and elided_calls.h
  // takes their calls for inlined.
  std::vector<OutgoingSite> outgoing;
  // Of what all samples have in common, beyond the chance of each: the times at which they were
  // taken. It widens the intervals and changes no estimate.
  double common_log_variance = 0;
};

// Between 3 and 10 it makes little difference: five recordings of three programs gained 0 (96,000
// samples) to 6 points (235 samples) of overlap.
inline constexpr double kExpectationWeight = 3;

// What a profile tells of a path through inlined code is told of the time before the second
// compiler took over; later the same code does otherwise. So much more of the log-variance of a
// path's ratios is in that of its calls, at most: samples from within may tell of it. It widens
// intervals and changes no estimate. At ten times the default budget, where little else makes
// inferred calls uncertain, 93 % of the intervals of numbers hold without it (sunflow 84) and 95 %
// with it (sunflow 97): means of ten programs, 84 to 97 and 89 to 98 by program (2026-11, 10 and 40
// iterations on JDK 17).
inline constexpr double kLaterVariance = 1.25;

struct InferenceOptions {
  double context_deviation = kContextDeviation;
  // Adds the calls that the compiler inlined without a trace: at sites without a call instruction
  // (elided_calls.h), and of callees of which far fewer calls were observed at one than expected.
  // Where one of `traceable` is missing so, it is not called in this context: see missing_calls.h.
  // Needs all outgoing sites of all roots.
  bool add_elided_calls = false;
  // What a sample of `called` stands for.
  double calls_per_sample = 1;
  // How many samples an expectation is worth there.
  double expectation_weight = kExpectationWeight;
  // Methods whose calls can be observed, and which C2 compiled with a call
  // instruction in them: where it inlines them, that leaves a trace, as a rule.
  std::set<MethodId> traceable = {};
  // Methods that have code of their own without counters: the VM has not counted all their
  // invocations.
  std::set<MethodId> compiled = {};
  // Other edges are left out of the result.
  std::function<bool(const Edge&)> is_wanted = [](const Edge&) { return true; };
};

struct InferredEdge {
  Edge edge;
  double calls = 0;     // Positive and finite; edges below 1e-9 are left out.
  double variance = 0;  // Of `calls`.
  // Of `inlined_variance`, what would not be there without this edge.
  double part_of_inlined_variance = 0;
};

// What one compilation inlined, and how often each copy of a method was called.
struct InlinedRoot {
  InlineTree tree;                    // With what was inlined without a trace.
  std::vector<double> calls;          // Of each node; of the root itself, its entries. Finite.
  std::vector<double> log_variances;  // Of the same, but for what all samples have in common.
};

struct Inference {
  // The calls along the edges (method of the parent, bci, method of the node) of all inline trees.
  // In a root that was entered f times, a node's calls are
  //
  //   f * product of the ratios on the path from the root to it
  //
  // The error of f is shared by all edges of a root; those of the ratios add up along a path, less
  // what f, which comes from them in part, makes up for. Copies of an edge in one root err alike,
  // roots err independently.
  std::vector<InferredEdge> inlined;
  // The calls that were left as calls, of callees that were observed at the site or that the
  // profile names there. A site's calls are few, and what its root lets expect of it rests on many
  // samples: see WithExpectation.
  std::vector<InferredEdge> called;
  // Of the sum of all calls in `inlined`: those of one root err alike, roots independently. An edge
  // of a root counts with at most its calls as deviation: the tail of a log-normal is far beyond
  // what a sum of many is likely to be off by.
  double inlined_variance = 0;
  // The calls of `inlined` by root, in the order of the roots; also of edges that are not wanted.
  std::vector<InlinedRoot> roots;
};

// Both sorted by edge. The order of the roots does not matter, to the last bit. Roots of which
// nothing was observed add nothing.
Inference Infer(std::span<const Root> roots, const MethodProfiles& profiles,
                const InferenceOptions& options = {});

// Of a normal distribution, to each side: 95 % are within.
inline constexpr double kDeviationsOf95 = 1.959964;

struct Interval {
  double low = 0;
  double high = 0;
};
// The 95 % interval of a log-normal estimate: calls * exp(-+1.96 sqrt(log(1 + variance /
// calls^2))).
Interval Interval95(const InferredEdge& edge);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_INFER_H_
