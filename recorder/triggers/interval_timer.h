#ifndef YP_RECORDER_TRIGGERS_INTERVAL_TIMER_H_
#define YP_RECORDER_TRIGGERS_INTERVAL_TIMER_H_

#include <signal.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/options/config_keys.h"
#include "recorder/process_cpu_timer.h"
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
  Status Start() override {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = ProfilingSignal::kNumber;
    timer_ = ProcessCpuTimer::For(event);
    if (timer_ != nullptr && timer_->Set(interval_ns_, interval_ns_)) return Status::Ok();
    Stop();
    return Status::Error("the kernel refuses a profiling timer");
  }
  std::vector<std::pair<std::string, std::string>> Facts() const override {
    return {{config_key::kStacksTrigger, name()},
            {config_key::kStacksIntervalNs, std::to_string(interval_ns_)}};
  }
  void Stop() override { timer_.reset(); }

 private:
  const int64_t interval_ns_;
  std::unique_ptr<ProcessCpuTimer> timer_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_INTERVAL_TIMER_H_
