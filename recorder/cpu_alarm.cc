#include "recorder/cpu_alarm.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace yp {
namespace {

// The last real-time signal that the program does not handle: sent to the process it would end it,
// so that nobody sends it. 0: none.
int FreeSignal() {
  for (int signal = SIGRTMAX; signal >= SIGRTMIN; --signal) {
    struct sigaction current {};
    if (sigaction(signal, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) == 0 &&
        current.sa_handler == SIG_DFL) {
      return signal;
    }
  }
  return 0;
}

}  // namespace

std::unique_ptr<CpuAlarm> CpuAlarm::ForThisThread() {
  const auto thread = static_cast<pid_t>(syscall(SYS_gettid));
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = FreeSignal();
  event._sigev_un._tid = thread;
  if (event.sigev_signo == 0) return nullptr;
  auto timer = ProcessCpuTimer::For(event);
  if (timer == nullptr) return nullptr;
  return std::unique_ptr<CpuAlarm>(new CpuAlarm(event.sigev_signo, thread, std::move(timer)));
}

void CpuAlarm::Sleep(int64_t cpu_ns, int64_t longest_ns) {
  if (!timer_->Set(cpu_ns)) return;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal_);
  const timespec longest = ProcessCpuTimer::ToTimespec(longest_ns);
  (void)sigtimedwait(&signals, nullptr, &longest);
  (void)timer_->Set(0);
}

void CpuAlarm::Interrupt() const { (void)syscall(SYS_tgkill, getpid(), thread_, signal_); }

}  // namespace yp
