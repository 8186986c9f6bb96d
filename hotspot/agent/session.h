#ifndef YP_HOTSPOT_AGENT_SESSION_H_
#define YP_HOTSPOT_AGENT_SESSION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "format/spool/records.h"
#include "hotspot/agent/class_filter.h"
#include "hotspot/agent/drain.h"
#include "hotspot/agent/options.h"
#include "hotspot/agent/sampler.h"
#include "hotspot/agent/worker.h"
#include "hotspot/probes/bytecode/instrumenter.h"
#include "hotspot/triggers/nanosleep_trigger.h"

namespace yp::hotspot {

// One recording: from the agent's start, or an attach, to its stop or the VM's death. It is never
// deleted, as a thread may be in the slow path with it for any length of time.
class Session {
 public:
  static constexpr int64_t kDrainIntervalNs = 100'000'000;  // At most, between two rounds.

  Session(uint32_t id, const AgentOptions& options, Clock& clock, ControlBlock& control,
          ThreadRegistry& threads, MethodRegistry& registry, Drops& drops,
          std::unique_ptr<spool::SpoolWriter> writer);

  // The probe is in place: starts the trigger and the drain. `on_deadline` is called on the drain's
  // thread when the options' duration is over.
  Status Start(const spool::Config& config, std::function<void()> on_deadline);
  // No more samples, from now on.
  void Disarm();
  // The last round. Does nothing the second time.
  void Finish();
  // From a sampled thread: the drain's next round is due now.
  void DrainSoon() { drain_worker_.Wake(); }
  // Before Finish, from any thread but the drain's own: that one ends.
  void StopDrainThread() { drain_worker_.Stop(); }

  // Whether classes are to be rewritten.
  bool is_active() const { return active_.load(std::memory_order_relaxed); }
  void Deactivate() { active_.store(false, std::memory_order_relaxed); }

  uint32_t id() const { return id_; }
  const AgentOptions& options() const { return options_; }
  bool is_exact() const { return options_.mode == AgentOptions::Mode::kExact; }
  const ClassFilter& filter() const { return filter_; }
  Instrumenter& instrumenter() { return instrumenter_; }
  Sampler& sampler() { return sampler_; }

 private:
  void RunDrain(Worker& worker);

  const uint32_t id_;
  const AgentOptions options_;
  Clock& clock_;
  const int64_t start_ns_;
  const ClassFilter filter_;
  Instrumenter instrumenter_;
  Sampler sampler_;
  Drain drain_;
  std::atomic<bool> active_{true};
  bool needs_ticks_ = false;
  std::unique_ptr<NanosleepTrigger> trigger_;
  std::function<void()> on_deadline_;
  int64_t drain_cpu_ns_ = 0;
  Worker drain_worker_;
  std::mutex finish_mutex_;
  bool finished_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_SESSION_H_
