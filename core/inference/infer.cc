#include "core/inference/infer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/inference/elided_calls.h"

namespace yp {
namespace {

// Bounds that no real program reaches, so that deep recursion stays finite.
constexpr double kMaxRatio = 1e15;
constexpr double kMaxLogVariance = 16;
constexpr double kMinCalls = 1e-9;
constexpr double kRounding = 1e-12;
// Callees whose calls are not as few as this share of what is expected are taken as not inlined.
constexpr double kFewCalls = 1.0 / 3;
// Of a ratio, in parts of the square of what contexts differ by: a branch that is taken at most
// about every second time, a loop of two trips or more, or what hardly anything is known of.
constexpr double kOpenVariance = 0.22;
// Deviations, of what is expected and of the samples, by which calls have to be too few.
constexpr double kExpectedDeviations = 2, kSamplingDeviations = 2.33;

// What the profiles say of one root, per entry.
struct TreeRatios {
  std::vector<Ratio> ratios;    // Of each node, per invocation of its parent; the root's is 1.
  std::vector<double> calls;    // Of each node: the product along its path.
  std::vector<double> leaving;  // Calls from the outgoing sites in and below each node.
  OutgoingCalls outgoing;
};

void SetCalls(const InlineTree& tree, TreeRatios* result) {
  result->calls.assign(1, 1);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    result->calls.push_back(
        std::min(result->calls[tree.nodes[i].parent] * result->ratios[i].value, kMaxRatio));
  }
}

void AddPaths(const InlineTree& tree, const MethodProfiles& profiles, double context_deviation,
              TreeRatios* result) {
  result->ratios.push_back({1, 0});
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const InlineTree::Node& node = tree.nodes[i];
    result->ratios.push_back(RatioOfCallee(profiles.Find(tree.nodes[node.parent].method), node.bci,
                                           node.method, context_deviation));
  }
  SetCalls(tree, result);
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

// Those that the profile has recorded there, and those that were observed.
std::vector<CalledMethod> CalleesAt(const OutgoingSite& site, const InlineTree& tree,
                                    const MethodProfile* profile, double context_deviation) {
  const SiteProfile* counted = profile == nullptr ? nullptr : profile->Site(site.bci);
  std::map<MethodId, SampledCalls> observed;
  if (counted != nullptr) {
    for (const SiteProfile::Callee& callee : counted->callees) observed[callee.method];
  }
  for (const OutgoingSite::Callee& callee : site.callees) {
    observed[callee.method] += callee.calls;
  }
  std::vector<CalledMethod> callees;
  for (const auto& [method, calls] : observed) {
    const auto is_it = [&, callee = method](const InlineTree::Node& node) {
      return node.parent == site.node && node.bci == site.bci && node.method == callee;
    };
    CalledMethod& callee = callees.emplace_back(CalledMethod{method, calls, {}});
    if (counted != nullptr && counted->CallsOf(method) > 0 &&
        std::none_of(tree.nodes.begin() + 1, tree.nodes.end(), is_it)) {
      callee.expected = RatioOfCallee(profile, site.bci, method, context_deviation);
    }
  }
  return callees;
}

std::vector<CalledSite> SitesOf(const Root& root, const InlineTree& tree,
                                const std::vector<Ratio>& ratios, const MethodProfiles& profiles,
                                double context_deviation) {
  const auto inlined = InlinedBySite(tree, ratios);
  std::vector<CalledSite> sites;
  for (const OutgoingSite& site : root.outgoing) {
    if (!site.calls) continue;
    const MethodProfile* profile = profiles.Find(tree.nodes[site.node].method);
    const auto at_site = inlined.find({site.node, site.bci});
    sites.push_back({site.node, site.bci, RatioOfSite(profile, site.bci, context_deviation),
                     at_site == inlined.end() ? 0 : at_site->second, *site.calls,
                     CalleesAt(site, tree, profile, context_deviation)});
  }
  return sites;
}

// With w_j the part of the outgoing calls whose path has the ratio j, and errors of the ratios that
// are independent: var(log sum) = sum_j w_j^2 var(log ratio_j). A site that the profile expects
// nothing of is left out with its calls, and so is a callee whose calls are missing.
void SetOutgoing(const std::vector<CalledSite>& sites, const InlineTree& tree,
                 double context_deviation, TreeRatios* result) {
  OutgoingCalls& outgoing = result->outgoing;
  std::vector<double>& leaving = result->leaving;
  outgoing = {};
  leaving.assign(tree.nodes.size(), 0);
  double variance = 0;
  for (const CalledSite& site : sites) {
    double left = site.all.value - site.inlined;
    SampledCalls observed = site.observed;
    for (const CalledMethod& callee : site.callees) {
      if (callee.missing == Missing::kNone) continue;
      left -= callee.expected.value;
      observed.calls = std::max(0.0, observed.calls - callee.observed.calls);
      observed.variance = std::max(0.0, observed.variance - callee.observed.variance);
    }
    if (left <= kRounding * site.all.value) continue;
    const double calls = std::min(result->calls[site.node] * left, kMaxRatio);
    leaving[site.node] += calls;
    // Which of a site's calls are left is a branch too (see RatioOf).
    const double inlined_shift = context_deviation * (1 - left / site.all.value);
    variance += calls * calls * (site.all.log_variance + inlined_shift * inlined_shift);
    outgoing.observed += observed;
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
  double part_of_variance = 0;  // See InferredEdge::part_of_inlined_variance.
  auto operator<=>(const Contribution&) const = default;
};

// What a node's ratio adds to the log-variance of its calls. An error e of ratio j moves the root's
// entries by -outgoing_weight w_j e (w_j as in SetOutgoing), so that it stands in the calls below
// with (1 - outgoing_weight w_j) e. scale.log_variance has the square of that without the 1.
double AddedVariance(const TreeRatios& per_entry, const RootScale& scale, size_t node) {
  const double total = per_entry.outgoing.ratio;
  const double w = total > 0 ? per_entry.leaving[node] / total : 0;
  return per_entry.ratios[node].log_variance * (1 - 2 * scale.outgoing_weight * w);
}

// The log-variance of each node's calls.
std::vector<double> NodeVariances(const InlineTree& tree, const TreeRatios& per_entry,
                                  const RootScale& scale) {
  std::vector<double> variances = {scale.log_variance};
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    variances.push_back(variances[tree.nodes[i].parent] + AddedVariance(per_entry, scale, i));
  }
  return variances;
}

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

// Whether fewer calls of a callee were observed than those that are expected of it let believe,
// with their uncertainty and that of the samples.
bool AreMissing(const InferenceOptions& options, const RootModel& model, const CalledSite& site,
                const CalledMethod& callee) {
  if (callee.expected.value <= 0) return false;
  const double k = options.calls_per_sample;
  const double runs = model.RunsOf(site.node);
  // Here there may be other receivers than on the average of the method's callers.
  const double instead = site.observed.calls - callee.observed.calls -
                         runs * (site.all.value - site.inlined - callee.expected.value);
  const double observed = (callee.observed.calls + std::max(instead, 0.0)) / k;
  const double expected = runs * callee.expected.value / k;
  if (observed > kFewCalls * expected) return false;
  const double log_variance = model.variances[site.node] + callee.expected.log_variance +
                              options.context_deviation * options.context_deviation;
  const double at_least =
      expected * std::exp(-kExpectedDeviations * std::sqrt(std::max(log_variance, 0.0)));
  // Square roots of Poisson counts have the variance 1/4 (Anscombe, Biometrika 35, 1948).
  return 2 * (std::sqrt(at_least) - std::sqrt(observed + 0.75)) > kSamplingDeviations;
}

std::vector<bool> NodesBelow(const InlineTree& tree, uint32_t node) {
  std::vector<bool> below(tree.nodes.size(), false);
  below[node] = true;
  for (size_t i = node + 1; i < tree.nodes.size(); ++i) below[i] = below[tree.nodes[i].parent];
  return below;
}

// Of a site where calls are missing: the last branch or loop on the path to it is taken less often
// in this context, if calls are as few below it altogether, and no better known than from those.
// False if there is none such, or it is lowered already. Calls of callees of which nothing is
// expected speak against it. The entries are estimated anew with the lower ratio, and may leave
// somewhat more below it than was observed.
bool LowerPath(const InferenceOptions& options, uint32_t node, RootModel* model) {
  std::vector<Ratio>& ratios = model->per_entry.ratios;
  const double open = kOpenVariance * options.context_deviation * options.context_deviation;
  while (node > 0 && ratios[node].log_variance < open) node = model->tree.nodes[node].parent;
  if (node == 0 || model->lowered.contains(node)) return false;
  const std::vector<bool> below = NodesBelow(model->tree, node);
  double expected = 0, observed = 0;
  for (const CalledSite& site : model->sites) {
    if (!below[site.node]) continue;
    for (const CalledMethod& callee : site.callees) {
      if (callee.missing == Missing::kInlined) continue;
      observed += callee.observed.calls;
      expected += model->RunsOf(site.node) * callee.expected.value;
    }
  }
  if (observed > kFewCalls * expected) return false;
  model->lowered.insert(node);
  const double k = options.calls_per_sample;
  ratios[node].value *= (k + observed) / (k + expected);
  ratios[node].log_variance += k / (k + observed);
  SetCalls(model->tree, &model->per_entry);
  return true;
}

// Explains missing calls, until a ratio was changed; whether there are any. The compiler inlines a
// virtual call for the receivers that are most frequent, and leaves a call for the rest. Of a small
// method that it inlined so there may be no debug information; of one with call instructions of its
// own there is.
bool ExplainMissing(const InferenceOptions& options, RootModel* model) {
  bool found = false;
  for (CalledSite& site : model->sites) {
    for (CalledMethod& callee : site.callees) {
      if (callee.missing != Missing::kNone || !AreMissing(options, *model, site, callee)) continue;
      found = true;
      if (!options.traceable.contains(callee.method)) {
        callee.missing = Missing::kInlined;
      } else if (LowerPath(options, site.node, model)) {
        return true;
      } else {
        callee.missing = Missing::kUnwanted;
      }
    }
  }
  return found;
}

RootModel ModelOf(const Root& root, const MethodProfiles& profiles,
                  const InferenceOptions& options) {
  RootModel model;
  model.tree = options.add_elided_calls ? WithElidedCalls(root, profiles) : root.tree;
  AddPaths(model.tree, profiles, options.context_deviation, &model.per_entry);
  model.sites =
      SitesOf(root, model.tree, model.per_entry.ratios, profiles, options.context_deviation);
  do {
    SetOutgoing(model.sites, model.tree, options.context_deviation, &model.per_entry);
    model.scale = EstimateRootScale(root.entries, model.per_entry.outgoing);
    model.variances = NodeVariances(model.tree, model.per_entry, model.scale);
  } while (options.add_elided_calls && ExplainMissing(options, &model));
  return model;
}

// Returns the variance of their sum (see Inference::inlined_variance): of it, a deviation d among D
// altogether is D^2 - (D - d)^2.
double AddInlinedEdges(const RootModel& model, double common_log_variance,
                       const InferenceOptions& options, std::vector<Contribution>* edges) {
  const std::vector<InlineTree::Node>& nodes = model.tree.nodes;
  std::vector<Contribution> own;
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    own.push_back(LogNormal({nodes[nodes[i].parent].method, nodes[i].bci, nodes[i].method},
                            model.RunsOf(i), model.variances[i] + common_log_variance));
  }
  for (const CalledSite& site : model.sites) {
    for (const CalledMethod& callee : site.callees) {
      if (callee.missing != Missing::kInlined) continue;
      own.push_back(LogNormal(
          {nodes[site.node].method, site.bci, callee.method},
          model.RunsOf(site.node) * callee.expected.value - callee.observed.calls,
          model.variances[site.node] + callee.expected.log_variance + common_log_variance));
    }
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

// See Inference::called.
Contribution CalledEdge(const Edge& edge, double observed, double expected,
                        const InferenceOptions& options) {
  const double k = options.calls_per_sample;
  const double a = options.expectation_weight;
  const double n = observed / k;
  if (expected < kMinCalls) return {edge, observed, k * std::sqrt(n)};
  const double rate = a * k / expected + 1;
  return {edge, k * (a + n) / rate, k * std::sqrt(a + n) / rate};
}

void AddCalledEdges(const RootModel& model, double common_log_variance,
                    const InferenceOptions& options, std::vector<Contribution>* edges) {
  for (const CalledSite& site : model.sites) {
    for (const CalledMethod& callee : site.callees) {
      const Edge called = {model.tree.nodes[site.node].method, site.bci, callee.method};
      if (!options.is_wanted(called)) continue;
      const double expected =
          callee.missing != Missing::kNone ? 0 : model.RunsOf(site.node) * callee.expected.value;
      Contribution edge =
          CalledEdge(called, callee.observed.calls, std::min(expected, kMaxRatio), options);
      edge.deviation =
          std::hypot(edge.deviation, edge.calls * std::sqrt(std::expm1(common_log_variance)));
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
  for (const Root& root : roots) {
    const RootModel model = ModelOf(root, profiles, options);
    variances.push_back(AddInlinedEdges(model, root.common_log_variance, options, &inlined));
    AddCalledEdges(model, root.common_log_variance, options, &called);
  }
  std::sort(variances.begin(), variances.end());
  return {SumOverRoots(std::move(inlined)), SumOverRoots(std::move(called)),
          std::accumulate(variances.begin(), variances.end(), 0.0)};
}

Interval Interval95(const InferredEdge& edge) {
  const double relative = edge.variance / (edge.calls * edge.calls);
  const double factor = std::exp(kDeviationsOf95 * std::sqrt(std::log1p(relative)));
  return {edge.calls / factor, edge.calls * factor};
}

}  // namespace yp
