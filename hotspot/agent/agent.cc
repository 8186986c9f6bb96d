#include "hotspot/agent/agent.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/options/config_keys.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/jit/earlier_code.h"
#include "hotspot/probes/entry/refusals.h"
#include "hotspot/recording/describe.h"
#include "hotspot/support/java_calls.h"
#include "hotspot/support/platform_packages.h"
#include "hotspot/vmstructs/vm_flags.h"
#include "hotspot/vmstructs/vm_structs.h"
#include "recorder/guarded.h"
#include "recorder/log.h"
#include "recorder/triggers/call_counters.h"
#include "recorder/triggers/interval_timer.h"
#include "recorder/triggers/perf_events.h"

namespace yp::hotspot {
namespace {

constexpr int kOldestJdk = 11;
constexpr const char* kNotAtThisMoment =
    "this JVM does not take agents at this moment, as when it starts or ends; nothing is "
    "recorded, try again";
// How long one waits for another thread that is ending a recording: longer than it takes to take
// the probes out of any program's classes.
constexpr std::chrono::seconds kEndPatience{30};
// Calls from one sample to the next, by countdown: an armed call costs 0.3 ns at a compiled entry
// and 3 ns in a rewritten class, a sample some 300 ns.
constexpr uint32_t kIntervalAtEntries = 1009, kIntervalInClasses = 251;
// At entries that are still patched when a recording has ended, before a thread asks again.
constexpr int64_t kCallsBetweenRecordings = 1000;

std::string ReplacePid(std::string path) {
  for (size_t at = path.find("@p"); at != std::string::npos; at = path.find("@p", at)) {
    const std::string pid = std::to_string(getpid());
    path.replace(at, 2, pid);
    at += pid.size();
  }
  return path;
}

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

std::atomic<Agent*> Agent::instance_{nullptr};

Agent::Agent(JavaVM* vm, jvmtiEnv* jvmti, int jdk_version, std::optional<CodeCache> code_cache,
             std::unique_ptr<ThreadRegistry> threads)
    : vm_(vm),
      jvmti_(jvmti),
      jdk_version_(jdk_version),
      control_(std::make_unique<ControlBlock>()),
      discovery_tables_(static_cast<DiscoveryTables*>(MapZeroedPages(sizeof(DiscoveryTables)))),
      threads_(std::move(threads)),
      code_cache_(std::move(code_cache)),
      walker_(jvmti, registry_, code_cache_, drops_),
      recorded_threads_(jvmti, clock_, *threads_),
      method_ids_(vm) {}

Result<Agent*> Agent::Create(JavaVM* vm) {
  if (Agent* existing = Get()) return existing;
  jvmtiEnv* jvmti = nullptr;
  const jint answer = vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11);
  if (answer == JNI_EVERSION) {
    return Status::Error("this JVM is older than JDK 11; nothing is recorded");
  }
  if (answer != JNI_OK) {
    return Status::Error(kNotAtThisMoment);
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
  auto* agent = threads == nullptr
                    ? nullptr
                    : new Agent(vm, jvmti, jdk_version, std::move(code_cache), std::move(threads));
  if (agent == nullptr || agent->discovery_tables_ == nullptr) {
    return Status::Error("no memory for the agent; nothing is recorded");
  }
  agent->PrepareForEntries(*structs);
  if (Status taken = agent->TakeEvents(); !taken) return taken;
  instance_.store(agent, std::memory_order_release);
  return agent;
}

void Agent::PrepareForEntries(const VmStructs& structs) {
  if (!code_cache_) {
    entries_refused_ = Status::Error("the VM's code cache cannot be read");
  } else if (auto made = EntryWalker::Create(structs, *code_cache_, jdk_version_, registry_);
             !made) {
    entries_refused_ = made.status();
  } else {
    entry_walker_ = std::move(made).value();
    patch_probe_ =
        std::make_unique<PatchProbe>(*code_cache_, jdk_version_, clock_, *this,
                                     [this](int64_t calls) { threads_->SetCallsLeft(calls); });
    const bool patches_code = ReadVmFlag(structs, "UseZGC").value_or(true) ||
                              ReadVmFlag(structs, "UseShenandoahGC").value_or(false);
    barrier_probe_ = std::make_unique<BarrierProbe>(
        *code_cache_,
        BarrierProbe::Options{.jdk = jdk_version_,
                              .collector_patches_code = patches_code,
                              .handler = this,
                              .begin_counting = [this] { threads_->SetCallsLeft(0); }});
  }
  host_.emplace(RecordingHost{.jvmti = jvmti_,
                              .clock = clock_,
                              .threads = recorded_threads_,
                              .registry = registry_,
                              .drops = drops_,
                              .walker = walker_,
                              .entry_walker = entry_walker_.get()});
}

void Agent::PrepareToInfer() {
  if (profile_reader_ != nullptr) return;
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  Result<std::unique_ptr<ProfileReader>> reader =
      structs ? ProfileReader::Create(*structs, *code_cache_, jdk_version_) : structs.status();
  if (reader) {
    profile_reader_ = std::move(reader).value();
  } else {
    Log("the VM's method profiles cannot be read (" + std::string(reader.message()) +
        "); inlined calls are inferred without them");
  }
}

Status Agent::TakeEvents() {
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = &OnVmInit;
  callbacks.VMDeath = &OnVmDeath;
  callbacks.ThreadStart = &OnThreadStart;
  callbacks.ThreadEnd = &OnThreadEnd;
  callbacks.ClassFileLoadHook = &OnClassFileLoad;
  callbacks.ClassPrepare = &OnClassPrepare;
  bool ok = jvmti_->SetEventCallbacks(&callbacks, sizeof(callbacks)) == JVMTI_ERROR_NONE;
  for (const jvmtiEvent event : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                 JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END}) {
    ok = ok && jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) == JVMTI_ERROR_NONE;
  }
  if (ok) return Status::Ok();
  jvmtiPhase phase = JVMTI_PHASE_DEAD;
  jvmti_->GetPhase(&phase);
  return Status::Error(phase == JVMTI_PHASE_DEAD ? kNotAtThisMoment
                                                 : "this JVM refuses the agent's events");
}

