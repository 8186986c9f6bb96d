#include "core/sampling/countdown.h"

#include <cassert>
#include <cmath>

#include "core/sampling/renewal.h"

namespace yp {

// The smallest variate is 2^-53, so that the longest interval is 1 + 53 ln 2 * mean.
static_assert(1 + 37 * uint64_t{RandomizedCountdown::kMaxMean} <= SamplingPolicy::kMaxCountdown);

RandomizedCountdown::RandomizedCountdown(uint32_t mean, Distribution distribution,
                                         RandomSource& random)
    : mean_(mean),
      distribution_(distribution),
      log_of_miss_(std::log1p(-1.0 / mean)),
      random_(random) {
  assert(mean >= 1 && mean <= kMaxMean);
}

uint64_t RandomizedCountdown::BeginWindow() {
  return distribution_ == Distribution::kGeometric ? GeometricInterval()
                                                   : RemainingUniformInterval(mean_, random_);
}

uint64_t RandomizedCountdown::AfterSample() {
  return distribution_ == Distribution::kGeometric ? GeometricInterval()
                                                   : UniformInterval(mean_, random_);
}

// Inversion: floor(ln U / ln(1 - 1/mean)) failures before the first success (Devroye, "Non-Uniform
// Random Variate Generation", 1986, section X.2).
uint64_t RandomizedCountdown::GeometricInterval() {
  return 1 + static_cast<uint64_t>(std::log(random_.UniformOpenClosed()) / log_of_miss_);
}

double CallsPerSample(double mean, uint32_t steps) {
  if (steps <= 1) return mean;
  return -1 / std::expm1(static_cast<double>(steps) * std::log1p(-1 / mean));
}

}  // namespace yp
