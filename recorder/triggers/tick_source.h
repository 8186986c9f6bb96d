#ifndef YP_RECORDER_TRIGGERS_TICK_SOURCE_H_
#define YP_RECORDER_TRIGGERS_TICK_SOURCE_H_

#include <cstdint>

#include "base/status.h"
#include "recorder/worker.h"

namespace yp {

// What the thread that begins ticks waits for.
class TickSource {
 public:
  virtual ~TickSource() = default;
  // As --trigger names it.
  virtual const char* name() const = 0;
  virtual Status Start() { return Status::Ok(); }
  virtual void Stop() {}
  // On that thread: until the next tick is due, which where the source can choose is after
  // `closed_ns`. False when the thread is to end.
  virtual bool Wait(Worker& worker, int64_t closed_ns) = 0;
};

// Buytaert et al.'s nanosleep trigger (OOPSLA 2007, section 2.1.1): the thread sleeps.
class Nanosleep final : public TickSource {
 public:
  const char* name() const override { return "nanosleep"; }
  bool Wait(Worker& worker, int64_t closed_ns) override { return worker.SleepFor(closed_ns); }
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_TICK_SOURCE_H_
