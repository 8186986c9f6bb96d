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
  ContextBuilder(const CallingContextTree& sampled, const DynamicCallGraph& calls)
      : sampled_(sampled),
        tree_(sampled),
        calls_made_(sampled.size(), 0),
        calls_(sampled.size(), 0) {
    if (sampled.total() > 0) {
      least_ = std::max(kLeastCalls, kLeastSamples * calls.total() / sampled.total());
    }
    // A method's contexts, and the calls of each site of it.
    const std::vector<double> seen = InclusiveWeights(sampled);
    for (size_t i = 1; i < sampled.size(); ++i) {
      calls_made_[ToIndex(sampled.nodes()[i].parent)] += sampled.nodes()[i].weight;
    }
    std::map<MethodId, std::vector<ContextId>> ends;
    if (seen[0] > 0) ends[kNoMethod].push_back(kRootContext);
    for (size_t i = 1; i < sampled.size(); ++i) {
      if (seen[i] > 0) ends[sampled.nodes()[i].method].push_back(IdOf(i));
    }
    for (auto& [method, contexts] : ends) {
      for (size_t i = 0; i < contexts.size(); ++i) place_[contexts[i]] = i;
      callers_.emplace(method, CallerTree(sampled, std::move(contexts), seen));
    }
  }

  // What `method` inlined.
  void AddInlined(MethodId method, const CallingContextTree& below) {
    const auto known = callers_.find(method);
    if (known == callers_.end()) return;
    const std::vector<ContextId>& contexts = known->second.contexts();
    std::vector<double> entries;
    for (const ContextId context : contexts) entries.push_back(sampled_[context].weight);
    const std::vector<double> calls_within = InclusiveWeights(below);
    // Of each copy of a method, by context of the root: its share, and where it is.
    std::vector<std::vector<double>> shares{known->second.Shares(entries)};
    std::vector<std::vector<std::optional<ContextId>>> at{{contexts.begin(), contexts.end()}};
    for (size_t n = 1; n < below.size(); ++n) {
      const CallingContextTree::Node& node = below.nodes()[n];
      const size_t parent = ToIndex(node.parent);
      shares.push_back(SharesOfCopy(node, shares[parent], at[parent]));
      at.emplace_back(contexts.size());
      for (size_t i = 0; i < contexts.size(); ++i) {
        if (!at[parent][i]) continue;
        const bool is_rare = calls_within[n] * shares[n][i] < least_;
        at[n][i] = is_rare ? tree_.FindChild(*at[parent][i], node.bci, node.method)
                           : tree_.Child(*at[parent][i], node.bci, node.method);
        if (at[n][i]) Add(*at[n][i], node.weight * shares[n][i]);
      }
    }
  }

  // The others of the calls along each edge, but for methods that are not observed.
  void AddCalled(const DynamicCallGraph& calls, const std::function<bool(MethodId)>& is_observed) {
    DynamicCallGraph inlined;
    for (size_t i = 1; i < tree_.size(); ++i) inlined.Add(EdgeOf(i), calls_[i]);
    std::map<Edge, std::vector<std::pair<ContextId, double>>> samples;
    for (size_t i = 1; i < sampled_.size(); ++i) {
      const CallingContextTree::Node& node = sampled_.nodes()[i];
      if (node.weight > 0) samples[EdgeOf(i)].emplace_back(node.parent, node.weight);
    }
    std::map<Edge, double> in_order(calls.edges().begin(), calls.edges().end());
    for (const auto& [edge, all] : in_order) {
      const auto known = callers_.find(edge.caller);
      const double called = all - inlined.WeightOf(edge);
      if (known == callers_.end() || called <= 0 || !is_observed(edge.callee)) continue;
      std::vector<double> of_edge(known->second.contexts().size(), 0);
      for (const auto& [caller, weight] : samples[edge]) of_edge[place_.at(caller)] = weight;
      const std::vector<double> shares = known->second.Shares(of_edge);
      for (size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] * called < least_ && of_edge[i] <= 0) continue;
        Add(tree_.Child(known->second.contexts()[i], edge.bci, edge.callee), shares[i] * called);
      }
    }
  }

  // Contexts that end in the same edge add up to its calls.
  CallingContextTree Build(const DynamicCallGraph& calls,
                           const std::function<bool(MethodId)>& is_observed) const {
    DynamicCallGraph found;
    for (size_t i = 1; i < tree_.size(); ++i) found.Add(EdgeOf(i), calls_[i]);
    CallingContextTree result;
    std::vector<ContextId> image(tree_.size(), kRootContext);
    for (size_t i = 1; i < tree_.size(); ++i) {
      const CallingContextTree::Node& node = tree_.nodes()[i];
      image[i] = result.Child(image[ToIndex(node.parent)], node.bci, node.method);
      if (calls_[i] <= 0 || node.method == kNoMethod || !is_observed(node.method)) continue;
      const Edge edge = EdgeOf(i);
      result.Add(image[i], calls_[i] * calls.WeightOf(edge) / found.WeightOf(edge));
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
  // Of the calls of a method's copy, by context of the root: as those of the copy that it was
  // inlined into, as far as few calls were sampled that it made itself.
  std::vector<double> SharesOfCopy(const CallingContextTree::Node& node,
                                   const std::vector<double>& of_parent,
                                   const std::vector<std::optional<ContextId>>& at_parent) const {
    std::vector<double> shares(of_parent.size());
    double all = 0;
    for (size_t i = 0; i < shares.size(); ++i) {
      if (!at_parent[i] || ToIndex(*at_parent[i]) >= sampled_.size()) continue;
      const auto copy = sampled_.FindChild(*at_parent[i], node.bci, node.method);
      if (copy) shares[i] = calls_made_[ToIndex(*copy)];
      all += shares[i];
    }
    for (size_t i = 0; i < shares.size(); ++i) {
      shares[i] = (shares[i] + kOthersWeight * of_parent[i]) / (all + kOthersWeight);
    }
    return shares;
  }

  const CallingContextTree& sampled_;
  CallingContextTree tree_;         // All contexts: first those that were sampled.
  std::vector<double> calls_made_;  // Samples of calls that each sampled context made itself.
  std::vector<double> calls_;       // By context.
  double least_ = kLeastCalls;
  std::map<MethodId, CallerTree> callers_;
  std::map<ContextId, size_t> place_;  // Of a sampled context among those of its method.
};

}  // namespace

CallingContextTree ContextsOfCalls(const CallingContextTree& sampled,
                                   std::span<const InlinedRoot> roots,
                                   const DynamicCallGraph& calls,
                                   const std::function<bool(MethodId)>& is_observed) {
  ContextBuilder builder(sampled, calls);
  for (const auto& [method, below] : MergeByMethod(roots)) builder.AddInlined(method, below);
  builder.AddCalled(calls, is_observed);
  return builder.Build(calls, is_observed);
}

}  // namespace yp
