#include "cli/process.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>

#include "cli/own_signals.h"

namespace yp {
namespace {

constexpr std::array kForwardedSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

// Blocks the signals that RunInForeground waits for, and puts the mask back.
class ScopedSignalMask {
 public:
  ScopedSignalMask() {
    sigemptyset(&waited_);
    for (const int signal : kForwardedSignals) sigaddset(&waited_, signal);
    sigaddset(&waited_, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &waited_, &before_);
  }
  ~ScopedSignalMask() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  ScopedSignalMask(const ScopedSignalMask&) = delete;
  ScopedSignalMask& operator=(const ScopedSignalMask&) = delete;
  const sigset_t& waited() const { return waited_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t waited_;
  sigset_t before_;
};

std::vector<std::string> MergeEnvironment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable(*entry);
    if (added.count(variable.substr(0, variable.find('='))) == 0) merged.push_back(variable);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// 0 or an errno.
int Spawn(const ProcessSpec& spec, const sigset_t& mask, pid_t* pid) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const std::array descriptors{spec.stdin_fd, spec.stdout_fd, spec.stderr_fd};
  for (int target = 0; target < 3; ++target) {
    const int fd = descriptors[static_cast<size_t>(target)];
    if (fd >= 0) posix_spawn_file_actions_adddup2(&files, fd, target);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              (spec.own_group ? POSIX_SPAWN_SETPGROUP : 0)));
  posix_spawnattr_setsigmask(&attributes, &mask);
  const sigset_t to_default = SignalsToRestore();
  posix_spawnattr_setsigdefault(&attributes, &to_default);
  const std::vector<std::string> environment = MergeEnvironment(spec.environment);
  const int error = posix_spawnp(pid, spec.argv.front().c_str(), &files, &attributes,
                                 Pointers(spec.argv).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

using std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeToEnd{10};

// A running program: where its signals go, and how long it may take.
class Running {
 public:
  Running(const ProcessSpec& spec, pid_t pid)
      : pid_(pid), own_group_(spec.own_group), start_(steady_clock::now()) {
    if (spec.limit_ns > 0) deadline_ = start_ + std::chrono::nanoseconds(spec.limit_ns);
  }

  // Whether it has ended; it is not waited for yet.
  Result<bool> HasEnded() const {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
        errno != EINTR) {
      return Status::Error(std::strerror(errno));
    }
    return info.si_pid == pid_;
  }

  void WaitForSignal(const sigset_t& signals, ProcessResult* result) {
    siginfo_t info{};
    const int signal = NextSignal(signals, &info);
    if (signal < 0 && IsOverdue()) {
      result->over_limit |= !result->interrupted;
      Send(SIGKILL);
      deadline_ = steady_clock::time_point::max();
    }
    if (signal < 0 || signal == SIGCHLD) return;
    const bool asks_to_end = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
    if (asks_to_end && own_group_ && !result->interrupted) {
      deadline_ = std::min(deadline_, steady_clock::now() + kTimeToEnd);
    }
    result->interrupted |= asks_to_end;
    // The terminal's own signals have reached the whole group of this process.
    if (own_group_ || info.si_code != SI_KERNEL) Send(signal);
  }

  // When it has ended, and was not waited for: its process id is still its own.
  void KillWhatIsLeft() const {
    if (own_group_) Send(SIGKILL);
  }
  std::chrono::nanoseconds Age() const { return steady_clock::now() - start_; }

 private:
  bool IsOverdue() const { return steady_clock::now() >= deadline_; }
  void Send(int signal) const { kill(own_group_ ? -pid_ : pid_, signal); }

  int NextSignal(const sigset_t& signals, siginfo_t* info) const {
    if (deadline_ == steady_clock::time_point::max()) return sigwaitinfo(&signals, info);
    const auto left = std::max<std::chrono::nanoseconds>(deadline_ - steady_clock::now(), {});
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec timeout{seconds.count(), (left - seconds).count()};
    return sigtimedwait(&signals, info, &timeout);
  }

  const pid_t pid_;
  const bool own_group_;
  const steady_clock::time_point start_;
  steady_clock::time_point deadline_ = steady_clock::time_point::max();
};

int64_t ToNs(const timeval& t) {
  return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + static_cast<int64_t>(t.tv_usec) * 1000;
}

}  // namespace

Result<ProcessResult> RunInForeground(const ProcessSpec& spec) {
  // Whoever read what this process says may have gone: it still has to tell how the program ended.
  IgnoreSignal(SIGPIPE);
  // A parent may have left it ignored, and then the kernel would keep no exit status.
  std::signal(SIGCHLD, SIG_DFL);
  const ScopedSignalMask mask;
  ProcessResult result;
  if (const int error = Spawn(spec, mask.before(), &result.pid); error != 0) {
    return Status::Error(fmt::format("cannot start {}: {}", spec.argv.front(),
                                     std::generic_category().message(error)));
  }
  Running running(spec, result.pid);
  for (;;) {
    const Result<bool> ended = running.HasEnded();
    if (!ended) {
      return Status::Error(fmt::format("lost sight of {}: {}", spec.argv.front(), ended.message()));
    }
    if (*ended) break;
    running.WaitForSignal(mask.waited(), &result);
  }
  result.wall_ns = running.Age().count();
  running.KillWhatIsLeft();
  int status = 0;
  rusage usage{};
  while (wait4(result.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.cpu_ns = ToNs(usage.ru_utime) + ToNs(usage.ru_stime);
  result.peak_bytes = static_cast<int64_t>(usage.ru_maxrss) * 1024;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.exit_code = result.signal != 0 ? 128 + result.signal : WEXITSTATUS(status);
  return result;
}

}  // namespace yp
