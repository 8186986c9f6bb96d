#include "hotspot/threads/kernel_threads.h"

#include <dirent.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

namespace yp::hotspot {

std::vector<pid_t> KernelThreads() {
  std::vector<pid_t> threads;
  DIR* const directory = opendir("/proc/self/task");
  if (directory == nullptr) return threads;
  while (const dirent* entry = readdir(directory)) {
    if (const int id = std::atoi(entry->d_name); id > 0) threads.push_back(id);
  }
  closedir(directory);
  return threads;
}

std::string NameOfKernelThread(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::optional<int64_t> CpuNsOfKernelThread(pid_t thread) {
  // As pthread_getcpuclockid makes it, which wants a pthread_t: the kernel's MAKE_THREAD_CPUCLOCK
  // with CPUCLOCK_SCHED (include/linux/posix-timers.h).
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6);
  timespec used{};
  if (clock_gettime(clock, &used) != 0) return std::nullopt;
  return static_cast<int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

}  // namespace yp::hotspot
