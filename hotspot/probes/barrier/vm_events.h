#ifndef YP_HOTSPOT_PROBES_BARRIER_VM_EVENTS_H_
#define YP_HOTSPOT_PROBES_BARRIER_VM_EVENTS_H_

#include <jvmti.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hotspot/probes/barrier/armed_threads.h"

namespace yp::hotspot {

// What the barrier probe asks of the VM, through a JVMTI environment of its own: the agent's
// callbacks stay as they are. One in a process, which is never given back: a callback may be under
// way at any time. Install and Remove are not called at once.
class VmEvents {
 public:
  // In the live phase. An error when the VM gives no environment.
  static Result<VmEvents*> Get(JNIEnv* jni);

  // The code of the VM's stub of that name; empty when it has none, or several.
  std::span<const uint8_t> FindStub(std::string_view name);
  // Keeps threads() up to date from now on, until StopFollowing or the VM's death. Virtual threads
  // are none: the VM's word is that of the thread that carries them.
  Status FollowThreads(JNIEnv* jni);
  // Disarms and forgets them.
  void StopFollowing();
  ArmedThreads& threads() { return threads_; }

 private:
  VmEvents();
  bool Enable(jvmtiEvent event, bool enable);
  static uintptr_t NativeThread(JNIEnv* jni, jthread thread);
  static void JNICALL OnCode(jvmtiEnv* jvmti, const char* name, const void* address, jint bytes);
  static void JNICALL OnThreadStart(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread);
  static void JNICALL OnThreadEnd(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread);
  static void JNICALL OnVmDeath(jvmtiEnv* jvmti, JNIEnv* jni);

  static VmEvents* instance_;

  jvmtiEnv* jvmti_ = nullptr;
  jfieldID eetop_ = nullptr;
  ArmedThreads threads_;
  std::string_view wanted_stub_;
  std::vector<std::span<const uint8_t>> stubs_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BARRIER_VM_EVENTS_H_
