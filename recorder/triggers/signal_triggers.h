#ifndef YP_RECORDER_TRIGGERS_SIGNAL_TRIGGERS_H_
#define YP_RECORDER_TRIGGERS_SIGNAL_TRIGGERS_H_

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "core/options/recording_options.h"
#include "recorder/triggers/perf_events.h"
#include "recorder/triggers/profiling_signal.h"
#include "recorder/triggers/signal_trigger.h"

namespace yp {

// What options.stacks = hpm counts: the kernel's clock where no event was given.
PerfEvent StackEventOf(const RecordingOptions& options);

// What sends the signals of the mechanism "immediate": the first of some triggers that this machine
// allows. Threads may start and end at any time, also while it starts.
class SignalTriggers {
 public:
  using Triggers = std::vector<std::unique_ptr<SignalTrigger>>;

  explicit SignalTriggers(Triggers triggers);
  // As options.stacks says, and what takes its place; none where no signals are asked for.
  static Triggers For(const RecordingOptions& options);

  bool empty() const { return triggers_.empty(); }
  // Takes the signal, then starts the first trigger that can be had, and tells in the log which
  // cannot. An error when none can, or the signal is in use. Not when empty().
  Status Start(ProfilingSignal::Handler handler);
  void Stop();
  // What the trigger in use goes by: an event, or a timer. After Start, and not when empty().
  std::string source() const;
  // Keys and values of the profile's configuration, of the trigger in use. After Start.
  std::vector<std::pair<std::string, std::string>> Facts() const;
  // From the thread itself.
  void OnThreadStart();
  void OnThreadEnd();

 private:
  const Triggers triggers_;
  std::atomic<SignalTrigger*> in_use_;  // Null when empty().
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_SIGNAL_TRIGGERS_H_
