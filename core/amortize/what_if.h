#ifndef YP_CORE_AMORTIZE_WHAT_IF_H_
#define YP_CORE_AMORTIZE_WHAT_IF_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/amortize/ledger.h"
#include "core/amortize/strategies.h"

namespace yp {

// What a run would have saved, had methods been compiled in another way (strategies.h): nanoseconds
// of CPU time, of the program and of the compilers together; negative where it would have cost
// more.
//
// Time at another level is T_i t_x / t_i for each version i that was executed (gain_model.h), for
// level x. Nobody sees C1's code without a profile, level 1, of methods that go on
// to C2: what it is worth is then the model's weak belief.
//
// These are the effects of HotSpot's directives (Exclude):
// - A compiler that is kept from a method does not inline it either: what C2 has
//   inlined of it into other methods' code would have been executed at that level, too.
// - Kept from C2, a method is made at level 1 when its turn would have come; until
//   then it is what it was.
// - The last version, when it is there at once, is as good as with the profile that it had.
//
// Assumed: that the method is called as often, that what others are made of is as good without it,
// and that compilers do not use the time that they are spared for methods which had to wait.
struct WhatIf {
  double time_ns = 0;            // What the methods' own code has taken.
  double compile_ns = 0;         // Their compilations, those for loops included.
  std::vector<Uncertain> saved;  // By strategy, in the order of Strategies().

  const Uncertain& By(const std::string& strategy) const { return saved[StrategyIndex(strategy)]; }
};

struct WhatIfOfMethod : WhatIf {
  JitMethodId method{};
};

// Each method that was compiled in the run by itself, all others as they were: medians. `model`:
// the ledger's of the same executions. Methods whose few calls took their time in code for loops
// (VersionExecution::is_in_loops) are in none of these.
std::vector<WhatIfOfMethod> WhatIfOfEach(const JitLog& log, int64_t end_ns,
                                         const Executions& executions, const GainModel& model);

// These methods at once: means. Not the sum of each, as what one of them has inlined of another
// counts once.
WhatIf WhatIfOfAll(const std::set<JitMethodId>& methods, const JitLog& log, int64_t end_ns,
                   const Executions& executions, const GainModel& model);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_WHAT_IF_H_
