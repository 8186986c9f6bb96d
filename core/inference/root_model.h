#ifndef YP_CORE_INFERENCE_ROOT_MODEL_H_
#define YP_CORE_INFERENCE_ROOT_MODEL_H_

#include <cstdint>
#include <set>
#include <vector>

#include "core/inference/call_ratio.h"
#include "core/inference/infer.h"
#include "core/inference/root_scale.h"

// The steps of Infer for one root.
namespace yp {

// Bounds that no real program reaches, so that deep recursion stays finite.
inline constexpr double kMaxRatio = 1e15;
inline constexpr double kMinCalls = 1e-9;
// Calls are other than expected when they are beyond so many deviations of the expectation and of
// the samples.
inline constexpr double kExpectedDeviations = 2, kSamplingDeviations = 2.33;
// Calls that are not as few as this share of what is expected are there.
inline constexpr double kFewCalls = 1.0 / 3;
// A site of a smaller log-variance is run equally often by all invocations.
inline constexpr double kCertainLogVariance = 1e-3;

// What the profiles say of one root, per entry.
struct TreeRatios {
  std::vector<Ratio> ratios;    // Of each node, per invocation of its parent; the root's is 1.
  std::vector<double> calls;    // Of each node: the product along its path.
  std::vector<double> leaving;  // Calls from the outgoing sites in and below each node.
  OutgoingCalls outgoing;
};

// Why far fewer calls of a callee were observed than expected.
enum class Missing {
  kNone,      // They were not.
  kInlined,   // The compiler has inlined it for some receivers, without a trace.
  kUnwanted,  // In this context it is called less often than elsewhere.
};

// A callee at a site with a call instruction.
struct CalledMethod {
  MethodId method{};
  SampledCalls observed;
  // Calls per invocation of the method that the site is in; 0 where the profile does not tell of
  // it. Of a callee that is a child of the site's node as well nobody knows how many calls are
  // left.
  Ratio expected;
  Missing missing = Missing::kNone;
};

// A site with a call instruction whose calls can be observed.
struct CalledSite {
  uint32_t node = 0;
  int32_t bci = kNoBci;
  Ratio all;           // Of all calls, per invocation of the node's method.
  double inlined = 0;  // Of those of the node's children.
  SampledCalls observed;
  std::vector<CalledMethod> callees;
};

// All that is known of a root.
struct RootModel {
  InlineTree tree;
  TreeRatios per_entry;
  std::vector<CalledSite> sites;
  RootScale scale;
  std::vector<double> variances;  // Of each node's calls: of their logarithm.
  std::set<uint32_t> lowered;     // Nodes whose ratios are those of this context.

  // How often the method was invoked that a node is a copy of.
  double RunsOf(uint32_t node) const { return scale.entries * per_entry.calls[node]; }
};

// What the profiles say of the root and its sites, before anything was observed. The tree has the
// calls that were inlined without a trace, if the options ask for them.
RootModel ProfiledModel(const Root& root, const MethodProfiles& profiles,
                        const InferenceOptions& options);

// Corrects the model where a virtual call was inlined for some receivers and left as a call for the
// others. Which there are differs from context to context by far more than how often a branch is
// taken: the profile may be that of another phase of the program. Where more calls are observed
// than the profile lets expect, with their uncertainty and that of the samples, fewer are inlined:
// what is missing to all calls that the rest of the root lets expect of the site. The model's scale
// is that of the other sites afterwards.
void SplitSites(const Root& root, const InferenceOptions& options, RootModel* model);

// Estimates the root's entries and the errors of its nodes' calls from the model's ratios and
// sites.
void EstimateScale(const Root& root, const InferenceOptions& options, RootModel* model);

// Whether two sites of a method are in one block, by how often its profile has counted them: what
// was under way when they were read may differ.
bool AreOfOneBlock(double calls, double other_calls);

// Of each node, whether it is one of those or below one.
std::vector<bool> NodesWithin(const InlineTree& tree, const std::vector<uint32_t>& tops);

// Sets `calls` by `ratios`.
void UpdateCalls(const InlineTree& tree, TreeRatios* per_entry);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_ROOT_MODEL_H_
