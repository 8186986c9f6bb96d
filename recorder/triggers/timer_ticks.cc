#include "recorder/triggers/timer_ticks.h"

#include <semaphore.h>
#include <time.h>

#include <cerrno>

#include "recorder/triggers/profiling_signal.h"
#include "recorder/triggers/tick_signal.h"

namespace yp {
namespace {

// How long the thread may take to notice that it is to end.
constexpr int64_t kPatienceNs = 50'000'000;

// Never destroyed: a signal may come late.
sem_t& Signals() {
  static sem_t* const semaphore = [] {
    auto* made = new sem_t;
    sem_init(made, 0, 0);
    tick_signals.store(made, std::memory_order_release);  // Partner: OnTickSignal's acquire.
    return made;
  }();
  return *semaphore;
}

bool HasSignalWithin(int64_t ns) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  const int64_t end_ns = until.tv_nsec + ns;
  until.tv_sec += static_cast<time_t>(end_ns / 1'000'000'000);
  until.tv_nsec = static_cast<long>(end_ns % 1'000'000'000);
  int result = 0;
  do {
    result = sem_timedwait(&Signals(), &until);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

Status TimerTicks::Start() {
  (void)Signals();  // Made before the first signal.
  if (Status taken = ProfilingSignal::Take(&OnTickSignal); !taken) return taken;
  return timer_.Start();
}

bool TimerTicks::Wait(Worker& worker, int64_t) {
  // Those that came while a tick was open are over.
  while (sem_trywait(&Signals()) == 0) {
  }
  while (worker.SleepFor(0)) {
    if (HasSignalWithin(kPatienceNs)) return true;
  }
  return false;
}

}  // namespace yp
