#ifndef YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_
#define YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_

#include <cstdint>
#include <functional>

#include "hotspot/agent/worker.h"

namespace yp::hotspot {

// Buytaert et al.'s nanosleep trigger (OOPSLA 2007, section 3): a thread of the agent's own that
// sleeps for the interval and then begins a tick. A tick that has not ended by itself is ended
// after a share of the interval, so that the program is armed for that share at most.
class NanosleepTrigger {
 public:
  static constexpr double kMaxArmedShare = 0.2;

  NanosleepTrigger(int64_t interval_ns, std::function<void()> begin_tick,
                   std::function<void()> end_tick)
      : interval_ns_(interval_ns),
        begin_tick_(std::move(begin_tick)),
        end_tick_(std::move(end_tick)),
        worker_("yp-trigger", [this](Worker& worker) { Run(worker); }) {}

  Status Start() { return worker_.Start(); }
  // Returns when the thread has ended; no tick is open then.
  void Stop() { worker_.Stop(); }

 private:
  void Run(Worker& worker) {
    const auto armed_ns = static_cast<int64_t>(static_cast<double>(interval_ns_) * kMaxArmedShare);
    while (worker.SleepFor(interval_ns_ - armed_ns)) {
      begin_tick_();
      const bool go_on = worker.SleepFor(armed_ns);
      end_tick_();
      if (!go_on) break;
    }
  }

  const int64_t interval_ns_;
  const std::function<void()> begin_tick_;
  const std::function<void()> end_tick_;
  Worker worker_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_
