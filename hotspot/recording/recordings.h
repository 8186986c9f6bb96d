#ifndef YP_HOTSPOT_RECORDING_RECORDINGS_H_
#define YP_HOTSPOT_RECORDING_RECORDINGS_H_

#include <jvmti.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/probes/bytecode/bytecode_memory.h"
#include "hotspot/probes/probe_registry.h"
#include "hotspot/recording/mode.h"
#include "hotspot/recording/recorded_threads.h"
#include "hotspot/recording/session.h"
#include "hotspot/recording/stack_recordings.h"
#include "hotspot/recording/vm_counts.h"
#include "hotspot/support/drops.h"
#include "hotspot/support/jvm.h"
#include "hotspot/support/options.h"
#include "hotspot/threads/thread_registry.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "hotspot/walk/call_walker.h"
#include "hotspot/walk/entry_walker.h"

namespace yp::hotspot {

// The recordings of a process, one at a time, and what outlives each of them. Never deleted: a
// thread may be on its way here for any length of time.
class Recordings final : EntryHandler {
 public:
  // `jvm` outlives it. Without a code cache there are no probes on compiled entries, and stacks are
  // walked by JVMTI. `threads` are not null.
  Recordings(Jvm& jvm, const VmStructs& structs, std::optional<CodeCache> code_cache,
             std::unique_ptr<ThreadRegistry> threads);
  // False when there was no memory for it.
  bool has_memory() const { return bytecode_.is_there(); }

  // Puts the probe in and begins a session: one like the last where the options name no spool. An
  // error of one line when nothing is recorded.
  Status Start(JNIEnv* jni, const AgentOptions& options);
  // Ends the running session and takes the probe out. An error when there is none.
  Status Stop(JNIEnv* jni);
  // What a command asks for, a start or a stop as well, on a thread of the VM's.
  RecordingAnswer Obey(JNIEnv* jni, const AgentOptions& options);
  // The VM ends, and the running session with it; none is started any more.
  void OnVmDeath();
  // The VM's events of the calling thread.
  void OnThreadStart(JNIEnv* jni, jthread thread) { recorded_threads_.OnThreadStart(jni, thread); }
  void OnThreadEnd() { recorded_threads_.OnThreadEnd(); }

  // The latest, which may have ended; null before the first.
  Session* latest() const { return latest_.load(std::memory_order_acquire); }
  // What the Java side shares with the agent.
  BytecodeMemory& bytecode() { return bytecode_; }
  const ThreadTableEntry* thread_table() const { return threads_->table(); }

 private:
  bool OnEntry(const EntryCall& call) override;
  void OnCountedEntry(const EntryCall& call) override;
  const CodeCache* code_cache() const { return code_cache_ ? &*code_cache_ : nullptr; }
  // Why no probe on compiled entries may be used; Ok when there is an entry walker.
  Status MakeEntryWalker(const VmStructs& structs);
  ProbeHost HostOfProbes(const VmStructs& structs);
  RecordingHost HostOfModes();

  // With mutex_ held. Whether another recording may begin.
  Status WaitForPrevious();
  // What goes beside the calls: keys and values of the configuration.
  Result<spool::Config> Prepare(JNIEnv* jni, Session& session, const std::string& spool);
  // Puts in what is not in yet, and starts.
  Status StartSession(JNIEnv* jni, Session& session, spool::Config facts);
  Status GiveUp(JNIEnv* jni, Session& session, Status why);
  // After BeginEnd, the drain's thread having ended or being the one that calls. Without a JNIEnv
  // rewritten classes stay so.
  void End(Session& session, JNIEnv* jni);
  // After BeginEnd, from another thread than the drain's, which it ends.
  void EndOnThisThread(Session& session, JNIEnv* jni);
  void EndOnDrainThread(Session& session);

  Jvm& jvm_;
  SystemClock clock_;
  const std::unique_ptr<ThreadRegistry> threads_;
  const std::optional<CodeCache> code_cache_;
  MethodRegistry registry_;
  Drops drops_;
  CallWalker walker_;
  RecordedThreads recorded_threads_;
  BytecodeMemory bytecode_;
  std::unique_ptr<EntryWalker> entry_walker_;  // Null where no probe on entries may be used.
  ProbeRegistry probes_;
  const RecordingHost host_of_modes_;
  StackRecordings stacks_;
  VmCounts vm_counts_;

  std::mutex mutex_;  // Held while a session starts or stops.
  std::vector<std::unique_ptr<Session>> sessions_;
  std::optional<AgentOptions> last_options_;  // Of the latest.
  std::atomic<Session*> latest_{nullptr};
  // Its threads go on for a moment, and whoever attaches is still let in.
  bool vm_has_ended_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_RECORDINGS_H_
