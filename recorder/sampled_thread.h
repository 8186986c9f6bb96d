#ifndef YP_RECORDER_SAMPLED_THREAD_H_
#define YP_RECORDER_SAMPLED_THREAD_H_

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
#include "recorder/call_counter.h"
#include "recorder/sample_ring.h"

namespace yp {

// What sampling has to do with one thread of the program, by who may use it. The drain, once it has
// seen that the thread has ended, may use everything; then it deletes the record.
struct SampledThread {
  SampledThread(ThreadId thread_id, uint64_t seed) : id(thread_id), own(seed) {}
  virtual ~SampledThread() = default;
  SampledThread(const SampledThread&) = delete;
  SampledThread& operator=(const SampledThread&) = delete;

  // Anyone's. Written before the record is published.
  const ThreadId id;
  std::string name;
  int32_t kernel_id = 0;

  // The thread's alone.
  struct Own {
    explicit Own(uint64_t seed) : random(seed) {}

    Xoshiro256 random;
    std::unique_ptr<SamplingPolicy> policy;
    std::atomic<uint32_t>* tick = nullptr;  // The tick whose window this thread has begun.
    bool window_open = false;
    uint64_t countdown = 0;  // What the policy said last.
    uint32_t window_samples = 0;
    uint32_t samples_since_stack = 0;
    int64_t window_start_cpu_ns = 0;
    int64_t window_agent_ns = 0;         // Spent in the slow path since the window began.
    int64_t previous_window_cpu_ns = 0;  // When the last window began that the drain is told of.
    std::unique_ptr<CallCounter> call_counter;  // Null where there is none.
    uint64_t window_start_near_calls = 0;       // By the counter.
    uint64_t previous_window_near_calls = 0;    // When that window ended.
    std::optional<WindowBegin> unsent_begin;    // For which the ring had no room.
    std::optional<WindowSummary> unsent_end;    // The same.
    WindowSummary window;
  } own;

  // What several threads use.
  struct Common {
    // Calls until the slow path; the probe counts them down. Null once the thread has left.
    std::atomic<int64_t>* calls_left = nullptr;
    // The tick whose window is open and has a duration, 0 for none; and what the thread's CPU time
    // was when the tick `closed_tick` ended, by the trigger's thread: closed_cpu_ns is stored
    // before closed_tick, with release; partner: Sampler::CutWindow's acquire.
    std::atomic<uint32_t> open_tick{0};
    std::atomic<uint32_t> closed_tick{0};
    std::atomic<int64_t> closed_cpu_ns{0};
    // What its observation has cost: calls counted down, and time in the slow path.
    std::atomic<uint64_t> observed_calls{0};
    std::atomic<int64_t> slow_path_ns{0};
    int64_t ended_cpu_ns = 0;        // What it has used in all; known when it has ended.
    std::atomic<bool> ended{false};  // Stored last by the thread, with release; partner: the drain.
    // What the drain reads is made while the drain already knows the record, so that whoever makes
    // it or looks whether it is there holds the mutex; once there, it stays and needs no lock.
    std::mutex mutex;
    std::unique_ptr<SampleRing> ring;  // Made under the mutex.
  } common;

  // The drain's alone: what it has told, and what is to come.
  struct Drained {
    bool told_name = false;
    uint64_t told_observed_calls = 0;
    int64_t told_slow_path_ns = 0;
    WindowBegin pending;  // The window that has the samples:
    std::vector<EdgeId> pending_samples;
  } drained;

  // The thread: adds to what its observation has cost.
  void AddCost(uint64_t calls, int64_t ns) {
    const auto add = [](auto& sum, auto more) {
      sum.store(sum.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    };
    add(common.observed_calls, calls);
    add(common.slow_path_ns, ns);
  }
};

}  // namespace yp

#endif  // YP_RECORDER_SAMPLED_THREAD_H_
