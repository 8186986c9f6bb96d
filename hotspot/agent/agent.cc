#include "hotspot/agent/agent.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>

#include "hotspot/agent/guarded.h"
#include "hotspot/agent/log.h"
#include "hotspot/probes/bytecode/probe_class.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {
namespace {

constexpr int kOldestJdk = 11;
// A retransformation stops the program; a batch bounds how long.
constexpr size_t kRetransformBatch = 64;
// How long one waits for another thread that is ending a recording: longer than it takes to take
// the probes out of any program's classes.
constexpr std::chrono::seconds kEndPatience{30};

// Not a method: with it the priming links the natives and makes its thread known.
constexpr MethodId kPrimingCallee{0};

// This thread's record, and the session that it was made ready for.
thread_local ThreadRecord* this_thread = nullptr;
thread_local uint32_t this_thread_session = 0;
thread_local bool this_thread_has_ended = false;

std::string Property(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE || value == nullptr) return "";
  std::string copy = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return copy;
}

// System.getProperty, for what only the Java side knows.
std::string JavaProperty(JNIEnv* jni, const char* name) {
  std::string result;
  if (jni->PushLocalFrame(8) != 0) {
    jni->ExceptionClear();
    return result;
  }
  const jclass system = jni->FindClass("java/lang/System");
  const jmethodID get = system == nullptr ? nullptr
                                          : jni->GetStaticMethodID(system, "getProperty",
                                                                   "(Ljava/lang/String;)Ljava/lang/"
                                                                   "String;");
  const jstring key = get == nullptr ? nullptr : jni->NewStringUTF(name);
  if (key != nullptr) {
    const auto value = static_cast<jstring>(jni->CallStaticObjectMethod(system, get, key));
    if (!jni->ExceptionCheck() && value != nullptr) {
      if (const char* text = jni->GetStringUTFChars(value, nullptr)) {
        result = text;
        jni->ReleaseStringUTFChars(value, text);
      }
    }
  }
  jni->ExceptionClear();
  jni->PopLocalFrame(nullptr);
  return result;
}

std::string Joined(const std::vector<std::string>& globs) {
  std::string joined;
  for (const std::string& glob : globs) joined += (joined.empty() ? "" : " ") + glob;
  return joined;
}

std::string ReplacePid(std::string path) {
  for (size_t at = path.find("@p"); at != std::string::npos; at = path.find("@p", at)) {
    const std::string pid = std::to_string(getpid());
    path.replace(at, 2, pid);
    at += pid.size();
  }
  return path;
}

}  // namespace

std::atomic<Agent*> Agent::instance_{nullptr};

Agent::Agent(JavaVM* vm, jvmtiEnv* jvmti, int jdk_version, std::optional<CodeCache> code_cache,
             std::unique_ptr<ThreadRegistry> threads)
    : vm_(vm),
      jvmti_(jvmti),
      jdk_version_(jdk_version),
      control_(std::make_unique<ControlBlock>()),
      threads_(std::move(threads)),
      walker_(jvmti, registry_, std::move(code_cache), drops_) {}

Result<Agent*> Agent::Create(JavaVM* vm) {
  if (Agent* existing = Get()) return existing;
  jvmtiEnv* jvmti = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) {
    return Status::Error("this JVM is older than JDK 11; nothing is recorded");
  }
  jint version = 0;
  jvmti->GetVersionNumber(&version);
  const int jdk_version = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
  if (jdk_version < kOldestJdk) {
    return Status::Error("this JVM is JDK " + std::to_string(jdk_version) +
                         ", older than 11; nothing is recorded");
  }
  VmStructs::UseLibraryOf(reinterpret_cast<const void*>(vm->functions->GetEnv));
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) {
    return Status::Error("this JVM (" + Property(jvmti, "java.vm.name") +
                         ") is not HotSpot; nothing is recorded");
  }
  std::optional<CodeCache> code_cache;
  if (Result<CodeCache> cache = CodeCache::Create(*structs); cache) {
    code_cache = std::move(cache).value();
  } else {
    Log(std::string(cache.message()) + "; stacks are walked by JVMTI, which costs more");
  }
  std::unique_ptr<ThreadRegistry> threads = ThreadRegistry::Create();
  if (threads == nullptr) return Status::Error("no memory for the agent; nothing is recorded");
  auto* agent = new Agent(vm, jvmti, jdk_version, std::move(code_cache), std::move(threads));
  if (Status taken = agent->TakeCapabilitiesAndEvents(); !taken) return taken;
  instance_.store(agent, std::memory_order_release);
  return agent;
}

