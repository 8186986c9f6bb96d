#ifndef YP_FORMAT_PROFILE_WARM_UP_H_
#define YP_FORMAT_PROFILE_WARM_UP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/profile/jit_profile.h"

namespace yp {

// What one part of a run executed, in stack samples, and what was compiled meanwhile.
struct WarmUpPart {
  int64_t end_ns = 0;  // Since the run's start; it lasted from the end of the one before.
  double interpreted = 0;
  double c1 = 0;  // Levels 1 to 3.
  double c2 = 0;  // Level 4.
  double unknown = 0;
  double compile_ns = 0;  // Of the compilations that ended in it.
  double samples() const { return interpreted + c1 + c2 + unknown; }
};

// At most so many parts, one after the other. Empty without stacks.
std::vector<WarmUpPart> WarmUpOf(const JitProfile& jit, size_t at_most);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_WARM_UP_H_
