#include "format/profile/thread_groups.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "format/profile/thread_names.h"

namespace yp {

ThreadGroups::ThreadGroups(const Profile& profile, double program_cpu_ns)
    : program_cpu_ns_{program_cpu_ns, 0} {
  std::map<std::string, size_t> by_name;
  for (const spool::ThreadDefinition& thread : profile.threads) {
    if (thread.kernel_id == 0 || !profile.thread_cpu_ns.contains(thread.kernel_id)) continue;
    const auto [group, is_new] =
        by_name.try_emplace(NamePattern(thread.name), program_cpu_ns_.size());
    if (is_new) program_cpu_ns_.push_back(0);
    kernel_ids_[thread.id] = thread.kernel_id;
    groups_[thread.kernel_id] = group->second;
  }
  for (const auto& [kernel_id, cpu_ns] : profile.thread_cpu_ns) {
    const double followed_ns = std::min(static_cast<double>(cpu_ns), program_cpu_ns_[kNotFollowed]);
    program_cpu_ns_[kNotFollowed] -= followed_ns;
    program_cpu_ns_[GroupOf(kernel_id)] += followed_ns;
  }
}

size_t ThreadGroups::GroupOf(int32_t kernel_id) const {
  const auto known = groups_.find(kernel_id);
  return known == groups_.end() ? kNotSampled : known->second;
}

std::vector<double> ThreadGroups::CpuNsIn(const spool::Tick& tick) const {
  std::vector<double> cpu_ns(size(), 0);
  cpu_ns[kNotFollowed] = static_cast<double>(tick.open_cpu_ns);
  for (const auto& [kernel_id, of_thread_ns] : tick.thread_cpu_ns) {
    // The process's clock and the threads' are not read at once.
    cpu_ns[kNotFollowed] = std::max(0.0, cpu_ns[kNotFollowed] - static_cast<double>(of_thread_ns));
    cpu_ns[GroupOf(kernel_id)] += static_cast<double>(of_thread_ns);
  }
  return cpu_ns;
}

size_t ThreadGroups::Of(const spool::Tick& tick, ThreadId thread) const {
  const auto kernel_id = kernel_ids_.find(thread);
  if (kernel_id == kernel_ids_.end()) return kNotFollowed;
  const bool is_followed = std::ranges::any_of(
      tick.thread_cpu_ns,
      [&](const std::pair<int32_t, int64_t>& used) { return used.first == kernel_id->second; });
  return is_followed ? GroupOf(kernel_id->second) : kNotFollowed;
}

}  // namespace yp
