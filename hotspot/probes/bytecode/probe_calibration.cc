#include "hotspot/probes/bytecode/probe_calibration.h"

#include <algorithm>
#include <string>

#include "hotspot/probes/bytecode/boot_class.h"
#include "hotspot/probes/bytecode/calibration_class_bytes.h"

namespace yp::hotspot {
namespace {

constexpr const char* kName = "java/lang/YieldpointCalibration";

// Past C2's thresholds for calls (5,000) and loops (40,000), and for the loop to
// run compiled for a while; 4-25 ms on a 2.6 GHz x86-64 (2026-11).
constexpr jint kPrimingRounds = 200'000;

// Several times what C2 takes for a small method.
constexpr jlong kCalibrationNs = 15'000'000;
// Compiled by C2 it takes 1.8 ns. On a busy machine the compiler may not have had its turn by then
// (5.7 and 23 ns were measured, of runs whose numbers of calls came out 1.4 and 8 times too high):
// what takes longer than this is measured again, for 150 ms at most.
constexpr int64_t kCompiledArmedCallPs = 4'000;
constexpr int kArmedCallTries = 10;
constexpr jlong kSlowCalibrationNs = 5'000'000;
constexpr jlong kCallCalibrationNs = 30'000'000;
// Counted calls of a recursion take two to four times as long, by context six times (2.6 GHz
// x86-64, 2026-11), interpreted ones ten times.
constexpr int64_t kMaxProbedRatio = 30;

jclass calibration = nullptr;  // A global reference, for the life of the process.

Status CalibrationFailed(JNIEnv* jni, const std::string& what) {
  return BootClassFailed(jni, what, kName);
}

Status Prime(JNIEnv* jni, const char* method_name) {
  const jmethodID method = jni->GetStaticMethodID(calibration, method_name, "(I)V");
  if (method == nullptr) return CalibrationFailed(jni, "priming");
  jni->CallStaticVoidMethod(calibration, method, kPrimingRounds);
  if (jni->ExceptionCheck()) return CalibrationFailed(jni, "priming");
  return Status::Ok();
}

}  // namespace

Status ProbeCalibration::Define(JNIEnv* jni, int jdk_feature_version) {
  if (calibration != nullptr) return Status::Ok();
  const Result<jclass> defined =
      DefineBootClass(jni, kName, kCalibrationClassBytes, jdk_feature_version);
  if (!defined) return defined.status();
  calibration = *defined;
  return Status::Ok();
}

Status ProbeCalibration::PrimeCheck(JNIEnv* jni) { return Prime(jni, "prime"); }

Result<int64_t> ProbeCalibration::ArmedCallPs(JNIEnv* jni) {
  Result<int64_t> best = Calibrate(jni, "armedCallPicoseconds", kCalibrationNs);
  for (int tries = 1; best && *best > kCompiledArmedCallPs && tries < kArmedCallTries; ++tries) {
    const Result<int64_t> again = Calibrate(jni, "armedCallPicoseconds", kCalibrationNs);
    if (again) best = std::min(*best, *again);
  }
  return best;
}

Result<int64_t> ProbeCalibration::SlowPathPs(JNIEnv* jni) {
  return Calibrate(jni, "slowPathPicoseconds", kSlowCalibrationNs);
}

Result<std::optional<ProbeCalibration::CallCost>> ProbeCalibration::ExactCallCost(JNIEnv* jni) {
  return MeasureCall(jni, "exactCallPicoseconds");
}

Result<std::optional<ProbeCalibration::CallCost>> ProbeCalibration::ContextCallCost(JNIEnv* jni) {
  return MeasureCall(jni, "contextCallPicoseconds");
}

Result<std::optional<ProbeCalibration::CallCost>> ProbeCalibration::EdgeCallCost(JNIEnv* jni) {
  return MeasureCall(jni, "edgeCallPicoseconds");
}

Result<std::optional<ProbeCalibration::CallCost>> ProbeCalibration::MeasureCall(JNIEnv* jni,
                                                                                const char* name) {
  const Result<int64_t> both = Calibrate(jni, name, kCallCalibrationNs);
  if (!both) return both.status();
  const int64_t plain_ps = *both >> 32;
  const int64_t probed_ps = *both & 0xffffffff;
  // One of them was compiled, and the other was not.
  const bool is_odd = probed_ps < plain_ps - plain_ps / 4 || probed_ps > kMaxProbedRatio * plain_ps;
  if (plain_ps <= 0 || is_odd) return std::optional<CallCost>();
  return std::optional(CallCost{plain_ps, std::max<int64_t>(0, probed_ps - plain_ps)});
}

Result<int64_t> ProbeCalibration::Calibrate(JNIEnv* jni, const char* name, int64_t budget_ns) {
  const jmethodID method = jni->GetStaticMethodID(calibration, name, "(J)J");
  if (method == nullptr) return CalibrationFailed(jni, "calibrating");
  const jlong ps = jni->CallStaticLongMethod(calibration, method, jlong{budget_ns});
  if (jni->ExceptionCheck()) return CalibrationFailed(jni, "calibrating");
  return int64_t{ps};
}

Status ProbeCalibration::PrimeExact(JNIEnv* jni) { return Prime(jni, "primeExact"); }

Status ProbeCalibration::PrimeEdges(JNIEnv* jni) { return Prime(jni, "primeEdges"); }

Status ProbeCalibration::PrimeContexts(JNIEnv* jni) { return Prime(jni, "primeContexts"); }

}  // namespace yp::hotspot
