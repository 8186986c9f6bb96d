#include "format/profile/comparable.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/graph/overlap.h"
#include "core/graph/transform.h"
#include "core/inference/infer.h"
#include "core/options/config_keys.h"
#include "format/profile/estimate.h"

namespace yp {
namespace {

bool HasTrivial(const Profile& profile) {
  return profile.ConfigOr(config_key::kTrivial, "include") == "include";
}

bool IsNewOrGone(const EdgeChange& change) {
  return (change.calls_before == 0) != (change.calls_after == 0);
}

// By the chance of sampling alone, without what FinishIntervals adds.
double RelativeVarianceOf(const Profile& profile, const EdgeStats& edge) {
  if ((edge.flags & (kEdgeExact | kEdgeOnce)) != 0 || edge.calls <= 0) return 0;
  if (profile.replicates.empty() && edge.share_low > 0 && edge.share_low < edge.share_high) {
    const double deviation = std::log(edge.share_high / edge.share_low) / (2 * kDeviationsOf95);
    return deviation * deviation;
  }
  const double factor = IntervalFactorOf(profile);
  return edge.variance / (edge.calls * edge.calls) / (factor * factor);
}

std::string WhatToRecord(const Profile& profile) {
  if (profile.exact()) return "record a run in which observed methods are called";
  return "record it for longer, or with a larger --budget; or count all calls with --mode exact";
}

// Why a side's profiles cannot be compared; empty where they can.
std::string WhyUnknown(const char* which, std::span<const Profile* const> profiles,
                       const std::vector<RecordedGraph>& graphs) {
  for (size_t i = 0; i < profiles.size(); ++i) {
    if (graphs[i].SaysEnough()) continue;
    const bool has_samples = !graphs[i].is_counted && graphs[i].samples > 0;
    return std::string("a profile ") + which + " has " +
           (has_samples ? "only " + std::to_string(graphs[i].samples) + " samples" : "no calls") +
           ": what differs is unknown; " + WhatToRecord(*profiles[i]);
  }
  return "";
}

std::vector<RecordedGraph> GraphsOf(const ComparablePair& pair,
                                    std::span<const Profile* const> profiles,
                                    MethodTable& methods) {
  std::vector<RecordedGraph> graphs;
  for (const Profile* profile : profiles) {
    graphs.push_back(pair.RecordedGraphOf(*profile, methods));
  }
  return graphs;
}

// Of each recording as much as of the others.
DynamicCallGraph MeanOf(const std::vector<RecordedGraph>& graphs) {
  DynamicCallGraph mean;
  for (const RecordedGraph& graph : graphs) {
    double total = 0;
    for (const auto& [edge, recorded] : graph.edges) total += recorded.calls;
    for (const auto& [edge, recorded] : graph.edges) {
      if (total > 0) mean.Add(edge, recorded.calls / total);
    }
  }
  return mean;
}

// See ProfileDiff::advice.
std::string AdviceOf(const std::vector<EdgeChange>& changes,
                     std::span<const Profile* const> profiles) {
  constexpr double kLargeShare = 0.01;
  constexpr double kErrorRate = 0.05;
  const auto may_be_chance = std::ranges::count_if(changes, [](const EdgeChange& change) {
    return IsNewOrGone(change) && std::abs(change.Change()) >= kLargeShare &&
           change.adjusted_p > kErrorRate;
  });
  if (may_be_chance == 0) {
    const bool any_differs = std::ranges::any_of(
        changes, [](const EdgeChange& change) { return change.adjusted_p <= kErrorRate; });
    const bool any_sampled =
        std::ranges::any_of(profiles, [](const Profile* profile) { return !profile->exact(); });
    if (any_differs || !any_sampled || changes.empty()) return "";
    return "no difference is larger than chance explains: longer recordings, or several for each "
           "side, find smaller ones; recordings with --mode exact find all, and take longer";
  }
  const bool has_probes = std::ranges::any_of(profiles, [](const Profile* profile) {
    return profile->ConfigOr(config_key::kProbe, "") == "bytecode";
  });
  return std::to_string(may_be_chance) +
         " edges with 1 % of the calls or more are on one side only, which may be chance: their "
         "samples are of one moment, or of code that was inlined later (--all lists them); "
         "record " +
         (has_probes ? "for longer" : "with --mode exact") +
         ", or with --mode edges to know which calls are made at all";
}

DiffBasis BasisOf(const ProfileDiffOptions& options, bool is_counted, const MethodTable& methods) {
  DiffBasis basis;
  basis.kind = options.per.value_or(is_counted ? DiffBasis::Kind::kCalls : DiffBasis::Kind::kShare);
  if (basis.kind != DiffBasis::Kind::kMethod || !options.is_basis) return basis;
  for (size_t i = 0; i < methods.size(); ++i) {
    const MethodId id{static_cast<uint32_t>(i)};
    if (options.is_basis(methods, id)) basis.methods.insert(id);
  }
  return basis;
}

bool HasBasis(const RecordedGraph& graph, const DiffBasis& basis) {
  return std::ranges::any_of(graph.edges, [&](const auto& entry) {
    return entry.second.calls > 0 && basis.methods.contains(entry.first.callee);
  });
}

}  // namespace

ComparablePair::ComparablePair(const Profile& a, const Profile& b)
    : ComparablePair(std::vector<const Profile*>{&a, &b}) {}

ComparablePair::ComparablePair(std::span<const Profile* const> profiles) {
  const Profile& a = *profiles.front();
  for (const Profile* profile : profiles) {
    const Profile& b = *profile;
    for (const std::string& key : DifferentFilters(a, b)) {
      if (key == config_key::kTrivial && HasTrivial(a) != HasTrivial(b)) without_trivial_ = true;
      if (key == config_key::kTrivial) continue;  // Compared without.
      std::string note = "warning: the profiles differ in \"" + key + "\" (" +
                         std::string(a.ConfigOr(key, "not set")) + " and " +
                         std::string(b.ConfigOr(key, "not set")) + "): that is compared, too";
      if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(std::move(note));
    }
  }
  if (without_trivial_) {
    notes_.emplace_back(profiles.size() == 2
                            ? "calls of trivial methods, which only one of the profiles has, are "
                              "left out"
                            : "calls of trivial methods, which not all of the profiles have, are "
                              "left out");
  }
}

// A trivial method calls nothing.
DynamicCallGraph ComparablePair::Of(const Profile& profile, DynamicCallGraph graph) const {
  return without_trivial_ ? WithoutTrivialCallees(graph, profile.methods) : graph;
}

Estimate ComparablePair::EstimateOf(const Profile& profile, MethodTable& methods) const {
  const auto rebased = [&](DynamicCallGraph graph) {
    return Rebase(Of(profile, std::move(graph)), profile.methods, methods);
  };
  return {rebased(profile.Graph()), rebased(profile.LowShareGraph()),
          rebased(profile.HighShareGraph())};
}

RecordedGraph ComparablePair::RecordedGraphOf(const Profile& profile, MethodTable& methods) const {
  RecordedGraph graph;
  graph.is_counted = profile.exact() || profile.finds_edges();
  graph.seconds = static_cast<double>(profile.duration_ns) / 1e9;
  const auto rebased = [&](MethodId id) {
    return id == kNoMethod ? id : methods.Intern(profile.methods[id]);
  };
  for (size_t i = 0; i < profile.edges.size(); ++i) {
    const EdgeStats& stats = profile.edges[i];
    const bool is_trivial =
        (profile.methods[stats.edge.callee].flags & Method::kTrivial) != 0 && without_trivial_;
    if (stats.calls <= 0 || is_trivial) continue;
    RecordedEdge& edge =
        graph.edges[{rebased(stats.edge.caller), stats.edge.bci, rebased(stats.edge.callee)}];
    edge.calls = stats.calls;
    edge.share_low = stats.share_low;
    edge.share_high = stats.share_high;
    edge.relative_variance = RelativeVarianceOf(profile, stats);
    // What was counted has no error of sampling.
    edge.samples = (stats.flags & kEdgeCounted) != 0 ? 0 : stats.samples;
    edge.is_inferred = (stats.flags & (kEdgeInferred | kEdgeExpected)) != 0;
    if (!profile.replicates.empty()) {
      edge.replicates.assign(profile.replicates[i].begin(), profile.replicates[i].end());
    }
    graph.samples += stats.samples;
  }
  return graph;
}

ProfileDiff DiffOf(std::span<const Profile* const> before, std::span<const Profile* const> after,
                   const ProfileDiffOptions& options, MethodTable& methods) {
  std::vector<const Profile*> all(before.begin(), before.end());
  all.insert(all.end(), after.begin(), after.end());
  ProfileDiff result;
  const ComparablePair pair(all);
  result.notes = pair.notes();
  const std::vector<RecordedGraph> a = GraphsOf(pair, before, methods);
  const std::vector<RecordedGraph> b = GraphsOf(pair, after, methods);
  const bool is_counted = std::ranges::all_of(all, &Profile::exact);
  result.finds_edges = std::ranges::any_of(all, &Profile::finds_edges);
  result.has_chance = !is_counted && !result.finds_edges;
  result.basis = BasisOf(options, is_counted || result.finds_edges, methods);
  result.unknown = WhyUnknown("before", before, a);
  if (result.unknown.empty()) result.unknown = WhyUnknown("after", after, b);
  if (result.unknown.empty() && result.basis.kind == DiffBasis::Kind::kMethod) {
    for (const std::vector<RecordedGraph>* graphs : {&a, &b}) {
      for (const RecordedGraph& graph : *graphs) {
        if (HasBasis(graph, result.basis)) continue;
        result.unknown =
            "a profile has no call of the method that --per names: what differs is "
            "unknown; name one that yp top lists of all profiles";
      }
    }
  }
  result.changes = Diff(a, b, options.rows, result.basis);
  result.methods = Diff(a, b, DiffRows::kCallees, result.basis);
  if (result.has_chance && result.unknown.empty() && result.basis.kind == DiffBasis::Kind::kShare) {
    result.advice = AdviceOf(result.changes, all);
  }
  const auto overlap_of = [&](const std::vector<RecordedGraph>& graphs) {
    const DynamicCallGraph mean = MeanOf(graphs);
    return options.rows == DiffRows::kCallSites ? mean : CollapseCallSites(mean);
  };
  result.overlap = Overlap(overlap_of(a), overlap_of(b));
  // Edges that were found once each have no calls to compare.
  if (result.finds_edges) {
    for (std::vector<EdgeChange>* changes : {&result.changes, &result.methods}) {
      std::erase_if(*changes, [](const EdgeChange& c) { return !IsNewOrGone(c); });
    }
  }
  return result;
}

}  // namespace yp
