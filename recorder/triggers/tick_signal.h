#ifndef YP_RECORDER_TRIGGERS_TICK_SIGNAL_H_
#define YP_RECORDER_TRIGGERS_TICK_SIGNAL_H_

#include <semaphore.h>
#include <signal.h>

#include <atomic>

namespace yp {

// What the handler of a tick's signal posts to; null while there is none. What it once pointed to
// stays: a signal may come late.
extern std::atomic<sem_t*> tick_signals;

// Async-signal-safe: sem_post is. Keeps errno.
void OnTickSignal(int, siginfo_t*, void*);

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_TICK_SIGNAL_H_
