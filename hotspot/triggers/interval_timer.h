#ifndef YP_HOTSPOT_TRIGGERS_INTERVAL_TIMER_H_
#define YP_HOTSPOT_TRIGGERS_INTERVAL_TIMER_H_

#include <sys/time.h>

#include <cstdint>

#include "hotspot/triggers/signal_trigger.h"

namespace yp::hotspot {

// Buytaert et al.'s setitimer trigger (OOPSLA 2007, section 2.1.1), on the CPU time of the process:
// the kernel sends one signal for each interval, to a thread that runs. It looks at the time when
// its own clock ticks, 250 times a second on most systems: shorter intervals are as long as that.
class IntervalTimer final : public SignalTrigger {
 public:
  explicit IntervalTimer(int64_t interval_ns) : interval_ns_(interval_ns) {}

  const char* name() const override { return "setitimer"; }
  Status Start() override {
    itimerval running{};
    if (getitimer(ITIMER_PROF, &running) == 0 &&
        (running.it_value.tv_sec != 0 || running.it_value.tv_usec != 0)) {
      return Status::Error(
          "this process's profiling timer is in use: stop the other profiler first, or take "
          "--trigger hpm");
    }
    return Set(interval_ns_);
  }
  std::vector<std::pair<std::string, std::string>> Facts() const override {
    return {{"stacks.trigger", name()}, {"stacks.interval_ns", std::to_string(interval_ns_)}};
  }
  void Stop() override { (void)Set(0); }

 private:
  static Status Set(int64_t interval_ns) {
    constexpr int64_t kNsInSecond = 1'000'000'000;
    timeval interval{};
    interval.tv_sec = static_cast<time_t>(interval_ns / kNsInSecond);
    interval.tv_usec = static_cast<suseconds_t>(interval_ns % kNsInSecond / 1000);
    const itimerval timer{.it_interval = interval, .it_value = interval};
    return setitimer(ITIMER_PROF, &timer, nullptr) == 0
               ? Status::Ok()
               : Status::Error("the kernel refuses a profiling timer");
  }

  const int64_t interval_ns_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_TRIGGERS_INTERVAL_TIMER_H_
