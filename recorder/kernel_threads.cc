#include "recorder/kernel_threads.h"

#include <dirent.h>

#include <cstdlib>
#include <fstream>

#include "base/clock.h"

namespace yp {

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
  const int64_t cpu_ns = SystemClock().CpuNsOfThread(thread);
  return cpu_ns < 0 ? std::nullopt : std::optional(cpu_ns);
}

}  // namespace yp
