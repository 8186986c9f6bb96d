#ifndef YP_RECORDER_TRIGGERS_CALL_COUNTERS_H_
#define YP_RECORDER_TRIGGERS_CALL_COUNTERS_H_

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/status.h"
#include "recorder/call_counter.h"
#include "recorder/triggers/perf_events.h"

namespace yp {

// Lee's call counters (TACO 2015, section 3.1): the hardware performance monitor counts the retired
// calls of each thread, inlined ones not being any. Read once before and once behind a window.
//
// A counter is a file. Only its thread's record closes it, when the thread has left: whoever read
// from a number that is another file by then would take something from the program.
class CallCounters {
 public:
  explicit CallCounters(PerfEvent event, PerfKernel& kernel = PerfKernel::Real())
      : event_(std::move(event)), kernel_(kernel) {}

  const std::string& event_name() const { return event_.name; }
  // Whether the calling thread can have a counter: an error says why not.
  Status Check();
  // The calling thread's, from now on; null when it can have none. Not to be deleted after these.
  std::unique_ptr<CallCounter> OfThisThread();
  // None counts any more: what they cost is over.
  void Stop();

 private:
  class Counter;

  void Close(int file);

  const PerfEvent event_;
  PerfKernel& kernel_;
  std::mutex mutex_;
  bool is_stopped_ = false;
  std::set<int> files_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_CALL_COUNTERS_H_
