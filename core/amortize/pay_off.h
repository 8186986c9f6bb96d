#ifndef YP_CORE_AMORTIZE_PAY_OFF_H_
#define YP_CORE_AMORTIZE_PAY_OFF_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Whether a recompilation earned its time back (Zimmer and Diehl, IV 2010, section III).
namespace yp {

// An estimate and its 95 % interval: low <= value <= high.
struct Uncertain {
  double value = 0;
  double low = 0;
  double high = 0;
  bool operator==(const Uncertain&) const = default;
};
Uncertain Times(const Uncertain& a, double factor);  // A factor that is not negative.

// How often a version was called. Above 0.
struct Calls {
  double number = 0;
  double variance = 0;  // Of its logarithm; 0 where they were counted.

  static Calls Counted(double number);  // Half a one where there was none.
  static Calls Sampled(double number, double variance);
  Uncertain interval() const;  // 95 %.
};

// How one version of a method was executed.
struct Execution {
  double samples = 0;  // Stacks that ended in its code, inlined methods included.
  std::optional<Calls> calls;
};

enum class Verdict {
  kPaidOff,   // The gain is above 0, with its whole interval.
  kDidNot,    // Below 0.
  kUndecided  // Its interval has 0 in it.
};
// "paid off", "did not", "undecided".
std::string_view ToString(Verdict verdict);

// Of a recompilation; in nanoseconds.
//
// The paper's equation 3, C_i + N_i t_i < N_j t_j, asks whether a recompilation of a version j to a
// version i is cheaper than what the old version has taken; its diagrams ask what was gained in the
// calls that came afterwards. So do we: gain = N_i t_j - N_i t_i - C_i.
struct PayOff {
  Uncertain gain_ns;
  Verdict verdict = Verdict::kUndecided;
  // Of a call; nothing where calls of the new version are not known.
  std::optional<Uncertain> before_ns;
  std::optional<Uncertain> after_ns;
  // After how many calls to the new version the compilation had earned its cost; nothing where it
  // never would have, or that is not known.
  std::optional<double> calls_to_pay;
  // For sums: the gain's mean, and the deviations from it of this recompilation alone, and of all
  // of the same levels together.
  double mean_ns = 0;
  double own_ns = 0;
  double common_ns = 0;
};

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
