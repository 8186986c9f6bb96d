#ifndef YP_RECORDER_TRIGGERS_TICK_THREAD_H_
#define YP_RECORDER_TRIGGERS_TICK_THREAD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "recorder/triggers/tick_source.h"
#include "recorder/worker.h"

namespace yp {

// A thread of the agent's own that begins ticks when its source says so. A tick that has not ended
// by itself is ended after its time.
class TickThread {
 public:
  // How long to wait for the next tick, and how long that may last: from when it has been open for
  // settle_ns on. Nothing to wait: the tick that is open stays so for that long. One that is to
  // last for no time is none: the source of paces is asked again then.
  struct Pace {
    int64_t closed_ns = 0;
    int64_t settle_ns = 0;
    int64_t open_ns = 0;
  };

  // All functions are called on the thread: `count` when the tick has settled, `go_on` where it
  // stays open for another while. A tick that is stopped before it has settled ends without.
  TickThread(std::unique_ptr<TickSource> source, std::function<Pace()> pace,
             std::function<void()> begin_tick, std::function<void()> count,
             std::function<void()> go_on, std::function<void()> end_tick)
      : source_(std::move(source)),
        pace_(std::move(pace)),
        begin_tick_(std::move(begin_tick)),
        count_(std::move(count)),
        go_on_(std::move(go_on)),
        end_tick_(std::move(end_tick)),
        worker_("yp-trigger", [this](Worker& worker) { Run(worker); }) {}

  Status Start() {
    if (Status started = source_->Start(); !started) return started;
    return worker_.Start();
  }
  // Returns when the thread has ended; no tick is open then.
  void Stop() {
    source_->Stop();
    worker_.Stop();
  }
  // What the thread has used, ticks' beginnings and ends included.
  int64_t CpuNs() const { return worker_.CpuNs(); }

 private:
  void Run(Worker& worker) {
    Pace pace = pace_();
    while (Wait(worker, pace)) {
      begin_tick_();
      bool go_on = pace.settle_ns == 0 || worker.SleepFor(pace.settle_ns);
      if (go_on) {
        count_();
        go_on = worker.SleepFor(pace.open_ns);
      }
      pace = pace_();
      while (go_on && pace.closed_ns == 0) {
        go_on_();
        go_on = worker.SleepFor(pace.open_ns);
        pace = pace_();
      }
      end_tick_();
      if (!go_on) break;
    }
  }

  // Until a tick is due, which `pace` is that of then.
  bool Wait(Worker& worker, Pace& pace) {
    while (pace.open_ns == 0) {
      if (!worker.SleepFor(pace.closed_ns)) return false;
      pace = pace_();
    }
    return source_->Wait(worker, pace.closed_ns);
  }

  const std::unique_ptr<TickSource> source_;
  const std::function<Pace()> pace_;
  const std::function<void()> begin_tick_;
  const std::function<void()> count_;
  const std::function<void()> go_on_;
  const std::function<void()> end_tick_;
  Worker worker_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_TICK_THREAD_H_
