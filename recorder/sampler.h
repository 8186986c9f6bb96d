#ifndef YP_RECORDER_SAMPLER_H_
#define YP_RECORDER_SAMPLER_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "core/sampling/policy_factory.h"
#include "recorder/arming.h"
#include "recorder/sample_cost.h"
#include "recorder/sampled_threads.h"

namespace yp {

// When threads are armed, and what a thread does with its observed calls while it is: the host of
// the policies of core/sampling.
//
// A tick arms all threads. Each begins its window at its next call, counts it down (the probe does
// until zero, the sampler there), and says so when it is complete. The tick ends when
// every thread that began a window in it has completed it, or at the latest after a share of the
// interval: then no call takes the slow path until the next tick. A window that a thread could not
// complete by then is told at the thread's next call with a tick, as far as it got when the tick
// ended, perhaps without a sample. What CPU time the thread had used when the tick ended is read by
// the trigger: the thread itself may sleep then, and wake long after. (In Figure 3 of Arnold and
// Grove it would go on; but then its calls lie on both sides of a gap, and it has no call density.)
//
// A policy without windows (the countdown) goes on from tick to tick as if there was no time
// between them: nothing begins and nothing ends with a tick, which costs a thread nothing
// therefore, and its samples are those of the tick in which they are taken.
class Sampler {
 public:
  static constexpr int64_t kMaxArmedCallPs = 20'000;
  static constexpr int64_t kMaxSlowPathPs = 2'000'000;
  // No program calls more often, in ps: a window with less for each of its calls, after the agent's
  // own time was taken off, has no known duration.
  static constexpr int64_t kMinCallPs = 500;

  // The first tick's number is one more than `ticks_before`.
  // `countdown`: kGoesOn where all threads' policies are without windows.
  Sampler(Arming& arming, Arming::Countdown countdown, Clock& clock, SampledThreads& threads,
          int64_t start_ns, uint32_t ticks_before = 0)
      : arming_(arming),
        countdown_(countdown),
        clock_(clock),
        threads_(threads),
        start_ns_(start_ns),
        tick_(ticks_before) {}

  // What it costs an observed call to be counted down, and a sampled one to get to the sampler and
  // back, in ps: time that is no part of a window's duration, since the calls between windows do
  // not have it. Before the first tick. Costs that cannot be those of a few instructions, or of
  // leaving Java, are taken as unknown, 0.
  void SetCallCosts(int64_t armed_call_ps, int64_t slow_path_ps);
  int64_t armed_call_ps() const { return armed_call_ps_.load(std::memory_order_relaxed); }

  // The trigger. Returns the tick's number. Where the countdown goes on, calls are counted down
  // from then on, but none is sampled before CountFromNow, nor after CountNoMore.
  uint32_t BeginTick();
  void CountFromNow() { counts_.store(true, std::memory_order_relaxed); }
  void CountNoMore() { counts_.store(false, std::memory_order_relaxed); }
  // The tick stays open for another while: where the countdown goes on, what follows has a number
  // of its own, so that samples are told with the part of the tick that they were taken in. Returns
  // the number.
  uint32_t GoOnWithTick();
  void EndTick();

  // Makes the thread's armed calls count down without an end until the next tick, for measuring
  // what that costs.
  void CountForever(SampledThread& thread);

  struct Verdict {
    bool sample = false;
    // The window that this call is the first of; where the countdown goes on, its first sample.
    std::optional<WindowBegin> begun;
    std::optional<WindowSummary> ended;  // The window that the previous tick left open.
  };
  // A call that reached the slow path, on its own thread. The caller pushes what `ended`. When the
  // call is to be sampled it then walks the stack, pushes the sample, calls AfterSample, and pushes
  // what that returns. `steps`: that the call has counted down.
  Verdict OnCall(SampledThread& thread, uint32_t steps = 1);
  // The same at a place that is no call, where a host has such: it begins the thread's window of a
  // new tick, whose first call is the next one. Never a sample.
  Verdict OnOtherPlace(SampledThread& thread);
  // The sample was taken, by work that began with `cost`. A summary when a window ended with it.
  // One that turned out to be none of the observed calls stands for as many others that are none
  // either: they are not counted.
  std::optional<WindowSummary> AfterSample(SampledThread& thread, const SampleCost& cost,
                                           bool is_observed = true, uint32_t steps = 1);
  // The same where the host knows what its own work for the sample took, the way to the sampler and
  // back included, so that no clock is read.
  std::optional<WindowSummary> AfterSampleOf(SampledThread& thread, int64_t own_ns,
                                             bool is_observed = true, uint32_t steps = 1);

  // What one look at the clock takes, in ns: the shortest of some, as what disturbs them makes them
  // longer.
  static int64_t ReadingNs(Clock& clock);

 private:
  void BeginWindow(SampledThread& thread);
  void OnCallOfWindow(SampledThread& thread, uint32_t tick, Verdict& verdict);
  WindowSummary CloseAccounts(SampledThread& thread);
  std::optional<WindowSummary> CutWindow(SampledThread& thread);
  static uint64_t NearCallsOf(SampledThread& thread);
  void StartAccounts(SampledThread& thread);
  void SetDuration(SampledThread& thread, int64_t elapsed_ns);
  void SetCountdown(SampledThread& thread, uint64_t calls);
  void CountBegun(uint32_t tick);
  void CountDone(uint32_t tick);

  Arming& arming_;
  const Arming::Countdown countdown_;
  Clock& clock_;
  SampledThreads& threads_;
  const int64_t start_ns_;
  std::atomic<uint32_t> tick_;  // Number of the latest.
  std::atomic<bool> counts_{false};
  std::atomic<int64_t> armed_call_ps_{0};
  std::atomic<int64_t> slow_path_ns_{0};  // With what reading the clock twice takes.
  std::atomic<int64_t> trigger_ns_{0};
  // The tick's number, and how many threads have begun and completed a window in it: 32, 16, 16
  // bits.
  std::atomic<uint64_t> progress_{0};
};

}  // namespace yp

#endif  // YP_RECORDER_SAMPLER_H_
