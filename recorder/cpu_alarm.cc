#include "recorder/cpu_alarm.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace yp {
namespace {

timespec ToTimespec(int64_t ns) {
  constexpr int64_t kNsInSecond = 1'000'000'000;
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / kNsInSecond);
  time.tv_nsec = static_cast<long>(ns % kNsInSecond);
  return time;
}

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

// By system calls: the C library's functions moved to another library in glibc 2.34.
std::unique_ptr<CpuAlarm> CpuAlarm::ForThisThread() {
  const auto thread = static_cast<pid_t>(syscall(SYS_gettid));
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = FreeSignal();
  event._sigev_un._tid = thread;
  int timer = 0;
  if (event.sigev_signo == 0 ||
      syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) {
    return nullptr;
  }
  return std::unique_ptr<CpuAlarm>(new CpuAlarm(event.sigev_signo, thread, timer));
}

CpuAlarm::~CpuAlarm() { (void)syscall(SYS_timer_delete, timer_); }

void CpuAlarm::Sleep(int64_t cpu_ns, int64_t longest_ns) {
  itimerspec times{};
  times.it_value = ToTimespec(cpu_ns);
  if (syscall(SYS_timer_settime, timer_, 0, &times, nullptr) != 0) return;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal_);
  const timespec longest = ToTimespec(longest_ns);
  (void)sigtimedwait(&signals, nullptr, &longest);
  times.it_value = {};
  (void)syscall(SYS_timer_settime, timer_, 0, &times, nullptr);
}

void CpuAlarm::Interrupt() const { (void)syscall(SYS_tgkill, getpid(), thread_, signal_); }

}  // namespace yp
