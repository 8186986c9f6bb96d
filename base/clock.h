#ifndef YP_BASE_CLOCK_H_
#define YP_BASE_CLOCK_H_

#include <cstdint>
#include <ctime>

namespace yp {

// Time as the libraries see it. Tests inject their own.
class Clock {
 public:
  virtual ~Clock() = default;
  // Monotonic time since an arbitrary start, in ns.
  virtual int64_t NowNs() = 0;
  // CPU time of the calling thread, in ns.
  virtual int64_t ThreadCpuNs() = 0;
  // CPU time of the process, in ns.
  virtual int64_t ProcessCpuNs() = 0;
  // CPU time of another thread of the process, by the kernel's id of it, in ns; -1 when it has
  // ended or cannot be asked for.
  virtual int64_t CpuNsOfThread(int32_t /*kernel_id*/) { return -1; }
};

// The kernel's clocks. Async-signal-safe: clock_gettime is.
class SystemClock final : public Clock {
 public:
  int64_t NowNs() override { return Read(CLOCK_MONOTONIC); }
  int64_t ThreadCpuNs() override { return Read(CLOCK_THREAD_CPUTIME_ID); }
  int64_t ProcessCpuNs() override { return Read(CLOCK_PROCESS_CPUTIME_ID); }
  // The clock's id is that of pthread_getcpuclockid, which wants a pthread_t: the kernel's
  // MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED (include/linux/posix-timers.h).
  int64_t CpuNsOfThread(int32_t kernel_id) override {
    return Read(static_cast<clockid_t>((~static_cast<unsigned>(kernel_id) << 3) | 6));
  }

 private:
  static int64_t Read(clockid_t id) {
    timespec t{};
    if (clock_gettime(id, &t) != 0) return -1;
    return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
  }
};

}  // namespace yp

#endif  // YP_BASE_CLOCK_H_
