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
  // The program leads a process group of its own. A terminal's signals then reach it through this
  // process; when it has ended, what is left of its group is killed.
  bool own_group = false;
  // The program is killed after so long, with its group if that is its own; 0: never.
  int64_t limit_ns = 0;
};

struct ProcessResult {
  pid_t pid = 0;
  int exit_code = 0;         // 128 + n after signal n, as a shell says it.
  int signal = 0;            // That ended it, or 0.
  bool interrupted = false;  // This process was asked to end (SIGINT, SIGTERM, SIGHUP) meanwhile.
  bool over_limit = false;   // It was killed for the limit.
  int64_t wall_ns = 0;
  int64_t cpu_ns = 0;      // User and system, with the processes that it waited for.
  int64_t peak_bytes = 0;  // Resident, of the largest of these.
};

// Runs a program in the foreground and waits for it.
// - Unless it has a group of its own, it stays in this process's: a terminal's Ctrl-C, Ctrl-\ and
// Ctrl-Z reach it directly, and
//   this process outlives the first two to do its own work afterwards.
// - Signals that a process sent (kill) are handed on to the program. In a group of its own, it is
//   killed when it has not ended ten seconds after this process was asked to.
// - An error means that the program was not started.
// Not for a process that waits for other children at the same time.
Result<ProcessResult> RunInForeground(const ProcessSpec& spec);

}  // namespace yp

#endif  // YP_CLI_PROCESS_H_
