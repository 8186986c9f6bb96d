#include "hotspot/probes/bytecode/linking_loaders.h"

#include <algorithm>
#include <cstring>

#include "hotspot/probes/bytecode/probe_class.h"
#include "hotspot/support/jvmti_owned.h"

namespace yp::hotspot {
namespace {

constexpr jint kLocalReferences = 32;
// A chain of parents that is longer is asked.
constexpr int kMaxParents = 64;

thread_local bool this_thread_asks = false;

// Nothing when the VM does not tell.
std::optional<bool> DeclaresLoadClass(jvmtiEnv* jvmti, jclass type) {
  jint count = 0;
  JvmtiOwned<jmethodID> methods(jvmti);
  if (jvmti->GetClassMethods(type, &count, methods.out()) != JVMTI_ERROR_NONE) return std::nullopt;
  for (jint i = 0; i < count; ++i) {
    JvmtiOwned<char> name(jvmti);
    if (jvmti->GetMethodName(methods.get()[i], name.out(), nullptr, nullptr) != JVMTI_ERROR_NONE) {
      return std::nullopt;
    }
    if (std::strcmp(name.get(), "loadClass") == 0) return true;
  }
  return false;
}

// Whether one finds classes by code of the boot loader's: no other class that it is of declares
// loadClass. False when the VM does not tell. Looking the method up would initialise the class.
bool FindsByJdk(jvmtiEnv* jvmti, JNIEnv* jni, jobject loader) {
  if (jni->PushLocalFrame(kLocalReferences) != 0) return false;
  bool does = true;
  for (jclass type = jni->GetObjectClass(loader); does && type != nullptr;) {
    jobject type_loader = nullptr;
    does = jvmti->GetClassLoader(type, &type_loader) == JVMTI_ERROR_NONE;
    if (does && type_loader == nullptr) break;
    does = does && !DeclaresLoadClass(jvmti, type).value_or(true);
    jni->DeleteLocalRef(type_loader);
    const jclass subclass = type;
    type = jni->GetSuperclass(subclass);
    jni->DeleteLocalRef(subclass);
  }
  jni->PopLocalFrame(nullptr);
  return does;
}

bool AllFindByJdk(jvmtiEnv* jvmti, JNIEnv* jni, jobject loader) {
  const jclass type = jni->FindClass("java/lang/ClassLoader");
  const jfieldID parent =
      type == nullptr ? nullptr : jni->GetFieldID(type, "parent", "Ljava/lang/ClassLoader;");
  for (int i = 0; parent != nullptr && i < kMaxParents; ++i) {
    if (loader == nullptr) return true;
    if (!FindsByJdk(jvmti, jni, loader)) return false;
    const jobject child = loader;
    loader = jni->GetObjectField(child, parent);
    if (i > 0) jni->DeleteLocalRef(child);
  }
  return false;
}

// Nothing when it cannot be told now: the stack or memory is at its end.
std::optional<bool> Ask(JNIEnv* jni, jobject loader, jclass probe) {
  const jclass type = jni->FindClass("java/lang/Class");
  const jmethodID for_name =
      type == nullptr
          ? nullptr
          : jni->GetStaticMethodID(type, "forName",
                                   "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  const jstring name =
      for_name == nullptr ? nullptr : jni->NewStringUTF(ProbeClass::kQualifiedName);
  if (name == nullptr) return std::nullopt;
  this_thread_asks = true;
  const jobject found = jni->CallStaticObjectMethod(type, for_name, name, JNI_FALSE, loader);
  this_thread_asks = false;
  const jthrowable thrown = jni->ExceptionOccurred();
  if (thrown == nullptr) return jni->IsSameObject(found, probe) == JNI_TRUE;
  jni->ExceptionClear();
  const jclass vm_error = jni->FindClass("java/lang/VirtualMachineError");
  if (vm_error == nullptr || jni->IsInstanceOf(thrown, vm_error)) return std::nullopt;
  return false;
}

}  // namespace

bool LinkingLoaders::Links(JNIEnv* jni, jobject loader, jclass probe) {
  if (loader == nullptr) return true;
  // With an exception on its way no code of Java's may run.
  if (this_thread_asks || jni->ExceptionCheck()) return false;
  jint hash = 0;
  if (jvmti_->GetObjectHashCode(loader, &hash) != JVMTI_ERROR_NONE) return false;
  if (const std::optional<bool> known = Find(jni, loader, hash)) return *known;
  std::optional<bool> links;
  if (jni->PushLocalFrame(kLocalReferences) == 0) {
    // Outside the lock: a loader may wait for another thread, which may load classes.
    if (AllFindByJdk(jvmti_, jni, loader)) {
      links = true;
    } else if (!jni->ExceptionCheck()) {
      links = Ask(jni, loader, probe);
    }
    jni->PopLocalFrame(nullptr);
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (links) Remember(jni, loader, hash, *links);
  return links.value_or(false);
}

std::optional<bool> LinkingLoaders::Find(JNIEnv* jni, jobject loader, jint hash) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = known_.equal_range(hash);
  const auto at = std::find_if(begin, end, [&](const ByHash::value_type& entry) {
    return jni->IsSameObject(entry.second.loader, loader) == JNI_TRUE;
  });
  if (at == end) return std::nullopt;
  return at->second.links;
}

void LinkingLoaders::Remember(JNIEnv* jni, jobject loader, jint hash, bool links) {
  const jweak weak = jni->NewWeakGlobalRef(loader);
  if (weak == nullptr) return jni->ExceptionClear();
  const std::lock_guard lock(mutex_);
  if (known_.size() >= forget_at_) Forget(jni);
  known_.emplace(hash, Known{weak, links});
}

void LinkingLoaders::Forget(JNIEnv* jni) {
  for (auto at = known_.begin(); at != known_.end();) {
    if (jni->IsSameObject(at->second.loader, nullptr) == JNI_TRUE) {
      jni->DeleteWeakGlobalRef(at->second.loader);
      at = known_.erase(at);
    } else {
      ++at;
    }
  }
  forget_at_ = std::max<size_t>(forget_at_, 2 * known_.size());
}

}  // namespace yp::hotspot
