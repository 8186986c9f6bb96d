#ifndef YP_HOTSPOT_JIT_COMPILER_THREADS_H_
#define YP_HOTSPOT_JIT_COMPILER_THREADS_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "format/spool/records.h"

namespace yp::hotspot {

// The CPU time of the threads in which the VM's compilers run. One thread at a time; the VM is not
// asked.
class CompilerThreads {
 public:
  // The VM starts and ends such threads as it has work for them; a new one is found after so long.
  static constexpr int64_t kListIntervalNs = 1'000'000'000;

  // Times: since the run's start. Reads for the first time.
  explicit CompilerThreads(int64_t now_ns) { Read(now_ns); }

  // 1 us for each of them; when threads are listed, some more for each of the process's.
  void Read(int64_t now_ns);
  // What was read since the last time.
  std::vector<spool::CompilerTimes> Take() { return std::exchange(read_, {}); }

 private:
  struct Thread {
    std::optional<int64_t> absent_ns;  // When it was not there yet.
    int looks = 0;                     // At its name.
    bool is_compiler = false;
    int64_t cpu_ns = -1;  // As it was told.
  };

  void List(int64_t now_ns);

  std::map<pid_t, Thread> threads_;
  std::optional<int64_t> listed_ns_;
  std::vector<spool::CompilerTimes> read_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_JIT_COMPILER_THREADS_H_
