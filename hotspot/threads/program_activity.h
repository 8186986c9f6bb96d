#ifndef YP_HOTSPOT_THREADS_PROGRAM_ACTIVITY_H_
#define YP_HOTSPOT_THREADS_PROGRAM_ACTIVITY_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "recorder/kernel_threads.h"

namespace yp::hotspot {

// Whether a thread of that name, as the kernel keeps it (15 characters at most), is one of the VM's
// own (compilers, collectors, its housekeeping) or of the agent's: it makes no calls of the
// program's.
bool IsNameOfVmThread(std::string_view name);

// The CPU time that the program's own threads have used: that of the process without the VM's
// threads and the agent's. Any thread may ask; the VM is not asked.
//
// The program's threads that have work are followed: their clocks are read as well. Those of ten
// thousand that wait cost what it takes to list them. A thread of the program's that has a name of
// the VM's is left out, which makes the time a worse measure of what the program did, and nothing
// wrong.
class ProgramActivity {
 public:
  explicit ProgramActivity(Clock& clock) : clock_(clock) {}

  // Finds out which threads there are, if that is due. 1 to 1.5 us for each, 15 for each that is
  // new: before a tick's calls count, as the program goes on meanwhile.
  void ListIfDue();
  // In ns, since the process's start; never less than before. Some 0.5 us for each of the VM's
  // threads that has work.
  int64_t CpuNs();
  // What the threads that are followed now have used since they began; 0.5 us for each.
  CpuByThread FollowedCpuNs();
  // What each thread has used while it was followed, and was not told by an earlier call: until its
  // clock was read last.
  CpuByThread TakeFollowedCpuNs();
  // A thread has ended, with so much used in all.
  void OnEnded(pid_t id, int64_t cpu_ns);

 private:
  // Compilers come and go: the CPU time of one that is not known yet is taken for the program's.
  // From one listing to the next, for each thread, and at least and at most: a listing takes 1 to
  // 1.5 us for each.
  static constexpr int64_t kListIntervalOfThreadNs = 20'000'000;
  static constexpr int64_t kLeastListIntervalNs = 100'000'000;
  static constexpr int64_t kMaxListIntervalNs = 30'000'000'000;
  // A thread is named after it has started: one that is there from the beginning is looked at in
  // two listings, and one that came later in the second that has it.
  static constexpr int kLooks = 2;
  // Of the time between two listings: of the VM's threads, who used less does not count until the
  // next; of the program's, who used less is not followed.
  static constexpr double kBusyShare = 0.002;
  // In one listing: a process may have very many threads.
  static constexpr int kMaxLooks = 1000;

  struct Thread {
    int looks = 0;
    bool is_vm = false;
    // One of the VM's whose clock is read each time; of the others, when threads are listed.
    bool is_busy = true;
    bool is_followed = false;   // One of the program's.
    int64_t cpu_ns = 0;         // As it was read last.
    int64_t listed_cpu_ns = 0;  // When threads were listed.
    int64_t told_cpu_ns = 0;    // By TakeFollowedCpuNs, or when it began to be followed.
  };

  void List();
  void LookAt(pid_t id, Thread& thread, double busy_ns, int* looks);
  static void Read(pid_t id, Thread& thread);
  // For the next TakeFollowedCpuNs: what it has used up to now.
  void Tell(pid_t id, Thread& thread);

  Clock& clock_;
  std::mutex mutex_;  // Of all that follows.
  std::map<pid_t, Thread> threads_;
  CpuByThread untold_;
  int64_t ended_cpu_ns_ = 0;  // Of the VM's threads that have ended.
  std::optional<int64_t> listed_ns_;
  int64_t next_list_ns_ = 0;
  int64_t told_cpu_ns_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_PROGRAM_ACTIVITY_H_
