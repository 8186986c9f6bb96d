#include "hotspot/recording/call_recorder.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "hotspot/probes/bytecode/loaded_class.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

// Not a method: with it the priming links the natives and makes its thread known.
constexpr MethodId kPrimingCallee{0};
// Calls at compiled entries after which a thread asks again whether it is to be observed; and
// never.
constexpr int64_t kAskAgainCalls = 1000;
constexpr int64_t kNever = int64_t{1} << 62;
// What a call takes from its entry to the handler and back, which no clock between sees: a 2.6 GHz
// x86-64 (2026-11).
constexpr int64_t kHookNs = 40;

// This thread's record, and the session that it was made ready for.
thread_local ThreadRecord* this_thread = nullptr;
thread_local uint32_t this_thread_session = 0;
thread_local bool this_thread_has_ended = false;
// As the VM told it at the thread's start: within compiled code it cannot be asked, and in a slow
// path it takes long. Empty in threads that were there before the agent.
thread_local char this_thread_name[64] = "";

void EndThisThread(ThreadRegistry* threads) {
  this_thread_has_ended = true;
  if (this_thread != nullptr) threads->Leave(std::exchange(this_thread, nullptr));
  EntryCountdown().store(kNever, std::memory_order_relaxed);
}

// A thread may end without the VM's saying so: a native one that attached and never detached, or
// whose attaching failed after it had run Java code. Its countdown goes with its stack.
struct LeavesAtExit {
  ThreadRegistry* threads = nullptr;
  ~LeavesAtExit() { EndThisThread(threads); }
};
thread_local LeavesAtExit leaves_at_exit;

void Release(jvmtiEnv* jvmti, JNIEnv* jni, const jvmtiThreadInfo& info) {
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
  if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
}

// Adds what exact counting spends in the agent to its thread's cost: the time of one call in
// kEvery, as that of all of them.
class WalkTimer {
 public:
  WalkTimer(Clock& clock, ThreadRecord& thread) : clock_(clock), thread_(thread) {
    if (++thread.counting.walked_calls % kEvery == 0) begin_ns_ = clock.NowNs();
  }
  ~WalkTimer() {
    if (begin_ns_ != 0) thread_.AddCost(kEvery, kEvery * (clock_.NowNs() - begin_ns_));
  }
  WalkTimer(const WalkTimer&) = delete;
  WalkTimer& operator=(const WalkTimer&) = delete;

 private:
  static constexpr uint32_t kEvery = 64;
  Clock& clock_;
  ThreadRecord& thread_;
  int64_t begin_ns_ = 0;
};

// 0: no call site. No method is expected next.
void Announce(ThreadRecord& thread, int32_t site) {
  thread.shared->site.store(site, std::memory_order_relaxed);
  thread.shared->expected.store(0, std::memory_order_relaxed);
}

}  // namespace

void CallRecorder::Begin(bool from_vm_start) {
  from_vm_start_ = from_vm_start;
  // What an earlier recording proved need not hold under this one's filter.
  bindings_.Clear();
}

