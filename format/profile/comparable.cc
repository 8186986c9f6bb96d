#include "format/profile/comparable.h"

#include <string>
#include <utility>

#include "core/graph/overlap.h"
#include "core/graph/transform.h"

namespace yp {
namespace {

bool HasTrivial(const Profile& profile) {
  return profile.ConfigOr("trivial", "include") == "include";
}

bool IsNewOrGone(const EdgeChange& change) { return change.before == 0 || change.after == 0; }

}  // namespace

ComparablePair::ComparablePair(const Profile& a, const Profile& b)
    : without_trivial_(HasTrivial(a) != HasTrivial(b)) {
  for (const std::string& key : DifferentFilters(a, b)) {
    if (key == "trivial") continue;  // Compared without.
    notes_.push_back("warning: the profiles differ in \"" + key + "\" (" +
                     std::string(a.ConfigOr(key, "not set")) + " and " +
                     std::string(b.ConfigOr(key, "not set")) + "): that is compared, too");
  }
  if (without_trivial_) {
    notes_.emplace_back(
        "calls of trivial methods, which only one of the profiles has, are left out");
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

ProfileDiff DiffOf(const Profile& before, const Profile& after, bool call_sites,
                   MethodTable& methods) {
  ProfileDiff result;
  const ComparablePair pair(before, after);
  result.notes = pair.notes();
  const auto calls_of = [&](const Profile& profile) {
    Estimate estimate = pair.EstimateOf(profile, methods);
    return call_sites ? estimate : CollapseCallSites(estimate);
  };
  const Estimate a = calls_of(before), b = calls_of(after);
  result.overlap = Overlap(a.value, b.value);
  result.changes = Diff(a, b);
  result.methods = DiffByCallee(a, b);
  result.has_chance = !(before.exact() && after.exact());
  // Edges that were found once each have no calls to compare.
  if (before.finds_edges() || after.finds_edges()) {
    result.has_chance = false;
    for (std::vector<EdgeChange>* changes : {&result.changes, &result.methods}) {
      std::erase_if(*changes, [](const EdgeChange& c) { return !IsNewOrGone(c); });
    }
  }
  return result;
}

}  // namespace yp
