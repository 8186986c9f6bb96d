#include "cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

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
    : describe_(std::move(describe)),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      thread_([this](const OwnThread::GoesOnAfter& goes_on_after) { Run(goes_on_after); }) {}

Progress::Progress(const std::string& text)
    : Progress([text](std::chrono::nanoseconds elapsed) {
        return fmt::format("{} ({})", text, FormatDuration(elapsed.count()));
      }) {}

void Progress::Run(const OwnThread::GoesOnAfter& goes_on_after) const {
  if (!goes_on_after(kQuietTime)) return;
  do {
    const std::string text = describe_(steady_clock::now() - start_);
    if (on_terminal_) {
      PrintToStderr(fmt::format("{}yp: {}", kClearLine, ForTerminal(text)));
    } else {
      Say(text);
    }
  } while (
      goes_on_after(on_terminal_ ? std::chrono::nanoseconds(kTerminalInterval) : kLineInterval));
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
