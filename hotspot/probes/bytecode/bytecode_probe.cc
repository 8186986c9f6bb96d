#include "hotspot/probes/bytecode/bytecode_probe.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hotspot/probes/bytecode/probe_class.h"

namespace yp::hotspot {
namespace {

// A retransformation stops the program; a batch bounds how long.
constexpr size_t kRetransformBatch = 64;

}  // namespace

BytecodeProbe::BytecodeProbe(Vm vm, ControlBlock& control, const ClassFilter& filter, bool exact,
                             bool skip_trivial, MethodRegistry& registry, Drops& drops)
    : vm_(std::move(vm)),
      control_(control),
      filter_(filter),
      exact_(exact),
      instrumenter_(filter_, exact, skip_trivial, registry, drops),
      drops_(drops) {}

Status BytecodeProbe::TakeCapabilities() {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_retransform_classes = 1;
  capabilities.can_get_bytecodes = 1;
  capabilities.can_get_source_file_name = 1;
  capabilities.can_get_line_numbers = 1;
  return vm_.jvmti->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE
             ? Status::Ok()
             : Status::Error("this JVM does not let agents rewrite classes");
}

Status BytecodeProbe::Install(JNIEnv* jni) {
  if (Status taken = TakeCapabilities(); !taken) return taken;
  control_.tick.store(0, std::memory_order_relaxed);
  if (vm_.is_attached) {
    if (Status found = ProbeClass::LetNativesBeFound(jni); !found) return found;
  }
  if (Status defined = ProbeClass::Define(jni, vm_.jdk_feature_version); !defined) return defined;
  Status primed = exact_ ? ProbeClass::PrimeExact(jni) : ProbeClass::PrimeCheck(jni);
  if (!primed) return primed;
  if (!exact_) {
    const Result<int64_t> ps = ProbeClass::ArmedCallPs(jni);
    if (!ps) return ps.status();
    observed_call_ps_ = *ps;
  }
  if (vm_.jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                          nullptr) != JVMTI_ERROR_NONE) {
    return Status::Error("the JVM refuses the class file hook");
  }
  rewrites_.store(true, std::memory_order_release);
  Retransform(jni);
  return Status::Ok();
}

void BytecodeProbe::Remove(JNIEnv* jni) {
  if (!rewrites_.exchange(false, std::memory_order_acq_rel)) return;
  if (jni != nullptr) Retransform(jni);
}

void BytecodeProbe::Arm(uint32_t tick) {
  control_.tick.store(tick, std::memory_order_relaxed);
  control_.armed.store(1, std::memory_order_release);  // Not before the tick's other words.
}

bool BytecodeProbe::IsJdkLoader(JNIEnv* jni, jobject loader) const {
  return loader == nullptr || jni->IsSameObject(loader, vm_.platform_loader) == JNI_TRUE;
}

void BytecodeProbe::RewriteLoadedClass(JNIEnv* jni, jclass redefined, jobject loader,
                                       const char* name, std::span<const unsigned char> bytes,
                                       jint* new_size, unsigned char** new_bytes) {
  if (redefined != nullptr) vm_.on_redefinition();
  if (!rewrites_.load(std::memory_order_acquire)) return;
  const bool of_jdk = IsJdkLoader(jni, loader);
  if (name != nullptr && instrumenter_.Ignores(name, of_jdk)) return;
  const std::optional<std::vector<uint8_t>> rewritten = instrumenter_.Rewrite(bytes, of_jdk);
  if (!rewritten) return;
  unsigned char* copy = nullptr;
  if (vm_.jvmti->Allocate(static_cast<jlong>(rewritten->size()), &copy) != JVMTI_ERROR_NONE) return;
  std::memcpy(copy, rewritten->data(), rewritten->size());
  *new_size = static_cast<jint>(rewritten->size());
  *new_bytes = copy;
}

void BytecodeProbe::Retransform(JNIEnv* jni) {
  jint count = 0;
  jclass* loaded = nullptr;
  if (vm_.jvmti->GetLoadedClasses(&count, &loaded) != JVMTI_ERROR_NONE) return;
  std::vector<jclass> wanted;
  for (jint i = 0; i < count; ++i) {
    jboolean modifiable = JNI_FALSE;
    jobject loader = nullptr;
    char* signature = nullptr;
    if (vm_.jvmti->IsModifiableClass(loaded[i], &modifiable) == JVMTI_ERROR_NONE && modifiable &&
        vm_.jvmti->GetClassLoader(loaded[i], &loader) == JVMTI_ERROR_NONE &&
        vm_.jvmti->GetClassSignature(loaded[i], &signature, nullptr) == JVMTI_ERROR_NONE) {
      const std::string_view text = signature;
      const bool is_class = text.size() > 2 && text.front() == 'L';
      if (is_class &&
          !instrumenter_.Ignores(text.substr(1, text.size() - 2), IsJdkLoader(jni, loader))) {
        wanted.push_back(loaded[i]);
      }
      vm_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(signature));
    }
    if (loader != nullptr) jni->DeleteLocalRef(loader);
  }
  for (size_t begin = 0; begin < wanted.size(); begin += kRetransformBatch) {
    const size_t n = std::min(kRetransformBatch, wanted.size() - begin);
    const bool all =
        vm_.jvmti->RetransformClasses(static_cast<jint>(n), &wanted[begin]) == JVMTI_ERROR_NONE;
    // One class spoils its batch: find it.
    for (size_t i = begin; !all && i < begin + n; ++i) {
      if (vm_.jvmti->RetransformClasses(1, &wanted[i]) != JVMTI_ERROR_NONE) {
        drops_.Add(Drop::kClassNotRewritten);
      }
    }
    // The hook has told before the new versions were there: a walk may have met old ones since.
    vm_.on_redefinition();
  }
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(loaded[i]);
  vm_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(loaded));
}

}  // namespace yp::hotspot
