#include "core/inference/call_contexts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace yp {
namespace {

// Contexts with fewer in and below them are not told.
constexpr double kLeastCalls = 1;

// What the code of each method inlined, all its compilations together: kRootContext is the method.
std::map<MethodId, CallingContextTree> MergeByMethod(std::span<const InlinedRoot> roots) {
  std::map<MethodId, CallingContextTree> merged;
  for (const InlinedRoot& root : roots) {
    const std::vector<InlineTree::Node>& nodes = root.tree.nodes;
    CallingContextTree& below = merged[nodes.front().method];
    std::vector<ContextId> at(nodes.size(), kRootContext);
    for (size_t i = 1; i < nodes.size(); ++i) {
      at[i] = below.Child(at[nodes[i].parent], nodes[i].bci, nodes[i].method);
      below.Add(at[i], root.calls[i]);
    }
  }
  return merged;
}

class ContextBuilder {
 public:
  ContextBuilder(const CallingContextTree& sampled,
                 const std::function<bool(MethodId)>& is_observed)
      : tree_(sampled),
        is_observed_(is_observed),
        sampled_within_(InclusiveWeights(sampled)),
        inlined_(sampled.size(), 0) {
    for (size_t i = 1; i < sampled.size(); ++i) {
      ends_[sampled.nodes()[i].method].push_back(ContextId{static_cast<uint32_t>(i)});
    }
  }

  // What `method` inlined.
  void AddInlined(MethodId method, const CallingContextTree& below) {
    const auto entered = [&](ContextId context) { return tree_[context].weight; };
    const auto within = [&](ContextId context) { return sampled_within_[ToIndex(context)]; };
    const std::vector<double> calls_within = InclusiveWeights(below);
    if (!ShareOut(method, below, calls_within, entered)) {
      ShareOut(method, below, calls_within, within);
    }
  }

  CallingContextTree Build(const DynamicCallGraph& calls) const {
    DynamicCallGraph samples;
    DynamicCallGraph inlined;
    for (size_t i = 1; i < tree_.size(); ++i) {
      samples.Add(EdgeOf(i), tree_.nodes()[i].weight);
      inlined.Add(EdgeOf(i), inlined_[i]);
    }
    CallingContextTree result;
    std::vector<ContextId> image(tree_.size(), kRootContext);
    for (size_t i = 1; i < tree_.size(); ++i) {
      const CallingContextTree::Node& node = tree_.nodes()[i];
      image[i] = result.Child(image[ToIndex(node.parent)], node.bci, node.method);
      if (node.method == kNoMethod || !is_observed_(node.method)) continue;
      const Edge edge = EdgeOf(i);
      const double all = calls.WeightOf(edge);
      const double all_inlined = inlined.WeightOf(edge);
      if (const double all_samples = samples.WeightOf(edge); all_samples > 0) {
        const double sampled = std::max(0.0, all - all_inlined) * node.weight / all_samples;
        result.Add(image[i], inlined_[i] + sampled);
      } else if (all_inlined > 0) {
        result.Add(image[i], all * inlined_[i] / all_inlined);
      }
    }
    return result;
  }

 private:
  Edge EdgeOf(size_t i) const {
    const CallingContextTree::Node& node = tree_.nodes()[i];
    return {tree_[node.parent].method, node.bci, node.method};
  }
  // Over the contexts of the method, in proportion to `weight`; false when it is 0 for all.
  template <typename Weight>
  bool ShareOut(MethodId method, const CallingContextTree& below,
                const std::vector<double>& calls_within, Weight weight) {
    const auto known = ends_.find(method);
    if (known == ends_.end()) return false;
    double all = 0;
    for (const ContextId context : known->second) all += weight(context);
    if (all <= 0) return false;
    for (const ContextId context : known->second) {
      AddBelow(context, below, calls_within, weight(context) / all);
    }
    return true;
  }
  void AddBelow(ContextId context, const CallingContextTree& below,
                const std::vector<double>& calls_within, double share) {
    std::vector<std::optional<ContextId>> at(below.size());
    at[0] = context;
    for (size_t i = 1; i < below.size(); ++i) {
      const CallingContextTree::Node& node = below.nodes()[i];
      const std::optional<ContextId> parent = at[ToIndex(node.parent)];
      if (!parent || calls_within[i] * share < kLeastCalls) continue;
      at[i] = tree_.Child(*parent, node.bci, node.method);
      inlined_.resize(tree_.size(), 0);
      inlined_[ToIndex(*at[i])] += node.weight * share;
    }
  }

  CallingContextTree tree_;  // Weights: samples.
  const std::function<bool(MethodId)>& is_observed_;
  const std::vector<double> sampled_within_;  // By context of those that were sampled.
  std::vector<double> inlined_;               // Calls, by context.
  std::map<MethodId, std::vector<ContextId>> ends_;  // Of those that were sampled.
};

}  // namespace

CallingContextTree ContextsOfCalls(const CallingContextTree& sampled,
                                   std::span<const InlinedRoot> roots,
                                   const DynamicCallGraph& calls,
                                   const std::function<bool(MethodId)>& is_observed) {
  ContextBuilder builder(sampled, is_observed);
  for (const auto& [method, below] : MergeByMethod(roots)) builder.AddInlined(method, below);
  return builder.Build(calls);
}

}  // namespace yp
