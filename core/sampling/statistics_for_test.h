#ifndef YP_CORE_SAMPLING_STATISTICS_FOR_TEST_H_
#define YP_CORE_SAMPLING_STATISTICS_FOR_TEST_H_

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sampling/policy.h"

// The checks of the sampling tests. Each says whether what it saw is compatible with a sound
// sampler, and would wrongly say no for a share of `kFalseAlarm` of the seeds; the seeds are fixed.
// The same check must say no to a sampler that is biased on purpose.
namespace yp {

inline constexpr double kFalseAlarm = 1e-4;

// The calls that one window samples, counted from 1 at the tick.
inline std::vector<uint64_t> SampleWindow(SamplingPolicy& policy) {
  std::vector<uint64_t> calls;
  uint64_t call = 0;
  for (uint64_t countdown = policy.BeginWindow(); countdown != SamplingPolicy::kIdle;
       countdown = policy.AfterSample()) {
    calls.push_back(call += countdown);
  }
  return calls;
}

// How often each of the first `calls` calls after the tick was sampled in `windows` windows.
inline std::vector<double> CountByCall(SamplingPolicy& policy, size_t calls, int windows) {
  std::vector<double> counts(calls);
  for (int w = 0; w < windows; ++w) {
    for (const uint64_t call : SampleWindow(policy)) {
      if (call <= calls) ++counts[call - 1];
    }
  }
  return counts;
}

// Pearson's test. The draws must be independent: no more than one per window.
inline bool FitsByChiSquare(const std::vector<double>& counts,
                            const std::vector<double>& expected) {
  double chi_square = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    chi_square += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  }
  const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
  return chi_square < quantile(complement(distribution, kFalseAlarm));
}

// Whether each count is a binomial count of `trials` trials of chance `chance`. The counts may
// depend on each other, as those of the calls of one window do (Bonferroni's correction).
inline bool AllBinomial(const std::vector<double>& counts, double trials, double chance) {
  const double alarm = kFalseAlarm / (2 * static_cast<double>(counts.size()));
  const double limit = quantile(complement(boost::math::normal(), alarm));
  const double deviation = std::sqrt(trials * chance * (1 - chance));
  return std::all_of(counts.begin(), counts.end(), [&](double count) {
    return std::abs(count - trials * chance) < limit * deviation;
  });
}

// Whether the mean of independent `values` is `expected`.
inline bool MeanIs(double expected, const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v, squares += v * v;
  const double mean = sum / n;
  const double deviation = std::sqrt((squares / n - mean * mean) / n);
  const double limit = quantile(complement(boost::math::normal(), kFalseAlarm / 2));
  return std::abs(mean - expected) < limit * deviation;
}

}  // namespace yp

#endif  // YP_CORE_SAMPLING_STATISTICS_FOR_TEST_H_
