#include "core/inference/infer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/inference/elided_calls.h"

namespace yp {
namespace {

// Bounds that no real program reaches, so that deep recursion stays finite.
constexpr double kMaxRatio = 1e15;
constexpr double kMaxLogVariance = 16;
constexpr double kMinCalls = 1e-9;
constexpr double kRounding = 1e-12;

// What the profiles say of one root, per entry.
struct TreeRatios {
  std::vector<Ratio> ratios;    // Of each node, per invocation of its parent; the root's is 1.
  std::vector<double> calls;    // Of each node: the product along its path.
  std::vector<double> leaving;  // Calls from the outgoing sites in and below each node.
  OutgoingCalls outgoing;
};

void AddPaths(const InlineTree& tree, const MethodProfiles& profiles, double context_deviation,
              TreeRatios* result) {
  result->ratios.push_back({1, 0});
  result->calls.push_back(1);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const InlineTree::Node& node = tree.nodes[i];
    const Ratio ratio = RatioOfCallee(profiles.Find(tree.nodes[node.parent].method), node.bci,
                                      node.method, context_deviation);
    result->ratios.push_back(ratio);
    result->calls.push_back(std::min(result->calls[node.parent] * ratio.value, kMaxRatio));
  }
}

// Calls inlined at each (node, bci), per invocation of the node's method.
std::map<std::pair<uint32_t, int32_t>, double> InlinedBySite(const InlineTree& tree,
                                                             const std::vector<Ratio>& ratios) {
  std::map<std::pair<uint32_t, int32_t>, double> inlined;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    inlined[{tree.nodes[i].parent, tree.nodes[i].bci}] += ratios[i].value;
  }
  return inlined;
}

// With w_j the part of the outgoing calls whose path has the ratio j, and errors of the ratios that
// are independent: var(log sum) = sum_j w_j^2 var(log ratio_j). A site that the profile expects
// nothing of is left out with its calls.
void AddOutgoing(const Root& root, const InlineTree& tree, const MethodProfiles& profiles,
                 double context_deviation, TreeRatios* result) {
  const auto inlined = InlinedBySite(tree, result->ratios);
  OutgoingCalls& outgoing = result->outgoing;
  std::vector<double>& leaving = result->leaving;
  leaving.resize(tree.nodes.size());
  double variance = 0;
  for (const OutgoingSite& site : root.outgoing) {
    if (!site.calls) continue;
    const Ratio all =
        RatioOfSite(profiles.Find(tree.nodes[site.node].method), site.bci, context_deviation);
    const auto at_site = inlined.find({site.node, site.bci});
    const double left = at_site == inlined.end() ? all.value : all.value - at_site->second;
    if (left <= kRounding * all.value) continue;
    const double calls = std::min(result->calls[site.node] * left, kMaxRatio);
    leaving[site.node] += calls;
    // Which of a site's calls are left is a branch too (see RatioOf).
    const double inlined_shift = context_deviation * (1 - left / all.value);
    variance += calls * calls * (all.log_variance + inlined_shift * inlined_shift);
    outgoing.observed.calls += site.calls->calls;
    outgoing.observed.variance += site.calls->variance;
  }
  for (size_t i = tree.nodes.size() - 1; i > 0; --i) {
    leaving[tree.nodes[i].parent] += leaving[i];
    variance += leaving[i] * leaving[i] * result->ratios[i].log_variance;
  }
  if (leaving[0] < kMinCalls) return;
  outgoing.ratio = leaving[0];
  outgoing.ratio_log_variance = variance / (leaving[0] * leaving[0]);
}

// One root's part of an edge.
struct Contribution {
  Edge edge;
  double calls = 0;
  double deviation = 0;
  auto operator<=>(const Contribution&) const = default;
};

// What a node's ratio adds to the log-variance of its calls. An error e of ratio j moves the root's
// entries by -outgoing_weight w_j e (w_j as in AddOutgoing), so that it stands in the calls below
// with (1 - outgoing_weight w_j) e. scale.log_variance has the square of that without the 1.
double AddedVariance(const TreeRatios& per_entry, const RootScale& scale, size_t node) {
  const double total = per_entry.outgoing.ratio;
  const double w = total > 0 ? per_entry.leaving[node] / total : 0;
  return per_entry.ratios[node].log_variance * (1 - 2 * scale.outgoing_weight * w);
}

std::vector<Contribution> NodeCalls(const InlineTree& tree, const TreeRatios& per_entry,
                                    const RootScale& scale) {
  std::vector<Contribution> nodes;
  std::vector<double> path_variance(tree.nodes.size());
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const InlineTree::Node& node = tree.nodes[i];
    path_variance[i] = path_variance[node.parent] + AddedVariance(per_entry, scale, i);
    const double log_variance =
        std::clamp(scale.log_variance + path_variance[i], 0.0, kMaxLogVariance);
    const double calls = scale.entries * per_entry.calls[i];
    nodes.push_back({{tree.nodes[node.parent].method, node.bci, node.method},
                     calls,
                     calls * std::sqrt(std::expm1(log_variance))});
  }
  return nodes;
}

// Sums of equal edges. `add` adds to the first argument the second.
template <typename Add>
void SumEqualEdges(std::vector<Contribution>* contributions, Add add) {
  std::sort(contributions->begin(), contributions->end());
  size_t last = 0;
  for (size_t i = 1; i < contributions->size(); ++i) {
    Contribution& sum = (*contributions)[last];
    const Contribution& next = (*contributions)[i];
    if (next.edge == sum.edge) {
      add(&sum, next);
    } else {
      (*contributions)[++last] = next;
    }
  }
  if (!contributions->empty()) contributions->resize(last + 1);
}

