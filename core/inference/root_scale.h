#ifndef YP_CORE_INFERENCE_ROOT_SCALE_H_
#define YP_CORE_INFERENCE_ROOT_SCALE_H_

#include <optional>

namespace yp {

// A number of calls, estimated from samples of which each stands for a number of calls.
struct SampledCalls {
  double calls = 0;     // The sum over the samples.
  double variance = 0;  // Of that sum: for independent samples, the sum of their squares.

  // Kish's effective sample size, calls^2 / variance: the number of independent samples of equal
  // weight that would know as much. 0 without calls.
  double EffectiveSamples() const;
  // Of other samples.
  SampledCalls& operator+=(const SampledCalls& more) {
    calls += more.calls;
    variance += more.variance;
    return *this;
  }
};

// Calls of which samples were taken, and so many are expected whatever was sampled. With n samples
// of k calls each, m calls expected, and a the weight of the expectation in samples, these are the
// mean and the variance of a gamma distribution (the posterior of a Poisson count whose rate is
// gamma distributed around m with shape a):
//
//   k (a + n) / (a k / m + 1)  and  k^2 (a + n) / (a k / m + 1)^2
//
// k is the variance of the observed calls by their number, so that calls of which more is known are
// more samples; `calls_per_sample` where none was observed. Where nothing is expected the result is
// what was observed.
SampledCalls WithExpectation(const SampledCalls& observed, double calls_per_sample,
                             double expected_calls, double weight);

// The observed calls out of a root, and how many its profiles expect.
struct OutgoingCalls {
  SampledCalls observed;
  double ratio = 0;               // Expected per entry.
  double ratio_log_variance = 0;  // Of the logarithm of `ratio`.
};

// How often a root was entered.
struct RootScale {
  double entries = 0;  // 0 where nothing is known.
  double log_variance = 0;
  // The derivative of log(entries) by log(observed outgoing calls): 0 where the entries alone
  // decided, 1 where the outgoing calls did.
  double outgoing_weight = 0;
};

// The maximum over f and m of the likelihood of n entry samples and N outgoing samples,
//
//   n ~ Poisson(f / k),   N ~ Poisson(f ratio m / K),   log m ~ Normal(0, v)
//
// with v = ratio_log_variance and k, K the calls that a sample stands for. With t = f / k it is at
//
//   t - n + (ratio k / K) t exp((t - n) v) = N
//
// and there var(log f) = 1 / (t + 1 / (1/M + v)), M = n + N - t being the samples that (f, m) let
// expect of the outgoing calls. For many samples it is the mean of log(n k) and log(N K / ratio)
// with precisions n and 1 / (1/N + v). That mean itself would leave out the absence of samples
// (n or N = 0), which matters where roots are sampled a few times: one entry sample and none of
// ten outgoing calls per entry is more likely a tenth of an entry than one.
//
// `entries` is nullopt where entries cannot be observed; f is then N K / ratio. Where ratio is 0
// the outgoing calls say nothing.
RootScale EstimateRootScale(const std::optional<SampledCalls>& entries,
                            const OutgoingCalls& outgoing);

}  // namespace yp

#endif  // YP_CORE_INFERENCE_ROOT_SCALE_H_
