#include "core/inference/missing_calls.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace yp {
namespace {

// Of a ratio, in parts of the square of what contexts differ by: a branch that is taken at most
// about every second time, a loop of two trips or more, or what hardly anything is known of.
constexpr double kOpenVariance = 0.22;

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

// What is behind one branch, or in one loop, of a node's method: it runs equally often.
struct Block {
  std::vector<uint32_t> children;  // Of the node: nodes.
  std::vector<size_t> sites;       // Of the node: indices in RootModel::sites.
};

bool IsOpen(const Ratio& ratio, const InferenceOptions& options) {
  return ratio.log_variance >=
         kOpenVariance * options.context_deviation * options.context_deviation;
}

// That of a site that the profile of the node's method has counted.
Block BlockOf(const RootModel& model, const MethodProfiles& profiles, uint32_t node, int32_t bci) {
  Block block;
  const MethodProfile* profile = profiles.Find(model.tree.nodes[node].method);
  const SiteProfile* site = profile == nullptr ? nullptr : profile->Site(bci);
  if (site == nullptr) return block;
  const auto is_in = [&](int32_t other_bci) {
    const SiteProfile* other = profile->Site(other_bci);
    return other != nullptr && AreOfOneBlock(site->calls, other->calls);
  };
  for (uint32_t i = node + 1; i < model.tree.nodes.size(); ++i) {
    if (model.tree.nodes[i].parent == node && is_in(model.tree.nodes[i].bci)) {
      block.children.push_back(i);
    }
  }
  for (size_t s = 0; s < model.sites.size(); ++s) {
    if (model.sites[s].node == node && is_in(model.sites[s].bci)) block.sites.push_back(s);
  }
  return block;
}

// In this context the block runs less often, if calls are as few from it and from what is inlined
// there, altogether, and no better known than from those. False if they are not, or if it has been
// lowered. Calls of callees of which nothing is expected speak against it. The entries are
// estimated anew with the lower ratios, and may leave somewhat more than was observed.
bool LowerBlock(const InferenceOptions& options, const Block& block, RootModel* model) {
  for (const uint32_t child : block.children) {
    if (model->lowered.contains(child)) return false;
  }
  const std::vector<bool> is_within = NodesWithin(model->tree, block.children);
  const std::set<size_t> own(block.sites.begin(), block.sites.end());
  double expected = 0, observed = 0;
  for (size_t s = 0; s < model->sites.size(); ++s) {
    const CalledSite& site = model->sites[s];
    if (!is_within[site.node] && !own.contains(s)) continue;
    for (const CalledMethod& callee : site.callees) {
      if (callee.missing == Missing::kInlined) continue;
      observed += callee.observed.calls;
      expected += model->RunsOf(site.node) * callee.expected.value;
    }
  }
  if (expected <= 0 || observed > kFewCalls * expected) return false;
  const double k = options.calls_per_sample;
  const double factor = (k + observed) / (k + expected);
  const double log_variance = k / (k + observed);
  for (const uint32_t child : block.children) {
    model->lowered.insert(child);
    model->per_entry.ratios[child].value *= factor;
    model->per_entry.ratios[child].log_variance += log_variance;
  }
  for (const size_t s : block.sites) {
    CalledSite& site = model->sites[s];
    site.all.value *= factor;
    site.all.log_variance += log_variance;
    site.inlined *= factor;
    for (CalledMethod& callee : site.callees) {
      callee.expected.value *= factor;
      callee.expected.log_variance += log_variance;
    }
  }
  UpdateCalls(model->tree, &model->per_entry);
  return true;
}

// Lowers the last branch or loop on the path to a callee whose calls are missing.
bool LowerPath(const InferenceOptions& options, const MethodProfiles& profiles,
               const CalledSite& site, const CalledMethod& callee, RootModel* model) {
  if (IsOpen(site.all, options)) {
    const Block block = BlockOf(*model, profiles, site.node, site.bci);
    return !block.children.empty() && LowerBlock(options, block, model);
  }
  if (IsOpen(callee.expected, options)) return false;  // There are other receivers.
  uint32_t node = site.node;
  while (node > 0 && !IsOpen(model->per_entry.ratios[node], options)) {
    node = model->tree.nodes[node].parent;
  }
  if (node == 0) return false;
  return LowerBlock(options, {{node}, {}}, model);
}

}  // namespace

bool ExplainMissing(const MethodProfiles& profiles, const InferenceOptions& options,
                    RootModel* model) {
  bool found = false;
  for (CalledSite& site : model->sites) {
    for (CalledMethod& callee : site.callees) {
      if (callee.missing != Missing::kNone || !AreMissing(options, *model, site, callee)) continue;
      if (!options.traceable.contains(callee.method)) {
        found = true;
        callee.missing = Missing::kInlined;
      } else if (LowerPath(options, profiles, site, callee, model)) {
        return true;
      } else if (!IsOpen(callee.expected, options)) {
        found = true;
        callee.missing = Missing::kUnwanted;
      }
    }
  }
  return found;
}

}  // namespace yp
