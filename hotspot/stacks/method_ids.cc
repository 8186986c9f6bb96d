#include "hotspot/stacks/method_ids.h"

#include "hotspot/support/jvmti_owned.h"
#include "hotspot/support/loaded_classes.h"

namespace yp::hotspot {
namespace {

void MakeIds(jvmtiEnv* jvmti, jclass type) {
  jint count = 0;
  JvmtiOwned<jmethodID> methods(jvmti);
  (void)jvmti->GetClassMethods(type, &count, methods.out());  // Not of one that is not prepared.
}

}  // namespace

void JNICALL MethodIds::OnClassPrepare(jvmtiEnv* jvmti, JNIEnv*, jthread, jclass type) {
  MakeIds(jvmti, type);
}

bool MethodIds::Notify(jvmtiEventMode mode) {
  bool ok = true;
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE}) {
    ok = jvmti_->SetEventNotificationMode(mode, event, nullptr) == JVMTI_ERROR_NONE && ok;
  }
  return ok;
}

Status MethodIds::TakeEvents() {
  if (jvmti_ == nullptr) {
    if (vm_->GetEnv(reinterpret_cast<void**>(&jvmti_), JVMTI_VERSION_11) != JNI_OK) {
      jvmti_ = nullptr;
      return Status::Error("this JVM gives no second tool interface");
    }
    jvmtiEventCallbacks callbacks{};
    callbacks.ClassLoad = &OnClassLoad;
    callbacks.ClassPrepare = &OnClassPrepare;
    (void)jvmti_->SetEventCallbacks(&callbacks, sizeof(callbacks));
  }
  return Notify(JVMTI_ENABLE) ? Status::Ok()
                              : Status::Error("this JVM refuses the events of class loading");
}

Status MethodIds::Start() {
  if (Status taken = TakeEvents(); !taken) return taken;
  // The events first, so that no class is between the two.
  JNIEnv* jni = nullptr;
  if (vm_->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_10) != JNI_OK) jni = nullptr;
  const LoadedClasses loaded(jvmti_, jni);
  if (!loaded.is_known()) return Status::Error("this JVM does not tell its classes");
  for (const jclass type : loaded.all()) MakeIds(jvmti_, type);
  return Status::Ok();
}

void MethodIds::Stop() {
  if (jvmti_ != nullptr) (void)Notify(JVMTI_DISABLE);
}

}  // namespace yp::hotspot
