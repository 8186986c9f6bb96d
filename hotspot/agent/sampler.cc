#include "hotspot/agent/sampler.h"

#include <algorithm>

namespace yp::hotspot {
namespace {

// Further away than any program calls between two ticks.
constexpr int64_t kNever = int64_t{1} << 62;
// The slow path's time is wall time: what is longer was spent waiting for a processor.
constexpr int64_t kMaxSlowPathNs = 20'000;
constexpr uint64_t kOneBegun = uint64_t{1} << 16;
constexpr uint64_t kOneDone = 1;

uint32_t TickOf(uint64_t progress) { return static_cast<uint32_t>(progress >> 32); }
uint64_t BegunOf(uint64_t progress) { return (progress >> 16) & 0xffff; }
uint64_t DoneOf(uint64_t progress) { return progress & 0xffff; }

}  // namespace

void Sampler::BeginTick() {
  const uint32_t tick = tick_.load(std::memory_order_relaxed) + 1;
  trigger_ns_.store(clock_.NowNs(), std::memory_order_relaxed);
  progress_.store(static_cast<uint64_t>(tick) << 32, std::memory_order_relaxed);
  tick_.store(tick, std::memory_order_release);  // Partner: OnCall's acquire.
  arming_.Arm(tick);
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

void Sampler::SetCountdown(ThreadRecord& thread, uint64_t calls) {
  thread.countdown = calls;
  thread.calls_left->store(calls == SamplingPolicy::kIdle ? kNever : static_cast<int64_t>(calls),
                           std::memory_order_relaxed);
}

uint64_t Sampler::NearCallsOf(ThreadRecord& thread) {
  return thread.call_counter == nullptr ? 0 : thread.call_counter->Read();
}

void Sampler::StartAccounts(ThreadRecord& thread) {
  const int64_t now = clock_.NowNs();
  const int64_t cpu = clock_.ThreadCpuNs();
  thread.window = WindowSummary{};
  thread.window.tick = thread.tick->load(std::memory_order_relaxed);
  thread.window.start_ns = now - start_ns_;
  thread.window.latency_ns = now - trigger_ns_.load(std::memory_order_relaxed);
  thread.window.interval_ns = cpu - thread.previous_window_cpu_ns;
  thread.window_start_cpu_ns = cpu;
  thread.window_start_near_calls = NearCallsOf(thread);
  thread.window.near_calls =
      thread.window_start_near_calls -
      std::min(thread.previous_window_near_calls, thread.window_start_near_calls);
  thread.window_agent_ns = 0;
  thread.window_samples = 0;
}

void Sampler::BeginWindow(ThreadRecord& thread) {
  StartAccounts(thread);
  thread.window_open = true;
  SetCountdown(thread, thread.policy->BeginWindow());
}

void Sampler::CountForever(ThreadRecord& thread) {
  thread.tick->store(tick_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  SetCountdown(thread, SamplingPolicy::kIdle);
}

Sampler::Verdict Sampler::OnCall(ThreadRecord& thread) {
  Verdict verdict;
  const uint32_t tick = tick_.load(std::memory_order_acquire);  // Partner: BeginTick's release.
  if (thread.tick->load(std::memory_order_relaxed) != tick) {
    thread.tick->store(tick, std::memory_order_relaxed);
    CountBegun(tick);
    if (thread.window_open) verdict.ended = CutWindow(thread);
    BeginWindow(thread);
  }
  // The probe has counted the calls that it brought to zero. The others it has not: a thread's
  // first in a tick, and all of a thread without an entry in the thread table. (Below zero: the
  // slow path at zero did not get here, for lack of stack.)
  int64_t left = thread.calls_left->load(std::memory_order_relaxed);
  if (left > 0) thread.calls_left->store(--left, std::memory_order_relaxed);
  verdict.sample = left <= 0 && thread.window_open;
  return verdict;
}

// The slow path's time is wall time: a thread descheduled in it may have more of it than CPU. What
// is left for the calls is then too little to be true, and the duration is not known.
void Sampler::SetDuration(ThreadRecord& thread, int64_t elapsed_ns) {
  const auto calls = static_cast<int64_t>(thread.window.calls) - 1;
  const int64_t own_ns = thread.window_agent_ns + calls * armed_call_ps() / 1000;
  const int64_t duration_ns = elapsed_ns - own_ns;
  thread.window.duration_ns = duration_ns > calls * kMinCallPs / 1000 ? duration_ns : 0;
}

WindowSummary Sampler::CloseAccounts(ThreadRecord& thread) {
  thread.previous_window_cpu_ns = thread.window_start_cpu_ns;
  SetDuration(thread, clock_.ThreadCpuNs() - thread.window_start_cpu_ns);
  // The walks' own calls are within the window, and belong to no interval.
  thread.previous_window_near_calls = NearCallsOf(thread);
  return thread.window;
}

std::optional<WindowSummary> Sampler::CutWindow(ThreadRecord& thread) {
  // Nobody is told of a window without a sample; the next one's interval takes its own in.
  if (thread.window_samples == 0) return std::nullopt;
  thread.previous_window_cpu_ns = thread.window_start_cpu_ns;
  thread.previous_window_near_calls = thread.window_start_near_calls;
  // When the last sample was taken is known as wall time only: an upper bound, as is the CPU time
  // until now.
  const int64_t wall_ns = thread.last_sample_ns - start_ns_ - thread.window.start_ns;
  SetDuration(thread, std::min(wall_ns, clock_.ThreadCpuNs() - thread.window_start_cpu_ns));
  return thread.window;
}

std::optional<WindowSummary> Sampler::AfterSample(ThreadRecord& thread, int64_t begun_ns,
                                                  bool is_observed) {
  thread.last_sample_ns = clock_.NowNs();
  const int64_t own_ns = thread.last_sample_ns - begun_ns;
  thread.window_agent_ns += own_ns;
  thread.AddCost(thread.countdown, std::min(own_ns, kMaxSlowPathNs));
  if (is_observed) {
    thread.window.calls += thread.countdown;
    ++thread.window_samples;
  }
  const uint64_t next = thread.policy->AfterSample();
  SetCountdown(thread, next);
  if (next == SamplingPolicy::kIdle) {
    thread.window_open = false;
    CountDone(thread.tick->load(std::memory_order_relaxed));
    if (thread.window_samples == 0) return std::nullopt;  // As in CutWindow.
    return CloseAccounts(thread);
  }
  if (!thread.policy->NeedsTicks() && thread.window_samples >= kSamplesPerPiece) {
    const WindowSummary summary = CloseAccounts(thread);
    StartAccounts(thread);
    return summary;
  }
  return std::nullopt;
}

}  // namespace yp::hotspot
