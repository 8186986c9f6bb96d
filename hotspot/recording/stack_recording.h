#ifndef YP_HOTSPOT_RECORDING_STACK_RECORDING_H_
#define YP_HOTSPOT_RECORDING_STACK_RECORDING_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "format/spool/records.h"
#include "hotspot/stacks/context_builder.h"
#include "hotspot/stacks/stack_sampler.h"
#include "recorder/triggers/signal_triggers.h"

namespace yp::hotspot {

// The stacks of one recording, from the signals to what the spool is told.
class StackRecording {
 public:
  // `triggers`: see SignalTriggers; without any, stacks are those of calls that are sampled.
  // `start_ns`: the recording's.
  StackRecording(StackSampler& sampler, SignalTriggers::Triggers triggers, MethodRegistry& registry,
                 Drops& drops, int64_t start_ns, ContextBuilder::Namer namer)
      : sampler_(sampler),
        triggers_(std::move(triggers)),
        folder_(registry, drops, start_ns),
        namer_(std::move(namer)) {}

  // Tells in the log which triggers cannot be had. An error when there is none, or the signal is in
  // use.
  Status Start();
  // No more stacks.
  void Stop();
  // What the profile says of them: keys and values of its configuration. After Start.
  std::vector<std::pair<std::string, std::string>> Facts() const { return triggers_.Facts(); }
  // From the VM's events of the calling thread, also while it starts.
  void OnThreadStart() { triggers_.OnThreadStart(); }
  void OnThreadEnd() { triggers_.OnThreadEnd(); }
  // A call of the calling thread's is sampled: see StackSampler::OnCall. True when Take is due.
  bool OnSampledCall() { return sampler_.OnCall(); }
  template <typename Walk>
  bool OnSampledCall(EdgeId call, const Walk& walk) {
    return sampler_.OnCall(call, walk);
  }

  int64_t cost_ns() const { return sampler_.cost_ns(); }
  // From one thread at a time: what has come since the last time.
  struct Updates {
    std::vector<spool::ThreadDefinition> threads;
    ContextBuilder::Updates contexts;
  };
  Updates Take();
  // Before Take: all that was told is told again, to the recording's next spool.
  void Retell();

 private:
  ThreadId IdOf(int32_t kernel_thread, std::vector<spool::ThreadDefinition>& updates);

  StackSampler& sampler_;
  SignalTriggers triggers_;
  ContextBuilder folder_;
  const ContextBuilder::Namer namer_;
  // By the kernel's id; it may give that of a thread that has ended to another one, which is taken
  // for the same.
  std::unordered_map<int32_t, spool::ThreadDefinition> threads_;
  bool retells_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_STACK_RECORDING_H_
