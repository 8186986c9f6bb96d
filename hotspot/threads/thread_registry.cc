#include "hotspot/threads/thread_registry.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "base/zeroed_pages.h"

namespace yp::hotspot {
namespace {

uintptr_t StackEndOfThisThread() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* low = nullptr;
  size_t size = 0;
  const int error = pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return error != 0 ? 0 : reinterpret_cast<uintptr_t>(low) + size;
}

}  // namespace

std::unique_ptr<ThreadRegistry> ThreadRegistry::Create() {
  const size_t bytes = sizeof(ThreadTableEntry) << kThreadTableLog2Size;
  void* table = MapZeroedPages(bytes);
  if (table == nullptr) return nullptr;
  auto* entries = static_cast<ThreadTableEntry*>(table);
  // A thread whose Thread object is under construction has the id 0. It must not take a free entry
  // for its own, so that the one at which it looks is never free.
  entries[0].thread_id.store(-1, std::memory_order_relaxed);
  return std::unique_ptr<ThreadRegistry>(new ThreadRegistry(entries, bytes));
}

ThreadRegistry::~ThreadRegistry() { UnmapPages(table_, table_bytes_); }

std::unique_ptr<ThreadRecord> ThreadRegistry::NewRecord(std::string name, uint64_t seed) {
  const ThreadId id = threads_.NewId();
  auto record = std::make_unique<ThreadRecord>(id, SampledThreads::SeedFor(id, seed));
  record->name = std::move(name);
  record->stack_end = StackEndOfThisThread();
  record->kernel_id = static_cast<int32_t>(syscall(SYS_gettid));
  return record;
}

ThreadRecord* ThreadRegistry::Add(std::unique_ptr<ThreadRecord> record) {
  ThreadRecord* const added = record.get();
  threads_.Add(std::move(record));
  return added;
}

ThreadRecord* ThreadRegistry::Enter(int64_t java_thread_id, std::string name, bool with_sites,
                                    uint64_t seed) {
  const size_t bytes =
      sizeof(JavaThreadState) + (with_sites ? sizeof(SiteCounts) * size_t{kMaxSites} : 0);
  void* shared = MapZeroedPages(bytes);
  if (shared == nullptr) return nullptr;

  std::unique_ptr<ThreadRecord> made = NewRecord(std::move(name), seed);
  made->shared = static_cast<JavaThreadState*>(shared);
  made->shared_bytes = bytes;
  made->java_thread_id = java_thread_id;
  made->own.tick = &made->shared->tick;
  made->common.calls_left = &made->shared->countdown;
  ThreadRecord* record = Add(std::move(made));

  ThreadTableEntry& entry = EntryOf(java_thread_id);
  int64_t free_slot = 0;
  // Only the thread of that id ever reads the pair as its own, and it is this thread: no order is
  // needed between the two stores. The claim must be atomic against other threads of the same slot.
  if (entry.thread_id.compare_exchange_strong(free_slot, -1, std::memory_order_relaxed)) {
    entry.state.store(record->shared, std::memory_order_relaxed);
    entry.thread_id.store(java_thread_id, std::memory_order_relaxed);
  }
  return record;
}

ThreadRecord* ThreadRegistry::EnterNative(std::atomic<int64_t>& calls_left, std::string name,
                                          uint64_t seed) {
  std::unique_ptr<ThreadRecord> record = NewRecord(std::move(name), seed);
  record->own.tick = &record->own_tick;
  record->common.calls_left = &calls_left;
  return Add(std::move(record));
}

void ThreadRegistry::SetCallsLeft(int64_t calls) {
  threads_.ForEachPresent([calls](SampledThread& thread) {
    if (static_cast<const ThreadRecord&>(thread).shared == nullptr) {
      thread.common.calls_left->store(calls, std::memory_order_relaxed);
    }
  });
}

ThreadTableEntry& ThreadRegistry::EntryOf(int64_t java_thread_id) {
  return table_[static_cast<uint64_t>(java_thread_id) & ((1u << kThreadTableLog2Size) - 1)];
}

void ThreadRegistry::Hide(ThreadRecord& record) {
  if (record.shared == nullptr) {
    record.common.calls_left->store(0, std::memory_order_relaxed);
    return;
  }
  ThreadTableEntry& entry = EntryOf(record.java_thread_id);
  int64_t own = record.java_thread_id;
  if (entry.state.load(std::memory_order_relaxed) == record.shared) {
    entry.thread_id.compare_exchange_strong(own, 0, std::memory_order_relaxed);
  }
}

void ThreadRegistry::HideAll() {
  threads_.ForEachPresent(
      [this](SampledThread& thread) { Hide(static_cast<ThreadRecord&>(thread)); });
}

void ThreadRegistry::Leave(ThreadRecord* record) {
  Hide(*record);
  threads_.Leave(*record);
}

}  // namespace yp::hotspot