// All that is known of a root.
struct RootModel {
  InlineTree tree;
  TreeRatios per_entry;
  RootScale scale;
};

RootModel ModelOf(const Root& root, const MethodProfiles& profiles,
                  const InferenceOptions& options) {
  RootModel model;
  model.tree = options.add_elided_calls ? WithElidedCalls(root, profiles) : root.tree;
  AddPaths(model.tree, profiles, options.context_deviation, &model.per_entry);
  AddOutgoing(root, model.tree, profiles, options.context_deviation, &model.per_entry);
  model.scale = EstimateRootScale(root.entries, model.per_entry.outgoing);
  return model;
}

std::vector<Contribution> InferRoot(const Root& root, const MethodProfiles& profiles,
                                    const InferenceOptions& options) {
  const RootModel model = ModelOf(root, profiles, options);
  std::vector<Contribution> edges = NodeCalls(model.tree, model.per_entry, model.scale);
  std::erase_if(edges, [](const Contribution& edge) { return edge.calls < kMinCalls; });
  SumEqualEdges(&edges, [](Contribution* sum, const Contribution& next) {
    sum->calls += next.calls;
    sum->deviation += next.deviation;
  });
  return edges;
}

std::vector<InferredEdge> SumOverRoots(std::vector<Contribution> all) {
  SumEqualEdges(&all, [](Contribution* sum, const Contribution& next) {
    sum->calls += next.calls;
    sum->deviation = std::hypot(sum->deviation, next.deviation);
  });
  std::vector<InferredEdge> result;
  result.reserve(all.size());
  for (const Contribution& edge : all) {
    result.push_back({edge.edge, edge.calls, edge.deviation * edge.deviation});
  }
  return result;
}

// Callees of a site, and the calls of each that were observed.
std::map<MethodId, double> CalleesOf(const OutgoingSite& site, const SiteProfile* counted) {
  std::map<MethodId, double> callees;
  if (counted != nullptr) {
    for (const SiteProfile::Callee& callee : counted->callees) callees.emplace(callee.method, 0);
  }
  for (const OutgoingSite::Callee& callee : site.callees) {
    callees[callee.method] += callee.calls.calls;
  }
  return callees;
}

bool IsInlined(const InlineTree& tree, const OutgoingSite& site, MethodId callee) {
  return std::any_of(tree.nodes.begin() + 1, tree.nodes.end(), [&](const InlineTree::Node& node) {
    return node.parent == site.node && node.bci == site.bci && node.method == callee;
  });
}

Contribution CalledEdge(const Edge& edge, double observed, double expected,
                        const InferenceOptions& options) {
  const double k = options.calls_per_sample;
  const double a = options.expectation_weight;
  const double n = observed / k;
  if (expected < kMinCalls) return {edge, observed, k * std::sqrt(n)};
  const double rate = a * k / expected + 1;
  return {edge, k * (a + n) / rate, k * std::sqrt(a + n) / rate};
}

void AddCalledEdges(const Root& root, const MethodProfiles& profiles,
                    const InferenceOptions& options, std::vector<Contribution>* edges) {
  const RootModel model = ModelOf(root, profiles, options);
  for (const OutgoingSite& site : root.outgoing) {
    if (!site.calls) continue;
    const MethodId caller = model.tree.nodes[site.node].method;
    const MethodProfile* profile = profiles.Find(caller);
    const SiteProfile* counted = profile == nullptr ? nullptr : profile->Site(site.bci);
    const double caller_runs = model.scale.entries * model.per_entry.calls[site.node];
    for (const auto& [callee, observed] : CalleesOf(site, counted)) {
      // How many of a callee's calls were inlined, where some were, nobody knows.
      const bool is_expected = counted != nullptr && counted->CallsOf(callee) > 0 &&
                               !IsInlined(model.tree, site, callee);
      const double per_run =
          is_expected ? RatioOfCallee(profile, site.bci, callee, options.context_deviation).value
                      : 0;
      edges->push_back(CalledEdge({caller, site.bci, callee}, observed,
                                  std::min(caller_runs * per_run, kMaxRatio), options));
    }
  }
}

}  // namespace

std::vector<InferredEdge> InferEdges(std::span<const Root> roots, const MethodProfiles& profiles,
                                     const InferenceOptions& options) {
  std::vector<Contribution> all;
  for (const Root& root : roots) {
    const std::vector<Contribution> edges = InferRoot(root, profiles, options);
    all.insert(all.end(), edges.begin(), edges.end());
  }
  return SumOverRoots(std::move(all));
}

std::vector<InferredEdge> EstimateCalledEdges(std::span<const Root> roots,
                                              const MethodProfiles& profiles,
                                              const InferenceOptions& options) {
  std::vector<Contribution> all;
  for (const Root& root : roots) AddCalledEdges(root, profiles, options, &all);
  std::erase_if(all, [](const Contribution& edge) { return edge.calls < kMinCalls; });
  return SumOverRoots(std::move(all));
}

Interval Interval95(const InferredEdge& edge) {
  const double relative = edge.variance / (edge.calls * edge.calls);
  const double factor = std::exp(1.959964 * std::sqrt(std::log1p(relative)));
  return {edge.calls / factor, edge.calls * factor};
}

}  // namespace yp
