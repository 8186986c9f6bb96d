#include "core/inference/root_scale.h"

#include <algorithm>
#include <cmath>

namespace yp {
namespace {

constexpr double kMaxSamples = 1e12;  // Counts without variance are as good as that many.

// The root in (0, n + N] of t - n + a t exp((t - n) v) - N, which increases with t.
double SolveForEntrySamples(double n, double outgoing, double a, double v) {
  double low = 0, high = n + outgoing;
  for (int i = 0; i < 100; ++i) {
    const double t = (low + high) / 2;
    const double excess = t - n + a * t * std::exp((t - n) * v) - outgoing;
    (excess > 0 ? high : low) = t;
  }
  return high;
}

RootScale FromEntries(const SampledCalls& entries) {
  const double n = entries.EffectiveSamples();
  if (n <= 0) return {};
  return {.entries = entries.calls, .log_variance = 1 / n, .outgoing_weight = 0};
}

RootScale FromOutgoing(const OutgoingCalls& outgoing) {
  const double n = outgoing.observed.EffectiveSamples();
  if (n <= 0) return {};
  return {.entries = outgoing.observed.calls / outgoing.ratio,
          .log_variance = 1 / n + outgoing.ratio_log_variance,
          .outgoing_weight = 1};
}

}  // namespace

double SampledCalls::EffectiveSamples() const {
  if (calls <= 0) return 0;
  return std::min(calls * calls / std::max(variance, calls * calls / kMaxSamples), kMaxSamples);
}

SampledCalls WithExpectation(const SampledCalls& observed, double calls_per_sample,
                             double expected_calls, double weight) {
  if (expected_calls <= 0) return observed;
  const double n = observed.EffectiveSamples();
  const double k = n > 0 ? observed.calls / n : calls_per_sample;
  const double rate = weight * k / expected_calls + 1;
  return {.calls = k * (weight + n) / rate, .variance = k * k * (weight + n) / (rate * rate)};
}

RootScale EstimateRootScale(const std::optional<SampledCalls>& entries,
                            const OutgoingCalls& outgoing) {
  if (outgoing.ratio <= 0) return entries ? FromEntries(*entries) : RootScale{};
  if (!entries) return FromOutgoing(outgoing);
  const double n = entries->EffectiveSamples();
  const double outgoing_n = outgoing.observed.EffectiveSamples();
  if (n + outgoing_n <= 0) return {};

  // Samples that were not seen would have stood for as many calls as those that were.
  const double k = n > 0 ? entries->calls / n : outgoing.observed.calls / outgoing_n;
  const double outgoing_k = outgoing_n > 0 ? outgoing.observed.calls / outgoing_n : k;
  const double v = outgoing.ratio_log_variance;
  const double t = SolveForEntrySamples(n, outgoing_n, outgoing.ratio * k / outgoing_k, v);
  const double expected = std::max(n + outgoing_n - t, 0.0);
  const double outgoing_precision = expected / (1 + expected * v);
  const double precision = t + outgoing_precision;
  return {.entries = t * k,
          .log_variance = 1 / precision,
          .outgoing_weight = outgoing_precision / precision};
}

}  // namespace yp
