#include "recorder/triggers/signal_triggers.h"

#include <cstddef>

#include "recorder/log.h"
#include "recorder/triggers/interval_timer.h"

namespace yp {

PerfEvent StackEventOf(const RecordingOptions& options) {
  PerfEvent result;
  if (!options.event) return result;
  if (!options.event->name.empty()) {
    result.name = options.event->name;
    result.Count(options.event->code);
  }
  result.period = options.event->period;
  return result;
}

SignalTriggers::Triggers SignalTriggers::For(const RecordingOptions& options) {
  using Stacks = RecordingOptions::Stacks;
  Triggers triggers;
  if (options.stacks == Stacks::kHpm) {
    const PerfEvent event = StackEventOf(options);
    triggers.push_back(std::make_unique<PerfEvents>(event));
    PerfEvent clock;
    clock.period = static_cast<uint64_t>(options.stack_interval_ns);
    if (event.name != clock.name) triggers.push_back(std::make_unique<PerfEvents>(clock));
  }
  if (options.stacks != Stacks::kNone) {
    triggers.push_back(std::make_unique<IntervalTimer>(options.stack_interval_ns));
  }
  return triggers;
}

SignalTriggers::SignalTriggers(Triggers triggers)
    : triggers_(std::move(triggers)),
      in_use_(triggers_.empty() ? nullptr : triggers_.front().get()) {}

Status SignalTriggers::Start(ProfilingSignal::Handler handler) {
  if (Status taken = ProfilingSignal::Take(handler); !taken) return taken;
  Status started = triggers_[0]->Start();
  for (size_t next = 1; !started && next < triggers_.size(); ++next) {
    Log(std::string(started.message()) + "; " + triggers_[next]->source() + " takes its place");
    // Before it starts: a thread that starts meanwhile tells it, or is among those that it finds.
    in_use_.store(triggers_[next].get(), std::memory_order_release);
    started = triggers_[next]->Start();
  }
  return started;
}

void SignalTriggers::Stop() {
  if (auto* trigger = in_use_.load(std::memory_order_acquire)) trigger->Stop();
}

std::string SignalTriggers::source() const {
  return in_use_.load(std::memory_order_acquire)->source();
}

std::vector<std::pair<std::string, std::string>> SignalTriggers::Facts() const {
  const SignalTrigger* const trigger = in_use_.load(std::memory_order_acquire);
  if (trigger == nullptr) return {};
  return trigger->Facts();
}

void SignalTriggers::OnThreadStart() {
  if (auto* trigger = in_use_.load(std::memory_order_acquire)) trigger->OnThreadStart();
}

void SignalTriggers::OnThreadEnd() {
  if (auto* trigger = in_use_.load(std::memory_order_acquire)) trigger->OnThreadEnd();
}

}  // namespace yp
