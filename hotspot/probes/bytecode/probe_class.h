#ifndef YP_HOTSPOT_PROBES_BYTECODE_PROBE_CLASS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_PROBE_CLASS_H_

#include <jni.h>

#include "base/status.h"

namespace yp::hotspot {

// java.lang.YieldpointProbe in the running VM (java/lang/YieldpointProbe.java).
class ProbeClass {
 public:
  static constexpr const char* kInternalName = "java/lang/YieldpointProbe";
  static constexpr const char* kQualifiedName = "java.lang.YieldpointProbe";

  // A global reference, for the life of the process. After Define.
  static jclass Get();

  // Lets the VM find the natives. It looks into the libraries of agents that were there at its
  // start by itself, but into one that is attached only when that has said that it is well. Before
  // Define.
  static Status LetNativesBeFound(JNIEnv* jni);
  // Defines and initialises the class, from JDK 21 on for carrier threads. The control block and
  // the thread table must exist. Once per process; a later call finds the class.
  static Status Define(JNIEnv* jni, int jdk_feature_version);
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_PROBE_CLASS_H_