Status Agent::TakeCapabilitiesAndEvents() {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_retransform_classes = 1;
  capabilities.can_get_bytecodes = 1;
  capabilities.can_get_source_file_name = 1;
  capabilities.can_get_line_numbers = 1;
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::Error("this JVM does not let agents rewrite classes; nothing is recorded");
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = &OnVmInit;
  callbacks.VMDeath = &OnVmDeath;
  callbacks.ThreadStart = &OnThreadStart;
  callbacks.ThreadEnd = &OnThreadEnd;
  callbacks.ClassFileLoadHook = &OnClassFileLoad;
  bool ok = jvmti_->SetEventCallbacks(&callbacks, sizeof(callbacks)) == JVMTI_ERROR_NONE;
  for (const jvmtiEvent event : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                 JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END}) {
    ok = ok && jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) == JVMTI_ERROR_NONE;
  }
  return ok ? Status::Ok() : Status::Error("this JVM refuses the agent's events");
}

void JNICALL Agent::OnVmInit(jvmtiEnv*, JNIEnv* jni, jthread) {
  Agent* agent = Get();
  if (agent == nullptr || !agent->startup_options_) return;
  Guarded([&] {
    if (const Status started = agent->Start(jni, *agent->startup_options_); !started) {
      Log(started.message());
    }
  });
}

void JNICALL Agent::OnVmDeath(jvmtiEnv*, JNIEnv*) {
  Agent* agent = Get();
  if (agent == nullptr) return;
  Guarded([&] {
    const std::lock_guard lock(agent->sessions_mutex_);
    Session* session = agent->session_.load(std::memory_order_relaxed);
    if (session == nullptr) return;
    if (session->BeginEnd()) {
      session->StopDrainThread();
      agent->End(*session, nullptr);
    } else {
      session->WaitUntilEnded(kEndPatience);
    }
  });
}

// A native thread may attach to the VM again.
void JNICALL Agent::OnThreadStart(jvmtiEnv*, JNIEnv*, jthread) { this_thread_has_ended = false; }

void JNICALL Agent::OnThreadEnd(jvmtiEnv*, JNIEnv*, jthread) {
  this_thread_has_ended = true;
  if (this_thread != nullptr) Get()->threads_->Leave(std::exchange(this_thread, nullptr));
}

bool Agent::IsJdkLoader(JNIEnv* jni, jobject loader) const {
  return loader == nullptr || jni->IsSameObject(loader, platform_loader_) == JNI_TRUE;
}

void JNICALL Agent::OnClassFileLoad(jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject loader,
                                    const char* name, jobject, jint size,
                                    const unsigned char* bytes, jint* new_size,
                                    unsigned char** new_bytes) {
  Agent* agent = Get();
  if (agent == nullptr) return;
  Guarded([&] {
    agent->RewriteLoadedClass(jni, redefined, loader, name, {bytes, static_cast<size_t>(size)},
                              new_size, new_bytes);
  });
}

void Agent::RewriteLoadedClass(JNIEnv* jni, jclass redefined, jobject loader, const char* name,
                               std::span<const unsigned char> bytes, jint* new_size,
                               unsigned char** new_bytes) {
  Session* session = session_.load(std::memory_order_acquire);
  if (session == nullptr) return;
  if (redefined != nullptr) walker_.Forget();
  if (!session->is_active()) return;
  const bool of_jdk = IsJdkLoader(jni, loader);
  if (name != nullptr && session->instrumenter().Ignores(name, of_jdk)) return;
  const std::optional<std::vector<uint8_t>> rewritten =
      session->instrumenter().Rewrite(bytes, of_jdk);
  if (!rewritten) return;
  unsigned char* copy = nullptr;
  if (jvmti_->Allocate(static_cast<jlong>(rewritten->size()), &copy) != JVMTI_ERROR_NONE) return;
  std::memcpy(copy, rewritten->data(), rewritten->size());
  *new_size = static_cast<jint>(rewritten->size());
  *new_bytes = copy;
}

