#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "hotspot/threads/program_activity.h"

namespace yp::hotspot {
namespace {

// Each time that it is read, threads are due to be listed.
class HurryingClock final : public Clock {
 public:
  int64_t NowNs() override { return now_ns_ += 60'000'000'000; }
  int64_t ThreadCpuNs() override { return clock_.ThreadCpuNs(); }
  int64_t ProcessCpuNs() override { return clock_.ProcessCpuNs(); }

 private:
  std::atomic<int64_t> now_ns_{0};
  SystemClock clock_;
};

// The trigger's thread lists threads and reads their clocks, and the drain's asks for the sum.
TEST(ProgramActivityStressTest, AnyThreadAsksWhileThreadsComeAndGo) {
  HurryingClock clock;
  ProgramActivity activity(clock);
  std::atomic<bool> is_over{false};
  std::atomic<int64_t> asked{0};
  std::thread trigger([&] {
    for (int i = 0; i < 200; ++i) {
      std::thread([] {}).join();
      activity.ListIfDue();
      activity.FollowedCpuNs();
      activity.TakeFollowedCpuNs();
      activity.OnEnded(1, 1);
    }
    while (asked < 100) std::this_thread::yield();
    is_over = true;
  });
  int64_t before_ns = 0;
  while (!is_over) {
    const int64_t now_ns = activity.CpuNs();
    EXPECT_GE(now_ns, before_ns);
    before_ns = now_ns;
    ++asked;
  }
  trigger.join();
  EXPECT_GT(before_ns, 0);
}

}  // namespace
}  // namespace yp::hotspot
