#ifndef YP_CORE_SAMPLING_POLICY_FACTORY_H_
#define YP_CORE_SAMPLING_POLICY_FACTORY_H_

#include <cstdint>
#include <memory>

#include "base/random.h"
#include "base/status.h"
#include "core/sampling/cbs.h"
#include "core/sampling/countdown.h"
#include "core/sampling/policy.h"

namespace yp {

struct PolicyOptions {
  enum class Kind {
    kCounterBased,  // stride, samples, initial_skip, strides, delay.
    kTimer,         // One sample per tick, at the next call: no options.
    kCountdown,     // mean_interval, distribution.
  };
  Kind kind = Kind::kCounterBased;

  // A larger stride tells more than more samples: consecutive calls are correlated. Chosen so that
  // four iterations of the evaluation's programs reach 85 % overlap (2026-11; ./yp eval accuracy).
  uint32_t stride = 127;
  uint32_t samples = 128;
  CounterBasedSampling::InitialSkip initial_skip = CounterBasedSampling::InitialSkip::kRandom;
  CounterBasedSampling::Strides strides = CounterBasedSampling::Strides::kRandomized;
  uint32_t delay = 16'384;  // Calls, at most; core/sampling/README.md has what others give.

  uint32_t mean_interval = 1009;  // Calls.
  RandomizedCountdown::Distribution distribution = RandomizedCountdown::Distribution::kGeometric;
};

// An error for values out of range and for a round-robin initial skip with randomized strides.
Status Validate(const PolicyOptions& options);

// A thread's policy, or the error of Validate. `random` outlives the policy and belongs to the
// thread as well.
Result<std::unique_ptr<SamplingPolicy>> MakePolicy(const PolicyOptions& options,
                                                   RandomSource& random);

}  // namespace yp

#endif  // YP_CORE_SAMPLING_POLICY_FACTORY_H_
