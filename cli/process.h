#ifndef YP_CLI_PROCESS_H_
#define YP_CLI_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace yp {

struct ProcessSpec {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // Added to this process's own.
  // Descriptors of the child; -1 leaves this process's.
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
};

struct ProcessResult {
  pid_t pid = 0;
  int exit_code = 0;         // 128 + n after signal n, as a shell says it.
  int signal = 0;            // That ended it, or 0.
  bool interrupted = false;  // This process was asked to end (SIGINT, SIGTERM, SIGHUP) meanwhile.
  int64_t wall_ns = 0;
  int64_t cpu_ns = 0;  // User and system, with the processes that it waited for.
};

// Runs a program in the foreground and waits for it.
// - It stays in this process's group: a terminal's Ctrl-C, Ctrl-\ and Ctrl-Z reach it directly, and
//   this process outlives the first two to do its own work afterwards.
// - Signals that a process sent (kill) are handed on to the program.
// - An error means that the program was not started.
// Not for a process that waits for other children at the same time.
Result<ProcessResult> RunInForeground(const ProcessSpec& spec);

}  // namespace yp

#endif  // YP_CLI_PROCESS_H_
