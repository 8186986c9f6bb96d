#ifndef YP_HOTSPOT_AGENT_AGENT_H_
#define YP_HOTSPOT_AGENT_AGENT_H_

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/probes/barrier/barrier_probe.h"
#include "hotspot/probes/bytecode/bytecode_probe.h"
#include "hotspot/probes/bytecode/context_counts.h"
#include "hotspot/probes/no_probe.h"
#include "hotspot/probes/patch/patch_probe.h"
#include "hotspot/recording/mode.h"
#include "hotspot/recording/options.h"
#include "hotspot/recording/recorded_threads.h"
#include "hotspot/recording/session.h"
#include "hotspot/stacks/method_ids.h"
#include "hotspot/stacks/stack_sampler.h"
#include "hotspot/support/drops.h"
#include "hotspot/threads/shared_memory.h"
#include "hotspot/threads/thread_registry.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "hotspot/walk/call_walker.h"
#include "hotspot/walk/code_labeller.h"
#include "hotspot/walk/entry_walker.h"

namespace yp::hotspot {

// The agent in one JVM: what outlives a recording, and the recordings.
//
// Life: Create (in Agent_OnLoad or Agent_OnAttach) checks the VM and takes what it needs, changing
// nothing if anything is not as known. Start puts the probe in and begins a Session. Stop takes the
// probe out again. There is one Agent for the process, and it is never deleted: Java threads and
// the VM's callbacks reach it to the very end, and a destructor that ran at exit would race with
// them.
class Agent final : public EntryHandler {
 public:
  // Null, with a reason, when this VM is not one that is known.
  static Result<Agent*> Create(JavaVM* vm);
  // Null before Create.
  static Agent* Get() { return instance_.load(std::memory_order_acquire); }

  // Remembers options for the VM's start; or starts at once when it is up.
  void StartAtVmInit(const AgentOptions& options) { startup_options_ = options; }
  Status Start(JNIEnv* jni, const AgentOptions& options);
  // Ends the running session and takes the probe out of every class. An error when there is none.
  Status Stop(JNIEnv* jni);

  // What becomes of the calls of the latest recording; null before the first.
  Mode* mode() const {
    const Session* const session = session_.load(std::memory_order_acquire);
    return session == nullptr ? nullptr : session->mode();
  }
  const DiscoveryTables* discovery_tables() const { return discovery_tables_; }
  const ContextCounts* context_counts() const { return context_counts_.get(); }
  const ControlBlock* control() const { return control_.get(); }
  const ThreadTableEntry* thread_table() const { return threads_->table(); }

 private:
  Agent(JavaVM* vm, jvmtiEnv* jvmti, int jdk_version, std::optional<CodeCache> code_cache,
        std::unique_ptr<ThreadRegistry> threads);

  static void JNICALL OnVmInit(jvmtiEnv*, JNIEnv*, jthread);
  static void JNICALL OnVmDeath(jvmtiEnv*, JNIEnv*);
  static void JNICALL OnThreadStart(jvmtiEnv*, JNIEnv*, jthread);
  static void JNICALL OnThreadEnd(jvmtiEnv*, JNIEnv*, jthread);
  static void JNICALL OnClassFileLoad(jvmtiEnv*, JNIEnv*, jclass redefined, jobject loader,
                                      const char* name, jobject domain, jint size,
                                      const unsigned char* bytes, jint* new_size,
                                      unsigned char** new_bytes);
  static void JNICALL OnClassPrepare(jvmtiEnv*, JNIEnv*, jthread, jclass type);
  bool OnEntry(const EntryCall& call) override;

