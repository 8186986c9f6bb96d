#include "hotspot/probes/bytecode/security_manager.h"

#include "hotspot/probes/bytecode/probe_class.h"
#include "hotspot/support/loaded_classes.h"

namespace yp::hotspot {
namespace {

bool HasSecurityManager(JNIEnv* jni) {
  const jclass system = jni->FindClass("java/lang/System");
  const jmethodID get = system == nullptr ? nullptr
                                          : jni->GetStaticMethodID(system, "getSecurityManager",
                                                                   "()Ljava/lang/SecurityManager;");
  const jobject manager = get == nullptr ? nullptr : jni->CallStaticObjectMethod(system, get);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return manager != nullptr;
}

}  // namespace

void AskSecurityManager(jvmtiEnv* jvmti, JNIEnv* jni,
                        const std::function<bool(jobject loader)>& hands_out_probe) {
  constexpr jint kLocalReferences = 16;
  if (jni->PushLocalFrame(kLocalReferences) != 0) return jni->ExceptionClear();
  const bool is_managed = HasSecurityManager(jni);
  const jclass type = is_managed ? jni->FindClass("java/lang/Class") : nullptr;
  // As Class.forName when a class calls it: the only way for others to name the class that asks.
  const jmethodID for_name =
      type == nullptr
          ? nullptr
          : jni->GetStaticMethodID(type, "forName0",
                                   "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)"
                                   "Ljava/lang/Class;");
  const jstring name =
      for_name == nullptr ? nullptr : jni->NewStringUTF(ProbeClass::kQualifiedName);
  if (name != nullptr) {
    const LoadedClasses loaded(jvmti, jni);
    for (const jclass asking : loaded.all()) {
      jobject loader = nullptr;
      if (jvmti->GetClassLoader(asking, &loader) != JVMTI_ERROR_NONE || loader == nullptr) continue;
      if (hands_out_probe(loader)) {
        const jobject found =
            jni->CallStaticObjectMethod(type, for_name, name, JNI_FALSE, loader, asking);
        // One that refuses java.lang refuses the program's own links to it as well.
        if (jni->ExceptionCheck()) jni->ExceptionClear();
        if (found != nullptr) jni->DeleteLocalRef(found);
      }
      jni->DeleteLocalRef(loader);
    }
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  jni->PopLocalFrame(nullptr);
}

}  // namespace yp::hotspot
