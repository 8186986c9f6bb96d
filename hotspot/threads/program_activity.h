#ifndef YP_HOTSPOT_THREADS_PROGRAM_ACTIVITY_H_
#define YP_HOTSPOT_THREADS_PROGRAM_ACTIVITY_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "base/clock.h"

namespace yp::hotspot {

// Whether a thread of that name, as the kernel keeps it (15 characters at most), is one of the VM's
// own (compilers, collectors, its housekeeping) or of the agent's: it makes no calls of the
// program's.
bool IsNameOfVmThread(std::string_view name);

// The CPU time that the program's own threads have used: that of the process without the VM's
// threads and the agent's. One thread at a time; the VM is not asked.
//
// No clock of a Java thread is read, so that ten thousand of them cost nothing. A thread of the
// program's that has a name of the VM's is left out, which makes the time a worse measure of what
// the program did, and nothing wrong.
class ProgramActivity {
 public:
  explicit ProgramActivity(Clock& clock) : clock_(clock) {}

  // In ns, since the process's start; never less than before. Some 0.5 us for each of the VM's
  // threads that has work; when threads are listed, 15 us for each that is new.
  int64_t CpuNs();

 private:
  // Compilers come and go: the CPU time of one that is not known yet is taken for the program's.
  // From one listing to the next, for each thread, and at least and at most: a listing takes 0.5 to
  // 1 us for each.
  static constexpr int64_t kListIntervalOfThreadNs = 20'000'000;
  static constexpr int64_t kLeastListIntervalNs = 100'000'000;
  static constexpr int64_t kMaxListIntervalNs = 30'000'000'000;
  // A thread is named after it has started: one that is there from the beginning is looked at in
  // two listings, and one that came later in the second that has it.
  static constexpr int kLooks = 2;
  // Of the time between two listings: who used less does not count until the next.
  static constexpr double kBusyShare = 0.002;
  // In one listing: a process may have very many threads.
  static constexpr int kMaxLooks = 1000;

  struct Thread {
    int looks = 0;
    bool is_vm = false;
    // Its clock is read each time; of the others, when threads are listed.
    bool is_busy = true;
    int64_t cpu_ns = 0;         // As it was read last.
    int64_t listed_cpu_ns = 0;  // When threads were listed.
  };

  void List();
  static void Read(pid_t id, Thread& thread);

  Clock& clock_;
  std::map<pid_t, Thread> threads_;
  int64_t ended_cpu_ns_ = 0;  // Of the VM's threads that have ended.
  std::optional<int64_t> listed_ns_;
  int64_t next_list_ns_ = 0;
  int64_t told_cpu_ns_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_PROGRAM_ACTIVITY_H_