Status Agent::Start(JNIEnv* jni, const AgentOptions& options) {
  const std::lock_guard lock(sessions_mutex_);
  if (Session* previous = session_.load(std::memory_order_relaxed)) {
    if (!previous->is_active()) previous->WaitUntilEnded(kEndPatience);
    if (!previous->has_ended()) {
      return Status::Error("a recording is under way in this JVM (process " +
                           std::to_string(getpid()) + "); stop it first");
    }
    previous->StopDrainThread();
  }
  const std::string path = ReplacePid(options.spool);
  Result<std::unique_ptr<spool::SpoolWriter>> writer =
      spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kTruncate);
  if (!writer) return writer.status();

  if (platform_loader_ == nullptr) {
    const jclass loader_class = jni->FindClass("java/lang/ClassLoader");
    const jmethodID get =
        jni->GetStaticMethodID(loader_class, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
    const jobject loader = jni->CallStaticObjectMethod(loader_class, get);
    if (jni->ExceptionCheck() || loader == nullptr) {
      jni->ExceptionClear();
      return Status::Error("the JVM does not tell its platform class loader; nothing is recorded");
    }
    platform_loader_ = jni->NewGlobalRef(loader);
  }

  const auto id = static_cast<uint32_t>(sessions_.size() + 1);
  drops_.Reset();
  registry_.Retell();
  // Every thread begins anew, with a state of the size that this recording's mode takes, and what
  // an earlier one proved need not hold under this one's filter.
  threads_->HideAll();
  bindings_.Clear();
  sessions_.push_back(std::make_unique<Session>(id, options, clock_, *control_, *threads_,
                                                registry_, drops_, std::move(writer).value()));
  Session& session = *sessions_.back();
  session_.store(&session, std::memory_order_release);

  bool has_rewritten = false;
  const auto give_up = [&](Status why) {
    if (session.BeginEnd()) {
      session.Disarm();
      session.StopDrainThread();
      if (has_rewritten) Retransform(jni, session);
      session.EndDone();
    }
    return why;
  };
  if (!startup_options_) {
    if (Status found = ProbeClass::LetNativesBeFound(jni); !found) return give_up(found);
  }
  if (Status defined = ProbeClass::Define(jni, jdk_version_); !defined) return give_up(defined);
  Status primed = session.is_exact() ? ProbeClass::PrimeExact(jni) : ProbeClass::PrimeCheck(jni);
  if (!primed) return give_up(primed);
  if (!session.is_exact()) {
    const Result<int64_t> armed_call_ps = ProbeClass::ArmedCallPs(jni);
    if (!armed_call_ps) return give_up(armed_call_ps.status());
    session.sampler().SetArmedCallCost(*armed_call_ps);
  }
  if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr) !=
      JVMTI_ERROR_NONE) {
    return give_up(Status::Error("the JVM refuses the class file hook; nothing is recorded"));
  }
  has_rewritten = true;
  Retransform(jni, session);
  Status started =
      session.Start(Describe(jni, session), [this, &session] { EndOnDrainThread(session); });
  if (!started) return give_up(started);
  return Status::Ok();
}

void Agent::End(Session& session, JNIEnv* jni) {
  session.Disarm();
  if (jni != nullptr) Retransform(jni, session);
  session.Finish();
  session.EndDone();
}

void Agent::EndOnDrainThread(Session& session) {
  if (!session.BeginEnd()) return;
  // The one moment at which the agent needs a Java thread of its own.
  JNIEnv* jni = nullptr;
  char name[] = "Yieldpoint stop";
  JavaVMAttachArgs arguments{JNI_VERSION_10, name, nullptr};
  if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK) {
    jni = nullptr;
  }
  End(session, jni);
  if (jni != nullptr) vm_->DetachCurrentThread();
}

