#ifndef YP_HOTSPOT_PROBES_BYTECODE_PROBE_CALIBRATION_H_
#define YP_HOTSPOT_PROBES_BYTECODE_PROBE_CALIBRATION_H_

#include <jni.h>

#include <cstdint>
#include <optional>

#include "base/status.h"

namespace yp::hotspot {

// java.lang.YieldpointCalibration in the running VM (java/lang/YieldpointCalibration.java): primes
// the probes and measures what they cost.
class ProbeCalibration {
 public:
  // Defines the class. After ProbeClass::Define; once per process, a later call finds it.
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
  // How long a call takes without probes, and how much longer with those of each mode, in ps; on
  // the thread and after the priming of that mode. Nothing where that could not be measured, as on
  // a machine under load whose compilers had no time. Takes 30 ms.
  struct CallCost {
    int64_t plain_ps = 0;
    int64_t added_ps = 0;
  };
  static Result<std::optional<CallCost>> ExactCallCost(JNIEnv* jni);
  static Result<std::optional<CallCost>> ContextCallCost(JNIEnv* jni);
  static Result<std::optional<CallCost>> EdgeCallCost(JNIEnv* jni);

 private:
  static Result<int64_t> Calibrate(JNIEnv* jni, const char* name, int64_t budget_ns);
  static Result<std::optional<CallCost>> MeasureCall(JNIEnv* jni, const char* name);
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_PROBE_CALIBRATION_H_
