#ifndef YP_RECORDER_TRIGGERS_INTERVAL_TIMER_H_
#define YP_RECORDER_TRIGGERS_INTERVAL_TIMER_H_

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/options/config_keys.h"
#include "recorder/triggers/profiling_signal.h"
#include "recorder/triggers/signal_trigger.h"

namespace yp {

// Buytaert et al.'s setitimer trigger (OOPSLA 2007, section 2.1.1), on the CPU time of the process:
// the kernel sends one signal for each interval, to a thread that runs. It looks at the time when
// its own clock ticks, 250 times a second on most systems: shorter intervals are as long as that.
// The timer is one of POSIX's, which differs from setitimer's in two things: a process may have
// several, and their signal is not SIGPROF, which the program's own tools may need.
class IntervalTimer final : public SignalTrigger {
 public:
  explicit IntervalTimer(int64_t interval_ns) : interval_ns_(interval_ns) {}
  ~IntervalTimer() override { Stop(); }
  IntervalTimer(const IntervalTimer&) = delete;
  IntervalTimer& operator=(const IntervalTimer&) = delete;

  const char* name() const override { return "setitimer"; }
  // By system calls: the C library's functions moved to another library in glibc 2.34.
  Status Start() override {
    constexpr int64_t kNsInSecond = 1'000'000'000;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = ProfilingSignal::kNumber;
    int timer = 0;
    if (syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) return Refused();
    timer_ = timer;
    timespec interval{};
    interval.tv_sec = static_cast<time_t>(interval_ns_ / kNsInSecond);
    interval.tv_nsec = static_cast<long>(interval_ns_ % kNsInSecond);
    const itimerspec times{.it_interval = interval, .it_value = interval};
    if (syscall(SYS_timer_settime, timer, 0, &times, nullptr) == 0) return Status::Ok();
    Stop();
    return Refused();
  }
  std::vector<std::pair<std::string, std::string>> Facts() const override {
    return {{config_key::kStacksTrigger, name()},
            {config_key::kStacksIntervalNs, std::to_string(interval_ns_)}};
  }
  void Stop() override {
    if (const std::optional<int> timer = std::exchange(timer_, std::nullopt)) {
      (void)syscall(SYS_timer_delete, *timer);
    }
  }

 private:
  static Status Refused() { return Status::Error("the kernel refuses a profiling timer"); }

  const int64_t interval_ns_;
  std::optional<int> timer_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_INTERVAL_TIMER_H_