Status Agent::Stop(JNIEnv* jni) {
  const std::lock_guard lock(sessions_mutex_);
  Session* session = session_.load(std::memory_order_relaxed);
  if (session == nullptr || session->has_ended()) {
    return Status::Error("no recording is under way in process " + std::to_string(getpid()));
  }
  if (session->BeginEnd()) {
    session->StopDrainThread();
    End(*session, jni);
  } else {
    session->WaitUntilEnded(kEndPatience);
  }
  return Status::Ok();
}

void Agent::Retransform(JNIEnv* jni, Session& session) {
  jint count = 0;
  jclass* loaded = nullptr;
  if (jvmti_->GetLoadedClasses(&count, &loaded) != JVMTI_ERROR_NONE) return;
  std::vector<jclass> wanted;
  for (jint i = 0; i < count; ++i) {
    jboolean modifiable = JNI_FALSE;
    jobject loader = nullptr;
    char* signature = nullptr;
    if (jvmti_->IsModifiableClass(loaded[i], &modifiable) == JVMTI_ERROR_NONE && modifiable &&
        jvmti_->GetClassLoader(loaded[i], &loader) == JVMTI_ERROR_NONE &&
        jvmti_->GetClassSignature(loaded[i], &signature, nullptr) == JVMTI_ERROR_NONE) {
      const std::string_view text = signature;
      const bool is_class = text.size() > 2 && text.front() == 'L';
      if (is_class && !session.instrumenter().Ignores(text.substr(1, text.size() - 2),
                                                      IsJdkLoader(jni, loader))) {
        wanted.push_back(loaded[i]);
      }
      jvmti_->Deallocate(reinterpret_cast<unsigned char*>(signature));
    }
    if (loader != nullptr) jni->DeleteLocalRef(loader);
  }
  for (size_t begin = 0; begin < wanted.size(); begin += kRetransformBatch) {
    const size_t n = std::min(kRetransformBatch, wanted.size() - begin);
    const bool all =
        jvmti_->RetransformClasses(static_cast<jint>(n), &wanted[begin]) == JVMTI_ERROR_NONE;
    // One class spoils its batch: find it.
    for (size_t i = begin; !all && i < begin + n; ++i) {
      if (jvmti_->RetransformClasses(1, &wanted[i]) != JVMTI_ERROR_NONE) {
        drops_.Add(Drop::kClassNotRewritten);
      }
    }
    // The hook has told the walk before the new versions were there: it may have met old ones
    // since.
    walker_.Forget();
  }
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(loaded[i]);
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(loaded));
}

spool::Config Agent::Describe(JNIEnv* jni, Session& session) const {
  const AgentOptions& options = session.options();
  spool::Config config;
  const auto add = [&](const char* key, std::string value) {
    config.entries.emplace_back(key, std::move(value));
  };
  const bool sampled = options.mode != AgentOptions::Mode::kExact;
  add("mode", ToString(options.mode));
  add("probe", "bytecode");
  add("walk", walker_.remembers() ? "memoised" : "jvmti");
  if (sampled) {
    const bool countdown = options.policy.kind == PolicyOptions::Kind::kCountdown;
    const bool timer = options.policy.kind == PolicyOptions::Kind::kTimer;
    add("armed_call_ps", std::to_string(session.sampler().armed_call_ps()));
    add("policy", countdown ? "countdown" : timer ? "timer" : "cbs");
    if (countdown) {
      add("interval", std::to_string(options.policy.mean_interval));
    } else {
      add("trigger", "nanosleep");
      add("mechanism", "polling");
      add("tick_ns", std::to_string(options.tick_ns));
      add("stride", std::to_string(timer ? 1 : options.policy.stride));
      add("samples", std::to_string(timer ? 1 : options.policy.samples));
    }
  }
  add("scope", ToString(options.scope));
  add("include", Joined(options.include));
  add("exclude", Joined(options.exclude));
  add("trivial", options.skip_trivial ? "exclude" : "include");
  add("jvm.name", Property(jvmti_, "java.vm.name"));
  add("jvm.version", JavaProperty(jni, "java.runtime.version"));
  add("jvm.vendor", JavaProperty(jni, "java.vendor"));
  add("jvm.pid", std::to_string(getpid()));
  add("command", JavaProperty(jni, "sun.java.command"));
  utsname machine{};
  uname(&machine);
  add("machine", std::string(machine.nodename) + " " + machine.machine + " " + machine.sysname +
                     " " + machine.release + ", " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
                     " processors");
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  add("start_time_ns",
      std::to_string(static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec));
  return config;
}

