#include "core/inference/observed_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/inference/call_ratio.h"

namespace yp {
namespace {

// Sites that were counted less often may have been counted equally often by chance.
constexpr double kLeastCountOfBlock = 100;
// Of a site's calls: the only callee has all of them, but for rounding.
constexpr double kAllCalls = 1 - 1e-3;

// Calls that were observed in a part of a tree.
struct Evidence {
  SampledCalls observed;
  double ratio = 0;  // Expected for each run of the part.

  // `more` is of something that each run of this part runs so many times.
  void Add(const Evidence& more, double runs) {
    observed += more.observed;
    ratio += more.ratio * runs;
  }
};

struct ObservedBlock {
  Ratio runs;        // Per invocation of the method.
  double count = 0;  // Of its sites, by the profile.
  std::vector<uint32_t> children;
  Evidence evidence;
};

// What is known of the path to a node.
struct Path {
  double log_variance = 0;      // Of the ratios from the root, or the last correction, on.
  double entry_variance = 0;    // Of the root's entries; 0 below a correction.
  bool is_corrected = false;    // At the node itself.
  bool is_with_parent = false;  // The node is in a part of its parent's method.
};

class ObservedRuns {
 public:
  ObservedRuns(const MethodProfiles& profiles, const InferenceOptions& options, RootModel* model)
      : profiles_(profiles),
        context_deviation_(options.context_deviation),
        model_(*model),
        tree_(model->tree),
        invocations_(tree_.nodes.size()),
        blocks_(tree_.nodes.size()),
        paths_(tree_.nodes.size()) {}

  void Correct() {
    Collect();
    paths_[0].entry_variance = model_.scale.log_variance;
    for (uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      if (i > 0) CorrectInvocations(i);
      for (const ObservedBlock& block : blocks_[i]) CorrectBlock(i, block);
    }
  }

 private:
  void Collect() {
    for (const CalledSite& site : model_.sites) Take(site);
    // Each is after its parent.
    for (auto i = static_cast<uint32_t>(tree_.nodes.size()); i-- > 1;) GiveToParent(i);
  }
  void Take(const CalledSite& site) {
    if (!HasAllCalls(site) || site.all.value <= 0) return;
    const Evidence evidence{site.observed, site.all.value};
    if (site.all.log_variance <= kCertainLogVariance) {
      invocations_[site.node].Add(evidence, 1);
    } else if (ObservedBlock* block = BlockAt(site.node, site.bci, site.all)) {
      block->evidence.Add(evidence, 1);
    }
  }
  void GiveToParent(uint32_t node) {
    const auto& [parent, bci, method] = tree_.nodes[node];
    const Ratio& ratio = model_.per_entry.ratios[node];
    if (model_.lowered.contains(node) || ratio.value <= 0) return;
    if (ratio.log_variance <= kCertainLogVariance) {
      invocations_[parent].Add(invocations_[node], ratio.value);
      paths_[node].is_with_parent = true;
      return;
    }
    const Ratio all =
        RatioOfSite(profiles_.Find(tree_.nodes[parent].method), bci, context_deviation_);
    ObservedBlock* block = BlockAt(parent, bci, all);
    if (block == nullptr) return;
    block->children.push_back(node);
    if (ratio.value < kAllCalls * all.value) return;
    block->evidence.Add(invocations_[node], ratio.value);
    paths_[node].is_with_parent = true;
  }
  static bool HasAllCalls(const CalledSite& site) {
    return site.inlined <= 0 && std::ranges::all_of(site.callees, [](const CalledMethod& callee) {
             return callee.missing == Missing::kNone;
           });
  }
  // Nothing where the profile has not counted the site often enough.
  ObservedBlock* BlockAt(uint32_t node, int32_t bci, const Ratio& all) {
    const MethodProfile* profile = profiles_.Find(tree_.nodes[node].method);
    const SiteProfile* site = profile == nullptr ? nullptr : profile->Site(bci);
    if (site == nullptr || site->calls < kLeastCountOfBlock) return nullptr;
    for (ObservedBlock& block : blocks_[node]) {
      if (AreOfOneBlock(block.count, site->calls)) return &block;
    }
    return &blocks_[node].emplace_back(ObservedBlock{all, site->calls, {}, {}});
  }

  void CorrectInvocations(uint32_t node) {
    const Path& parent = paths_[tree_.nodes[node].parent];
    Path& path = paths_[node];
    if (!path.is_corrected) {
      path.log_variance = parent.log_variance + model_.per_entry.ratios[node].log_variance;
      path.entry_variance = parent.entry_variance;
    }
    if (path.is_with_parent) return;
    CorrectPart({node}, invocations_[node], model_.RunsOf(node), model_.variances[node], path);
  }
  void CorrectBlock(uint32_t node, const ObservedBlock& block) {
    if (block.children.empty()) return;
    Path path = paths_[node];
    path.log_variance += block.runs.log_variance;
    CorrectPart(block.children, block.evidence, model_.RunsOf(node),
                model_.variances[node] + block.runs.log_variance, path);
    // Which of several callees is called is another matter.
    for (const uint32_t child : block.children) {
      const double of_callee = model_.per_entry.ratios[child].log_variance;
      if (!paths_[child].is_corrected) continue;
      paths_[child].log_variance += std::max(0.0, of_callee - block.runs.log_variance);
    }
  }
  // A part that consists of those nodes and what is below them, whose calls have the log-variance
  // `of_part` in common. `runs`: of what the evidence's ratio is relative to.
  void CorrectPart(const std::vector<uint32_t>& nodes, const Evidence& evidence, double runs,
                   double of_part, const Path& path) {
    const double samples = evidence.observed.EffectiveSamples();
    if (samples <= 0 || evidence.ratio <= 0 || runs < kMinCalls) return;
    if (path.log_variance <= kCertainLogVariance) return;
    const double weight =
        path.log_variance / (path.log_variance + path.entry_variance + 1 / samples);
    const double factor = std::pow(evidence.observed.calls / evidence.ratio / runs, weight);
    const auto corrected = [&](double log_variance) {
      return (1 - weight) * (1 - weight) * log_variance + weight * weight / samples;
    };
    for (const uint32_t node : nodes) {
      const double before = std::min(of_part, model_.variances[node]);
      const double after = std::max(corrected(before), 1 / samples);
      const std::vector<bool> is_within = NodesWithin(tree_, {node});
      for (uint32_t i = node; i < is_within.size(); ++i) {
        if (!is_within[i]) continue;
        double& calls = model_.per_entry.calls[i];
        calls = std::min(calls * factor, kMaxRatio);
        model_.variances[i] = std::max(0.0, model_.variances[i] - before) + after;
      }
      paths_[node].log_variance = corrected(path.log_variance);
      paths_[node].entry_variance = 0;
      paths_[node].is_corrected = true;
    }
  }

  const MethodProfiles& profiles_;
  const double context_deviation_;
  RootModel& model_;
  const InlineTree& tree_;
  std::vector<Evidence> invocations_;  // Of each node.
  std::vector<std::vector<ObservedBlock>> blocks_;
  std::vector<Path> paths_;
};

}  // namespace

void CountByObservedSites(const MethodProfiles& profiles, const InferenceOptions& options,
                          RootModel* model) {
  ObservedRuns(profiles, options, model).Correct();
}

}  // namespace yp
