#include "recorder/triggers/tick_signal.h"

#include <cerrno>

// What runs in the handler: see tools/check_handlers.py.
namespace yp {

std::atomic<sem_t*> tick_signals{nullptr};

void OnTickSignal(int, siginfo_t*, void*) {
  const int saved_errno = errno;
  sem_t* const signals =
      tick_signals.load(std::memory_order_acquire);  // Partner: Signals' release.
  if (signals != nullptr) sem_post(signals);
  errno = saved_errno;
}

}  // namespace yp
