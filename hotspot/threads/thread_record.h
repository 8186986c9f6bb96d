#ifndef YP_HOTSPOT_THREADS_THREAD_RECORD_H_
#define YP_HOTSPOT_THREADS_THREAD_RECORD_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "core/sampling/policy.h"
#include "hotspot/threads/shared_memory.h"
#include "recorder/call_counter.h"
#include "recorder/sample_ring.h"

namespace yp::hotspot {

// Exact counts by edge, of calls that took the slow path: one writer, any number of readers. Grows
// in chunks that never move.
class EdgeCounters {
 public:
  EdgeCounters() = default;
  ~EdgeCounters();
  EdgeCounters(const EdgeCounters&) = delete;
  EdgeCounters& operator=(const EdgeCounters&) = delete;

  // The owning thread. False when the edge is out of range or there is no memory.
  bool Increment(EdgeId edge);
  // Any thread: calls visit(EdgeId, count) for every edge with a count.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t c = 0; c < kChunks; ++c) {
      const Chunk* chunk =
          chunks_[c].load(std::memory_order_acquire);  // Partner: Increment's release.
      if (chunk == nullptr) continue;
      for (size_t i = 0; i < kChunkSize; ++i) {
        const uint64_t n = chunk->counts[i].load(std::memory_order_relaxed);
        if (n != 0) visit(EdgeId{static_cast<uint32_t>(c * kChunkSize + i)}, n);
      }
    }
  }

 private:
  static constexpr size_t kChunkSize = 1024;
  static constexpr size_t kChunks = 4096;  // 4 M edges.
  struct Chunk {
    std::atomic<uint64_t> counts[kChunkSize];
  };
  std::atomic<Chunk*> chunks_[kChunks] = {};
};

// The agent's side of one Java platform thread.
//
// Ownership: the thread itself uses everything but what is marked; the drain reads the ring, the
// counters and the bound ways, and after `ended` everything; then it deletes the record. The ring
// and the counters are made while the drain already knows the record, so that whoever makes them or
// looks whether they are there holds drain_mutex; once there, they stay and need no lock.
struct ThreadRecord {
  ThreadRecord(ThreadId thread_id, uint64_t seed) : id(thread_id), random(seed) {}
  ~ThreadRecord();

  const ThreadId id;
  std::string name;                   // Written before the record is published.
  JavaThreadState* shared = nullptr;  // With the bytecode probe only.
  size_t shared_bytes = 0;
  int64_t java_thread_id = 0;
  uintptr_t stack_end = 0;  // One past the highest address of the thread's stack.
  int32_t kernel_id = 0;

  // Sampling.
  Xoshiro256 random;
  std::unique_ptr<SamplingPolicy> policy;
  std::atomic<uint32_t>* tick = nullptr;  // The tick whose window this thread has begun.
  // Calls until the slow path; the probe counts them down. Null once the thread has left.
  std::atomic<int64_t>* calls_left = nullptr;
  std::atomic<uint32_t> own_tick{0};  // What `tick` points to without shared memory.
  bool window_open = false;
  // The tick whose window is open and has a duration, 0 for none; and what the thread's CPU time
  // was when the tick `closed_tick` ended, by the trigger's thread: closed_cpu_ns is stored before
  // closed_tick, with release; partner: CutWindow's acquire.
  std::atomic<uint32_t> open_tick{0};
  std::atomic<uint32_t> closed_tick{0};
  std::atomic<int64_t> closed_cpu_ns{0};
  uint64_t countdown = 0;  // What the policy said last.
  uint32_t window_samples = 0;
  uint32_t samples_since_stack = 0;
  int64_t window_start_cpu_ns = 0;
  int64_t last_sample_ns = 0;          // Of the clock.
  int64_t window_agent_ns = 0;         // Spent in the slow path since the window began.
  int64_t previous_window_cpu_ns = 0;  // When the last window began that the drain is told of.
  std::unique_ptr<CallCounter> call_counter;  // Null where there is none.
  uint64_t window_start_near_calls = 0;       // By the counter.
  uint64_t previous_window_near_calls = 0;    // When that window ended.
  std::optional<WindowBegin> unsent_begin;    // For which the ring had no room.
  std::optional<WindowSummary> unsent_end;    // The same.
  WindowSummary window;
  std::unique_ptr<SampleRing> ring;  // Made under drain_mutex.

  // What its observation has cost: calls counted down, and time in the slow path.
  std::atomic<uint64_t> observed_calls{0};
  std::atomic<int64_t> slow_path_ns{0};
  void AddCost(uint64_t calls, int64_t ns) {
    observed_calls.store(observed_calls.load(std::memory_order_relaxed) + calls,
                         std::memory_order_relaxed);
    slow_path_ns.store(slow_path_ns.load(std::memory_order_relaxed) + ns,
                       std::memory_order_relaxed);
  }

  // Exact counting.
  uint32_t walked_calls = 0;                            // Modulo 2^32.
  std::unique_ptr<EdgeCounters> slow_counts;            // Made under drain_mutex.
  std::vector<std::pair<const SiteWay*, EdgeId>> ways;  // Under drain_mutex.

  std::mutex drain_mutex;

  std::atomic<bool> ended{false};  // Stored last by the thread, with release; partner: the drain.

  // The drain's alone: what it has already told of each count.
  std::vector<uint64_t> told_slow;
  std::vector<uint64_t> told_ways;
  bool told_name = false;
  uint64_t told_observed_calls = 0;
  int64_t told_slow_path_ns = 0;
  WindowBegin pending;  // The window that has the samples:
  std::vector<EdgeId> pending_samples;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_THREAD_RECORD_H_
