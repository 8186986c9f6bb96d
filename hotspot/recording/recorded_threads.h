#ifndef YP_HOTSPOT_RECORDING_RECORDED_THREADS_H_
#define YP_HOTSPOT_RECORDING_RECORDED_THREADS_H_

#include <jvmti.h>

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "hotspot/recording/session.h"
#include "hotspot/threads/thread_registry.h"

namespace yp::hotspot {

// Makes the calling thread's record when its first call of a recording comes, and remembers it.
class RecordedThreads {
 public:
  // Calls at compiled entries after which a thread that has no record asks again for one.
  static constexpr int64_t kAskAgainCalls = 1000;

  RecordedThreads(jvmtiEnv* jvmti, Clock& clock, ThreadRegistry& threads)
      : jvmti_(jvmti), clock_(clock), threads_(threads) {}

  // Before the first call of a recording. `from_vm_start`: it sees all that each thread does.
  void Begin(bool from_vm_start) { from_vm_start_ = from_vm_start; }

  // The calling thread's record, made now if need be; null when it can have none.
  ThreadRecord* Enter(JNIEnv* jni, Session& session, int64_t java_thread_id);
  // The same at a compiled entry, where the VM must not be asked. Without a record the thread's
  // calls are counted down to when it may ask again.
  ThreadRecord* EnterAtEntry(Session& session);
  // Whether the VM has said of the calling thread that it ends: it has no record any more.
  static bool ThisHasEnded();
  // Whether the Java side finds the thread's state: it is the one of its place in the table.
  bool IsFound(const ThreadRecord& thread) { return threads_.IsFound(thread); }

  // The VM's events of the calling thread.
  void OnThreadStart(JNIEnv* jni, jthread thread);
  void OnThreadEnd();

 private:
  ThreadRecord* Remember(ThreadRecord* thread, Session& session, int64_t begin_cpu_ns);
  bool Prepare(ThreadRecord& thread, Session& session);
  uint64_t SeedFor(const Session& session) const;
  std::string NameOfThisThread(JNIEnv* jni) const;

  jvmtiEnv* const jvmti_;
  Clock& clock_;
  ThreadRegistry& threads_;
  bool from_vm_start_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_RECORDED_THREADS_H_
