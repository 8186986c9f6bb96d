#ifndef YP_CORE_ADAPTIVE_COST_BENEFIT_H_
#define YP_CORE_ADAPTIVE_COST_BENEFIT_H_

#include <cstdint>
#include <vector>

#include "core/adaptive/levels.h"

// The cost/benefit model of Jikes RVM (Buytaert et al. 2007, section 2.2; Zimmer and Diehl 2010,
// equation 1): a method will run for as long as it has run, T; at level i instead of j it would
// take
//
//     C_i + T * speedup_j / speedup_i        C_i = bytes / compile_bytes_per_ms_i
//
// The level i > j with the least of that is chosen, if it is less than T.
namespace yp {

// What the model knows of a method.
struct MethodCosts {
  int32_t bytes = 0;               // Of its bytecode.
  int32_t level = 0;               // Its present one, of the levels.
  int32_t most_level = INT32_MAX;  // No higher one takes it.
  double past_ms = 0;
  // Compiling again at the same level, with calls inlined that were not when it was compiled; 1: it
  // has none.
  double inlining_speedup = 1;
  // Of the methods that are inlined then and are not in its code.
  int32_t inlined_bytes = 0;
};

// One of the things that may be done, and what it is expected to cost from now on.
struct Alternative {
  int32_t level = 0;
  bool for_inlining = false;  // At the level that the method has.
  double compile_ms = 0;
  double future_ms = 0;  // Of running the method.
  double total_ms() const { return compile_ms + future_ms; }
};

double CompileMs(const Level& level, int32_t bytes);
// What takes past_ms at level `from` takes that at level `to`.
double FutureMs(const Level& from, const Level& to, double past_ms);

// All alternatives to staying, by level; the present level comes first where there is inlining to
// gain. `levels` are valid, and the method's is one of them.
std::vector<Alternative> AlternativesOf(const Levels& levels, const MethodCosts& method);

// What the controller does about a method.
struct Choice {
  Alternative stay = {};  // Its future_ms is past_ms.
  // The best of the others, chosen or not; where there is none it is `stay`.
  Alternative best = {};
  bool recompiles = false;
  // Expected; positive where it recompiles.
  double gain_ms() const { return stay.total_ms() - best.total_ms(); }
};
Choice ChooseLevel(const Levels& levels, const MethodCosts& method);

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_COST_BENEFIT_H_