void JNICALL Agent::OnVmInit(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Agent* agent = Get();
  if (agent == nullptr || !agent->startup_options_) return;
  agent->recorded_threads_.OnThreadStart(jni, thread);
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
    agent->vm_has_ended_ = true;
    Session* session = agent->session_.load(std::memory_order_relaxed);
    if (session == nullptr) return;
    if (session->BeginEnd()) {
      agent->EndOnThisThread(*session, nullptr);
    } else {
      session->WaitUntilEnded(kEndPatience);
    }
  });
}

void JNICALL Agent::OnThreadStart(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  Agent* agent = Get();
  if (agent == nullptr) return;
  agent->recorded_threads_.OnThreadStart(jni, thread);
  Session* session = agent->session_.load(std::memory_order_acquire);
  if (session != nullptr) Guarded([&] { session->OnThreadStart(); });
}

void JNICALL Agent::OnThreadEnd(jvmtiEnv*, JNIEnv*, jthread) {
  Agent* agent = Get();
  if (agent == nullptr) return;
  agent->recorded_threads_.OnThreadEnd();
  Session* session = agent->session_.load(std::memory_order_acquire);
  if (session != nullptr) Guarded([&] { session->OnThreadEnd(); });
}

void JNICALL Agent::OnClassFileLoad(jvmtiEnv*, JNIEnv* jni, jclass redefined, jobject loader,
                                    const char* name, jobject, jint size,
                                    const unsigned char* bytes, jint* new_size,
                                    unsigned char** new_bytes) {
  Agent* agent = Get();
  if (agent == nullptr) return;
  BytecodeProbe* probe = agent->rewriting_.load(std::memory_order_acquire);  // Partner: Start.
  if (probe == nullptr) return;
  Guarded([&] {
    probe->RewriteLoadedClass(jni, redefined, loader, name, {bytes, static_cast<size_t>(size)},
                              new_size, new_bytes);
  });
}

void JNICALL Agent::OnClassPrepare(jvmtiEnv*, JNIEnv* jni, jthread, jclass type) {
  Agent* agent = Get();
  if (agent == nullptr) return;
  BytecodeProbe* probe = agent->rewriting_.load(std::memory_order_acquire);  // Partner: Start.
  if (probe != nullptr) Guarded([&] { probe->OnClassPrepared(jni, type); });
}

