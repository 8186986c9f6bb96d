#ifndef YP_CORE_AMORTIZE_WHAT_IF_H_
#define YP_CORE_AMORTIZE_WHAT_IF_H_

#include <cstdint>
#include <vector>

#include "core/amortize/ledger.h"

namespace yp {

// What a method's run would have saved, had it been compiled in another way: nanoseconds of CPU
// time, of the program and of the compilers together; negative where it would have cost more.
//
// Time at another level is T_i t_x / t_i for each version i that was executed (gain_model.h), for
// level x. Nobody sees the first compiler's code without a profile, level 1, of methods that go on
// to the second compiler: what it is worth is then the model's weak belief.
//
// Assumed: that the method is called as often, and that what inlines it does so all the same.
struct WhatIf {
  JitMethodId method{};
  double time_ns = 0;     // What its code has taken.
  double compile_ns = 0;  // Its compilations, those for loops included.
  Uncertain never;        // It stays interpreted.
  Uncertain at_level_1;   // The first compiler makes it once, without a profile.
  // The version that came last is there from the first call on, and no other is made: as good as
  // with the profile that it had.
  Uncertain at_once;
};

// Of all methods that were compiled in the run. `model`: the ledger's of the same executions.
std::vector<WhatIf> WhatIfOf(const JitLog& log, int64_t end_ns, const Executions& executions,
                             const GainModel& model);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_WHAT_IF_H_
