#ifndef YP_HOTSPOT_RECORDING_MODE_H_
#define YP_HOTSPOT_RECORDING_MODE_H_

#include <jvmti.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/ids.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/recording/recorded_threads.h"
#include "hotspot/recording/session.h"
#include "hotspot/recording/test_marks.h"
#include "hotspot/support/drops.h"
#include "hotspot/walk/call_walker.h"
#include "hotspot/walk/entry_walker.h"

namespace yp::hotspot {

// What outlives a recording, and what each mode needs of it.
struct RecordingHost {
  jvmtiEnv* jvmti = nullptr;
  Clock& clock;
  RecordedThreads& threads;
  MethodRegistry& registry;
  Drops& drops;
  CallWalker& walker;
  EntryWalker* entry_walker = nullptr;  // Null where no probe on compiled entries may be used.
};

// What becomes of the calls that reach the slow path of a recording's probe, each on its own
// thread. A class for each mode; what a mode's probes never call does nothing.
//
// Like the recording it is never deleted, as a thread may be in it for any length of time.
class Mode : public Periods {
 public:
  Mode(const RecordingHost& host, Session& session) : host_(host), session_(session) {}
  ~Mode() override = default;
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

  // The slow paths of YieldpointProbe.
  //
  // A call in a tick, counted down to zero.
  virtual void OnArmedCall(JNIEnv*, MethodId /*callee*/, int64_t /*java_thread_id*/,
                           const CallWalker::Start&) {}
  // A call that no call site's counters count.
  virtual void OnExactCall(JNIEnv*, MethodId /*callee*/, int32_t /*site*/,
                           int64_t /*java_thread_id*/, const CallWalker::Start&) {}
  // A call in a context that the Java side did not find. The node that the callee runs in.
  virtual int32_t OnNewContext(JNIEnv*, MethodId /*callee*/, int64_t /*java_thread_id*/);
  // A call site is about to run that has not.
  virtual void OnSite(JNIEnv*, int32_t /*site*/, int64_t /*java_thread_id*/) {}
  // A method was called that is looked at.
  virtual void OnDiscovery(JNIEnv*, MethodId /*callee*/, int32_t /*announced*/,
                           int64_t /*java_thread_id*/, const CallWalker::Start&) {}
  // A receiver call has met a class that it does not know.
  virtual void OnReceiver(JNIEnv*, jobject /*receiver*/, int32_t /*site*/,
                          int64_t /*java_thread_id*/) {}
  // Reflection is to call a method or constructor.
  virtual void OnReflection(JNIEnv*, jobject /*member*/) {}

  // The program's call sites that have not run; none in modes that do not look for them.
  virtual spool::UnexecutedCalls Unexecuted() { return {}; }

  // The slow path of the probes on compiled entries: what an EntryHandler may do and returns.
  bool OnEntry(const EntryCall& call);
  // The same of a call that the probe counts itself.
  virtual void OnCountedEntry(const EntryCall&) {}

 protected:
  // Not a method: with it the priming links the natives and makes its thread known.
  static constexpr MethodId kPrimingCallee{0};

  // That of the calling thread, which has not ended.
  virtual bool OnEntryOf(ThreadRecord&, const EntryCall&) { return true; }

  // The calling thread's record, made now if need be; null when it can have none, which is counted.
  ThreadRecord* ThreadOf(JNIEnv* jni, int64_t java_thread_id);
  // Counts a walk that fails. `cost` as CallWalker has it.
  std::optional<CallWalker::Answer> Walk(JNIEnv* jni, const ThreadRecord& thread, MethodId callee,
                                         CallWalker::Start start, SampleCost* cost = nullptr);
  Drops& drops() { return host_.drops; }
  Clock& clock() { return host_.clock; }

  const RecordingHost& host_;
  Session& session_;
};

// That of the session's options. The host outlives it.
std::unique_ptr<Mode> NewMode(const RecordingHost& host, Session& session);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_MODE_H_
