#ifndef YP_CORE_SAMPLING_RENEWAL_H_
#define YP_CORE_SAMPLING_RENEWAL_H_

#include <cstdint>

#include "base/random.h"

namespace yp {

// Intervals S between samples that are uniform in [1..2 * mean - 1], with E(S) = mean.
inline uint64_t UniformInterval(uint64_t mean, RandomSource& random) {
  return random.UniformFromOneTo(2 * mean - 1);
}

// What remains of such an interval at a random moment, which is where a window must start for all
// its calls to have the same chance, 1 / mean, from the first on (a stationary renewal process:
// Cox, "Renewal Theory", 1962, chapter 5):
//
//   P(k) = P(S >= k) / E(S) = (2 * mean - k) / (mean * (2 * mean - 1))
//
// A start that is uniform in [1..mean] would favour the calls around the mean-th. Drawn as the
// distance of two different numbers of [1..2 * mean]: 2 * mean - k of the pairs are k apart.
inline uint64_t RemainingUniformInterval(uint64_t mean, RandomSource& random) {
  const uint64_t a = random.UniformFromOneTo(2 * mean);
  uint64_t b = random.UniformFromOneTo(2 * mean - 1);
  if (b >= a) ++b;
  return a < b ? b - a : a - b;
}

}  // namespace yp

#endif  // YP_CORE_SAMPLING_RENEWAL_H_
