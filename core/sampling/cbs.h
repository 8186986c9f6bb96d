#ifndef YP_CORE_SAMPLING_CBS_H_
#define YP_CORE_SAMPLING_CBS_H_

#include <cstdint>

#include "base/random.h"
#include "core/sampling/policy.h"

namespace yp {

// Counter-based sampling: Figure 3 of Arnold and Grove (CGO 2005), section 4. A tick opens a window
// of SAMPLES_PER_TIMER_INTERRUPT samples, STRIDE calls from one to the next; the first comes after
// an initial skip. Stride 1 with one sample is the classic timer-based sampler, the paper's base
// line.
//
// With a random initial skip every call of the window's first `samples` calls has the same chance,
// 1 / stride, of being sampled, whatever the strides:
//
// - Fixed strides: the skip is uniform in [1..stride], as in the paper, and the equality holds for
//   all of the window's stride * samples calls. One window's samples all fall on the same residue
//   modulo the stride. On calls that repeat with a period p they therefore see only
//   p / gcd(p, stride) of the p calls: still unbiased over many windows, but a window then tells as
//   little as p / gcd(p, stride) samples would.
// - Randomized strides: each is uniform in [1..2 * stride - 1], so their mean is `stride` and no
//   period is in step with them; the initial skip is the rest of a stride that is under way (see
//   renewal.h). The window's span is random, so that the chance fades out around call
//   stride * samples.
//
// That holds for the calls behind a tick. But ticks fall where time passes: what comes right behind
// one was called after a pause, or by code that calls little, and a window that begins there is
// biased towards that, as is its call density, since the code runs cold. So the window is delayed,
// which the paper does not do, by a number of calls that is uniform in [0..delay]: any call then
// has thousands before it behind which the tick may have fallen. The delay grows from a thread's
// first window on, and is halved when a thread calls too little to get through it before its tick
// is over: short programs and threads are sampled as well.
class CounterBasedSampling final : public SamplingPolicy {
 public:
  enum class InitialSkip {
    kRandom,
    // 1, 2, ..., stride, 1, ... from window to window: exactly equal over each `stride` windows.
    // The first is random, or threads of few windows would always see the same ones. It goes with
    // fixed strides only.
    kRoundRobin,
  };
  enum class Strides { kFixed, kRandomized };

  struct Options {
    uint32_t stride = 1;   // In [1, kMaxStride].
    uint32_t samples = 1;  // Per window, in [1, kMaxSamples].
    InitialSkip initial_skip = InitialSkip::kRandom;
    Strides strides = Strides::kFixed;
    uint32_t delay = 0;  // In [0, kMaxDelay]; 0 as in the paper.
  };
  static constexpr uint32_t kMaxStride = 1u << 24;
  static constexpr uint32_t kMaxSamples = 1u << 24;
  static constexpr uint32_t kMaxDelay = 1u << 24;
  static_assert(2 * uint64_t{kMaxStride} + kMaxDelay <= kMaxCountdown);

  // `options` as MakePolicy checks them; `random` outlives the policy.
  CounterBasedSampling(const Options& options, RandomSource& random);

  uint64_t BeginWindow() override;
  uint64_t AfterSample() override;
  bool NeedsTicks() const override { return true; }

 private:
  uint64_t Delay();
  uint64_t InitialSkippedInvocations();

  const Options options_;
  RandomSource& random_;
  uint64_t round_robin_skip_;
  uint32_t delay_ = 0;                         // Of the latest window, at most.
  uint32_t samples_this_timer_interrupt_ = 0;  // Still to take in this window.
};

}  // namespace yp

#endif  // YP_CORE_SAMPLING_CBS_H_