std::string Agent::NameOfThisThread(JNIEnv* jni) const {
  std::string name;
  jthread thread = nullptr;
  if (jvmti_->GetCurrentThread(&thread) != JVMTI_ERROR_NONE || thread == nullptr) return name;
  char* signature = nullptr;
  const jclass type = jni->GetObjectClass(thread);
  bool is_virtual = false;
  if (jvmti_->GetClassSignature(type, &signature, nullptr) == JVMTI_ERROR_NONE) {
    is_virtual = std::string_view(signature).find("VirtualThread;") != std::string_view::npos;
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  jvmtiThreadInfo info{};
  if (is_virtual) {
    // The record is the carrier's, whose Java name cannot be asked for from here.
    char kernel_name[16] = "";
    pthread_getname_np(pthread_self(), kernel_name, sizeof(kernel_name));
    name = kernel_name;
  } else if (jvmti_->GetThreadInfo(thread, &info) == JVMTI_ERROR_NONE) {
    if (info.name != nullptr) name = info.name;
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(info.name));
    if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
    if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
  }
  jni->DeleteLocalRef(type);
  jni->DeleteLocalRef(thread);
  return name;
}

ThreadRecord* Agent::ThreadOf(JNIEnv* jni, Session& session, int64_t java_thread_id) {
  if (this_thread_has_ended) return nullptr;
  if (this_thread != nullptr) {
    // Made while its Thread object was, without an id: the table does not lead to it.
    const bool was_nameless = this_thread->java_thread_id == 0 && java_thread_id != 0;
    if (this_thread_session == session.id() && !was_nameless) return this_thread;
    threads_->Leave(std::exchange(this_thread, nullptr));
  }
  uint64_t seed = session.options().seed;
  if (seed == 0) seed = static_cast<uint64_t>(clock_.NowNs());
  this_thread = threads_->Enter(java_thread_id, NameOfThisThread(jni), session.is_exact(), seed);
  if (this_thread == nullptr) return nullptr;
  if (!Prepare(*this_thread, session)) return nullptr;
  this_thread_session = session.id();
  return this_thread;
}

bool Agent::Prepare(ThreadRecord& thread, Session& session) {
  if (session.is_exact()) {
    const std::lock_guard lock(thread.drain_mutex);
    if (thread.slow_counts == nullptr) thread.slow_counts = std::make_unique<EdgeCounters>();
    return true;
  }
  Result<std::unique_ptr<SamplingPolicy>> policy =
      MakePolicy(session.options().policy, thread.random);
  if (!policy) return false;
  thread.policy = std::move(policy).value();
  // What a thread did before the recording is no window's interval. A recording from the VM's start
  // has seen all of it.
  const bool from_start = startup_options_.has_value() && session.id() == 1;
  thread.previous_window_cpu_ns = from_start ? 0 : clock_.ThreadCpuNs();
  const std::lock_guard lock(thread.drain_mutex);
  if (thread.ring == nullptr) thread.ring = std::make_unique<SampleRing>();
  return true;
}

