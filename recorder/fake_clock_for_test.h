#ifndef YP_RECORDER_FAKE_CLOCK_FOR_TEST_H_
#define YP_RECORDER_FAKE_CLOCK_FOR_TEST_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "base/clock.h"

namespace yp {

// Stands still unless a test moves it.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(int64_t now, int64_t cpu = 0) : now_ns(now), cpu_ns(cpu) {}

  int64_t NowNs() override {
    const int64_t now = now_ns;
    if (after_reading) std::exchange(after_reading, nullptr)();
    return now;
  }
  int64_t ThreadCpuNs() override { return cpu_ns; }
  int64_t ProcessCpuNs() override { return cpu_ns; }
  int64_t CpuNsOfThread(int32_t) override { return knows_threads ? cpu_ns : -1; }

  std::function<void()> after_reading;  // Once.
  int64_t now_ns;
  int64_t cpu_ns;
  bool knows_threads = true;
};

}  // namespace yp

#endif  // YP_RECORDER_FAKE_CLOCK_FOR_TEST_H_
