#ifndef YP_CORE_SAMPLING_COUNTDOWN_H_
#define YP_CORE_SAMPLING_COUNTDOWN_H_

#include <cstdint>

#include "base/random.h"
#include "core/sampling/policy.h"

namespace yp {

// Samples one of `mean` calls that the host counts down, on average: no windows, so that each of a
// thread's counted calls has the same chance, whenever it is made. The host counts all the time, or
// in ticks, and then the countdown goes on from tick to tick.
//
// - kGeometric: P(interval = k) = (1 - 1/mean)^(k-1) / mean. It is the one distribution without
//   memory: each call is sampled with chance 1/mean independently of all others, so that no pattern
//   of calls can be in step with it and an edge's samples are binomial. The default.
// - kUniform: in [1..2 * mean - 1]. A gap never exceeds twice the mean, and the number of samples
// in
//   a run of n calls varies a third as much; but neighbouring samples repel each other, so it is
//   not blind to patterns that are longer than the mean.
//
// Abseil's ExponentialBiased (absl/profiling/internal/exponential_biased.h) draws an exponential
// variate, rounds it down and carries the rounding's remainder into the next interval. Drawing the
// geometric distribution itself needs no carry and has the mean exactly.
class RandomizedCountdown final : public SamplingPolicy {
 public:
  enum class Distribution { kGeometric, kUniform };

  static constexpr uint32_t kMaxMean = 1u << 24;

  // `mean` in calls, in [1, kMaxMean]; `random` outlives the policy.
  RandomizedCountdown(uint32_t mean, Distribution distribution, RandomSource& random);

  uint64_t BeginWindow() override;
  uint64_t AfterSample() override;
  bool NeedsTicks() const override { return false; }

 private:
  // Async-signal-safe although it calls std::log: for arguments in (0, 1] that is arithmetic on
  // constant tables, which does not reach errno.
  uint64_t GeometricInterval();

  const uint64_t mean_;
  const Distribution distribution_;
  const double log_of_miss_;  // ln(1 - 1/mean); -infinity for mean 1.
  RandomSource& random_;
};

// One in so many calls is sampled by a countdown without memory (kGeometric) of that mean, at least
// 1, if each of them counts down `steps`, at least 1: 1 / (1 - (1 - 1/mean)^steps). A sample stands
// for as many calls, in expectation without error: whether calls before it counted down other
// numbers of steps does not matter, nor whether they were chosen by what was sampled before (the
// estimator of Horvitz and Thompson, JASA 1952).
double CallsPerSample(double mean, uint32_t steps);

}  // namespace yp

#endif  // YP_CORE_SAMPLING_COUNTDOWN_H_
