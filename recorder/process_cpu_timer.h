#ifndef YP_RECORDER_PROCESS_CPU_TIMER_H_
#define YP_RECORDER_PROCESS_CPU_TIMER_H_

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <memory>

namespace yp {

// A timer of the kernel's on the process's CPU clock, by system calls: the C library's functions
// moved to another library in glibc 2.34.
class ProcessCpuTimer {
 public:
  // Not set yet. `event`: what it does when it expires. Null: the kernel refuses it.
  static std::unique_ptr<ProcessCpuTimer> For(const sigevent& event) {
    sigevent copy = event;
    int timer = 0;
    if (syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &copy, &timer) != 0) return nullptr;
    return std::unique_ptr<ProcessCpuTimer>(new ProcessCpuTimer(timer));
  }
  ~ProcessCpuTimer() { (void)syscall(SYS_timer_delete, timer_); }
  ProcessCpuTimer(const ProcessCpuTimer&) = delete;
  ProcessCpuTimer& operator=(const ProcessCpuTimer&) = delete;

  // Expires after so much CPU time, and then after each `interval_ns`; 0: never. Whether the kernel
  // has taken it.
  bool Set(int64_t first_ns, int64_t interval_ns = 0) {
    const itimerspec times{.it_interval = ToTimespec(interval_ns),
                           .it_value = ToTimespec(first_ns)};
    return syscall(SYS_timer_settime, timer_, 0, &times, nullptr) == 0;
  }

  static timespec ToTimespec(int64_t ns) {
    constexpr int64_t kNsInSecond = 1'000'000'000;
    timespec time{};
    time.tv_sec = static_cast<time_t>(ns / kNsInSecond);
    time.tv_nsec = static_cast<long>(ns % kNsInSecond);
    return time;
  }

 private:
  explicit ProcessCpuTimer(int timer) : timer_(timer) {}

  const int timer_;
};

}  // namespace yp

#endif  // YP_RECORDER_PROCESS_CPU_TIMER_H_
