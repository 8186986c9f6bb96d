#ifndef YP_RECORDER_SAMPLED_THREADS_H_
#define YP_RECORDER_SAMPLED_THREADS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "recorder/sampled_thread.h"

namespace yp {

// All threads that are sampled. A record lives until the drain's next round after its thread has
// left.
class SampledThreads {
 public:
  SampledThreads() = default;
  ~SampledThreads();
  SampledThreads(const SampledThreads&) = delete;
  SampledThreads& operator=(const SampledThreads&) = delete;

  // From 0, each once.
  ThreadId NewId();
  // That of a thread: each has randomness of its own, and equal seeds give equal runs.
  static uint64_t SeedFor(ThreadId id, uint64_t seed) {
    return seed + 0x9e3779b97f4a7c15u * ToIndex(id);
  }
  // From its own thread; with a countdown.
  void Add(std::unique_ptr<SampledThread> thread);
  // From its own thread, which does not use the record again.
  void Leave(SampledThread& thread);

  // Calls visit(SampledThread&) for each, and deletes those that had left before their visit. Only
  // one thread may be in here at a time.
  template <typename Visit>
  void ForEach(Visit visit) {
    std::vector<SampledThread*> threads;
    {
      const std::lock_guard lock(mutex_);
      threads = threads_;
    }
    for (SampledThread* thread : threads) {
      const bool ended =
          thread->common.ended.load(std::memory_order_acquire);  // Partner: Leave's release.
      visit(*thread);
      if (ended) Delete(thread);
    }
  }
  // The same for each that has not left; none leaves meanwhile. Any thread.
  template <typename Visit>
  void ForEachPresent(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (SampledThread* thread : threads_) {
      if (thread->common.calls_left != nullptr) visit(*thread);
    }
  }
  // Sets closed_cpu_ns and closed_tick of every thread whose window of that tick is open.
  void ReadClocksOfWindows(uint32_t tick, Clock& clock);
  size_t size() const;

 private:
  void Delete(SampledThread* thread);

  mutable std::mutex mutex_;
  std::vector<SampledThread*> threads_;
  uint32_t next_id_ = 0;
};

}  // namespace yp

#endif  // YP_RECORDER_SAMPLED_THREADS_H_
