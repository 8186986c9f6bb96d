#include "hotspot/agent/platform_packages.h"

#include <algorithm>
#include <string>
#include <utility>

namespace yp::hotspot {
namespace {

constexpr jint kLocalReferences = 32;

// Calls methods without arguments; after anything that failed, all give null.
class Caller {
 public:
  explicit Caller(JNIEnv* jni) : jni_(jni) {}

  jclass Find(const char* name) { return Check(jni_->FindClass(name)); }
  jobject CallStatic(const char* type, const char* name, const char* descriptor) {
    const jclass found = Find(type);
    const jmethodID method =
        found == nullptr ? nullptr : jni_->GetStaticMethodID(found, name, descriptor);
    if (Check(method) == nullptr) return nullptr;
    return Check(jni_->CallStaticObjectMethod(found, method));
  }
  jobject Call(jobject object, const char* type, const char* name, const char* descriptor) {
    const jclass found = object == nullptr ? nullptr : Find(type);
    const jmethodID method =
        found == nullptr ? nullptr : jni_->GetMethodID(found, name, descriptor);
    if (Check(method) == nullptr) return nullptr;
    jobject result = Check(jni_->CallObjectMethod(object, method));
    jni_->DeleteLocalRef(found);
    return result;
  }
  // A Set's elements.
  jobjectArray Elements(jobject set) {
    return static_cast<jobjectArray>(
        Call(set, "java/util/Set", "toArray", "()[Ljava/lang/Object;"));
  }

 private:
  template <typename T>
  T Check(T value) {
    if (!jni_->ExceptionCheck()) return value;
    jni_->ExceptionClear();
    return nullptr;
  }
  JNIEnv* const jni_;
};

void AddTexts(JNIEnv* jni, jobjectArray texts, PackageSet& packages) {
  if (texts == nullptr) return;
  for (jsize i = 0, n = jni->GetArrayLength(texts); i < n; ++i) {
    const auto text = static_cast<jstring>(jni->GetObjectArrayElement(texts, i));
    if (const char* bytes = jni->GetStringUTFChars(text, nullptr)) {
      std::string name = bytes;
      jni->ReleaseStringUTFChars(text, bytes);
      std::replace(name.begin(), name.end(), '.', '/');
      packages.insert(std::move(name));
    }
    jni->DeleteLocalRef(text);
  }
}

}  // namespace

PackageSet PackagesOfLoader(JNIEnv* jni, jobject loader) {
  PackageSet packages;
  if (jni->PushLocalFrame(kLocalReferences) != 0) {
    jni->ExceptionClear();
    return packages;
  }
  Caller java(jni);
  const jobject layer =
      java.CallStatic("java/lang/ModuleLayer", "boot", "()Ljava/lang/ModuleLayer;");
  const jobject modules = java.Call(layer, "java/lang/ModuleLayer", "modules", "()Ljava/util/Set;");
  const jobjectArray all = java.Elements(modules);
  for (jsize i = 0, n = all == nullptr ? 0 : jni->GetArrayLength(all); i < n; ++i) {
    const jobject module = jni->GetObjectArrayElement(all, i);
    const jobject of =
        java.Call(module, "java/lang/Module", "getClassLoader", "()Ljava/lang/ClassLoader;");
    if (jni->IsSameObject(of, loader) == JNI_TRUE) {
      const jobject names =
          java.Call(module, "java/lang/Module", "getPackages", "()Ljava/util/Set;");
      const jobjectArray texts = java.Elements(names);
      AddTexts(jni, texts, packages);
      jni->DeleteLocalRef(texts);
      jni->DeleteLocalRef(names);
    }
    jni->DeleteLocalRef(of);
    jni->DeleteLocalRef(module);
  }
  jni->PopLocalFrame(nullptr);
  return packages;
}

}  // namespace yp::hotspot
