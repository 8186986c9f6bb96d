#ifndef YP_RECORDER_TRIGGERS_SIGNAL_TRIGGER_H_
#define YP_RECORDER_TRIGGERS_SIGNAL_TRIGGER_H_

#include <signal.h>

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace yp {

// What sends the profiling signal to the program's threads as they use CPU time.
class SignalTrigger {
 public:
  virtual ~SignalTrigger() = default;
  // As --trigger names it.
  virtual const char* name() const = 0;
  // What it goes by: an event, or a timer.
  virtual std::string source() const { return name(); }
  // An error says what this machine does not allow, and what to do; nothing is sent then.
  virtual Status Start() = 0;
  virtual void Stop() = 0;
  // What it has to tell of itself: keys and values of the profile's configuration.
  virtual std::vector<std::pair<std::string, std::string>> Facts() const = 0;
  // The calling thread begins, or ends.
  virtual void OnThreadStart() {}
  virtual void OnThreadEnd() {}
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_SIGNAL_TRIGGER_H_