Status Agent::FindPlatformLoader(JNIEnv* jni) {
  if (platform_loader_ != nullptr) return Status::Ok();
  const jclass loader_class = jni->FindClass("java/lang/ClassLoader");
  const jmethodID get =
      jni->GetStaticMethodID(loader_class, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
  const jobject loader = jni->CallStaticObjectMethod(loader_class, get);
  if (jni->ExceptionCheck() || loader == nullptr) {
    jni->ExceptionClear();
    return Status::Error("the JVM does not tell its platform class loader; nothing is recorded");
  }
  platform_loader_ = jni->NewGlobalRef(loader);
  return Status::Ok();
}

PackageSet Agent::JdkPackages(JNIEnv* jni) const {
  PackageSet packages = PackagesOfLoader(jni, nullptr);
  packages.merge(PackagesOfLoader(jni, platform_loader_));
  return packages;
}

Result<Probe*> Agent::InstallEntryProbe(JNIEnv* jni, const AgentOptions& options) {
  struct Candidate {
    AgentOptions::Probe kind;
    const char* what;
    Probe* probe;
  };
  const bool any = options.probe == AgentOptions::Probe::kAuto;
  // What compilers do is recorded without calls as well, and of classes as they are.
  const Status compiles = code_cache_ && !options.jit ? CheckCompiles(*code_cache_) : Status::Ok();
  if (any && !compiles) return nullptr;  // Rewritten classes see what is interpreted.
  for (const Candidate& candidate :
       {Candidate{AgentOptions::Probe::kPatch, "patched entries", patch_probe_.get()},
        Candidate{AgentOptions::Probe::kBarrier, "the entry barrier", barrier_probe_.get()}}) {
    if (!any && options.probe != candidate.kind) continue;
    if (any && candidate.kind == AgentOptions::Probe::kBarrier &&
        options.mode == AgentOptions::Mode::kExact) {
      continue;
    }
    Status installed = entries_refused_;
    if (installed.ok()) installed = compiles;
    if (installed.ok()) {
      patch_probe_->Force(options.force);
      patch_probe_->OnlyOptimized(options.mode == AgentOptions::Mode::kPatching);
      barrier_probe_->Force(options.force);
      installed = candidate.probe->Install(jni);
    }
    if (installed.ok()) {
      PackageSet packages;
      const ClassFilter filter(options);
      if (!filter.observes_jdk()) packages = PackagesOfLoader(jni, platform_loader_);
      entry_walker_->Begin(filter, std::move(packages),
                           {options.Infers(), options.SamplesContexts()});
      return candidate.probe;
    }
    const std::string why =
        std::string(candidate.what) + " cannot be used: " + std::string(installed.message());
    if (!any) return Status::Error(why + "; nothing is recorded");
    Log(why);
  }
  return nullptr;
}

Status Agent::Start(JNIEnv* jni, const AgentOptions& options) {
  const std::lock_guard lock(sessions_mutex_);
  if (vm_has_ended_) return Status::Error(kNotAtThisMoment);
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
  if (Status found = FindPlatformLoader(jni); !found) return found;

  const auto id = static_cast<uint32_t>(sessions_.size() + 1);
  drops_.Reset();
  registry_.Retell();
  // Every thread begins anew, with a state of the size that this recording's mode takes.
  threads_->HideAll();
  recorded_threads_.Begin(startup_options_.has_value() && id == 1);

  Result<Probe*> entry_probe = InstallEntryProbe(jni, options);
  if (!entry_probe) return entry_probe.status();
  Probe* probe = *entry_probe;
  if (options.probe == AgentOptions::Probe::kNone) probe = &no_probe_;
  EdgeDiscovery* discovery = nullptr;
  if (probe == nullptr) {
    BytecodeProbe* const bytecode_probe = NewBytecodeProbe(jni, options);
    discovery = bytecode_probe->discovery();
    probe = bytecode_probe;
  }
  const bool at_entries = *entry_probe != nullptr;
  AgentOptions chosen = options;
  if (!options.interval_is_given) {
    chosen.policy.mean_interval = at_entries ? kIntervalAtEntries : kIntervalInClasses;
  }
  sessions_.push_back(std::make_unique<Session>(id, chosen, clock_, *probe, at_entries, *threads_,
                                                registry_, drops_, std::move(writer).value()));
  Session& session = *sessions_.back();
  if (at_entries && options.Infers()) PrepareToInfer();
  if (at_entries && options.Infers() && profile_reader_ != nullptr) {
    EntryWalker* walker = entry_walker_.get();
    const bool is_vm_start = startup_options_.has_value() && id == 1;
    const int64_t before_ns = clock_.ThreadCpuNs();
    profile_reader_->Begin(
        {.observes_class =
             [walker](const std::string& class_name, bool is_of_boot_loader) {
               return walker->ObservesClass(class_name, is_of_boot_loader);
             },
         .observes_jdk = session.filter().observes_jdk(),
         .observed = [walker](const auto& names) { return walker->Observed(names); },
         .caller = [walker](const auto& names,
                            const auto& source) { return walker->Named(names, source); }},
        is_vm_start);
    session.ReadProfilesWith(profile_reader_.get(), clock_.ThreadCpuNs() - before_ns);
  }
  const auto give_up = [&](Status why) {
    if (session.BeginEnd()) {
      session.Disarm();
      session.StopDrainThread();
      probe->Remove(jni);
      session.StopFlightRecording(jni);
      if (profile_reader_ != nullptr) profile_reader_->End();
      session.EndDone();
    }
    return why;
  };
  labels_.store(nullptr, std::memory_order_release);  // Partner: LabelFrames.
  if (options.stacks != AgentOptions::Stacks::kNone || options.SamplesContexts()) {
    Result<std::unique_ptr<StackRecording>> stacks = NewStackRecording(jni, session, options);
    if (!stacks) return give_up(stacks.status());
    session.TakeStacksWith(std::move(stacks).value());
  }
  if (options.CountsContexts()) {
    session.CountContextsWith(std::make_unique<CountedContexts>(*context_counts_, registry_));
  }
  auto compilers = RecordCompilers(jni, session, path);
  if (labels_.load(std::memory_order_relaxed) != nullptr)
    compilers.emplace_back(config_key::kJitCode, "yes");
  const std::string call_counter = CountCalls(session);
  session.Observe(NewMode(*host_, session, discovery));
  session_.store(&session, std::memory_order_release);
  if (!at_entries) {
    // With the session there: its first calls come while it is being put in.
    if (Status installed = probe->Install(jni); !installed) {
      return give_up(Status::Error(std::string(installed.message()) + "; nothing is recorded"));
    }
  }
  const char* walk = at_entries ? "frames" : walker_.remembers() ? "memoised" : "jvmti";
  spool::Config config = DescribeSession(jvmti_, jni, session, walk);
  if (at_entries && !CheckCompiles(*code_cache_))
    config.entries.emplace_back(config_key::kCompiles, "no");
  if (!call_counter.empty()) config.entries.emplace_back(config_key::kCallCounter, call_counter);
  config.entries.insert(config.entries.end(), compilers.begin(), compilers.end());
  Status started = session.Start(config, [this, &session] { EndOnDrainThread(session); });
  if (!started) return give_up(started);
  return Status::Ok();
}

std::vector<std::pair<std::string, std::string>> Agent::RecordCompilers(JNIEnv* jni,
                                                                        Session& session,
                                                                        const std::string& spool) {
  if (!session.options().jit) return {};
  CompilerThreads threads(clock_.NowNs() - session.start_ns());
  Result<std::unique_ptr<FlightRecording>> started = FlightRecording::Start(jni, spool + ".jfr");
  if (!started) {
    const std::string why(started.message());
    Log("what the compilers do is not recorded: this JVM's flight recorder says " + why +
        "; goes on without");
    return {{config_key::kJit, "none: " + why}};
  }
  const std::string repository = started.value()->repository();
  session.RecordCompilersWith(std::move(started).value(), std::move(threads), CodeBeforeNow());
  const int64_t started_ns = clock_.NowNs() - session.start_ns();
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const int64_t epoch_ns = int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - started_ns;
  return {{config_key::kJit, "jfr"},
          {config_key::kJitRepository, repository},
          {config_key::kJitEpochNs, std::to_string(epoch_ns)},
          {config_key::kJitStartedNs, std::to_string(started_ns)}};
}

std::vector<spool::EarlierCode> Agent::CodeBeforeNow() const {
  if (!code_cache_) return {};
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return {};
  Result<std::vector<spool::EarlierCode>> listed = ListCode(*structs, *code_cache_);
  if (!listed) {
    Log("what was compiled before is not recorded: " + std::string(listed.message()));
    return {};
  }
  return std::move(listed).value();
}

std::string Agent::CountCalls(Session& session) {
  const AgentOptions& options = session.options();
  const PerfEvent event = options.CallEvent();
  if (!options.HasWindows() || event.name.empty()) return "";
  auto counters = std::make_unique<CallCounters>(event);
  if (const Status there = counters->Check(); !there) {
    const std::string why(there.message());
    if (options.call_counter_is_wanted) {
      Log("calls are not counted by the processor: " + why + "; goes on without");
    }
    return "none: " + why;
  }
  session.CountCallsWith(std::move(counters));
  return event.name;
}

Result<std::unique_ptr<StackRecording>> Agent::NewStackRecording(JNIEnv* jni,
                                                                 const Session& session,
                                                                 const AgentOptions& options) {
  // Calls that are caught at their entries are walked by ourselves.
  const bool asks_vm = options.stacks != AgentOptions::Stacks::kNone || !session.at_entries();
  const Result<StackSampler::Walk> walk = FindStackWalk();
  if (asks_vm && !walk) return walk.status();
  if (stack_sampler_ == nullptr) {
    StackSampler::Host host;
    host.walk = walk ? *walk : nullptr;
    host.env_of_this_thread = [vm = vm_]() -> JNIEnv* {
      void* env = nullptr;
      return vm->GetEnv(&env, JNI_VERSION_10) == JNI_OK ? static_cast<JNIEnv*>(env) : nullptr;
    };
    host.now_ns = [this] { return clock_.NowNs(); };
    host.label = [this](const ucontext_t& context, JNIEnv* env, std::span<RawFrame> frames) {
      LabelFrames(context, env, frames);
    };
    host.after_signal = &PerfEvents::CountNext;
    stack_sampler_ = std::make_unique<StackSampler>(std::move(host), drops_);
  }
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
  StackRecording::Triggers triggers;
  if (options.stacks == AgentOptions::Stacks::kHpm) {
    const PerfEvent event = options.StackEvent();
    triggers.push_back(std::make_unique<PerfEvents>(event));
    PerfEvent clock;
    clock.period = static_cast<uint64_t>(options.stack_interval_ns);
    if (event.name != clock.name) triggers.push_back(std::make_unique<PerfEvents>(clock));
  }
  if (options.stacks != AgentOptions::Stacks::kNone) {
    triggers.push_back(std::make_unique<IntervalTimer>(options.stack_interval_ns));
  }
  const std::function<bool(std::string)> observes =
      [packages = JdkPackages(jni), &filter = session.filter()](std::string class_name) {
        std::ranges::replace(class_name, '.', '/');
        const bool is_of_jdk = IsInPackages(class_name, packages);
        return filter.Judge(class_name, is_of_jdk) == ClassFilter::Verdict::kObserve;
      };
  return std::make_unique<StackRecording>(
      *stack_sampler_, std::move(triggers), registry_, drops_, session.start_ns(),
      [this, observes](std::span<void* const> methods) {
        std::vector<std::optional<ContextFolder::NamedMethod>> names;
        AsJavaThread([&](JNIEnv* env) {
          if (env != nullptr) names = NameMethods(env, methods, observes);
        });
        return names;
      });
}

Status Agent::PrepareToLabel(JNIEnv* jni) {
  if (labeller_ != nullptr) return Status::Ok();
  if (!code_cache_) return Status::Error("the VM's code cache cannot be read");
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return structs.status();
  Result<CodeLabeller> labeller = CodeLabeller::Create(*structs, *code_cache_, jdk_version_);
  if (!labeller) return labeller.status();
  const Result<const void*> thread = JavaThreadOf(jni);
  if (!thread) return thread.status();
  env_offset_ =
      static_cast<int64_t>(reinterpret_cast<intptr_t>(jni) - reinterpret_cast<intptr_t>(*thread));
  labeller_ = std::make_unique<CodeLabeller>(std::move(labeller).value());
  return Status::Ok();
}

// Async-signal-safe as CodeLabeller.
void Agent::LabelFrames(const ucontext_t& context, JNIEnv* env, std::span<RawFrame> frames) {
  CodeLabeller* const labeller = labels_.load(std::memory_order_acquire);  // Partner: Start's.
  if (labeller == nullptr) return;
  CodeLabeller::Interrupted from;
  from.pc = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  from.sp = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
  from.frame_pointer = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RBP]);
  from.java_thread = reinterpret_cast<const char*>(env) - env_offset_;
  labeller->Label(from, frames);
}

