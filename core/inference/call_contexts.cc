#include "core/inference/call_contexts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/inference/caller_tree.h"

namespace yp {
namespace {

// Contexts that are expected to have fewer calls, in samples, are not told, and in calls neither.
constexpr double kLeastSamples = 0.01;
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
  // `all_calls`: along each edge.
  ContextBuilder(const CallingContextTree& sampled, const DynamicCallGraph& all_calls,
                 const std::function<bool(MethodId)>& is_observed)
      : sampled_(sampled),
        all_calls_(all_calls),
        is_observed_(is_observed),
        tree_(sampled),
        calls_(sampled.size(), 0),
        place_(sampled.size(), 0) {
    if (sampled.total() > 0) {
      least_ = std::max(kLeastCalls, kLeastSamples * all_calls.total() / sampled.total());
    }
    // A method's contexts, and the calls of each site of it.
    const std::vector<double> seen = InclusiveWeights(sampled);
    std::map<MethodId, std::vector<ContextId>> ends;
    if (seen[0] > 0) ends[kNoMethod].push_back(kRootContext);
    for (size_t i = 1; i < sampled.size(); ++i) {
      if (seen[i] > 0) ends[sampled.nodes()[i].method].push_back(IdOf(i));
    }
    for (auto& [method, contexts] : ends) {
      for (size_t i = 0; i < contexts.size(); ++i) place_[ToIndex(contexts[i])] = i;
      callers_.emplace(method, CallerTree(sampled, std::move(contexts), seen));
    }
  }

  // What `method` inlined runs for each of its invocations, of which those that were sampled tell.
  void AddInlined(MethodId method, const CallingContextTree& below) {
    const auto known = callers_.find(method);
    if (known == callers_.end()) return;
    std::vector<double> entries;
    for (const ContextId context : known->second.contexts()) {
      entries.push_back(sampled_[context].weight);
    }
    const std::vector<double> shares = known->second.Shares(entries);
    const std::vector<double> calls_within = InclusiveWeights(below);
    for (size_t i = 0; i < shares.size(); ++i) {
      AddBelow(known->second.contexts()[i], below, calls_within, shares[i]);
    }
  }

  // The others of the calls along each edge, but for methods that are not observed.
  void AddCalled() {
    DynamicCallGraph inlined;
    for (size_t i = 1; i < tree_.size(); ++i) inlined.Add(EdgeOf(i), calls_[i]);
    std::map<Edge, std::vector<std::pair<ContextId, double>>> samples;
    for (size_t i = 1; i < sampled_.size(); ++i) {
      const CallingContextTree::Node& node = sampled_.nodes()[i];
      if (node.weight > 0) samples[EdgeOf(i)].emplace_back(node.parent, node.weight);
    }
    std::map<Edge, double> in_order(all_calls_.edges().begin(), all_calls_.edges().end());
    for (const auto& [edge, all] : in_order) {
      const auto known = callers_.find(edge.caller);
      const double called = all - inlined.WeightOf(edge);
      if (known == callers_.end() || called <= 0 || !is_observed_(edge.callee)) continue;
      std::vector<double> of_edge(known->second.contexts().size(), 0);
      for (const auto& [caller, weight] : samples[edge]) of_edge[place_[ToIndex(caller)]] = weight;
      const std::vector<double> shares = known->second.Shares(of_edge);
      for (size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] * called < least_ && of_edge[i] <= 0) continue;
        Add(tree_.Child(known->second.contexts()[i], edge.bci, edge.callee), shares[i] * called);
      }
    }
  }

  // Contexts that end in the same edge add up to its calls.
  CallingContextTree Build() const {
    DynamicCallGraph found;
    for (size_t i = 1; i < tree_.size(); ++i) found.Add(EdgeOf(i), calls_[i]);
    CallingContextTree result;
    std::vector<ContextId> image(tree_.size(), kRootContext);
    for (size_t i = 1; i < tree_.size(); ++i) {
      const CallingContextTree::Node& node = tree_.nodes()[i];
      image[i] = result.Child(image[ToIndex(node.parent)], node.bci, node.method);
      if (calls_[i] <= 0 || node.method == kNoMethod || !is_observed_(node.method)) continue;
      const Edge edge = EdgeOf(i);
      result.Add(image[i], calls_[i] * all_calls_.WeightOf(edge) / found.WeightOf(edge));
    }
    return result;
  }

 private:
  static ContextId IdOf(size_t i) { return ContextId{static_cast<uint32_t>(i)}; }
  Edge EdgeOf(size_t i) const {
    const CallingContextTree::Node& node = tree_.nodes()[i];
    return {tree_[node.parent].method, node.bci, node.method};
  }
  void Add(ContextId context, double calls) {
    calls_.resize(tree_.size(), 0);
    calls_[ToIndex(context)] += calls;
  }
  void AddBelow(ContextId context, const CallingContextTree& below,
                const std::vector<double>& calls_within, double share) {
    std::vector<std::optional<ContextId>> at(below.size());
    at[0] = context;
    for (size_t i = 1; i < below.size(); ++i) {
      const CallingContextTree::Node& node = below.nodes()[i];
      const std::optional<ContextId> parent = at[ToIndex(node.parent)];
      if (!parent || calls_within[i] * share < least_) continue;
      at[i] = tree_.Child(*parent, node.bci, node.method);
      Add(*at[i], node.weight * share);
    }
  }

  const CallingContextTree& sampled_;
  const DynamicCallGraph& all_calls_;
  const std::function<bool(MethodId)>& is_observed_;
  CallingContextTree tree_;    // All contexts: first those that were sampled.
  std::vector<double> calls_;  // By context.
  double least_ = kLeastCalls;
  std::map<MethodId, CallerTree> callers_;
  std::vector<size_t> place_;  // Of a sampled context among those of its method.
};

}  // namespace

CallingContextTree ContextsOfCalls(const CallingContextTree& sampled,
                                   std::span<const InlinedRoot> roots,
                                   const DynamicCallGraph& calls,
                                   const std::function<bool(MethodId)>& is_observed) {
  ContextBuilder builder(sampled, calls, is_observed);
  for (const auto& [method, below] : MergeByMethod(roots)) builder.AddInlined(method, below);
  builder.AddCalled();
  return builder.Build();
}

}  // namespace yp
