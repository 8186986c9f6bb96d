#include "hotspot/recording/recorded_threads.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "hotspot/arch/slow_path.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

constexpr int64_t kNever = int64_t{1} << 62;

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

}  // namespace

bool RecordedThreads::ThisHasEnded() { return this_thread_has_ended; }

// A native thread may attach to the VM again.
void RecordedThreads::OnThreadStart(JNIEnv* jni, jthread thread) {
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

void RecordedThreads::OnThreadEnd() { EndThisThread(&threads_); }

std::string RecordedThreads::NameOfThisThread(JNIEnv* jni) const {
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

uint64_t RecordedThreads::SeedFor(const Session& session) const {
  const uint64_t seed = session.options().seed.value_or(0);
  return seed != 0 ? seed : static_cast<uint64_t>(clock_.NowNs());
}

ThreadRecord* RecordedThreads::Enter(JNIEnv* jni, Session& session, int64_t java_thread_id) {
  if (this_thread_has_ended) return nullptr;
  if (this_thread != nullptr) {
    // Made while its Thread object was, without an id: the table does not lead to it.
    const bool was_nameless = this_thread->java_thread_id == 0 && java_thread_id != 0;
    if (this_thread_session == session.id() && !was_nameless) return this_thread;
    threads_.Leave(std::exchange(this_thread, nullptr));
  }
  const int64_t begin_cpu_ns = clock_.ThreadCpuNs();
  const bool with_sites = session.is_exact() && session.counted_contexts() == nullptr;
  return Remember(
      threads_.Enter(java_thread_id, NameOfThisThread(jni), with_sites, SeedFor(session)), session,
      begin_cpu_ns);
}

ThreadRecord* RecordedThreads::EnterAtEntry(Session& session) {
  if (this_thread_has_ended) {
    EntryCountdown().store(kNever, std::memory_order_relaxed);
    return nullptr;
  }
  if (this_thread != nullptr) {
    if (this_thread_session == session.id()) return this_thread;
    threads_.Leave(std::exchange(this_thread, nullptr));
  }
  const int64_t begin_cpu_ns = clock_.ThreadCpuNs();
  char name[sizeof(this_thread_name)];
  std::memcpy(name, this_thread_name, sizeof(name));
  if (name[0] == 0) pthread_getname_np(pthread_self(), name, sizeof(name));
  ThreadRecord* const thread = Remember(
      threads_.EnterNative(EntryCountdown(), name, SeedFor(session)), session, begin_cpu_ns);
  if (thread == nullptr) EntryCountdown().store(kAskAgainCalls, std::memory_order_relaxed);
  return thread;
}

ThreadRecord* RecordedThreads::Remember(ThreadRecord* thread, Session& session,
                                        int64_t begin_cpu_ns) {
  leaves_at_exit.threads = &threads_;
  this_thread = thread;
  if (thread == nullptr || !Prepare(*thread, session)) return nullptr;
  this_thread_session = session.id();
  thread->AddCost(0, clock_.ThreadCpuNs() - begin_cpu_ns);
  return thread;
}

bool RecordedThreads::Prepare(ThreadRecord& thread, Session& session) {
  if (!session.samples()) {
    const std::lock_guard lock(thread.common.mutex);
    if (thread.counting.slow_counts == nullptr) {
      thread.counting.slow_counts = std::make_unique<EdgeCounters>();
    }
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

}  // namespace yp::hotspot
