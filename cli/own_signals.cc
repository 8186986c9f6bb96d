#include "cli/own_signals.h"

namespace yp {
namespace {

sigset_t& Restored() {
  static sigset_t restored = [] {
    sigset_t none;
    sigemptyset(&none);
    return none;
  }();
  return restored;
}

}  // namespace

void IgnoreSignal(int signal) {
  if (std::signal(signal, SIG_IGN) == SIG_DFL) sigaddset(&Restored(), signal);
}

sigset_t SignalsToRestore() { return Restored(); }

EndSignals::EndSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

EndSignals::~EndSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void EndSignals::Wait() const {
  int signal = 0;
  sigwait(&signals_, &signal);
}

bool EndSignals::WaitFor(std::chrono::nanoseconds time) const {
  timespec wait{};
  wait.tv_nsec = time.count();
  return sigtimedwait(&signals_, nullptr, &wait) > 0;
}

}  // namespace yp
