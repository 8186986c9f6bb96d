#ifndef YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_PROBE_H_
#define YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_PROBE_H_

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include "hotspot/agent/class_filter.h"
#include "hotspot/agent/drops.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/probes/bytecode/instrumenter.h"
#include "hotspot/probes/probe.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

// The probe in bytecode: loaded classes are rewritten, and retransformed back when it is taken out.
class BytecodeProbe final : public Probe {
 public:
  struct Vm {
    jvmtiEnv* jvmti = nullptr;
    int jdk_feature_version = 0;
    bool is_attached = false;               // The agent came after the VM's start.
    jobject platform_loader = nullptr;      // A global reference.
    std::function<void()> on_redefinition;  // Classes have other bytecode than before.
  };
  BytecodeProbe(Vm vm, ControlBlock& control, const ClassFilter& filter, bool exact,
                bool skip_trivial, MethodRegistry& registry, Drops& drops);

  const char* name() const override { return "bytecode"; }
  // The agent's slow paths must work.
  Status Install(JNIEnv* jni) override;
  void Remove(JNIEnv* jni) override;
  void Arm(uint32_t tick) override;
  void Disarm() override { control_.armed.store(0, std::memory_order_relaxed); }
  int64_t observed_call_ps() const override { return observed_call_ps_; }

  // The class file hook; everything as the VM gives it.
  void RewriteLoadedClass(JNIEnv* jni, jclass redefined, jobject loader, const char* name,
                          std::span<const unsigned char> bytes, jint* new_size,
                          unsigned char** new_bytes);

 private:
  Status TakeCapabilities();
  // Lets the VM load again every loaded class that is observed, so that the hook sees it.
  void Retransform(JNIEnv* jni);
  bool IsJdkLoader(JNIEnv* jni, jobject loader) const;

  const Vm vm_;
  ControlBlock& control_;
  const ClassFilter filter_;
  const bool exact_;
  Instrumenter instrumenter_;
  Drops& drops_;
  std::atomic<bool> rewrites_{false};
  int64_t observed_call_ps_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_PROBE_H_
