#include "core/inference/infer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/inference/missing_calls.h"
#include "core/inference/observed_runs.h"
#include "core/inference/root_model.h"

namespace yp {
namespace {

constexpr double kMaxLogVariance = 16;

// One root's part of an edge.
struct Contribution {
  Edge edge;
  double calls = 0;
  double deviation = 0;
  double part_of_variance = 0;  // See InferredEdge::part_of_inlined_variance.
  auto operator<=>(const Contribution&) const = default;
};

Contribution LogNormal(const Edge& edge, double calls, double log_variance) {
  return {edge, calls,
          calls * std::sqrt(std::expm1(std::clamp(log_variance, 0.0, kMaxLogVariance)))};
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

RootModel ModelOf(const Root& root, const MethodProfiles& profiles,
                  const InferenceOptions& options) {
  RootModel model = ProfiledModel(root, profiles, options);
  SplitSites(root, options, &model);
  do {
    EstimateScale(root, options, &model);
  } while (options.add_elided_calls && ExplainMissing(profiles, options, &model));
  CountByObservedSites(profiles, options, &model);
  return model;
}

InlinedRoot InlinedCallsOf(const RootModel& model) {
  InlinedRoot root{.tree = model.tree, .calls = {}, .log_variances = model.variances};
  for (double& log_variance : root.log_variances) {
    log_variance += kLaterVariance * std::max(0.0, log_variance - model.scale.log_variance);
  }
  for (uint32_t i = 0; i < model.tree.nodes.size(); ++i) root.calls.push_back(model.RunsOf(i));
  for (const CalledSite& site : model.sites) {
    for (const CalledMethod& callee : site.callees) {
      if (callee.missing != Missing::kInlined) continue;
      const double expected = model.RunsOf(site.node) * callee.expected.value;
      root.tree.nodes.push_back({site.node, site.bci, callee.method});
      root.calls.push_back(std::max(0.0, expected - callee.observed.calls));
      root.log_variances.push_back(root.log_variances[site.node] +
                                   (1 + kLaterVariance) * callee.expected.log_variance);
    }
  }
  return root;
}

// Returns the variance of their sum (see Inference::inlined_variance): of it, a deviation d among D
// altogether is D^2 - (D - d)^2.
double AddInlinedEdges(const InlinedRoot& root, double common_log_variance,
                       const InferenceOptions& options, std::vector<Contribution>* edges) {
  const std::vector<InlineTree::Node>& nodes = root.tree.nodes;
  std::vector<Contribution> own;
  for (size_t i = 1; i < nodes.size(); ++i) {
    own.push_back(LogNormal({nodes[nodes[i].parent].method, nodes[i].bci, nodes[i].method},
                            root.calls[i], root.log_variances[i] + common_log_variance));
  }
  std::erase_if(own, [&](const Contribution& edge) {
    return edge.calls < kMinCalls || !options.is_wanted(edge.edge);
  });
  SumEqualEdges(&own, [](Contribution* sum, const Contribution& next) {
    sum->calls += next.calls;
    sum->deviation += next.deviation;
  });
  double all = 0;
  for (const Contribution& edge : own) all += std::min(edge.deviation, edge.calls);
  for (Contribution& edge : own) {
    const double deviation = std::min(edge.deviation, edge.calls);
    edge.part_of_variance = (2 * all - deviation) * deviation;
  }
  edges->insert(edges->end(), own.begin(), own.end());
  return all * all;
}

void AddCalledEdges(const RootModel& model, double common_log_variance,
                    const InferenceOptions& options, std::vector<Contribution>* edges) {
  for (const CalledSite& site : model.sites) {
    for (const CalledMethod& callee : site.callees) {
      const Edge called = {model.tree.nodes[site.node].method, site.bci, callee.method};
      if (!options.is_wanted(called)) continue;
      const double expected =
          callee.missing != Missing::kNone ? 0 : model.RunsOf(site.node) * callee.expected.value;
      const SampledCalls calls = WithExpectation(
          callee.observed, options.calls_per_sample,
          expected < kMinCalls ? 0 : std::min(expected, kMaxRatio), options.expectation_weight);
      Contribution edge = {called, calls.calls, std::sqrt(calls.variance)};
      edge.deviation = std::hypot(
          edge.deviation,
          edge.calls * std::sqrt(std::expm1(std::min(common_log_variance, kMaxLogVariance))));
      edges->push_back(edge);
    }
  }
}

std::vector<InferredEdge> SumOverRoots(std::vector<Contribution> all) {
  std::erase_if(all, [](const Contribution& edge) { return edge.calls < kMinCalls; });
  SumEqualEdges(&all, [](Contribution* sum, const Contribution& next) {
    sum->calls += next.calls;
    sum->deviation = std::hypot(sum->deviation, next.deviation);
    sum->part_of_variance += next.part_of_variance;
  });
  std::vector<InferredEdge> result;
  result.reserve(all.size());
  for (const Contribution& edge : all) {
    result.push_back(
        {edge.edge, edge.calls, edge.deviation * edge.deviation, edge.part_of_variance});
  }
  return result;
}

}  // namespace

Inference Infer(std::span<const Root> roots, const MethodProfiles& profiles,
                const InferenceOptions& options) {
  std::vector<Contribution> inlined, called;
  std::vector<double> variances;
  std::vector<InlinedRoot> by_root;
  for (const Root& root : roots) {
    const RootModel model = ModelOf(root, profiles, options);
    by_root.push_back(InlinedCallsOf(model));
    variances.push_back(
        AddInlinedEdges(by_root.back(), root.common_log_variance, options, &inlined));
    AddCalledEdges(model, root.common_log_variance, options, &called);
  }
  std::sort(variances.begin(), variances.end());
  return {SumOverRoots(std::move(inlined)), SumOverRoots(std::move(called)),
          std::accumulate(variances.begin(), variances.end(), 0.0), std::move(by_root)};
}

Interval Interval95(const InferredEdge& edge) {
  const double relative = edge.variance / (edge.calls * edge.calls);
  const double factor = std::exp(kDeviationsOf95 * std::sqrt(std::log1p(relative)));
  return {edge.calls / factor, edge.calls * factor};
}

}  // namespace yp
