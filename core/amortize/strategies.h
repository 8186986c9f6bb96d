#ifndef YP_CORE_AMORTIZE_STRATEGIES_H_
#define YP_CORE_AMORTIZE_STRATEGIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/amortize/gain_model.h"
#include "core/amortize/jit_log.h"
#include "core/amortize/pay_off.h"

namespace yp {

// Levels of code, as HotSpot numbers them.
inline constexpr int32_t kInterpreted = 0, kLevel1 = 1, kProfiled = 3, kC2 = 4;

// Other ways to compile a method than the VM took: what each would have spared, and which of the
// method's executions would have been at another level (what_if.h has the assumptions). A new one
// is a function and a row of the table in strategies.cc: command line, tables, JSON and page
// follow.

// A version of a method, all of its lives together.
struct ExecutedVersion {
  int32_t level = 0;
  int64_t compile_id = 0;
  double compile_ns = 0;
  bool is_c2_or_later = false;  // Of C2, or from after its first.
  Execution execution;
};

// What was executed of a method that was compiled, and what its compilations cost.
struct MethodRun {
  JitMethodId method{};
  std::vector<ExecutedVersion> versions;
  double time_ns = 0;
  double compile_ns = 0;       // Its compilations, those for loops included.
  double c1_ns = 0;            // Of them, C1's.
  double c2_ns = 0;            // C2's, and of C1 after C2's first.
  double profiled_ns = 0;      // Of a compilation at level 3; of any where there is none.
  std::optional<size_t> last;  // Of the versions, that was compiled.
  // Samples of C2's code: in the method's own that ended in other methods; in the code of others
  // that ended in the method; likewise, in it or below it.
  double inlined_in_own = 0, ended_in_others = 0, below_in_others = 0;

  // The first version at a level, which tells most of it.
  Execution AtLevel(int32_t level) const;
  // Of a level to one of its versions.
  ObservedRecompilation From(int32_t level, const ExecutedVersion& version) const;
  double SamplesInC2Code() const;
};

// Adds up what a strategy would have saved.
class SavedTime {
 public:
  virtual ~SavedTime() = default;
  // Compile time that would not have been spent; negative: that would have been.
  virtual void Spare(double ns) = 0;
  // What was executed as `after` would have been executed as `before`.
  virtual void Compare(const ObservedRecompilation& comparison) = 0;
};

struct Strategy {
  const char* name;    // As --better takes it; in JSON and on the page with _ for -.
  const char* title;   // Of a column.
  const char* phrase;  // "had it ...".
  void (*add)(const MethodRun& run, SavedTime* saved);

  std::string Key() const;
};

// In the order of WhatIf::saved.
std::span<const Strategy> Strategies();
// The index of the strategy of that name, which must be one.
size_t StrategyIndex(const std::string& name);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_STRATEGIES_H_
