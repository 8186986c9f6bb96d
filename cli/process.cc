#include "cli/process.h"

#include <fmt/core.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
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
  const auto start = std::chrono::steady_clock::now();
  ProcessResult result;
  if (const int error = Spawn(spec, mask.before(), &result.pid); error != 0) {
    return Status::Error(fmt::format("cannot start {}: {}", spec.argv.front(),
                                     std::generic_category().message(error)));
  }
  int status = 0;
  rusage usage{};
  for (;;) {
    const pid_t ended = wait4(result.pid, &status, WNOHANG, &usage);
    if (ended == result.pid) break;
    if (ended < 0 && errno != EINTR) {
      return Status::Error(
          fmt::format("lost sight of {}: {}", spec.argv.front(), std::strerror(errno)));
    }
    siginfo_t info{};
    const int signal = sigwaitinfo(&mask.waited(), &info);
    if (signal < 0 || signal == SIGCHLD) continue;
    result.interrupted |= signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
    // The terminal's own signals have reached the whole group.
    if (info.si_code != SI_KERNEL) kill(result.pid, signal);
  }
  const auto wall = std::chrono::steady_clock::now() - start;
  result.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count();
  result.cpu_ns = ToNs(usage.ru_utime) + ToNs(usage.ru_stime);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.exit_code = result.signal != 0 ? 128 + result.signal : WEXITSTATUS(status);
  return result;
}

}  // namespace yp
