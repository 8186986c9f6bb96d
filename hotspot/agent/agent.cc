#include "hotspot/agent/agent.h"

#include <string>
#include <utility>

#include "core/options/reply_keys.h"
#include "hotspot/probes/bytecode/bytecode_probe.h"
#include "hotspot/support/loaded_copies.h"
#include "hotspot/threads/thread_registry.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "recorder/guarded.h"
#include "recorder/log.h"

namespace yp::hotspot {

std::atomic<Agent*> Agent::instance_{nullptr};

Result<Agent*> Agent::Create(JavaVM* vm) {
  if (Agent* existing = Get()) return existing;
  if (LoadedCopiesOf("libyieldpoint.so") > 1) {
    return Status::Error(std::string(reply_key::kOtherCopy) +
                         ", as after an upgrade: it goes on as it is; the new one can be used when "
                         "the JVM has been started again");
  }
  const Result<Jvm> jvm = Jvm::Check(vm);
  if (!jvm) return jvm.status();
  VmStructs::UseLibraryOf(reinterpret_cast<const void*>(vm->functions->GetEnv));
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) {
    return Status::Error("this JVM (" + SystemProperty(jvm->jvmti(), "java.vm.name") +
                         ") is not HotSpot; nothing is recorded");
  }
  std::optional<CodeCache> code_cache;
  if (Result<CodeCache> cache = CodeCache::Create(*structs); cache) {
    code_cache = std::move(cache).value();
  } else {
    Log(std::string(cache.message()) + "; stacks are walked by JVMTI, which costs more");
  }
  std::unique_ptr<ThreadRegistry> threads = ThreadRegistry::Create();
  auto* const agent = new Agent(*jvm);
  if (threads != nullptr) {
    agent->recordings_ = std::make_unique<Recordings>(agent->jvm_, *structs, std::move(code_cache),
                                                      std::move(threads));
  }
  if (agent->recordings_ == nullptr || !agent->recordings_->has_memory()) {
    return Status::Error("no memory for the agent; nothing is recorded");
  }
  if (Status taken = agent->TakeEvents(); !taken) return taken;
  instance_.store(agent, std::memory_order_release);
  return agent;
}

Status Agent::TakeEvents() {
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = &OnVmInit;
  callbacks.VMDeath = &OnVmDeath;
  callbacks.ThreadStart = &OnThreadStart;
  callbacks.ThreadEnd = &OnThreadEnd;
  callbacks.ClassFileLoadHook = &OnClassFileLoad;
  callbacks.ClassPrepare = &OnClassPrepare;
  return jvm_.TakeEvents(callbacks);
}

void Agent::StartAtVmInit(const AgentOptions& options) {
  startup_options_ = options;
  jvm_.SetStarting();
}

void JNICALL Agent::OnVmInit(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Agent* const agent = Get();
  if (agent == nullptr || !agent->startup_options_) return;
  agent->recordings_->OnThreadStart(jni, thread);
  Guarded([&] {
    const Status started = agent->recordings_->Start(jni, *agent->startup_options_);
    if (!started) Log(started.message());
  });
  agent->jvm_.SetProgramBegins();
}

void JNICALL Agent::OnVmDeath(jvmtiEnv*, JNIEnv*) {
  if (Agent* const agent = Get()) Guarded([&] { agent->recordings_->OnVmDeath(); });
}

void JNICALL Agent::OnThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Agent* const agent = Get();
  if (agent == nullptr) return;
  agent->recordings_->OnThreadStart(jni, thread);
  Session* const session = agent->recordings_->latest();
  if (session != nullptr) Guarded([&] { session->OnThreadStart(); });
}

void JNICALL Agent::OnThreadEnd(jvmtiEnv*, JNIEnv*, jthread) {
  Agent* const agent = Get();
  if (agent == nullptr) return;
  agent->recordings_->OnThreadEnd();
  Session* const session = agent->recordings_->latest();
  if (session != nullptr) Guarded([&] { session->OnThreadEnd(); });
}

void JNICALL Agent::OnClassFileLoad(jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject loader,
                                    const char* name, jobject, jint size,
                                    const unsigned char* bytes, jint* new_size,
                                    unsigned char** new_bytes) {
  Agent* const agent = Get();
  BytecodeProbe* const probe =
      agent == nullptr ? nullptr : agent->recordings_->bytecode().rewriting();
  if (probe == nullptr) return;
  Guarded([&] {
    probe->RewriteLoadedClass(jni, redefined, loader, name, {bytes, static_cast<size_t>(size)},
                              new_size, new_bytes);
  });
}

void JNICALL Agent::OnClassPrepare(jvmtiEnv*, JNIEnv* jni, jthread, jclass type) {
  Agent* const agent = Get();
  BytecodeProbe* const probe =
      agent == nullptr ? nullptr : agent->recordings_->bytecode().rewriting();
  if (probe != nullptr) Guarded([&] { probe->OnClassPrepared(jni, type); });
}

}  // namespace yp::hotspot
