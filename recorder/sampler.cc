#include "recorder/sampler.h"

#include <algorithm>
#include <limits>

namespace yp {
namespace {

// Further away than any program calls between two ticks.
constexpr int64_t kNever = int64_t{1} << 62;
constexpr uint64_t kOneBegun = uint64_t{1} << 16;
constexpr uint64_t kOneDone = 1;

uint32_t TickOf(uint64_t progress) { return static_cast<uint32_t>(progress >> 32); }
uint64_t BegunOf(uint64_t progress) { return (progress >> 16) & 0xffff; }
uint64_t DoneOf(uint64_t progress) { return progress & 0xffff; }

}  // namespace

int64_t Sampler::ReadingNs(Clock& clock) {
  constexpr int64_t kReadings = 32;
  int64_t best = std::numeric_limits<int64_t>::max();
  for (int attempt = 0; attempt < 8; ++attempt) {
    const int64_t begin = clock.NowNs();
    for (int64_t i = 1; i < kReadings; ++i) (void)clock.NowNs();
    best = std::min(best, (clock.NowNs() - begin) / kReadings);
  }
  return best;
}

void Sampler::SetCallCosts(int64_t armed_call_ps, int64_t slow_path_ps) {
  armed_call_ps_.store(armed_call_ps <= kMaxArmedCallPs ? armed_call_ps : 0,
                       std::memory_order_relaxed);
  int64_t slow_path_ns = 0;
  if (slow_path_ps > 0 && slow_path_ps <= kMaxSlowPathPs) {
    slow_path_ns = slow_path_ps / 1000 + ReadingNs(clock_);
  }
  slow_path_ns_.store(slow_path_ns, std::memory_order_relaxed);
}

uint32_t Sampler::BeginTick() {
  const uint32_t tick = tick_.load(std::memory_order_relaxed) + 1;
  trigger_ns_.store(clock_.NowNs(), std::memory_order_relaxed);
  progress_.store(static_cast<uint64_t>(tick) << 32, std::memory_order_relaxed);
  tick_.store(tick, std::memory_order_release);  // Partner: OnCall's acquire.
  arming_.Arm(tick, countdown_);
  return tick;
}

uint32_t Sampler::GoOnWithTick() {
  uint32_t tick = tick_.load(std::memory_order_relaxed);
  // Partner: OnCall's acquire.
  if (countdown_ == Arming::Countdown::kGoesOn) tick_.store(++tick, std::memory_order_release);
  return tick;
}

void Sampler::EndTick() {
  arming_.Disarm();
  if (countdown_ == Arming::Countdown::kBegins) {
    threads_.ReadClocksOfWindows(tick_.load(std::memory_order_relaxed), clock_);
  }
}

void Sampler::CountBegun(uint32_t tick) {
  uint64_t progress = progress_.load(std::memory_order_relaxed);
  while (
      TickOf(progress) == tick && BegunOf(progress) < 0xffff &&
      !progress_.compare_exchange_weak(progress, progress + kOneBegun, std::memory_order_relaxed)) {
  }
}

void Sampler::CountDone(uint32_t tick) {
  uint64_t progress = progress_.load(std::memory_order_relaxed);
  while (
      TickOf(progress) == tick && DoneOf(progress) < 0xffff &&
      !progress_.compare_exchange_weak(progress, progress + kOneDone, std::memory_order_relaxed)) {
  }
  if (TickOf(progress) == tick && BegunOf(progress) == DoneOf(progress) + 1) arming_.AllDone();
}

void Sampler::SetCountdown(SampledThread& thread, uint64_t calls) {
  thread.own.countdown = calls;
  thread.common.calls_left->store(
      calls == SamplingPolicy::kIdle ? kNever : static_cast<int64_t>(calls),
      std::memory_order_relaxed);
}

uint64_t Sampler::NearCallsOf(SampledThread& thread) {
  return thread.own.call_counter == nullptr ? 0 : thread.own.call_counter->Read();
}

void Sampler::StartAccounts(SampledThread& thread) {
  // First: the next tick may begin any time, and this thread be descheduled.
  const int64_t trigger_ns = trigger_ns_.load(std::memory_order_relaxed);
  const int64_t now = clock_.NowNs();
  const int64_t cpu = clock_.ThreadCpuNs();
  thread.own.window = WindowSummary{};
  thread.own.window.tick = thread.own.tick->load(std::memory_order_relaxed);
  thread.own.window.start_ns = now - start_ns_;
  thread.own.window.latency_ns = now - trigger_ns;
  thread.own.window.interval_ns = cpu - thread.own.previous_window_cpu_ns;
  thread.own.window_start_cpu_ns = cpu;
  thread.own.window_start_near_calls = NearCallsOf(thread);
  thread.own.window.near_calls =
      thread.own.window_start_near_calls -
      std::min(thread.own.previous_window_near_calls, thread.own.window_start_near_calls);
  thread.own.window_agent_ns = 0;
  thread.own.window_samples = 0;
}

void Sampler::BeginWindow(SampledThread& thread) {
  StartAccounts(thread);
  thread.own.window_open = true;
  thread.common.open_tick.store(static_cast<uint32_t>(thread.own.window.tick),
                                std::memory_order_relaxed);
  SetCountdown(thread, thread.own.policy->BeginWindow());
}

void Sampler::CountForever(SampledThread& thread) {
  thread.own.tick->store(tick_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  SetCountdown(thread, SamplingPolicy::kIdle);
}

void Sampler::OnCallOfWindow(SampledThread& thread, uint32_t tick, Verdict& verdict) {
  if (thread.own.tick->load(std::memory_order_relaxed) == tick) return;
  thread.own.tick->store(tick, std::memory_order_relaxed);
  CountBegun(tick);
  if (thread.own.window_open) verdict.ended = CutWindow(thread);
  BeginWindow(thread);
  verdict.begun = WindowBegin{thread.own.window.tick, thread.own.window.start_ns};
}

Sampler::Verdict Sampler::OnCall(SampledThread& thread, uint32_t steps) {
  Verdict verdict;
  const uint32_t tick = tick_.load(std::memory_order_acquire);  // Partner: BeginTick's release.
  if (countdown_ == Arming::Countdown::kBegins) {
    OnCallOfWindow(thread, tick, verdict);
  } else if (!thread.own.window_open) {
    thread.own.tick->store(Arming::kOnlyTick, std::memory_order_relaxed);
    thread.own.window_open = true;
    SetCountdown(thread, thread.own.policy->BeginWindow());
  }
  // The probe has counted the calls that it brought to zero. The others it has not: a thread's
  // first in a tick, and all of a thread without an entry in the thread table. (Below zero: the
  // slow path at zero did not get here, for lack of stack.)
  int64_t left = thread.common.calls_left->load(std::memory_order_relaxed);
  if (left > 0) thread.common.calls_left->store(--left, std::memory_order_relaxed);
  verdict.sample = left <= 0 && thread.own.window_open;
  if (verdict.sample && countdown_ == Arming::Countdown::kGoesOn &&
      !counts_.load(std::memory_order_relaxed)) {
    thread.AddCost(thread.own.countdown / steps, 0);
    SetCountdown(thread, thread.own.policy->AfterSample());
    verdict.sample = false;
    return verdict;
  }
  const bool is_first =
      countdown_ == Arming::Countdown::kGoesOn && thread.own.window.tick != uint64_t{tick};
  if (verdict.sample && is_first) {
    thread.own.window.tick = tick;
    verdict.begun = WindowBegin{tick, clock_.NowNs() - start_ns_};
  }
  return verdict;
}

Sampler::Verdict Sampler::OnOtherPlace(SampledThread& thread) {
  Verdict verdict;
  const uint32_t tick = tick_.load(std::memory_order_acquire);  // Partner: BeginTick's release.
  if (countdown_ == Arming::Countdown::kBegins) OnCallOfWindow(thread, tick, verdict);
  return verdict;
}

// The slow path's time is wall time: a thread descheduled in it may have more of it than CPU. What
// is left for the calls is then too little to be true, and the duration is not known.
void Sampler::SetDuration(SampledThread& thread, int64_t elapsed_ns) {
  const auto calls = static_cast<int64_t>(thread.own.window.calls) - 1;
  const int64_t own_ns = thread.own.window_agent_ns + calls * armed_call_ps() / 1000;
  const int64_t duration_ns = elapsed_ns - own_ns;
  thread.own.window.duration_ns = duration_ns > calls * kMinCallPs / 1000 ? duration_ns : 0;
}

WindowSummary Sampler::CloseAccounts(SampledThread& thread) {
  thread.own.previous_window_cpu_ns = thread.own.window_start_cpu_ns;
  SetDuration(thread, clock_.ThreadCpuNs() - thread.own.window_start_cpu_ns);
  // The walks' own calls are within the window, and belong to no interval.
  thread.own.previous_window_near_calls = NearCallsOf(thread);
  return thread.own.window;
}

std::optional<WindowSummary> Sampler::CutWindow(SampledThread& thread) {
  thread.own.previous_window_cpu_ns = thread.own.window_start_cpu_ns;
  thread.own.previous_window_near_calls = thread.own.window_start_near_calls;
  // Whoever came here at zero begins the next window.
  const int64_t left = thread.common.calls_left->load(std::memory_order_relaxed);
  thread.own.window.calls +=
      thread.own.countdown -
      std::min(thread.own.countdown, static_cast<uint64_t>(std::max<int64_t>(left, 1)));
  // Partner: ReadClocksOfWindows' release.
  const uint32_t closed_tick = thread.common.closed_tick.load(std::memory_order_acquire);
  int64_t end_cpu_ns = thread.own.window_start_cpu_ns;  // Not known.
  if (closed_tick == static_cast<uint32_t>(thread.own.window.tick)) {
    end_cpu_ns = thread.common.closed_cpu_ns.load(std::memory_order_relaxed);
  }
  SetDuration(thread, end_cpu_ns - thread.own.window_start_cpu_ns);
  return thread.own.window;
}

std::optional<WindowSummary> Sampler::AfterSample(SampledThread& thread, const SampleCost& cost,
                                                  bool is_observed, uint32_t steps) {
  const int64_t own_ns = cost.Ns();
  thread.own.window_agent_ns += slow_path_ns_.load(std::memory_order_relaxed);
  return AfterSampleOf(thread, own_ns, is_observed, steps);
}

std::optional<WindowSummary> Sampler::AfterSampleOf(SampledThread& thread, int64_t own_ns,
                                                    bool is_observed, uint32_t steps) {
  thread.own.window_agent_ns += own_ns;
  // The calls that were counted down for one like this, in the mean.
  thread.AddCost(thread.own.countdown / steps, own_ns);
  if (is_observed) {
    thread.own.window.calls += thread.own.countdown;
    ++thread.own.window_samples;
  }
  const uint64_t next = thread.own.policy->AfterSample();
  SetCountdown(thread, next);
  if (next == SamplingPolicy::kIdle) {
    thread.own.window_open = false;
    thread.common.open_tick.store(0, std::memory_order_relaxed);
    CountDone(thread.own.tick->load(std::memory_order_relaxed));
    if (thread.own.window_samples == 0) return std::nullopt;  // None of an observed call.
    return CloseAccounts(thread);
  }
  return std::nullopt;
}

}  // namespace yp
