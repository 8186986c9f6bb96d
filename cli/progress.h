#ifndef YP_CLI_PROGRESS_H_
#define YP_CLI_PROGRESS_H_

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "cli/own_thread.h"

namespace yp {

// Tells on stderr what a long task is at, from two seconds on: on a terminal one line that is
// rewritten and goes away in the end, elsewhere a line now and then. It runs on a thread of its
// own, so that the task need not call anything.
class Progress {
 public:
  // `describe` is called on that thread with the time since the start; it must not block.
  using Describe = std::function<std::string(std::chrono::nanoseconds elapsed)>;

  explicit Progress(Describe describe);
  // "text (12.3 s)".
  explicit Progress(const std::string& text);

 private:
  void Run(const OwnThread::GoesOnAfter& goes_on_after) const;

  const Describe describe_;
  const bool on_terminal_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  OwnThread thread_;  // The last: it reads the others.
};

// On stderr. Where nobody can read it, as it is closed or its disk is full, nothing happens: what
// there is to tell is never worth the program's exit code or its profile.
void PrintToStderr(std::string_view text);

// Prints a line "yp: TEXT" on stderr.
void Say(const std::string& text);

}  // namespace yp

#endif  // YP_CLI_PROGRESS_H_
