#include "hotspot/support/platform_packages.h"

#include <algorithm>
#include <string>
#include <utility>

#include "hotspot/support/java_calls.h"

namespace yp::hotspot {
namespace {

// A Set's elements.
jobjectArray Elements(JavaCalls& java, jobject set) {
  return static_cast<jobjectArray>(
      java.Call(set, "java/util/Set", "toArray", "()[Ljava/lang/Object;"));
}

void AddTexts(JNIEnv* jni, JavaCalls& java, jobjectArray texts, PackageSet& packages) {
  if (texts == nullptr) return;
  for (jsize i = 0, n = jni->GetArrayLength(texts); i < n; ++i) {
    const jobject text = jni->GetObjectArrayElement(texts, i);
    std::string name = java.TextOf(text);
    std::replace(name.begin(), name.end(), '.', '/');
    if (!name.empty()) packages.insert(std::move(name));
    jni->DeleteLocalRef(text);
  }
}

}  // namespace

PackageSet PackagesOfLoader(JNIEnv* jni, jobject loader) {
  PackageSet packages;
  JavaCalls java(jni);
  const jobject layer =
      java.CallStatic("java/lang/ModuleLayer", "boot", "()Ljava/lang/ModuleLayer;");
  const jobject modules = java.Call(layer, "java/lang/ModuleLayer", "modules", "()Ljava/util/Set;");
  const jobjectArray all = Elements(java, modules);
  for (jsize i = 0, n = all == nullptr ? 0 : jni->GetArrayLength(all); i < n; ++i) {
    const jobject module = jni->GetObjectArrayElement(all, i);
    const jobject of =
        java.Call(module, "java/lang/Module", "getClassLoader", "()Ljava/lang/ClassLoader;");
    if (jni->IsSameObject(of, loader) == JNI_TRUE) {
      const jobject names =
          java.Call(module, "java/lang/Module", "getPackages", "()Ljava/util/Set;");
      const jobjectArray texts = Elements(java, names);
      AddTexts(jni, java, texts, packages);
      jni->DeleteLocalRef(texts);
      jni->DeleteLocalRef(names);
    }
    jni->DeleteLocalRef(of);
    jni->DeleteLocalRef(module);
  }
  return packages;
}

}  // namespace yp::hotspot
