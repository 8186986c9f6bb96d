#ifndef YP_RECORDER_WORKER_H_
#define YP_RECORDER_WORKER_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "recorder/cpu_alarm.h"

namespace yp {

// A thread of the agent's own inside the user's process. It is no Java thread, so that it is in no
// thread dump, and it blocks all signals but those of its own faults, so that none of the program's
// is handled on it.
class Worker {
 public:
  // `run` returns soon after SleepFor has returned false.
  Worker(std::string name, std::function<void(Worker&)> run);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Status Start();
  // Asks the thread to end and waits for it. Does nothing when it does not run.
  void Stop();

  // The CPU time that its thread has used, in ns; all of it once the thread has been stopped.
  int64_t CpuNs() const;

  // Any thread: ends the worker's sleep, or its next one.
  void Wake();

  // On the worker's thread: sleeps, not longer than the duration, and returns false when the thread
  // is to end.
  bool SleepFor(int64_t duration_ns);
  // The same until the process has used so much CPU time from now on, or a few ms later. Not longer
  // than `longest_ns`.
  bool SleepForCpu(int64_t cpu_ns, int64_t longest_ns);

 private:
  static void* Main(void* self);
  // With the lock.
  void EndSleep();

  const std::string name_;  // At most 15 characters: the kernel's limit.
  const std::function<void(Worker&)> run_;
  pthread_t thread_{};
  bool running_ = false;
  std::atomic<int64_t> ended_cpu_ns_{0};
  mutable pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake_;
  bool woken_ = false;
  bool stop_ = false;
  // The thread's, from its first sleep of this kind on.
  std::unique_ptr<CpuAlarm> alarm_;
  bool has_no_alarm_ = false;
};

}  // namespace yp

#endif  // YP_RECORDER_WORKER_H_