// A native thread may attach to the VM again.
void CallRecorder::OnThreadStart(JNIEnv* jni, jthread thread) {
  this_thread_has_ended = false;
  EntryCountdown().store(0, std::memory_order_relaxed);
  jvmtiThreadInfo info{};
  if (jvmti_->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return;
  if (info.name != nullptr) {
    const size_t n = std::min(std::strlen(info.name), sizeof(this_thread_name) - 1);
    std::memcpy(this_thread_name, info.name, n);
    this_thread_name[n] = 0;
  }
  Release(jvmti_, jni, info);
}

void CallRecorder::OnThreadEnd() { EndThisThread(&threads_); }

std::string CallRecorder::NameOfThisThread(JNIEnv* jni) const {
  if (this_thread_name[0] != 0) return this_thread_name;
  std::string name;
  jthread thread = nullptr;
  if (jvmti_->GetCurrentThread(&thread) != JVMTI_ERROR_NONE || thread == nullptr) return name;
  const jclass type = jni->GetObjectClass(thread);
  const bool is_virtual = SignatureOf(jvmti_, type).find("VirtualThread;") != std::string::npos;
  jvmtiThreadInfo info{};
  if (is_virtual) {
    // The record is the carrier's, whose Java name cannot be asked for from here.
    char kernel_name[16] = "";
    pthread_getname_np(pthread_self(), kernel_name, sizeof(kernel_name));
    name = kernel_name;
  } else if (jvmti_->GetThreadInfo(thread, &info) == JVMTI_ERROR_NONE) {
    if (info.name != nullptr) name = info.name;
    Release(jvmti_, jni, info);
  }
  jni->DeleteLocalRef(type);
  jni->DeleteLocalRef(thread);
  return name;
}

uint64_t CallRecorder::SeedFor(const Session& session) const {
  const uint64_t seed = session.options().seed.value_or(0);
  return seed != 0 ? seed : static_cast<uint64_t>(clock_.NowNs());
}

ThreadRecord* CallRecorder::ThreadOf(JNIEnv* jni, Session& session, int64_t java_thread_id) {
  ThreadRecord* thread = EnterThread(jni, session, java_thread_id);
  if (thread == nullptr) drops_.Add(Drop::kNoThreadState);
  return thread;
}

ThreadRecord* CallRecorder::EnterThread(JNIEnv* jni, Session& session, int64_t java_thread_id) {
  if (this_thread_has_ended) return nullptr;
  if (this_thread != nullptr) {
    // Made while its Thread object was, without an id: the table does not lead to it.
    const bool was_nameless = this_thread->java_thread_id == 0 && java_thread_id != 0;
    if (this_thread_session == session.id() && !was_nameless) return this_thread;
    threads_.Leave(std::exchange(this_thread, nullptr));
  }
  leaves_at_exit.threads = &threads_;
  const int64_t begin_cpu_ns = clock_.ThreadCpuNs();
  this_thread =
      threads_.Enter(java_thread_id, NameOfThisThread(jni),
                     session.is_exact() && session.counted_contexts() == nullptr, SeedFor(session));
  if (this_thread == nullptr) return nullptr;
  if (!Prepare(*this_thread, session)) return nullptr;
  this_thread_session = session.id();
  this_thread->AddCost(0, clock_.ThreadCpuNs() - begin_cpu_ns);
  return this_thread;
}

ThreadRecord* CallRecorder::EntryThreadOf(Session& session) {
  if (this_thread_has_ended) return nullptr;
  if (this_thread != nullptr) {
    if (this_thread_session == session.id()) return this_thread;
    threads_.Leave(std::exchange(this_thread, nullptr));
  }
  const int64_t begin_cpu_ns = clock_.ThreadCpuNs();
  char name[sizeof(this_thread_name)];
  std::memcpy(name, this_thread_name, sizeof(name));
  if (name[0] == 0) pthread_getname_np(pthread_self(), name, sizeof(name));
  leaves_at_exit.threads = &threads_;
  this_thread = threads_.EnterNative(EntryCountdown(), name, SeedFor(session));
  if (!Prepare(*this_thread, session)) return nullptr;
  this_thread_session = session.id();
  this_thread->AddCost(0, clock_.ThreadCpuNs() - begin_cpu_ns);
  return this_thread;
}

bool CallRecorder::Prepare(ThreadRecord& thread, Session& session) {
  if (!session.samples()) {
    const std::lock_guard lock(thread.common.mutex);
    if (thread.counting.slow_counts == nullptr)
      thread.counting.slow_counts = std::make_unique<EdgeCounters>();
    // Where WalkTimer begins: a thread that ends soon has its part in what is measured.
    thread.counting.walked_calls = static_cast<uint32_t>(thread.own.random.Next());
    return true;
  }
  Result<std::unique_ptr<SamplingPolicy>> policy =
      MakePolicy(session.options().policy, thread.own.random);
  if (!policy) return false;
  thread.own.policy = std::move(policy).value();
  // What a thread did before the recording is no window's interval. A recording from the VM's start
  // has seen all of it.
  thread.own.previous_window_cpu_ns = from_vm_start_ ? 0 : clock_.ThreadCpuNs();
  if (CallCounters* counters = session.call_counters()) {
    thread.own.call_counter = counters->OfThisThread();
  }
  const std::lock_guard lock(thread.common.mutex);
  if (thread.common.ring == nullptr) thread.common.ring = std::make_unique<SampleRing>();
  return true;
}

std::optional<CallWalker::Answer> CallRecorder::Walk(JNIEnv* jni, const ThreadRecord& thread,
                                                     MethodId callee, CallWalker::Start start) {
  start.stack_end = thread.stack_end;
  std::optional<CallWalker::Answer> answer = walker_.Walk(jni, callee, start);
  if (!answer) drops_.Add(Drop::kWalkFailed);
  return answer;
}

void CallRecorder::OnArmedCall(JNIEnv* jni, Session& session, MethodId callee,
                               int64_t java_thread_id, const CallWalker::Start& start) {
  ThreadRecord* thread = ThreadOf(jni, session, java_thread_id);
  if (thread == nullptr) return;
  if (callee == kPrimingCallee) {
    session.sampler().CountForever(*thread);
    return;
  }
  const Sampler::Verdict verdict = session.sampler().OnCall(*thread);
  PushWindowEnd(*thread, verdict.ended);
  PushWindowBegin(*thread, verdict.begun);
  if (!verdict.sample) return;
  const int64_t begin_ns = clock_.NowNs();
  const std::optional<CallWalker::Answer> answer = Walk(jni, *thread, callee, start);
  if (answer) {
    PushSample(*thread, answer->edge);
    StackRecording* const stacks = session.StacksOfNextSample(*thread);
    if (stacks != nullptr && stacks->OnSampledCall()) session.DrainSoon();
  }
  PushWindowEnd(*thread, session.sampler().AfterSample(*thread, begin_ns));
  if (thread->common.ring->HasBecomeHalfFull()) session.DrainSoon();
}

bool CallRecorder::OnEntryCall(Session& session, const EntryCall& call) {
  ThreadRecord* thread = EntryThreadOf(session);
  if (thread == nullptr) {
    if (!this_thread_has_ended) drops_.Add(Drop::kNoThreadState);
    EntryCountdown().store(this_thread_has_ended ? kNever : kAskAgainCalls,
                           std::memory_order_relaxed);
    return true;
  }
  if (session.is_exact()) return CountEntry(*thread, call);
  if (Listeners* listeners = session.listeners()) return Listen(*thread, *listeners, call);
  const Sampler::Verdict verdict = session.sampler().OnCall(*thread);
  PushWindowEnd(*thread, verdict.ended);
  PushWindowBegin(*thread, verdict.begun);
  if (!verdict.sample) return true;
  const int64_t begin_ns = clock_.NowNs();
  const EntryWalker::Answer answer = entry_walker_->Walk(call, thread->stack_end);
  const bool is_observed = answer.outcome != EntryWalker::Outcome::kNotObserved;
  if (answer.outcome == EntryWalker::Outcome::kEdge) {
    PushSample(*thread, answer.edge, answer.call);
    if (StackRecording* stacks = session.StacksOfNextSample(*thread)) {
      const auto walk = [&](std::span<RawFrame> frames) {
        return entry_walker_->WalkStack(call, thread->stack_end, frames);
      };
      if (stacks->OnSampledCall(answer.edge, walk)) session.DrainSoon();
    }
  } else if (is_observed) {
    drops_.Add(answer.reason);
  }
  PushWindowEnd(*thread, session.sampler().AfterSample(*thread, begin_ns, is_observed));
  if (thread->common.ring->HasBecomeHalfFull()) session.DrainSoon();
  return is_observed;
}

// Here, too, every call takes the slow path.
bool CallRecorder::Listen(ThreadRecord& thread, Listeners& listeners, const EntryCall& call) {
  thread.common.calls_left->store(0, std::memory_order_relaxed);
  const int64_t begin_ns = clock_.NowNs();
  const EntryWalker::Answer answer = entry_walker_->Walk(call, thread.stack_end);
  bool is_wanted = answer.outcome != EntryWalker::Outcome::kNotObserved;
  if (answer.outcome == EntryWalker::Outcome::kEdge) {
    const int64_t own_ns = clock_.NowNs() - begin_ns + kHookNs;
    is_wanted = listeners.Record(call.number, answer.edge, begin_ns, own_ns);
  } else if (is_wanted) {
    drops_.Add(answer.reason);
  }
  thread.AddCost(1, clock_.NowNs() - begin_ns + kHookNs);
  return is_wanted;
}

// Every call takes the slow path: none is counted down.
bool CallRecorder::CountEntry(ThreadRecord& thread, const EntryCall& call) {
  thread.common.calls_left->store(0, std::memory_order_relaxed);
  const EntryWalker::Answer answer = entry_walker_->Walk(call, thread.stack_end);
  switch (answer.outcome) {
    case EntryWalker::Outcome::kNotObserved:
      return false;
    case EntryWalker::Outcome::kUnresolved:
      drops_.Add(answer.reason);
      break;
    case EntryWalker::Outcome::kEdge:
      if (!thread.counting.slow_counts->Increment(answer.edge)) drops_.Add(Drop::kNoThreadState);
      break;
  }
  return true;
}

void CallRecorder::PushSample(ThreadRecord& thread, EdgeId edge, CompiledCallId call) {
  PushWindowEnd(thread, std::nullopt);
  PushWindowBegin(thread, std::nullopt);
  const bool is_behind = thread.own.unsent_end || thread.own.unsent_begin;
  if (is_behind || !thread.common.ring->PushSample(edge, call)) drops_.Add(Drop::kRingFull);
}

// Samples belong to the window whose beginning precedes and whose end follows them: where one of
// these finds no room, nothing else goes into the ring before it.
void CallRecorder::PushWindowBegin(ThreadRecord& thread, const std::optional<WindowBegin>& begun) {
  if (begun) thread.own.unsent_begin = begun;
  if (!thread.own.unsent_begin || thread.own.unsent_end) return;
  if (thread.common.ring->PushWindowBegin(*thread.own.unsent_begin))
    thread.own.unsent_begin.reset();
}

void CallRecorder::PushWindowEnd(ThreadRecord& thread, const std::optional<WindowSummary>& ended) {
  if (thread.own.unsent_end && thread.common.ring->PushWindowEnd(*thread.own.unsent_end)) {
    thread.own.unsent_end.reset();
  }
  if (!ended) return;
  if (thread.own.unsent_end || thread.own.unsent_begin) {
    thread.own.unsent_begin.reset();
    drops_.Add(Drop::kRingFull);  // None of its samples was sent either.
  } else if (!thread.common.ring->PushWindowEnd(*ended)) {
    thread.own.unsent_end = ended;
  }
}

void CallRecorder::OnExactCall(JNIEnv* jni, Session& session, MethodId callee, int32_t site,
                               int64_t java_thread_id, const CallWalker::Start& start) {
  ThreadRecord* thread = ThreadOf(jni, session, java_thread_id);
  if (thread == nullptr) return;
  if (callee == kPrimingCallee) return;
  const WalkTimer timer(clock_, *thread);
  std::optional<CallWalker::Answer> answer = Walk(jni, *thread, callee, start);
  if (!answer) return;
  if (site != 0 && bindings_.Get(answer->edge) == EdgeBindings::kUndecided) {
    if (!answer->definition) answer = walker_.WalkSlowly(jni, callee);
    if (answer && answer->definition) DecideBinding(jni, session, *answer, site);
  }
  if (!answer || !thread->counting.slow_counts->Increment(answer->edge)) {
    drops_.Add(Drop::kNoThreadState);
    return;
  }
  if (site != 0 && bindings_.Get(answer->edge) == site) {
    Bind(*thread, callee, site, answer->edge);
  }
}

int32_t CallRecorder::OnNewContext(JNIEnv* jni, Session& session, MethodId callee,
                                   int64_t java_thread_id) {
  ThreadRecord* thread = ThreadOf(jni, session, java_thread_id);
  if (thread == nullptr || callee == kPrimingCallee) return ContextCounts::kLost;
  if (!threads_.IsFound(*thread)) {
    // Another thread has its place in the table: what it calls from where cannot be known.
    drops_.Add(Drop::kNoThreadState);
    return ContextCounts::kLost;
  }
  ContextCounts& counts = session.counted_contexts()->counts();
  JavaThreadState& state = *thread->shared;
  const int32_t context = counts.Find(state.context.load(std::memory_order_relaxed),
                                      state.context_site.load(std::memory_order_relaxed),
                                      static_cast<int32_t>(ToIndex(callee)));
  counts.Count(context);
  if (context == ContextCounts::kLost) drops_.Add(Drop::kContextsFull);
  state.context.store(context, std::memory_order_relaxed);
  return context;
}

void CallRecorder::OnSite(JNIEnv* jni, Session& session, EdgeDiscovery& discovery, int32_t site,
                          int64_t java_thread_id) {
  ThreadRecord* thread = ThreadOf(jni, session, java_thread_id);
  if (thread == nullptr) return;
  if (discovery.OnSite(site)) WantReceiverCall(discovery, registry_.SiteAt(site));
  Announce(*thread, site);
}

void CallRecorder::OnDiscovery(JNIEnv* jni, Session& session, EdgeDiscovery& discovery,
                               MethodId callee, int32_t announced, int64_t java_thread_id,
                               const CallWalker::Start& start) {
  ThreadRecord* thread = ThreadOf(jni, session, java_thread_id);
  if (thread == nullptr) return;
  Announce(*thread, 0);
  if (callee == kPrimingCallee) return;
  const std::optional<CallWalker::Answer> answer = Walk(jni, *thread, callee, start);
  if (!answer) return;
  const bool is_new = Found(*thread, discovery, answer->edge);
  if (!is_new && !discovery.MayLearn(callee, announced)) {
    if (announced == 0 && discovery.IsWorthAReceiverCall(answer->edge)) {
      const Edge known = registry_.EdgeOf(answer->edge);
      const bool is_call = known.caller != kNoMethod && known.bci >= 0;
      if (is_call && !discovery.HasProbe(registry_.FindSite(known.caller, known.bci))) {
        WantReceiverCall(discovery, {known.caller, known.bci});
      }
    }
    return;
  }
  const Edge edge = answer->definition ? *answer->definition : registry_.EdgeOf(answer->edge);
  discovery.OnEntry(callee, registry_.FindSite(edge.caller, edge.bci));
}

// What is told of a class stays so: its methods, and what they override, never change. What is not
// sure is announced as other calls are.
void CallRecorder::OnReceiver(JNIEnv* jni, Session& session, EdgeDiscovery& discovery,
                              jobject receiver, int32_t site, int64_t java_thread_id) {
  ThreadRecord* thread = ThreadOf(jni, session, java_thread_id);
  if (thread == nullptr) return;
  const jclass type = jni->GetObjectClass(receiver);
  jint hash = 0;
  const bool is_told = jvmti_->GetObjectHashCode(type, &hash) == JVMTI_ERROR_NONE;
  const std::string name = InternalNameOf(jvmti_, type);
  jni->DeleteLocalRef(type);
  const ClassHierarchy::Callee callee = discovery.CalleeOf(site, name);
  const bool is_sure = callee.certainty == ClassHierarchy::Callee::Certainty::kSure;
  if (!is_sure && discovery.OnUnsureReceiver(site)) Announce(*thread, site);
  if (callee.method != kNoMethod) {
    const MethodRegistry::Site at = registry_.SiteAt(site);
    Found(*thread, discovery, registry_.InternEdge({at.caller, at.bci, callee.method}));
  }
  if (is_told) discovery.TellReceiver(site, static_cast<uint32_t>(hash), callee);
}

void CallRecorder::WantReceiverCall(EdgeDiscovery& discovery, const MethodRegistry::Site& site) {
  discovery.WantReceiverCall(site.caller, site.bci, registry_.ClassNameOf(site.caller));
}

bool CallRecorder::Found(ThreadRecord& thread, EdgeDiscovery& discovery, EdgeId edge) {
  if (!discovery.IsNew(edge)) return false;
  if (!thread.counting.slow_counts->Increment(edge)) drops_.Add(Drop::kNoThreadState);
  return true;
}

void CallRecorder::DecideBinding(JNIEnv* jni, const Session& session,
                                 const CallWalker::Answer& answer, int32_t site) {
  const MethodRegistry::Site announced = registry_.SiteAt(site);
  const Edge& edge = *answer.definition;
  // An announcement that another call left behind says nothing about this edge.
  if (announced.caller != edge.caller || announced.bci != edge.bci) return;
  const bool provable = answer.hidden_frames == 0 &&
                        (!announced.is_virtual || session.filter().observes_whole_jdk() ||
                         !walker_.methods().MayBeCalledByJdk(jni, answer.callee));
  bindings_.Set(answer.edge, provable ? site : EdgeBindings::kNever);
}

void CallRecorder::Bind(ThreadRecord& thread, MethodId callee, int32_t site, EdgeId edge) {
  for (SiteWay& way : thread.shared->sites()[site].ways) {
    if (way.method.load(std::memory_order_relaxed) != 0) continue;
    const std::lock_guard lock(thread.common.mutex);
    thread.counting.ways.emplace_back(&way, edge);
    way.method.store(static_cast<int32_t>(ToIndex(callee)), std::memory_order_relaxed);
    return;
  }
}

}  // namespace yp::hotspot
