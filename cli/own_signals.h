#ifndef YP_CLI_OWN_SIGNALS_H_
#define YP_CLI_OWN_SIGNALS_H_

#include <chrono>
#include <csignal>

namespace yp {

// From now on this process ignores the signal, and what it would have interrupted fails instead.
// Programs that it starts find the signal as it was before.
void IgnoreSignal(int signal);

// Those that stand at their default for programs that are started.
sigset_t SignalsToRestore();

// While it lives, SIGINT, SIGTERM and SIGHUP wait for one of its functions; in threads that are
// started meanwhile, too.
class EndSignals {
 public:
  EndSignals();
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  void Wait() const;
  // Whether one came within that time, of less than a second.
  bool WaitFor(std::chrono::nanoseconds time) const;

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace yp

#endif  // YP_CLI_OWN_SIGNALS_H_
