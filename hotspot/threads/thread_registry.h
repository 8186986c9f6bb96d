#ifndef YP_HOTSPOT_THREADS_THREAD_REGISTRY_H_
#define YP_HOTSPOT_THREADS_THREAD_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "hotspot/threads/shared_memory.h"
#include "hotspot/threads/thread_record.h"
#include "recorder/sampled_threads.h"

namespace yp::hotspot {

// All threads that have met a probe, and the table through which the Java side finds their state.
//
// A record lives from its thread's first slow path to the drain's next round after the thread's
// end.
class ThreadRegistry {
 public:
  // Null when the kernel gives no memory for the table.
  static std::unique_ptr<ThreadRegistry> Create();
  ~ThreadRegistry();

  const ThreadTableEntry* table() const { return table_; }

  // The calling thread's record, made now. Null when there is no memory. `java_thread_id` is its
  // java.lang.Thread's; from here on the table leads to its state, unless the slot is taken.
  // `with_sites`: the state has room for counters of call sites (exact mode).
  ThreadRecord* Enter(int64_t java_thread_id, std::string name, bool with_sites, uint64_t seed);
  // The same for a probe that the Java side has no part in: its calls are counted down in
  // `calls_left`, which lives as long as the thread.
  ThreadRecord* EnterNative(std::atomic<int64_t>& calls_left, std::string name, uint64_t seed);
  // Every thread of EnterNative that has not left has that many calls left: until they are counted
  // down, none takes the slow path. A thread that counts a call at the very moment may undo it for
  // itself.
  void SetCallsLeft(int64_t calls);
  // The thread ends or its record is to be dropped: the Java side no longer finds it. The caller
  // does not use the record again.
  void Leave(ThreadRecord* record);
  // Whether the Java side finds the record's thread by its id.
  bool IsFound(const ThreadRecord& record) {
    return EntryOf(record.java_thread_id).state.load(std::memory_order_relaxed) == record.shared;
  }
  // The Java side finds no thread's state any more: each takes the slow path at its next call, as
  // do those of EnterNative.
  void HideAll();

  // Calls visit(ThreadRecord&) for each record, and deletes those that had ended before their
  // visit. Only one thread may be in here at a time.
  template <typename Visit>
  void ForEach(Visit visit) {
    threads_.ForEach([&](SampledThread& thread) { visit(static_cast<ThreadRecord&>(thread)); });
  }
  SampledThreads& sampled() { return threads_; }
  size_t size() const { return threads_.size(); }

 private:
  ThreadRegistry(ThreadTableEntry* table, size_t table_bytes)
      : table_(table), table_bytes_(table_bytes) {}
  ThreadRecord* Add(std::unique_ptr<ThreadRecord> record);
  std::unique_ptr<ThreadRecord> NewRecord(std::string name, uint64_t seed);
  ThreadTableEntry& EntryOf(int64_t java_thread_id);
  void Hide(ThreadRecord& record);

  ThreadTableEntry* const table_;
  const size_t table_bytes_;
  SampledThreads threads_;  // All of them ThreadRecords.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_THREAD_REGISTRY_H_
