#ifndef YP_FORMAT_PROFILE_COMPARABLE_H_
#define YP_FORMAT_PROFILE_COMPARABLE_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph/accuracy.h"
#include "core/graph/dcg.h"
#include "core/graph/diff.h"
#include "core/graph/method.h"
#include "format/profile/profile.h"

namespace yp {

// Two profiles, or several of each program, of which only what all could observe is compared.
class ComparablePair {
 public:
  ComparablePair(const Profile& a, const Profile& b);
  explicit ComparablePair(std::span<const Profile* const> profiles);

  // How the profiles' filters differ, and what is left out for it; a line each.
  const std::vector<std::string>& notes() const { return notes_; }
  // A graph of one of the profiles, without what is not compared.
  DynamicCallGraph Of(const Profile& profile, DynamicCallGraph graph) const;
  // Calls with their intervals, over `methods`, which takes over what it lacks.
  Estimate EstimateOf(const Profile& profile, MethodTable& methods) const;
  // The same with all that a comparison by chance needs.
  RecordedGraph RecordedGraphOf(const Profile& profile, MethodTable& methods) const;

 private:
  bool without_trivial_ = false;
  std::vector<std::string> notes_;
};

// What is asked of a comparison.
struct ProfileDiffOptions {
  DiffRows rows = DiffRows::kCallSites;  // kCallees is always there, too.
  // Nothing: shares of all calls; of profiles that are all exact, the calls themselves.
  std::optional<DiffBasis::Kind> per;
  // Whether a method is one of those that kMethod means.
  std::function<bool(const MethodTable&, MethodId)> is_basis = {};
};

// What differs between the recordings of two programs.
struct ProfileDiff {
  std::vector<std::string> notes;  // ComparablePair's.
  // Why nothing can be said, and what to record instead; empty where something can.
  std::string unknown;
  // What a person should know who sees nothing listed: of edges that one side lacks although the
  // other has many calls of them, and that may be chance. Empty where there is none.
  std::string advice;
  DiffBasis basis;  // What was compared.
  // Else nothing is left to chance: each edge's calls are known, or that it was called, and then
  // only edges that one profile lacks are changes.
  bool has_chance = false;
  bool finds_edges = false;         // One of them has no calls to compare.
  double overlap = 0;               // Percent, of the recordings of each side together.
  std::vector<EdgeChange> changes;  // As Diff orders them.
  std::vector<EdgeChange> methods;  // Likewise, of callees.
};

// `methods` takes over what it lacks; the changes speak of it. Each side has one profile or more.
ProfileDiff DiffOf(std::span<const Profile* const> before, std::span<const Profile* const> after,
                   const ProfileDiffOptions& options, MethodTable& methods);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_COMPARABLE_H_
