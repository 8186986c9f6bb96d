#include "hotspot/probes/bytecode/probe_class.h"

#include <dlfcn.h>

#include <string>

#include "hotspot/probes/bytecode/boot_class.h"
#include "hotspot/probes/bytecode/probe_class_bytes.h"

namespace yp::hotspot {
namespace {

jclass probe_class = nullptr;  // A global reference, for the life of the process.

Status Failed(JNIEnv* jni, const std::string& what) {
  return BootClassFailed(jni, what, ProbeClass::kInternalName);
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
  const Result<jclass> defined =
      DefineBootClass(jni, kInternalName, kProbeClassBytes, jdk_feature_version);
  if (!defined) return defined.status();
  // Looking up a method initialises the class, and that calls our natives.
  if (jni->GetStaticMethodID(*defined, "check", "(I)V") == nullptr) {
    return Failed(jni, "initialising");
  }
  probe_class = *defined;
  // Without a Java caller this asks the system class loader, and the VM remembers the answer: code
  // of the program's then links to the probe without running Java code. It may have to: the
  // transformer of an agent written in Java runs while a class is being loaded
  // (ClassCircularityError).
  if (const jclass found = jni->FindClass(kInternalName)) jni->DeleteLocalRef(found);
  jni->ExceptionClear();
  return Status::Ok();
}

jclass ProbeClass::Get() { return probe_class; }

}  // namespace yp::hotspot
