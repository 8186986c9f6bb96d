#include "cli/comparable.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "cli/progress.h"
#include "core/graph/transform.h"

namespace yp {
namespace {

bool HasTrivial(const Profile& profile) {
  return profile.ConfigOr("trivial", "include") == "include";
}

}  // namespace

ComparablePair::ComparablePair(const Profile& a, const Profile& b)
    : without_trivial_(HasTrivial(a) != HasTrivial(b)) {
  for (const std::string& key : DifferentFilters(a, b)) {
    if (key == "trivial") continue;  // Compared without.
    Say(fmt::format("warning: the profiles differ in \"{}\" ({} and {}): that is compared, too",
                    key, a.ConfigOr(key, "not set"), b.ConfigOr(key, "not set")));
  }
  if (without_trivial_) {
    Say("calls of trivial methods, which only one of the profiles has, are left out");
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
  return {rebased(profile.Graph()), rebased(profile.LowGraph()), rebased(profile.HighGraph())};
}

}  // namespace yp