std::vector<std::optional<ContextFolder::NamedMethod>> Agent::NameMethods(
    JNIEnv* jni, std::span<void* const> methods,
    const std::function<bool(std::string class_name)>& observes) {
  std::vector<std::optional<ContextFolder::NamedMethod>> names;
  for (void* const method : methods) {
    const auto walked = walker_.methods().Resolve(jni, static_cast<jmethodID>(method));
    if (walked == nullptr) {
      names.emplace_back();
    } else if (walked->is_hidden || walked->is_probe) {
      names.emplace_back(ContextFolder::NamedMethod{});
    } else {
      if (observes(registry_.ClassNameOf(walked->id))) {
        registry_.AddFlags(walked->id, Method::kObserved);
      }
      names.emplace_back(ContextFolder::NamedMethod{walked->id, walked->map});
    }
  }
  return names;
}

BytecodeProbe* Agent::NewBytecodeProbe(JNIEnv* jni, const AgentOptions& options) {
  const ClassFilter filter(options);
  BytecodeProbe::Purpose purpose;
  purpose.skip_trivial = options.skip_trivial;
  if (options.mode == AgentOptions::Mode::kExact) {
    purpose.probing = options.CountsContexts() ? Probing::kContexts : Probing::kExact;
  }
  if (options.mode == AgentOptions::Mode::kEdges) {
    purpose.probing = Probing::kEdges;
    ZeroPages(discovery_tables_, sizeof(DiscoveryTables));
    purpose.tables = discovery_tables_;
    if (!filter.observes_jdk()) {
      purpose.jdk_packages = JdkPackages(jni);
    }
  }

  // The probe's class asks for their address when it is initialised.
  if (context_counts_ == nullptr) context_counts_ = std::make_unique<ContextCounts>();

  BytecodeProbe::Vm vm{.jvmti = jvmti_,
                       .jdk_feature_version = jdk_version_,
                       .is_attached = !startup_options_.has_value(),
                       .platform_loader = platform_loader_,
                       .on_redefinition = [this] { walker_.OnRedefinition(); },
                       .id_of =
                           [this](JNIEnv* env, jmethodID method) {
                             const auto walked = walker_.methods().Resolve(env, method);
                             return walked == nullptr ? kNoMethod : walked->id;
                           },
                       .as_java_thread = [this](const auto& run) { AsJavaThread(run); }};
  bytecode_probes_.push_back(std::make_unique<BytecodeProbe>(
      std::move(vm), *control_, filter, std::move(purpose), registry_, drops_));
  // Partner: OnClassFileLoad.
  rewriting_.store(bytecode_probes_.back().get(), std::memory_order_release);
  return bytecode_probes_.back().get();
}

