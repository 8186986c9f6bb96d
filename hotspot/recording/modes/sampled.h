#ifndef YP_HOTSPOT_RECORDING_MODES_SAMPLED_H_
#define YP_HOTSPOT_RECORDING_MODES_SAMPLED_H_

#include <cstdint>
#include <optional>

#include "hotspot/recording/mode.h"
#include "recorder/sample_cost.h"

namespace yp::hotspot {

// Modes cbs and timer: the sampler says which calls are samples, a walk finds their edges, and
// these go into the threads' rings.
class SampledMode final : public Mode {
 public:
  using Mode::Mode;

  void OnArmedCall(JNIEnv* jni, MethodId callee, int64_t java_thread_id,
                   const CallWalker::Start& start) override;

  void OnCountedEntry(const EntryCall& call) override;

 private:
  bool OnEntryOf(ThreadRecord& thread, const EntryCall& call) override;
  // Whether the call is a sample; tells of windows that began or ended with it.
  bool IsSample(ThreadRecord& thread, uint32_t steps = 1);
  void Send(ThreadRecord& thread, EdgeId edge, CompiledCallId call = kNoCompiledCall);
  // The sample was taken, by work that began with `cost`.
  void Done(ThreadRecord& thread, const SampleCost& cost, bool is_observed = true,
            uint32_t steps = 1);
  void SendEnd(ThreadRecord& thread, const std::optional<WindowSummary>& ended);
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODES_SAMPLED_H_
