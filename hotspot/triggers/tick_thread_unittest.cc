#include "hotspot/triggers/tick_thread.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace yp::hotspot {
namespace {

constexpr int64_t kHourNs = 3'600'000'000'000;

TEST(TickThreadTest, LooksAreNoTicksAndTheLastWaitEndsWithTheThread) {
  const std::vector<TickThread::Pace> paces = {
      {.closed_ns = 1, .open_ns = 0},      {.closed_ns = 1, .open_ns = 0},
      {.closed_ns = 1, .open_ns = 1},      {.closed_ns = 0, .open_ns = 1},
      {.closed_ns = 1, .open_ns = 0},      {.closed_ns = 1, .open_ns = 1},
      {.closed_ns = kHourNs, .open_ns = 0}};
  std::string calls;
  size_t next = 0;
  std::promise<void> waits;
  TickThread thread(
      std::make_unique<Nanosleep>(),
      [&] {
        if (next + 1 == paces.size()) waits.set_value();
        return paces.at(next++);
      },
      [&] { calls += "begin "; }, [&] { calls += "on "; }, [&] { calls += "end "; });
  ASSERT_TRUE(thread.Start());
  waits.get_future().wait();
  thread.Stop();
  EXPECT_EQ(next, paces.size());
  EXPECT_EQ(calls, "begin on end begin end ");
}

TEST(TickThreadTest, ATickThatIsOpenIsEndedWithTheThread) {
  std::string calls;
  std::promise<void> is_open;
  TickThread thread(
      std::make_unique<Nanosleep>(),
      [] { return TickThread::Pace{.closed_ns = 1, .open_ns = kHourNs}; },
      [&] {
        calls += "begin ";
        is_open.set_value();
      },
      [&] { calls += "on "; }, [&] { calls += "end "; });
  ASSERT_TRUE(thread.Start());
  is_open.get_future().wait();
  thread.Stop();
  EXPECT_EQ(calls, "begin end ");
}

}  // namespace
}  // namespace yp::hotspot
