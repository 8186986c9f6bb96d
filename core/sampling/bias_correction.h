#ifndef YP_CORE_SAMPLING_BIAS_CORRECTION_H_
#define YP_CORE_SAMPLING_BIAS_CORRECTION_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace yp {

// Windows come at equal times, calls do not: what a window's samples stand for is how many calls
// its thread made meanwhile. The anti-bias weights of Lee, "Correcting sampling bias" (TACO 2015),
// section 3.2, for windows w of a thread:
//
//   weight(w) = density(w) / (1 + latency(w) / h),   N(w) = interval(w) x weight(w)
//
//   density(w)   calls per ns. Of the window: (calls - 1) / duration, as n calls span n - 1 gaps.
//                Where the processor counted the thread's calls, as in the paper, density x
//                interval is what it counted. It counts none that is inlined, and native code's
//                too: so it only tells how the calls of the windows that have such a count are
//                shared among them.
//   interval(w)  the CPU time of its thread that it is to tell of, where Lee has the constant timer
//                period: a thread that was waiting made no calls. Windows are points in that time,
//                so it is the half of what lies before the window, back to the previous one, and
//                the half of what lies behind it (the trapezoidal rule).
//   latency(w)   from the tick to the first call. A thread that waited for a lock takes its sample
//                right behind it, wherever the tick fell: such windows tell less of the thread's
//                time than those of a thread that was running.
//
// With latency, the N(w) of a thread keep their sum: latency says which of a thread's windows
// are typical for it, not how much it called.
enum class BiasCorrection {
  kNone,               // Every sample stands for as many calls.
  kDensity,            // h = infinity.
  kDensityAndLatency,  // h = kHalfWeightLatencyNs.
  // As kDensity; how much of that is believed, where kNone is the rest, is for whoever sees the
  // samples to say (core/graph/shrinkage.h).
  kShrunkDensity,
};

inline constexpr BiasCorrection kDefaultBiasCorrection = BiasCorrection::kShrunkDensity;

inline constexpr std::array kBiasCorrections{BiasCorrection::kNone, BiasCorrection::kDensity,
                                             BiasCorrection::kDensityAndLatency,
                                             BiasCorrection::kShrunkDensity};

// "none", "density", "density+latency", "shrunk".
std::string_view ToString(BiasCorrection correction);
std::optional<BiasCorrection> BiasCorrectionFrom(std::string_view name);

// What is known of a window. Times in ns; 0 where they are not known.
struct WindowMeasures {
  ThreadId thread{};
  double samples = 0;  // That it took.
  double calls = 0;    // That it observed, sampled or not.
  int64_t duration_ns = 0;
  int64_t interval_ns = 0;  // Its thread's CPU time since the thread's previous window.
  double near_calls = 0;    // That the processor counted in that time, whoever made them.
  int64_t latency_ns = 0;

  double Seen() const { return std::max(calls, samples); }
  bool HasDensity() const { return calls >= 2 && duration_ns > 0 && interval_ns > 0; }
};

// Only one window in twenty has a higher density than it is taken for: a window of a few calls in a
// few nanoseconds would outweigh all others.
inline constexpr double kDensityCapQuantile = 0.95;
// The latency at which a window counts half: more than an armed thread takes to its next call (some
// microseconds), less than one that waits for a processor or a lock. `core/sampling/README.md` has
// what other values give.
inline constexpr double kHalfWeightLatencyNs = 20e3;

struct BiasCorrectionOptions {
  BiasCorrection correction = kDefaultBiasCorrection;
  double stride = 1;           // Calls for each sample, when there are no densities.
  bool caps_density = true;    // At the quantile kDensityCapQuantile.
  int64_t tick_ns = 0;         // From tick to tick, if that is always the same; else 0.
  bool is_continuous = false;  // A window sees all of its thread's calls since the one before.
};

// N(w): the calls that each window stands for, in the order of `windows`, all at least 0. Their sum
// does not depend on the correction. `windows` has those of a thread in the order of time.
//
// By density a window stands for no fewer calls than it saw. One of a single call stands for just
// that: hardly anything was called in it. One of unknown duration has the others' density in the
// mean over time. When the windows without a density hold most of the samples, N(w) is samples x
// stride for every window instead. The processor's counts are used when the windows that have them
// hold at least half of the samples. Where windows are continuous, it is what they saw.
std::vector<double> CallsBehind(const std::vector<WindowMeasures>& windows,
                                const BiasCorrectionOptions& options);

}  // namespace yp

#endif  // YP_CORE_SAMPLING_BIAS_CORRECTION_H_
