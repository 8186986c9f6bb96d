#include "core/sampling/cbs.h"

#include <algorithm>
#include <cassert>

#include "core/sampling/renewal.h"

namespace yp {

CounterBasedSampling::CounterBasedSampling(const Options& options, RandomSource& random)
    : options_(options),
      random_(random),
      round_robin_skip_(random.UniformFromOneTo(options.stride)) {
  assert(options.stride >= 1 && options.stride <= kMaxStride);
  assert(options.samples >= 1 && options.samples <= kMaxSamples);
  assert(options.delay <= kMaxDelay);
  assert(options.strides == Strides::kFixed || options.initial_skip == InitialSkip::kRandom);
}

uint64_t CounterBasedSampling::BeginWindow() {
  // The window before this one was over before its first sample.
  const bool was_too_late = samples_this_timer_interrupt_ == options_.samples;
  delay_ = was_too_late ? delay_ / 2 : std::min(options_.delay, 2 * delay_ + 1);
  samples_this_timer_interrupt_ = options_.samples;
  return Delay() + InitialSkippedInvocations();
}

uint64_t CounterBasedSampling::Delay() {
  return delay_ == 0 ? 0 : random_.UniformFromOneTo(uint64_t{delay_} + 1) - 1;
}

uint64_t CounterBasedSampling::AfterSample() {
  if (samples_this_timer_interrupt_ <= 1) {
    samples_this_timer_interrupt_ = 0;
    return kIdle;
  }
  --samples_this_timer_interrupt_;
  if (options_.strides == Strides::kFixed) return options_.stride;
  return UniformInterval(options_.stride, random_);
}

uint64_t CounterBasedSampling::InitialSkippedInvocations() {
  const uint64_t stride = options_.stride;
  if (options_.initial_skip == InitialSkip::kRoundRobin) {
    const uint64_t skip = round_robin_skip_;
    round_robin_skip_ = skip == stride ? 1 : skip + 1;
    return skip;
  }
  if (options_.strides == Strides::kFixed) return random_.UniformFromOneTo(stride);
  return RemainingUniformInterval(stride, random_);
}

}  // namespace yp
