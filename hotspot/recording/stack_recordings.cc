#include "hotspot/recording/stack_recordings.h"

#include <algorithm>
#include <utility>

#include "hotspot/arch/arch.h"
#include "hotspot/support/java_calls.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "recorder/log.h"
#include "recorder/triggers/perf_events.h"
#include "recorder/triggers/signal_triggers.h"

namespace yp::hotspot {
namespace {

// The VM's own object of the calling thread, which java.lang.Thread keeps in a field.
Result<const void*> JavaThreadOf(JNIEnv* jni) {
  constexpr int64_t kMaxBytes = 1 << 16;  // Of a JavaThread.
  JavaCalls java(jni);
  const jobject thread =
      java.CallStatic("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;");
  const auto address = static_cast<intptr_t>(java.GetLong(thread, "java/lang/Thread", "eetop"));
  if (!java.ok()) return Status::Error(java.error());
  // JNIEnv is a part of it.
  const intptr_t env_offset = reinterpret_cast<intptr_t>(jni) - address;
  if (env_offset <= 0 || env_offset >= kMaxBytes) {
    return Status::Error("this JVM's threads are not laid out as expected");
  }
  return reinterpret_cast<const void*>(address);
}

}  // namespace

void StackRecordings::MakeSampler(StackSampler::Walk walk) {
  StackSampler::Host host;
  host.walk = walk;
  host.env_of_this_thread = [vm = jvm_.vm()]() -> JNIEnv* {
    void* env = nullptr;
    return vm->GetEnv(&env, JNI_VERSION_10) == JNI_OK ? static_cast<JNIEnv*>(env) : nullptr;
  };
  host.clock = &clock_;
  host.label = [this](const ucontext_t& context, JNIEnv* env, std::span<RawFrame> frames) {
    LabelFrames(context, env, frames);
  };
  host.after_signal = &PerfEvents::CountNext;
  sampler_ = std::make_unique<StackSampler>(std::move(host), drops_);
}

Result<std::unique_ptr<StackRecording>> StackRecordings::New(JNIEnv* jni, const Session& session,
                                                             const AgentOptions& options) {
  // Calls that are caught at their entries are walked by ourselves.
  const bool asks_vm = options.stacks != AgentOptions::Stacks::kNone || !session.at_entries();
  const Result<StackSampler::Walk> walk = FindStackWalk();
  if (asks_vm && !walk) return walk.status();
  if (sampler_ == nullptr) MakeSampler(walk ? *walk : nullptr);
  if (asks_vm) {
    if (Status started = method_ids_.Start(); !started) return started;
  }
  if (options.jit && options.stacks != AgentOptions::Stacks::kNone) {
    if (const Status labelled = PrepareToLabel(jni); labelled) {
      labels_.store(labeller_.get(), std::memory_order_release);  // Partner: LabelFrames.
    } else {
      Log("which compilations the time goes to is not recorded: " +
          std::string(labelled.message()) + "; goes on without");
    }
  }
  const std::function<bool(std::string)> observes =
      [packages = jvm_.JdkPackages(jni), &filter = session.filter()](std::string class_name) {
        std::ranges::replace(class_name, '.', '/');
        const bool is_of_jdk = IsInPackages(class_name, packages);
        return filter.Classify(class_name, is_of_jdk) == ClassFilter::Verdict::kObserve;
      };
  return std::make_unique<StackRecording>(*sampler_, SignalTriggers::For(options), registry_,
                                          drops_, session.start_ns(),
                                          [this, observes](std::span<void* const> methods) {
                                            Names names;
                                            jvm_.AsJavaThread([&](JNIEnv* env) {
                                              if (env != nullptr)
                                                names = NameMethods(env, methods, observes);
                                            });
                                            return names;
                                          });
}

void StackRecordings::End() { method_ids_.Stop(); }

Status StackRecordings::PrepareToLabel(JNIEnv* jni) {
  if (labeller_ != nullptr) return Status::Ok();
  if (code_cache_ == nullptr) return Status::Error("the VM's code cache cannot be read");
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return structs.status();
  Result<CodeLabeller> labeller =
      CodeLabeller::Create(*structs, *code_cache_, jvm_.feature_version());
  if (!labeller) return labeller.status();
  const Result<const void*> thread = JavaThreadOf(jni);
  if (!thread) return thread.status();
  env_offset_ =
      static_cast<int64_t>(reinterpret_cast<intptr_t>(jni) - reinterpret_cast<intptr_t>(*thread));
  labeller_ = std::make_unique<CodeLabeller>(std::move(labeller).value());
  return Status::Ok();
}

// Async-signal-safe as CodeLabeller.
void StackRecordings::LabelFrames(const ucontext_t& context, JNIEnv* env,
                                  std::span<RawFrame> frames) {
  CodeLabeller* const labeller = labels_.load(std::memory_order_acquire);  // Partner: New.
  if (labeller == nullptr) return;
  CodeLabeller::Interrupted from;
  const InterruptedRegisters registers = RegistersOf(context);
  from.pc = registers.pc;
  from.sp = registers.sp;
  from.frame_pointer = registers.frame_pointer;
  from.java_thread = reinterpret_cast<const char*>(env) - env_offset_;
  labeller->Label(from, frames);
}

StackRecordings::Names StackRecordings::NameMethods(
    JNIEnv* jni, std::span<void* const> methods,
    const std::function<bool(std::string class_name)>& observes) {
  Names names;
  for (void* const method : methods) {
    const auto walked = walker_.methods().Resolve(jni, static_cast<jmethodID>(method));
    if (walked == nullptr) {
      names.emplace_back();
    } else if (walked->is_hidden || walked->is_probe) {
      names.emplace_back(ContextBuilder::NamedMethod{});
    } else {
      if (observes(registry_.ClassNameOf(walked->id))) {
        registry_.AddFlags(walked->id, Method::kObserved);
      }
      names.emplace_back(ContextBuilder::NamedMethod{walked->id, walked->map});
    }
  }
  return names;
}

}  // namespace yp::hotspot
