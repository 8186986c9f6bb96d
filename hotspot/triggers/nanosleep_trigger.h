#ifndef YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_
#define YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_

#include <cstdint>
#include <functional>

#include "hotspot/agent/worker.h"

namespace yp::hotspot {

// Buytaert et al.'s nanosleep trigger (OOPSLA 2007, section 3): a thread of the agent's own that
// sleeps for the rest of the interval and then begins a tick. A tick that has not ended by itself
// is ended after its share of the interval.
class NanosleepTrigger {
 public:
  // `armed_share`: above 0, below 1.
  NanosleepTrigger(int64_t interval_ns, double armed_share, std::function<void()> begin_tick,
                   std::function<void()> end_tick)
      : interval_ns_(interval_ns),
        armed_ns_(static_cast<int64_t>(static_cast<double>(interval_ns) * armed_share)),
        begin_tick_(std::move(begin_tick)),
        end_tick_(std::move(end_tick)),
        worker_("yp-trigger", [this](Worker& worker) { Run(worker); }) {}

  Status Start() { return worker_.Start(); }
  // Returns when the thread has ended; no tick is open then.
  void Stop() { worker_.Stop(); }

 private:
  void Run(Worker& worker) {
    while (worker.SleepFor(interval_ns_ - armed_ns_)) {
      begin_tick_();
      const bool go_on = worker.SleepFor(armed_ns_);
      end_tick_();
      if (!go_on) break;
    }
  }

  const int64_t interval_ns_;
  const int64_t armed_ns_;
  const std::function<void()> begin_tick_;
  const std::function<void()> end_tick_;
  Worker worker_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_
