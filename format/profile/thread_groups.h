#ifndef YP_FORMAT_PROFILE_THREAD_GROUPS_H_
#define YP_FORMAT_PROFILE_THREAD_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "format/profile/profile.h"

namespace yp {

// The program's threads in groups that do alike: those whose names differ in numbers only, as the
// threads of a pool do. What each group has used of the CPU, in all and in ticks. Threads that
// were followed and of which no call was sampled are a group, and so are all that were not
// followed (spool::ThreadTimes).
class ThreadGroups {
 public:
  // `program_cpu_ns`: of all threads of the program. `profile` must live as long.
  ThreadGroups(const Profile& profile, double program_cpu_ns);

  size_t size() const { return program_cpu_ns_.size(); }
  // CPU time of a group in the whole run.
  double ProgramCpuNs(size_t group) const { return program_cpu_ns_[group]; }
  // CPU time of each group in the tick.
  std::vector<double> CpuNsIn(const spool::Tick& tick) const;
  // Whose calls those of a thread are in that tick.
  size_t Of(const spool::Tick& tick, ThreadId thread) const;

 private:
  static constexpr size_t kNotFollowed = 0, kNotSampled = 1;

  size_t GroupOf(int32_t kernel_id) const;

  std::unordered_map<ThreadId, int32_t> kernel_ids_;
  std::unordered_map<int32_t, size_t> groups_;  // By the kernel's id.
  std::vector<double> program_cpu_ns_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_THREAD_GROUPS_H_
