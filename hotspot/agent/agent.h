#ifndef YP_HOTSPOT_AGENT_AGENT_H_
#define YP_HOTSPOT_AGENT_AGENT_H_

#include <jvmti.h>

#include <atomic>
#include <memory>
#include <optional>

#include "base/status.h"
#include "hotspot/recording/recordings.h"
#include "hotspot/support/jvm.h"
#include "hotspot/support/options.h"

namespace yp::hotspot {

// The agent in one JVM.
//
// Life: Create (in Agent_OnLoad or Agent_OnAttach) checks the VM and takes what it needs, changing
// nothing if anything is not as known. The recordings start and stop; the VM's end ends them. There
// is one Agent for the process, and it is never deleted: Java threads and the VM's callbacks reach
// it to the very end, and a destructor that ran at exit would race with them.
class Agent {
 public:
  // Null, with a reason, when this VM is not one that is known.
  static Result<Agent*> Create(JavaVM* vm);
  // Null before Create.
  static Agent* Get() { return instance_.load(std::memory_order_acquire); }

  // The VM is starting: a recording with those options begins when it is up.
  void StartAtVmInit(const AgentOptions& options);
  Recordings& recordings() { return *recordings_; }
  // What becomes of the calls of the latest recording; null before the first.
  Mode* mode() const {
    const Session* const session = recordings_->latest();
    return session == nullptr ? nullptr : session->mode();
  }

 private:
  explicit Agent(const Jvm& jvm) : jvm_(jvm) {}

  static void JNICALL OnVmInit(jvmtiEnv*, JNIEnv*, jthread);
  static void JNICALL OnVmDeath(jvmtiEnv*, JNIEnv*);
  static void JNICALL OnThreadStart(jvmtiEnv*, JNIEnv*, jthread);
  static void JNICALL OnThreadEnd(jvmtiEnv*, JNIEnv*, jthread);
  static void JNICALL OnClassFileLoad(jvmtiEnv*, JNIEnv*, jclass redefined, jobject loader,
                                      const char* name, jobject domain, jint size,
                                      const unsigned char* bytes, jint* new_size,
                                      unsigned char** new_bytes);
  static void JNICALL OnClassPrepare(jvmtiEnv*, JNIEnv*, jthread, jclass type);
  Status TakeEvents();

  static std::atomic<Agent*> instance_;

  Jvm jvm_;
  std::unique_ptr<Recordings> recordings_;
  std::optional<AgentOptions> startup_options_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_AGENT_H_
