#ifndef YP_CORE_AMORTIZE_PAY_OFF_H_
#define YP_CORE_AMORTIZE_PAY_OFF_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/amortize/uncertain.h"

// Whether a recompilation earned its time back (Zimmer and Diehl, IV 2010, section III).
namespace yp {

// How one version of a method was executed: all of its calls, and the time of its code, that of
// inlined methods included, other callees left out. Nanoseconds.
struct Execution {
  Uncertain time_ns;
  Uncertain calls;
};

enum class Verdict {
  kPaidOff,   // The gain is above 0, with its whole interval.
  kDidNot,    // Below 0.
  kUndecided  // Its interval has 0 in it.
};
// "paid off", "did not", "undecided".
std::string_view ToString(Verdict verdict);

struct PayOff {
  Uncertain before_ns;  // Per call.
  Uncertain after_ns;
  Uncertain gain_ns;  // Of all calls to the new version, the compilation's cost taken off.
  Verdict verdict = Verdict::kUndecided;
  // After how many calls to the new version the compilation had earned its cost; nothing where it
  // never would have.
  std::optional<double> calls_to_pay;
};

// The recompilation of a version j, `before`, to a version i, `after`, that took `compile_ns`.
//
// The paper's equation 3, C_i + N_i t_i < N_j t_j, asks whether a recompilation is cheaper than
// what the old version has taken; its diagrams ask what was gained in the calls that came
// afterwards. So do we:
//
//   gain = N_i t_j - N_i t_i - C_i = T_j N_i / N_j - T_i - C_i
//
// with T = N t the times of all calls (equation 6). Both times and both numbers of calls are taken
// to be independent. Every call of one version is taken to last equally long: see Drift.
PayOff JudgeRecompilation(double compile_ns, const Execution& before, const Execution& after);

// One part of a version's life: how many calls it had, and the samples of its code.
struct Period {
  double calls = 0;
  double samples = 0;
  int64_t end_ns = 0;  // It lasted from the end of the one before.
};

// When so many calls had been made, those of one period equally spaced; nothing when there were
// fewer. `begin_ns`: of the first period.
std::optional<int64_t> TimeOfCall(std::span<const Period> periods, int64_t begin_ns, double calls);

// How much longer (above 1) or shorter a call of the second half of a version's calls lasts than
// one of the first half, where that is no chance (95 %); nothing where it may be. The paper's
// assumption does not hold then, and neither does a verdict: SciMark's matmult seemed to become
// slower with each recompilation because it was called with ever larger matrices.
//
// Conditional on their sum, samples in the first half are binomial with p = its part of the calls,
// if all calls last equally long (Przyborowski and Wilenski, Biometrika 31, 1940).
std::optional<double> Drift(std::span<const Period> periods);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_PAY_OFF_H_
