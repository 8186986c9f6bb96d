#include "cli/progress.h"

#include <fmt/core.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

#include "base/utf8.h"
#include "cli/duration.h"

namespace yp {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kQuietTime{2};
constexpr std::chrono::milliseconds kTerminalInterval{250};
constexpr std::chrono::seconds kLineInterval{10};
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

Progress::Progress(Describe describe)
    : describe_(std::move(describe)), on_terminal_(isatty(STDERR_FILENO) != 0) {
  // Signals are for the thread that waits for them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { Run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::Progress(const std::string& text)
    : Progress([text](std::chrono::nanoseconds elapsed) {
        return fmt::format("{} ({})", text, FormatDuration(elapsed.count()));
      }) {}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  finished_changed_.notify_one();
  thread_.join();
}

void Progress::Run() {
  std::unique_lock lock(mutex_);
  const auto finished = [this] { return finished_; };
  if (finished_changed_.wait_for(lock, kQuietTime, finished)) return;
  do {
    const std::string text = describe_(steady_clock::now() - start_);
    if (on_terminal_) {
      PrintToStderr(fmt::format("{}yp: {}", kClearLine, ForTerminal(text)));
    } else {
      Say(text);
    }
  } while (!finished_changed_.wait_for(
      lock, on_terminal_ ? std::chrono::nanoseconds(kTerminalInterval) : kLineInterval, finished));
  if (on_terminal_) {
    PrintToStderr(kClearLine);
  }
}

void PrintToStderr(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

void Say(const std::string& text) { PrintToStderr(fmt::format("yp: {}\n", ForTerminal(text))); }

}  // namespace yp
