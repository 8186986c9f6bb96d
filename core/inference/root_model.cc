#include "core/inference/root_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "core/inference/elided_calls.h"

namespace yp {
namespace {

using Site = std::pair<uint32_t, int32_t>;  // Node, bci.

constexpr double kRounding = 1e-12;
// A method that calls itself, directly or through others, does so a little less than once per
// invocation, over all of them. How often at the outermost of them, or at one of the innermost, the
// mean does not tell: a visitor's first node has several children, its last ones none. 95 % within
// a factor of 2.7.
constexpr double kRecursionLogVariance = 0.25;
// Of a share of a site's calls that is the difference of two larger numbers.
constexpr double kMaxSplitLogVariance = 4;

// A method is not called more often from one root than it was invoked at all: as long as the root's
// invocations were counted, so were its own. At most so many calls per invocation of `node`;
// nothing where nothing was counted, or not all was.
std::optional<Ratio> MostCallsOf(const InlineTree& tree, const MethodProfiles& profiles,
                                 uint32_t node, MethodId callee, const InferenceOptions& options,
                                 const std::vector<Ratio>& ratios) {
  const MethodProfile* of_root = profiles.Find(tree.nodes[0].method);
  const MethodProfile* of_callee = profiles.Find(callee);
  if (of_root == nullptr || of_callee == nullptr || options.compiled.contains(callee)) return {};
  double runs = of_root->invocations;
  for (uint32_t i = node; i > 0; i = tree.nodes[i].parent) runs *= ratios[i].value;
  if (of_callee->invocations <= 0 || !(runs > 0 && runs < kMaxRatio)) return {};
  return RatioOf(of_callee->invocations, runs, options.context_deviation);
}

// What is inlined at a site without a call instruction makes up all its calls: in this context
// there are no others. But for those of receivers whose method is not known, if the profile has
// recorded what is inlined; else they are its own: a lambda's receiver is the VM's glue.
void ShareOut(const Root& root, const InlineTree& tree, const MethodProfiles& profiles,
              const InferenceOptions& options, std::vector<Ratio>* ratios) {
  std::map<Site, std::vector<uint32_t>> inlined;
  for (uint32_t i = 1; i < tree.nodes.size(); ++i) {
    inlined[{tree.nodes[i].parent, tree.nodes[i].bci}].push_back(i);
  }
  for (const OutgoingSite& site : root.outgoing) inlined.erase({site.node, site.bci});
  for (const auto& [site, children] : inlined) {
    const MethodProfile* profile = profiles.Find(tree.nodes[site.first].method);
    const SiteProfile* counted = profile == nullptr ? nullptr : profile->Site(site.second);
    Ratio all = RatioOfSite(profile, site.second, options.context_deviation);
    const auto is_recorded = [&](uint32_t child) {
      return counted->CallsOf(tree.nodes[child].method) > 0;
    };
    if (counted != nullptr && std::all_of(children.begin(), children.end(), is_recorded)) {
      all.value *= std::clamp(1 - counted->CallsOf(kNoMethod) / counted->calls, 0.0, 1.0);
    } else if (counted != nullptr && !counted->callees.empty() && children.size() == 1) {
      // The profile is that of other receivers.
      const std::optional<Ratio> most =
          MostCallsOf(tree, profiles, site.first, tree.nodes[children[0]].method, options, *ratios);
      if (most && most->value < all.value) all = *most;
    }
    double sum = 0;
    for (const uint32_t child : children) sum += (*ratios)[child].value;
    for (const uint32_t child : children) {
      Ratio& ratio = (*ratios)[child];
      if (children.size() == 1)
        ratio = all;
      else if (sum > 0)
        ratio.value *= all.value / sum;
    }
  }
}

// Whether the node, or one that it is inlined in, is of that method.
bool IsIn(const InlineTree& tree, uint32_t node, MethodId method) {
  if (method == kNoMethod) return false;  // The VM's glue, each of its own.
  for (; tree.nodes[node].method != method; node = tree.nodes[node].parent) {
    if (node == 0) return false;
  }
  return true;
}

void AddPaths(const Root& root, const InlineTree& tree, const MethodProfiles& profiles,
              const InferenceOptions& options, TreeRatios* result) {
  result->ratios.push_back({1, 0});
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const InlineTree::Node& node = tree.nodes[i];
    result->ratios.push_back(RatioOfCallee(profiles.Find(tree.nodes[node.parent].method), node.bci,
                                           node.method, options.context_deviation));
  }
  ShareOut(root, tree, profiles, options, &result->ratios);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    if (IsIn(tree, tree.nodes[i].parent, tree.nodes[i].method)) {
      result->ratios[i].log_variance += kRecursionLogVariance;
    }
  }
  UpdateCalls(tree, result);
}

// Calls inlined at each (node, bci), per invocation of the node's method.
std::map<Site, double> InlinedBySite(const InlineTree& tree, const std::vector<Ratio>& ratios) {
  std::map<Site, double> inlined;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    inlined[{tree.nodes[i].parent, tree.nodes[i].bci}] += ratios[i].value;
  }
  return inlined;
}

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
    if (std::ranges::any_of(sites.back().callees, [&](const CalledMethod& callee) {
          return IsIn(tree, site.node, callee.method);
        })) {
      sites.back().all.log_variance += kRecursionLogVariance;
    }
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
    if (calls <= 0) continue;
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

