#ifndef YP_RECORDER_KERNEL_THREADS_H_
#define YP_RECORDER_KERNEL_THREADS_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace yp {

// CPU time of threads, by the kernel's ids, in ns.
using CpuByThread = std::vector<std::pair<pid_t, int64_t>>;

// The process's threads, by the kernel's ids.
std::vector<pid_t> KernelThreads();
// As the VM has named it to the kernel: the first 15 characters. Empty when it has ended.
std::string NameOfKernelThread(pid_t thread);
// Since its start; nothing when it has ended. Any thread may ask.
std::optional<int64_t> CpuNsOfKernelThread(pid_t thread);

}  // namespace yp

#endif  // YP_RECORDER_KERNEL_THREADS_H_
