#ifndef YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_
#define YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_

#include <cstdint>
#include <functional>

#include "hotspot/agent/worker.h"

namespace yp::hotspot {

// Buytaert et al.'s nanosleep trigger (OOPSLA 2007, section 3): a thread of the agent's own that
// sleeps and then begins a tick. A tick that has not ended by itself is ended after its time.
class NanosleepTrigger {
 public:
  // How long to wait for the next tick, and how long that may last. Nothing to wait: the tick that
  // is open stays so for that long.
  struct Pace {
    int64_t closed_ns = 0;
    int64_t open_ns = 0;
  };

  // All three are called on the trigger's thread.
  NanosleepTrigger(std::function<Pace()> pace, std::function<void()> begin_tick,
                   std::function<void()> end_tick)
      : pace_(std::move(pace)),
        begin_tick_(std::move(begin_tick)),
        end_tick_(std::move(end_tick)),
        worker_("yp-trigger", [this](Worker& worker) { Run(worker); }) {}

  Status Start() { return worker_.Start(); }
  // Returns when the thread has ended; no tick is open then.
  void Stop() { worker_.Stop(); }
  // What the trigger's thread has used, ticks' beginnings and ends included.
  int64_t CpuNs() const { return worker_.CpuNs(); }

 private:
  void Run(Worker& worker) {
    Pace pace = pace_();
    while (worker.SleepFor(pace.closed_ns)) {
      begin_tick_();
      bool go_on = worker.SleepFor(pace.open_ns);
      pace = pace_();
      while (go_on && pace.closed_ns == 0) {
        go_on = worker.SleepFor(pace.open_ns);
        pace = pace_();
      }
      end_tick_();
      if (!go_on) break;
    }
  }

  const std::function<Pace()> pace_;
  const std::function<void()> begin_tick_;
  const std::function<void()> end_tick_;
  Worker worker_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_TRIGGERS_NANOSLEEP_TRIGGER_H_