// The mean of max(total - called, 0), where the total is log-normal (as in Black and Scholes,
// 1973).
double MeanExcess(double total, double log_variance, double called) {
  if (called <= 0) return total;
  const double deviation = std::sqrt(std::max(log_variance, 1e-6));
  const double d = std::log(total / called) / deviation;
  const auto normal = [](double x) { return std::erfc(-x * std::numbers::sqrt2 / 2) / 2; };
  return std::max(total * normal(d + deviation / 2) - called * normal(d - deviation / 2), 0.0);
}

// Of the root, from the calls at those of its sites.
void EstimateFrom(const std::vector<CalledSite>& sites, const Root& root,
                  const InferenceOptions& options, RootModel* model) {
  SetOutgoing(sites, model->tree, options.context_deviation, &model->per_entry);
  model->scale = EstimateRootScale(root.entries, model->per_entry.outgoing);
  model->variances = NodeVariances(model->tree, model->per_entry, model->scale);
}

// Whether more calls were observed at a site than are left by what is inlined there.
bool AreTooMany(const InferenceOptions& options, const RootModel& model, const CalledSite& site) {
  const double runs = model.RunsOf(site.node);
  if (site.inlined <= 0 || runs <= 0) return false;
  const double k = options.calls_per_sample;
  const double shift = options.context_deviation * site.inlined / site.all.value;
  const double log_variance = model.variances[site.node] + site.all.log_variance + shift * shift;
  const double left = std::max(site.all.value - site.inlined, 0.0) * runs / k;
  const double at_most =
      left * std::exp(kExpectedDeviations * std::sqrt(std::max(log_variance, 0.0)));
  // Square roots of Poisson counts have the variance 1/4 (Anscombe, Biometrika 35, 1948).
  return 2 * (std::sqrt(site.observed.calls / k + 0.375) - std::sqrt(at_most + 0.375)) >
         kSamplingDeviations;
}

std::vector<uint32_t> ChildrenAt(const InlineTree& tree, const CalledSite& site) {
  std::vector<uint32_t> children;
  for (uint32_t i = site.node + 1; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].parent == site.node && tree.nodes[i].bci == site.bci) children.push_back(i);
  }
  return children;
}

// Whether calls are there that only those nodes and what is below them can have made.
bool IsSeenWithin(const InferenceOptions& options, const RootModel& model,
                  const std::vector<uint32_t>& nodes) {
  const std::vector<bool> is_within = NodesWithin(model.tree, nodes);
  double observed = 0, expected = 0;
  for (const CalledSite& site : model.sites) {
    if (!is_within[site.node]) continue;
    observed += site.observed.calls;
    expected += model.RunsOf(site.node) * (site.all.value - site.inlined);
  }
  return observed > kFewCalls * expected && observed > options.calls_per_sample;
}

}  // namespace

RootModel ProfiledModel(const Root& root, const MethodProfiles& profiles,
                        const InferenceOptions& options) {
  const double deviation = options.context_deviation;
  RootModel model;
  model.tree = options.add_elided_calls ? WithElidedCalls(root, profiles) : root.tree;
  AddPaths(root, model.tree, profiles, options, &model.per_entry);
  model.sites = SitesOf(root, model.tree, model.per_entry.ratios, profiles, deviation);
  return model;
}

void SplitSites(const Root& root, const InferenceOptions& options, RootModel* model) {
  std::vector<CalledSite> whole;
  for (const CalledSite& site : model->sites) {
    if (site.inlined <= 0) whole.push_back(site);
  }
  if (whole.size() == model->sites.size()) return;
  EstimateFrom(whole, root, options, model);
  for (CalledSite& site : model->sites) {
    if (!AreTooMany(options, *model, site)) continue;
    const std::vector<uint32_t> children = ChildrenAt(model->tree, site);
    if (IsSeenWithin(options, *model, children)) continue;
    const double runs = model->RunsOf(site.node);
    const double inlined =
        MeanExcess(runs * site.all.value, model->variances[site.node] + site.all.log_variance,
                   site.observed.calls);
    const double part = inlined / (runs * site.inlined);
    if (!(part < 1)) continue;
    const double log_variance = site.observed.variance < kMaxSplitLogVariance * inlined * inlined
                                    ? site.observed.variance / (inlined * inlined)
                                    : kMaxSplitLogVariance;
    for (const uint32_t child : children) {
      model->per_entry.ratios[child].value *= part;
      model->per_entry.ratios[child].log_variance += log_variance;
    }
    site.inlined *= part;
    UpdateCalls(model->tree, &model->per_entry);
  }
}

void EstimateScale(const Root& root, const InferenceOptions& options, RootModel* model) {
  EstimateFrom(model->sites, root, options, model);
}

bool AreOfOneBlock(double calls, double other_calls) {
  constexpr double kSameBlock = 0.001, kUnderWay = 2;
  return std::abs(other_calls - calls) <= kUnderWay + kSameBlock * calls;
}

std::vector<bool> NodesWithin(const InlineTree& tree, const std::vector<uint32_t>& tops) {
  std::vector<bool> is_within(tree.nodes.size(), false);
  for (const uint32_t top : tops) is_within[top] = true;
  for (size_t i = 1; i < is_within.size(); ++i) {
    if (is_within[tree.nodes[i].parent]) is_within[i] = true;
  }
  return is_within;
}

void UpdateCalls(const InlineTree& tree, TreeRatios* per_entry) {
  std::vector<double>& calls = per_entry->calls;
  calls.assign(1, 1);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    calls.push_back(std::min(calls[tree.nodes[i].parent] * per_entry->ratios[i].value, kMaxRatio));
  }
}

}  // namespace yp
