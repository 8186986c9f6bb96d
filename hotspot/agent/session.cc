#include "hotspot/agent/session.h"

#include <utility>

#include "hotspot/agent/log.h"

namespace yp::hotspot {

Session::Session(uint32_t id, const AgentOptions& options, Clock& clock, ControlBlock& control,
                 ThreadRegistry& threads, MethodRegistry& registry, Drops& drops,
                 std::unique_ptr<spool::SpoolWriter> writer)
    : id_(id),
      options_(options),
      clock_(clock),
      start_ns_(clock.NowNs()),
      filter_(options),
      instrumenter_(filter_, is_exact(), options.skip_trivial, registry, drops),
      sampler_(control, clock, start_ns_),
      drain_(threads, registry, drops, std::move(writer)),
      drain_worker_("yp-drain", [this](Worker& worker) { RunDrain(worker); }) {
  needs_ticks_ = !is_exact() && options.policy.kind != PolicyOptions::Kind::kCountdown;
}

Status Session::Start(const spool::Config& config, std::function<void()> on_deadline) {
  on_deadline_ = std::move(on_deadline);
  drain_.Discard();
  if (Status written = drain_.WriteConfig(config); !written) return written;
  if (Status started = drain_worker_.Start(); !started) return started;
  if (is_exact()) return Status::Ok();
  if (!needs_ticks_) {
    sampler_.BeginTick();
    return Status::Ok();
  }
  trigger_ = std::make_unique<NanosleepTrigger>(
      options_.tick_ns, [this] { sampler_.BeginTick(); }, [this] { sampler_.EndTick(); });
  return trigger_->Start();
}

void Session::Disarm() {
  if (trigger_ != nullptr) trigger_->Stop();
  sampler_.EndTick();
}

void Session::RunDrain(Worker& worker) {
  const int64_t deadline = options_.duration_ms > 0 ? start_ns_ + options_.duration_ms * 1'000'000
                                                    : std::numeric_limits<int64_t>::max();
  for (;;) {
    const int64_t left = deadline - clock_.NowNs();
    if (left <= 0) {
      on_deadline_();
      return;
    }
    if (!worker.SleepFor(std::min(kDrainIntervalNs, left))) return;
    if (const Status round = drain_.Round(); !round) Log(round.message());
    drain_cpu_ns_ = clock_.ThreadCpuNs();
  }
}

void Session::Finish() {
  const std::lock_guard lock(finish_mutex_);
  if (finished_) return;
  finished_ = true;
  if (const Status finish = drain_.Finish(clock_.NowNs() - start_ns_, drain_cpu_ns_); !finish) {
    Log(finish.message());
  }
}

}  // namespace yp::hotspot
