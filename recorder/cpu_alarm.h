#ifndef YP_RECORDER_CPU_ALARM_H_
#define YP_RECORDER_CPU_ALARM_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "recorder/process_cpu_timer.h"

namespace yp {

// Wakes a thread when the process has used so much CPU time: by a timer of the kernel's on the
// process's CPU clock. Its signal goes to that thread, which blocks all signals and takes this one
// without a handler. The kernel looks at the clock when it interrupts a thread that runs: 250 times
// a second on most systems.
class CpuAlarm {
 public:
  // Of the calling thread, which blocks all signals. Null where the kernel refuses a timer, or the
  // program handles all of the signals that could be used.
  static std::unique_ptr<CpuAlarm> ForThisThread();

  // On its thread: sleeps until the process has used so much CPU time from now on, at least 1 ns,
  // or so much time has passed. May return earlier.
  void Sleep(int64_t cpu_ns, int64_t longest_ns);
  // Any thread: ends the sleep, or the next one.
  void Interrupt() const;

 private:
  CpuAlarm(int signal, pid_t thread, std::unique_ptr<ProcessCpuTimer> timer)
      : signal_(signal), thread_(thread), timer_(std::move(timer)) {}

  const int signal_;
  const pid_t thread_;
  const std::unique_ptr<ProcessCpuTimer> timer_;
};

}  // namespace yp

#endif  // YP_RECORDER_CPU_ALARM_H_
