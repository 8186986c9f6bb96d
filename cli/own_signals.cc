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

}  // namespace yp
