#include "recorder/triggers/perf_events.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "recorder/kernel_threads.h"
#include "recorder/triggers/profiling_signal.h"

namespace yp {
namespace {

constexpr int kUnknownParanoia = -100;
// What unprivileged processes may have of their own threads, without the kernel's part.
constexpr int kMostParanoia = 2;

int OrErrno(long result) { return result < 0 ? -errno : static_cast<int>(result); }

class RealPerfKernel final : public PerfKernel {
 public:
  int Open(const PerfEvent& event, pid_t thread) override {
    perf_event_attr attributes = AttributesOf(event);
    attributes.sample_period = event.period;
    attributes.sample_type = PERF_SAMPLE_IP;
    attributes.wakeup_events = 1;
    attributes.disabled = 1;
    const int file = OpenFile(attributes, thread);
    if (file != -EACCES && file != -EPERM) return file;
    // Where the kernel's part is not to be had, the program's own is.
    attributes.exclude_kernel = 1;
    return OpenFile(attributes, thread);
  }
  int OpenCounter(const PerfEvent& event, pid_t thread) override {
    perf_event_attr attributes = AttributesOf(event);
    attributes.exclude_kernel = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return OpenFile(attributes, thread);
  }
  int64_t Read(int file) override {
    struct {
      uint64_t count, enabled_ns, running_ns;
    } counted{};
    const ssize_t bytes = read(file, &counted, sizeof(counted));
    if (bytes != sizeof(counted)) return bytes < 0 ? -errno : -EIO;
    if (counted.running_ns == 0) return counted.enabled_ns == 0 ? 0 : -EAGAIN;
    // When counters are fewer than those who count, they take turns.
    const double share = static_cast<double>(counted.running_ns) /
                         static_cast<double>(std::max(counted.enabled_ns, counted.running_ns));
    return static_cast<int64_t>(static_cast<double>(counted.count) / share);
  }
  void Disable(int file) override { (void)ioctl(file, PERF_EVENT_IOC_DISABLE, 0); }
  int SendTo(int file, pid_t thread) override {
    f_owner_ex owner{F_OWNER_TID, thread};
    if (fcntl(file, F_SETFL, O_ASYNC) < 0 || fcntl(file, F_SETSIG, ProfilingSignal::kNumber) < 0 ||
        fcntl(file, F_SETOWN_EX, &owner) < 0) {
      return -errno;
    }
    return 0;
  }
  int CountOnce(int file) override { return OrErrno(ioctl(file, PERF_EVENT_IOC_REFRESH, 1)); }
  void Close(int file) override { close(file); }
  std::vector<pid_t> Threads() override { return KernelThreads(); }
  pid_t ThisThread() override { return static_cast<pid_t>(syscall(SYS_gettid)); }
  int Paranoia() override {
    int level = kUnknownParanoia;
    if (std::FILE* file = std::fopen("/proc/sys/kernel/perf_event_paranoid", "re")) {
      if (std::fscanf(file, "%d", &level) != 1) level = kUnknownParanoia;
      std::fclose(file);
    }
    return level;
  }

 private:
  static perf_event_attr AttributesOf(const PerfEvent& event) {
    perf_event_attr attributes{};
    attributes.size = sizeof(attributes);
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.config1 = event.config1;
    attributes.config2 = event.config2;
    attributes.exclude_hv = 1;
    return attributes;
  }
  // A program that opens files needs them more: half of those that it may have are left to it.
  static int OpenFile(perf_event_attr& attributes, pid_t thread) {
    const int file = AboveStandardStreams(
        static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, -1,
                                 static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC))));
    if (file < 0) return -errno;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && static_cast<rlim_t>(file) > limit.rlim_cur / 2) {
      close(static_cast<int>(file));
      return -EMFILE;
    }
    return static_cast<int>(file);
  }
};

}  // namespace

PerfKernel& PerfKernel::Real() {
  static auto* const kernel = new RealPerfKernel();
  return *kernel;
}

Status ExplainPerfError(const PerfEvent& which, int error, PerfKernel& kernel) {
  const std::string event = "the event " + which.name;
  switch (error) {
    case EACCES:
    case EPERM:
      if (const int level = kernel.Paranoia(); level > kMostParanoia) {
        return Status::Error(event + " is not permitted: /proc/sys/kernel/perf_event_paranoid is " +
                             std::to_string(level) + "; set it to " +
                             std::to_string(kMostParanoia) +
                             " or less, or give the process CAP_PERFMON");
      }
      return Status::Error(event +
                           " is not permitted: in a container, allow the system call "
                           "perf_event_open (its seccomp profile) or give it CAP_PERFMON");
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return Status::Error(event +
                           " is not to be had: this machine has no performance monitor for it, as "
                           "most virtual machines have none");
    case EMFILE:
      return Status::Error(event + " needs a file for each thread: raise the limit (ulimit -n)");
    case ENOSYS:
      return Status::Error(event + " is not to be had: this kernel has no perf_event_open");
    default:
      return Status::Error(event + " is not to be had: " + std::strerror(error));
  }
}

int PerfEvents::Add(pid_t thread) {
  if (files_.contains(thread)) return 0;
  const int file = kernel_.Open(event_, thread);
  if (file < 0) return file;
  int result = kernel_.SendTo(file, thread);
  if (result == 0) result = kernel_.CountOnce(file);
  if (result < 0) {
    kernel_.Close(file);
    return result;
  }
  files_.emplace(thread, file);
  return 0;
}

Status PerfEvents::Start() {
  const std::lock_guard lock(mutex_);
  if (const int result = Add(kernel_.ThisThread()); result < 0)
    return ExplainPerfError(event_, -result, kernel_);
  is_running_ = true;
  // One that has ended meanwhile has no counter, as it needs none.
  for (const pid_t thread : kernel_.Threads()) (void)Add(thread);
  return Status::Ok();
}

void PerfEvents::Stop() {
  const std::lock_guard lock(mutex_);
  is_running_ = false;
  for (const auto& [thread, file] : files_) kernel_.Close(file);
  files_.clear();
}

void PerfEvents::OnThreadStart() {
  const std::lock_guard lock(mutex_);
  if (is_running_) (void)Add(kernel_.ThisThread());
}

void PerfEvents::OnThreadEnd() {
  const std::lock_guard lock(mutex_);
  const auto file = files_.find(kernel_.ThisThread());
  if (file == files_.end()) return;
  kernel_.Close(file->second);
  files_.erase(file);
}

}  // namespace yp
