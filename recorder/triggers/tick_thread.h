#ifndef YP_RECORDER_TRIGGERS_TICK_THREAD_H_
#define YP_RECORDER_TRIGGERS_TICK_THREAD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "recorder/triggers/tick_source.h"
#include "recorder/worker.h"

namespace yp {

// So much time at least, and until the process has used so much CPU time in it, but no longer than
// `most_ns`.
struct TickSpan {
  int64_t ns = 0;
  int64_t cpu_ns = 0;
  int64_t most_ns = 0;

  bool operator==(const TickSpan&) const = default;
};

// How long to wait for the next tick, and how long that may last: from when it has settled on.
// Nothing to wait: the tick that is open stays so for that long. One that is to last for no time is
// none: the source of paces is asked again then.
struct TickPace {
  // Until the process has used so much CPU time, or so much time has passed. No CPU time: the time
  // alone.
  int64_t closed_ns = 0;
  int64_t closed_cpu_ns = 0;
  TickSpan settle = {};
  TickSpan open = {};
};

// A thread of the agent's own that begins ticks when its source says so. A tick that has not ended
// by itself is ended after its time.
class TickThread {
 public:
  // All functions are called on the thread: `count` when the tick has settled, `go_on` where it
  // stays open for another while. A tick that is stopped before it has settled ends without.
  TickThread(std::unique_ptr<TickSource> source, std::function<TickPace()> pace,
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
    TickPace pace = pace_();
    while (Wait(worker, pace)) {
      begin_tick_();
      bool go_on = pace.settle.ns == 0 || Sleep(worker, pace.settle);
      if (go_on) {
        count_();
        go_on = Sleep(worker, pace.open);
      }
      pace = pace_();
      while (go_on && pace.closed_ns == 0) {
        go_on_();
        go_on = Sleep(worker, pace.open);
        pace = pace_();
      }
      end_tick_();
      if (!go_on) break;
    }
  }

  // Until a tick is due, which `pace` is that of then.
  bool Wait(Worker& worker, TickPace& pace) {
    while (pace.open.ns == 0) {
      const bool go_on = pace.closed_cpu_ns > 0
                             ? worker.SleepForCpu(pace.closed_cpu_ns, pace.closed_ns)
                             : worker.SleepFor(pace.closed_ns);
      if (!go_on) return false;
      pace = pace_();
    }
    return source_->Wait(worker, pace.closed_ns);
  }

  static bool Sleep(Worker& worker, const TickSpan& span) {
    if (span.cpu_ns == 0) return worker.SleepFor(span.ns);
    const int64_t begin_cpu_ns = SystemClock().ProcessCpuNs();
    if (!worker.SleepFor(span.ns)) return false;
    const int64_t left_cpu_ns = span.cpu_ns - (SystemClock().ProcessCpuNs() - begin_cpu_ns);
    return left_cpu_ns <= 0 || worker.SleepForCpu(left_cpu_ns, span.most_ns - span.ns);
  }

  const std::unique_ptr<TickSource> source_;
  const std::function<TickPace()> pace_;
  const std::function<void()> begin_tick_;
  const std::function<void()> count_;
  const std::function<void()> go_on_;
  const std::function<void()> end_tick_;
  Worker worker_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_TICK_THREAD_H_
