#ifndef YP_RECORDER_TRIGGERS_TIMER_TICKS_H_
#define YP_RECORDER_TRIGGERS_TIMER_TICKS_H_

#include <cstdint>

#include "recorder/triggers/interval_timer.h"
#include "recorder/triggers/tick_source.h"

namespace yp {

// Buytaert et al.'s setitimer trigger with polling (OOPSLA 2007, section 2.1.1): the process's CPU
// timer says when a tick is due. Jikes RVM sets its bit in the signal's handler; here the handler
// wakes the thread that does, as a tick at compiled entries is more than a bit.
class TimerTicks final : public TickSource {
 public:
  explicit TimerTicks(int64_t interval_ns) : timer_(interval_ns) {}

  const char* name() const override { return timer_.name(); }
  Status Start() override;
  void Stop() override { timer_.Stop(); }
  bool Wait(Worker& worker, int64_t closed_ns) override;

 private:
  IntervalTimer timer_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_TIMER_TICKS_H_
