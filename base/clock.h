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
};

// The kernel's clocks. Async-signal-safe: clock_gettime is.
class SystemClock final : public Clock {
 public:
  int64_t NowNs() override { return Read(CLOCK_MONOTONIC); }
  int64_t ThreadCpuNs() override { return Read(CLOCK_THREAD_CPUTIME_ID); }
  int64_t ProcessCpuNs() override { return Read(CLOCK_PROCESS_CPUTIME_ID); }

 private:
  static int64_t Read(clockid_t id) {
    timespec t{};
    clock_gettime(id, &t);
    return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
  }
};

}  // namespace yp

#endif  // YP_BASE_CLOCK_H_
