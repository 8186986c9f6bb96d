#ifndef YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_PROBE_H_
#define YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_PROBE_H_

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "hotspot/discovery/edge_discovery.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/probes/bytecode/instrumenter.h"
#include "hotspot/probes/bytecode/linking_loaders.h"
#include "hotspot/probes/probe.h"
#include "hotspot/probes/probe_host.h"
#include "hotspot/support/class_filter.h"
#include "hotspot/support/drops.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {

// The probe in bytecode: loaded classes are rewritten, and retransformed back when it is taken out.
class BytecodeProbe final : public Probe {
 public:
  struct Vm {
    jvmtiEnv* jvmti = nullptr;
    int jdk_feature_version = 0;
    bool is_attached = false;  // The agent came after the VM's start.
    // Classes whose methods are running may be rewritten: MayRewriteRunningMethods.
    bool may_rewrite_running = true;
    bool has_program = false;                           // Its methods may be running.
    jobject platform_loader = nullptr;                  // A global reference.
    std::function<void()> on_redefinition;              // Classes have other bytecode than before.
    std::function<MethodId(JNIEnv*, jmethodID)> id_of;  // Of a method in a frame.
    // Runs on the calling thread, which becomes one of Java's meanwhile; null when it cannot.
    std::function<void(const std::function<void(JNIEnv*)>&)> as_java_thread;
  };
  struct Purpose {
    Probing probing = Probing::kSampling;
    bool skip_trivial = false;
    // For edges: where the probes look; and the packages of the JDK's, when its classes are not
    // observed.
    DiscoveryTables* tables = nullptr;
    PackageSet jdk_packages;
  };
  BytecodeProbe(Vm vm, ControlBlock& control, const ClassFilter& filter, Purpose purpose,
                MethodRegistry& registry, Drops& drops);

  // For one recording; it goes on to get the VM's events.
  static std::unique_ptr<Probe> Make(const ProbeHost& host, JNIEnv* jni,
                                     const AgentOptions& options);

  const char* name() const override { return "bytecode"; }
  // The agent's slow paths must work.
  Status Install(JNIEnv* jni) override;
  void Remove(JNIEnv* jni) override;
  void Arm(uint32_t tick, Countdown countdown) override;
  void Disarm() override { control_.armed.store(0, std::memory_order_relaxed); }
  int64_t observed_call_ps() const override { return observed_call_ps_; }
  int64_t slow_path_ps() const override { return slow_path_ps_; }
  CallCost cost_of_counting() const override { return cost_of_counting_; }
  void Maintain() override;
  std::vector<std::pair<std::string, std::string>> Facts() const override;
  // Null unless the probes are for edges.
  EdgeDiscovery* discovery() override { return discovery_.get(); }

  // The class file hook; everything as the VM gives it.
  void RewriteLoadedClass(JNIEnv* jni, jclass redefined, jobject loader, const char* name,
                          std::span<const unsigned char> bytes, jint* new_size,
                          unsigned char** new_bytes);
  // A class can have instances from now on.
  void OnClassPrepared(JNIEnv* jni, jclass type);

 private:
  Status TakeCapabilities();
  // Lets the VM load again every loaded class of that internal name and loader that is wanted, so
  // that the hook sees it.
  using IsWanted = std::function<bool(const std::string& name, bool of_jdk)>;
  void Retransform(JNIEnv* jni, const IsWanted& is_wanted);
  void RetransformObserved(JNIEnv* jni);
  bool IsJdkLoader(JNIEnv* jni, jobject loader) const;
  Status Prime(JNIEnv* jni);
  // Measures what counting costs, after it was primed.
  Status PrimeToCount(JNIEnv* jni);
  Status EnableEvents();
  // Those that are there already.
  void TakeInPreparedClasses(JNIEnv* jni);
  // Those that run go on without probes: code without probes can call what they call.
  void OpenCallsOfOldFrames(JNIEnv* jni);
  // Tells the discovery of the ancestors that have no probes.
  void DefineAncestors(JNIEnv* jni, jclass type);

  const Vm vm_;
  ControlBlock& control_;
  const ClassFilter filter_;
  const Probing probing_;
  const std::unique_ptr<EdgeDiscovery> discovery_;  // Before the instrumenter, which uses it.
  Instrumenter instrumenter_;
  LinkingLoaders linking_loaders_;
  MethodRegistry& registry_;
  Drops& drops_;
  std::atomic<bool> rewrites_{false};
  int64_t observed_call_ps_ = 0;
  int64_t slow_path_ps_ = 0;
  CallCost cost_of_counting_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_BYTECODE_PROBE_H_
