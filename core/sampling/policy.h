#ifndef YP_CORE_SAMPLING_POLICY_H_
#define YP_CORE_SAMPLING_POLICY_H_

#include <cstdint>

namespace yp {

// Decides which of a thread's observed calls are sampled. The host counts the calls down; the
// policy says from where:
//
//   on a tick, when idle:         countdown = policy.BeginWindow();
//   on every call, unless idle:   if (--countdown == 0) {
//                                   sample the call;
//                                   countdown = policy.AfterSample();
//                                 }
//
// - One object per thread; not thread-safe.
// - Deterministic: equal seeds give equal decisions.
// - Every countdown is kIdle or in [1, kMaxCountdown], so that a signed 32-bit word can hold it.
// - A tick that finds the window still open leaves it alone, as in Figure 3 of Arnold and Grove
//   (CGO 2005), where it sets a flag that is already true. A host that calls BeginWindow all the
//   same abandons the open window.
// - BeginWindow and AfterSample are async-signal-safe: arithmetic on the object's own state, no
//   allocation, no lock. The random source must be so too; Xoshiro256 is.
class SamplingPolicy {
 public:
  static constexpr uint64_t kIdle = ~uint64_t{0};
  static constexpr uint64_t kMaxCountdown = 0x7fffffff;

  virtual ~SamplingPolicy() = default;
  // A tick has armed the thread: calls to count down until the first sample (1 = the very next
  // call), or kIdle.
  virtual uint64_t BeginWindow() = 0;
  // The countdown reached zero and the sample was taken: calls until the next, or kIdle when the
  // window is complete.
  virtual uint64_t AfterSample() = 0;
  // Whether the policy needs ticks. One that does not has a single window that never ends: the host
  // calls BeginWindow once, when the thread starts.
  virtual bool NeedsTicks() const = 0;
};

}  // namespace yp

#endif  // YP_CORE_SAMPLING_POLICY_H_
