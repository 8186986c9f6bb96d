#ifndef YP_FORMAT_COMPILE_LOG_COMPILE_LOG_H_
#define YP_FORMAT_COMPILE_LOG_COMPILE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "core/amortize/jit_events.h"

namespace yp::compile_log {

// What a log says of itself, and what could not be used of it.
struct Summary {
  std::string vm_name;                 // "OpenJDK 64-Bit Server VM".
  std::string vm_version;              // "17.0.21+9".
  std::string command;                 // The main class or jar, and its arguments.
  std::optional<int64_t> vm_start_ms;  // Since 1970: where the events' clock begins.
  std::optional<int64_t> process_id;

  uint64_t elements = 0;
  uint64_t compilations = 0;  // Given to the sink.
  uint64_t inlinings = 0;
  uint64_t deoptimizations = 0;
  uint64_t code_ends = 0;
  // Methods that a compiler will not be given again. No code ends by that.
  uint64_t made_not_compilable = 0;
  uint64_t unfinished_tasks = 0;  // Begun, and cut off before their <task_done>.
  // Asked for (<task_queued>) and not compiled: taken from the queue again, not begun at the end,
  // or in a log of a thread that is missing.
  uint64_t queued_only = 0;
  // Of unknown name, or broken, or without what they must have.
  uint64_t not_understood = 0;
  // There are compilations in it, or at least compilers. A machine that writes other things into
  // the file (-XX:+LogVMOutput) and no compilations does not tell that there were none.
  bool tells_compilations = false;
  // The log has no end: the virtual machine died, or still runs.
  bool cut_off = false;
  // Files with the logs of compiler threads that this log lacks: of a machine that died. Capped.
  std::vector<std::string> missing_thread_logs;

  // One line for a person; empty when all was understood and nothing is missing.
  std::string DescribeDamage() const;
};

// Reads what HotSpot writes with -XX:+LogCompilation, of JDK 17 to 25.
// - Times of events are from the virtual machine's start, of a millisecond's precision.
// - Events are not in order of time. First come those of the whole machine (deoptimizations, ends
//   of code), then each compiler thread's, whose logs the machine appends at its end. Inlinings of
//   a compilation come before the compilation itself. A compiler that begins anew within a
//   compilation tells its decisions again; those of a compilation that was cut off come alone.
// - A machine that was killed has not appended them: Summary::missing_thread_logs are the files to
//   give after this one, where they still exist.
// - Memory is bounded, whatever the input: what is kept is the tag being read, the names of one
//   compilation, and a few words for each request to compile that was not answered yet.
// - Loaders, threads' names but the compilers', and lines are not in these logs. A deoptimization's
//   thread is the system's number of it. Deoptimizations that follow from a dependency
//   (<deoptimized>) have no time and are not told.
// - JitCompilation::code_bytes is the code with its stubs and constants (nmsize), without the
//   tables beside it.
class Reader {
 public:
  // The sink must outlive the reader.
  explicit Reader(JitEventSink* sink);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The next bytes. Fails, and then for good, when the file does not begin like such a log.
  Status Take(std::string_view bytes);
  // The file ends; bytes that follow are another one's, of the same run. Fails as Take().
  Status EndFile();
  // Complete after EndFile().
  const Summary& summary() const;

 private:
  class State;
  const std::unique_ptr<State> state_;
};

// Whether these first bytes of a file, 13 or more of them, are a log's (a compiler thread's own has
// no such head).
bool LooksLikeLog(std::string_view head);
// Whether they, 22 or more, are those of a compiler thread's own log.
bool LooksLikeThreadLog(std::string_view head);

// Reads one log, and then those of its compiler threads, if any. Fails when a file cannot be read
// or is no such log; events that were given before stay given.
Result<Summary> ReadFiles(const std::vector<std::string>& paths, JitEventSink* sink);
// Reads a log, and those of its compiler threads that it lacks and that are still where it says, or
// beside it.
Result<Summary> ReadWithThreadLogs(const std::string& path, JitEventSink* sink);

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_COMPILE_LOG_H_
