#include "recorder/sampled_threads.h"

#include <algorithm>

#include "recorder/kernel_threads.h"

namespace yp {

SampledThreads::~SampledThreads() {
  for (SampledThread* thread : threads_) delete thread;
}

ThreadId SampledThreads::NewId() {
  const std::lock_guard lock(mutex_);
  return ThreadId{next_id_++};
}

void SampledThreads::Add(std::unique_ptr<SampledThread> thread) {
  const std::lock_guard lock(mutex_);
  threads_.push_back(thread.get());
  (void)thread.release();
}

void SampledThreads::Leave(SampledThread& thread) {
  {
    const std::lock_guard lock(mutex_);
    thread.common.calls_left = nullptr;
  }
  thread.common.ended_cpu_ns = CpuNsOfKernelThread(thread.kernel_id).value_or(0);
  thread.common.ended.store(true, std::memory_order_release);  // Partner: ForEach's acquire.
}

void SampledThreads::ReadClocksOfWindows(uint32_t tick, Clock& clock) {
  ForEachPresent([&](SampledThread& thread) {
    SampledThread::Common& common = thread.common;
    if (common.open_tick.load(std::memory_order_relaxed) != tick) return;
    const int64_t cpu_ns = clock.CpuNsOfThread(thread.kernel_id);
    if (cpu_ns < 0) return;
    common.closed_cpu_ns.store(cpu_ns, std::memory_order_relaxed);
    // Partner: Sampler::CutWindow's acquire.
    common.closed_tick.store(tick, std::memory_order_release);
  });
}

void SampledThreads::Delete(SampledThread* thread) {
  {
    const std::lock_guard lock(mutex_);
    threads_.erase(std::find(threads_.begin(), threads_.end(), thread));
  }
  delete thread;
}

size_t SampledThreads::size() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace yp
