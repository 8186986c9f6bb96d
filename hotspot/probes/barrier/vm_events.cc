#include "hotspot/probes/barrier/vm_events.h"

#include "hotspot/arch/arch.h"
#include "recorder/guarded.h"

namespace yp::hotspot {

VmEvents* VmEvents::instance_ = nullptr;

VmEvents::VmEvents() : threads_(&NewGuardGeneration) {}

Result<VmEvents*> VmEvents::Get(JNIEnv* jni) {
  if (instance_ != nullptr) return instance_;
  JavaVM* vm = nullptr;
  jvmtiEnv* jvmti = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK ||
      vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) {
    return Status::Error("the JVM gives no second tool interface, which the barrier probe needs");
  }
  jclass thread_class = jni->FindClass("java/lang/Thread");
  jfieldID eetop = thread_class == nullptr ? nullptr : jni->GetFieldID(thread_class, "eetop", "J");
  if (thread_class != nullptr) jni->DeleteLocalRef(thread_class);
  if (eetop == nullptr) {
    jni->ExceptionClear();
    jvmti->DisposeEnvironment();
    return Status::Error("this JVM's java.lang.Thread has no field eetop");
  }
  instance_ = new VmEvents;
  instance_->jvmti_ = jvmti;
  instance_->eetop_ = eetop;
  jvmtiEventCallbacks callbacks{};
  callbacks.DynamicCodeGenerated = &OnCode;
  callbacks.ThreadStart = &OnThreadStart;
  callbacks.ThreadEnd = &OnThreadEnd;
  callbacks.VMDeath = &OnVmDeath;
  jvmti->SetEventCallbacks(&callbacks, sizeof(callbacks));
  return instance_;
}

std::span<const uint8_t> VmEvents::FindStub(std::string_view name) {
  stubs_.clear();
  wanted_stub_ = name;
  if (Enable(JVMTI_EVENT_DYNAMIC_CODE_GENERATED, true)) {
    jvmti_->GenerateEvents(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
  }
  Enable(JVMTI_EVENT_DYNAMIC_CODE_GENERATED, false);
  // Told twice when the VM makes it just now.
  for (const auto& stub : stubs_) {
    if (stub.data() != stubs_[0].data()) return {};
  }
  return stubs_.empty() ? std::span<const uint8_t>() : stubs_[0];
}

Status VmEvents::FollowThreads(JNIEnv* jni) {
  threads_.BeginListing();
  bool ok = Enable(JVMTI_EVENT_VM_DEATH, true) && Enable(JVMTI_EVENT_THREAD_START, true) &&
            Enable(JVMTI_EVENT_THREAD_END, true);
  // A thread may have been on its way out when the events were enabled: past the place where it
  // would have told its end, and not yet out of the list. It does not stop for a safepoint there,
  // so after one it is out.
  jvmtiStackInfo* stacks = nullptr;
  jint stack_count = 0;
  ok = ok && jvmti_->GetAllStackTraces(1, &stacks, &stack_count) == JVMTI_ERROR_NONE;
  if (stacks != nullptr) {
    for (jint i = 0; i < stack_count; ++i) jni->DeleteLocalRef(stacks[i].thread);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(stacks));
  }
  jthread* threads = nullptr;
  jint count = 0;
  ok = ok && jvmti_->GetAllThreads(&count, &threads) == JVMTI_ERROR_NONE;
  std::vector<uintptr_t> listed;
  for (jint i = 0; i < count; ++i) {
    listed.push_back(NativeThread(jni, threads[i]));
    jni->DeleteLocalRef(threads[i]);
  }
  if (threads != nullptr) jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
  threads_.Listed(listed);
  if (ok && threads_.size() != 0) return Status::Ok();
  StopFollowing();
  return Status::Error("the JVM does not tell of its threads");
}

void VmEvents::StopFollowing() {
  threads_.Clear();
  Enable(JVMTI_EVENT_THREAD_START, false);
  Enable(JVMTI_EVENT_THREAD_END, false);
  Enable(JVMTI_EVENT_VM_DEATH, false);
  threads_.Clear();  // Of those that started meanwhile.
}

bool VmEvents::Enable(jvmtiEvent event, bool enable) {
  const jvmtiEventMode mode = enable ? JVMTI_ENABLE : JVMTI_DISABLE;
  return jvmti_->SetEventNotificationMode(mode, event, nullptr) == JVMTI_ERROR_NONE;
}

uintptr_t VmEvents::NativeThread(JNIEnv* jni, jthread thread) {
  return thread == nullptr ? 0
                           : static_cast<uintptr_t>(jni->GetLongField(thread, instance_->eetop_));
}

void JNICALL VmEvents::OnCode(jvmtiEnv*, const char* name, const void* address, jint bytes) {
  Guarded([&] {
    if (name == nullptr || instance_->wanted_stub_ != name || bytes <= 0) return;
    instance_->stubs_.emplace_back(static_cast<const uint8_t*>(address),
                                   static_cast<size_t>(bytes));
  });
}

void JNICALL VmEvents::OnThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Guarded([&] { instance_->threads_.Started(NativeThread(jni, thread)); });
}

void JNICALL VmEvents::OnThreadEnd(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Guarded([&] { instance_->threads_.Ended(NativeThread(jni, thread)); });
}

void JNICALL VmEvents::OnVmDeath(jvmtiEnv*, JNIEnv*) {
  // No thread's end is told after this.
  Guarded([&] { instance_->threads_.ForgetDisplacement(); });
  Guarded([&] { instance_->threads_.Clear(); });
}

}  // namespace yp::hotspot
