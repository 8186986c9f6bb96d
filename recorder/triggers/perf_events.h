#ifndef YP_RECORDER_TRIGGERS_PERF_EVENTS_H_
#define YP_RECORDER_TRIGGERS_PERF_EVENTS_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "core/options/config_keys.h"
#include "core/options/perf_event_code.h"
#include "recorder/triggers/signal_trigger.h"

namespace yp {

// What the hardware performance monitor counts (HPM), in the kernel's numbers; those of an event's
// name are libpfm4's to tell, in yp. By default the kernel's own clock of each thread's CPU time,
// which needs no such hardware.
struct PerfEvent {
  std::string name = "cpu-clock";
  uint32_t type = 1;    // PERF_TYPE_SOFTWARE.
  uint64_t config = 0;  // PERF_COUNT_SW_CPU_CLOCK: counts ns.
  uint64_t config1 = 0, config2 = 0;
  uint64_t period = 10'000'000;  // Events from one signal to the next.

  void Count(const PerfEventCode& code) {
    type = code.type;
    config = code.config;
    config1 = code.config1;
    config2 = code.config2;
  }
};

// The kernel, as far as it is asked. Each returns 0, or a file, or a negative errno.
class PerfKernel {
 public:
  virtual ~PerfKernel() = default;
  virtual int Open(const PerfEvent& event, pid_t thread) = 0;
  // Counts what the thread's own code does from now on, without signals. The event's period does
  // not matter.
  virtual int OpenCounter(const PerfEvent& event, pid_t thread) = 0;
  // What it has counted since it was opened; a negative errno when that is not known.
  virtual int64_t Read(int file) = 0;
  // Counts no more.
  virtual void Disable(int file) = 0;
  // Signals of the file go to the thread.
  virtual int SendTo(int file, pid_t thread) = 0;
  // Counts one period, then sends.
  virtual int CountOnce(int file) = 0;
  virtual void Close(int file) = 0;
  virtual std::vector<pid_t> Threads() = 0;
  virtual pid_t ThisThread() = 0;
  // /proc/sys/kernel/perf_event_paranoid, or nothing known: negative below -1.
  virtual int Paranoia() = 0;

  static PerfKernel& Real();
};

// Why the event is not to be had, after an errno of Open or OpenCounter, and what to do.
Status ExplainPerfError(const PerfEvent& event, int error, PerfKernel& kernel);

// Buytaert et al.'s HPM trigger (OOPSLA 2007, section 3.1): each thread has a counter of its own,
// whose overflow sends it a signal. A counter counts one period; the handler starts the next.
class PerfEvents final : public SignalTrigger {
 public:
  explicit PerfEvents(PerfEvent event, PerfKernel& kernel = PerfKernel::Real())
      : event_(std::move(event)), kernel_(kernel) {}
  ~PerfEvents() override { Stop(); }

  const char* name() const override { return "hpm"; }
  std::string source() const override { return event_.name; }
  const PerfEvent& event() const { return event_; }
  // Of all threads that there are. When not even the calling thread's counter can be had: an error,
  // which says why.
  Status Start() override;
  void Stop() override;
  std::vector<std::pair<std::string, std::string>> Facts() const override {
    return {{config_key::kStacksTrigger, name()},
            {config_key::kStacksEvent, event_.name},
            {config_key::kStacksPeriod, std::to_string(event_.period)}};
  }
  void OnThreadStart() override;
  void OnThreadEnd() override;

  // In the handler of a signal that a counter sent. Async-signal-safe: one system call.
  static void CountNext(const siginfo_t& info);

 private:
  // 0 or a negative errno.
  int Add(pid_t thread);

  const PerfEvent event_;
  PerfKernel& kernel_;
  std::mutex mutex_;
  bool is_running_ = false;
  std::map<pid_t, int> files_;
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_PERF_EVENTS_H_
