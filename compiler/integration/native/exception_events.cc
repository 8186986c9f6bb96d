// What ExceptionEvents.java asks an agent: how many exceptions the VM has told of.
#include <jni.h>
#include <jvmti.h>

#include <atomic>

namespace {

jvmtiEnv* the_jvmti = nullptr;
std::atomic<jint> the_throws{0};
std::atomic<jint> the_catches{0};

void JNICALL OnException(jvmtiEnv*, JNIEnv*, jthread, jmethodID, jlocation, jobject, jmethodID,
                         jlocation) {
  ++the_throws;
}

void JNICALL OnCatch(jvmtiEnv*, JNIEnv*, jthread, jmethodID, jlocation, jobject) { ++the_catches; }

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char*, void*) {
  if (vm->GetEnv(reinterpret_cast<void**>(&the_jvmti), JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_exception_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.Exception = &OnException;
  callbacks.ExceptionCatch = &OnCatch;
  const bool ok = the_jvmti->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE &&
                  the_jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) == JVMTI_ERROR_NONE;
  return ok ? JNI_OK : JNI_ERR;
}

// From now on, or no longer.
extern "C" JNIEXPORT void JNICALL Java_ExceptionEvents_tell(JNIEnv*, jclass, jboolean on) {
  for (const jvmtiEvent event : {JVMTI_EVENT_EXCEPTION, JVMTI_EVENT_EXCEPTION_CATCH}) {
    the_jvmti->SetEventNotificationMode(on ? JVMTI_ENABLE : JVMTI_DISABLE, event, nullptr);
  }
}

extern "C" JNIEXPORT jint JNICALL Java_ExceptionEvents_thrown(JNIEnv*, jclass) {
  return the_throws;
}

extern "C" JNIEXPORT jint JNICALL Java_ExceptionEvents_caught(JNIEnv*, jclass) {
  return the_catches;
}
