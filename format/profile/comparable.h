#ifndef YP_FORMAT_PROFILE_COMPARABLE_H_
#define YP_FORMAT_PROFILE_COMPARABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/accuracy.h"
#include "core/graph/dcg.h"
#include "core/graph/diff.h"
#include "core/graph/method.h"
#include "format/profile/profile.h"

namespace yp {

// Two profiles of which only what both could observe is compared.
class ComparablePair {
 public:
  ComparablePair(const Profile& a, const Profile& b);

  // How the profiles' filters differ, and what is left out for it; a line each.
  const std::vector<std::string>& notes() const { return notes_; }
  // A graph of one of the profiles, without what is not compared.
  DynamicCallGraph Of(const Profile& profile, DynamicCallGraph graph) const;
  // Calls with their intervals, over `methods`, which takes over what it lacks.
  Estimate EstimateOf(const Profile& profile, MethodTable& methods) const;

 private:
  const bool without_trivial_;
  std::vector<std::string> notes_;
};

// What differs between two profiles.
struct ProfileDiff {
  std::vector<std::string> notes;  // ComparablePair's.
  // Else nothing is left to chance: each edge's calls are known, or that it was called, and then
  // only edges that one profile lacks are changes.
  bool has_chance = false;
  double overlap = 0;               // Percent.
  std::vector<EdgeChange> changes;  // Those that were tested, as Diff orders them.
  std::vector<EdgeChange> methods;  // Likewise, of DiffByCallee.
};

// `methods` takes over what it lacks; the changes speak of it. Without `call_sites` they are not
// told apart.
ProfileDiff DiffOf(const Profile& before, const Profile& after, bool call_sites,
                   MethodTable& methods);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_COMPARABLE_H_