void Agent::End(Session& session, JNIEnv* jni) {
  session.Disarm();
  session.probe().Remove(jni);
  session.Finish();
  if (jni != nullptr) session.StopFlightRecording(jni);
  method_ids_.Stop();
  session.EndDone();
}

void Agent::EndOnThisThread(Session& session, JNIEnv* jni) {
  session.Disarm();  // The drain's last round may take long.
  session.StopDrainThread();
  End(session, jni);
}

void Agent::EndOnDrainThread(Session& session) {
  if (!session.BeginEnd()) return;
  AsJavaThread([&](JNIEnv* jni) { End(session, jni); });
}

void Agent::AsJavaThread(const std::function<void(JNIEnv*)>& run) {
  JNIEnv* jni = nullptr;
  if (vm_->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_10) == JNI_OK) return run(jni);
  char name[] = "Yieldpoint";
  JavaVMAttachArgs arguments{JNI_VERSION_10, name, nullptr};
  if (vm_->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK) {
    jni = nullptr;
  }
  run(jni);
  if (jni != nullptr) vm_->DetachCurrentThread();
}

Status Agent::Stop(JNIEnv* jni) {
  const std::lock_guard lock(sessions_mutex_);
  Session* session = session_.load(std::memory_order_relaxed);
  if (session == nullptr || session->has_ended()) {
    if (vm_has_ended_) return Status::Ok();  // And with it the recording.
    return Status::Error("no recording is under way in process " + std::to_string(getpid()));
  }
  if (session->BeginEnd()) {
    EndOnThisThread(*session, jni);
  } else {
    session->WaitUntilEnded(kEndPatience);
  }
  return Status::Ok();
}

bool Agent::OnEntry(const EntryCall& call) {
  Session* const session = session_.load(std::memory_order_acquire);
  if (session == nullptr || !session->is_active()) {
    // Until the entries are as before: below zero each call would come here.
    EntryCountdown().store(kCallsBetweenRecordings, std::memory_order_relaxed);
    return true;
  }
  bool is_wanted = true;
  Guarded([&] { is_wanted = session->mode()->OnEntry(call); });
  return is_wanted;
}

}  // namespace yp::hotspot
