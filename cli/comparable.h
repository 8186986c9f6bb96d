#ifndef YP_CLI_COMPARABLE_H_
#define YP_CLI_COMPARABLE_H_

#include "core/graph/accuracy.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"
#include "format/profile/profile.h"

namespace yp {

// Two profiles of which only what both could observe is compared.
class ComparablePair {
 public:
  // Tells on stderr how the profiles' filters differ, and what is left out for it.
  ComparablePair(const Profile& a, const Profile& b);

  // A graph of one of the profiles, without what is not compared.
  DynamicCallGraph Of(const Profile& profile, DynamicCallGraph graph) const;
  // Calls with their intervals, over `methods`, which takes over what it lacks.
  Estimate EstimateOf(const Profile& profile, MethodTable& methods) const;

 private:
  const bool without_trivial_;
};

}  // namespace yp

#endif  // YP_CLI_COMPARABLE_H_
