#ifndef YP_HOTSPOT_THREADS_THREAD_RECORD_H_
#define YP_HOTSPOT_THREADS_THREAD_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "hotspot/threads/shared_memory.h"
#include "recorder/edge_counters.h"
#include "recorder/sampled_thread.h"

namespace yp::hotspot {

// The agent's side of one Java platform thread: who may use what is as in SampledThread.
struct ThreadRecord : SampledThread {
  using SampledThread::SampledThread;
  ~ThreadRecord() override;

  // The thread itself. Written before the record is published.
  JavaThreadState* shared = nullptr;  // With the bytecode probe only.
  size_t shared_bytes = 0;
  int64_t java_thread_id = 0;
  uintptr_t stack_end = 0;            // One past the highest address of the thread's stack.
  std::atomic<uint32_t> own_tick{0};  // What own.tick points to without shared memory.

  // Counting each call, in place of sampling.
  struct Counting {
    // The thread's alone.
    uint32_t walked_calls = 0;  // Modulo 2^32.
    // The thread's and the drain's: made and grown under common.mutex.
    std::unique_ptr<EdgeCounters> slow_counts;
    std::vector<std::pair<const SiteWay*, EdgeId>> ways;
    // The drain's alone: what it has already told of each count.
    std::vector<uint64_t> told_slow;
    std::vector<uint64_t> told_ways;
  } counting;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_THREAD_RECORD_H_
