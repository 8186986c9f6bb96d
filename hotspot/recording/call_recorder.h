#ifndef YP_HOTSPOT_RECORDING_CALL_RECORDER_H_
#define YP_HOTSPOT_RECORDING_CALL_RECORDER_H_

#include <jvmti.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/discovery/edge_discovery.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/recording/edge_bindings.h"
#include "hotspot/recording/session.h"
#include "hotspot/support/drops.h"
#include "hotspot/threads/thread_registry.h"
#include "hotspot/walk/call_walker.h"
#include "hotspot/walk/entry_walker.h"

namespace yp::hotspot {

// What becomes of a call that reached a probe's slow path, on its own thread: a sample in the
// thread's ring, or one more in an edge's counter.
class CallRecorder {
 public:
  // Without an entry walker no probe on compiled entries may be used.
  CallRecorder(jvmtiEnv* jvmti, Clock& clock, ThreadRegistry& threads, MethodRegistry& registry,
               Drops& drops, CallWalker& walker, std::unique_ptr<EntryWalker> entry_walker)
      : jvmti_(jvmti),
        clock_(clock),
        threads_(threads),
        registry_(registry),
        drops_(drops),
        walker_(walker),
        entry_walker_(std::move(entry_walker)) {}

  // Before the first call of a recording. `from_vm_start`: it sees all that each thread does.
  void Begin(bool from_vm_start);
  // Null when this VM is not one for probes on compiled entries.
  EntryWalker* entry_walker() { return entry_walker_.get(); }

  // The slow paths of YieldpointProbe.
  void OnArmedCall(JNIEnv* jni, Session& session, MethodId callee, int64_t java_thread_id,
                   const CallWalker::Start& start);
  void OnExactCall(JNIEnv* jni, Session& session, MethodId callee, int32_t site,
                   int64_t java_thread_id, const CallWalker::Start& start);
  // A call in a context that the Java side did not find. The node that the callee runs in.
  int32_t OnNewContext(JNIEnv* jni, Session& session, MethodId callee, int64_t java_thread_id);
  // Those of mode edges: a call site is about to run that has not, or a method was called that is
  // looked at.
  void OnSite(JNIEnv* jni, Session& session, EdgeDiscovery& discovery, int32_t site,
              int64_t java_thread_id);
  void OnDiscovery(JNIEnv* jni, Session& session, EdgeDiscovery& discovery, MethodId callee,
                   int32_t announced, int64_t java_thread_id, const CallWalker::Start& start);
  // A receiver call has met a class that it does not know.
  void OnReceiver(JNIEnv* jni, Session& session, EdgeDiscovery& discovery, jobject receiver,
                  int32_t site, int64_t java_thread_id);
  // That of the probes on compiled entries; what an EntryHandler may do and returns.
  bool OnEntryCall(Session& session, const EntryCall& call);

  // The VM's events of the calling thread.
  void OnThreadStart(JNIEnv* jni, jthread thread);
  void OnThreadEnd();

 private:
  // The calling thread's record, made now if need be; null when it can have none. Only ThreadOf
  // counts that.
  ThreadRecord* ThreadOf(JNIEnv* jni, Session& session, int64_t java_thread_id);
  ThreadRecord* EnterThread(JNIEnv* jni, Session& session, int64_t java_thread_id);
  ThreadRecord* EntryThreadOf(Session& session);
  bool Prepare(ThreadRecord& thread, Session& session);
  uint64_t SeedFor(const Session& session) const;
  std::string NameOfThisThread(JNIEnv* jni) const;
  // Counts a walk that fails.
  std::optional<CallWalker::Answer> Walk(JNIEnv* jni, const ThreadRecord& thread, MethodId callee,
                                         CallWalker::Start start);
  // Counts an edge that mode edges has found for the first time; false when it is known.
  bool Found(ThreadRecord& thread, EdgeDiscovery& discovery, EdgeId edge);
  void WantReceiverCall(EdgeDiscovery& discovery, const MethodRegistry::Site& site);
  void DecideBinding(JNIEnv* jni, const Session& session, const CallWalker::Answer& answer,
                     int32_t site);
  void Bind(ThreadRecord& thread, MethodId callee, int32_t site, EdgeId edge);
  bool CountEntry(ThreadRecord& thread, const EntryCall& call);
  bool Listen(ThreadRecord& thread, Listeners& listeners, const EntryCall& call);
  void PushSample(ThreadRecord& thread, EdgeId edge, CompiledCallId call = kNoCompiledCall);
  void PushWindowBegin(ThreadRecord& thread, const std::optional<WindowBegin>& begun);
  void PushWindowEnd(ThreadRecord& thread, const std::optional<WindowSummary>& ended);

  jvmtiEnv* const jvmti_;
  Clock& clock_;
  ThreadRegistry& threads_;
  MethodRegistry& registry_;
  Drops& drops_;
  CallWalker& walker_;
  const std::unique_ptr<EntryWalker> entry_walker_;
  EdgeBindings bindings_;
  bool from_vm_start_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_CALL_RECORDER_H_