  void PrepareForEntries(const VmStructs& structs);
  // Makes the profile reader, which only recordings need that infer: it takes memory, and a system
  // call that not every sandbox allows.
  void PrepareToInfer();
  Status TakeEvents();
  // Has the processor count the session's calls, if it has windows and the machine allows it. What
  // is to be said of that: the event, or "none" and why; nothing where it is not asked for.
  std::string CountCalls(Session& session);
  // Has the VM record what its compilers do, if the options ask for it. What is to be said of that:
  // keys and values of the configuration.
  std::vector<std::pair<std::string, std::string>> RecordCompilers(JNIEnv* jni, Session& session,
                                                                   const std::string& spool);
  // What takes stacks, with what the options ask for.
  Result<std::unique_ptr<StackRecording>> NewStackRecording(JNIEnv* jni, const Session& session,
                                                            const AgentOptions& options);
  // `observes`: whether the class's methods are the recording's, by its dotted name. On a thread of
  // the VM's.
  std::vector<std::optional<ContextFolder::NamedMethod>> NameMethods(
      JNIEnv* jni, std::span<void* const> methods,
      const std::function<bool(std::string class_name)>& observes);
  // On a thread of the VM's.
  Status PrepareToLabel(JNIEnv* jni);
  // Empty where that cannot be read.
  std::vector<spool::EarlierCode> CodeBeforeNow() const;
  void LabelFrames(const ucontext_t& context, JNIEnv* env, std::span<RawFrame> frames);
  Status FindPlatformLoader(JNIEnv* jni);
  // Those of the boot and of the platform class loader. After FindPlatformLoader.
  PackageSet JdkPackages(JNIEnv* jni) const;
  // The probe on compiled entries that the options ask for, put in; null when they ask for none, or
  // leave the choice and this VM is not one for it.
  Result<Probe*> InstallEntryProbe(JNIEnv* jni, const AgentOptions& options);
  BytecodeProbe* NewBytecodeProbe(JNIEnv* jni, const AgentOptions& options);
  // After BeginEnd, the drain's thread having ended or being the one that calls. Without a JNIEnv
  // rewritten classes stay so.
  void End(Session& session, JNIEnv* jni);
  // After BeginEnd, from another thread than the drain's, which it ends.
  void EndOnThisThread(Session& session, JNIEnv* jni);
  void EndOnDrainThread(Session& session);
  // Makes the calling thread a Java thread meanwhile, if it is none. With null when the VM refuses.
  void AsJavaThread(const std::function<void(JNIEnv*)>& run);

  static std::atomic<Agent*> instance_;

  JavaVM* const vm_;
  jvmtiEnv* const jvmti_;
  const int jdk_version_;
  SystemClock clock_;
  const std::unique_ptr<ControlBlock> control_;
  DiscoveryTables* const discovery_tables_;        // Null when there was no memory.
  std::unique_ptr<ContextCounts> context_counts_;  // Made with the first probe in bytecode.
  const std::unique_ptr<ThreadRegistry> threads_;
  const std::optional<CodeCache> code_cache_;
  MethodRegistry registry_;
  Drops drops_;
  CallWalker walker_;
  RecordedThreads recorded_threads_;
  std::unique_ptr<EntryWalker> entry_walker_;  // Null where entries_refused_ says why.
  // Null where entries_refused_ says why.
  std::unique_ptr<PatchProbe> patch_probe_;
  std::unique_ptr<BarrierProbe> barrier_probe_;
  std::unique_ptr<ProfileReader> profile_reader_;
  std::unique_ptr<StackSampler> stack_sampler_;  // Made with the first recording of stacks.
  // Of the recording, or null: what says of its stacks which code executes them.
  std::atomic<CodeLabeller*> labels_{nullptr};
  std::unique_ptr<CodeLabeller> labeller_;  // Made with the first recording that wants it.
  int64_t env_offset_ = 0;                  // Of a thread's JNIEnv from the VM's JavaThread.
  MethodIds method_ids_;
  NoProbe no_probe_;
  Status entries_refused_;
  jobject platform_loader_ = nullptr;
  std::optional<AgentOptions> startup_options_;

  std::optional<RecordingHost> host_;
  std::mutex sessions_mutex_;  // Held while a session starts or stops.
  std::vector<std::unique_ptr<BytecodeProbe>> bytecode_probes_;
  std::atomic<BytecodeProbe*> rewriting_{nullptr};  // The latest.
  std::vector<std::unique_ptr<Session>> sessions_;
  std::atomic<Session*> session_{nullptr};  // The latest; it may have been stopped.
  // Its threads go on for a moment, and whoever attaches is still let in.
  bool vm_has_ended_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_AGENT_AGENT_H_
