#include "hotspot/probes/bytecode/probe_class.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/rename.h"
#include "hotspot/probes/bytecode/probe_class_bytes.h"

namespace yp::hotspot {
namespace {

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

jclass probe_class = nullptr;  // A global reference, for the life of the process.

Status Failed(JNIEnv* jni, const std::string& what) {
  jni->ExceptionClear();
  return Status::Error(what + " java.lang.YieldpointProbe failed");
}

Status Prime(JNIEnv* jni, const char* method_name) {
  const jmethodID method = jni->GetStaticMethodID(probe_class, method_name, "(I)V");
  if (method == nullptr) return Failed(jni, "priming");
  jni->CallStaticVoidMethod(probe_class, method, kPrimingRounds);
  if (jni->ExceptionCheck()) return Failed(jni, "priming");
  return Status::Ok();
}

}  // namespace

// As System.load does for a class of the JDK's own, on every JDK from 11 to 25. RegisterNatives
// would do too, but the VM writes a warning to stdout when someone else binds natives of java.base.
Status ProbeClass::LetNativesBeFound(JNIEnv* jni) {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(&LetNativesBeFound), &library) == 0) {
    return Status::Error("the agent does not find its own library");
  }
  const jclass runtime = jni->FindClass("java/lang/Runtime");
  if (runtime == nullptr) return Failed(jni, "finding the natives of");
  const jmethodID get = jni->GetStaticMethodID(runtime, "getRuntime", "()Ljava/lang/Runtime;");
  if (get == nullptr) return Failed(jni, "finding the natives of");
  const jmethodID load =
      jni->GetMethodID(runtime, "load0", "(Ljava/lang/Class;Ljava/lang/String;)V");
  if (load == nullptr) return Failed(jni, "finding the natives of");
  const jobject self = jni->CallStaticObjectMethod(runtime, get);
  const jstring path = self == nullptr ? nullptr : jni->NewStringUTF(library.dli_fname);
  if (path == nullptr) return Failed(jni, "finding the natives of");
  jni->CallVoidMethod(self, load, runtime, path);
  return jni->ExceptionCheck() ? Failed(jni, "finding the natives of") : Status::Ok();
}

Status ProbeClass::Define(JNIEnv* jni, int jdk_feature_version) {
  if (probe_class != nullptr) return Status::Ok();
  std::vector<uint8_t> bytes(std::begin(kProbeClassBytes), std::end(kProbeClassBytes));
  if (jdk_feature_version >= 21) {
    Result<classfile::ClassFile> file = classfile::ClassFile::Parse(bytes);
    if (!file) return file.status();
    Result<std::vector<uint8_t>> renamed =
        classfile::RenameUtf8(*file, "currentThread", "currentCarrierThread");
    if (!renamed) return renamed.status();
    bytes = std::move(renamed).value();
  }
  const jclass defined =
      jni->DefineClass(kInternalName, nullptr, reinterpret_cast<const jbyte*>(bytes.data()),
                       static_cast<jsize>(bytes.size()));
  if (defined == nullptr) return Failed(jni, "defining");
  // Looking up a method initialises the class, and that calls our natives.
  if (jni->GetStaticMethodID(defined, "check", "(I)V") == nullptr) {
    return Failed(jni, "initialising");
  }
  probe_class = static_cast<jclass>(jni->NewGlobalRef(defined));
  jni->DeleteLocalRef(defined);
  // Without a Java caller this asks the system class loader, and the VM remembers the answer: code
  // of the program's then links to the probe without running Java code. It may have to: the
  // transformer of an agent written in Java runs while a class is being loaded
  // (ClassCircularityError).
  if (const jclass found = jni->FindClass(kInternalName)) jni->DeleteLocalRef(found);
  jni->ExceptionClear();
  return probe_class != nullptr ? Status::Ok() : Failed(jni, "keeping");
}

jclass ProbeClass::Get() { return probe_class; }

Status ProbeClass::PrimeCheck(JNIEnv* jni) { return Prime(jni, "prime"); }

Result<int64_t> ProbeClass::ArmedCallPs(JNIEnv* jni) {
  Result<int64_t> best = Calibrate(jni, "armedCallPicoseconds", kCalibrationNs);
  for (int tries = 1; best && *best > kCompiledArmedCallPs && tries < kArmedCallTries; ++tries) {
    const Result<int64_t> again = Calibrate(jni, "armedCallPicoseconds", kCalibrationNs);
    if (again) best = std::min(*best, *again);
  }
  return best;
}

Result<int64_t> ProbeClass::SlowPathPs(JNIEnv* jni) {
  return Calibrate(jni, "slowPathPicoseconds", kSlowCalibrationNs);
}

Result<std::optional<ProbeClass::CallCost>> ProbeClass::ExactCallCost(JNIEnv* jni) {
  return MeasureCall(jni, "exactCallPicoseconds");
}

Result<std::optional<ProbeClass::CallCost>> ProbeClass::ContextCallCost(JNIEnv* jni) {
  return MeasureCall(jni, "contextCallPicoseconds");
}

Result<std::optional<ProbeClass::CallCost>> ProbeClass::EdgeCallCost(JNIEnv* jni) {
  return MeasureCall(jni, "edgeCallPicoseconds");
}

Result<std::optional<ProbeClass::CallCost>> ProbeClass::MeasureCall(JNIEnv* jni, const char* name) {
  const Result<int64_t> both = Calibrate(jni, name, kCallCalibrationNs);
  if (!both) return both.status();
  const int64_t plain_ps = *both >> 32;
  const int64_t probed_ps = *both & 0xffffffff;
  // One of them was compiled, and the other was not.
  const bool is_odd = probed_ps < plain_ps - plain_ps / 4 || probed_ps > kMaxProbedRatio * plain_ps;
  if (plain_ps <= 0 || is_odd) return std::optional<CallCost>();
  return std::optional(CallCost{plain_ps, std::max<int64_t>(0, probed_ps - plain_ps)});
}

Result<int64_t> ProbeClass::Calibrate(JNIEnv* jni, const char* name, int64_t budget_ns) {
  const jmethodID method = jni->GetStaticMethodID(probe_class, name, "(J)J");
  if (method == nullptr) return Failed(jni, "calibrating");
  const jlong ps = jni->CallStaticLongMethod(probe_class, method, jlong{budget_ns});
  if (jni->ExceptionCheck()) return Failed(jni, "calibrating");
  return int64_t{ps};
}

Status ProbeClass::PrimeExact(JNIEnv* jni) { return Prime(jni, "primeExact"); }

Status ProbeClass::PrimeEdges(JNIEnv* jni) { return Prime(jni, "primeEdges"); }

Status ProbeClass::PrimeContexts(JNIEnv* jni) { return Prime(jni, "primeContexts"); }

}  // namespace yp::hotspot
