#include "core/sampling/policy_factory.h"

#include <string>

namespace yp {
namespace {

Status CheckRange(const std::string& what, uint32_t value, uint32_t max) {
  if (value >= 1 && value <= max) return Status::Ok();
  return Status::Error(what + " is " + std::to_string(value) + ": give a number from 1 to " +
                       std::to_string(max));
}

}  // namespace

Status Validate(const PolicyOptions& options) {
  switch (options.kind) {
    case PolicyOptions::Kind::kTimer:
      return Status::Ok();
    case PolicyOptions::Kind::kCountdown:
      return CheckRange("the countdown's mean interval (calls per sample)", options.mean_interval,
                        RandomizedCountdown::kMaxMean);
    case PolicyOptions::Kind::kCounterBased:
      break;
  }
  if (Status s = CheckRange("the stride (calls from one sample to the next)", options.stride,
                            CounterBasedSampling::kMaxStride);
      !s) {
    return s;
  }
  if (Status s = CheckRange("the number of samples per tick", options.samples,
                            CounterBasedSampling::kMaxSamples);
      !s) {
    return s;
  }
  if (options.delay > CounterBasedSampling::kMaxDelay) {
    return Status::Error("the delay of windows is " + std::to_string(options.delay) +
                         " calls: give a number up to " +
                         std::to_string(CounterBasedSampling::kMaxDelay));
  }
  if (options.initial_skip == CounterBasedSampling::InitialSkip::kRoundRobin &&
      options.strides == CounterBasedSampling::Strides::kRandomized) {
    return Status::Error(
        "a round-robin initial skip makes calls equally likely only with fixed strides: choose "
        "fixed strides or a random initial skip");
  }
  return Status::Ok();
}

Result<std::unique_ptr<SamplingPolicy>> MakePolicy(const PolicyOptions& options,
                                                   RandomSource& random) {
  if (Status s = Validate(options); !s) return s;
  using Policy = std::unique_ptr<SamplingPolicy>;
  if (options.kind == PolicyOptions::Kind::kCountdown) {
    return Policy(
        std::make_unique<RandomizedCountdown>(options.mean_interval, options.distribution, random));
  }
  CounterBasedSampling::Options cbs;
  if (options.kind == PolicyOptions::Kind::kCounterBased) {
    cbs = {options.stride, options.samples, options.initial_skip, options.strides, options.delay};
  }
  return Policy(std::make_unique<CounterBasedSampling>(cbs, random));
}

}  // namespace yp
