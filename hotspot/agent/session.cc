#include "hotspot/agent/session.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "hotspot/agent/log.h"

namespace yp::hotspot {

Session::Session(uint32_t id, const AgentOptions& options, Clock& clock, Probe& probe,
                 ThreadRegistry& threads, MethodRegistry& registry, Drops& drops,
                 std::unique_ptr<spool::SpoolWriter> writer)
    : id_(id),
      options_(options),
      clock_(clock),
      start_ns_(clock.NowNs()),
      filter_(options),
      probe_(probe),
      sampler_(probe, clock, start_ns_),
      drain_(threads, registry, drops, std::move(writer)),
      drain_worker_("yp-drain", [this](Worker& worker) { RunDrain(worker); }) {
  needs_ticks_ = !is_exact() && options.HasTicks();
}

Status Session::Start(const spool::Config& config, std::function<void()> on_end) {
  on_end_ = std::move(on_end);
  deadline_ns_ = options_.duration_ms > 0 ? clock_.NowNs() + options_.duration_ms * 1'000'000
                                          : std::numeric_limits<int64_t>::max();
  drain_.Discard();
  if (Status written = drain_.WriteConfig(config); !written) return written;
  sampler_.SetArmedCallCost(probe_.observed_call_ps());
  if (needs_ticks_) {
    trigger_ = std::make_unique<NanosleepTrigger>(
        options_.tick_ns, options_.armed_share(), [this] { sampler_.BeginTick(); },
        [this] { sampler_.EndTick(); });
    if (Status started = trigger_->Start(); !started) return started;
  } else {
    sampler_.BeginTick();
  }
  // The last, since it may end the recording.
  return drain_worker_.Start();
}

bool Session::BeginEnd() {
  State active = State::kActive;
  return state_.compare_exchange_strong(active, State::kEnding, std::memory_order_acq_rel);
}

void Session::Disarm() {
  if (trigger_ != nullptr) trigger_->Stop();
  sampler_.EndTick();
}

void Session::RunDrain(Worker& worker) {
  while (!drain_.failed()) {
    const int64_t left = deadline_ns_ - clock_.NowNs();
    if (left <= 0) break;
    if (!worker.SleepFor(std::min(kDrainIntervalNs, left))) return;
    probe_.Tend();
    if (const Status round = drain_.Round(); !round) Log(round.message());
    drain_cpu_ns_ = clock_.ThreadCpuNs();
  }
  on_end_();
}

void Session::Finish() {
  if (const Status finish = drain_.Finish(clock_.NowNs() - start_ns_, drain_cpu_ns_); !finish) {
    Log(finish.message());
  }
}

void Session::EndDone() {
  const std::lock_guard lock(end_mutex_);
  state_.store(State::kEnded, std::memory_order_release);
  ended_.notify_all();
}

void Session::WaitUntilEnded(std::chrono::nanoseconds at_most) {
  std::unique_lock lock(end_mutex_);
  ended_.wait_for(lock, at_most, [this] { return has_ended(); });
}

}  // namespace yp::hotspot
