#ifndef YP_HOTSPOT_PROBES_BYTECODE_PROBE_CLASS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_PROBE_CLASS_H_

#include <jni.h>

#include "base/status.h"

namespace yp::hotspot {

// java.lang.YieldpointProbe in the running VM (java/lang/YieldpointProbe.java).
class ProbeClass {
 public:
  static constexpr const char* kInternalName = "java/lang/YieldpointProbe";

  // Lets the VM find the natives. It looks into the libraries of agents that were there at its
  // start by itself, but into one that is attached only when that has said that it is well. Before
  // Define.
  static Status LetNativesBeFound(JNIEnv* jni);
  // Defines and initialises the class, from JDK 21 on for carrier threads. The control block and
  // the thread table must exist. Once per process; a later call finds the class.
  static Status Define(JNIEnv* jni, int jdk_feature_version);
  // Runs the check until the compilers know that both of its branches are taken.
  static Status PrimeCheck(JNIEnv* jni);
  static Status PrimeExact(JNIEnv* jni);
  static Status PrimeEdges(JNIEnv* jni);
  static Status PrimeContexts(JNIEnv* jni);
  // How long it takes to count down one armed call, in ps. After PrimeCheck and on the same thread;
  // takes 15 ms.
  static Result<int64_t> ArmedCallPs(JNIEnv* jni);
  // How long it takes a sampled call to get to the agent and back, in ps; the same, 5 ms.
  static Result<int64_t> SlowPathPs(JNIEnv* jni);

 private:
  static Result<int64_t> Calibrate(JNIEnv* jni, const char* name, int64_t budget_ns);
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_PROBE_CLASS_H_
