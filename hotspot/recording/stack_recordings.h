#ifndef YP_HOTSPOT_RECORDING_STACK_RECORDINGS_H_
#define YP_HOTSPOT_RECORDING_STACK_RECORDINGS_H_

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/recording/session.h"
#include "hotspot/recording/stack_recording.h"
#include "hotspot/stacks/method_ids.h"
#include "hotspot/stacks/stack_sampler.h"
#include "hotspot/support/jvm.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/walk/call_walker.h"
#include "hotspot/walk/code_labeller.h"

namespace yp::hotspot {

// What takes stacks, of all recordings of the process: one handler of signals, and what it asks.
class StackRecordings {
 public:
  // All of it outlives the process's threads. Without a code cache no code is told.
  StackRecordings(const Jvm& jvm, const CodeCache* code_cache, Clock& clock,
                  MethodRegistry& registry, Drops& drops, CallWalker& walker)
      : jvm_(jvm),
        code_cache_(code_cache),
        clock_(clock),
        registry_(registry),
        drops_(drops),
        walker_(walker),
        method_ids_(jvm.vm()) {}

  // For a recording that wants stacks; none of an earlier one is under way.
  Result<std::unique_ptr<StackRecording>> New(JNIEnv* jni, const Session& session,
                                              const AgentOptions& options);
  // No recording wants stacks, until New.
  void End();
  // The handler no longer says of stacks which code executes them.
  void ForgetLabels() { labels_.store(nullptr, std::memory_order_release); }
  // Whether it says so of the recording's.
  bool labels() const { return labels_.load(std::memory_order_relaxed) != nullptr; }

 private:
  using Names = std::vector<std::optional<ContextBuilder::NamedMethod>>;

  void MakeSampler(StackSampler::Walk walk);
  // On a thread of the VM's.
  Status PrepareToLabel(JNIEnv* jni);
  void LabelFrames(const ucontext_t& context, JNIEnv* env, std::span<RawFrame> frames);
  // `observes`: whether the class's methods are the recording's, by its dotted name. On a thread of
  // the VM's.
  Names NameMethods(JNIEnv* jni, std::span<void* const> methods,
                    const std::function<bool(std::string class_name)>& observes);

  const Jvm& jvm_;
  const CodeCache* const code_cache_;
  Clock& clock_;
  MethodRegistry& registry_;
  Drops& drops_;
  CallWalker& walker_;
  MethodIds method_ids_;
  std::unique_ptr<StackSampler> sampler_;  // Made with the first recording of stacks.
  // Of the recording, or null: what says of its stacks which code executes them.
  std::atomic<CodeLabeller*> labels_{nullptr};
  std::unique_ptr<CodeLabeller> labeller_;  // Made with the first recording that wants it.
  int64_t env_offset_ = 0;                  // Of a thread's JNIEnv from the VM's JavaThread.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_STACK_RECORDINGS_H_
