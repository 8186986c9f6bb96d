#ifndef YP_RECORDER_TRIGGERS_PROFILING_SIGNAL_H_
#define YP_RECORDER_TRIGGERS_PROFILING_SIGNAL_H_

#include <signal.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/status.h"

namespace yp {

// By which threads are interrupted: SIGSTKFLT, which neither the kernel nor the JVM sends. SIGPROF
// is left to the program's own tools: Flight Recorder's samples of CPU time (jdk.CPUTimeSample, JDK
// 25) and other profilers take it, and would find it taken.
//
// The handler stays for good: a signal that was sent before a recording's end may come after it,
// and by default it ends the process.
class ProfilingSignal {
 public:
  using Handler = void (*)(int signal, siginfo_t* info, void* context);
  static constexpr int kNumber = SIGSTKFLT;

  // An error when someone else handles it. Also twice with one handler.
  static Status Take(Handler handler) {
    struct sigaction current {};
    if (sigaction(kNumber, nullptr, &current) != 0) return Failed("cannot be looked at");
    const bool has_info = (current.sa_flags & SA_SIGINFO) != 0;
    if (has_info && current.sa_sigaction == handler) return Status::Ok();
    const bool is_free =
        !has_info && (current.sa_handler == SIG_DFL || current.sa_handler == SIG_IGN);
    if (!is_free) {
      return Status::Error(
          "SIGSTKFLT is in use in this process, by another agent or the program itself: leave that "
          "out, or take --mechanism polling");
    }
    struct sigaction ours {};
    ours.sa_sigaction = handler;
    // System calls go on afterwards; on the thread's own stack, which AsyncGetCallTrace expects.
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    sigaddset(&ours.sa_mask, SIGPROF);  // Another profiler's stacks would have our handler in them.
    if (sigaction(kNumber, &ours, nullptr) != 0) return Failed("cannot be taken");
    return Status::Ok();
  }

 private:
  static Status Failed(const char* what) {
    return Status::Error(std::string("SIGSTKFLT ") + what + ": " + std::strerror(errno));
  }
};

}  // namespace yp

#endif  // YP_RECORDER_TRIGGERS_PROFILING_SIGNAL_H_
