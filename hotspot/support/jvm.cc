#include "hotspot/support/jvm.h"

#include <dlfcn.h>
#include <unistd.h>

#include <charconv>

namespace yp::hotspot {

std::string SystemProperty(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE || value == nullptr) return "";
  std::string copy = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return copy;
}

int UpdateOf(std::string_view vm_version) {
  for (int dots = 0; dots < 2; ++dots) {
    const size_t end = vm_version.find_first_not_of("0123456789");
    if (end == std::string_view::npos || vm_version[end] != '.') return 0;
    vm_version.remove_prefix(end + 1);
  }
  int update = 0;
  std::from_chars(vm_version.data(), vm_version.data() + vm_version.size(), update);
  return update;
}

bool MayRewriteRunningMethods(int feature_version, int update) {
  return feature_version > 12 || update >= (feature_version == 12 ? 2 : 4);
}

Result<Jvm> Jvm::Check(JavaVM* vm) {
  jvmtiEnv* jvmti = nullptr;
  const jint answer = vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11);
  if (answer == JNI_EVERSION) {
    return Status::Error("this JVM is older than JDK 11; nothing is recorded");
  }
  if (answer != JNI_OK) return Status::Error(kNotAtThisMoment);
  jint version = 0;
  jvmti->GetVersionNumber(&version);
  const int feature_version = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
  if (feature_version < kOldestJdk) {
    return Status::Error("this JVM is JDK " + std::to_string(feature_version) +
                         ", older than 11; nothing is recorded");
  }
  return Jvm(vm, jvmti, feature_version);
}

Status Jvm::TakeEvents(const jvmtiEventCallbacks& callbacks) const {
  bool ok = jvmti_->SetEventCallbacks(&callbacks, sizeof(callbacks)) == JVMTI_ERROR_NONE;
  for (const jvmtiEvent event : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                 JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END}) {
    ok = ok && jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) == JVMTI_ERROR_NONE;
  }
  if (ok) return Status::Ok();
  jvmtiPhase phase = JVMTI_PHASE_DEAD;
  jvmti_->GetPhase(&phase);
  return Status::Error(phase == JVMTI_PHASE_DEAD ? kNotAtThisMoment
                                                 : "this JVM refuses the agent's events");
}

Status Jvm::FindPlatformLoader(JNIEnv* jni) {
  if (platform_loader_ != nullptr) return Status::Ok();
  const jclass loader_class = jni->FindClass("java/lang/ClassLoader");
  const jmethodID get =
      jni->GetStaticMethodID(loader_class, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
  const jobject loader = jni->CallStaticObjectMethod(loader_class, get);
  if (jni->ExceptionCheck() || loader == nullptr) {
    jni->ExceptionClear();
    return Status::Error("the JVM does not tell its platform class loader; nothing is recorded");
  }
  platform_loader_ = jni->NewGlobalRef(loader);
  return Status::Ok();
}

Status Jvm::AddToClassPath(const std::string& file_name) {
  if (on_class_path_.contains(file_name)) return Status::Ok();
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&UpdateOf), &library) == 0) {
    return Status::Error("cannot find the agent's own library");
  }
  std::string path = library.dli_fname;
  path.replace(path.rfind('/') + 1, std::string::npos, file_name);
  const jvmtiError error = access(path.c_str(), R_OK) == 0
                               ? jvmti_->AddToSystemClassLoaderSearch(path.c_str())
                               : JVMTI_ERROR_ILLEGAL_ARGUMENT;
  if (error != JVMTI_ERROR_NONE) {
    return Status::Error("cannot put " + path + " on the class path (JVMTI error " +
                         std::to_string(error) + ")");
  }
  on_class_path_.insert(file_name);
  return Status::Ok();
}

PackageSet Jvm::JdkPackages(JNIEnv* jni) const {
  PackageSet packages = PackagesOfLoader(jni, nullptr);
  packages.merge(PackagesOfLoader(jni, platform_loader_));
  return packages;
}

void Jvm::AsJavaThread(const std::function<void(JNIEnv*)>& run) const {
  JNIEnv* jni = nullptr;
  if (vm_->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_10) == JNI_OK) return run(jni);
  char name[] = "Yieldpoint";
  JavaVMAttachArgs arguments{JNI_VERSION_10, name, nullptr};
  if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK) {
    jni = nullptr;
  }
  run(jni);
  if (jni != nullptr) vm_->DetachCurrentThread();
}

}  // namespace yp::hotspot