void Agent::OnArmedCall(JNIEnv* jni, MethodId callee, int64_t java_thread_id,
                        const CallWalker::Start& start) {
  Session* session = session_.load(std::memory_order_acquire);
  if (session == nullptr || session->is_exact() || !session->is_active()) return;
  ThreadRecord* thread = ThreadOf(jni, *session, java_thread_id);
  if (thread == nullptr) {
    drops_.Add(Drop::kNoThreadState);
    return;
  }
  if (callee == kPrimingCallee) {
    session->sampler().CountForever(*thread);
    return;
  }
  const Sampler::Verdict verdict = session->sampler().OnCall(*thread);
  PushWindowEnd(*thread, verdict.ended);
  if (!verdict.sample) return;
  const int64_t begin_ns = clock_.NowNs();
  CallWalker::Start from = start;
  from.stack_end = thread->stack_end;
  const std::optional<CallWalker::Answer> answer = walker_.Walk(jni, callee, from);
  if (answer) {
    PushSample(*thread, answer->edge);
  } else {
    drops_.Add(Drop::kWalkFailed);
  }
  PushWindowEnd(*thread, session->sampler().AfterSample(*thread, begin_ns));
  if (thread->ring->HasBecomeHalfFull()) session->DrainSoon();
}

void Agent::PushSample(ThreadRecord& thread, EdgeId edge) {
  PushWindowEnd(thread, std::nullopt);
  if (thread.unsent_end || !thread.ring->PushSample(edge)) drops_.Add(Drop::kRingFull);
}

// Samples belong to the window whose end follows them: where an end finds no room, nothing else
// goes into the ring before it.
void Agent::PushWindowEnd(ThreadRecord& thread, const std::optional<WindowSummary>& ended) {
  if (thread.unsent_end && thread.ring->PushWindowEnd(*thread.unsent_end)) {
    thread.unsent_end.reset();
  }
  if (!ended) return;
  if (thread.unsent_end) {
    drops_.Add(Drop::kRingFull);  // None of its samples was sent either.
  } else if (!thread.ring->PushWindowEnd(*ended)) {
    thread.unsent_end = ended;
  }
}

void Agent::OnExactCall(JNIEnv* jni, MethodId callee, int32_t site, int64_t java_thread_id,
                        const CallWalker::Start& start) {
  Session* session = session_.load(std::memory_order_acquire);
  if (session == nullptr || !session->is_exact() || session->has_ended()) return;
  ThreadRecord* thread = ThreadOf(jni, *session, java_thread_id);
  if (thread == nullptr) {
    drops_.Add(Drop::kNoThreadState);
    return;
  }
  if (callee == kPrimingCallee) return;
  CallWalker::Start from = start;
  from.stack_end = thread->stack_end;
  std::optional<CallWalker::Answer> answer = walker_.Walk(jni, callee, from);
  if (!answer) {
    drops_.Add(Drop::kWalkFailed);
    return;
  }
  if (site != 0 && bindings_.Get(answer->edge) == EdgeBindings::kUndecided) {
    if (!answer->definition) answer = walker_.WalkSlowly(jni, callee);
    if (answer && answer->definition) DecideBinding(jni, *session, *answer, site);
  }
  if (!answer || !thread->slow_counts->Increment(answer->edge)) {
    drops_.Add(Drop::kNoThreadState);
    return;
  }
  if (site != 0 && bindings_.Get(answer->edge) == site) {
    Bind(*thread, callee, site, answer->edge);
  }
}

void Agent::DecideBinding(JNIEnv* jni, const Session& session, const CallWalker::Answer& answer,
                          int32_t site) {
  const MethodRegistry::Site announced = registry_.SiteAt(site);
  const Edge& edge = *answer.definition;
  // An announcement that another call left behind says nothing about this edge.
  if (announced.caller != edge.caller || announced.bci != edge.bci) return;
  const bool provable = answer.hidden_frames == 0 &&
                        (!announced.is_virtual || session.filter().observes_whole_jdk() ||
                         !walker_.methods().MayBeCalledByJdk(jni, answer.callee));
  bindings_.Set(answer.edge, provable ? site : EdgeBindings::kNever);
}

void Agent::Bind(ThreadRecord& thread, MethodId callee, int32_t site, EdgeId edge) {
  for (SiteWay& way : thread.shared->sites()[site].ways) {
    if (way.method.load(std::memory_order_relaxed) != 0) continue;
    const std::lock_guard lock(thread.drain_mutex);
    thread.ways.emplace_back(&way, edge);
    way.method.store(static_cast<int32_t>(ToIndex(callee)), std::memory_order_relaxed);
    return;
  }
}

}  // namespace yp::hotspot
